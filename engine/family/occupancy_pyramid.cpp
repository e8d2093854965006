#include "occupancy_pyramid.hpp"

#include "../core/assert.hpp"

#include <stdexcept>
#include <utility>

namespace throng {

template <std::size_t Dim>
OccupancyPyramid<Dim>::OccupancyPyramid(OccupancyPyramid&& other) noexcept
    : words_(std::move(other.words_)), offset_(other.offset_), tiles_(other.tiles_),
      cells_(std::exchange(other.cells_, Cell{})), depth_(std::exchange(other.depth_, 0)) {}

template <std::size_t Dim>
auto OccupancyPyramid<Dim>::operator=(OccupancyPyramid&& other) noexcept -> OccupancyPyramid& {
    // Moves through a third pyramid, so that a self-move keeps the cells.
    OccupancyPyramid taken(std::move(other));
    words_.swap(taken.words_);
    offset_ = taken.offset_;
    tiles_ = taken.tiles_;
    cells_ = taken.cells_;
    depth_ = taken.depth_;
    return *this;
}

template <std::size_t Dim>
void OccupancyPyramid<Dim>::configure(const Cell& cells) {
    // Checks the limits first, so that no product below overflows: at most 2^32 words times 64/63.
    std::uint64_t finest = 1;
    for (const std::uint32_t on_axis : cells) {
        const std::uint64_t tiles = (std::uint64_t{on_axis} + kSide - 1) / kSide;
        if (on_axis > kMaxCellsPerAxis || finest * tiles > kMaxWords) {
            throw std::length_error("OccupancyPyramid::configure");
        }
        finest *= tiles;
    }

    std::array<std::size_t, kMaxLevels> offset{};
    std::array<Cell, kMaxLevels> tiles{};
    std::size_t depth = 0;
    std::size_t words = 0;
    Cell bits = cells; // cells of the level below
    for (std::size_t in_level = 0; finest > 0 && in_level != 1; ++depth) {
        offset[depth] = words;
        in_level = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            bits[a] = (bits[a] + kSide - 1) / kSide;
            in_level *= bits[a];
        }
        tiles[depth] = bits;
        words += in_level;
    }

    if (words <= words_.capacity()) {
        words_.assign(words, 0);
    } else {
        Vector<std::uint64_t>(words).swap(words_);
    }
    offset_ = offset;
    tiles_ = tiles;
    cells_ = cells;
    depth_ = depth;
}

template <std::size_t Dim>
void OccupancyPyramid<Dim>::set(const Cell& cell) noexcept {
    THRONG_ASSERT(has(cell));
    Cell at = cell;
    for (std::size_t k = 0; k < depth_; ++k) {
        const std::uint64_t bit = std::uint64_t{1} << bit_of(at);
        at = tile_of(at);
        std::uint64_t& word = words_[word_of(k, at)];
        const std::uint64_t before = std::exchange(word, word | bit);
        if (before != 0) { return; }
    }
}

template <std::size_t Dim>
void OccupancyPyramid<Dim>::reset(const Cell& cell) noexcept {
    THRONG_ASSERT(has(cell));
    Cell at = cell;
    for (std::size_t k = 0; k < depth_; ++k) {
        const std::uint64_t bit = std::uint64_t{1} << bit_of(at);
        at = tile_of(at);
        std::uint64_t& word = words_[word_of(k, at)];
        word &= ~bit;
        if (word != 0) { return; }
    }
}

template <std::size_t Dim>
bool OccupancyPyramid<Dim>::test(const Cell& cell) const noexcept {
    THRONG_ASSERT(has(cell));
    return (words_[word_of(0, tile_of(cell))] >> bit_of(cell) & 1) != 0;
}

template <std::size_t Dim>
void OccupancyPyramid<Dim>::clear() noexcept {
    // Clears while it walks: walk() reads a summary once, before the words below it.
    walk(CellBlock<Dim>{{}, cells_}, [&](const Cell& tile, std::uint64_t) {
        Cell at = tile;
        for (std::size_t k = 0; k < depth_; ++k) {
            words_[word_of(k, at)] = 0;
            at = tile_of(at);
        }
        return true;
    });
}

template <std::size_t Dim>
bool OccupancyPyramid<Dim>::any(const CellBlock<Dim>& block) const noexcept {
    return !walk(block, [](const Cell&, std::uint64_t) { return false; });
}

template <std::size_t Dim>
std::uint64_t OccupancyPyramid<Dim>::count(const CellBlock<Dim>& block) const noexcept {
    std::uint64_t cells = 0;
    walk(block, [&](const Cell&, std::uint64_t word) {
        cells += static_cast<std::uint64_t>(std::popcount(word));
        return true;
    });
    return cells;
}

template <std::size_t Dim>
const char* OccupancyPyramid<Dim>::validate() const noexcept {
    if (depth_ == 0) { return words_.empty() ? nullptr : "words without cells"; }
    std::size_t words = 0;
    Cell bits = cells_;
    for (std::size_t k = 0; k < depth_; ++k) {
        if (offset_[k] != words) { return "a level that does not begin where the last one ends"; }
        std::size_t in_level = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (tiles_[k][a] != (bits[a] + kSide - 1) / kSide) {
                return "too few tiles, or too many";
            }
            in_level *= tiles_[k][a];
        }
        words += in_level;

        // Each tile in its turn, x fastest.
        Cell tile{};
        for (std::size_t w = 0; w < in_level; ++w) {
            for (unsigned bit = 0; bit < 64; ++bit) {
                const Cell cell = cell_of(tile, bit);
                bool exists = true;
                for (std::size_t a = 0; a < Dim; ++a) {
                    exists = exists && cell[a] < bits[a];
                }
                const bool is_set = (words_[offset_[k] + w] >> bit & 1) != 0;
                if (is_set && !exists) { return "a bit for a cell that does not exist"; }
                if (k > 0 && exists && is_set != (words_[word_of(k - 1, cell)] != 0)) {
                    return "a summary that does not say what is below it";
                }
            }
            for (std::size_t a = 0; a < Dim && ++tile[a] == tiles_[k][a]; ++a) {
                tile[a] = 0;
            }
        }
        bits = tiles_[k];
    }
    return words == words_.size() ? nullptr : "words that belong to no level";
}

template class OccupancyPyramid<2>;
template class OccupancyPyramid<3>;

} // namespace throng
