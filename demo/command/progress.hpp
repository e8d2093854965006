// The progress of a run, as a bar.
#pragma once

#include "options.hpp"

#include <chrono>
#include <cstddef>

namespace throng::demo {

/// One line, rewritten, on a terminal; a few lines elsewhere. An interrupted run ends early, and
/// its results so far are written as usual: see catch_signals().
class Progress {
public:
    explicit Progress(const Options& options);
    /// Ends the line, so that the next output begins on a new one.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Must be called after each frame. Returns whether another frame follows.
    bool goes_on(std::size_t frames);
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    void show(std::size_t frames, double seconds, double share);

    const Options& options_;
    Clock::time_point begin_ = Clock::now();
    bool terminal_, drawn_ = false;
    double next_ = 0.0;           // time, or part of the run, at which the line is due
    std::size_t frames_then_ = 0; // frames at the last line,
    double seconds_then_ = 0.0;   // and seconds then, to compute frames per second
};

} // namespace throng::demo
