// The kernel that finds the agents of some short lists that a query asks for.
#pragma once

#include "../../views/query_one.hpp"
#include "../../views/scan_span.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// What is known of all agents of the lists: their common or largest half extents, and their
/// fields.
struct ScanCrowd {
    float max_half_extent[3]; ///< one for each axis
    bool own_extents, groups;
};

/// Writes the ids of the agents that query 0 of a block finds, list by list, and returns true; or
/// false when it needs more room: then pass another buffer of at least kSlack ids and call again.
/// In the cursor, `row` is the number of a list here. `Block` is any of
/// THRONG_FOR_EACH_QUERY_BLOCK.
template <class Block>
bool scan(const ScanCrowd& crowd, const Block& query, const KernelFilter& kernel_filter,
          const ScanSpan* spans, std::size_t count, QueryCursor& cursor) noexcept;

/// The same on one instruction set, compiled from query_buckets.kernel.cpp.
template <class Arch, class Block>
bool scan_on(Arch, const ScanCrowd& crowd, const Block& query, const KernelFilter& kernel_filter,
             const ScanSpan* spans, std::size_t count, QueryCursor& cursor) noexcept;

} // namespace throng::simd
