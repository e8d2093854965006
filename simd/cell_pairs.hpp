// Which agents of some cells touch each other?
#pragma once

#include "slack.hpp"
#include "span_pairs.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Some cells: boxes that cover their agents, none of them inverted, marks, and the spans that the
/// agents of each are in. As much as kSlack behind the last cell is read.
template <std::size_t Dim>
struct CellTile {
    static constexpr std::uint32_t kCells = 256;
    static constexpr std::uint32_t kSpans = 512;
    static constexpr std::uint32_t kRoom = kCells + kSlack;
    float lo[Dim][kRoom], hi[Dim][kRoom];
    std::uint32_t marks[kRoom];
    std::uint32_t first_span[kRoom]; ///< of each cell, and behind the last
    ScanSpan spans[kSpans];
    std::uint32_t count;
};

/// Asks for the pairs of two agents of one cell of `own` that has no marks, and of agents of two
/// cells, of which no mark is common to both: a cell of `own` and a later one, or, if `others` is
/// not null, a cell of `own` and one of `others`, and then of no cell alone.
template <std::size_t Dim>
struct CellPairs {
    const CellTile<Dim>* own;
    const CellTile<Dim>* others;
    float reach[Dim]; ///< as in SpanPairs, and below
    bool own_extents;
    bool with_groups;
    std::uint32_t groups;
};

/// Cells of `own` before this one are done, and of this one the pairs before there. Begins as
/// zeros.
struct CellPairsAt {
    std::uint32_t cell = 0;
    SpanPairsAt in_cell;
};

/// Appends all those pairs, like list_span_pairs().
template <std::size_t Dim>
bool list_cell_pairs(const CellPairs<Dim>& cells, CellPairsAt& at, SpanPairsOutput& out) noexcept;

/// The same on one instruction set; each is compiled from cell_pairs.kernel.cpp.
template <class Arch, std::size_t Dim>
bool list_cell_pairs_on(Arch, const CellPairs<Dim>& cells, CellPairsAt& at,
                        SpanPairsOutput& out) noexcept;

} // namespace throng::simd
