// The times of the last frames, for the plot.
#pragma once

#include "../stage/frame_times.hpp"

#include <array>
#include <cstddef>
#include <deque>

namespace throng::demo {

inline constexpr float kSixtyHertz = 1000.0f / 60.0f; ///< milliseconds

class RecentTimes {
public:
    static constexpr std::size_t kMost = 240;

    struct Frame {
        std::array<float, kParts> part; ///< milliseconds
        bool begins; ///< the first frame of another structure, or of other agents
    };

    /// Takes the frames added since the last call.
    void follow(const FrameTimes& times);
    /// Lets the next frame begin a new series.
    void begin_anew() noexcept { begins_ = true; }

    [[nodiscard]] const std::deque<Frame>& frames() const noexcept { return frames_; }
    /// The time that this fraction of the frames since the last beginning does not exceed; 0
    /// without frames.
    [[nodiscard]] float quantile(Part part, float share) const;
    /// The top of the plot: a round number above nearly all frames, and above the 60 Hz line unless
    /// the frames would look flat then. A single slow frame does not count.
    [[nodiscard]] float top() const;

private:
    std::deque<Frame> frames_;
    std::array<std::size_t, kParts> told_{};
    bool begins_ = false;
};

/// The least of 1, 2, 2.5 and 5 times a power of ten that is not below the value.
[[nodiscard]] float round_up(float value) noexcept;

} // namespace throng::demo
