// How much other programs disturb a measurement.
#pragma once

#include <chrono>

namespace throng::bench {

/// Watches from its construction on.
class Disturbance {
public:
    Disturbance() noexcept;

    /// The fraction of all processors' time that other programs had, or other guests of a virtual
    /// machine's host; 0 if the system does not tell.
    [[nodiscard]] double share() const noexcept;

    /// Prints that fraction on standard output, if the system tells.
    void print() const;

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point start_;
    double busy_, own_; ///< processor seconds at construction
};

} // namespace throng::bench
