// A workload whose right answer is known, and the times of teams for it.
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
    bool right = true; ///< the answer is that of one thread
    std::chrono::steady_clock::time_point begin{}, end{};
};

class Trial {
public:
    /// Asks on one thread to learn the right answers, and checks a sample of them.
    explicit Trial(std::unique_ptr<Workload> workload);

    /// Times enough calls that one thread takes long enough for the clock, and compares the last
    /// answer. Without a team the index is asked directly.
    [[nodiscard]] Run run(Team* team);

    [[nodiscard]] std::size_t agents() const noexcept { return workload_->agents(); }

    /// Makes as many calls in a run as another trial does.
    void call_as_often_as(const Trial& other) noexcept { calls_ = other.calls_; }

private:
    void ask(Team* team);

    std::unique_ptr<Workload> workload_;
    std::array<std::optional<std::uint64_t>, 2> right_answers_; // by phase
    bool sample_is_right_ = true;
    std::size_t calls_ = 1;
};

/// All the measurements of one contender.
struct Runs {
    std::vector<double> ns_per_agent;
    bool right = true;
};

/// A team, or none, that is to be compared with others.
struct Contender {
    Trial* trial;
    Team* team;
};

/// The number of rounds: `runs`, or kFewestRuns if they take longer than `seconds`.
struct Budget {
    std::size_t runs;
    double seconds;
};

/// Measures all by turns, in another order each round, so that a disturbance of the machine slows
/// all of them.
[[nodiscard]] std::vector<Runs> take_turns(std::span<const Contender> contenders,
                                           const Budget& budget);

} // namespace throng::bench
