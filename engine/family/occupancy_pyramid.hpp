// Coarser and coarser grids over a fine one, which say only whether anything is there.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../memory/vector.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace throng {

/// Cells from `begin` up to, not including, `end` on every axis; none if begin >= end on any axis.
template <std::size_t Dim>
struct CellBlock {
    std::array<std::uint32_t, Dim> begin{}, end{};

    friend constexpr bool operator==(const CellBlock&, const CellBlock&) noexcept = default;
};

/// A set of cells in which a search skips empty parts: for large searches over sparse worlds.
///
/// Use it if a search covers thousands of cells of which few are occupied. It holds no agents: the
/// owner of the grid sets a cell that is no longer empty, and resets a cell that has become empty.
/// Where a tenth of the cells or more are occupied, a search is at most about twice as fast as one
/// that looks at all cells.
///
/// A word has a bit for each cell of a tile, 8 x 8 in the plane and 4 x 4 x 4 in space; a word on
/// the level above has a bit for each of 64 such tiles, laid out alike, and says which of them have
/// occupied cells; and so on up to one word. A search compares no cells: on each level it takes the
/// words that are not zero, and masks out the bits outside of the block. The cells take one bit
/// each, all levels above a 63rd of that; a world thinner than a tile pays for whole tiles.
///
/// Const calls may run on any number of threads while no call changes the pyramid.
template <std::size_t Dim>
class THRONG_API OccupancyPyramid {
    static_assert(Dim == 2 || Dim == 3, "64 bits are a square and a cube");

public:
    using Cell = std::array<std::uint32_t, Dim>;

    static constexpr std::uint32_t kMaxCellsPerAxis = std::uint32_t{1} << 31;
    static constexpr std::uint64_t kMaxWords = std::uint64_t{1} << 32; ///< of the finest level

    OccupancyPyramid() = default;
    explicit OccupancyPyramid(const Cell& cells) { configure(cells); }

    OccupancyPyramid(const OccupancyPyramid&) = default;
    OccupancyPyramid& operator=(const OccupancyPyramid&) = default;
    ~OccupancyPyramid() = default;

    /// A pyramid that was moved from has no cells.
    OccupancyPyramid(OccupancyPyramid&& other) noexcept;
    OccupancyPyramid& operator=(OccupancyPyramid&& other) noexcept;

    /// Lays out cells[a] cells on axis a, all empty; zero on any axis makes no cells at all. Keeps
    /// its memory where that suffices. If it fails, with std::bad_alloc or, beyond the limits
    /// above, with std::length_error, nothing has changed.
    void configure(const Cell& cells);

    [[nodiscard]] const Cell& cells() const noexcept { return cells_; }

    /// `cell` must be less than cells() on every axis, here and below.
    void set(const Cell& cell) noexcept;
    void reset(const Cell& cell) noexcept;
    [[nodiscard]] bool test(const Cell& cell) const noexcept;

    [[nodiscard]] bool empty() const noexcept {
        return depth_ == 0 || words_[offset_[depth_ - 1]] == 0;
    }

    /// Empties all cells; the cost depends on the occupied ones only.
    void clear() noexcept;

    /// Calls visit(cell) for each occupied cell of the block, which may reach beyond the cells
    /// there are. `visit` may return false to stop, and must not change the pyramid. Returns
    /// whether it went through to the end.
    ///
    /// The order is that of tiles: x fastest, then y, then z within a tile, and likewise for the
    /// tiles of a tile. All cells of a tile come before any of the next.
    ///
    /// Cells that follow one another here may be far apart in memory. A caller that looks up data
    /// for each should first collect a few dozen cells and prefetch their data.
    template <class Visit>
    bool for_each(const CellBlock<Dim>& block, Visit&& visit) const;
    template <class Visit>
    bool for_each(Visit&& visit) const {
        return for_each(CellBlock<Dim>{{}, cells_}, visit);
    }

    /// any() tells whether a cell of the block is occupied, count() how many of its cells are.
    [[nodiscard]] bool any(const CellBlock<Dim>& block) const noexcept;
    [[nodiscard]] std::uint64_t count(const CellBlock<Dim>& block) const noexcept;

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept {
        return words_.capacity() * sizeof(std::uint64_t);
    }

