// How agents are named.
#pragma once

#include <cstdint>

namespace throng {

/// An agent's name: its index in the arrays given to update(), or any free number given to
/// insert().
using Id = std::uint32_t;

/// No agent has this name.
inline constexpr Id kNoId = 0xFFFF'FFFFu;

/// The most agents that one index holds; ids are smaller than this.
inline constexpr std::uint64_t kMaxAgents = (std::uint64_t{1} << 32) - 64;

/// The group mask for all agents: no test is made, so agents of no group are found too.
inline constexpr std::uint32_t kAllGroups = 0xFFFF'FFFFu;

} // namespace throng
