// Names of agents that come and go: a name that was used before is not mistaken for a new one.
#pragma once

#include "../core/id.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace throng {

/// Names an agent for as long as it lives. Its slot serves as Id in any index; the next agent in
/// the same slot has another generation. A Handle{} is null: no table gives it out.
struct Handle {
    Id slot = kNoId;
    std::uint32_t generation = 0; ///< from 1 on
    std::uint32_t owner = 0;      ///< the number of the table, from 1 on

    [[nodiscard]] constexpr bool is_null() const noexcept { return owner == 0; }
    friend constexpr auto operator<=>(const Handle&, const Handle&) noexcept = default;
};

/// The most slots that a table can have: ids from this number on are free for agents and statics
/// that are never removed.
inline constexpr std::uint32_t kMaxHandleSlots = (std::uint32_t{1} << 31) - 64;

} // namespace throng

template <>
struct std::hash<throng::Handle> {
    [[nodiscard]] std::size_t operator()(const throng::Handle& handle) const noexcept {
        // An odd factor spreads the generation, and maps no two handles of a table to one number.
        const std::uint64_t name = std::uint64_t{handle.generation} << 32 | handle.slot;
        const std::uint64_t mixed = (name ^ handle.owner) * 0x9E37'79B9'7F4A'7C15u;
        return static_cast<std::size_t>(mixed ^ mixed >> 32);
    }
};
