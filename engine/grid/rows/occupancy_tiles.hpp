// Which rows of a sparse grid have agents in a part of x. Internal to the engine.
#pragma once

#include "../../memory/vector.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// A tile is 64 consecutive rows and all of x, which is cut into up to 64 columns of cells: a
/// word for each column, with a bit for each row that may have agents there. A search combines the
/// words of its columns, and looks into the rows that are left, in order.
///
/// An OccupancyPyramid would need a word for each cube, and would visit rows in another order than
/// the canonical one. Edits never clear bits, so a search may look into a few rows in vain, but
/// misses none.
class OccupancyTiles {
    static constexpr std::uint32_t kMostColumns = 64;

    struct Cut {
        unsigned shift = 0;
        std::uint32_t columns = 1;

        Cut() = default;
        explicit Cut(std::uint32_t cells) noexcept {
            while ((cells - 1) >> shift >= kMostColumns) {
                ++shift;
            }
            columns = ((cells - 1) >> shift) + 1;
        }
    };

public:
    /// Whether tiles are likely to be worth building: fewer agents than bits, and no more than a
    /// few words an agent. docs/planner.md has the figures.
    [[nodiscard]] static bool pay(std::size_t agents, std::size_t rows,
                                  std::uint32_t cells) noexcept {
        return rows >= 64 && rows < 4 * agents && agents < rows * Cut(cells).columns;
    }

    /// Whether tiles may pay for some number of agents up to this one.
    [[nodiscard]] static bool may_pay(std::size_t agents, std::size_t rows) noexcept {
        return rows >= 64 && rows < 4 * agents;
    }

    /// Makes room for tiles over this many rows and cells of x. Throws std::bad_alloc, and then
    /// nothing has changed.
    void reserve(std::size_t rows, std::uint32_t cells) {
        words_.reserve(tiles_of(rows) * Cut(cells).columns);
    }
    /// The same, and touches all of that memory, unless tiles are there already.
    void touch(std::size_t rows, std::uint32_t cells) {
        if (!empty()) { return; }
        words_.assign(tiles_of(rows) * Cut(cells).columns, 0);
        words_.clear();
    }
    /// Lays empty tiles over this many rows and cells of x, for which there must be room.
    void lay(std::size_t rows, std::uint32_t cells) noexcept {
        cut_ = Cut(cells);
        words_.assign(tiles_of(rows) * cut_.columns, 0);
    }
    /// Drops all tiles.
    void forget() noexcept { words_.clear(); }

    [[nodiscard]] bool empty() const noexcept { return words_.empty(); }
    [[nodiscard]] std::size_t tiles() const noexcept {
        return empty() ? 0 : words_.size() / cut_.columns;
    }

    /// Marks that a row has an agent in a cell; does nothing where there are no tiles. Different
    /// tiles may be marked concurrently; a single tile may not.
    void mark(std::size_t row, std::uint32_t cell) noexcept {
        if (!empty()) { words_[word_of(row, cell)] |= std::uint64_t{1} << (row % 64); }
    }
    [[nodiscard]] bool is_marked(std::size_t row, std::uint32_t cell) const noexcept {
        return (words_[word_of(row, cell)] >> (row % 64) & 1) != 0;
    }

    /// The words as kernels take them: those of a tile follow each other. Null if there are no
    /// tiles.
    [[nodiscard]] const std::uint64_t* words() const noexcept {
        return empty() ? nullptr : words_.data();
    }
    [[nodiscard]] std::uint32_t columns() const noexcept { return cut_.columns; }
    /// log2 of the cells of a column.
    [[nodiscard]] unsigned shift() const noexcept { return cut_.shift; }

    [[nodiscard]] std::size_t memory() const noexcept {
        return words_.capacity() * sizeof(std::uint64_t);
    }

private:
    [[nodiscard]] static std::size_t tiles_of(std::size_t rows) noexcept {
        return (rows + 63) / 64;
    }
    [[nodiscard]] std::size_t word_of(std::size_t row, std::uint32_t cell) const noexcept {
        return row / 64 * cut_.columns + (cell >> cut_.shift);
    }

    Vector<std::uint64_t> words_;
    Cut cut_;
};

} // namespace throng
