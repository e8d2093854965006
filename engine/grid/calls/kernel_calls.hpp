// Hands queries to the kernels. Internal to the engine.
#pragma once

#include "../../../simd/isa/slack.hpp"
#include "../../../simd/views/query_block.hpp"
#include "../../../simd/views/query_one.hpp"
#include "../../agents/filter.hpp"
#include "../../answers/write_hits.hpp"
#include "../../shapes/any_block.hpp"
#include "../../shapes/kernel_blocks.hpp"
#include "../planner/query_planner.hpp"
#include "../store/state.hpp"
#include "../store/view.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace throng {

/// The filter, as kernels take it.
template <std::size_t Dim>
[[nodiscard]] simd::KernelFilter kernel_filter_of(const RowStore<Dim>& store, const RowOfId& row_of,
                                                  const Filter& filter) noexcept {
    // If the agent to leave out is not in this grid, the kernels' filter does not name it: then
    // spans can be copied whole.
    const std::uint32_t row = row_of[filter.without];
    return {store.groups_to_compare(filter.groups), row == kNoRow ? kNoId : filter.without, row};
}

/// simd::query_one() for a shape that is neither box nor ball.
template <simd::Form form, std::size_t Dim>
bool query_one(const simd::GridView<Dim>& grid, const AnyBlock<Dim>& rare,
               const simd::KernelFilter& kernel_filter, simd::QueryCursor& cursor) noexcept {
    return with_block(rare, [&]<class Block>(const Block& block) -> bool {
        if constexpr (Block::kQueries == 1) {
            return simd::query_one<form>(grid, block, kernel_filter, cursor);
        } else {
            THRONG_ASSERT(Block::kQueries == 1);
            __builtin_trap();
        }
    });
}

/// Answers queries 0 ... count - 1 of a block in order, appending ids, until one does not fit;
/// returns how many were answered.
template <std::size_t Dim>
std::size_t select_block(const simd::GridView<Dim>& grid, const AnyBlock<Dim>& any,
                         std::size_t count, const simd::KernelFilter& kernel_filter,
                         simd::BatchOutput& out) noexcept {
    return with_block(any, [&]<class Block>(const Block& block) {
        if constexpr (Block::kQueries > 1) {
            return simd::query_block(grid, block, count, kernel_filter, out);
        } else {
            return select_one(
                [&]<simd::Form form>(simd::QueryCursor& cursor) {
                    return simd::query_one<form>(grid, block, kernel_filter, cursor);
                },
                out);
        }
    });
}

/// How many agents each query of a block finds; or, for Form::any, 1 if it finds any.
template <simd::Form form, std::size_t Dim>
void tally_block(const simd::GridView<Dim>& grid, const AnyBlock<Dim>& any, std::size_t count,
                 const simd::KernelFilter& kernel_filter, std::uint32_t* counts) noexcept {
    with_block(any, [&]<class Block>(const Block& block) {
        if constexpr (Block::kQueries > 1) {
            simd::count_block<form>(grid, block, count, kernel_filter, counts);
        } else {
            simd::QueryCursor cursor;
            simd::query_one<form>(grid, block, kernel_filter, cursor);
            const auto hits = static_cast<std::uint32_t>(cursor.hits);
            counts[0] = form == simd::Form::any ? std::min(hits, 1u) : hits;
        }
    });
}

/// The filters of the queries of a block, in the kernels' form. Kernels read up to kSlack entries
/// past the last.
struct SkippedByEach {
    static constexpr std::size_t kRoom = simd::kBlockQueries + simd::kSlack;
    static constexpr std::size_t kWords = 3 * kRoom;
    std::span<std::uint32_t> words; ///< kWords words

    /// Writes the filters of the first `count` queries of `block`, and returns the kernels' filter
    /// that points to them. In `block`, a query that wants no group becomes one that finds nothing.
    template <std::size_t Dim>
    simd::KernelFilter fill(const RowStore<Dim>& store, const RowOfId& row_of,
                            const Filters& filters, std::size_t count,
                            AnyBlock<Dim>& block) const noexcept {
        std::uint32_t* const ids = words.data();
        std::uint32_t* const groups = ids + kRoom;
        std::uint32_t* const rows = groups + kRoom;
        for (std::size_t i = 0; i < count; ++i) {
            const simd::KernelFilter one = kernel_filter_of(store, row_of, filters.of(i));
            ids[i] = one.without;
            groups[i] = one.groups;
            rows[i] = one.row_of_without;
            if (filters.of(i).groups == 0) { put_nothing(block, i); }
        }
        simd::KernelFilter all;
        all.each = ids;
        all.rows_of_each = rows;
        all.groups = groups[0];
        // If all queries have the same group mask (the usual case), packets may share a filter.
        const auto differs = [&](std::uint32_t some) { return some != groups[0]; };
        if (std::any_of(groups, groups + count, differs)) { all.groups_of_each = groups; }
        return all;
    }
};

/// Writes the hits of query 0 of a block to `out`: as many as fit, and nothing past its end.
/// Returns how many there are. `last` is scratch for at least two vectors: kernels write whole
/// vectors, so the last hits are written there first. The search starts at `begin`.
template <std::size_t Dim, class Block>
[[gnu::always_inline]] inline std::size_t
write_hits(const simd::GridView<Dim>& grid, const Block& block,
           const simd::KernelFilter& kernel_filter, std::span<Id> out, std::span<Id> last,
           const simd::QueryCursor& begin = {}) noexcept {
    using simd::query_one;
    return write_hits(
        [&]<simd::Form form>(simd::QueryCursor& cursor) {
            return query_one<form>(grid, block, kernel_filter, cursor);
        },
        out, last, begin);
}

} // namespace throng
