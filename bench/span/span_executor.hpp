// Runs blocks one after another, and notes how long each takes.
#pragma once

#include "profile.hpp"

#include "../measure/statistics.hpp"

#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/function_ref.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace throng::bench {

/// Seconds since some moment.
struct SteadySeconds {
    [[nodiscard]] double operator()() const noexcept {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
};

/// The time that passes between two readings of a clock that follow each other.
template <class Clock>
[[nodiscard]] double clock_cost(const Clock& clock) {
    std::vector<double> costs;
    for (double before = clock(); costs.size() < 1001;) {
        const double now = clock();
        costs.push_back(now - before);
        before = now;
    }
    return median(std::move(costs));
}

/// Claims to have `threads` threads, so that work is cut as for that number, but runs all blocks on
/// the calling thread, in their order.
template <class Clock = SteadySeconds>
class SpanExecutor final : public Executor {
public:
    /// `reading` is the clock's cost, which is taken off each time.
    SpanExecutor(std::size_t threads, double reading, Clock clock = {})
        : threads_(threads), reading_(reading), clock_(std::move(clock)) {}

    /// Makes call(*this). What passes outside of its loops is the profile's serial part.
    [[nodiscard]] Profile profile(FunctionRef<void(Executor&)> call) {
        double in_loops = 0.0;
        in_loops_ = &in_loops;
        const double begin = clock_();
        call(*this);
        const double whole = clock_() - begin;
        in_loops_ = nullptr;
        // There is a stretch between readings before each loop, and one behind the last.
        const auto stretches = static_cast<double>(profile_.loops.size() + 1);
        profile_.serial = std::max(0.0, whole - in_loops - stretches * reading_);
        return std::exchange(profile_, {});
    }

    void run(std::size_t blocks, Body body) override {
        run_on(std::numeric_limits<std::size_t>::max(), blocks, body);
    }

    void run_on(std::size_t most, std::size_t blocks, Body body) override {
        if (in_loops_ == nullptr) { // a loop within a block is a part of that block
            for (std::size_t b = 0; b < blocks; ++b) {
                body(b);
            }
            return;
        }
        if (blocks == 0) { return; }
        double* const in_loops = std::exchange(in_loops_, nullptr);
        const double begin = clock_();
        std::vector<double> times;
        times.reserve(blocks);
        double before = clock_();
        for (std::size_t b = 0; b < blocks; ++b) {
            body(b);
            const double now = clock_();
            times.push_back(std::max(0.0, now - before - reading_));
            before = now;
        }
        profile_.loops.push_back(std::move(times));
        profile_.most_threads.push_back(most);
        *in_loops += clock_() - begin;
        in_loops_ = in_loops;
    }

    [[nodiscard]] std::size_t threads() const noexcept override { return threads_; }

private:
    std::size_t threads_;
    double reading_;
    Clock clock_;
    Profile profile_;
    double* in_loops_ = nullptr; ///< null outside of profile(), and inside of a block
};

} // namespace throng::bench
