// Which agents of a grid does each query find?
#pragma once

#include "../isa/slack.hpp"
#include "grid_view.hpp"
#include "shape_blocks.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Which agents to leave out. `groups` must be all ones where the grid keeps no masks, and
/// `without` where its agent is not in the grid.
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
    /// For searches of later agents only: query q begins its search q slots after this one.
    RowSlot begin{0, 0};

    [[nodiscard]] constexpr bool nothing() const noexcept {
        // With & each word is loaded by itself. Compilers may turn two comparisons into one load of
        // both words, which waits long, as the words were just stored one by one.
        return each == nullptr && (groups & without) == ~0u;
    }
};

/// Remembers that it did not pay to search for a packet's queries together. The next packets mostly
/// behave like the last, and the test takes time: after several refusals few blocks are tested.
struct GoingApart {
    std::uint32_t blocks = 0; ///< blocks to skip without a test
    std::uint32_t more = 0;   ///< blocks to skip after the next refusal

    /// Whether to skip the test for this block.
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
    std::uint64_t* offsets; ///< of the block's first query; offsets[q + 1] is written
    GoingApart apart = {};  ///< only kernels use this
};

/// What a query returns of its hits.
enum class Form { ids, count, any, stats };

/// Answers queries 0 ... count - 1 of a block in order, appending ids, until one does not fit;
/// returns how many were answered. `Block` is a BoxBlock or a BallBlock.
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
