// How far a run is, as a bar.
#pragma once

#include "options.hpp"

#include <chrono>
#include <cstddef>

namespace throng::demo {

/// A line that is written over on a terminal, and a few lines elsewhere. Who interrupts the program
/// ends the run, and finds what there is by then written as ever.
class Progress {
public:
    explicit Progress(const Options& options);

    /// After each frame. Returns whether there is to be another.
    bool goes_on(std::size_t frames);
    void finish() const;

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
