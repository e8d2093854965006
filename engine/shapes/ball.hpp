// The disc or ball, and what it means to lie in one.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"
#include "shape_facts.hpp"

namespace throng {

/// All points at most `radius` from `centre`.
template <std::size_t Dim>
struct THRONG_API Ball {
    Point<Dim> centre;
    float radius = 0.0f;

    friend constexpr bool operator==(const Ball&, const Ball&) noexcept = default;
};

/// The squared distance from `from` to `to`, in floats, summed over ascending axes.
template <std::size_t Dim>
[[nodiscard]] constexpr float distance2_between(const Point<Dim>& from,
                                                const Point<Dim>& to) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = to[a] - from[a];
        // The first square is not added to zero: a sum of one term must not round twice.
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    return distance2;
}

/// The one definition of "an agent lies in a ball": the agent's centre does, the rim included.
/// Agents' extents play no part.
template <std::size_t Dim>
[[nodiscard]] constexpr bool contains(const Ball<Dim>& ball, const Point<Dim>& point) noexcept {
    return distance2_between(ball.centre, point) <= ball.radius * ball.radius;
}

namespace detail {

template <std::size_t Dim>
struct ShapeFacts<Ball<Dim>> : UsualFacts<Ball<Dim>> {
    using Block = simd::BallBlock<Dim>;
    static constexpr bool kFindsCentres = true;
    static constexpr bool kThreeCopiesSuffice = true;

    [[nodiscard]] static Status check(const Ball<Dim>& ball) noexcept {
        return first_of(
            {check_point(ball.centre, Argument::ball), check_length(ball.radius, Argument::ball)});
    }
    /// Has no branch for each ball, so that compilers can vectorise the loop.
    [[nodiscard]] static bool all_sound(std::span<const Ball<Dim>> balls) noexcept {
        std::uint32_t wrong = 0;
        for (const Ball<Dim>& ball : balls) {
            for (std::size_t a = 0; a < Dim; ++a) {
                wrong |= is_wrong_coordinate(ball.centre[a]);
            }
            wrong |= is_wrong_length(ball.radius);
        }
        return wrong == 0;
    }

    template <std::size_t queries>
    static void put(simd::Balls<Dim, queries>& block, std::size_t i,
                    const Ball<Dim>& ball) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            block.centre[a][i] = ball.centre[a];
        }
        block.radius[i] = ball.radius;
        block.radius2[i] = ball.radius * ball.radius;
    }
    static void put_nothing(Block& block, std::size_t i) noexcept {
        put(block, i, {});
        block.radius2[i] = -1.0f;
    }

    static void bound(ShapeGate<Dim>& gate, const Ball<Dim>& ball) noexcept {
        const double reach = reach_of(ball.centre, ball.radius);
        gate.set_bounds(ball.centre, ball.centre, reach);
        gate.add_ball(ball.centre, reach);
    }

    [[nodiscard]] static Ball<Dim> shifted(const Ball<Dim>& ball, const Offset<Dim>& by) noexcept {
        return {detail::shifted(ball.centre, by), ball.radius};
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const Ball<Dim>& ball) noexcept {
        return ball.centre;
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
