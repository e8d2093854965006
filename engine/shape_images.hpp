// The images of a shape in a world that begins again behind its border. Internal to the engine.
#pragma once

#include "agent_test.hpp"
#include "box.hpp"
#include "point.hpp"
#include "shape_gate.hpp"
#include "shifted_shape.hpp"
#include "status.hpp"
#include "world_wrap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace throng {

/// A shape, moved so that it stands in the world, and the same moved on by whole periods, as often
/// as its bounds then come within one period of the world: docs/worlds.md.
template <class Shape, std::size_t Dim>
class ShapeImages {
public:
    /// Shapes that have more are refused.
    static constexpr std::size_t kMost = 4096;

    /// Images that come within some reach of the world, numbered in a fixed order. Borrows the
    /// images of which it is a part.
    class Near {
    public:
        [[nodiscard]] std::size_t size() const noexcept { return size_; }

        [[nodiscard]] Shape operator[](std::size_t i) const noexcept {
            return all_->moved(offset(i));
        }

        /// Whether it may be that two of them hit the same agent.
        [[nodiscard]] bool may_meet_twice() const noexcept { return may_meet_twice_; }

        /// Of an agent that image i hits: whether none before it does.
        [[nodiscard]] bool is_first(std::size_t i, const Point<Dim>& position,
                                    const Point<Dim>& half) const noexcept {
            // Where a long shape hits somebody with many images, then mostly with the one before
            // too.
            for (std::size_t j = i; j-- > 0;) {
                const Offset<Dim> by = offset(j);
                if (!all_->may_reach(by, position, half)) { continue; }
                if (AgentTest<Shape>(all_->moved(by)).hits(position, half)) { return false; }
            }
            return true;
        }

    private:
        friend ShapeImages;
        Near(const ShapeImages& all, const std::array<double, Dim>& reach) noexcept : all_(&all) {
            const WorldWrap<Dim>& world = all.world_;
            double size = all.is_empty() ? 0.0 : 1.0;
            for (std::size_t a = 0; a < Dim; ++a) {
                if (!world.periodic[a] || size == 0.0) { continue; }
                const double wide = reach[a] + all.slack_[a];
                const double period = world.period[a];
                const auto& [lo, hi] = all.bounds_;
                first_[a] = std::ceil((world.bounds.lo[a] - wide - hi[a]) / period);
                double last = std::floor((world.bounds.hi[a] + wide - lo[a]) / period);
                if constexpr (kThreeSayAll) {
                    first_[a] = std::max(first_[a], -1.0);
                    last = std::min(last, 1.0);
                }
                const double count = std::max(last - first_[a] + 1.0, 0.0);
                // A shape with too many is refused, so it does not matter how many too many.
                count_[a] = static_cast<std::size_t>(std::min(count, kMost + 1.0));
                size = std::min(size * count, kMost + 1.0);
                const double span = static_cast<double>(hi[a]) - lo[a] + 2.0 * wide;
                may_meet_twice_ = may_meet_twice_ || (count_[a] > 1 && span >= period);
            }
            size_ = static_cast<std::size_t>(size);
        }

        [[nodiscard]] Offset<Dim> offset(std::size_t i) const noexcept {
            Offset<Dim> by = all_->home_;
            for (std::size_t a = 0; a < Dim; ++a) {
                const double k = first_[a] + static_cast<double>(i % count_[a]);
                by[a] += k * all_->world_.period[a];
                i /= count_[a];
            }
            return by;
        }

        const ShapeImages* all_;
        std::array<double, Dim> first_{}; // whole periods from home
        std::array<std::size_t, Dim> count_ = ones();
        std::size_t size_ = 0;
        bool may_meet_twice_ = false;

        static constexpr std::array<std::size_t, Dim> ones() noexcept {
            std::array<std::size_t, Dim> all{};
            all.fill(1);
            return all;
        }
    };

