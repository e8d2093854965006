// How agents are named.
#pragma once

#include <concepts>
#include <cstdint>

namespace throng {

/// An agent's name: its index in the arrays given to update(), or any free number given to
/// insert().
using Id = std::uint32_t;

/// Numbers of which an Id would keep a part: integers that are wider, such as std::size_t, numbers
/// with a fraction, and what turns into such. Whatever takes an Id refuses to compile with these,
/// by an overload that is deleted: else the low half of a number of 64 bits would name some other
/// agent. static_cast<Id>() says that it fits.
template <class Number>
concept WiderThanId = std::convertible_to<Number, Id> && requires(Number number) {
    requires sizeof(+number) > sizeof(Id) || std::floating_point<decltype(+number)>;
};

/// No agent has this name.
inline constexpr Id kNoId = 0xFFFF'FFFFu;

/// The most agents that one index holds; ids are smaller than this.
inline constexpr std::uint64_t kMaxAgents = (std::uint64_t{1} << 32) - 64;

/// The group mask for all agents: no test is made, so agents of no group are found too.
inline constexpr std::uint32_t kAllGroups = 0xFFFF'FFFFu;

} // namespace throng
