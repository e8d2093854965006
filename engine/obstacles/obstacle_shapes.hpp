// The shapes that an obstacle can have, and arrays of obstacles.
#pragma once

#include "../agents/box.hpp"
#include "../agents/point.hpp"
#include "../agents/view.hpp"
#include "../shapes/oriented_box.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace throng {

/// All points of the plane within half the `thickness` of a segment, so the ends are round. A wall
/// without thickness is a line; a wall that begins and ends at the same point is a disc.
struct Wall {
    Point<2> from, to;
    float thickness = 0.0f;

    friend constexpr bool operator==(const Wall&, const Wall&) noexcept = default;
};

/// A triangle in space, without thickness. It may be as flat as a segment, or a point.
struct Triangle {
    std::array<Point<3>, 3> corners{};

    friend constexpr bool operator==(const Triangle&, const Triangle&) noexcept = default;
};

/// A Box, an OrientedBox with edges at right angles, and in the plane a Wall, in space a Triangle.
template <class Shape, std::size_t Dim>
concept ObstacleIn = std::same_as<Shape, Box<Dim>> || std::same_as<Shape, OrientedBox<Dim>> ||
                     (Dim == 2 && std::same_as<Shape, Wall>) ||
                     (Dim == 3 && std::same_as<Shape, Triangle>);

/// Obstacles of all kinds, in the caller's arrays with any stride, which are read in place. The
/// ids of the obstacles are 0, 1, 2 ...: first the boxes, then the turned boxes, then the walls or
/// triangles.
template <std::size_t Dim>
struct ObstacleArrays;

template <>
struct ObstacleArrays<2> {
    ValueView<Box<2>> boxes;
    ValueView<OrientedBox<2>> turned_boxes;
    ValueView<Wall> walls;
    ValueView<std::uint32_t> groups; ///< by id; none: all are in every group
};

template <>
struct ObstacleArrays<3> {
    ValueView<Box<3>> boxes;
    ValueView<OrientedBox<3>> turned_boxes;
    ValueView<Triangle> triangles;
    ValueView<std::uint32_t> groups; ///< by id; none: all are in every group
};

} // namespace throng
