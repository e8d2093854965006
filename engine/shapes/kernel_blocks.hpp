// Shapes in the blocks that kernels take. Internal to the engine.
#pragma once

#include "../../simd/views/query_block.hpp"
#include "../../simd/views/shape_blocks.hpp"
#include "ray_test.hpp"
#include "shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace throng {

template <std::size_t Dim>
void put(simd::BoxBlock<Dim>& block, std::size_t i, const Box<Dim>& box) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        block.lo[a][i] = box.lo[a];
        block.hi[a][i] = box.hi[a];
    }
}
template <std::size_t Dim>
void put(simd::BallBlock<Dim>& block, std::size_t i, const Ball<Dim>& ball) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        block.centre[a][i] = ball.centre[a];
    }
    block.radius[i] = ball.radius;
    block.radius2[i] = ball.radius * ball.radius;
}

template <std::size_t Dim>
void put(simd::ConvexBlock<Dim>& block, const Convex<Dim>& convex) noexcept {
    static_assert(Convex<Dim>::kMostSides == simd::ConvexBlock<Dim>::kMostSides);
    std::copy_n(convex.bounds.lo.axis.data(), Dim, block.lo);
    std::copy_n(convex.bounds.hi.axis.data(), Dim, block.hi);
    block.sides = static_cast<std::uint32_t>(convex.count);
    for (std::size_t s = 0; s < convex.count; ++s) {
        std::copy_n(convex.sides[s].normal.axis.data(), Dim, block.normal[s]);
        block.offset[s] = convex.sides[s].offset;
    }
}
template <std::size_t Dim>
void put(simd::ConvexBlock<Dim>& block, const OrientedBox<Dim>& box) noexcept {
    put(block, convex_of(box));
}

/// The same direction, of length one.
template <std::size_t Dim>
std::array<double, Dim> unit(const Point<Dim>& direction) noexcept {
    double length2 = 0.0;
    for (const double d : direction.axis) {
        length2 += d * d;
    }
    std::array<double, Dim> made;
    for (std::size_t a = 0; a < Dim; ++a) {
        made[a] = direction[a] / std::sqrt(length2);
    }
    return made;
}

/// Also finds the sector's bounds on each axis, and half spaces that enclose it.
template <std::size_t Dim>
void put(simd::SectorBlock<Dim>& block, const Sector<Dim>& sector) noexcept {
    const SectorTest<Dim> sight = sector_test(sector);
    block.radius = sector.radius;
    block.radius2 = sight.radius2;
    block.cosine2 = sight.cosine2;
    block.wide = sight.wide;
    const double cosine = sector.cosine;
    const double sine = std::sqrt(1.0 - cosine * cosine);
    const std::array<double, Dim> ahead = unit(scaled(sector.direction));
    for (std::size_t a = 0; a < Dim; ++a) {
        block.centre[a] = sector.centre[a];
        block.along[a] = sight.along[a];
        // Takes the cosine of the angle to an axis: how far the sector reaches along it, in radii.
        const auto farthest = [&](double axis) {
            if (axis >= cosine) { return 1.0; }
            return axis * cosine + std::sqrt(std::max(1.0 - axis * axis, 0.0)) * sine;
        };
        const double centre = sector.centre[a];
        const double radius = sector.radius;
        const double slack =
            radius * simd::kSectorSlack + (std::abs(centre) + radius) * 0x1p-20 + 1e-18;
        block.lo[a] =
            static_cast<float>(centre - radius * std::max(farthest(-ahead[a]), 0.0) - slack);
        block.hi[a] =
            static_cast<float>(centre + radius * std::max(farthest(ahead[a]), 0.0) + slack);
    }
    block.sides = 0;
    if (sight.wide) { return; }
    // Tangential to the rim, on both sides of the direction: `aside` is a unit vector across it.
    const auto add_rims = [&](const std::array<double, Dim>& aside) {
        for (const double sign : {1.0, -1.0}) {
            for (std::size_t a = 0; a < Dim; ++a) {
                block.normal[block.sides][a] =
                    static_cast<float>(sign * aside[a] * cosine - ahead[a] * sine);
            }
            ++block.sides;
        }
    };
    if constexpr (Dim == 2) {
        add_rims({-ahead[1], ahead[0]});
    } else {
        // Whichever axis is farthest from the direction.
        const std::size_t x = std::abs(ahead[0]) < std::abs(ahead[1]) ? 0 : 1;
        const std::size_t k = std::abs(ahead[x]) < std::abs(ahead[2]) ? x : 2;
        const std::size_t i = (k + 1) % 3;
        const std::size_t j = (k + 2) % 3;
        const double length = std::sqrt(ahead[i] * ahead[i] + ahead[j] * ahead[j]);
        std::array<double, 3> aside{};
        aside[i] = ahead[j] / length;
        aside[j] = -ahead[i] / length;
        add_rims(aside);
        add_rims({ahead[1] * aside[2] - ahead[2] * aside[1],
                  ahead[2] * aside[0] - ahead[0] * aside[2],
                  ahead[0] * aside[1] - ahead[1] * aside[0]});
    }
}

