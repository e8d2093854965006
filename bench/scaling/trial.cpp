#include "trial.hpp"

#include "options.hpp"

#include "../../tests/support/random.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace throng::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

Trial::Trial(std::unique_ptr<Workload> workload, double shortest_run)
    : workload_(std::move(workload)) {
    constexpr double kMostCalls = 1000.0;
    double seconds = 0.0;
    // Two calls: arrays grow during the first, and there may be two phases.
    for (std::size_t i = 0; i < 2; ++i) {
        const Clock::time_point start = Clock::now();
        workload_->ask(serial_executor());
        seconds = seconds_since(start);
        const std::uint64_t answer = workload_->fingerprint();
        std::optional<std::uint64_t>& right = right_answers_[workload_->phase()];
        sample_is_right_ =
            sample_is_right_ && right.value_or(answer) == answer && workload_->is_right();
        right = answer;
    }
    calls_ = static_cast<std::size_t>(
        std::clamp(shortest_run / std::max(seconds, 1e-9), 1.0, kMostCalls));
}

void Trial::ask(Team* team) {
    if (team == nullptr) {
        workload_->ask_directly();
    } else {
        team->call([&](Executor& executor) { workload_->ask(executor); });
    }
}

Run Trial::run(Team* team) {
    workload_->forget();
    // A short call finds caches as the previous call left them; this makes it so for the first,
    // too.
    if (calls_ > 1) { ask(team); }
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < calls_; ++i) {
        ask(team);
    }
    const Clock::time_point end = Clock::now();
    const double seconds = std::chrono::duration<double>(end - start).count();
    const double asked = static_cast<double>(calls_) * static_cast<double>(agents());
    return {seconds * 1e9 / asked,
            sample_is_right_ && workload_->fingerprint() == right_answers_[workload_->phase()],
            start, end};
}

std::vector<Runs> take_turns(std::span<const Contender> contenders, const Budget& budget) {
    std::vector<Runs> all(contenders.size());
    const auto take_turn = [&](std::size_t c, bool counts) {
        const Run run = contenders[c].trial->run(contenders[c].team);
        all[c].right = all[c].right && run.right;
        if (counts) { all[c].ns_per_agent.push_back(run.ns_per_agent); }
    };
    // One call is not counted: scratch grows with more threads, and threads start late.
    for (std::size_t c = 0; c < contenders.size(); ++c) {
        take_turn(c, false);
    }
    std::vector<std::size_t> order(contenders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    scenes::Random random(37);
    const Clock::time_point start = Clock::now();
    for (std::size_t round = 0; round < budget.runs; ++round) {
        if (round >= kFewestRuns && seconds_since(start) > budget.seconds) { break; }
        for (std::size_t i = order.size(); i > 1; --i) {
            std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
        }
        for (const std::size_t c : order) {
            take_turn(c, true);
        }
    }
    return all;
}

} // namespace throng::bench
