// Which agents of a grid does each query find?
#pragma once

#include "grid_view.hpp"
#include "slack.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Queries go to a kernel in blocks: enough to hide the cost of the call, few enough for the first
/// cache.
inline constexpr std::size_t kBlockQueries = 64;

/// One number of each query of a block. Arrays, not pointers: a kernel then needs one register for
/// all of them. Those beyond the block's end may hold anything.
using QueryFloats = float[kBlockQueries + kSlack];

/// Boxes; inverted ones find nothing.
template <std::size_t Dim>
struct BoxBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = kBlockQueries;
    QueryFloats lo[Dim], hi[Dim];
};

/// Balls; radius2 is the radius squared, in floats.
template <std::size_t Dim>
struct BallBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = kBlockQueries;
    QueryFloats centre[Dim], radius, radius2;
};

/// Whom to leave out. `groups` must be all ones where the grid keeps no masks, `without` where its
/// agent is not in the grid.
struct LeaveOut {
    std::uint32_t groups = ~0u;
    std::uint32_t without = ~0u;
    std::uint32_t row_of_without = ~0u;
    /// In a block of queries, the agent that each leaves out besides, and the row where all of them
    /// are; then `without` is of no account. Null: none.
    const std::uint32_t* each = nullptr;
    /// With `each`, the groups of each query, and the row of each one's agent, where they differ.
    const std::uint32_t* groups_of_each = nullptr;
    const std::uint32_t* rows_of_each = nullptr;

    [[nodiscard]] constexpr bool nobody() const noexcept { return groups == ~0u && without == ~0u; }
};

/// Where a batch writes: `ids` has room for `capacity` ids and kSlack more.
struct BatchOutput {
    std::uint32_t* ids;
    std::uint64_t capacity;
    std::uint64_t used;
    std::uint64_t* offsets; ///< of the block's first query; offsets[q + 1] is written
};

/// What to make of the hits of a query.
enum class Form { ids, count, any, stats };

/// Answers queries 0 ... count - 1 of a block in order, appending ids, until one does not fit;
/// returns how many were answered. `Block` is a BoxBlock or a BallBlock.
template <class Block>
std::size_t select_batch(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                         const LeaveOut& leave_out, BatchOutput& out) noexcept;

/// How many agents each of queries 0 ... count - 1 finds; or, for Form::any, 1 if it finds any.
template <Form form, class Block>
void tally_batch(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                 const LeaveOut& leave_out, std::uint32_t* counts) noexcept;

/// The same on one instruction set; each is compiled from query.kernel.cpp.
template <class Arch, class Block>
std::size_t select_batch_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                            std::size_t count, const LeaveOut& leave_out,
                            BatchOutput& out) noexcept;
template <Form form, class Arch, class Block>
void tally_batch_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                    std::size_t count, const LeaveOut& leave_out, std::uint32_t* counts) noexcept;

} // namespace throng::simd
