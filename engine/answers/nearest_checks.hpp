// What is checked of queries for the nearest. Internal to the engine.
#pragma once

#include "../agents/nearest.hpp"
#include "../agents/validation.hpp"
#include "../core/status.hpp"
#include "../shapes/ball.hpp"

#include <cmath>
#include <cstddef>
#include <span>

namespace throng {

/// Ok, or what is wrong with `k` or the radius.
[[nodiscard]] inline Status check_nearest(std::uint32_t k, float radius) noexcept {
    if (k > kMostNearest) { return {Cause::too_many, Argument::k}; }
    const Status status = check_shape(Ball<2>{{}, radius});
    return status.ok() ? status : Status{status.cause, Argument::radius};
}

/// Ok, or which array is too short for the answers.
[[nodiscard]] inline Status check_room(std::uint32_t k, std::size_t questions,
                                       const NearBuffer& out) noexcept {
    // Divided, since a product might overflow.
    if (k != 0 && out.nearest.size() / k < questions) {
        return {Cause::no_room, Argument::nearest};
    }
    if (out.counts.size() < questions) { return {Cause::no_room, Argument::counts}; }
    return {};
}

/// As for shapes: see first_fault().
template <std::size_t Dim>
[[nodiscard]] Status check_shape(const Point<Dim>& point) noexcept {
    return check_point(point, Argument::points);
}
template <std::size_t Dim>
[[nodiscard]] bool all_sound(std::span<const Point<Dim>> points) noexcept {
    unsigned wrong = 0;
    for (const Point<Dim>& point : points) {
        for (std::size_t a = 0; a < Dim; ++a) {
            wrong |= static_cast<unsigned>(!(std::abs(point[a]) <= kLargest));
        }
    }
    return wrong == 0;
}

} // namespace throng
