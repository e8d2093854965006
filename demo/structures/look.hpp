// Whether one agent sees another past walls.
#pragma once

#include "people.hpp"

#include <throng/engine/obstacles/obstacles.hpp>

namespace throng::demo {

/// Symmetric: always tested from the agent with the smaller coordinates, as InSight does.
template <std::size_t Dim>
[[nodiscard]] bool see_each_other(const Obstacles<Dim>& obstacles, const People<Dim>& people, Id a,
                                  Id b) {
    const Point<Dim> one = people.at(a), two = people.at(b);
    const bool forward = one.axis <= two.axis;
    const Segment<Dim> look = {forward ? one : two, forward ? two : one};
    return obstacles.sight(look).count != 0;
}

} // namespace throng::demo
