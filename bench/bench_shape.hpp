// The cells with which each kind of question is measured.
#pragma once

#include "../tests/support/scenes/scenes.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <cstddef>
#include <stdexcept>
#include <type_traits>

namespace throng::bench {

/// Half the side of the small boxes, and the radius of the balls.
inline constexpr float kHalfExtent = 1.0f;
inline constexpr float kRadius = 2.0f;

/// Cells are half a unit wide, with one agent for each unit of area or volume, so that spans are
/// little longer than a query is wide.
inline constexpr float kCellWidth = 0.5f;

/// The height and depth of rows. Boxes reach 1.25 to either side, so a box 2.5 wide meets one or
/// two rows of 2.6 on an axis, never three; balls are 4 wide, and meet two or three rows of 2.0.
inline constexpr float kRowHeightForBoxes = 2.6f;
inline constexpr float kRowHeightForBalls = 2.0f;

/// The cells for questions of this shape. They are the same for every crowd, as in a host that
/// knows how far its agents see.
template <template <std::size_t> class Shape, std::size_t Dim>
[[nodiscard]] Point<Dim> bench_cell() noexcept {
    const bool balls = std::is_same_v<Shape<Dim>, Ball<Dim>>;
    Point<Dim> cell = Point<Dim>::all(balls ? kRowHeightForBalls : kRowHeightForBoxes);
    cell[0] = kCellWidth;
    return cell;
}

/// The shape of a grid with these cells.
template <template <std::size_t> class Shape, std::size_t Dim>
[[nodiscard]] GridShape<Dim> bench_shape(const scenes::Scene<Dim>& scene) {
    const OrStatus<GridShape<Dim>> made = shape_over(scene.world, bench_cell<Shape, Dim>());
    if (!made.status.ok()) { throw std::runtime_error(to_string(made.status)); }
    return made.value;
}

} // namespace throng::bench
