// How obstacles are searched: a kernel goes through the tree from near to far, and the definitions
// of the shapes decide. Bounds leave out only obstacles that cannot be an answer. Internal to the
// engine.
#pragma once

#include "../../../simd/kernels/tree/tree_seek.hpp"
#include "state.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::obstacle {

/// The factor by which limits are enlarged: more than the rounding error of a float, and of the few
/// operations on floats with which the kernel makes keys.
inline constexpr double kMore = 1.0 + 0x1p-18;

/// The slack of searches, relative to coordinates, radii and edges: more than definitions add, so
/// that searches leave out no obstacle that touches only thanks to slack. The slack for an
/// obstacle's own numbers is already in its place in the tree.
inline constexpr double kSlack = 16.0 * kTouch;

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

/// The first time at which the path touches an obstacle, or kNever.
template <std::size_t Dim>
double time_of(const Record<Dim>& record, const Path<Dim>& path) noexcept {
    return with_body(record, [&](const auto& body) { return first_touch(body, path); });
}

template <std::size_t Dim, class By = Unmoved>
ObstacleNear<Dim> near_of(const Record<Dim>& record, const Real<Dim>& point,
                          const By& shift = {}) noexcept {
    const Surface<Dim> surface =
        with_body(record, [&](const auto& body) { return surface_of(body, point); });
    return {record.id, static_cast<float>(surface.distance), rounded(shift.seen(surface.point)),
            rounded(surface.normal)};
}

/// Whether the side that a path touches follows from the path, and not from the nearest place on
/// the surface. If so, `normal` becomes that of the side, up to the sign, or zero if the body has
/// no normal.
template <std::size_t Dim>
bool has_side(const ExactBox<Dim>& box, const Path<Dim>& path, double time,
              Real<Dim>& normal) noexcept {
    if (time > 0.0) {
        normal = side_entered(box, path);
        return true;
    }
    const Real<Dim> side = box.turned_in(normal);
    bool flat = false;
    for (std::size_t i = 0; i < Dim; ++i) {
        flat = flat || (std::abs(side[i]) > 0.5 && box.lo[i] == box.hi[i]);
    }
    return flat;
}
inline bool has_side(const ExactWall& wall, const Path<2>& path, double, Real<2>& normal) noexcept {
    if (wall.reach > (size_of(wall) + size_of(path.from)) * kTouch) { return false; }
    normal = wall.from == wall.to ? Real<2>{} : left_of(wall);
    return true;
}
inline bool has_side(const ExactTriangle& triangle, const Path<3>&, double,
                     Real<3>& normal) noexcept {
    normal = dot(triangle.normal, triangle.normal) > 0.0 ? unit_normal(triangle) : Real<3>{};
    return true;
}

/// The place where a path first touches a body, at a given time. If the path's radius keeps the two
/// apart, the normal points from the body to the path. Otherwise it is the normal of the side that
/// the path enters; for a body without thickness, it points to where the path comes from.
template <std::size_t Dim, class Body>
Surface<Dim> touched(const Body& body, const Path<Dim>& path, double time) noexcept {
    Surface<Dim> surface = surface_of(body, along(path.from, time, path.way));
    if (path.radius > 0.0 && (time == 0.0 || surface.distance > 0.0)) { return surface; }
    if (!has_side(body, path, time, surface.normal)) { return surface; }
    if (dot(surface.normal, surface.normal) == 0.0) {
        const double way2 = dot(path.way, path.way);
        surface.normal = way2 > 0.0 ? scaled(path.way, 1.0 / std::sqrt(way2)) : Real<Dim>{1.0};
    }
    if (dot(surface.normal, path.way) > 0.0) { surface.normal = scaled(surface.normal, -1.0); }
    return surface;
}

/// The hit on an obstacle that a path first touches at this time.
template <std::size_t Dim, class By = Unmoved>
ObstacleHit<Dim> hit_of(const Record<Dim>& record, const Path<Dim>& path, double time,
                        const By& shift = {}) noexcept {
    return with_body(record, [&](const auto& body) {
        const Surface<Dim> surface = touched(body, path, time);
        return ObstacleHit<Dim>{record.id, static_cast<float>(time),
                                rounded(shift.seen(surface.point)), rounded(surface.normal)};
    });
}

/// A float that is not below x, and about `slack` above it; -rounded_up(-x, slack) is not above x.
inline float rounded_up(double x, double slack) noexcept {
    // Adds more than the half unit by which a float rounds.
    return static_cast<float>(x + slack + std::abs(x) * 0x1p-23 + 1e-36);
}

