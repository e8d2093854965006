// Measures seconds, and the time that a rank spends in its calls of the seam.
#pragma once

#include "../../tests/support/watched_ranks.hpp"

#include <chrono>

namespace throng::bench {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A rank that times its calls.
class Timed final : public test::WatchedRanks {
public:
    using WatchedRanks::WatchedRanks;
    double seconds = 0.0;

private:
    Status around(FunctionRef<Status()> call) override {
        const auto start = Clock::now();
        const Status status = call();
        seconds += seconds_since(start);
        return status;
    }
};

} // namespace throng::bench
