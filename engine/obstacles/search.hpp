// How obstacles are searched: a kernel goes through the tree from near to far, and the definitions
// of the shapes decide. Bounds only ever leave out what cannot be an answer. Internal to the
// engine.
#pragma once

#include "../../simd/kernels/tree_seek.hpp"
#include "state.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace throng::obstacle {

/// By how much limits exceed what they stand for: more than what rounding can do to a float, and to
/// the few operations on floats with which the kernel makes keys.
inline constexpr double kMore = 1.0 + 0x1p-18;

/// The same for what rounding can do to the definitions: they take doubles, and so their errors are
/// in proportion to the largest coordinates that come in.
inline constexpr double kSlack = 0x1p-46;

template <std::size_t Dim>
Point<Dim> rounded(const Real<Dim>& real) noexcept {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = static_cast<float>(real[a]) + 0.0f;
    }
    return point;
}

template <std::size_t Dim>
double distance_of(const Record<Dim>& record, const Real<Dim>& point) noexcept {
    return with_body(record, [&](const auto& body) { return surface_of(body, point).distance; });
}

template <std::size_t Dim, class Body>
double first_touch(const Body& body, const Path<Dim>& path) noexcept {
    if (surface_of(body, path.from).distance <= path.radius) { return 0.0; }
    return entry_of(body, path);
}

/// The first time at which the path touches an obstacle.
template <std::size_t Dim>
double time_of(const Record<Dim>& record, const Path<Dim>& path) noexcept {
    return with_body(record, [&](const auto& body) { return first_touch(body, path); });
}

template <std::size_t Dim>
ObstacleNear<Dim> near_of(const Record<Dim>& record, const Real<Dim>& point) noexcept {
    const Surface<Dim> surface =
        with_body(record, [&](const auto& body) { return surface_of(body, point); });
    return {record.id, static_cast<float>(surface.distance), rounded(surface.point),
            rounded(surface.normal)};
}

/// Whether it has no inside, and its normal, up to the sign: zero if it has none.
template <std::size_t Dim>
bool is_thin(const BoxBody<Dim>&, Real<Dim>&) noexcept {
    return false;
}
inline bool is_thin(const WallBody& wall, Real<2>& normal) noexcept {
    const Real<2> way = minus(wall.to, wall.from);
    const double length = std::sqrt(dot(way, way));
    normal = length > 0.0 ? Real<2>{-way[1] / length, way[0] / length} : Real<2>{};
    return !(wall.reach > 0.0);
}
inline bool is_thin(const TriangleBody& triangle, Real<3>& normal) noexcept {
    normal = dot(triangle.normal, triangle.normal) > 0.0 ? unit_normal(triangle) : Real<3>{};
    return true;
}

/// Whether a box has no thickness along an axis of its own.
template <std::size_t Dim>
bool is_flat(const BoxBody<Dim>& box, const Real<Dim>& axis) noexcept {
    double size = 0.0;
    for (std::size_t i = 0; i < Dim; ++i) {
        size += box.hi[i] - box.lo[i];
    }
    return half_width_along(box, axis) <= 0x1p-40 * size;
}
template <class Body, class Axis>
bool is_flat(const Body&, const Axis&) noexcept {
    return false;
}

/// The place where a path touches a body at a time, where that begins. Where neither the path nor
/// the obstacle has any thickness, the normal cannot come from the distance: it points to the side
/// that the path comes from.
template <std::size_t Dim, class Body>
Surface<Dim> touched(const Body& body, const Path<Dim>& path, double time) noexcept {
    const Real<Dim> centre = along(path.from, time, path.way);
    if (path.radius > 0.0) { return surface_of(body, centre); }
    Surface<Dim> surface = {0.0, centre, {}};
    if (!is_thin(body, surface.normal)) {
        surface = surface_of(body, centre);
        if (!is_flat(body, surface.normal)) { return surface; }
    }
    if (dot(surface.normal, surface.normal) == 0.0) {
        const double way2 = dot(path.way, path.way);
        surface.normal = way2 > 0.0 ? scaled(path.way, 1.0 / std::sqrt(way2)) : Real<Dim>{1.0};
    }
    if (dot(surface.normal, path.way) > 0.0) { surface.normal = scaled(surface.normal, -1.0); }
    return surface;
}

