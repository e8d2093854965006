// Cuts a crowd into blocks of agents that are neighbours in the arrays. Internal to the engine.
#pragma once

#include "../core/executor.hpp"
#include "../memory/checked_loop.hpp"
#include "agents.hpp"

#include <algorithm>
#include <cstddef>

namespace throng {

/// Blocks of agents for a loop of a certain cost: one block if the loop is worth one thread only.
struct AgentBlocks {
    std::size_t agents, length;

    AgentBlocks(std::size_t count, const Executor& executor, LoopCost cost) noexcept
        : agents(count), length(std::max<std::size_t>(count, 1)) {
        constexpr std::size_t kShortest = 1024, kLongest = 16384, kBlocksOfThread = 4;
        const std::size_t threads = std::min(cost.threads(executor), count);
        if (threads > 1) {
            length = std::clamp(count / (kBlocksOfThread * threads), kShortest, kLongest);
        }
    }

    [[nodiscard]] std::size_t count() const noexcept { return (agents + length - 1) / length; }
    [[nodiscard]] std::size_t begin(std::size_t block) const noexcept { return block * length; }
    [[nodiscard]] std::size_t end(std::size_t block) const noexcept {
        return std::min((block + 1) * length, agents);
    }
};

/// check_agents() on the executor's threads, with the same status. Also returns the statuses and
/// throws the exceptions of run_blocks().
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_agents(const Agents<Dim>& agents, Executor& executor,
                                             LoopClaims& claims);

} // namespace throng
