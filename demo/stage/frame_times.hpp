// The times of the parts of each frame.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

namespace throng::demo {

/// The parts of a frame in order; the last is the whole frame.
enum Part : std::size_t { move, update, query, collide, frame, kParts };
inline constexpr std::array<const char*, kParts> kPartNames = {"move", "update", "query", "collide",
                                                               "frame"};

class FrameTimes {
public:
    using Clock = std::chrono::steady_clock;

    void begin() noexcept { begin_ = last_ = Clock::now(); }
    /// Ends this part and begins the next one.
    void ended(Part part) {
        const Clock::time_point now = Clock::now();
        const Clock::time_point start = part == frame ? begin_ : last_;
        milliseconds_[part].push_back(
            std::chrono::duration<double, std::milli>(now - start).count());
        last_ = now;
    }

    [[nodiscard]] std::size_t frames() const noexcept { return milliseconds_[frame].size(); }
    /// The times of a part in all frames, in milliseconds.
    [[nodiscard]] const std::vector<double>& of(Part part) const noexcept {
        return milliseconds_[part];
    }

    /// The time that this fraction of the frames does not exceed. There must be a frame.
    [[nodiscard]] double quantile(Part part, double share) const {
        std::vector<double> times = milliseconds_[part];
        const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size()));
        const auto last = static_cast<std::ptrdiff_t>(times.size()) - 1;
        const auto at = times.begin() + std::min(rank, last);
        std::nth_element(times.begin(), at, times.end());
        return *at;
    }

private:
    Clock::time_point begin_, last_;
    std::array<std::vector<double>, kParts> milliseconds_;
};

} // namespace throng::demo
