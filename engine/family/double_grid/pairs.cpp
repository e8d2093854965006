// Finds all pairs: goes through blocks of tight cells, finds the loose cells of a block that
// overlap, and then the pairs of their agents.
//
// Blocks are larger than tight cells so that a loose cell is in few of them. Two loose cells of one
// level are paired in the first block that both reach into; cells of different levels are paired in
// the first block that the lower one reaches into. So each pair is found in one block, and blocks
// may be searched in any order, on any threads.
#include "double_grid.hpp"

#include "../../../simd/kernels/family/cell_pairs.hpp"
#include "../../../simd/kernels/family/span_pairs.hpp"
#include "../../answers/pair_blocks.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace throng {

namespace {

constexpr std::size_t kPairRun = 2048;
static_assert(kPairRun >= simd::kLeastSpanPairs);

/// Nanoseconds for an agent, at least; good enough to choose the number of threads.
constexpr double kPairs = 13.0;

template <std::size_t Dim, class State>
class PairSearch {
public:
    PairSearch(const State& state, IndexPairVisitor visitor, std::uint32_t groups) noexcept
        : state_(state), tight_(state.tight), agents_(state.agents),
          visitor_(visitor), out_{first_.data(), second_.data(), kPairRun} {
        const CrowdKind<Dim>& kind = agents_.kind();
        for (std::size_t a = 0; a < Dim; ++a) {
            spans_.max_half_extent[a] = cells_.max_half_extent[a] = kind.common_half_extent[a];
        }
        spans_.own_extents = kind.own_half_extents;
        spans_.with_groups = kind.groups;
        spans_.groups = groups;
        spans_.own = own_.data();
        spans_.others = others_.data();
        cells_.own = &tile_.cells;
        cells_.own_extents = kind.own_half_extents;
        cells_.with_groups = kind.groups;
        cells_.groups = groups;
    }

    /// The number of blocks. They are numbered through all levels that have links.
    [[nodiscard]] static std::size_t blocks(const CoarseGrid<Dim>& tight) noexcept {
        std::size_t blocks = 0;
        for (std::size_t number = 0; number < tight.level_count(); ++number) {
            blocks += blocks_of(tight.level(number));
        }
        return blocks;
    }

    /// Visits the pairs of blocks `begin` ... `end` - 1; returns how many.
    std::size_t run(std::size_t begin, std::size_t end) {
        bool done = true;
        std::size_t first = 0; // the first block of a level
        for (std::size_t number = 0; done && number < tight_.level_count(); ++number) {
            const std::size_t past = first + blocks_of(tight_.level(number));
            if (begin < past && first < end) {
                done = search_level(number, std::max(begin, first) - first,
                                    std::min(end, past) - first);
            }
            first = past;
        }
        if (!enough_) { hand_over(); }
        return visited_;
    }

private:
    using Coordinates = std::array<std::uint32_t, Dim>;
    using Level = typename CoarseGrid<Dim>::Level;

    /// A block is 1 << kBlockBits tight cells wide: eight loose cells in the plane, four in space.
    static constexpr unsigned kBlockBits = Dim == 2 ? 2 : 1;

    /// Some of the loose cells of a block. Crowded ones are flagged, and have no spans here.
    struct Tile {
        simd::CellTile<Dim> cells;
        std::array<std::uint32_t, simd::CellTile<Dim>::kCells> numbers;
        std::array<bool, simd::CellTile<Dim>::kCells> crowded;
        bool any_crowded;
    };
    static constexpr std::uint32_t kCrowded = 32; ///< a crowded cell has more buckets than this

    /// The place of the next loose cell in a block.
    struct Cursor {
        CoarseRange<Dim> block; ///< the block's tight cells
        Coordinates at;
        std::uint32_t link;
        bool done = false;
    };

    /// The last block on each axis.
    [[nodiscard]] static Coordinates last_block(const Level& level) noexcept {
        Coordinates last;
        for (std::size_t a = 0; a < Dim; ++a) {
            last[a] = (level.cells[a] - 1) >> kBlockBits;
        }
        return last;
    }
    [[nodiscard]] static std::size_t blocks_of(const Level& level) noexcept {
        if (level.links == 0) { return 0; }
        std::size_t blocks = 1;
        for (const std::uint32_t last : last_block(level)) {
            blocks *= std::size_t{last} + 1;
        }
        return blocks;
    }

