// The kernels that list pairs of overlapping elements in the leaves of a tight quadtree.
#pragma once

#include "../../isa/slack.hpp"

#include <cstdint>

namespace throng::simd {

/// Elements of some leaves, side by side, leaf by leaf. Elements behind `count` may hold anything.
struct LeafTile {
    static constexpr std::uint32_t kMost = 256;
    static constexpr std::uint32_t kRoom = kMost + kSlack;

    // The caller fills in these.
    std::uint32_t count = 0;
    std::uint32_t id[kRoom];
    std::uint32_t end[kRoom]; ///< the end of the element's leaf
    float position[2][kRoom];
    float half[2][kRoom];       ///< set only if elements have extents of their own
    float first_cell[2][kRoom]; ///< the leaf's first cell; minus infinity if no cell is before it

    // put_up_boxes() fills in these.
    float lo[2][kRoom], hi[2][kRoom];
    std::uint32_t before[kRoom]; ///< a bit for each axis on which its cover begins before the leaf
};

/// How covers become cells, as in TightLattice; and the extents, if all elements have the same.
struct LeafLattice {
    float origin[2], scale[2];
    float half[2], cover[2]; ///< cover: half the width of a cover
    bool own_extents;
};

/// Pairs in two arrays, which have room for `room` pairs and kSlack more.
struct LeafPairs {
    std::uint32_t* first;
    std::uint32_t* second;
    std::uint32_t used, room;
};

/// Computes `lo`, `hi` and `before` of all elements.
void put_up_boxes(const LeafLattice& lattice, LeafTile& tile) noexcept;

/// Appends pairs of the elements from `at` on: each with the elements after it in its leaf, or, if
/// `others` is not the tile itself, with all elements of `others`. A pair whose covers both begin
/// before the leaf on the same axis is left to another leaf. Stops when the partners of one more
/// element might not fit. Returns the element to go on with.
std::uint32_t pair_leaves(const LeafTile& tile, const LeafTile& others, std::uint32_t at,
                          LeafPairs& out) noexcept;

/// The same on one instruction set; each is compiled from leaf_pairs.kernel.cpp.
template <class Arch>
void put_up_boxes_on(Arch, const LeafLattice& lattice, LeafTile& tile) noexcept;
template <class Arch>
std::uint32_t pair_leaves_on(Arch, const LeafTile& tile, const LeafTile& others, std::uint32_t at,
                             LeafPairs& out) noexcept;

} // namespace throng::simd
