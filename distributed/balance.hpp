// New bricks for a crowd that has moved. Internal to distributed/.
#pragma once

#include "bisection.hpp"
#include "state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace throng {

/// Finds what the agents of this rank are to be weighed with; tells the others; and if the work of
/// the largest is too much, cuts bricks anew, a level at a time: each adds up what all ranks have
/// in each line of cells. No agent moves for that.
///
/// From the first agreement on a rank takes part in all that follows, whatever goes wrong here, and
/// refuses in the last one.
template <std::size_t Dim>
class Balance {
public:
    using State = typename DistributedGrid<Dim>::State;

    /// What an agent takes that has no neighbours, if one neighbour takes 1: measured in the plane
    /// and in space, docs/distributed.md.
    static constexpr std::uint64_t kWorkOfAgent = 36;
    /// To send agents to new owners takes as long as a few steps. So bricks stay where new ones
    /// would take less than this off the work of the largest.
    static constexpr double kLeastGain = 0.05;

    /// `work` is that of each owned agent, or empty.
    Balance(State& state, std::span<const std::uint32_t> work, Executor& executor) noexcept
        : state_(state), given_(work), executor_(executor) {}

    /// Cuts only where the largest work is more than so many times the mean.
    Status run(double imbalance);

private:
    using Load = typename Bisection<Dim>::Load;

    /// The agents of a cell, or of a part of one.
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
    std::uint64_t largest_ = 0; ///< work of a rank
    Load fullest_;              ///< that of the rank with most agents, after cut()
    std::unique_ptr<Layout<Dim>> layout_;
};

} // namespace throng
