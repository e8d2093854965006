#include "convex.hpp"

#include "../agents/validation.hpp"
#include "direction.hpp"
#include "oriented_box.hpp"

#include <algorithm>
#include <utility>

namespace throng {

using detail::size_of;

namespace {

constexpr Status kNotConvex = {Cause::not_convex, Argument::corners};

template <std::size_t Dim>
float height_of(const Point<Dim>& normal, const Point<Dim>& point) noexcept {
    float height = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float term = normal[a] * point[a];
        height = a == 0 ? term : height + term;
    }
    return height;
}

template <std::size_t Dim>
Point<Dim> minus(const Point<Dim>& a, const Point<Dim>& b) noexcept {
    Point<Dim> difference;
    for (std::size_t axis = 0; axis < Dim; ++axis) {
        difference[axis] = a[axis] - b[axis];
    }
    return difference;
}

Point<3> cross(const Point<3>& a, const Point<3>& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <std::size_t Dim>
Point<Dim> negated(const Point<Dim>& direction) noexcept {
    return minus(Point<Dim>{}, direction);
}

template <std::size_t Dim>
bool is_zero(const Point<Dim>& direction) noexcept {
    return direction == Point<Dim>{};
}

/// The least and the greatest height of all corners along a normal.
template <std::size_t Dim>
std::pair<float, float> heights_of(const Point<Dim>& normal,
                                   std::span<const Point<Dim>> corners) noexcept {
    std::pair<float, float> heights(height_of(normal, corners[0]), height_of(normal, corners[0]));
    for (const Point<Dim>& corner : corners) {
        heights.first = std::min(heights.first, height_of(normal, corner));
        heights.second = std::max(heights.second, height_of(normal, corner));
    }
    return heights;
}

template <std::size_t Dim>
Status check_corners(std::span<const Point<Dim>> corners) noexcept {
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Status status = check_point(corners[i], Argument::corners, i);
        if (!status.ok()) { return status; }
    }
    return {};
}

template <std::size_t Dim>
Box<Dim> bounds_of(std::span<const Point<Dim>> corners) noexcept {
    Box<Dim> bounds = {corners[0], corners[0]};
    for (const Point<Dim>& corner : corners) {
        for (std::size_t a = 0; a < Dim; ++a) {
            bounds.lo[a] = std::min(bounds.lo[a], corner[a]);
            bounds.hi[a] = std::max(bounds.hi[a], corner[a]);
        }
    }
    return bounds;
}

/// Adds the side with this outward normal, behind which all corners lie. False if a corner lies
/// beyond `on`, which is a corner of that side, by more than rounding can do.
template <std::size_t Dim>
bool add_side(Convex<Dim>& convex, const Point<Dim>& normal, const Point<Dim>& on,
              std::span<const Point<Dim>> corners) noexcept {
    float beyond = 0.0f;
    float largest = 0.0f;
    for (const Point<Dim>& corner : corners) {
        // Heights of differences, since heights of corners lose what is small beside coordinates.
        beyond = std::max(beyond, height_of(normal, minus(corner, on)));
        largest = std::max(largest, size_of(corner));
    }
    constexpr float kRounding = 0x1p-21f;
    if (beyond > largest * kRounding) { return false; }
    convex.sides[convex.count++] = {normal, heights_of(normal, corners).second};
    return true;
}

/// Twice the area, positive if the corners go counter-clockwise.
double area_of(std::span<const Point<2>> corners) noexcept {
    const auto from_first = [&](std::size_t i, std::size_t a) {
        return static_cast<double>(corners[i][a]) - static_cast<double>(corners[0][a]);
    };
    double area = 0.0;
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        area += from_first(i, 0) * from_first(i + 1, 1) - from_first(i, 1) * from_first(i + 1, 0);
    }
    return area;
}

/// A polygon without an area is bounded by both sides of its line.
void close_flat(Convex<2>& convex, std::span<const Point<2>> corners) noexcept {
    Point<2> way{};
    for (const Point<2>& corner : corners) {
        const Point<2> from_first = minus(corner, corners[0]);
        if (size_of(from_first) > size_of(way)) { way = from_first; }
    }
    if (is_zero(way)) { return; }
    const Point<2> normal = scaled(Point<2>{way[1], -way[0]});
    for (const Point<2>& side : {normal, negated(normal)}) {
        convex.sides[convex.count++] = {side, heights_of(side, corners).second};
    }
}

} // namespace

OrStatus<Convex<2>> polygon(std::span<const Point<2>> corners) noexcept {
    if (corners.size() > Convex<2>::kMostSides) {
        return {{}, {Cause::too_many, Argument::corners, Convex<2>::kMostSides}};
    }
    if (const Status status = check_corners(corners); !status.ok()) { return {{}, status}; }
    if (corners.empty()) { return {{}, kNotConvex}; }

    Convex<2> convex;
    convex.bounds = bounds_of(corners);
    const double wide = static_cast<double>(convex.bounds.hi[0]) - convex.bounds.lo[0];
    const double high = static_cast<double>(convex.bounds.hi[1]) - convex.bounds.lo[1];
    const double area = area_of(corners);
    constexpr double kFlat = 0x1p-24;
    if (std::abs(area) <= (wide * wide + high * high) * kFlat) {
        close_flat(convex, corners);
        return {convex, {}};
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point<2> edge = minus(corners[(i + 1) % corners.size()], corners[i]);
        if (is_zero(edge)) { continue; }
        const Point<2> normal =
            scaled(area > 0.0 ? Point<2>{edge[1], -edge[0]} : Point<2>{-edge[1], edge[0]});
        if (!add_side(convex, normal, corners[i], corners)) { return {{}, kNotConvex}; }
    }
    return {convex, {}};
}