/// The place of a hit at a time.
template <std::size_t Dim>
ObstacleHit<Dim> hit_of(const Record<Dim>& record, const Path<Dim>& path, double time) noexcept {
    return with_body(record, [&](const auto& body) {
        const Surface<Dim> surface = touched(body, path, time);
        return ObstacleHit<Dim>{record.id, static_cast<float>(time), rounded(surface.point),
                                rounded(surface.normal)};
    });
}

/// A float that is not below a number; and less its slack, one that is not above it.
inline float rounded_up(double x, double slack) noexcept {
    // By more than a half unit.
    return static_cast<float>(x + slack + std::abs(x) * 0x1p-23 + 1e-36);
}

/// The box between two corners, wider by the slack, in floats that are rounded outward.
template <std::size_t Dim>
Box<Dim> box_around(const Real<Dim>& low, const Real<Dim>& high, double slack) noexcept {
    Box<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a] = std::max(-rounded_up(-low[a], slack), -kLargest);
        box.hi[a] = std::min(rounded_up(high[a], slack), kLargest);
    }
    return box;
}

/// A box that holds all obstacles of this size which the definitions may find to touch it.
template <std::size_t Dim>
Box<Dim> widened(const Box<Dim>& box, double size) noexcept {
    const Real<Dim> low = real(box.lo), high = real(box.hi);
    return box_around(low, high, std::max({size, size_of(low), size_of(high)}) * kSlack);
}

/// The obstacles as searches see them.
template <std::size_t Dim>
struct View {
    const simd::TreeView<Dim>& tree;
    const Record<Dim>* records;
    double size;
    simd::KernelFilter kernel_filter;
};

/// How far off a distance may be.
struct Allowance {
    double slack;

    /// The limit of squares within which all obstacles at this distance are found.
    [[nodiscard]] float limit_for(float distance) const noexcept {
        return simd::limit_within(std::max(double{distance}, 0.0) * kMore + slack);
    }
    /// A distance that is not below this one, as floats or definitions may have it.
    [[nodiscard]] float distance_for(double distance) const noexcept {
        return static_cast<float>((std::max(distance, 0.0) + slack) * kMore + 1e-30);
    }
};

/// A search around a point.
template <std::size_t Dim>
struct AroundPoint {
    const View<Dim>& view;
    Real<Dim> point;
    Allowance allowed;

    AroundPoint(const View<Dim>& of, const Point<Dim>& around) noexcept
        : view(of), point(real(around)), allowed{(of.size + size_of(point)) * kSlack} {}

    void seek(float distance, const simd::SeekTest& test) const noexcept {
        simd::NearSeek<Dim> seek;
        for (std::size_t a = 0; a < Dim; ++a) {
            seek.point[a] = static_cast<float>(point[a]);
        }
        simd::seek_in_tree(view.tree, seek, view.kernel_filter, allowed.limit_for(distance), test);
    }
};

/// Hands over all that is within half a width, which differs by axis, of a straight way.
template <std::size_t Dim>
void seek_along(const View<Dim>& view, const Real<Dim>& from, const Real<Dim>& way,
                const Real<Dim>& half, double slack, const simd::SeekTest& test) noexcept {
    simd::PathSeek<Dim> seek;
    for (std::size_t a = 0; a < Dim; ++a) {
        // Inverses of shorter ways are beyond floats. Such a way reaches all that is near at once,
        // and passes it after a million times its length.
        constexpr double kShortest = 1e-30;
        const bool moves = std::abs(way[a]) >= kShortest;
        const double reach = (half[a] + slack) * kMore + (moves ? 0.0 : 2.0 * kShortest);
        // Without a branch, which would have to be guessed for each way.
        const double up = std::copysign(1.0, way[a]);
        const auto sign = static_cast<float>(up);
        seek.first[a] = sign * rounded_up(up * from[a], reach);
        seek.last[a] = -sign * rounded_up(-up * from[a], reach);
        seek.inverse[a] = moves ? static_cast<float>(1.0 / way[a]) : sign * 1e36f;
    }
    simd::seek_in_tree(view.tree, seek, view.kernel_filter, 2.0f, test);
}

