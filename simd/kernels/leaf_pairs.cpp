#include "leaf_pairs.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

void put_up_boxes(const LeafLattice& lattice, LeafTile& tile) noexcept {
    dispatch([&](auto arch) { put_up_boxes_on(arch, lattice, tile); });
}

std::uint32_t pair_leaves(const LeafTile& tile, const LeafTile& others, std::uint32_t at,
                          LeafPairs& out) noexcept {
    return dispatch([&](auto arch) { return pair_leaves_on(arch, tile, others, at, out); });
}

} // namespace throng::simd
