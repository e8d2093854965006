// An executor that runs blocks one after another, and times each.
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

/// A clock: seconds since some moment.
struct SteadySeconds {
    [[nodiscard]] double operator()() const noexcept {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
};

/// The time between two consecutive readings of a clock.
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

/// Claims to have `threads` threads, so that work is divided for that number, but runs all blocks
/// on the calling thread, in order.
template <class Clock = SteadySeconds>
class SpanExecutor final : public Executor {
public:
    /// `reading` is the cost of a clock reading, which is subtracted from each time.
    SpanExecutor(std::size_t threads, double reading, Clock clock = {})
        : threads_(threads), reading_(reading), clock_(std::move(clock)) {}

    /// Makes call(*this). Time outside its loops is the profile's serial part.
    [[nodiscard]] Profile profile(FunctionRef<void(Executor&)> call) {
        double in_loops = 0.0;
        in_loops_ = &in_loops;
        const double begin = clock_();
        call(*this);
        const double whole = clock_() - begin;
        in_loops_ = nullptr;
        // A clock reading is part of the time before each loop, and of the time after the last one.
        const auto stretches = static_cast<double>(profile_.loops.size() + 1);
        profile_.serial = std::max(0.0, whole - in_loops - stretches * reading_);
        return std::exchange(profile_, {});
    }

    void run(std::size_t blocks, Body body) override {
        run_on(std::numeric_limits<std::size_t>::max(), blocks, body);
    }

    void run_on(std::size_t most, std::size_t blocks, Body body) override {
        if (in_loops_ == nullptr) { // a loop inside a block is part of that block
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
    double* in_loops_ = nullptr; ///< null outside profile() and inside a block
};

} // namespace throng::bench
