// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "leaf_pairs.hpp"

#include "../../isa/packed_lanes.hpp"

namespace throng::simd {

template <class Arch>
void put_up_boxes_on(Arch, const LeafLattice& given, LeafTile& tile) noexcept {
    using F = Floats<Arch>;
    using W = Words<Arch>;
    const LeafLattice lattice = given;
    const std::uint32_t count = tile.count;
    for (std::uint32_t i = 0; i < count; i += kLanes<Arch>) {
        FloatMask<Arch> before[2];
        for (std::uint32_t a = 0; a < 2; ++a) {
            const F centre = F::load_unaligned(tile.position[a] + i);
            F half(lattice.half[a]);
            F cover(lattice.cover[a]);
            if (lattice.own_extents) {
                // The same as cover_of().
                const F first = F::load_unaligned(tile.half[0] + i);
                half = F::load_unaligned(tile.half[a] + i);
                const F widest = select<Arch>(half > first, half, first);
                cover = widest + widest * F(0x1p-18f);
            }
            (centre - half).store_unaligned(tile.lo[a] + i);
            (centre + half).store_unaligned(tile.hi[a] + i);
            const F in_cells = (centre - cover - F(lattice.origin[a])) * F(lattice.scale[a]);
            before[a] = in_cells < F::load_unaligned(tile.first_cell[a] + i);
        }
        const W bits = add_if<Arch>(before[1], add_if<Arch>(before[0], W(0u), W(1u)), W(2u));
        bits.store_unaligned(tile.before + i);
    }
}

template <class Arch>
std::uint32_t pair_leaves_on(Arch, const LeafTile& tile, const LeafTile& others, std::uint32_t at,
                             LeafPairs& pairs) noexcept {
    using F = Floats<Arch>;
    using W = Words<Arch>;
    const bool same = &tile == &others;
    const std::uint32_t count = tile.count;
    std::uint32_t* const firsts = pairs.first;
    std::uint32_t* const seconds = pairs.second;
    const std::uint32_t room = pairs.room;
    std::uint32_t* second = seconds + pairs.used;
    std::uint32_t i = at;
    for (; i < count; ++i) {
        std::uint32_t j = same ? i + 1 : 0;
        const std::uint32_t end = same ? tile.end[i] : others.count;
        const auto used = static_cast<std::uint32_t>(second - seconds);
        if (end - j > room - used) { break; }
        const F lo_x(tile.lo[0][i]);
        const F lo_y(tile.lo[1][i]);
        const F hi_x(tile.hi[0][i]);
        const F hi_y(tile.hi[1][i]);
        const W before(tile.before[i]);
        const W id(tile.id[i]);
        // Runs at least once, also for the last element of a leaf: whether another element follows
        // is hard to predict, and leaves seldom have more elements than one register holds.
        do {
            const FloatMask<Arch> meets = (F::load_unaligned(others.lo[0] + j) <= hi_x) &
                                          (F::load_unaligned(others.hi[0] + j) >= lo_x) &
                                          (F::load_unaligned(others.lo[1] + j) <= hi_y) &
                                          (F::load_unaligned(others.hi[1] + j) >= lo_y);
            const WordMask<Arch> here = (W::load_unaligned(others.before + j) & before) == W(0u);
            const std::uint32_t bits = first_lanes<Arch>(
                lane_bits<Arch>(meets) & lane_bits<Arch>(here), end > j ? end - j : 0u);
            id.store_unaligned(firsts + (second - seconds));
            second = compress_store<Arch>(second, W::load_unaligned(others.id + j), bits);
            j += kLanes<Arch>;
        } while (j < end);
    }
    pairs.used = static_cast<std::uint32_t>(second - seconds);
    return i;
}

using KernelArch = THRONG_KERNEL_ARCH;
template void put_up_boxes_on(KernelArch, const LeafLattice&, LeafTile&) noexcept;
template std::uint32_t pair_leaves_on(KernelArch, const LeafTile&, const LeafTile&, std::uint32_t,
                                      LeafPairs&) noexcept;

} // namespace throng::simd