/// The limit of keys within which all is found that is reached after this part of a way.
[[nodiscard]] inline float limit_at(double part) noexcept {
    return std::min(static_cast<float>(part * kMore) + 1e-30f, 2.0f);
}

/// A search along a path.
template <std::size_t Dim>
struct AlongPath {
    const View<Dim>& view;
    const Path<Dim>& path;

    /// The limit of keys within which all obstacles that are hit at this time are found.
    [[nodiscard]] float limit_for(double time) const noexcept {
        return path.length > 0.0 ? limit_at(time / path.length) : 2.0f;
    }
    void seek(const simd::SeekTest& test) const noexcept {
        const double slack = (view.size + size_of(path.from) + path.radius) * kSlack;
        Real<Dim> half;
        half.fill(path.radius);
        seek_along(view, path.from, scaled(path.way, path.length), half, slack, test);
    }
};

/// The nearest to one point.
template <std::size_t Dim>
struct NearestOf {
    AroundPoint<Dim> around;
    float distance; ///< of the best so far, or what it must not exceed
    Id id = kNoId;
    std::uint32_t slot = kNowhere;
    std::uint32_t known = kNowhere; ///< a slot that was looked at beforehand
    float limit = 0.0f;

    void look_at(std::uint32_t candidate) noexcept {
        const Record<Dim>& record = around.view.records[candidate];
        const auto there = static_cast<float>(distance_of(record, around.point));
        if (there > distance || (there == distance && record.id > id)) { return; }
        distance = there;
        id = record.id;
        slot = candidate;
        limit = around.allowed.limit_for(distance);
    }
    static float test(void* context, std::uint32_t candidate) noexcept {
        auto& self = *static_cast<NearestOf*>(context);
        if (candidate != self.known) { self.look_at(candidate); }
        return self.limit;
    }
    /// Begins with an obstacle that is probably near, and passes the filter; or with none.
    void find(std::uint32_t probably) noexcept {
        limit = around.allowed.limit_for(distance);
        if (probably != kNowhere) { look_at(probably); }
        known = probably;
        around.seek(distance, {this, test});
    }
};

/// The first on one path.
template <std::size_t Dim>
struct FirstOf {
    AlongPath<Dim> way;
    bool any; ///< the first one found will do
    double time = kNever;
    Id id = kNoId;
    std::uint32_t slot = kNowhere;
    float limit = 2.0f;

    /// Whether it is the first so far.
    bool look_at(std::uint32_t candidate) noexcept {
        const Record<Dim>& record = way.view.records[candidate];
        const double there = time_of(record, way.path);
        if (there == kNever) { return false; }
        // Times are compared as the floats that callers see.
        const auto one = static_cast<float>(there);
        const auto other = static_cast<float>(time);
        if (one > other || (one == other && record.id > id)) { return false; }
        time = there;
        id = record.id;
        slot = candidate;
        return true;
    }
    static float test(void* context, std::uint32_t candidate) noexcept {
        auto& self = *static_cast<FirstOf*>(context);
        if (self.look_at(candidate)) {
            self.limit =
                self.any ? -1.0f : self.way.limit_for(double{static_cast<float>(self.time)});
        }
        return self.limit;
    }
    void find() noexcept { way.seek({this, test, !any}); }
};

} // namespace throng::obstacle
