// Answers for all agents, compared with a look at every agent.
#pragma once

#include "../crowd.hpp"

#include <throng/engine/agents/found.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::bench {

/// Whether agents are among their own neighbours.
enum class Self : std::uint8_t { found, left_out };

/// Checks the answers to `samples` of the askers, from all over the crowd; the k-th answer is for
/// the ball around askers[k].
template <std::size_t Dim>
[[nodiscard]] bool balls_are_right(const Crowd<Ball, Dim>& crowd, std::span<const Id> askers,
                                   const Hits& hits, std::size_t samples, Self self);

/// Checks all pairs of `samples` agents from all over the crowd.
template <std::size_t Dim>
[[nodiscard]] bool pairs_are_right(const Crowd<Box, Dim>& crowd, const Pairs& pairs,
                                   std::size_t samples);

} // namespace throng::bench
