// New bricks for a crowd that has moved. Internal to distributed/.
#pragma once

#include "../bisection.hpp"
#include "state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace throng {

/// Weighs the agents of this rank and tells the others. If the largest work is too much, cuts
/// bricks anew, level by level: each level adds up the loads of all ranks in each line of cells. No
/// agent moves for that.
///
/// From the first agreement on, a rank takes part in every step, whatever goes wrong here, and
/// refuses in the last agreement.
template <std::size_t Dim>
class Balance {
public:
    using State = typename DistributedGrid<Dim>::State;

    /// Work of an agent without neighbours, if each neighbour adds 1: measured in the plane and in
    /// space, docs/distributed.md.
    static constexpr std::uint64_t kWorkOfAgent = 36;
    /// Sending agents to new owners takes as long as a few steps. So bricks stay unless new ones
    /// lower the largest work of a rank by at least this fraction.
    static constexpr double kLeastGain = 0.05;

    /// `work` has an element for each owned agent, or is empty.
    Balance(State& state, std::span<const std::uint32_t> work, Executor& executor) noexcept
        : state_(state), given_(work), executor_(executor) {}

    /// Cuts only if the largest work of a rank exceeds `imbalance` times the mean.
    Status run(double imbalance);

private:
    using Load = typename Bisection<Dim>::Load;

    /// The agents of a cell, or of a part of a cell.
    struct Cell {
        std::array<std::uint32_t, Dim> at{};
        std::uint32_t part = 0; ///< number of its part in the level, or Bisection::kNone
        Load load;
    };

    [[nodiscard]] Status weigh();
    [[nodiscard]] Status count_neighbours();
    Status add_up();
    [[nodiscard]] std::uint64_t most_agents() const noexcept;
    [[nodiscard]] std::uint64_t more_for_limit() const noexcept;
    Status cut(std::uint64_t most, std::uint64_t more);
    Status cut_all();
    void fill(const Bisection<Dim>& bisection);
    void descend(std::span<const typename Bisection<Dim>::Part> parts);

    State& state_;
    const std::span<const std::uint32_t> given_;
    Executor& executor_;
    std::vector<Cell> cells_;
    std::vector<std::uint64_t> words_;
    Load all_;
    std::uint64_t largest_ = 0; ///< work of the rank with most
    Load fullest_;              ///< load of the rank with most agents, after cut()
    std::unique_ptr<Layout<Dim>> layout_;
};

} // namespace throng
