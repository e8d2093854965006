// Kernels that answer a block of queries to a grid: ids, or numbers of hits.
#pragma once

#include "../isa/slack.hpp"
#include "grid_view.hpp"
#include "shape_blocks.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Which agents a search leaves out: agents in none of `groups`, and the agent with id `without`.
/// `groups` must be all ones if the grid keeps no masks. `without` must be all ones if no agent is
/// left out, or if the agent to leave out is not in the grid.
struct KernelFilter {
    std::uint32_t groups = ~0u;
    std::uint32_t without = ~0u;
    std::uint32_t row_of_without = ~0u;
    /// In a block of queries: the agent that each query leaves out. All of these agents are in
    /// `row_of_without`, and `without` is ignored. Null: none.
    const std::uint32_t* each = nullptr;
    /// With `each`: the groups of each query, and the row of each query's agent, where these differ
    /// between queries.
    const std::uint32_t* groups_of_each = nullptr;
    const std::uint32_t* rows_of_each = nullptr;
    /// For searches of later agents only: query q begins its search q slots after `begin`.
    RowSlot begin{0, 0};

    [[nodiscard]] constexpr bool nothing() const noexcept {
        // With & each word is loaded by itself. Compilers may turn two comparisons into one load of
        // both words, which waits long, as the words were just stored one by one.
        return each == nullptr && (groups & without) == ~0u;
    }
};

/// Remembers tests that found that it does not pay to search for a packet's queries together. The
/// next packets mostly behave like the last, and a test takes time: after several such tests in a
/// row most blocks are searched query by query without a test.
struct GoingApart {
    std::uint32_t blocks = 0; ///< how many of the next blocks are not tested
    std::uint32_t more = 0;   ///< `blocks` after the next test that finds that it does not pay

    /// Whether to leave out the test for this block.
    constexpr bool next() noexcept {
        if (blocks == 0) { return false; }
        --blocks;
        return true;
    }
    /// Takes the result of a packet's test.
    constexpr void went(bool together) noexcept {
        constexpr std::uint32_t kMost = 15;
        blocks = together ? 0 : more;
        more = together ? 0 : more < kMost ? 2 * more + 1 : kMost;
    }
};

/// Where a batch writes: `ids` has room for `capacity` ids and kSlack more.
struct BatchOutput {
    std::uint32_t* ids;
    std::uint64_t capacity;
    std::uint64_t used;
    std::uint64_t* offsets; ///< for query q of the block, offsets[q + 1] is written: its ids' end
    GoingApart apart = {};  ///< only kernels use this
};

/// What a query returns of its hits.
enum class Form { ids, count, any, stats };

/// Answers queries 0 ... count - 1 of a block in order, appending ids, until the ids of a query do
/// not fit; returns how many queries were answered. `Block` is one of THRONG_FOR_EACH_FULL_BLOCK.
template <class Block>
std::size_t query_block(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                        const KernelFilter& kernel_filter, BatchOutput& out) noexcept;

/// How many agents each of queries 0 ... count - 1 finds; or, for Form::any, 1 if it finds any.
template <Form form, class Block>
void count_block(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                 const KernelFilter& kernel_filter, std::uint32_t* counts) noexcept;

/// The same on one instruction set; each is compiled from query_block.kernel.cpp.
template <class Arch, class Block>
std::size_t query_block_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                           std::size_t count, const KernelFilter& kernel_filter,
                           BatchOutput& out) noexcept;
template <class Arch, class Block>
void count_block_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                    std::size_t count, const KernelFilter& kernel_filter, bool first_only,
                    std::uint32_t* counts) noexcept;

} // namespace throng::simd
