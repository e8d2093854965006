// The answer to one question, however large, a buffer at a time.
#pragma once

#include "query.hpp"
#include "shape_blocks.hpp"

namespace throng::simd {

/// A single query under way.
struct Walk {
    std::uint32_t row = 0;        ///< where to go on: rows before this one are done,
    std::uint32_t slot = 0;       ///< and so are nodes before this one in it
    std::uint32_t* out = nullptr; ///< Form::ids only: the next free place
    std::uint32_t* end = nullptr; ///< nothing is written from here on
    std::uint64_t hits = 0;       ///< the other forms
    std::uint64_t rows = 0, tested = 0, copied = 0; ///< Form::stats only
};

/// Answers query 0 and returns true; or false when Form::ids wants more room: then hand over
/// another buffer of at least kSlack ids and call again. `Block` is a BoxBlock, a BallBlock, or one
/// of shape_blocks.hpp.
template <Form form, class Block>
bool walk(const GridView<Block::kDim>& grid, const Block& query, const LeaveOut& leave_out,
          Walk& walk) noexcept;

/// The same on one instruction set, compiled from walk.kernel.cpp.
template <Form form, class Arch, class Block>
bool walk_on(Arch, const GridView<Block::kDim>& grid, const Block& query, const LeaveOut& leave_out,
             Walk& walk) noexcept;

} // namespace throng::simd

/// M(Block, Dim) for every block, for the files that instantiate templates.
#define THRONG_FOR_EACH_WALK(M)                                                                    \
    M(BoxBlock, 2)                                                                                 \
    M(BoxBlock, 3)                                                                                 \
    M(BallBlock, 2)                                                                                \
    M(BallBlock, 3)                                                                                \
    M(ConvexBlock, 2)                                                                              \
    M(ConvexBlock, 3)                                                                              \
    M(SectorBlock, 2)                                                                              \
    M(SectorBlock, 3)                                                                              \
    M(TrackBlock, 2)                                                                               \
    M(TrackBlock, 3)                                                                               \
    M(SweepBlock, 2)                                                                               \
    M(SweepBlock, 3)
