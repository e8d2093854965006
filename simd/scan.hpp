// Which agents of some short lists does a query find?
#pragma once

#include "scan_span.hpp"
#include "walk.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// What the agents of all lists have in common: the half extent, or the largest, and which fields
/// they have.
struct ScanCrowd {
    float reach[3]; ///< as many as there are axes
    bool own_extents, groups;
};

/// Writes the ids of the agents that query 0 of a block finds, list by list, and returns true; or
/// false when they want more room: then hand over another buffer of at least kSlack ids and call
/// again. Of the walk, `row` numbers lists here. `Block` is any of THRONG_FOR_EACH_WALK.
template <class Block>
bool scan(const ScanCrowd& crowd, const Block& query, const LeaveOut& leave_out,
          const ScanSpan* spans, std::size_t count, Walk& walk) noexcept;

/// The same on one instruction set, compiled from scan.kernel.cpp.
template <class Arch, class Block>
bool scan_on(Arch, const ScanCrowd& crowd, const Block& query, const LeaveOut& leave_out,
             const ScanSpan* spans, std::size_t count, Walk& walk) noexcept;

} // namespace throng::simd
