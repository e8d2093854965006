// Where a shape's hits can be: what a tree asks of a node before it goes down. Internal to the
// engine.
#pragma once

#include "../agents/box.hpp"
#include "shapes.hpp"
#include "shapes_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace throng {

using detail::Offset;

/// The box that stands for an agent in indexes that prune by boxes: its own box, no narrower on any
/// axis than its disc, and a little wider, since rounding changes the tests of large agents.
template <std::size_t Dim>
[[nodiscard]] constexpr Box<Dim> cover_of(const Point<Dim>& position,
                                          const Point<Dim>& half) noexcept {
    Point<Dim> wide;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float widest = half[a] > half[0] ? half[a] : half[0];
        wide[a] = widest + widest * 0x1p-18f;
    }
    return Box<Dim>::around(position, wide);
}

/// How much larger a ball's box, rounded to floats, has to be made on each side to hold all that
/// the ball finds. `size` is no less than the largest coordinate of that box. This is twice what a
/// ShapeGate adds, which computes in doubles.
[[nodiscard]] constexpr float margin_of_ball(float size) noexcept {
    return size * 0x1p-19f + 1e-18f;
}

/// Whether two boxes, neither of them inverted, have a point in common.
template <std::size_t Dim>
[[nodiscard]] constexpr bool touch(const Box<Dim>& a, const Box<Dim>& b) noexcept {
    bool both = true;
    for (std::size_t axis = 0; axis < Dim; ++axis) {
        both = both && a.lo[axis] <= b.hi[axis] && b.lo[axis] <= a.hi[axis];
    }
    return both;
}

/// Tells whether any agent whose cover lies within a box may be a hit. Never wrong when it says no,
/// whatever rounding does to the agents' tests; sides of the box may be infinite.
template <std::size_t Dim>
class ShapeGate {
public:
    template <ShapeIn<Dim> Shape>
    explicit ShapeGate(const Shape& shape) noexcept;

    /// A box that the covers of all hits overlap. Inverted if there can be no hits.
    [[nodiscard]] const Box<Dim>& bounds() const noexcept { return bounds_; }

    [[nodiscard]] bool may_hold(const Box<Dim>& cover) const noexcept {
        return touch(bounds_, cover) && (coarse_ || may_reach(cover));
    }

    /// For a path: a time that is no later than any hit whose cover lies within a box. For other
    /// shapes 0.
    [[nodiscard]] double earliest(const Box<Dim>& cover) const noexcept {
        return line_ ? std::max(within(cover).first, 0.0) : 0.0;
    }

    // ShapeFacts calls these. Every hit meets the bounds, which must be set, and each region that
    // is added.

    /// A box that is inverted on any axis is empty.
    void set_bounds(const Box<Dim>& box) noexcept;
    /// Sets the box of two points, made larger by `margin` on every side.
    void set_bounds(const Point<Dim>& from, const Point<Dim>& to, double margin) noexcept;
    void add_ball(const Point<Dim>& centre, double radius) noexcept;
    /// Adds all points p with normal . p <= offset, up to rounding. For at most
    /// Convex::kMostSides calls.
    void add_side(const Offset<Dim>& normal, double offset) noexcept;
    /// Adds all points within `margin` of a line, on each axis.
    void add_line(const Point<Dim>& from, const Point<Dim>& way, double margin) noexcept;

private:
    using Numbers = Offset<Dim>;

    /// All points p with normal . p <= offset.
    struct Side {
        Numbers normal;
        double offset;
    };

    struct Times {
        double first, last;
    };

    /// The tests other than that of the bounds.
    [[nodiscard]] bool may_reach(const Box<Dim>& cover) const noexcept;
    /// The times at which the line is within the box.
    [[nodiscard]] Times within(const Box<Dim>& cover) const noexcept;

    Box<Dim> bounds_;
    bool coarse_ = true; ///< whether there are no tests but that of the bounds
    bool ball_ = false, line_ = false;
    std::size_t sides_ = 0;
    Numbers centre_;
    double radius2_;
    Numbers origin_, per_way_; ///< per_way_: one over the way made in a unit of time
    double margin_;
    std::array<Side, Convex<Dim>::kMostSides> side_;
};

// Computed in doubles, whose rounding errors are negligible beside those of floats.
template <std::size_t Dim>
bool ShapeGate<Dim>::may_reach(const Box<Dim>& cover) const noexcept {
    if (ball_) {
        double distance2 = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double below = cover.lo[a] - centre_[a];
            const double above = centre_[a] - cover.hi[a];
            const double off = std::max({below, above, 0.0});
            distance2 += off * off;
        }
        if (distance2 > radius2_) { return false; }
    }
    for (std::size_t s = 0; s < sides_; ++s) {
        const Side& side = side_[s];
        // The corner of the cover that lies deepest in the half space. The rounding error of a test
        // in floats grows with its terms, but an agent with larger terms than this corner is
        // farther outside by as much.
        double least = -side.offset;
        double size = std::abs(side.offset);
        for (std::size_t a = 0; a < Dim; ++a) {
            // Zero times an infinite side would be NaN.
            if (side.normal[a] == 0.0) { continue; }
            const double term = side.normal[a] * (side.normal[a] > 0.0 ? cover.lo[a] : cover.hi[a]);
            least += term;
            size += std::abs(term);
        }
        if (least > size * 0x1p-20 + 1e-18) { return false; }
    }
    if (line_) {
        const Times times = within(cover);
        if (times.first > times.last) { return false; }
    }
    return true;
}

// Times and covers are widened by a fraction of their size, which is more than rounding changes
// them.
template <std::size_t Dim>
typename ShapeGate<Dim>::Times ShapeGate<Dim>::within(const Box<Dim>& cover) const noexcept {
    Times times{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    for (std::size_t a = 0; a < Dim; ++a) {
        // On an axis on which the path does not move, the bounds have already decided.
        if (per_way_[a] == 0.0) { continue; }
        const double low = cover.lo[a] - std::abs(cover.lo[a] * 0x1p-20) - margin_ - origin_[a];
        const double high = cover.hi[a] + std::abs(cover.hi[a] * 0x1p-20) + margin_ - origin_[a];
        const double enter = (per_way_[a] > 0.0 ? low : high) * per_way_[a];
        const double leave = (per_way_[a] > 0.0 ? high : low) * per_way_[a];
        times.first = std::max(times.first, enter - std::abs(enter) * 0x1p-20);
        times.last = std::min(times.last, leave + std::abs(leave) * 0x1p-20);
    }
    return times;
}

extern template class ShapeGate<2>;
extern template class ShapeGate<3>;

/// The gate of the one shape in a view.
template <std::size_t Dim>
[[nodiscard]] ShapeGate<Dim> gate_of(const ShapesView<Dim>& one) noexcept;

} // namespace throng
