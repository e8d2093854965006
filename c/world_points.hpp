// Places in world coordinates, as a crowd keeps them.
#pragma once

#include "../engine/agents/world_agents.hpp"
#include "../engine/crowd/crowd.hpp"
#include "../engine/crowd/store/state.hpp"

#include <algorithm>
#include <cstddef>

namespace throng::c {

/// The first coordinates of three.
template <std::size_t Dim>
[[nodiscard]] WorldPoint<Dim> world_point_of(const double* values) noexcept {
    WorldPoint<Dim> point({});
    std::copy_n(values, Dim, point.axis.begin());
    return point;
}

/// The position that an agent there is kept with.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> kept_in(const throng::Crowd<Dim>& crowd, const double* values) noexcept {
    return detail::state_of(crowd).world.kept(world_point_of<Dim>(values));
}

} // namespace throng::c