/// A box that overlaps the places of all obstacles that may touch something between two corners.
/// Each axis gets slack for its own sides only, not for the largest side. Where a definition mixes
/// axes, all get slack for `mixed` numbers as well.
template <std::size_t Dim>
Box<Dim> box_around(const Real<Dim>& low, const Real<Dim>& high, double mixed) noexcept {
    Box<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double slack = (std::max(std::abs(low[a]), std::abs(high[a])) + mixed) * kSlack;
        box.lo[a] = std::max(-rounded_up(-low[a], slack), -kLargest);
        box.hi[a] = std::min(rounded_up(high[a], slack), kLargest);
    }
    return box;
}
template <std::size_t Dim>
Box<Dim> widened(const Box<Dim>& box, double mixed) noexcept {
    return box_around(real(box.lo), real(box.hi), mixed);
}
/// The box, widened for all paths between two points in it.
template <std::size_t Dim>
Box<Dim> around_ways(const Box<Dim>& box) noexcept {
    return widened(box, std::max(size_of(real(box.lo)), size_of(real(box.hi))));
}

template <std::size_t Dim>
Extent<Dim> extent_of(const Ball<Dim>& ball) noexcept {
    Extent<Dim> extent = {real(ball.centre), {}, {}, true};
    for (std::size_t a = 0; a < Dim; ++a) {
        extent.lo[a] = extent.anchor[a] - ball.radius;
        extent.hi[a] = extent.anchor[a] + ball.radius;
    }
    return extent;
}
template <std::size_t Dim>
Extent<Dim> extent_of(const Path<Dim>& path) noexcept {
    Extent<Dim> extent = {path.from, {}, {}, false, size_of(path.from)};
    for (std::size_t a = 0; a < Dim; ++a) {
        const double end = path.from[a] + path.length * path.way[a];
        extent.lo[a] = std::min(path.from[a], end) - path.radius;
        extent.hi[a] = std::max(path.from[a], end) + path.radius;
    }
    return extent;
}
template <std::size_t Dim, class By>
Path<Dim> moved(Path<Dim> path, const By& shift) noexcept {
    path.from = shift.moved(path.from);
    return path;
}

/// What searches need to know of the obstacles, for one filter.
template <std::size_t Dim>
struct View {
    const simd::TreeView<Dim>& tree;
    const Record<Dim>* records;
    double size;
    simd::KernelFilter kernel_filter;
    const Surroundings<Dim>* around; ///< the world, if it is periodic; else null
    Inner<Dim> inner;                ///< its sides; not used if it is null

    /// Whether copies of a question may find something, too.
    [[nodiscard]] bool has_copies(const auto& question) const noexcept {
        if (around == nullptr) { return false; }
        const Extent<Dim> asked = extent_of(question);
        return !inner.holds(asked) && !around->has_inside(asked);
    }
    /// Calls ask(shift) for each copy of a question that may reach an obstacle.
    template <class Ask>
    void each_copy(const Extent<Dim>& extent, const Ask& ask) const {
        const Copies<Dim> copies(*around, extent);
        for (std::size_t i = 0; i < copies.size(); ++i) {
            ask(copies[i]);
        }
    }
    /// The same where ask(shift) adds answers: keeps one of each obstacle, with the least `number`.
    template <class Answer, class Ask>
    void each_copy(const Extent<Dim>& extent, std::vector<Answer>& answers, float Answer::*number,
                   const Ask& ask) const {
        const std::size_t begin = answers.size();
        each_copy(extent, [&](const Shift<Dim>& shift) {
            const std::size_t middle = answers.size();
            ask(shift);
            keep_least(answers, begin, middle, number);
        });
    }
};

/// How far off rounding may put a distance.
struct Allowance {
    double slack;

    /// The limit, as a square, within which a search finds all obstacles up to this distance.
    [[nodiscard]] float limit_for(float distance) const noexcept {
        return simd::limit_within(std::max(double{distance}, 0.0) * kMore + slack);
    }
    /// A distance that is not below this one, however floats or definitions round it.
    [[nodiscard]] float distance_for(double distance) const noexcept {
        return static_cast<float>((std::max(distance, 0.0) + slack) * kMore + 1e-30);
    }
};

/// A search of the tree around a point.
template <std::size_t Dim>
struct AroundPoint {
    const View<Dim>& view;
    Real<Dim> point;
    Allowance allowed;

    AroundPoint(const View<Dim>& of, const Point<Dim>& around) noexcept
        : view(of), point(real(around)), allowed{size_of(point) * kSlack} {}
    /// Around a place that the kernel sees rounded.
    AroundPoint(const View<Dim>& of, const Real<Dim>& around) noexcept
        : view(of), point(around), allowed{size_of(point) * 0x1p-22} {}

    void seek(float distance, const simd::SeekTest& test) const noexcept {
        simd::NearSeek<Dim> seek;
        for (std::size_t a = 0; a < Dim; ++a) {
            seek.point[a] = static_cast<float>(point[a]);
        }
        simd::seek_in_tree(view.tree, seek, view.kernel_filter, allowed.limit_for(distance), test);
    }
};

