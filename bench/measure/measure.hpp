// Common to all benchmarks here: manual timing, so that answers are checked outside of the time,
// and the same counters, so that all fit one table.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace throng::bench {

/// Adds up the times of the parts that count.
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

    /// For times that are only compared with that of the iteration.
    void end_iteration() {
        total_ += iteration_;
        ++iterations_;
        iteration_ = 0.0;
    }

    /// The time of the current iteration so far.
    [[nodiscard]] double running_nanoseconds() const noexcept { return iteration_ * 1e9; }

    /// The average time of the iterations that have ended.
    [[nodiscard]] double nanoseconds() const noexcept {
        return iterations_ == 0 ? 0.0 : total_ * 1e9 / static_cast<double>(iterations_);
    }

private:
    double iteration_ = 0.0, total_ = 0.0;
    std::size_t iterations_ = 0;
};

/// One iteration's work: the agents that asked, were edited or were taken in, and the hits; zero
/// for other kinds of work. `bytes` is the memory of the index for the whole crowd, and of Batch if
/// that is used.
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
