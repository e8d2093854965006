// How far a run is, as a bar.
#pragma once

#include "options.hpp"

#include <chrono>
#include <cstddef>

namespace throng::demo {

/// A line that is written over on a terminal, and a few lines elsewhere. A run that is interrupted
/// ends early, and what there is by then is written as ever: see catch_signals().
class Progress {
public:
    explicit Progress(const Options& options);
    /// Ends the line, so that whatever is said next begins on one of its own.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// After each frame. Returns whether there is to be another.
    bool goes_on(std::size_t frames);
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    void show(std::size_t frames, double seconds, double share);

    const Options& options_;
    Clock::time_point begin_ = Clock::now();
    bool terminal_, drawn_ = false;
    double next_ = 0.0;           // when, or at which share, the line is due
    std::size_t frames_then_ = 0; // when the line was written last,
    double seconds_then_ = 0.0;   // for the frames a second since
};

} // namespace throng::demo
