// The disc or ball that moves from one point to another.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"
#include "shape_facts.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

/// All points that a disc (in space, a ball) of `radius` covers on the straight way `from` ...
/// `to`; time runs from 0 to 1. With a radius of zero it is a segment that meets agents' discs
/// instead of boxes.
template <std::size_t Dim>
struct THRONG_API Capsule {
    Point<Dim> from, to;
    float radius = 0.0f;

    friend constexpr bool operator==(const Capsule&, const Capsule&) noexcept = default;
};

namespace detail {

/// A capsule, prepared for the tests of agents.
template <std::size_t Dim>
struct CapsuleTest {
    Point<Dim> from;
    Point<Dim> way;
    float per_square; ///< one over the square of the way's length; 0 if the way is too short
    float radius;
};

template <std::size_t Dim>
[[nodiscard]] CapsuleTest<Dim> capsule_test(const Capsule<Dim>& capsule) noexcept {
    CapsuleTest<Dim> test = {capsule.from, {}, 0.0f, capsule.radius};
    float square = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        test.way[a] = capsule.to[a] - capsule.from[a];
        square = a == 0 ? test.way[a] * test.way[a] : square + test.way[a] * test.way[a];
    }
    // Shorter ways count as points, well before their squares become subnormal.
    constexpr float kShortest = 1e-36f;
    if (square >= kShortest) { test.per_square = 1.0f / square; }
    return test;
}

/// The time at which the disc's centre would be nearest to a point if the way had no ends.
template <std::size_t Dim>
[[nodiscard]] float time_of_passing(const CapsuleTest<Dim>& test,
                                    const Point<Dim>& centre) noexcept {
    float product = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float term = (centre[a] - test.from[a]) * test.way[a];
        product = a == 0 ? term : product + term;
    }
    return product * test.per_square;
}

/// The squared distance from a point to the disc's centre at a time.
template <std::size_t Dim>
[[nodiscard]] float distance2_at(const CapsuleTest<Dim>& test, const Point<Dim>& centre,
                                 float time) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = (centre[a] - test.from[a]) - test.way[a] * time;
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    return distance2;
}

/// The one definition of "a capsule meets an agent": their discs touch on the way. The radius of an
/// agent's disc is its half extent on x.
template <std::size_t Dim>
[[nodiscard]] bool meets(const CapsuleTest<Dim>& test, const Point<Dim>& centre,
                         const Point<Dim>& half) noexcept {
    const float time = std::clamp(time_of_passing(test, centre), 0.0f, 1.0f);
    const float reach = test.radius + half[0];
    return distance2_at(test, centre, time) <= reach * reach;
}

/// The time at which a capsule's disc first touches an agent's disc. The capsule must meet it.
template <std::size_t Dim>
[[nodiscard]] float time_of_hit(const CapsuleTest<Dim>& test, const Point<Dim>& centre,
                                const Point<Dim>& half) noexcept {
    const float reach2 = (test.radius + half[0]) * (test.radius + half[0]);
    const float passing = time_of_passing(test, centre);
    const float deep = std::max(reach2 - distance2_at(test, centre, passing), 0.0f);
    const float time = passing - std::sqrt(deep * test.per_square);
    // An agent touched at the start has time 0, whatever rounding says.
    return distance2_at(test, centre, 0.0f) <= reach2 ? 0.0f : std::clamp(time, 0.0f, 1.0f) + 0.0f;
}

template <std::size_t Dim>
struct ShapeFacts<Capsule<Dim>> : UsualFacts<Capsule<Dim>> {
    using Block = simd::CapsuleBlock<Dim>;
    static constexpr bool kAxesMix = true;

    [[nodiscard]] static CapsuleTest<Dim> test(const Capsule<Dim>& capsule) noexcept {
        return capsule_test(capsule);
    }

    [[nodiscard]] static Status check(const Capsule<Dim>& capsule) noexcept {
        return first_of({check_point(capsule.from, Argument::capsule),
                         check_point(capsule.to, Argument::capsule),
                         check_length(capsule.radius, Argument::capsule)});
    }

    static void put(Block& block, std::size_t, const Capsule<Dim>& capsule) noexcept {
        const CapsuleTest<Dim> prepared = test(capsule);
        std::copy_n(prepared.from.axis.data(), Dim, block.origin);
        std::copy_n(prepared.way.axis.data(), Dim, block.direction);
        block.length = 1.0f;
        block.per_square = prepared.per_square;
        block.radius = prepared.radius;
    }
    static void put_nothing(Block& block, std::size_t) noexcept {
        block.length = -1.0f; // then no time is on the way
    }

    static void bound(ShapeGate<Dim>& gate, const Capsule<Dim>& capsule) noexcept {
        const CapsuleTest<Dim> prepared = test(capsule);
        const double size = double{size_of(capsule.from)} + size_of(capsule.to) + capsule.radius;
        const double margin = capsule.radius + size * 0x1p-18 + 1e-18;
        gate.set_bounds(capsule.from, capsule.to, margin);
        // A way too short to be squared counts as none.
        if (prepared.per_square != 0.0f) { gate.add_line(capsule.from, prepared.way, margin); }
    }

    [[nodiscard]] static Capsule<Dim> shifted(const Capsule<Dim>& capsule,
                                              const Offset<Dim>& by) noexcept {
        return {detail::shifted(capsule.from, by), detail::shifted(capsule.to, by), capsule.radius};
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const Capsule<Dim>& capsule) noexcept {
        return capsule.from;
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
