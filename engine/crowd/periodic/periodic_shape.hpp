// The copies of a shape in a periodic world. Internal to the engine.
#pragma once

#include "../../agents/box.hpp"
#include "../../agents/period_steps.hpp"
#include "../../agents/point.hpp"
#include "../../agents/world_wrap.hpp"
#include "../../core/status.hpp"
#include "../../shapes/agent_test.hpp"
#include "../../shapes/bounds.hpp"
#include "../../shapes/translated.hpp"
#include "../large/large_elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace throng {

/// The copies of a shape: the shape, moved so that it stands in the world, and copies moved on by
/// whole periods, as many as have bounds within one period of the world: docs/worlds.md.
template <std::size_t Dim>
class PeriodicShape {
public:
    /// The copies that come within some distance of the world, numbered in a fixed order: the shape
    /// at home first, if it is among them. Borrows the PeriodicShape.
    class Near {
    public:
        [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }

        [[nodiscard]] AnyShape<Dim> operator[](std::size_t i) const noexcept {
            return all_->moved(offset(i));
        }

        /// Whether two of these copies may hit the same agent.
        [[nodiscard]] bool may_hit_twice() const noexcept { return may_hit_twice_; }

        /// Whether copy i comes near enough to the world to hit an agent in it with extents of at
        /// most `largest`.
        [[nodiscard]] bool may_reach(std::size_t i, const Point<Dim>& largest) const noexcept {
            const Offset<Dim> by = offset(i);
            const Box<Dim> cover = all_->cover_of_extents(largest);
            bool reaches = true;
            for (std::size_t a = 0; a < Dim; ++a) {
                if (!all_->world_.periodic[a]) { continue; }
                const double on = by[a] - all_->home_[a];
                const double wide = cover.hi[a] + all_->slack_[a];
                reaches = reaches && all_->bounds_.lo[a] + on - wide <= all_->world_.bounds.hi[a] &&
                          all_->world_.bounds.lo[a] <= all_->bounds_.hi[a] + on + wide;
            }
            return reaches;
        }

        /// For an agent that copy i hits: whether no earlier copy hits it.
        [[nodiscard]] bool is_first(std::size_t i, const Point<Dim>& position,
                                    const Point<Dim>& half) const noexcept {
            return with_shapes(all_->shape_, [&]<class Shape>(std::span<const Shape> shapes) {
                // Backwards: when many copies of a long shape hit an agent, mostly the copy just
                // before copy i does.
                for (std::size_t j = i; j-- > 0;) {
                    const Offset<Dim> by = offset(j);
                    if (!all_->may_reach(by, position, half)) { continue; }
                    const AgentTest<Shape> test(shifted(shapes[0], by));
                    if (test.hits(position, half)) { return false; }
                }
                return true;
            });
        }

        /// Whether any copy of a path hits an agent before this time.
        [[nodiscard]] bool hits_before(float time, const Point<Dim>& position,
                                       const Point<Dim>& half) const noexcept {
            return with_paths(all_->shape_, [&]<class Path>(std::span<const Path> paths) {
                for (std::size_t j = 0; j < size(); ++j) {
                    const Offset<Dim> by = offset(j);
                    if (!all_->may_reach(by, position, half)) { continue; }
                    const AgentTest<Path> test(shifted(paths[0], by));
                    if (test.hits(position, half) && test.time(position, half) < time) {
                        return true;
                    }
                }
                return false;
            });
        }

    private:
        friend PeriodicShape;
        Near(const PeriodicShape& all, const std::array<double, Dim>& reach) noexcept : all_(&all) {
            const WorldWrap<Dim>& world = all.world_;
            for (std::size_t a = 0; a < Dim; ++a) {
                if (!world.periodic[a]) { continue; }
                if (all.is_empty()) { // bounds are inverted, or infinite
                    steps_.take(a, 1.0, 0.0);
                    continue;
                }
                const double wide = reach[a] + all.slack_[a];
                const double period = world.period[a];
                const auto& [lo, hi] = all.bounds_;
                double first = std::ceil((world.bounds.lo[a] - wide - hi[a]) / period);
                double last = std::floor((world.bounds.hi[a] + wide - lo[a]) / period);
                if (three_copies_suffice(all.shape_.kind)) {
                    first = std::max(first, -1.0);
                    last = std::min(last, 1.0);
                }
                steps_.take(a, first, last);
                const double span = static_cast<double>(hi[a]) - lo[a] + 2.0 * wide;
                may_hit_twice_ = may_hit_twice_ || (steps_.on_axis(a) > 1 && span >= period);
            }
        }