    /// Checks every invariant, slowly. Returns null if all hold, else the first that does not.
    [[nodiscard]] const char* validate() const noexcept;

private:
    static constexpr unsigned kShift = Dim == 2 ? 3 : 2; // a tile has 1 << kShift cells on an axis
    static constexpr std::uint32_t kSide = 1u << kShift;
    // On each axis a level has a kSide-th of the cells of the level below, rounded up.
    static constexpr std::size_t kMaxLevels = (31 + kShift - 1) / kShift;
    static_assert((std::uint64_t{kMaxCellsPerAxis} >> kShift * (kMaxLevels - 1)) <= kSide);

    /// The cells of a level that a block reaches into, from `first` to `last`, and the cells that
    /// lie wholly in the block. Cells beyond the world's last count as part of the block.
    struct Reach {
        Cell first, last;
        Cell whole_begin, whole_end;
    };

    /// The bits of a tile that lie between two cells of it, both included, on each axis.
    static constexpr std::uint64_t bits_between(const Cell& first, const Cell& last) noexcept;
    static constexpr unsigned bit_of(const Cell& cell) noexcept;
    static constexpr Cell tile_of(Cell cell) noexcept {
        for (std::uint32_t& x : cell) {
            x >>= kShift;
        }
        return cell;
    }
    /// The cell of a tile that a bit stands for.
    static constexpr Cell cell_of(const Cell& tile, unsigned bit) noexcept;

    [[nodiscard]] std::size_t word_of(std::size_t k, const Cell& tile) const noexcept {
        std::size_t word = tile[Dim - 1];
        for (std::size_t a = Dim - 1; a-- > 0;) {
            word = word * tiles_[k][a] + tile[a];
        }
        return offset_[k] + word;
    }

    [[nodiscard]] bool has(const Cell& cell) const noexcept {
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            inside = inside && cell[a] < cells_[a];
        }
        return inside;
    }

    /// reached() has the bits of a tile's cells that the block reaches into, inside() the bits of
    /// the cells that lie wholly in the block.
    static std::uint64_t reached(const Reach& reach, const Cell& tile) noexcept;
    static std::uint64_t inside(const Reach& reach, const Cell& tile) noexcept;

    // Calls visit_word(tile, word) for each tile with occupied cells in the block, until a call
    // returns false. `word` has the bits of these cells. Reads each summary once, before the words
    // below it.
    template <class VisitWord>
    bool walk(const CellBlock<Dim>& block, VisitWord&& visit_word) const;

    Vector<std::uint64_t> words_;                  // level by level, the finest first
    std::array<std::size_t, kMaxLevels> offset_{}; // where each level's words begin
    std::array<Cell, kMaxLevels> tiles_{};         // each level's number of tiles on each axis
    Cell cells_{};
    std::size_t depth_ = 0; // the number of levels; no words if zero
};