    /// Searches blocks `begin` ... `end` - 1 of a level. False once the visitor has enough.
    bool search_level(std::size_t number, std::size_t begin, std::size_t end) {
        const Level& level = tight_.level(number);
        const Coordinates last = last_block(level);
        Coordinates block;
        std::size_t before = begin;
        for (std::size_t a = 0; a < Dim; ++a) {
            block[a] = static_cast<std::uint32_t>(before % (std::size_t{last[a]} + 1));
            before /= std::size_t{last[a]} + 1;
        }
        for (std::size_t b = begin; b < end; ++b) {
            const std::uint32_t from = block[0];
            const bool found = find_block(level, last, block);
            b += block[0] - from;
            if (b >= end) { break; }
            if (found && !search_block(number, block)) { return false; }
            for (std::size_t a = 0; a < Dim && ++block[a] > last[a]; ++a) {
                block[a] = 0;
            }
        }
        return true;
    }

    /// Moves `block` on to the next block of its row in which loose cells are listed. If there is
    /// none, moves it to the row's last block and returns false.
    bool find_block(const Level& level, const Coordinates& last,
                    Coordinates& block) const noexcept {
        std::uint32_t next = level.cells[0];
        CoarseRange<Dim> range = cells_of(level, block);
        for (Coordinates at = range.lo;;) {
            const std::uint32_t begin = tight_.number_of(level, at);
            const std::size_t found = tight_.listed().next(begin) - begin;
            if (found < level.cells[0] - at[0]) {
                next = std::min(next, at[0] + static_cast<std::uint32_t>(found));
            }
            std::size_t a = 1;
            while (a < Dim && at[a] == range.hi[a]) {
                at[a] = range.lo[a];
                ++a;
            }
            if (a == Dim) { break; }
            ++at[a];
        }
        block[0] = std::min(next >> kBlockBits, last[0]);
        return next < level.cells[0];
    }

    [[nodiscard]] static CoarseRange<Dim> cells_of(const Level& level,
                                                   const Coordinates& block) noexcept {
        CoarseRange<Dim> range;
        for (std::size_t a = 0; a < Dim; ++a) {
            range.lo[a] = block[a] << kBlockBits;
            range.hi[a] = std::min(((block[a] + 1) << kBlockBits) - 1, level.cells[a] - 1);
        }
        return range;
    }

    bool search_block(std::size_t number, const Coordinates& block) {
        const Level& level = tight_.level(number);
        Cursor cursor;
        cursor.block = cells_of(level, block);
        cursor.at = cursor.block.lo;
        cursor.link = tight_.head(tight_.number_of(level, cursor.at));
        bool higher = false;
        for (std::size_t above = number + 1; above < tight_.level_count(); ++above) {
            higher = higher || tight_.level(above).links != 0;
        }
        while (!cursor.done) {
            fill(level, cursor, tile_);
            if (!search_tiles(tile_, nullptr)) { return false; }
            for (std::uint32_t i = 0; higher && i < tile_.cells.count; ++i) {
                const bool home = tile_.cells.marks[i] == 0;
                if (home && !search_above(number, tile_.numbers[i])) { return false; }
            }
            // If the block has more cells than fit in a tile, finds their pairs with the rest.
            for (Cursor rest = cursor; !rest.done;) {
                fill(level, rest, rest_);
                if (!search_tiles(tile_, &rest_)) { return false; }
            }
        }
        return true;
    }

