// The checks that all structures make of their input, in one place.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../core/status.hpp"
#include "agents.hpp"
#include "box.hpp"

#include <cstddef>
#include <span>

namespace throng {

/// The values that an index of this crowd keeps: half extents and masks of each agent if `agents`
/// has those views.
template <std::size_t Dim>
[[nodiscard]] THRONG_API CrowdKind<Dim> kind_of(const Agents<Dim>& agents) noexcept;

/// Refuses a common half extent that is not valid, unless agents have half extents of their own.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_kind(const CrowdKind<Dim>& kind) noexcept;

/// Refuses bounds that are not finite, beyond kLargest or inverted; blames an axis.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_bounds(const Box<Dim>& bounds) noexcept;

/// The first thing wrong with the views themselves: null pointers with a count, counts that differ,
/// more than kMaxAgents, a common half extent that is not valid. Does not read the arrays.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_views(const Agents<Dim>& agents) noexcept;

/// check_views(), then every position, then every extent. Of several faults it names the one with
/// the smallest index in the first argument that has any, and there the first axis at fault. The
/// agents in `skipped`, in ascending order, are not checked.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_agents(const Agents<Dim>& agents,
                                             std::span<const Id> skipped = {}) noexcept;

/// Checks that insert() is given exactly the values that the crowd keeps, then the values
/// themselves.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_agent(const Agent<Dim>& agent,
                                            const CrowdKind<Dim>& kind) noexcept;

/// Refuses a point that is not finite or beyond kLargest; blames `index` of `argument`.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_point(const Point<Dim>& point, Argument argument,
                                            std::size_t index = 0) noexcept;

/// Refuses half extents that are not finite, negative or beyond kLargest on any axis; blames
/// `index` of the half extents.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_half_extent(const Point<Dim>& half_extent,
                                                  std::size_t index = 0) noexcept;

/// Refuses one extent, radius or length for the same causes; blames `argument`.
[[nodiscard]] THRONG_API Status check_length(float length, Argument argument) noexcept;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
