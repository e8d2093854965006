// What else ran on the machine while something was measured.
#pragma once

#include <chrono>

namespace throng::bench {

/// Watches from when it is made.
class Disturbance {
public:
    Disturbance() noexcept;

    /// Which share of all processors' time other programs have had, or the machine's host has taken
    /// for others. Where the system does not tell, 0.
    [[nodiscard]] double share() const noexcept;

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point start_;
    double busy_, own_; ///< seconds of processors, when it was made
};

} // namespace throng::bench
