// How kernels see a row grid: plain structs over memory that engine/ owns. Free of xsimd.
#pragma once

#include "../isa/compiler.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// A row's nodes lie in one block of 32-bit words: the cell table, then an array of `capacity` for
/// each field (x, y[, z], id, then half extents and group mask where the crowd has them).
///
/// A full table holds, for each cell of the row, the slot where its nodes start, and at the end
/// their number. A trimmed table covers only the cells that have agents, a power of two of them per
/// entry, so a table never outgrows the agents. Its first words are a TrimmedTable.
///
/// Sixteen bytes, because a sparse world has millions of empty rows.
struct Row {
    static constexpr std::uint32_t kTrimmed = 0x8000'0000u;

    alignas(8) std::uint32_t* words = nullptr; ///< null: no agents
    std::uint32_t count = 0;
    std::uint32_t capacity_and_form = kTrimmed; ///< so that one test finds null and trimmed rows
};
static_assert(sizeof(Row) == 16);

/// The head of a trimmed table, before its starts. Entry e covers the cells lowest + (e << shift)
/// ... lowest + ((e + 1) << shift) - 1.
struct TrimmedTable {
    std::uint32_t lowest, shift, entries;
};
inline constexpr std::uint32_t kTrimmedWords = sizeof(TrimmedTable) / sizeof(std::uint32_t);

/// Words that a table of `entries` entries takes up, starts and end, rounded up so that arrays stay
/// aligned. Templates, so that kernels for different instruction sets do not share them.
template <class Tag>
constexpr std::uint32_t full_table_words(std::uint32_t entries) noexcept {
    return (entries + 4) & ~3u;
}
template <class Tag>
constexpr std::uint32_t trimmed_table_words(std::uint32_t entries) noexcept {
    return (kTrimmedWords + entries + 4) & ~3u;
}

/// Where each field of a node is among the arrays of a row.
template <std::size_t Dim>
struct Fields {
    static constexpr std::uint32_t kPosition = 0;
    static constexpr std::uint32_t kId = Dim;
    static constexpr std::uint32_t kHalfExtent = Dim + 1; ///< only with own extents
    static constexpr std::uint32_t groups(bool own_extents) noexcept {
        return own_extents ? 2 * Dim + 1 : Dim + 1;
    }
    static constexpr std::uint32_t count(bool own_extents, bool with_groups) noexcept {
        return groups(own_extents) + (with_groups ? 1 : 0);
    }
};

/// Where an agent is in storage order: a row, and a slot in it.
struct RowSlot {
    std::uint32_t row, slot;
    friend constexpr bool operator==(const RowSlot&, const RowSlot&) noexcept = default;
};

/// Everything a query needs to know of a grid.
template <std::size_t Dim>
struct GridView {
    const Row* rows;
    const std::uint64_t* const* occupied; ///< levels of the set of rows with agents
    std::size_t occupied_depth;
    std::uint32_t row_count;

    /// Padded, so that a vector of two or four loads all axes at once.
    static constexpr std::size_t kPadded = Dim + Dim % 2;
    float origin[kPadded] = {};
    float inverse_cell[kPadded] = {};
    float first_cell[kPadded] = {}; ///< of a window: its first cell in the whole, ...
    float last_cell[kPadded] = {};  ///< ... and its last
    std::uint32_t cells[Dim];
    std::uint32_t first[Dim] = {}; ///< first_cell

    float max_half_extent[Dim]; ///< the half extent of all agents, or the largest
    bool own_extents;
    bool groups;
    std::uint32_t full_table; ///< words before the first array of a row with a full table

    /// For every 64 rows, a word for each of `columns` parts of x, with a bit for each row that
    /// may have agents there; a column has 1 << column_shift cells. Null: not known.
    const std::uint64_t* tiles = nullptr;
    std::uint32_t columns = 0, column_shift = 0;
};

/// Cells first ... last on one axis; none when first > last.
struct CellRange {
    std::uint32_t first, last;
    [[nodiscard]] static constexpr CellRange none() noexcept { return {1, 0}; }
};

/// Whether the words of a tile are worth combining: `searched` of its `columns`, for the sake of
/// this many rows with agents. A word takes a small part of the time of a row, an eighth if the
/// tile has to come from memory. The more of x is searched, the fewer rows are left out: only rows
/// whose agents, two as a rule where a grid has tiles, are all in the rest. docs/planner.md has the
/// figures.
[[nodiscard]] THRONG_INLINE constexpr bool tile_pays(std::uint32_t columns, std::uint32_t searched,
                                                     std::uint32_t rows) noexcept {
    constexpr std::uint32_t kWordsOfRow = 8;
    const std::uint32_t rest = columns - searched;
    return kWordsOfRow * rows * rest * rest >= searched * columns * columns;
}

/// A range of cells on each axis.
template <std::size_t Dim>
struct CellBox {
    CellRange on[Dim];
};

} // namespace throng::simd
