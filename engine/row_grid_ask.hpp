// Questions on their way to the kernels. Internal to the engine.
#pragma once

#include "../simd/query.hpp"
#include "../simd/slack.hpp"
#include "../simd/walk.hpp"
#include "filter.hpp"
#include "hierarchical_bitset.hpp"
#include "query_planner.hpp"
#include "question_blocks.hpp"
#include "row_grid_state.hpp"
#include "shapes.hpp"
#include "walk_hits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace throng {

/// The grid as kernels see it. Borrows the levels of the set of occupied rows.
template <std::size_t Dim>
struct View {
    std::array<const std::uint64_t*, HierarchicalBitset::kMaxLevels> levels;
    simd::GridView<Dim> grid;

    View(const RowStore<Dim>& store, const Point<Dim>& reach) noexcept
        : levels(store.occupied().levels()) {
        const GridShape<Dim>& shape = store.shape();
        grid.rows = store.rows().data();
        grid.occupied = levels.data();
        grid.occupied_depth = store.occupied().depth();
        grid.row_count = static_cast<std::uint32_t>(store.rows().size());
        for (std::size_t a = 0; a < Dim; ++a) {
            grid.origin[a] = shape.origin[a];
            grid.inverse_cell[a] = shape.inverse_cell[a];
            grid.last_cell[a] = static_cast<float>(shape.cells[a] - 1);
            grid.cells[a] = shape.cells[a];
            grid.reach[a] = reach[a];
        }
        grid.own_extents = store.kind().own_half_extents;
        grid.groups = store.kind().groups;
        grid.full_table = TableForm{}.words(shape.cells[0]);
        grid.tiles = store.tiles().words();
        grid.stretches = store.tiles().stretches();
        grid.stretch_shift = store.tiles().shift();
    }
    /// For a search that goes this way: without the tiles if it is to do without.
    View(const RowStore<Dim>& store, const Point<Dim>& reach, SearchPath path) noexcept
        : View(store, reach) {
        if (path == SearchPath::rows) { grid.tiles = nullptr; }
    }
    View(const View&) = delete;
    View& operator=(const View&) = delete;
};

/// What the kernels are to leave out of a grid.
template <std::size_t Dim>
[[nodiscard]] simd::LeaveOut leave_out(const RowStore<Dim>& store, const RowOfId& row_of,
                                       const Filter& filter) noexcept {
    // A filter that cannot leave anybody out is none: then spans can be copied whole.
    const std::uint32_t row = row_of[filter.without];
    return {store.kind().groups ? filter.groups : kAllGroups,
            row == kNoRow ? kNoId : filter.without, row};
}

/// Answers queries 0 ... count - 1 of a block in order, appending ids, until one does not fit;
/// returns how many were answered.
template <std::size_t Dim, class Block>
std::size_t select_block(const simd::GridView<Dim>& grid, const Block& block, std::size_t count,
                         const simd::LeaveOut& left_out, simd::BatchOutput& out) noexcept {
    if constexpr (Block::kQueries > 1) {
        return simd::select_batch(grid, block, count, left_out, out);
    } else {
        return select_one(
            [&]<simd::Form form>(simd::Walk& walk) {
                return simd::walk<form>(grid, block, left_out, walk);
            },
            out);
    }
}

/// How many agents each of them finds; or, for Form::any, 1 if it finds any.
template <simd::Form form, std::size_t Dim, class Block>
void tally_block(const simd::GridView<Dim>& grid, const Block& block, std::size_t count,
                 const simd::LeaveOut& left_out, std::uint32_t* counts) noexcept {
    if constexpr (Block::kQueries > 1) {
        simd::tally_batch<form>(grid, block, count, left_out, counts);
    } else {
        simd::Walk walk;
        simd::walk<form>(grid, block, left_out, walk);
        const auto hits = static_cast<std::uint32_t>(walk.hits);
        counts[0] = form == simd::Form::any ? std::min(hits, 1u) : hits;
    }
}

/// Makes query `i` of a block one that finds nothing.
template <std::size_t Dim>
void put_nothing(simd::BoxBlock<Dim>& block, std::size_t i) noexcept {
    put(block, i, Box<Dim>{Point<Dim>::all(1.0f), Point<Dim>::all(-1.0f)});
}
template <std::size_t Dim>
void put_nothing(simd::BallBlock<Dim>& block, std::size_t i) noexcept {
    put(block, i, Ball<Dim>{Point<Dim>::all(0.0f), 0.0f});
    block.radius2[i] = -1.0f;
}

template <std::size_t Dim>
void put_nothing(simd::ConvexBlock<Dim>& block, std::size_t) noexcept {
    put(block, 0, Convex<Dim>{{}, 0, {Point<Dim>::all(1.0f), Point<Dim>::all(-1.0f)}});
}
template <std::size_t Dim>
void put_nothing(simd::SectorBlock<Dim>& block, std::size_t) noexcept {
    block.radius2 = -1.0f;
}
template <std::size_t Dim>
void put_nothing(simd::TrackBlock<Dim>& block, std::size_t) noexcept {
    block.length = -1.0f; // it is nowhere at any time
}
template <std::size_t Dim>
void put_nothing(simd::SweepBlock<Dim>& block, std::size_t) noexcept {
    block.length = -1.0f; // it is nowhere at any time
}

/// What each query of a block leaves out, in a form for the kernels, which read kSlack further.
struct LeftOutByEach {
    static constexpr std::size_t kRoom = simd::kBlockQueries + simd::kSlack;
    static constexpr std::size_t kWords = 3 * kRoom;
    std::span<std::uint32_t> words; ///< kWords of them

    /// For the first `count` queries of `block`, of which those that find nobody are replaced.
    template <std::size_t Dim, class Block>
    simd::LeaveOut fill(const RowStore<Dim>& store, const RowOfId& row_of, const Filters& filters,
                        std::size_t count, Block& block) const noexcept {
        std::uint32_t* const ids = words.data();
        std::uint32_t* const groups = ids + kRoom;
        std::uint32_t* const rows = groups + kRoom;
        for (std::size_t i = 0; i < count; ++i) {
            const simd::LeaveOut one = leave_out(store, row_of, filters.of(i));
            ids[i] = one.without;
            groups[i] = one.groups;
            rows[i] = one.row_of_without;
            if (filters.of(i).groups == 0) { put_nothing(block, i); }
        }
        simd::LeaveOut all;
        all.each = ids;
        all.rows_of_each = rows;
        all.groups = groups[0];
        // Of one mind about groups, as they mostly are: then packets can be taken together.
        const auto differs = [&](std::uint32_t some) { return some != groups[0]; };
        if (std::any_of(groups, groups + count, differs)) { all.groups_of_each = groups; }
        return all;
    }
};

/// Writes the hits of query 0 of a block to `out`, as many as fit, and no further. Returns how many
/// there are. `last` is scratch for at least two vectors: kernels write whole ones, so what comes
/// last takes a detour.
template <std::size_t Dim, class Block>
std::size_t write_hits(const simd::GridView<Dim>& grid, const Block& block,
                       const simd::LeaveOut& left_out, std::span<Id> out,
                       std::span<Id> last) noexcept {
    return write_hits(
        [&]<simd::Form form>(simd::Walk& walk) {
            return simd::walk<form>(grid, block, left_out, walk);
        },
        out, last);
}

} // namespace throng
