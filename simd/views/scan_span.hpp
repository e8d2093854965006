// A few agents that lie together, as arrays. Free of xsimd.
#pragma once

#include <cstdint>

namespace throng::simd {

/// Agents in arrays of fields, as in a row of a grid: field f of agent i is nodes[f * capacity +
/// i]. Kernels may read up to a vector past the last agent.
struct ScanSpan {
    const std::uint32_t* nodes;
    std::uint32_t capacity, count;
};

} // namespace throng::simd
