#include "convex.hpp"

#include "direction.hpp"
#include "oriented_box.hpp"
#include "validation.hpp"

#include <algorithm>
#include <utility>

namespace throng {

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
bool is_zero(const Point<Dim>& direction) noexcept {
    return direction == Point<Dim>{};
}

/// The least and the greatest height of all corners.
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

/// Adds the side across which `normal` points from all corners. False if a corner lies well beyond
/// `on`, which is a corner of that side; a little is due to rounding, and is taken in.
template <std::size_t Dim>
bool add_side(Convex<Dim>& convex, const Point<Dim>& normal, const Point<Dim>& on,
              std::span<const Point<Dim>> corners) noexcept {
    const float farthest = heights_of(normal, corners).second;
    float largest = 0.0f;
    for (const Point<Dim>& corner : corners) {
        for (std::size_t a = 0; a < Dim; ++a) {
            largest = std::max(largest, std::abs(corner[a]));
        }
    }
    constexpr float kRounding = 0x1p-18f;
    if (farthest - height_of(normal, on) > largest * kRounding) { return false; }
    convex.sides[convex.count++] = {normal, farthest};
    return true;
}

/// Twice the area, positive where the corners go around against the clock.
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

/// A polygon without an area is what lies on both sides of its line.
void close_flat(Convex<2>& convex, std::span<const Point<2>> corners) noexcept {
    Point<2> way{};
    for (const Point<2>& corner : corners) {
        const Point<2> from_first = minus(corner, corners[0]);
        const auto length = [](const Point<2>& p) {
            return std::max(std::abs(p[0]), std::abs(p[1]));
        };
        if (length(from_first) > length(way)) { way = from_first; }
    }
    if (is_zero(way)) { return; }
    const Point<2> normal = scaled(Point<2>{way[1], -way[0]});
    for (const Point<2>& side : {normal, Point<2>{-normal[0], -normal[1]}}) {
        convex.sides[convex.count++] = {side, heights_of(side, corners).second};
    }
}

} // namespace

ConvexOrStatus<2> polygon(std::span<const Point<2>> corners) noexcept {
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

ConvexOrStatus<3> frustum(const std::array<Point<3>, 8>& corners) noexcept {
    const std::span<const Point<3>> all(corners);
    if (const Status status = check_corners(all); !status.ok()) { return {{}, status}; }
    Convex<3> convex;
    convex.bounds = bounds_of(all);
    constexpr std::array<std::array<std::size_t, 4>, 6> kSides = {
        {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
    for (const auto& side : kSides) {
        const Point<3> normal = scaled(cross(scaled(minus(corners[side[2]], corners[side[0]])),
                                             scaled(minus(corners[side[3]], corners[side[1]]))));
        // A side may be a single edge: of a frustum that begins in a point.
        if (is_zero(normal)) { continue; }
        const auto [lowest, highest] = heights_of(normal, all);
        if (!(lowest < highest)) { return {{}, kNotConvex}; }
        const Point<3> turned = {-normal[0], -normal[1], -normal[2]};
        if (!add_side(convex, normal, corners[side[0]], all) &&
            !add_side(convex, turned, corners[side[0]], all)) {
            return {{}, kNotConvex};
        }
    }
    return {convex, {}};
}

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
    for (std::size_t i = 0; i < Dim; ++i) {
        Point<Dim> normal;
        if constexpr (Dim == 2) {
            const Point<2> other = scaled(box.half_edges[1 - i]);
            normal = {other[1], -other[0]};
        } else {
            normal = scaled(
                cross(scaled(box.half_edges[(i + 1) % 3]), scaled(box.half_edges[(i + 2) % 3])));
        }
        // Between sides that coincide there is nothing but what the other sides and bounds leave.
        if (is_zero(normal)) { continue; }
        const float middle = height_of(normal, box.centre);
        const float reach = std::abs(height_of(normal, box.half_edges[i]));
        Point<Dim> turned;
        for (std::size_t a = 0; a < Dim; ++a) {
            turned[a] = -normal[a];
        }
        convex.sides[convex.count++] = {normal, middle + reach};
        convex.sides[convex.count++] = {turned, reach - middle};
    }
    return convex;
}

template Convex<2> convex_of(const OrientedBox<2>&) noexcept;
template Convex<3> convex_of(const OrientedBox<3>&) noexcept;

} // namespace throng
