// Points as three numbers; in the plane the third is ignored.
#pragma once

#include "../engine/agents/point.hpp"

#include <algorithm>
#include <cstddef>

namespace throng::c {

template <std::size_t Dim>
[[nodiscard]] Point<Dim> point_of(const float (&values)[3]) noexcept {
    Point<Dim> point;
    std::copy_n(values, Dim, point.axis.begin());
    return point;
}

} // namespace throng::c