    ShapeImages(const WorldWrap<Dim>& world, const Shape& shape) noexcept
        : world_(world), shape_(shape), status_(check_shape(shape)) {
        if (!status_.ok()) { return; }
        const Offset<Dim> stand = stand_of(shape);
        for (std::size_t a = 0; a < Dim; ++a) {
            const auto& [lo, hi] = world.bounds;
            if (world.periodic[a]) { home_[a] = put_between(stand[a], lo[a], hi[a]) - stand[a]; }
        }
        bounds_ = ShapeGate<Dim>(moved(home_)).bounds();
        std::array<double, Dim> period, size;
        double largest = 0.0, moving = 0.0, all = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            period[a] = world.period[a];
            const auto& [lo, hi] = bounds_;
            // More than any coordinate of an image on this axis.
            size[a] = 2.0 * std::max(std::abs(static_cast<double>(lo[a])),
                                     std::abs(static_cast<double>(hi[a]))) +
                      std::abs(world.bounds.lo[a]) + std::abs(world.bounds.hi[a]) + 2.0 * period[a];
            largest = std::max(largest, size[a]);
            moving += world.periodic[a] ? size[a] : 0.0;
            all += size[a];
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            slack_[a] = (kAxesMix ? all : size[a] + moving) * 0x1p-16;
        }
        refuse_if_wrong(Near(*this, period), largest + moving);
    }

    ShapeImages(const ShapeImages&) = delete;
    ShapeImages& operator=(const ShapeImages&) = delete;

    /// Nothing, or why nobody can be asked with these.
    [[nodiscard]] const Status& status() const noexcept { return status_; }

    /// Those that may hit somebody who is in the world and whose extents are at most these. Who is
    /// wider than the world is hit by one that comes within a period, if by any.
    [[nodiscard]] Near reaching(const Point<Dim>& largest) const noexcept {
        const Box<Dim> cover = cover_of_extents(largest);
        std::array<double, Dim> reach;
        for (std::size_t a = 0; a < Dim; ++a) {
            reach[a] = std::min(cover.hi[a], world_.period[a]);
        }
        return Near(*this, reach);
    }

private:
    /// Of these the images one period either way find all that others could: docs/worlds.md.
    static constexpr bool kThreeSayAll =
        std::same_as<Shape, Box<Dim>> || std::same_as<Shape, Ball<Dim>>;
    /// Whether rounding on one axis moves the bounds on another, where no image is moved.
    static constexpr bool kAxesMix =
        std::same_as<Shape, Capsule<Dim>> || std::same_as<Shape, OrientedBox<Dim>>;

    /// What an agent takes up on both sides of where it is.
    [[nodiscard]] static Box<Dim> cover_of_extents(const Point<Dim>& half) noexcept {
        constexpr bool kCentresCount =
            std::same_as<Shape, Ball<Dim>> || std::same_as<Shape, Sector<Dim>>;
        return kCentresCount ? Box<Dim>{} : cover_of(Point<Dim>{}, half);
    }

    [[nodiscard]] bool is_empty() const noexcept {
        bool empty = false;
        for (std::size_t a = 0; a < Dim; ++a) {
            empty = empty || bounds_.lo[a] > bounds_.hi[a];
            // Moved, an inverted box may be rounded to a point.
            if constexpr (std::same_as<Shape, Box<Dim>>) {
                empty = empty || shape_.lo[a] > shape_.hi[a];
            }
        }
        return empty;
    }

    [[nodiscard]] Shape moved(const Offset<Dim>& by) const noexcept { return shifted(shape_, by); }

    /// `size` is no less than any coordinate of an image.
    void refuse_if_wrong(const Near& all, double size) noexcept {
        if (all.size() > kMost) {
            status_ = {Cause::too_many, argument_of<Shape, Dim>()};
            return;
        }
        if (stays_sound(shape_, size)) { return; }
        for (std::size_t i = 0; i < all.size() && status_.ok(); ++i) {
            status_ = check_shape(all[i]);
        }
    }

    /// Whether the shape, moved so far, may hit the agent; never wrong when it says no.
    [[nodiscard]] bool may_reach(const Offset<Dim>& by, const Point<Dim>& position,
                                 const Point<Dim>& half) const noexcept {
        const Box<Dim> cover = cover_of_extents(half);
        bool reaches = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double on = by[a] - home_[a];
            const double wide = cover.hi[a] + slack_[a];
            reaches = reaches && bounds_.lo[a] + on - wide <= position[a] &&
                      position[a] <= bounds_.hi[a] + on + wide;
        }
        return reaches;
    }

    const WorldWrap<Dim>& world_;
    const Shape& shape_;
    Offset<Dim> home_{};              // to where the shape stands in the world
    Box<Dim> bounds_{};               // there
    std::array<double, Dim> slack_{}; // more than what rounding moves the bounds of any image
    Status status_;
};

} // namespace throng
