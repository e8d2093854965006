// Turns world coordinates into positions as a crowd keeps them.
#pragma once

#include "../engine/agents/world_agents.hpp"
#include "../engine/crowd/crowd.hpp"
#include "../engine/crowd/store/state.hpp"

#include <algorithm>
#include <cstddef>

namespace throng::c {

/// The point of the first Dim coordinates of three.
template <std::size_t Dim>
[[nodiscard]] WorldPoint<Dim> world_point_of(const double* values) noexcept {
    WorldPoint<Dim> point({});
    std::copy_n(values, Dim, point.axis.begin());
    return point;
}

/// The crowd's position for an agent at this place.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> kept_in(const throng::Crowd<Dim>& crowd, const double* values) noexcept {
    return detail::state_of(crowd).world.kept(world_point_of<Dim>(values));
}

} // namespace throng::c
