// Common to all benchmarks here: manual timing, so that checks of answers are not timed; and equal
// counters, so that all results fit into one table.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace throng::bench {

/// Adds up the times of the measured parts.
class Stopwatch {
public:
    template <class Call>
    void time(const Call& call) {
        const auto start = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        iteration_ += passed.count();
    }

    void end_iteration(benchmark::State& state) {
        state.SetIterationTime(iteration_);
        end_iteration();
    }

    /// For times that are not reported as the iteration's time.
    void end_iteration() {
        total_ += iteration_;
        ++iterations_;
        iteration_ = 0.0;
    }

    /// The time of the current iteration so far.
    [[nodiscard]] double running_nanoseconds() const noexcept { return iteration_ * 1e9; }

    /// The average time of all iterations that have ended.
    [[nodiscard]] double nanoseconds() const noexcept {
        return iterations_ == 0 ? 0.0 : total_ * 1e9 / static_cast<double>(iterations_);
    }

private:
    double iteration_ = 0.0, total_ = 0.0;
    std::size_t iterations_ = 0;
};

/// The work of one iteration: the agents that asked or were changed, and the hits; zero for other
/// kinds of work. `bytes` is the memory of the index for the whole crowd, and of Batch if it is
/// used.
struct Work {
    std::size_t agents;
    std::uint64_t hits;
    std::size_t bytes, crowd;
};

inline void report(benchmark::State& state, const Stopwatch& watch, const Work& work) {
    const auto agents = static_cast<double>(work.agents);
    const auto hits = static_cast<double>(work.hits);
    state.counters["ns_per_agent"] = watch.nanoseconds() / agents;
    state.counters["ns_per_hit"] = work.hits == 0 ? 0.0 : watch.nanoseconds() / hits;
    state.counters["hits_per_agent"] = hits / agents;
    state.counters["bytes_per_agent"] =
        static_cast<double>(work.bytes) / static_cast<double>(work.crowd);
}

} // namespace throng::bench
