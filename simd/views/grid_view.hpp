// How kernels see a row grid: plain structs over memory that engine/ owns. Free of xsimd.
#pragma once

#include "../isa/compiler.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// A row's nodes lie in one block of 32-bit words: the cell table, then for each field an array of
/// `capacity` words (x, y[, z], id, then half extents and group mask where the crowd has them).
///
/// A full table holds, for each cell of the row, the slot where its nodes start, and at the end
/// the number of nodes. A trimmed table begins at the first cell with agents and ends at the last.
/// Each of its entries covers a power of two of cells, so the table never outgrows the agents. The
/// first words of a trimmed table are a TrimmedTable.
///
/// Row has sixteen bytes, because a sparse world has millions of empty rows.
struct Row {
    static constexpr std::uint32_t kTrimmed = 0x8000'0000u;

    alignas(8) std::uint32_t* words = nullptr; ///< null: no agents
    std::uint32_t count = 0;
    std::uint32_t capacity_and_form = kTrimmed; ///< kTrimmed is set if `words` is null, too
};
static_assert(sizeof(Row) == 16);

/// The head of a trimmed table, before its starts. Entry e covers the cells lowest + (e << shift)
/// ... lowest + ((e + 1) << shift) - 1.
struct TrimmedTable {
    std::uint32_t lowest, shift, entries;
};
inline constexpr std::uint32_t kTrimmedWords = sizeof(TrimmedTable) / sizeof(std::uint32_t);

/// The words of a table with `entries` entries: the starts and the end, rounded up so that arrays
/// stay aligned. Templates, so that kernels for different instruction sets do not share them.
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
    static constexpr std::uint32_t kHalfExtent = Dim + 1; ///< only if agents have their own extents
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
    const std::uint64_t* const* occupied; ///< levels of a bitset, for next_set(): rows with agents
    std::size_t occupied_depth;
    std::uint32_t row_count;

    /// Padded, so that a vector of two or four loads all axes at once.
    static constexpr std::size_t kPadded = Dim + Dim % 2;
    float origin[kPadded] = {};
    float inverse_cell[kPadded] = {};
    float first_cell[kPadded] = {}; ///< of a window: its first cell in the whole grid
    float last_cell[kPadded] = {};  ///< of a window: its last cell in the whole grid
    std::uint32_t cells[Dim];
    std::uint32_t first[Dim] = {}; ///< first_cell, as whole numbers

    float max_half_extent[Dim]; ///< the half extents that agents share, or the largest ones
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

/// Whether it saves time to combine `searched` of the `columns` words of a tile, to leave out some
/// of `rows` rows with agents. A word takes a small part of the time of a row: an eighth if the
/// tile has to come from memory. A row is left out only if all its agents (usually two, where a
/// grid has tiles) are in the part of x that is not searched. docs/planner.md has the figures.
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
