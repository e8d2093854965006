// A workload with its right answers, and the times of teams for it.
#pragma once

#include "../machine/team.hpp"
#include "../workloads/workload.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace throng::bench {

/// One measurement.
struct Run {
    double ns_per_agent = 0.0;
    bool right = true; ///< equal to the answer on one thread
    std::chrono::steady_clock::time_point begin{}, end{};
};

class Trial {
public:
    /// Asks on one thread for the right answers, and checks a sample of them. A run takes about
    /// so many seconds, and makes at most a thousand calls.
    Trial(std::unique_ptr<Workload> workload, double shortest_run);

    /// Makes as many calls as one thread needs for that, and checks the last answer.
    /// Without a team, asks the index directly.
    [[nodiscard]] Run run(Team* team);

    [[nodiscard]] std::size_t agents() const noexcept { return workload_->agents(); }

    /// Makes as many calls in each run as another trial.
    void call_as_often_as(const Trial& other) noexcept { calls_ = other.calls_; }

private:
    void ask(Team* team);

    std::unique_ptr<Workload> workload_;
    std::array<std::optional<std::uint64_t>, 2> right_answers_; // by phase
    bool sample_is_right_ = true;
    std::size_t calls_ = 1;
};

/// All measurements of one contender.
struct Runs {
    std::vector<double> ns_per_agent;
    bool right = true;
};

/// A team to compare with others; null for direct calls.
struct Contender {
    Trial* trial;
    Team* team;
};

/// The number of rounds: `runs`, but only kFewestRuns if they take longer than `seconds`.
struct Budget {
    std::size_t runs;
    double seconds;
};

/// Measures all contenders alternately, in another order each round, so that a disturbance of the
/// machine slows all of them.
[[nodiscard]] std::vector<Runs> take_turns(std::span<const Contender> contenders,
                                           const Budget& budget);

} // namespace throng::bench
