// One change of one agent, as an element of a list of edits.
#pragma once

#include "../core/id.hpp"
#include "agents.hpp"
#include "point.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// One agent comes, goes or moves, as with insert(), erase() and move() of an index. A list of
/// edits is applied as a whole, or not at all.
template <std::size_t Dim>
struct Edit {
    /// What the edit does.
    enum class Kind : std::uint8_t { insert, erase, move };

    Kind kind = Kind::erase;
    Id id = kNoId;
    Agent<Dim> agent{}; ///< a move uses only its position, an erasure nothing

    [[nodiscard]] static constexpr Edit insert(Id id, const Agent<Dim>& agent) noexcept {
        return {Kind::insert, id, agent};
    }
    [[nodiscard]] static constexpr Edit erase(Id id) noexcept { return {Kind::erase, id, {}}; }
    /// Keeps the agent's extent and mask.
    [[nodiscard]] static constexpr Edit move(Id id, const Point<Dim>& position) noexcept {
        return {Kind::move, id, {position, {}, {}}};
    }
    // Deleted because a wider number would be cut to 32 bits in silence.
    static Edit insert(WiderThanId auto, const Agent<Dim>&) = delete;
    static Edit erase(WiderThanId auto) = delete;
    static Edit move(WiderThanId auto, const Point<Dim>&) = delete;
};

} // namespace throng
