#include "layout.hpp"

#include <algorithm>
#include <cstdint>
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

/// The cells around a brick that is moved by whole worlds, as far as they are in the world. `side`
/// has a digit for each axis: 0 to stay, 1 to go up, 2 to go down. No cells on an axis that is not
/// periodic. If a brick is around a moved other, then that is around it, moved the other way.
template <std::size_t Dim>
Brick<Dim> beyond(const Brick<Dim>& brick, const std::array<std::uint32_t, Dim>& by,
                  const Brick<Dim>& whole, const WorldWrap<Dim>& world, std::size_t side) noexcept {
    Brick<Dim> there = grown(brick, by, whole);
    for (std::size_t a = 0; a < Dim; ++a, side /= 3) {
        if (side % 3 == 0) { continue; }
        const auto cells = std::int64_t{whole.cells[a]};
        const std::int64_t moved = brick.first[a] + (side % 3 == 1 ? cells : -cells);
        // One cell more, since the last cell of the world may be a part of one.
        const std::int64_t wide = std::int64_t{by[a]} + 1;
        const std::int64_t first = std::clamp(moved - wide, std::int64_t{0}, cells);
        const std::int64_t past = std::clamp(moved + brick.cells[a] + wide, std::int64_t{0}, cells);
        there.first[a] = static_cast<std::uint32_t>(first);
        there.cells[a] = world.periodic[a] ? static_cast<std::uint32_t>(past - first) : 0;
    }
    return there;
}

/// Lists the ranks within reach, without `rank` itself, in ascending order.
template <std::size_t Dim>
std::vector<std::uint32_t> ranks_near(const Cuts<Dim>& cuts, std::uint32_t rank,
                                      const std::array<std::uint32_t, Dim>& around,
                                      const WorldWrap<Dim>& world) {
    std::vector<std::uint32_t> ranks;
    const std::size_t sides = !world.wraps ? 1 : Dim == 2 ? 9 : 27;
    for (std::size_t side = 0; side < sides; ++side) {
        const Brick<Dim> cells = beyond(cuts.brick_of(rank), around, cuts.whole(), world, side);
        if (cells.empty()) { continue; }
        cuts.for_each_owner(cells, [&](std::uint32_t other) {
            if (other != rank) { ranks.push_back(other); }
        });
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

template <std::size_t Dim>
Box<Dim> cut_to(Box<Dim> box, const Box<Dim>& other) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a] = std::max(box.lo[a], other.lo[a]);
        box.hi[a] = std::min(box.hi[a], other.hi[a]);
    }
    return box;
}

} // namespace

template <std::size_t Dim>
Layout<Dim>::Layout(Cuts<Dim> all, const GridShape<Dim>& whole, const WorldWrap<Dim>& world,
                    float reach, const std::array<std::uint32_t, Dim>& around, std::uint32_t rank)
    : cuts(std::move(all)), brick(cuts.brick_of(rank)) {
    window.cells.fill(1); // for a rank without cells
    if (!brick.empty()) {
        window = grown(brick, around, cuts.whole());
        neighbours = ranks_near(cuts, rank, around, world);
        for (const std::uint32_t other : neighbours) {
            add_box(near_places, outgoing.size(),
                    places(Around::in_reach, whole, cuts.brick_of(other), reach));
            outgoing.emplace_back().to = other;
        }
    }
    own_places = places(Around::owned, whole, brick, reach);
    inner_places = places(Around::inner, whole, brick, reach);
    // In a world of very many cells the margin of reach_at() may be wider than the window's margin.
    const Box<Dim> known = places(Around::inner, whole, window, reach);
    if (!holds(known, own_places.lo) || !holds(known, own_places.hi)) { own_places = inner_places; }
    const Box<Dim> no_border = world.without_borders(reach);
    own_places = cut_to(own_places, no_border);
    inner_places = cut_to(inner_places, no_border);
    parcels.reserve(neighbours.size());
}

template <std::size_t Dim>
std::size_t Layout<Dim>::memory() const noexcept {
    std::size_t bytes = cuts.memory() + near_places.capacity() * sizeof(FourBoxes<Dim>);
    for (const Outgoing<Dim>& out : outgoing) {
        bytes +=
            sizeof out + sizeof(Parcel) + sizeof(std::uint32_t) + out.bytes.capacity() +
            (out.movers.capacity() + out.ghosts.capacity() + out.moved.capacity()) * sizeof(Id) +
            out.places.capacity() * sizeof(Point<Dim>);
    }
    return bytes;
}

template struct Layout<2>;
template struct Layout<3>;

} // namespace throng
