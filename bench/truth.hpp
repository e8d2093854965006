// Answers about everyone, compared with what looking at every agent finds.
#pragma once

#include "crowd.hpp"

#include <throng/engine/agents/found.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::bench {

/// Whether agents are among their own neighbours.
enum class Self : std::uint8_t { found, left_out };

/// Looks at the answers to `samples` of the askers, from all over; the k-th answer is that of
/// askers[k], to the ball around it.
template <std::size_t Dim>
[[nodiscard]] bool balls_are_right(const Crowd<Ball, Dim>& crowd, std::span<const Id> askers,
                                   const Hits& hits, std::size_t samples, Self self);

/// Looks at all pairs of `samples` agents from all over.
template <std::size_t Dim>
[[nodiscard]] bool pairs_are_right(const Crowd<Box, Dim>& crowd, const Pairs& pairs,
                                   std::size_t samples);

} // namespace throng::bench
