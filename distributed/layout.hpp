// What a rank has to know of the bricks. Internal to distributed/.
#pragma once

#include "../engine/agents/box.hpp"
#include "../engine/agents/grid_shape.hpp"
#include "../engine/core/id.hpp"
#include "../engine/memory/vector.hpp"
#include "cuts.hpp"
#include "ranks.hpp"
#include "reach.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// The agents of this rank that go to another one: as movers or as ghosts, by local id.
struct Outgoing {
    std::uint32_t to = 0;
    Vector<Id> movers, ghosts;
    Vector<std::byte> bytes;
    std::span<const std::byte> parcel;
};

/// What follows from the cuts for one rank.
template <std::size_t Dim>
struct Layout {
    /// No bricks.
    Layout() = default;
    /// `around` is how many cells on each axis are within reach, and one more. Throws
    /// std::bad_alloc.
    Layout(Cuts<Dim> all, const GridShape<Dim>& whole, float reach,
           const std::array<std::uint32_t, Dim>& around, std::uint32_t rank);

    Cuts<Dim> cuts{};
    Brick<Dim> brick{};
    Brick<Dim> window{};                   ///< the brick and what is around it
    std::vector<std::uint32_t> neighbours; ///< ranks with cells that are within reach
    /// The places that this rank owns, if what they reach is its neighbours'; and those of them
    /// that reach no other rank.
    Box<Dim> own_places{}, inner_places{};
    std::vector<FourBoxes<Dim>>
        near_places; ///< from which the brick of each neighbour is within reach

    // Kept from one update to the next.
    std::vector<Outgoing> outgoing; ///< to each neighbour
    std::vector<Parcel> parcels;    ///< of these

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept;
};

extern template struct Layout<2>;
extern template struct Layout<3>;

} // namespace throng
