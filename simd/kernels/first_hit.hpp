// Which agent does a path hit first, and when?
#pragma once

#include "../views/query_one.hpp"

namespace throng::simd {

/// A hit; none while the id is all ones.
struct TimedHit {
    float time = __builtin_huge_valf();
    std::uint32_t id = ~0u;
};

/// Many hits: the arrays need room for kSlack more than `end` says.
struct PathHitsOutput {
    std::uint32_t* times; ///< the bits of floats
    std::uint32_t* ids;   ///< the next free slots
    std::uint32_t* end;   ///< of the ids: no hits are begun from here on
};

/// Comes before all hits.
inline constexpr TimedHit kBeforeHits = {-1.0f, 0};

/// The first agent hit that comes after the hit `after`; of several at the same time, the one with
/// the smallest id. `Block` is a RayBlock or a CapsuleBlock.
template <class Block>
TimedHit find_first_hit(const GridView<Block::kDim>& grid, const Block& query,
                        const KernelFilter& kernel_filter,
                        const TimedHit& after = kBeforeHits) noexcept;

/// All agents that are hit, in canonical order. False when there are more: then call again with
/// more room and the same cursor.
template <class Block>
bool list_path_hits(const GridView<Block::kDim>& grid, const Block& query,
                    const KernelFilter& kernel_filter, QueryCursor& cursor,
                    PathHitsOutput& out) noexcept;

/// The same on one instruction set; each is compiled from first_hit.kernel.cpp.
template <class Arch, class Block>
TimedHit find_first_hit_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                           const KernelFilter& kernel_filter, const TimedHit& after) noexcept;
template <class Arch, class Block>
bool list_path_hits_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                       const KernelFilter& kernel_filter, QueryCursor& cursor,
                       PathHitsOutput& out) noexcept;

} // namespace throng::simd
