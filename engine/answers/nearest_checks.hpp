// The checks of queries for the nearest agents. Internal to the engine.
#pragma once

#include "../agents/buffers.hpp"
#include "../agents/nearest.hpp"
#include "../agents/validation.hpp"
#include "../core/status.hpp"
#include "../shapes/shapes.hpp"
#include "merge.hpp"

#include <cmath>
#include <cstddef>
#include <span>

namespace throng {

/// Ok, or the fault of `k` or of the radius.
[[nodiscard]] inline Status check_nearest(std::uint32_t k, float radius) noexcept {
    if (k > kMostNearest) { return {Cause::too_many, Argument::k}; }
    const Status status = check_shape(Ball<2>{{}, radius});
    return status.ok() ? status : Status{status.cause, Argument::radius};
}

/// Ok, or the fault of the radius or of the body.
[[nodiscard]] inline Status check_neighbourhood(const Neighbourhood& neighbourhood) noexcept {
    const Status status = check_shape(Ball<2>{{}, neighbourhood.radius});
    return status.ok() ? check_body(neighbourhood.body, Argument::body)
                       : Status{status.cause, Argument::radius};
}

/// The question that each agent of NearestNeighbours asks.
[[nodiscard]] inline Nearest asked_by_each(const NearestNeighbours& nearest) noexcept {
    return {nearest.k, nearest.radius, nearest.least, nearest.band, kBeforeAll, nearest.body};
}

/// Whether there are conditions beside the radius, valid or not. Nearly always there are none; a
/// single question then pays for this test only.
[[nodiscard]] inline bool has_conditions(const Nearest& nearest) noexcept {
    return !(nearest.least == 0.0f) || !(nearest.band == HeightBand{}) ||
           !(nearest.after.distance2 < 0.0f);
}

/// Whether there are no conditions, and distances are to centres: then simpler code answers a
/// single question.
[[nodiscard]] inline bool is_plain(const Nearest& nearest) noexcept {
    return !has_conditions(nearest) && nearest.body == Body::centre;
}

/// Ok, or the fault of the conditions or of the body.
template <std::size_t Dim>
[[nodiscard]] Status check_conditions(const Nearest& nearest) noexcept {
    const auto check = [](float length, Argument argument) {
        const Status status = check_shape(Ball<2>{{}, length});
        return status.ok() ? status : Status{status.cause, argument};
    };
    if (const Status status = check(nearest.least, Argument::least); !status.ok()) {
        return status;
    }
    if (nearest.band.up >= Dim) { return {Cause::out_of_range, Argument::band}; }
    for (const float reach : {nearest.band.below, nearest.band.above}) {
        if (const Status status = check(reach, Argument::band); !status.ok()) { return status; }
    }
    return std::isnan(nearest.after.distance2) ? Status{Cause::not_finite, Argument::after}
                                               : check_body(nearest.body, Argument::body);
}

/// Ok, or the fault of a question.
template <std::size_t Dim>
[[nodiscard]] Status check_nearest(const Nearest& nearest) noexcept {
    const Status status = check_nearest(nearest.k, nearest.radius);
    return status.ok() && !is_plain(nearest) ? check_conditions<Dim>(nearest) : status;
}
template <std::size_t Dim>
[[nodiscard]] Status check_nearest(const NearestNeighbours& nearest) noexcept {
    return check_nearest<Dim>(asked_by_each(nearest));
}

/// Whether the conditions on distance alone leave no agent.
[[nodiscard]] inline bool is_hopeless(const Nearest& nearest) noexcept {
    const float most = nearest.radius * nearest.radius;
    return has_conditions(nearest) &&
           (nearest.least * nearest.least > most || nearest.after.distance2 > most);
}

/// Whether an agent is in the band of a point.
template <std::size_t Dim>
[[nodiscard]] bool is_in_band(const HeightBand& band, const Point<Dim>& point,
                              const Point<Dim>& agent) noexcept {
    if (band.up == 0) { return true; }
    const float height = agent[band.up];
    return point[band.up] - band.below <= height && height <= point[band.up] + band.above;
}

/// Whether an agent meets the conditions of a Nearest; all searches use this definition. `near` is
/// the agent as a hit. The radius is not tested here.
template <std::size_t Dim>
[[nodiscard]] bool meets(const Nearest& nearest, const Point<Dim>& point, const Point<Dim>& agent,
                         const Near& near) noexcept {
    return near.distance2 >= nearest.least * nearest.least && comes_before(nearest.after, near) &&
           is_in_band(nearest.band, point, agent);
}

/// Ok, or a status that names the array too short for the answers.
[[nodiscard]] inline Status check_room(std::uint32_t k, std::size_t questions,
                                       const NearBuffer& out) noexcept {
    // Divided, since a product might overflow.
    if (k != 0 && out.nearest.size() / k < questions) {
        return {Cause::no_room, Argument::nearest};
    }
    if (out.counts.size() < questions) { return {Cause::no_room, Argument::counts}; }
    return {};
}

/// check_shape() and all_sound() for points, so that first_fault() takes points as it takes shapes.
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
