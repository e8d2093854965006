// The kernel that lists the pairs of overlapping agents of some cells.
#pragma once

#include "../../isa/slack.hpp"
#include "span_pairs.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Some cells, each with a box that covers its agents and is not inverted, marks, and the spans
/// that hold its agents. Up to kSlack elements behind the last cell are read.
template <std::size_t Dim>
struct CellTile {
    static constexpr std::uint32_t kCells = 256;
    static constexpr std::uint32_t kSpans = 512;
    static constexpr std::uint32_t kRoom = kCells + kSlack;
    float lo[Dim][kRoom], hi[Dim][kRoom];
    std::uint32_t marks[kRoom];
    std::uint32_t first_span[kRoom]; ///< of each cell; after the last cell, the end
    ScanSpan spans[kSpans];
    std::uint32_t count;
};

/// Which pairs are wanted. Within one cell: the pairs of its agents, if it has no marks. Between
/// two cells that have no mark in common: all pairs of one agent from each. The two cells are a
/// cell of `own` and a later one of `own`; or, if `others` is not null, a cell of `own` and one of
/// `others`, and then no pairs within one cell are wanted.
template <std::size_t Dim>
struct CellPairs {
    const CellTile<Dim>* own;
    const CellTile<Dim>* others;
    float max_half_extent[Dim]; ///< this and the members below are as in SpanPairs
    bool own_extents;
    bool with_groups;
    std::uint32_t groups;
};

/// How far the pairs have been listed: all pairs of the cells of `own` before `cell`, and of `cell`
/// itself the pairs before `in_cell`. Begins as zeros.
struct CellPairsAt {
    std::uint32_t cell = 0;
    SpanPairsAt in_cell;
};

/// Appends all wanted pairs, like list_span_pairs().
template <std::size_t Dim>
bool list_cell_pairs(const CellPairs<Dim>& cells, CellPairsAt& at, SpanPairsOutput& out) noexcept;

/// The same on one instruction set; each is compiled from cell_pairs.kernel.cpp.
template <class Arch, std::size_t Dim>
bool list_cell_pairs_on(Arch, const CellPairs<Dim>& cells, CellPairsAt& at,
                        SpanPairsOutput& out) noexcept;

} // namespace throng::simd