template <std::size_t Dim>
void put(simd::RayBlock<Dim>& block, const RayTest<Dim>& track) noexcept {
    std::copy_n(track.origin.axis.data(), Dim, block.origin);
    std::copy_n(track.direction.axis.data(), Dim, block.direction);
    std::copy_n(track.along.axis.data(), Dim, block.along);
    std::copy_n(track.bounds.lo.axis.data(), Dim, block.lo);
    std::copy_n(track.bounds.hi.axis.data(), Dim, block.hi);
    block.length = track.length;
}
template <std::size_t Dim>
void put(simd::CapsuleBlock<Dim>& block, const CapsuleTest<Dim>& sweep) noexcept {
    std::copy_n(sweep.from.axis.data(), Dim, block.origin);
    std::copy_n(sweep.way.axis.data(), Dim, block.direction);
    block.length = 1.0f;
    block.per_square = sweep.per_square;
    block.radius = sweep.radius;
}

/// Shapes that fill a block of their own.
template <class Block, class Shape>
void put(Block& block, std::size_t, const Shape& shape) noexcept {
    if constexpr (requires { ray_test(shape); }) {
        put(block, ray_test(shape));
    } else if constexpr (requires { capsule_test(shape); }) {
        put(block, capsule_test(shape));
    } else {
        put(block, shape);
    }
}

template <std::size_t Dim>
simd::BoxBlock<Dim> block_type(const Box<Dim>&);
template <std::size_t Dim>
simd::BallBlock<Dim> block_type(const Ball<Dim>&);
template <std::size_t Dim>
simd::SectorBlock<Dim> block_type(const Sector<Dim>&);
template <std::size_t Dim>
simd::ConvexBlock<Dim> block_type(const Convex<Dim>&);
template <std::size_t Dim>
simd::ConvexBlock<Dim> block_type(const OrientedBox<Dim>&);
template <std::size_t Dim>
simd::RayBlock<Dim> block_type(const Segment<Dim>&);
template <std::size_t Dim>
simd::RayBlock<Dim> block_type(const Ray<Dim>&);
template <std::size_t Dim>
simd::CapsuleBlock<Dim> block_type(const Capsule<Dim>&);

/// The block that holds queries of a shape.
template <class Shape>
using BlockOf = decltype(block_type(std::declval<Shape>()));

/// Puts `shape` in the places up to `count` and kSlack beyond: kernels read that far.
template <class Shape>
void fill(BlockOf<Shape>& block, std::size_t count, const Shape& shape) noexcept {
    const std::size_t places = BlockOf<Shape>::kQueries > 1 ? count + simd::kSlack : 1;
    for (std::size_t i = 0; i < places; ++i) {
        put(block, i, shape);
    }
}

/// Whether check_shape() accepts all of these; without a branch for each.
template <std::size_t Dim>
[[nodiscard]] bool all_sound(std::span<const Box<Dim>> boxes) noexcept {
    unsigned wrong = 0;
    for (const Box<Dim>& box : boxes) {
        for (std::size_t a = 0; a < Dim; ++a) {
            wrong |= static_cast<unsigned>(!(std::abs(box.lo[a]) <= kLargest)) |
                     static_cast<unsigned>(!(std::abs(box.hi[a]) <= kLargest));
        }
    }
    return wrong == 0;
}
template <std::size_t Dim>
[[nodiscard]] bool all_sound(std::span<const Ball<Dim>> balls) noexcept {
    unsigned wrong = 0;
    for (const Ball<Dim>& ball : balls) {
        for (std::size_t a = 0; a < Dim; ++a) {
            wrong |= static_cast<unsigned>(!(std::abs(ball.centre[a]) <= kLargest));
        }
        wrong |= static_cast<unsigned>(!(ball.radius >= 0.0f)) |
                 static_cast<unsigned>(!(ball.radius <= kLargest));
    }
    return wrong == 0;
}
template <class Shape>
[[nodiscard]] bool all_sound(std::span<const Shape> shapes) noexcept {
    return std::all_of(shapes.begin(), shapes.end(),
                       [](const Shape& shape) { return check_shape(shape).ok(); });
}

/// The first of these that check_shape() refuses, if any.
template <class Shape>
[[nodiscard]] Status first_fault(std::span<const Shape> shapes) noexcept {
    if (all_sound(shapes)) { return {}; }
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        Status status = check_shape(shapes[q]);
        status.index = q;
        if (!status.ok()) { return status; }
    }
    return {};
}

} // namespace throng
