// Arrays of the caller's that answers are written to.
#pragma once

#include "../core/id.hpp"
#include "nearest.hpp"

#include <cstdint>
#include <span>

namespace throng {

/// Arrays of the caller's for the answers to many queries, which are laid out as in Hits.
///
/// `offsets` must have one entry more than there are queries (none if there are no queries). It is
/// always right, even if `ids` is too short; `ids` then holds the first ids, as many as fit. Up to
/// 16 entries of `ids` behind the answers may be overwritten; nothing outside the two arrays is.
struct HitsBuffer {
    std::span<std::uint64_t> offsets;
    std::span<Id> ids;
    std::uint64_t used = 0; ///< range calls append behind these ids, and count offsets from there
};

/// Arrays of the caller's for the agents nearest to many points or agents: k entries and a count
/// for each.
struct NearBuffer {
    std::span<Near> nearest;
    std::span<std::uint32_t> counts;
};

/// Arrays of the caller's for pairs. Arrays that are too short hold the first pairs, as many as fit
/// the shorter one. Entries behind the pairs may be overwritten; nothing outside the two arrays is.
struct PairsBuffer {
    std::span<Id> first, second;
};

} // namespace throng
