// A sector as a question to obstacles: which of them it sees. Internal to the engine.
#pragma once

#include "../../shapes/sector.hpp"
#include "outline.hpp"

#include <cmath>

namespace throng::obstacle {

template <std::size_t Dim>
struct ExactSector {
    Real<Dim> apex, ahead; ///< ahead is of unit length
    double cosine, sine, radius;
    double slack = 0.0; ///< how far off rounding may put a point; the radius includes it
};

template <std::size_t Dim>
[[nodiscard]] ExactSector<Dim> body_of(const Sector<Dim>& sector) noexcept {
    // Scaled first, so that the squares of a direction neither overflow nor vanish.
    double largest = 0.0;
    for (const float x : sector.direction.axis) {
        largest = std::max(largest, std::abs(double{x}));
    }
    const Real<Dim> way = scaled(real(sector.direction), 1.0 / largest);
    const double cosine = sector.cosine;
    return {real(sector.centre), scaled(way, 1.0 / std::sqrt(dot(way, way))), cosine,
            std::sqrt(1.0 - cosine * cosine), sector.radius};
}

/// The sector for the test of an obstacle of this size. Its radius is cut to a length beyond which
/// no such obstacle lies, so that a huge radius adds no slack.
template <std::size_t Dim>
[[nodiscard]] ExactSector<Dim> asking(ExactSector<Dim> sector, double size) noexcept {
    const double most = size + size_of(sector.apex);
    sector.radius = std::min(sector.radius, 4.0 * most);
    sector.slack = (most + sector.radius) * kTouch;
    sector.radius += sector.slack;
    return sector;
}

/// Whether a point, seen from the apex, is within the angle, or beside the rim by no more than the
/// rounding error.
template <std::size_t Dim>
[[nodiscard]] bool is_seen(const ExactSector<Dim>& sector, const Real<Dim>& offset) noexcept {
    const double forward = dot(offset, sector.ahead);
    const double aside = std::sqrt(cross2(offset, sector.ahead));
    // The line of a rim continues behind the apex, where a narrow sector sees nothing.
    const bool behind = sector.cosine > 0.0 && forward < -sector.slack;
    return !behind && aside * sector.cosine - forward * sector.sine <= sector.slack;
}

/// The directions of the two rims in the plane.
[[nodiscard]] inline std::array<Real<2>, 2> rims_of(const ExactSector<2>& sector) noexcept {
    const auto [x, y] = sector.ahead;
    const double c = sector.cosine, s = sector.sine;
    return {{{x * c - y * s, x * s + y * c}, {x * c + y * s, y * c - x * s}}};
}

/// Whether a part of a segment is seen. The nearest point within the angle is the nearest point of
/// the whole segment, one of its ends, or the place where the segment crosses a rim.
[[nodiscard]] inline bool sees_edge(const ExactSector<2>& sector, const Real<2>& from,
                                    const Real<2>& to) noexcept {
    const double radius2 = sector.radius * sector.radius;
    for (const Real<2>& point : {nearest_on_segment(from, to, sector.apex), from, to}) {
        const Real<2> offset = minus(point, sector.apex);
        if (dot(offset, offset) <= radius2 && is_seen(sector, offset)) { return true; }
    }
    const Real<2> way = minus(to, from), offset = minus(from, sector.apex);
    for (const Real<2>& rim : rims_of(sector)) {
        const double turn = cross(way, rim);
        if (turn == 0.0) { continue; } // along the rim: an end or the nearest point decides
        const double time = cross(rim, offset) / turn;
        const double distance = cross(way, offset) / turn;
        if (time >= 0.0 && time <= 1.0 && distance >= 0.0 && distance <= sector.radius) {
            return true;
        }
    }
    return false;
}

/// In space a segment crosses the rim, a cone, up to twice.
[[nodiscard]] inline bool sees_edge(const ExactSector<3>& sector, const Real<3>& from,
                                    const Real<3>& to) noexcept {
    const double radius2 = sector.radius * sector.radius;
    const auto is_near = [&](const Real<3>& offset) { return dot(offset, offset) <= radius2; };
    for (const Real<3>& point : {nearest_on_segment(from, to, sector.apex), from, to}) {
        const Real<3> offset = minus(point, sector.apex);
        if (is_near(offset) && is_seen(sector, offset)) { return true; }
    }
    // The segment crosses the cone where (sine * ahead)^2 = (cosine * length of aside)^2, which is
    // an equation a t^2 + 2 b t + c = 0.
    const Real<3> way = minus(to, from), offset = minus(from, sector.apex);
    const double ahead = dot(offset, sector.ahead), nearing = dot(way, sector.ahead);
    const Real<3> aside = cross(offset, sector.ahead), turning = cross(way, sector.ahead);
    const double s2 = sector.sine * sector.sine, c2 = sector.cosine * sector.cosine;
    const double a = s2 * nearing * nearing - c2 * dot(turning, turning);
    const double b = s2 * ahead * nearing - c2 * dot(aside, turning);
    const double c = s2 * ahead * ahead - c2 * dot(aside, aside);
    double square = b * b - a * c;
    const bool unsure = std::abs(square) <= kTouch * (b * b + std::abs(a * c));
    if (unsure) { square = 0.0; }
    if (!(square >= 0.0)) { return false; }
    // The root takes the sign of b, so that the sum loses no digits.
    const double sum = -(b + std::copysign(std::sqrt(square), b));
    const auto crosses_at = [&](double above, double below) {
        if (below == 0.0) { return false; }
        const double time = above / below;
        if (!(time >= 0.0 && time <= 1.0)) { return false; } // NaN and infinity too
        const Real<3> there = along(offset, time, way);
        // The other half of the cone does not count.
        const bool right = sector.cosine * dot(there, sector.ahead) >= 0.0;
        return right && is_near(there) && (!unsure || is_seen(sector, there));
    };
    return crosses_at(sum, a) || crosses_at(c, sum);
}

/// Whether a part of the inside of a face is seen; its edges are tested separately. The nearest
/// point is the apex's foot on the face's plane. If the foot is beyond the angle, the nearest point
/// is on the curve in which the rim's cone meets that plane: where the plane through the sector's
/// direction and the foot cuts the curve.
[[nodiscard]] inline bool sees_face(const ExactSector<3>& sector, const Polygon<3>& face) noexcept {
    Real<3> normal =
        cross(minus(face.corners[1], face.corners[0]), minus(face.corners[2], face.corners[0]));
    const double length = std::sqrt(dot(normal, normal));
    if (!(length > 0.0)) { return false; }
    normal = scaled(normal, 1.0 / length);
    double height = dot(normal, minus(face.corners[0], sector.apex));
    const auto is_within = [&](const Real<3>& offset) {
        if (!(dot(offset, offset) <= sector.radius * sector.radius)) { return false; }
        bool left = true, right = true;
        return !face.any_edge([&](const Real<3>& from, const Real<3>& to) {
            const Real<3> edge = minus(to, from), there = minus(offset, minus(from, sector.apex));
            const double turn = dot(cross(edge, there), normal);
            left = left && turn >= 0.0;
            right = right && turn <= 0.0;
            return !left && !right;
        });
    };
    const Real<3> foot = scaled(normal, height);
    if (is_seen(sector, foot) && is_within(foot)) { return true; }
    if (height < 0.0) {
        normal = scaled(normal, -1.0);
        height = -height;
    }
    // The unit vector perpendicular to the direction that leads fastest towards the plane; any, if
    // the direction is perpendicular to the plane.
    const auto across = [&](const Real<3>& way) {
        const Real<3> made = along(way, -dot(way, sector.ahead), sector.ahead);
        return scaled(made, 1.0 / std::sqrt(dot(made, made)));
    };
    const bool slanted = cross2(normal, sector.ahead) > 1e-24;
    const Real<3> edge = minus(face.corners[1], face.corners[0]);
    // Twice, since the first pass cancels most of a vector that is nearly along the direction.
    const Real<3> aside = across(across(slanted ? normal : cross(sector.ahead, edge)));
    for (const double sine : {sector.sine, -sector.sine}) {
        const Real<3> rim = along(scaled(sector.ahead, sector.cosine), sine, aside);
        const double nearing = dot(rim, normal);
        if (nearing > 0.0 && is_within(scaled(rim, height / nearing))) { return true; }
    }
    return false;
}

/// Whether an obstacle and a sector have a point in common: the apex is in the obstacle, or one of
/// its edges, or in space one of its faces, is seen.
template <std::size_t Dim>
[[nodiscard]] bool overlaps(const ExactSector<Dim>& given, const ExactBox<Dim>& box) noexcept {
    Real<Dim> low, high;
    const double wide = given.radius + (given.radius + size_of(given.apex)) * kTouch;
    for (std::size_t a = 0; a < Dim; ++a) {
        low[a] = given.apex[a] - wide;
        high[a] = given.apex[a] + wide;
    }
    const ExactBox<Dim> part = part_within(box, low, high);
    if (is_empty(part)) { return false; }
    const ExactSector<Dim> sector = asking(given, size_of(part));
    const double distance = surface_of(part, sector.apex).distance;
    if (distance <= sector.slack) { return true; }
    if (distance > sector.radius) { return false; }
    const auto edge = [&](const auto& from, const auto& to) { return sees_edge(sector, from, to); };
    if (any_edge(part, edge)) { return true; }
    if constexpr (Dim == 3) {
        return any_face(part, [&](const auto& face) { return sees_face(sector, face); });
    }
    return false;
}
[[nodiscard]] inline bool overlaps(const ExactSector<3>& given,
                                   const ExactTriangle& triangle) noexcept {
    const ExactSector<3> sector = asking(given, size_of(triangle));
    const auto edge = [&](const auto& from, const auto& to) { return sees_edge(sector, from, to); };
    return surface_of(triangle, sector.apex).distance <= sector.slack || any_edge(triangle, edge) ||
           any_face(triangle, [&](const auto& face) { return sees_face(sector, face); });
}
/// Whether the middle line of a wall comes within half the wall's thickness of a sector, or of the
/// sector's arc or one of its rims.
[[nodiscard]] inline bool overlaps(const ExactSector<2>& given, const ExactWall& wall) noexcept {
    ExactSector<2> sector = asking(given, size_of(wall));
    const double radius = sector.radius, reach = wall.reach + sector.slack;
    sector.radius += wall.reach;
    if (sees_edge(sector, wall.from, wall.to)) { return true; }
    if (sector.cosine == -1.0) { return false; }
    for (const Real<2>& rim : rims_of(sector)) {
        const Real<2> end = along(sector.apex, radius, rim);
        if (std::sqrt(apart2(sector.apex, end, wall.from, wall.to)) <= reach) { return true; }
    }
    return false;
}

} // namespace throng::obstacle
