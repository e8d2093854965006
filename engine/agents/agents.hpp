// The agents of a crowd, as a caller hands them to an index.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../core/id.hpp"
#include "point.hpp"
#include "view.hpp"

#include <cstdint>
#include <optional>

namespace throng {

/// A whole crowd, borrowed for the length of one call. Agent i has the i-th value of each view.
template <std::size_t Dim>
struct THRONG_API Agents {
    PointView<Dim> positions;

    /// The half extent that all agents share, stored once. Not used where half_extents is given.
    Point<Dim> common_half_extent{};

    /// A half extent for each agent. Not given if the view has neither a pointer nor a count.
    PointView<Dim> half_extents{};

    /// A group mask for each agent. Not given if the view has neither a pointer nor a count.
    ValueView<std::uint32_t> groups{};
};

/// One agent, for insert(). An index stores half extents and groups only if its crowd has them: the
/// last update() or configure() decides whether an agent must have them or must not.
template <std::size_t Dim>
struct Agent {
    Point<Dim> position;
    std::optional<Point<Dim>> half_extent{};
    std::optional<std::uint32_t> groups{};
};

/// The values that an index stores for each agent besides its position and id.
template <std::size_t Dim>
struct CrowdKind {
    bool own_half_extents = false;
    bool groups = false;
    Point<Dim> common_half_extent{}; ///< zero where agents have their own

    friend constexpr bool operator==(const CrowdKind&, const CrowdKind&) noexcept = default;
};

} // namespace throng
