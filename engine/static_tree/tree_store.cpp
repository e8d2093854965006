#include "tree_store.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace throng {

TreeLayout TreeLayout::of(std::size_t agents) noexcept {
    TreeLayout layout;
    layout.packed = static_cast<std::uint32_t>(agents);
    std::uint32_t under = layout.leaves();
    while (under != 0 && (layout.levels == 0 || under > 1)) {
        under = (under - 1) / kWidth + 1;
        layout.count[layout.levels++] = under;
    }
    std::uint64_t root = 0;
    while ((root + 1) * (root + 1) <= agents) {
        root += 1 + root / 64; // as near as need be
    }
    const std::uint64_t room = std::clamp<std::uint64_t>(4 * root, 1, agents / 8 + 1);
    layout.waiting_nodes = static_cast<std::uint32_t>((room - 1) / kUnderNode + 1);
    std::uint32_t begin = 0;
    for (std::uint32_t k = 0; k < simd::kTreeLevels; ++k) {
        layout.begin[k] = begin;
        begin += layout.count[k] + (k == 0 ? layout.waiting_nodes : 0);
    }
    return layout;
}

template <std::size_t Dim>
Point<Dim> TreeStore<Dim>::position(std::uint32_t slot) const noexcept {
    Point<Dim> point;
    for (std::uint32_t a = 0; a < Dim; ++a) {
        point[a] = std::bit_cast<float>(*word(slot, Fields::kPosition + a));
    }
    return point;
}

template <std::size_t Dim>
Point<Dim> TreeStore<Dim>::half_extent(std::uint32_t slot) const noexcept {
    if (!kind.own_half_extents) { return kind.common_half_extent; }
    Point<Dim> half;
    for (std::uint32_t a = 0; a < Dim; ++a) {
        half[a] = std::bit_cast<float>(*word(slot, Fields::kHalfExtent + a));
    }
    return half;
}

template <std::size_t Dim>
std::uint32_t TreeStore<Dim>::groups(std::uint32_t slot) const noexcept {
    return kind.groups ? *word(slot, Fields::groups(kind.own_half_extents)) : kAllGroups;
}

template <std::size_t Dim>
void TreeStore<Dim>::put(std::uint32_t slot, std::uint32_t id, const Point<Dim>& position,
                         const Point<Dim>& half_extent, std::uint32_t groups) noexcept {
    put_position(slot, position);
    *word(slot, Fields::kId) = id;
    if (kind.own_half_extents) {
        for (std::uint32_t a = 0; a < Dim; ++a) {
            *word(slot, Fields::kHalfExtent + a) = std::bit_cast<std::uint32_t>(half_extent[a]);
        }
    }
    if (kind.groups) { *word(slot, Fields::groups(kind.own_half_extents)) = groups; }
}

template <std::size_t Dim>
void TreeStore<Dim>::put_position(std::uint32_t slot, const Point<Dim>& position) noexcept {
    for (std::uint32_t a = 0; a < Dim; ++a) {
        *word(slot, Fields::kPosition + a) = std::bit_cast<std::uint32_t>(position[a]);
    }
}

template <std::size_t Dim>
void TreeStore<Dim>::bury(std::uint32_t slot) noexcept {
    put(slot, kNoId, Point<Dim>::all(std::numeric_limits<float>::quiet_NaN()), {}, 0);
}

template <std::size_t Dim>
Box<Dim> TreeStore<Dim>::cover(std::uint32_t level, std::uint32_t n) const noexcept {
    const float* const from = node(level, n / kWidth) + n % kWidth;
    Box<Dim> cover;
    for (std::size_t a = 0; a < Dim; ++a) {
        cover.lo[a] = from[a * kWidth];
        cover.hi[a] = from[(Dim + a) * kWidth];
    }
    return cover;
}

template <std::size_t Dim>
void TreeStore<Dim>::set_cover(std::uint32_t leaf, const Box<Dim>& cover) noexcept {
    float* const to = node(0, leaf / kWidth) + leaf % kWidth;
    for (std::size_t a = 0; a < Dim; ++a) {
        to[a * kWidth] = cover.lo[a];
        to[(Dim + a) * kWidth] = cover.hi[a];
    }
}

template <std::size_t Dim>
void TreeStore<Dim>::grow_cover(std::uint32_t leaf, const Box<Dim>& by) noexcept {
    Box<Dim> grown = cover(0, leaf);
    for (std::size_t a = 0; a < Dim; ++a) {
        grown.lo[a] = std::min(grown.lo[a], by.lo[a]);
        grown.hi[a] = std::max(grown.hi[a], by.hi[a]);
    }
    set_cover(leaf, grown);
}

template <std::size_t Dim>
void TreeStore<Dim>::empty_cover(std::uint32_t leaf) noexcept {
    const float infinity = std::numeric_limits<float>::infinity();
    set_cover(leaf, {Point<Dim>::all(infinity), Point<Dim>::all(-infinity)});
}

template <std::size_t Dim>
void TreeStore<Dim>::forget_waiting() noexcept {
    waiting = 0;
    const std::uint32_t first = layout.count[0] * kWidth;
    for (std::uint32_t n = first; n < first + layout.waiting_nodes * kWidth; ++n) {
        empty_cover(n);
    }
}

template <std::size_t Dim>
simd::TreeView<Dim> TreeStore<Dim>::view() const noexcept {
    simd::TreeView<Dim> view{};
    view.grid.own_extents = kind.own_half_extents;
    view.grid.groups = kind.groups;
    for (std::size_t a = 0; a < Dim; ++a) {
        view.grid.max_half_extent[a] = max_half_extent[a];
        view.grid.inverse_cell[a] = 1.0f;
        view.half[a] = kind.own_half_extents ? 0.0f : kind.common_half_extent[a];
        view.disc[a] = kind.own_half_extents ? disc[a] : kind.common_half_extent[0];
    }
    view.leaves = leaves.data();
    view.leaf_words = static_cast<std::uint32_t>(leaf_words());
    view.nodes = reinterpret_cast<const float*>(nodes.data());
    view.levels = layout.levels;
    std::copy(layout.begin.begin(), layout.begin.end(), view.level_begin);
    view.waiting_begin = layout.count[0];
    view.waiting_end =
        layout.count[0] + (waiting + TreeLayout::kUnderNode - 1) / TreeLayout::kUnderNode;
    view.packed = layout.packed;
    view.dead = dead != 0;
    view.leaf_edge = leaf_edge;
    return view;
}

template struct TreeStore<2>;
template struct TreeStore<3>;

} // namespace throng