/// Hands `test` all obstacles whose distance from a straight way is within `half` on each axis.
template <std::size_t Dim>
void seek_along(const View<Dim>& view, const Real<Dim>& from, const Real<Dim>& way,
                const Real<Dim>& half, const simd::SeekTest& test) noexcept {
    simd::PathSeek<Dim> seek;
    for (std::size_t a = 0; a < Dim; ++a) {
        // Inverses of shorter ways are beyond floats. Such a way counts as one that reaches
        // everything near at once, and leaves only after a million times its length.
        constexpr double kShortest = 1e-30;
        const bool moves = std::abs(way[a]) >= kShortest;
        const double reach = half[a] * kMore + (moves ? 0.0 : 2.0 * kShortest);
        // Without a branch, which could not be predicted.
        const double up = std::copysign(1.0, way[a]);
        const auto sign = static_cast<float>(up);
        seek.first[a] = sign * rounded_up(up * from[a], reach);
        seek.last[a] = -sign * rounded_up(-up * from[a], reach);
        seek.inverse[a] = moves ? static_cast<float>(1.0 / way[a]) : sign * 1e36f;
    }
    simd::seek_in_tree(view.tree, seek, view.kernel_filter, 2.0f, test);
}

/// The limit of keys that finds every obstacle reached within this part of a way.
[[nodiscard]] inline float limit_at(double part) noexcept {
    return std::min(static_cast<float>(part * kMore) + 1e-30f, 2.0f);
}

/// A search of the tree along a path.
template <std::size_t Dim>
struct AlongPath {
    const View<Dim>& view;
    const Path<Dim>& path;

    /// The limit of keys that finds every obstacle hit up to this time.
    [[nodiscard]] float limit_for(double time) const noexcept {
        return path.length > 0.0 ? limit_at(time / path.length) : 2.0f;
    }
    void seek(const simd::SeekTest& test) const noexcept {
        // A disc may touch a side at the far end of its way.
        const double far =
            path.radius > 0.0 ? std::min(size_of(path.way) * path.length, view.size) : 0.0;
        Real<Dim> half;
        half.fill(path.radius + (size_of(path.from) + path.radius + far) * kSlack);
        seek_along(view, path.from, scaled(path.way, path.length), half, test);
    }
};

/// The search for the obstacle nearest to a point.
template <std::size_t Dim>
struct NearestOf {
    AroundPoint<Dim> around;
    float distance; ///< of the best so far; at first the largest that is wanted
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
    /// `probably` is the slot of an obstacle that is probably near and passes the filter, or
    /// kNowhere. The search begins with it.
    void find(std::uint32_t probably) noexcept {
        limit = around.allowed.limit_for(distance);
        if (probably != kNowhere) { look_at(probably); }
        known = probably;
        around.seek(distance, {this, test});
    }
};

/// Finds the obstacle nearest to a point in a periodic world. `near` is what the point finds where
/// it is, or nothing if nothing is within reach.
template <std::size_t Dim>
void look_around(const View<Dim>& view, const Point<Dim>& point, float within,
                 ObstacleNear<Dim>& near) noexcept {
    const auto reach = [&] { return near.id == kNoId ? within : std::max(near.distance, 0.0f); };
    if (!view.has_copies(Ball<Dim>{point, reach()})) { return; }
    const auto ask = [&](const Shift<Dim>& shift) {
        const float most = near.id == kNoId ? within : near.distance;
        NearestOf<Dim> search = {{view, shift.moved(real(point))}, most};
        search.find(kNowhere);
        if (search.slot == kNowhere) { return; }
        if (near.id == kNoId || search.distance < near.distance || search.id < near.id) {
            near = near_of(view.records[search.slot], search.around.point, shift);
        }
    };
    const Shift<Dim> home =
        Copies<Dim>(view.around->world, extent_of(Ball<Dim>{point, 0.0f})).home();
    if (home.from != home.to) {
        near = {};
        ask(home);
    }
    const Copies<Dim> copies(*view.around, extent_of(Ball<Dim>{point, reach()}));
    for (std::size_t i = 0; i < copies.size(); ++i) {
        if (!copies.is_home(i)) { ask(copies[i]); }
    }
}

/// The search for the first obstacle on a path.
template <std::size_t Dim>
struct FirstOf {
    AlongPath<Dim> way;
    bool any; ///< whether any obstacle on the path will do
    double time = kNever;
    Id id = kNoId;
    std::uint32_t slot = kNowhere;
    float limit = 2.0f;

    /// Looks at a candidate; returns whether it is the first so far.
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

/// Whether an obstacle is on a path, or on any of its copies.
template <std::size_t Dim>
bool is_blocked_around(const View<Dim>& view, const Path<Dim>& path) noexcept {
    bool blocked = false;
    view.each_copy(extent_of(path), [&](const Shift<Dim>& shift) {
        if (blocked) { return; }
        const Path<Dim> copy = moved(path, shift);
        FirstOf<Dim> search = {{view, copy}, true};
        search.find();
        blocked = search.slot != kNowhere;
    });
    return blocked;
}

} // namespace throng::obstacle
