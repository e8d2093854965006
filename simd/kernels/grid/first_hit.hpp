// The kernels that find which agents a path hits, and when.
#pragma once

#include "../../views/query_one.hpp"

#include <cstddef>

namespace throng::simd {

/// A hit and its time; no hit if the id is all ones.
struct TimedHit {
    float time = __builtin_huge_valf();
    std::uint32_t id = ~0u;
};

/// The order of hits as a whole number: by time, then by id. No time is negative except that of
/// kBeforeHits, and no time is -0.
[[gnu::always_inline]] constexpr std::int64_t order_of(const TimedHit& hit) noexcept {
    return static_cast<std::int64_t>(__builtin_bit_cast(std::int32_t, hit.time)) * (1ll << 32) +
           hit.id;
}
[[gnu::always_inline]] constexpr bool comes_before(const TimedHit& a, const TimedHit& b) noexcept {
    return order_of(a) < order_of(b);
}

/// The first hits so far, as many as there is room for: a heap with the last of them on top. So a
/// search keeps the first m of n hits in O(n log m), or in O(n) if it finds them in order.
struct HitPage {
    void* hits;       ///< records like TimedHit: a time, then an id
    std::size_t room; ///< at least one
    std::size_t count = 0;

    /// Only hits before this one are wanted.
    [[gnu::always_inline]] TimedHit bound() const noexcept {
        return count < room ? TimedHit{} : at(0);
    }
    /// Adds a hit, which must come before bound().
    [[gnu::always_inline]] void add(const TimedHit& hit) noexcept {
        if (count < room) {
            std::size_t i = count++;
            for (; i != 0 && comes_before(at((i - 1) / 2), hit); i = (i - 1) / 2) {
                put(i, at((i - 1) / 2));
            }
            return put(i, hit);
        }
        std::size_t i = 0;
        for (std::size_t child = 1; child < count; child = 2 * i + 1) {
            if (child + 1 < count && comes_before(at(child), at(child + 1))) { ++child; }
            if (!comes_before(hit, at(child))) { break; }
            put(i, at(child));
            i = child;
        }
        put(i, hit);
    }

private:
    // Copied as bytes, since callers keep hits of a type of their own.
    [[gnu::always_inline]] TimedHit at(std::size_t i) const noexcept {
        TimedHit hit;
        __builtin_memcpy(&hit, static_cast<const char*>(hits) + i * sizeof hit, sizeof hit);
        return hit;
    }
    [[gnu::always_inline]] void put(std::size_t i, const TimedHit& hit) const noexcept {
        __builtin_memcpy(static_cast<char*>(hits) + i * sizeof hit, &hit, sizeof hit);
    }
};

/// Where many hits go. Both arrays need room for kSlack elements more than `end` says.
struct PathHitsOutput {
    std::uint32_t* times; ///< the bits of floats
    std::uint32_t* ids;   ///< where the next id goes
    std::uint32_t* end;   ///< the end of the ids: no vector of hits is begun from here on
};

/// Comes before all hits.
inline constexpr TimedHit kBeforeHits = {-1.0f, 0};

/// The first hit that comes after the hit `after`; of several hits at the same time, the hit with
/// the smallest id. `Block` is a RayBlock or a CapsuleBlock.
template <class Block>
TimedHit find_first_hit(const GridView<Block::kDim>& grid, const Block& query,
                        const KernelFilter& kernel_filter,
                        const TimedHit& after = kBeforeHits) noexcept;

/// Adds to a page the hits that come after `after` and before the page's bound.
template <class Block>
void add_next_hits(const GridView<Block::kDim>& grid, const Block& query,
                   const KernelFilter& kernel_filter, const TimedHit& after,
                   HitPage& page) noexcept;

/// Lists all agents that are hit, in canonical order. False when there are more: then call again
/// with more room and the same cursor.
template <class Block>
bool list_path_hits(const GridView<Block::kDim>& grid, const Block& query,
                    const KernelFilter& kernel_filter, QueryCursor& cursor,
                    PathHitsOutput& out) noexcept;

/// The same on one instruction set; each is compiled from first_hit.kernel.cpp.
template <class Arch, class Block>
TimedHit find_first_hit_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                           const KernelFilter& kernel_filter, const TimedHit& after) noexcept;
template <class Arch, class Block>
void add_next_hits_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                      const KernelFilter& kernel_filter, const TimedHit& after,
                      HitPage& page) noexcept;
template <class Arch, class Block>
bool list_path_hits_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                       const KernelFilter& kernel_filter, QueryCursor& cursor,
                       PathHitsOutput& out) noexcept;

} // namespace throng::simd
