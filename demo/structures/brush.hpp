// Puts a brush's question to a structure, and measures the time.
#pragma once

#include "../stage/stage.hpp"

#include <throng/engine/shapes/shapes.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace throng::demo {

/// Asks a question several times, and returns the median time, because the first time includes
/// cache misses.
template <class Question>
[[nodiscard]] double nanoseconds_of(const Question& question) {
    std::array<double, 5> times{};
    for (double& time : times) {
        const auto begin = std::chrono::steady_clock::now();
        question();
        const auto end = std::chrono::steady_clock::now();
        time = std::chrono::duration<double, std::nano>(end - begin).count();
    }
    std::nth_element(times.begin(), times.begin() + 2, times.end());
    return times[2];
}

/// Calls call(shape) with the brush's shape: a Box, Ball, Ray or Sector; for the nearest, a Ball.
template <std::size_t Dim, class Call>
void with_shape(const Brush& brush, const Box<Dim>& world, const Call& call) {
    Point<Dim> at, towards;
    for (std::size_t a = 0; a < Dim; ++a) {
        at[a] = a < 2 ? brush.at[a] : (world.lo[a] + world.hi[a]) * 0.5f;
        towards[a] = a < 2 ? brush.towards[a] : 0.0f;
    }
    switch (brush.kind) {
    case BrushKind::box: {
        Box<Dim> box = Box<Dim>::around(at, Point<Dim>::all(brush.size));
        for (std::size_t a = 2; a < Dim; ++a) {
            box.lo[a] = world.lo[a];
            box.hi[a] = world.hi[a];
        }
        call(box);
        break;
    }
    case BrushKind::ray:
        call(Ray<Dim>{at, towards, brush.size});
        break;
    case BrushKind::view:
        call(Sector<Dim>{at, brush.size, towards, std::cos(brush.view_angle * 0.5f)});
        break;
    case BrushKind::circle:
    case BrushKind::nearest:
        call(Ball<Dim>{at, brush.size});
        break;
    }
}

/// Whether a shape meets a cell; touching counts. Sectors have directions in the plane of the first
/// two axes. They are tested only by their ball and their edges, so a few more cells at their tips
/// are met.
template <std::size_t Dim>
[[nodiscard]] bool meets(const Box<Dim>& box, const Box<Dim>& cell) noexcept;
template <std::size_t Dim>
[[nodiscard]] bool meets(const Ball<Dim>& ball, const Box<Dim>& cell) noexcept;
template <std::size_t Dim>
[[nodiscard]] bool meets(const Ray<Dim>& ray, const Box<Dim>& cell) noexcept;
template <std::size_t Dim>
[[nodiscard]] bool meets(const Sector<Dim>& sector, const Box<Dim>& cell) noexcept;

} // namespace throng::demo
