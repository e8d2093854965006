// Checks answers for all agents by a test of every agent.
#pragma once

#include "../crowd.hpp"

#include <throng/engine/agents/found.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::bench {

/// Whether agents are among their own neighbours.
enum class Self : std::uint8_t { found, left_out };

/// Checks the answers to `samples` of the askers, spread over the crowd. The k-th answer is for the
/// ball around askers[k].
template <std::size_t Dim>
[[nodiscard]] bool balls_are_right(const Crowd<Ball, Dim>& crowd, std::span<const Id> askers,
                                   const Hits& hits, std::size_t samples, Self self);

/// Checks all pairs of `samples` agents, spread over the crowd.
template <std::size_t Dim>
[[nodiscard]] bool pairs_are_right(const Crowd<Box, Dim>& crowd, const Pairs& pairs,
                                   std::size_t samples);

} // namespace throng::bench
