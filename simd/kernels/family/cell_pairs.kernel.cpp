// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "cell_pairs.hpp"

#include "../../isa/packed_lanes.hpp"
#include "pair_tile.hpp"

namespace throng::simd {

/// The numbers of a vector's lanes.
template <class Arch>
inline constexpr std::uint32_t kCounted[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// Writes to `out` the numbers of the cells of `tile` from `begin` on that overlap cell `i` of
/// `from` and have no mark in common with that cell. Returns how many there are.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline std::uint32_t
near_cells(const CellTile<Dim>& tile, std::uint32_t begin, const CellTile<Dim>& from,
           std::uint32_t i, std::uint32_t* out) noexcept {
    constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    Floats<Arch> lo[Dim], hi[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        lo[a] = Floats<Arch>(from.lo[a][i]);
        hi[a] = Floats<Arch>(from.hi[a][i]);
    }
    const Words<Arch> marks(from.marks[i]);
    const Words<Arch> counted = Words<Arch>::load_unaligned(kCounted<Arch>);
    std::uint32_t* next = out;
    // if (overlaps && (marks & its marks) == 0) *next++ = k;
    for (std::uint32_t k = begin; k < tile.count; k += kLane) {
        FloatMask<Arch> touching = Floats<Arch>::load_unaligned(tile.lo[0] + k) <= hi[0];
        touching = touching & (lo[0] <= Floats<Arch>::load_unaligned(tile.hi[0] + k));
        for (std::size_t a = 1; a < Dim; ++a) {
            touching = touching & (Floats<Arch>::load_unaligned(tile.lo[a] + k) <= hi[a]);
            touching = touching & (lo[a] <= Floats<Arch>::load_unaligned(tile.hi[a] + k));
        }
        const Words<Arch> common = Words<Arch>::load_unaligned(tile.marks + k) & marks;
        std::uint32_t bits = lane_bits<Arch>(touching);
        bits &= lane_bits<Arch>(common == Words<Arch>(0u));
        next = compress_store<Arch>(next, counted + Words<Arch>(k),
                                    first_lanes<Arch>(bits, tile.count - k));
    }
    return static_cast<std::uint32_t>(next - out);
}

template <class Arch, std::size_t Dim>
bool list_cell_pairs_on(Arch, const CellPairs<Dim>& cells, CellPairsAt& at,
                        SpanPairsOutput& out) noexcept {
    using Tile = CellTile<Dim>;
    const Tile& own = *cells.own;
    const bool itself = cells.others == nullptr;
    const Tile& others = itself ? own : *cells.others;
    return with_pair_kind<Arch>(
        cells.own_extents, cells.with_groups, cells.groups,
        [&]<bool own_extents, bool with_groups>() {
            std::uint32_t near[Tile::kRoom];
            ScanSpan near_spans[Tile::kSpans];
            SpanPairs<Dim> spans;
            for (std::size_t a = 0; a < Dim; ++a) {
                spans.max_half_extent[a] = cells.max_half_extent[a];
            }
            spans.groups = cells.groups;
            spans.others = near_spans;
            for (; at.cell < own.count; ++at.cell) {
                const std::uint32_t i = at.cell;
                spans.own = own.spans + own.first_span[i];
                spans.own_count = own.first_span[i + 1] - own.first_span[i];
                spans.others_only = !itself || own.marks[i] != 0;
                const std::uint32_t count =
                    near_cells<Arch>(others, itself ? i + 1 : 0, own, i, near);
                if (spans.others_only && count == 0) { continue; }
                spans.other_count = 0;
                for (std::uint32_t k = 0; k < count; ++k) {
                    const std::uint32_t end = others.first_span[near[k] + 1];
                    for (std::uint32_t s = others.first_span[near[k]]; s < end; ++s) {
                        near_spans[spans.other_count++] = others.spans[s];
                    }
                }
                for (std::size_t a = 0; a < Dim; ++a) {
                    spans.lo[a] = own.lo[a][i];
                    spans.hi[a] = own.hi[a][i];
                }
                if (!list_all<own_extents, with_groups, Arch>(spans, at.in_cell, out)) {
                    return false;
                }
                at.in_cell = {};
            }
            return true;
        });
}

using KernelArch = THRONG_KERNEL_ARCH;
template bool list_cell_pairs_on(KernelArch, const CellPairs<2>&, CellPairsAt&,
                                 SpanPairsOutput&) noexcept;
template bool list_cell_pairs_on(KernelArch, const CellPairs<3>&, CellPairsAt&,
                                 SpanPairsOutput&) noexcept;

} // namespace throng::simd