    /// Fills a tile with the next loose cells of a block, as many as it holds.
    void fill(const Level& level, Cursor& cursor, Tile& tile) const noexcept {
        using Cells = simd::CellTile<Dim>;
        std::uint32_t count = 0, spans = 0;
        tile.any_crowded = false;
        for (;;) {
            std::uint32_t seen = 0;
            for (std::size_t a = 0; a < Dim; ++a) {
                seen |= (cursor.at[a] > cursor.block.lo[a] ? 1u : 0u) << a;
            }
            while (cursor.link != tight_.kNone && count < Cells::kCells &&
                   spans + kCrowded <= Cells::kSpans) {
                const auto& link = tight_.at(cursor.link);
                cursor.link = link.next;
                if ((link.marks() & seen) != 0) { continue; }
                const LooseCell<Dim>& cell = state_.cells[link.cell()];
                for (std::size_t a = 0; a < Dim; ++a) {
                    tile.cells.lo[a][count] = cell.cover.lo[a];
                    tile.cells.hi[a][count] = cell.cover.hi[a];
                }
                tile.cells.marks[count] = link.marks();
                tile.cells.first_span[count] = spans;
                std::uint32_t bucket = cell.head;
                for (std::uint32_t s = spans; bucket != kNoBucket && s < spans + kCrowded; ++s) {
                    tile.cells.spans[s] = agents_.span(bucket);
                    bucket = agents_.next(bucket);
                    tile.cells.first_span[count + 1] = s + 1;
                }
                tile.crowded[count] = bucket != kNoBucket;
                if (tile.crowded[count]) {
                    tile.cells.first_span[count + 1] = spans;
                    tile.any_crowded = true;
                }
                spans = tile.cells.first_span[count + 1];
                tile.numbers[count++] = link.cell();
            }
            if (cursor.link != tight_.kNone) { break; }
            std::size_t a = 0;
            while (a < Dim && cursor.at[a] == cursor.block.hi[a]) {
                cursor.at[a] = cursor.block.lo[a];
                ++a;
            }
            if (a == Dim) {
                cursor.done = true;
                break;
            }
            ++cursor.at[a];
            cursor.link = tight_.head(tight_.number_of(level, cursor.at));
        }
        tile.cells.count = count;
        for (std::uint32_t i = count; i < count + simd::kSlack; ++i) {
            tile.cells.marks[i] = 0;
            for (std::size_t a = 0; a < Dim; ++a) {
                tile.cells.lo[a][i] = tile.cells.hi[a][i] = 0.0f;
            }
        }
    }

    /// Finds the pairs within a tile, or the pairs between a tile and another, if `others` is not
    /// null.
    bool search_tiles(const Tile& tile, const Tile* others) {
        cells_.others = others == nullptr ? nullptr : &others->cells;
        simd::CellPairsAt at;
        while (!simd::list_cell_pairs(cells_, at, out_)) {
            if (!hand_over()) { return false; }
        }
        const bool crowded = tile.any_crowded || (others != nullptr && others->any_crowded);
        return !crowded || search_crowded(tile, others);
    }

    /// Finds the pairs of agents in two cells if at least one of the cells is crowded.
    bool search_crowded(const Tile& tile, const Tile* rest) {
        const Tile& others = rest == nullptr ? tile : *rest;
        for (std::uint32_t i = 0; i < tile.cells.count; ++i) {
            std::uint32_t near = 0;
            for (std::uint32_t k = rest == nullptr ? i + 1 : 0; k < others.cells.count; ++k) {
                bool both = (tile.crowded[i] || others.crowded[k]) &&
                            (tile.cells.marks[i] & others.cells.marks[k]) == 0;
                for (std::size_t a = 0; a < Dim; ++a) {
                    both = both && tile.cells.lo[a][i] <= others.cells.hi[a][k] &&
                           others.cells.lo[a][k] <= tile.cells.hi[a][i];
                }
                if (both) { near_[near++] = state_.cells[others.numbers[k]].head; }
            }
            const bool among = rest == nullptr && tile.crowded[i] && tile.cells.marks[i] == 0;
            if ((among || near != 0) && !search_chains(tile.numbers[i], among, near)) {
                return false;
            }
        }
        return true;
    }

    /// Finds the pairs of a cell's agents with agents in cells of higher levels.
    bool search_above(std::size_t number, std::uint32_t cell) {
        const Box<Dim>& cover = state_.cells[cell].cover;
        std::uint32_t near = 0;
        const bool done = tight_.search(
            state_.range_of(cover),
            [&](std::uint32_t other, bool first) {
                if (!first || !touch(cover, state_.cells[other].cover)) { return true; }
                near_[near++] = state_.cells[other].head;
                if (near < near_.size()) { return true; }
                return search_chains(cell, false, std::exchange(near, 0));
            },
            number + 1);
        return done && (near == 0 || search_chains(cell, false, near));
    }

