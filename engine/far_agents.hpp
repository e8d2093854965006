// Agents in a world too large for floats.
#pragma once

#include "../simd/export.hpp"
#include "agents.hpp"
#include "point.hpp"
#include "view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace throng {

/// A place in world coordinates. Made from an array and from nothing else, so that braces around
/// numbers, and nothing at all, stay a Point: FarPoint<2>({1e9, 2.5}).
template <std::size_t Dim>
struct FarPoint {
    std::array<double, Dim> axis;

    explicit constexpr FarPoint(const std::array<double, Dim>& coordinates) noexcept
        : axis(coordinates) {}

    [[nodiscard]] constexpr double& operator[](std::size_t a) noexcept { return axis[a]; }
    [[nodiscard]] constexpr double operator[](std::size_t a) const noexcept { return axis[a]; }
    friend constexpr bool operator==(const FarPoint&, const FarPoint&) noexcept = default;
};

/// Agents whose positions are in world coordinates; all else is as in Agents.
template <std::size_t Dim>
struct THRONG_API FarAgents {
    FarPointView<Dim> positions;
    Point<Dim> common_half_extent{};
    PointView<Dim> half_extents{};
    ValueView<std::uint32_t> groups{};

    explicit FarAgents(const FarPointView<Dim>& of_agents) noexcept : positions(of_agents) {}
};

/// One agent, for insert(), as in Agent.
template <std::size_t Dim>
struct FarAgent {
    FarPoint<Dim> position;
    std::optional<Point<Dim>> half_extent{};
    std::optional<std::uint32_t> groups{};
};

} // namespace throng