OrStatus<Convex<3>> frustum(const std::array<Point<3>, 8>& corners) noexcept {
    const std::span<const Point<3>> all(corners);
    if (const Status status = check_corners(all); !status.ok()) { return {{}, status}; }
    Convex<3> convex;
    convex.bounds = bounds_of(all);
    constexpr std::array<std::array<std::size_t, 4>, 6> kSides = {
        {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
    for (const auto& side : kSides) {
        const Point<3> normal = scaled(cross(scaled(minus(corners[side[2]], corners[side[0]])),
                                             scaled(minus(corners[side[3]], corners[side[1]]))));
        // If a frustum begins in a point, one of its sides has no area.
        if (is_zero(normal)) { continue; }
        const auto [lowest, highest] = heights_of(normal, all);
        if (!(lowest < highest)) { return {{}, kNotConvex}; }
        if (!add_side(convex, normal, corners[side[0]], all) &&
            !add_side(convex, negated(normal), corners[side[0]], all)) {
            return {{}, kNotConvex};
        }
    }
    return {convex, {}};
}

namespace {

/// Adds the two sides of a box that are perpendicular to a normal. Along the normal the box reaches
/// as far as all its half edges do together.
template <std::size_t Dim>
void add_both_sides(Convex<Dim>& convex, const Point<Dim>& normal,
                    const OrientedBox<Dim>& box) noexcept {
    if (is_zero(normal)) { return; }
    float reach = 0.0f;
    for (const Point<Dim>& edge : box.half_edges) {
        reach = reach + std::abs(height_of(normal, edge));
    }
    const float middle = height_of(normal, box.centre);
    convex.sides[convex.count++] = {normal, middle + reach};
    convex.sides[convex.count++] = {negated(normal), reach - middle};
}

void add_sides(Convex<2>& convex, const OrientedBox<2>& box) noexcept {
    for (const Point<2>& edge : box.half_edges) {
        const Point<2> along = scaled(edge);
        add_both_sides(convex, Point<2>{along[1], -along[0]}, box);
    }
}

/// A flat box has a normal across its plane, and others in the plane. A box that is a line has
/// normals across both the line and an axis of the world. A point has only its bounds.
void add_sides(Convex<3>& convex, const OrientedBox<3>& box) noexcept {
    // Smaller products of scaled directions are rounding.
    constexpr float kNothing = 0x1p-20f;
    std::array<Point<3>, 3> edge;
    std::array<Point<3>, 3> normal;
    for (std::size_t i = 0; i < 3; ++i) {
        edge[i] = scaled(box.half_edges[i]);
    }
    Point<3> largest{};
    for (std::size_t i = 0; i < 3; ++i) {
        normal[i] = cross(edge[(i + 1) % 3], edge[(i + 2) % 3]);
        if (size_of(normal[i]) > size_of(largest)) { largest = normal[i]; }
    }
    if (size_of(largest) > kNothing &&
        std::abs(height_of(edge[0], normal[0])) > kNothing * size_of(largest)) {
        for (const Point<3>& across : normal) {
            add_both_sides(convex, scaled(across), box);
        }
    } else if (size_of(largest) > kNothing) {
        const Point<3> across = scaled(largest);
        add_both_sides(convex, across, box);
        for (const Point<3>& along : edge) {
            add_both_sides(convex, scaled(cross(across, along)), box);
        }
    } else {
        Point<3> along = box.half_edges[0];
        for (const Point<3>& other : box.half_edges) {
            if (size_of(other) > size_of(along)) { along = other; }
        }
        for (std::size_t a = 0; a < 3; ++a) {
            Point<3> axis{};
            axis[a] = 1.0f;
            add_both_sides(convex, scaled(cross(scaled(along), axis)), box);
        }
    }
}

} // namespace

template <std::size_t Dim>
Convex<Dim> convex_of(const OrientedBox<Dim>& box) noexcept {
    Convex<Dim> convex;
    for (std::size_t a = 0; a < Dim; ++a) {
        float reach = 0.0f;
        for (const Point<Dim>& edge : box.half_edges) {
            reach = reach + std::abs(edge[a]);
        }
        convex.bounds.lo[a] = box.centre[a] - reach;
        convex.bounds.hi[a] = box.centre[a] + reach;
    }
    add_sides(convex, box);
    return convex;
}

template Convex<2> convex_of(const OrientedBox<2>&) noexcept;
template Convex<3> convex_of(const OrientedBox<3>&) noexcept;

} // namespace throng
