// Balls, sectors and cylinders that see agents' bodies.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/body.hpp"
#include "ball.hpp"
#include "cylinder.hpp"
#include "sector.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace throng {

/// A shape that finds agents by their bodies and not by their centres. With Body::centre it finds
/// the same agents as the shape alone. A touches() for each shape defines which agents it finds.
template <class Shape>
struct THRONG_API WithBody {
    Shape shape{};
    Body body = Body::box;

    friend constexpr bool operator==(const WithBody&, const WithBody&) noexcept = default;
};

template <std::size_t Dim>
using BodyBall = WithBody<Ball<Dim>>;
template <std::size_t Dim>
using BodySector = WithBody<Sector<Dim>>;
template <std::size_t Dim>
using BodyCylinder = WithBody<Cylinder<Dim>>;

/// The one definition of "a ball touches an agent's body": the body is no farther from the centre
/// than the radius, the rim included.
template <std::size_t Dim>
[[nodiscard]] bool touches(const BodyBall<Dim>& ball, const Point<Dim>& position,
                           const Point<Dim>& half_extent) noexcept {
    return distance2_to(ball.body, ball.shape.centre, position, half_extent) <=
           ball.shape.radius * ball.shape.radius;
}

/// The one definition of "a cylinder touches an agent's body", rims included. A box touches if its
/// part nearest to the axis lies in the circle, and some of its heights are in the band. A disc, in
/// space a ball, touches if its centre is at most its radius away from the cylinder.
template <std::size_t Dim>
[[nodiscard]] bool touches(const BodyCylinder<Dim>& with_body, const Point<Dim>& position,
                           const Point<Dim>& half_extent) noexcept {
    const Cylinder<Dim>& cylinder = with_body.shape;
    if (cylinder.low > cylinder.high) { return false; }
    const bool is_box = with_body.body == Body::box;
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (a == cylinder.up) { continue; }
        const float offset = std::abs(position[a] - cylinder.centre[a]);
        const float gap = is_box ? std::max(offset - half_extent[a], 0.0f) : offset;
        distance2 = a == 0 ? gap * gap : distance2 + gap * gap;
    }
    const float height = position[cylinder.up];
    if (with_body.body != Body::disc) {
        const float half = is_box ? half_extent[cylinder.up] : 0.0f;
        return distance2 <= cylinder.radius * cylinder.radius && cylinder.low <= height + half &&
               height - half <= cylinder.high;
    }
    const float aside = std::max(std::sqrt(distance2) - cylinder.radius, 0.0f);
    const float above = std::max({cylinder.low - height, height - cylinder.high, 0.0f});
    return aside * aside + above * above <= half_extent[0] * half_extent[0];
}

namespace detail {

/// The one definition of "a sector touches an agent's body": the point of the body that is nearest
/// to the sector's centre lies in the sector, or is that centre. For a disc that point lies towards
/// the disc's own centre, so the direction of the disc's centre decides.
template <std::size_t Dim>
[[nodiscard]] bool touches(const WithBody<SectorTest<Dim>>& with_body, const Point<Dim>& position,
                           const Point<Dim>& half_extent) noexcept {
    const SectorTest<Dim>& test = with_body.shape;
    float ahead = 0.0f;
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float half = with_body.body == Body::box ? half_extent[a] : 0.0f;
        const float centre = position[a] - test.centre[a];
        const float offset = std::max(centre - half, 0.0f) + std::min(centre + half, 0.0f);
        const float term = offset * test.along[a];
        ahead = a == 0 ? term : ahead + term;
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    const bool seen = sees(test, ahead, distance2);
    if (with_body.body != Body::disc) { return seen && distance2 <= test.radius2; }
    const float gap = std::max(std::sqrt(distance2) - half_extent[0], 0.0f);
    const float gap2 = gap * gap; // also 0 if the square underflows
    return (seen || gap2 == 0.0f) && gap2 <= test.radius2;
}

template <std::size_t Dim>
constexpr Argument with_body_argument(const Ball<Dim>&) noexcept {
    return Argument::body_ball;
}
template <std::size_t Dim>
constexpr Argument with_body_argument(const Sector<Dim>&) noexcept {
    return Argument::body_sector;
}
template <std::size_t Dim>
constexpr Argument with_body_argument(const Cylinder<Dim>&) noexcept {
    return Argument::body_cylinder;
}

/// The shape whose bounds a gate takes: mostly the shape itself. A cylinder gets a little more
/// height: the test of a disc above it squares the distance, and squares of the smallest numbers
/// vanish.
template <class Shape>
[[nodiscard]] Shape gated(const Shape& shape) noexcept {
    return shape;
}
template <std::size_t Dim>
[[nodiscard]] Cylinder<Dim> gated(Cylinder<Dim> cylinder) noexcept {
    if (cylinder.low > cylinder.high) { return cylinder; }
    cylinder.low -= 1e-18f;
    cylinder.high += 1e-18f;
    return cylinder;
}

/// The facts are mostly those of the shape alone, since what covers an agent covers its body.
template <class Shape>
struct ShapeFacts<WithBody<Shape>> : UsualFacts<WithBody<Shape>> {
    using Seen = WithBody<Shape>;
    using Facts = ShapeFacts<Shape>;
    using Block = simd::BodyBlock<typename Facts::Block>;
    static constexpr bool kThreeCopiesSuffice = Facts::kThreeCopiesSuffice;
    static constexpr bool kAxesMix = Facts::kAxesMix;

    [[nodiscard]] static auto test(const Seen& seen) noexcept {
        return WithBody<decltype(Facts::test(seen.shape))>{Facts::test(seen.shape), seen.body};
    }

    [[nodiscard]] static Status check(const Seen& seen) noexcept {
        const Argument blamed = with_body_argument(seen.shape);
        const Status status = Facts::check(seen.shape);
        return status.ok() ? check_body(seen.body, blamed) : Status{status.cause, blamed};
    }

    template <class Plain>
    static void put(simd::BodyBlock<Plain>& block, std::size_t i, const Seen& seen) noexcept {
        Facts::put(block, i, seen.shape);
        block.box[i] = seen.body == Body::box ? 1.0f : 0.0f;
        block.disc[i] = seen.body == Body::disc ? 1.0f : 0.0f;
    }
    static void put_nothing(Block& block, std::size_t i) noexcept {
        Facts::put_nothing(block, i);
        block.box[i] = 0.0f;
        block.disc[i] = 0.0f;
    }

    template <std::size_t Dim>
    static void bound(ShapeGate<Dim>& gate, const Seen& seen) noexcept {
        Facts::bound(gate, gated(seen.shape));
    }

    template <std::size_t Dim>
    [[nodiscard]] static Seen shifted(const Seen& seen, const Offset<Dim>& by) noexcept {
        return {Facts::shifted(seen.shape, by), seen.body};
    }
    [[nodiscard]] static const auto& stored_point(const Seen& seen) noexcept {
        return Facts::stored_point(seen.shape);
    }
    [[nodiscard]] static auto anchor(const Seen& seen) noexcept {
        return Facts::anchor(seen.shape);
    }
    [[nodiscard]] static bool is_inverted(const Seen& seen) noexcept {
        return Facts::is_inverted(seen.shape);
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
