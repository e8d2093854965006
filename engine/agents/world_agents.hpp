// Agents in a world too large for floats.
#pragma once

#include "../../simd/isa/export.hpp"
#include "agents.hpp"
#include "point.hpp"
#include "view.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace throng {

/// A point in world coordinates. Made only from an array, as in WorldPoint<2>({1e9, 2.5}): braces
/// around numbers alone, and empty braces, still make a Point.
template <std::size_t Dim>
struct WorldPoint {
    std::array<double, Dim> axis;

    explicit constexpr WorldPoint(const std::array<double, Dim>& coordinates) noexcept
        : axis(coordinates) {}

    [[nodiscard]] constexpr double& operator[](std::size_t a) noexcept { return axis[a]; }
    [[nodiscard]] constexpr double operator[](std::size_t a) const noexcept { return axis[a]; }
    friend constexpr bool operator==(const WorldPoint&, const WorldPoint&) noexcept = default;
};

/// Agents whose positions are in world coordinates; everything else is as in Agents.
template <std::size_t Dim>
struct THRONG_API WorldAgents {
    WorldPointView<Dim> positions;
    Point<Dim> common_half_extent{};
    PointView<Dim> half_extents{};
    ValueView<std::uint32_t> groups{};

    explicit WorldAgents(const WorldPointView<Dim>& of_agents) noexcept : positions(of_agents) {}
};

/// The arguments of calls that replace all agents. Braces make Agents, not WorldAgents.
template <class All, std::size_t Dim>
concept AllAgents = std::same_as<All, Agents<Dim>> || std::same_as<All, WorldAgents<Dim>>;

/// One agent, for insert(), as in Agent.
template <std::size_t Dim>
struct WorldAgent {
    WorldPoint<Dim> position;
    std::optional<Point<Dim>> half_extent{};
    std::optional<std::uint32_t> groups{};
};

} // namespace throng
