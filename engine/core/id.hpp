// How agents are named.
#pragma once

#include <concepts>
#include <cstdint>

namespace throng {

/// An agent's name: its index in the arrays given to update(), or any free number given to
/// insert().
using Id = std::uint32_t;

/// Numbers that may lose digits as an Id: wider integers, such as std::size_t, floating-point
/// numbers, and types that convert to these. Calls that take an Id have a deleted overload for
/// them: otherwise the low half of a 64-bit number would name some other agent. static_cast<Id>()
/// says that the number fits.
template <class Number>
concept WiderThanId = std::convertible_to<Number, Id> && requires(Number number) {
    requires sizeof(+number) > sizeof(Id) || std::floating_point<decltype(+number)>;
};

/// No agent has this name.
inline constexpr Id kNoId = 0xFFFF'FFFFu;

/// The most agents that one index holds; ids are smaller than this.
inline constexpr std::uint64_t kMaxAgents = (std::uint64_t{1} << 32) - 64;

/// The group mask for all agents: masks are not tested, so agents of no group are found too.
inline constexpr std::uint32_t kAllGroups = 0xFFFF'FFFFu;

} // namespace throng
