// The copies of a shape that is narrower than a periodic world. Internal to the engine.
#pragma once

#include "../../agents/box.hpp"
#include "../../agents/point.hpp"
#include "../../agents/world_wrap.hpp"
#include "../../shapes/shape_facts.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace throng {

/// The offsets of those copies of a shape, except itself, that come near the world. The shape
/// stands in the world, and is so narrow that on each axis it comes near one border at most: a copy
/// one period away on this axis then comes near the world at the border opposite.
///
/// These are the copies of PeriodicShape in the same order, found in a fraction of the time. Nearly
/// all shapes that cross a border are so narrow; for the others there is a PeriodicShape.
template <std::size_t Dim>
class NarrowCopies {
public:
    /// `at` is the shape's anchor, and `bounds` are its bounds. `reach` is how far from these an
    /// agent may be that the shape hits, and `slack` more than rounding can move the bounds.
    NarrowCopies(const WorldWrap<Dim>& world, const std::array<double, Dim>& at,
                 const Box<Dim>& bounds, const Point<Dim>& reach, double slack) noexcept
        : narrow_(world.is_moderate()) {
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world.periodic[a]) { continue; }
            const double wide = reach[a] + slack;
            const double low = bounds.lo[a] - wide, high = bounds.hi[a] + wide;
            const bool below = low <= world.bounds.lo[a], above = high >= world.bounds.hi[a];
            // Written so that NaN is not narrow.
            narrow_ = narrow_ && world.bounds.lo[a] <= at[a] && at[a] < world.bounds.hi[a] &&
                      high - low < world.period[a];
            if (!below && !above) { continue; }
            axis_[near_] = a;
            by_[near_++] = below ? world.period[a] : -double{world.period[a]};
        }
    }

    /// Of a ball in the world.
    NarrowCopies(const WorldWrap<Dim>& world, const Point<Dim>& centre, float radius) noexcept
        : NarrowCopies(world, detail::as_offset(centre),
                       Box<Dim>::around(centre, Point<Dim>::all(radius)), {}, world.slack) {}

    /// Of a ball in the world that is narrow; `inner` is WorldWrap::without_borders() for its
    /// radius.
    NarrowCopies(const WorldWrap<Dim>& world, const Box<Dim>& inner,
                 const Point<Dim>& centre) noexcept
        : narrow_(true) {
        for (std::size_t a = 0; a < Dim; ++a) {
            bool below = centre[a] <= inner.lo[a];
            const bool above = centre[a] >= inner.hi[a];
            if (!below && !above) { continue; }
            // Near both only by slack: the nearer one is the one that counts.
            if (below && above) {
                below = centre[a] - world.bounds.lo[a] < world.bounds.hi[a] - centre[a];
            }
            axis_[near_] = a;
            by_[near_++] = below ? world.period[a] : -double{world.period[a]};
        }
    }

    /// Of a shape that is not narrow.
    NarrowCopies() noexcept : narrow_(false) {}

    /// Whether the shape is as narrow as this class demands.
    [[nodiscard]] bool narrow() const noexcept { return narrow_; }

    /// How many copies there are. They are numbered from 1: number 0 is the shape itself.
    [[nodiscard]] std::size_t count() const noexcept { return (std::size_t{1} << near_) - 1; }

    [[nodiscard]] std::array<double, Dim> offset(std::size_t copy) const noexcept {
        std::array<double, Dim> by{};
        for (std::size_t i = 0; i < near_; ++i) {
            if ((copy >> i & 1) != 0) { by[axis_[i]] = by_[i]; }
        }
        return by;
    }

    /// The same in periods: -1, 0 or 1 on each axis.
    [[nodiscard]] Point<Dim> steps(std::size_t copy) const noexcept {
        Point<Dim> steps{};
        for (std::size_t i = 0; i < near_; ++i) {
            if ((copy >> i & 1) != 0) { steps[axis_[i]] = by_[i] < 0.0 ? -1.0f : 1.0f; }
        }
        return steps;
    }

    /// A number below kSides for the way in which a copy is moved: copies of neighbouring shapes
    /// with the same number are neighbours.
    [[nodiscard]] std::size_t side(std::size_t copy) const noexcept {
        std::size_t side = 0;
        for (std::size_t i = 0; i < near_; ++i) {
            if ((copy >> i & 1) != 0) {
                side |= std::size_t{by_[i] < 0.0 ? 1u : 2u} << 2 * axis_[i];
            }
        }
        return side;
    }
    static constexpr std::size_t kSides = std::size_t{1} << 2 * Dim;

    /// Whether copies of a side are moved upwards, on the highest axis on which they are moved. Of
    /// two agents that find each other across a border, one does it by a copy that rises, and the
    /// other by one that does not.
    [[nodiscard]] static bool rises(std::size_t side) noexcept {
        return std::bit_width(side) % 2 == 0;
    }

private:
    bool narrow_;
    std::size_t near_ = 0; // borders that the shape comes near, on as many axes
    std::array<std::size_t, Dim> axis_{};
    std::array<double, Dim> by_{};
};

} // namespace throng
