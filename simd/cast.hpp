// Whom does a ray meet, and when?
#pragma once

#include "walk.hpp"

namespace throng::simd {

/// Nobody, as long as the id is all ones.
struct Met {
    float time = __builtin_huge_valf();
    std::uint32_t id = ~0u;
};

/// Many meetings: the arrays need room for kSlack more than `end` says.
struct MetOutput {
    std::uint32_t* times; ///< the bits of floats
    std::uint32_t* ids;   ///< the next free places
    std::uint32_t* end;   ///< of the ids: nothing more is begun from here on
};

/// Who is met first; of several at the same time, the one of the smallest id. `Block` is a
/// TrackBlock or a SweepBlock.
template <class Block>
Met cast_first(const GridView<Block::kDim>& grid, const Block& query,
               const LeaveOut& leave_out) noexcept;

/// Everybody who is met, in canonical order. False when there are more: then call again with more
/// room and the same walk.
template <class Block>
bool cast_all(const GridView<Block::kDim>& grid, const Block& query, const LeaveOut& leave_out,
              Walk& walk, MetOutput& out) noexcept;

/// The same on one instruction set; each is compiled from cast.kernel.cpp.
template <class Arch, class Block>
Met cast_first_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                  const LeaveOut& leave_out) noexcept;
template <class Arch, class Block>
bool cast_all_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                 const LeaveOut& leave_out, Walk& walk, MetOutput& out) noexcept;

} // namespace throng::simd
