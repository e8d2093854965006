// The last frames' times, as the plot shows them.
#pragma once

#include "frame_times.hpp"

#include <array>
#include <cstddef>
#include <deque>

namespace throng::demo {

inline constexpr float kSixtyHertz = 1000.0f / 60.0f; ///< milliseconds

class RecentTimes {
public:
    static constexpr std::size_t kMost = 240;

    using Frame = std::array<float, kParts>; ///< milliseconds of each part

    /// Takes over the frames that have been told since the last call.
    void follow(const FrameTimes& times);
    void clear() noexcept { frames_.clear(); }

    [[nodiscard]] const std::deque<Frame>& frames() const noexcept { return frames_; }
    /// The time that this share of the frames did not exceed; 0 without a frame.
    [[nodiscard]] float quantile(Part part, float share) const;
    /// Where the plot ends: a round number above nearly all frames, and above the 60 Hz line. A
    /// single slow frame does not flatten all others.
    [[nodiscard]] float top() const;

private:
    std::deque<Frame> frames_;
    std::array<std::size_t, kParts> told_{};
};

/// The least of 1, 2, 2.5 and 5 times a power of ten that is not below the value.
[[nodiscard]] float round_up(float value) noexcept;

} // namespace throng::demo