    /// Finds the pairs of a cell's agents with each other, if `among`, and with the agents of the
    /// chains in near_, some buckets at a time.
    bool search_chains(std::uint32_t number, bool among, std::uint32_t near) {
        const LooseCell<Dim>& cell = state_.cells[number];
        for (std::size_t a = 0; a < Dim; ++a) {
            spans_.lo[a] = cell.cover.lo[a];
            spans_.hi[a] = cell.cover.hi[a];
        }
        for (std::uint32_t bucket = cell.head; bucket != kNoBucket;) {
            spans_.own_count = 0;
            while (bucket != kNoBucket && spans_.own_count < own_.size()) {
                own_[spans_.own_count++] = agents_.span(bucket);
                bucket = agents_.next(bucket);
            }
            // First the rest of the cell's own chain, then the chains in near_.
            std::uint32_t other = among ? bucket : kNoBucket;
            std::uint32_t chain = 0;
            spans_.others_only = !among;
            for (bool more = true; more; spans_.others_only = true) {
                spans_.other_count = 0;
                for (;;) {
                    while (other == kNoBucket && chain < near) {
                        other = near_[chain++];
                    }
                    more = other != kNoBucket;
                    if (!more || spans_.other_count == others_.size()) { break; }
                    others_[spans_.other_count++] = agents_.span(other);
                    other = agents_.next(other);
                }
                if (!list()) { return false; }
            }
        }
        return true;
    }

    bool list() {
        simd::SpanPairsAt at;
        while (!simd::list_span_pairs(spans_, at, out_)) {
            if (!hand_over()) { return false; }
        }
        return true;
    }

    bool hand_over() {
        const std::size_t count = std::exchange(out_.used, 0);
        visited_ += count;
        enough_ = enough_ || (count != 0 && !visitor_(std::span<const Id>(first_.data(), count),
                                                      std::span<const Id>(second_.data(), count)));
        return !enough_;
    }

    const State& state_;
    const CoarseGrid<Dim>& tight_;
    const BucketStore<Dim>& agents_;
    IndexPairVisitor visitor_;
    std::size_t visited_ = 0;
    bool enough_ = false;
    // Not initialised: only words that were written are read.
    simd::SpanPairs<Dim> spans_;
    simd::CellPairs<Dim> cells_;
    std::array<simd::ScanSpan, 32> own_;
    std::array<simd::ScanSpan, 64> others_;
    Tile tile_, rest_;
    std::array<std::uint32_t, simd::CellTile<Dim>::kCells> near_; ///< heads of cells that are near
    std::array<Id, kPairRun> first_, second_;
    simd::SpanPairsOutput out_;
};

} // namespace

template <std::size_t Dim>
Found DoubleGrid<Dim>::visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const {
    using Search = PairSearch<Dim, State>;
    return {Search(*state_, visitor, groups).run(0, Search::blocks(state_->tight)), {}};
}

template <std::size_t Dim>
Found DoubleGrid<Dim>::visit_pairs(IndexPairVisitor visitor, Executor& executor,
                                   std::uint32_t groups) const {
    using Search = PairSearch<Dim, State>;
    const std::size_t parts = Search::blocks(state_->tight);
    const LoopCost cost = LoopCost::of(state_->count, kPairs);
    const std::size_t blocks = pair_blocks(executor, cost, parts);
    const auto visit = [&](std::size_t block, IndexPairVisitor one) {
        Search(*state_, one, groups).run(block * parts / blocks, (block + 1) * parts / blocks);
    };
    return visit_pair_blocks(executor, blocks, cost, visitor, visit);
}

template Found DoubleGrid<2>::visit_pairs(IndexPairVisitor, std::uint32_t) const;
template Found DoubleGrid<3>::visit_pairs(IndexPairVisitor, std::uint32_t) const;
template Found DoubleGrid<2>::visit_pairs(IndexPairVisitor, Executor&, std::uint32_t) const;
template Found DoubleGrid<3>::visit_pairs(IndexPairVisitor, Executor&, std::uint32_t) const;

} // namespace throng