        [[nodiscard]] Offset<Dim> offset(std::size_t i) const noexcept {
            const std::array<double, Dim> steps = steps_[i];
            Offset<Dim> by = all_->home_;
            for (std::size_t a = 0; a < Dim; ++a) {
                by[a] += steps[a] * all_->world_.period[a];
            }
            return by;
        }

        const PeriodicShape* all_;
        PeriodSteps<Dim> steps_; // from home
        bool may_hit_twice_ = false;
    };

    PeriodicShape(const WorldWrap<Dim>& world, const ShapesView<Dim>& shape) noexcept
        : world_(world), shape_(shape), status_(check_shape(shape)) {
        if (!status_.ok()) { return; }
        put_home();
        bounds_ = gate_of(moved(home_).view()).bounds();
        std::array<double, Dim> period, size;
        double largest = 0.0, moving = 0.0, all = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            period[a] = world.period[a];
            const auto& [lo, hi] = bounds_;
            // More than any coordinate of a copy on this axis.
            size[a] = 2.0 * std::max(std::abs(static_cast<double>(lo[a])),
                                     std::abs(static_cast<double>(hi[a]))) +
                      std::abs(world.bounds.lo[a]) + std::abs(world.bounds.hi[a]) + 2.0 * period[a];
            largest = std::max(largest, size[a]);
            moving += world.periodic[a] ? size[a] : 0.0;
            all += size[a];
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            slack_[a] = (axes_mix(shape.kind) ? all : size[a] + moving) * 0x1p-16;
        }
        refuse_if_wrong(Near(*this, period), largest + moving);
    }

    PeriodicShape(const PeriodicShape&) = delete;
    PeriodicShape& operator=(const PeriodicShape&) = delete;

    /// Ok, or why questions with this shape are refused.
    [[nodiscard]] const Status& status() const noexcept { return status_; }

    /// The copies that may hit an agent in the world with extents of at most `largest`. If any
    /// copy hits an agent that is wider than the world, then a copy within a period of the world
    /// does.
    [[nodiscard]] Near reaching(const Point<Dim>& largest) const noexcept {
        const Box<Dim> cover = cover_of_extents(largest);
        std::array<double, Dim> reach;
        for (std::size_t a = 0; a < Dim; ++a) {
            reach[a] = std::min(cover.hi[a], world_.period[a]);
        }
        return Near(*this, reach);
    }

private:
    /// The box that an agent covers, relative to its position.
    [[nodiscard]] Box<Dim> cover_of_extents(const Point<Dim>& half) const noexcept {
        return finds_centres(shape_.kind) ? Box<Dim>{} : cover_of(Point<Dim>{}, half);
    }

    [[nodiscard]] bool is_empty() const noexcept {
        bool empty = is_inverted(shape_);
        for (std::size_t a = 0; a < Dim; ++a) {
            empty = empty || bounds_.lo[a] > bounds_.hi[a];
        }
        return empty;
    }

    [[nodiscard]] AnyShape<Dim> moved(const Offset<Dim>& by) const noexcept {
        return shifted(shape_, by);
    }

    /// Finds the offset that moves the shape into the world. A shape from far away is first moved
    /// to zero: a double cannot hold its whole offset and a few periods more.
    void put_home() noexcept {
        const Offset<Dim> at = anchor(shape_);
        Offset<Dim> to_zero{};
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world_.periodic[a]) { continue; }
            const auto& [lo, hi] = world_.bounds;
            if (std::abs(at[a]) > world_.period[a] * 0x1p24) { to_zero[a] = -at[a]; }
            home_[a] = put_between(at[a], lo[a], hi[a]) - (at[a] + to_zero[a]);
        }
        if (to_zero != Offset<Dim>{}) {
            shape_ = at_zero_.emplace(shifted(shape_, to_zero)).view();
        }
    }

    /// Refuses a shape with too many copies, or with a copy that check_shape() refuses. `size` is
    /// at least every coordinate of a copy.
    void refuse_if_wrong(const Near& all, double size) noexcept {
        if (all.size() > PeriodSteps<Dim>::kMost) {
            status_ = {Cause::wraps, argument_of(shape_.kind)};
            return;
        }
        if (stays_sound(shape_, size)) { return; }
        for (std::size_t i = 0; i < all.size() && status_.ok(); ++i) {
            status_ = check_shape(all[i].view());
        }
    }

    /// False only if the shape, moved by `by`, certainly does not hit the agent.
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
    std::optional<AnyShape<Dim>> at_zero_; // a shape from far away, moved to zero
    ShapesView<Dim> shape_;
    Offset<Dim> home_{};              // moves the shape into the world
    Box<Dim> bounds_{};               // of the moved shape
    std::array<double, Dim> slack_{}; // more than rounding can move the bounds of any copy
    Status status_;
};

} // namespace throng
