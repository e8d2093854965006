// What a rank knows of the bricks. Internal to distributed/.
#pragma once

#include "../../engine/agents/box.hpp"
#include "../../engine/agents/grid_shape.hpp"
#include "../../engine/agents/world_wrap.hpp"
#include "../../engine/core/id.hpp"
#include "../../engine/memory/vector.hpp"
#include "../cuts.hpp"
#include "../ranks.hpp"
#include "reach.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// The agents of this rank that go to rank `to`, as movers or as ghosts, by local id.
template <std::size_t Dim>
struct Outgoing {
    std::uint32_t to = 0;
    Vector<Id> movers, ghosts;
    /// More ghosts, which stand beyond a border of a periodic world, and their places there.
    Vector<Id> moved;
    Vector<Point<Dim>> places;
    Vector<std::byte> bytes;
    std::span<const std::byte> parcel;
};

/// One rank's view of the cuts.
template <std::size_t Dim>
struct Layout {
    /// A layout without bricks.
    Layout() = default;
    /// `around` is the number of cells within reach on each axis, plus one. Throws std::bad_alloc.
    Layout(Cuts<Dim> all, const GridShape<Dim>& whole, const WorldWrap<Dim>& world, float reach,
           const std::array<std::uint32_t, Dim>& around, std::uint32_t rank);

    Cuts<Dim> cuts{};
    Brick<Dim> brick{};
    Brick<Dim> window{};                   ///< the brick and the cells around it
    std::vector<std::uint32_t> neighbours; ///< ranks with cells within reach
    /// `own_places`: places in the brick from which no ranks except neighbours are within reach.
    /// `inner_places`: places in the brick from which no other rank is within reach. From neither
    /// is a border of a periodic world within reach.
    Box<Dim> own_places{}, inner_places{};
    std::vector<FourBoxes<Dim>>
        near_places; ///< for each neighbour, the places from which its brick is in reach

    // Kept from one update to the next.
    std::vector<Outgoing<Dim>> outgoing; ///< to each neighbour
    std::vector<Parcel> parcels;         ///< the parcels of `outgoing`

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept;
};

extern template struct Layout<2>;
extern template struct Layout<3>;

} // namespace throng