template <std::size_t Dim>
constexpr std::uint64_t OccupancyPyramid<Dim>::bits_between(const Cell& first,
                                                            const Cell& last) noexcept {
    // bits() sets rows `from` to `to` of `each` bits. The factors have a 1 at the start of each row
    // or layer, so a product repeats one row in all rows, or one layer in all layers.
    const auto bits = [](std::uint32_t from, std::uint32_t to, unsigned each) {
        return (~std::uint64_t{0} >> (64 - each * (to - from + 1))) << (each * from);
    };
    if constexpr (Dim == 2) {
        const std::uint64_t row = bits(first[0], last[0], 1);
        return (row * 0x0101'0101'0101'0101u) & bits(first[1], last[1], 8);
    } else {
        const std::uint64_t row = bits(first[0], last[0], 1);
        const std::uint64_t layer = (row * 0x1111u) & bits(first[1], last[1], 4);
        return (layer * 0x0001'0001'0001'0001u) & bits(first[2], last[2], 16);
    }
}

template <std::size_t Dim>
constexpr unsigned OccupancyPyramid<Dim>::bit_of(const Cell& cell) noexcept {
    unsigned bit = 0;
    for (std::size_t a = Dim; a-- > 0;) {
        bit = (bit << kShift) | (cell[a] & (kSide - 1));
    }
    return bit;
}

template <std::size_t Dim>
constexpr auto OccupancyPyramid<Dim>::cell_of(const Cell& tile, unsigned bit) noexcept -> Cell {
    Cell cell{};
    for (std::size_t a = 0; a < Dim; ++a) {
        cell[a] = (tile[a] << kShift) + ((bit >> (kShift * a)) & (kSide - 1));
    }
    return cell;
}

template <std::size_t Dim>
std::uint64_t OccupancyPyramid<Dim>::reached(const Reach& reach, const Cell& tile) noexcept {
    Cell first{}, last{};
    for (std::size_t a = 0; a < Dim; ++a) {
        // The search came to this tile through a bit that the block reaches into, so they overlap.
        const std::uint32_t begin = tile[a] << kShift;
        first[a] = std::max(reach.first[a], begin) - begin;
        last[a] = std::min(reach.last[a] - begin, kSide - 1);
    }
    return bits_between(first, last);
}

template <std::size_t Dim>
std::uint64_t OccupancyPyramid<Dim>::inside(const Reach& reach, const Cell& tile) noexcept {
    Cell first{}, last{};
    for (std::size_t a = 0; a < Dim; ++a) {
        const std::uint32_t begin = std::max(reach.whole_begin[a], tile[a] << kShift);
        const std::uint32_t end = std::min(reach.whole_end[a], (tile[a] << kShift) + kSide);
        if (begin >= end) { return 0; }
        first[a] = begin & (kSide - 1);
        last[a] = (end - 1) & (kSide - 1);
    }
    return bits_between(first, last);
}

template <std::size_t Dim>
template <class VisitWord>
bool OccupancyPyramid<Dim>::walk(const CellBlock<Dim>& block, VisitWord&& visit_word) const {
    std::array<Reach, kMaxLevels> reach; // the block's reach on each level
    for (std::size_t a = 0; a < Dim; ++a) {
        const std::uint32_t end = std::min(block.end[a], cells_[a]);
        if (block.begin[a] >= end) { return true; }
        for (std::size_t k = 0; k < depth_; ++k) {
            const std::size_t shift = kShift * k;
            const std::uint32_t rest = (std::uint32_t{1} << shift) - 1;
            reach[k].first[a] = block.begin[a] >> shift;
            reach[k].last[a] = (end - 1) >> shift;
            reach[k].whole_begin[a] = (block.begin[a] + rest) >> shift;
            reach[k].whole_end[a] = end == cells_[a] ? ~std::uint32_t{0} : end >> shift;
        }
    }

    struct Level {
        std::uint64_t left;   // the bits still to be visited
        std::uint64_t inside; // the bits of tiles that lie wholly in the block
        Cell tile;
    };
    std::array<Level, kMaxLevels> level;
    const auto enter = [&](std::size_t k, const Cell& tile, bool whole) {
        Level& here = level[k];
        here.tile = tile;
        here.left = words_[word_of(k, tile)];
        here.inside = ~std::uint64_t{0};
        if (!whole) {
            here.left &= reached(reach[k], tile);
            here.inside = inside(reach[k], tile);
        }
    };

    std::size_t k = depth_ - 1;
    enter(k, Cell{}, false);
    if (k == 0) { return level[0].left == 0 || visit_word(level[0].tile, level[0].left); }
    for (;;) {
        Level& here = level[k];
        if (k == 1) {
            // A copy, since the compiler must assume that the visitor writes to the original.
            const Level tiles = here;
            for (std::uint64_t left = tiles.left; left != 0; left &= left - 1) {
                const auto bit = static_cast<unsigned>(std::countr_zero(left));
                const Cell tile = cell_of(tiles.tile, bit);
                std::uint64_t word = words_[word_of(0, tile)];
                if ((tiles.inside >> bit & 1) == 0) { word &= reached(reach[0], tile); }
                if (word != 0 && !visit_word(tile, word)) { return false; }
            }
        } else if (here.left != 0) {
            const auto bit = static_cast<unsigned>(std::countr_zero(here.left));
            here.left &= here.left - 1;
            enter(--k, cell_of(here.tile, bit), (here.inside >> bit & 1) != 0);
            continue;
        }
        if (++k == depth_) { return true; }
    }
}

template <std::size_t Dim>
template <class Visit>
bool OccupancyPyramid<Dim>::for_each(const CellBlock<Dim>& block, Visit&& visit) const {
    return walk(block, [&](const Cell& tile, std::uint64_t word) {
        for (; word != 0; word &= word - 1) {
            const Cell cell = cell_of(tile, static_cast<unsigned>(std::countr_zero(word)));
            if constexpr (std::is_void_v<std::invoke_result_t<Visit&, const Cell&>>) {
                visit(cell);
            } else {
                if (!visit(cell)) { return false; }
            }
        }
        return true;
    });
}

extern template class OccupancyPyramid<2>;
extern template class OccupancyPyramid<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
