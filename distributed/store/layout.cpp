#include "layout.hpp"

#include <algorithm>
#include <utility>

namespace throng {

namespace {

/// `cells` grown by `by` cells on every side, within the whole grid.
template <std::size_t Dim>
Brick<Dim> grown(const Brick<Dim>& cells, const std::array<std::uint32_t, Dim>& by,
                 const Brick<Dim>& whole) noexcept {
    Brick<Dim> grown;
    for (std::size_t a = 0; a < Dim; ++a) {
        const std::uint32_t past = cells.first[a] + cells.cells[a];
        grown.first[a] = cells.first[a] - std::min(cells.first[a], by[a]);
        grown.cells[a] = past + std::min(whole.cells[a] - past, by[a]) - grown.first[a];
    }
    return grown;
}

} // namespace

template <std::size_t Dim>
Layout<Dim>::Layout(Cuts<Dim> all, const GridShape<Dim>& whole, float reach,
                    const std::array<std::uint32_t, Dim>& around, std::uint32_t rank)
    : cuts(std::move(all)), brick(cuts.brick_of(rank)) {
    window.cells.fill(1); // for a rank without cells
    if (!brick.empty()) {
        window = grown(brick, around, cuts.whole());
        cuts.for_each_owner(window, [&](std::uint32_t other) {
            if (other == rank) { return; }
            neighbours.push_back(other);
            add_box(near_places, outgoing.size(),
                    places(Around::in_reach, whole, cuts.brick_of(other), reach));
            outgoing.emplace_back().to = other;
        });
    }
    own_places = places(Around::owned, whole, brick, reach);
    inner_places = places(Around::inner, whole, brick, reach);
    // In a world of very many cells the margin of reach_at() may be wider than the window's margin.
    const Box<Dim> known = places(Around::inner, whole, window, reach);
    if (!holds(known, own_places.lo) || !holds(known, own_places.hi)) { own_places = inner_places; }
    parcels.reserve(neighbours.size());
}

template <std::size_t Dim>
std::size_t Layout<Dim>::memory() const noexcept {
    std::size_t bytes = cuts.memory() + near_places.capacity() * sizeof(FourBoxes<Dim>);
    for (const Outgoing& out : outgoing) {
        bytes += sizeof out + sizeof(Parcel) + sizeof(std::uint32_t) + out.bytes.capacity() +
                 (out.movers.capacity() + out.ghosts.capacity()) * sizeof(Id);
    }
    return bytes;
}

template struct Layout<2>;
template struct Layout<3>;

} // namespace throng
