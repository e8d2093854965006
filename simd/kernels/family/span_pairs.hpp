// The kernel that lists the pairs of overlapping agents of some short spans.
#pragma once

#include "../../isa/slack.hpp"
#include "../../views/grid_view.hpp"
#include "../../views/scan_span.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// The most agents in a span of a SpanPairs.
inline constexpr std::uint32_t kSpanAgents = 16;

/// The room that list_span_pairs() needs: with less it does not begin with the partners of an
/// agent.
inline constexpr std::uint32_t kLeastSpanPairs = 128;

/// The agents of a cell or leaf, `own`, and the agents of other cells or leaves that may overlap
/// these, `others`. The arrays of all spans need kSlack readable words behind each field.
template <std::size_t Dim>
struct SpanPairs {
    const ScanSpan* own;
    const ScanSpan* others;
    std::uint32_t own_count;
    std::uint32_t other_count;
    float lo[Dim], hi[Dim];     ///< bounds of the boxes of all agents of `own`
    float max_half_extent[Dim]; ///< the half extent of all agents, unless they have their own
    bool own_extents;
    bool with_groups;         ///< whether agents have masks
    std::uint32_t groups;     ///< agents outside are in no pair; ~0: no agent is outside
    bool others_only = false; ///< leaves out the pairs of two agents of `own`
};

/// How far the pairs have been listed. Begins as zeros.
struct SpanPairsAt {
    std::uint32_t span = 0;  ///< spans of `own` before this one are done
    std::uint32_t other = 0; ///< the next partner of that span, numbered through `own` and then
                             ///< `others`; 0: the first
    std::uint32_t agent = 0; ///< agents of `span` before this one are done with `other` and later
};

/// Where pairs go; the arrays are not written from `capacity` on.
struct SpanPairsOutput {
    std::uint32_t* first;
    std::uint32_t* second;
    std::size_t capacity;
    std::size_t used = 0;
};

/// Appends all pairs of overlapping agents, each once: two agents of `own`, or one of `own`, which
/// comes first, and one of `others`. True when all are listed; or false when it needs more room:
/// then call again with room for at least kLeastSpanPairs. The order depends only on the spans.
template <std::size_t Dim>
bool list_span_pairs(const SpanPairs<Dim>& spans, SpanPairsAt& at, SpanPairsOutput& out) noexcept;

/// The same on one instruction set; each is compiled from span_pairs.kernel.cpp.
template <class Arch, std::size_t Dim>
bool list_span_pairs_on(Arch, const SpanPairs<Dim>& spans, SpanPairsAt& at,
                        SpanPairsOutput& out) noexcept;

} // namespace throng::simd
