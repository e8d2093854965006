// The copies of a question in a periodic world of obstacles. Internal to the engine.
#pragma once

#include "../../agents/period_steps.hpp"
#include "../../agents/world_wrap.hpp"
#include "../../core/status.hpp"
#include "../exact/exact_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace throng::obstacle {

/// How a copy of a question is moved, and how what it finds is moved back to where the asker sees
/// it. Sums are in doubles, so a question asks from exactly where it would be if a double holds
/// that.
template <std::size_t Dim>
struct Shift {
    Real<Dim> from{}, to{};

    [[nodiscard]] Real<Dim> moved(Real<Dim> place) const noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            place[a] = place[a] - from[a] + to[a];
        }
        return place;
    }
    [[nodiscard]] Real<Dim> seen(Real<Dim> place) const noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            place[a] = place[a] - to[a] + from[a];
        }
        return place;
    }
};

/// The shift of a question that asks where it is: sums with zeros would cost every answer a few
/// percent.
struct Unmoved {
    template <class Place>
    [[nodiscard]] const Place& moved(const Place& place) const noexcept {
        return place;
    }
    template <class Place>
    [[nodiscard]] const Place& seen(const Place& place) const noexcept {
        return place;
    }
};

template <std::size_t Dim>
ExactBox<Dim> moved(ExactBox<Dim> box, const Shift<Dim>& shift) noexcept {
    if (box.turned) {
        box.origin = shift.moved(box.origin);
    } else {
        box.lo = shift.moved(box.lo);
        box.hi = shift.moved(box.hi);
    }
    return box;
}

/// Where a question asks, and the point that decides by how many periods it is moved.
template <std::size_t Dim>
struct Extent {
    Real<Dim> anchor, lo, hi;
    /// Whether the copies within two periods find all that there is, however wide the question is:
    /// obstacles are no wider than a period, and their middles are in the world.
    bool few = false;
    /// As large as those of the question's numbers that give slack to all axes, however far they
    /// are from every obstacle: a path may begin far away, and end among obstacles.
    double mixed = 0.0;
};

/// Sides between which questions reach no obstacle by a copy; those that stay between others may
/// reach none either.
template <std::size_t Dim>
struct Inner {
    Real<Dim> lo, hi;

    [[nodiscard]] bool holds(const Extent<Dim>& asked) const noexcept {
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            inside = inside && lo[a] <= asked.lo[a] && asked.hi[a] <= hi[a];
        }
        return inside;
    }
};

/// The world of obstacles that is periodic on some axes.
template <std::size_t Dim>
struct Surroundings {
    WorldWrap<Dim> world;
    Box<Dim> spread = nothing(); ///< holds the places of all obstacles
    float size = 0.0f;           ///< no coordinate of an obstacle is larger

    static constexpr Box<Dim> nothing() noexcept {
        return {Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
    }
    void include(const Point<Dim>& middle, const Point<Dim>& half) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            spread.lo[a] = std::min(spread.lo[a], middle[a] - half[a]);
            spread.hi[a] = std::max(spread.hi[a], middle[a] + half[a]);
            size = std::max(size, std::abs(middle[a]) + half[a]);
        }
    }
    void include(const Surroundings& other) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            spread.lo[a] = std::min(spread.lo[a], other.spread.lo[a]);
            spread.hi[a] = std::max(spread.hi[a], other.spread.hi[a]);
        }
        size = std::max(size, other.size);
    }

    /// More than rounding, and the slack of definitions, add to the reach of a copy.
    [[nodiscard]] Real<Dim> margin(const Extent<Dim>& asked) const noexcept {
        double mixed = asked.mixed;
        Real<Dim> own;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double far = std::max(std::abs(asked.lo[a]), std::abs(asked.hi[a]));
            own[a] = (far + std::abs(world.bounds.lo[a]) + std::abs(world.bounds.hi[a])) * 0x1p-20;
            mixed += std::min(far, double{size}) + size;
        }
        for (double& wide : own) {
            wide += mixed * 0x1p-40;
        }
        return own;
    }

    /// Whether no copy but the question itself reaches an obstacle, wherever the question is.
    [[nodiscard]] bool has_inside(const Extent<Dim>& asked) const noexcept {
        const Real<Dim> wide = margin(asked);
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double period = world.period[a];
            inside =
                inside && (!world.periodic[a] || (asked.hi[a] + wide[a] - period < spread.lo[a] &&
                                                  asked.lo[a] - wide[a] + period > spread.hi[a]));
        }
        return inside;
    }

    /// Sides for all questions, so that most are spared the margin of their own.
    [[nodiscard]] Inner<Dim> inner() const noexcept {
        Inner<Dim> sides = {real(world.bounds.lo), real(world.bounds.hi)};
        double far = size;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (world.periodic[a]) {
                far = std::max({far, std::abs(sides.lo[a]), std::abs(sides.hi[a])});
            }
        }
        far *= 1024.0; // few questions are farther away, and the margin is still small
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world.periodic[a]) { sides.lo[a] = -far, sides.hi[a] = far; }
        }
        // No question between these sides mixes larger numbers, so none has a larger margin.
        const Real<Dim> wide = margin({sides.lo, sides.lo, sides.hi, false, 8.0 * far});
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world.periodic[a]) { continue; }
            const double period = world.period[a];
            sides.lo[a] = std::max(sides.lo[a], spread.hi[a] - period + 2.0 * wide[a]);
            sides.hi[a] = std::min(sides.hi[a], spread.lo[a] + period - 2.0 * wide[a]);
        }
        return sides;
    }
};

/// The copies of a question: those within one period of the world, on each axis the one at home
/// first, then those moved up, then those moved down, the farthest first.
template <std::size_t Dim>
class Copies {
public:
    /// Those that may reach an obstacle.
    Copies(const Surroundings<Dim>& around, const Extent<Dim>& asked) noexcept
        : Copies(around.world, asked, &around) {}
    /// All of them.
    Copies(const WorldWrap<Dim>& world, const Extent<Dim>& asked) noexcept
        : Copies(world, asked, nullptr) {}

    [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }
    [[nodiscard]] Shift<Dim> operator[](std::size_t i) const noexcept {
        return moved_on(steps_[i]);
    }
    [[nodiscard]] bool is_home(std::size_t i) const noexcept { return steps_[i] == Real<Dim>{}; }
    /// Moves the anchor into the world, by nothing if it is there.
    [[nodiscard]] Shift<Dim> home() const noexcept { return moved_on({}); }

private:
    Copies(const WorldWrap<Dim>& world, const Extent<Dim>& asked,
           const Surroundings<Dim>* around) noexcept
        : world_(world) {
        const Real<Dim> wide = around != nullptr ? around->margin(asked) : Real<Dim>{};
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world.periodic[a]) { continue; }
            const double at = asked.anchor[a], period = world.period[a];
            const double lo = world.bounds.lo[a], hi = world.bounds.hi[a];
            if (!(lo <= at && at < hi)) {
                home_.from[a] = at;
                home_.to[a] = put_between(at, world.bounds.lo[a], world.bounds.hi[a]);
                back_[a] = std::round((at - home_.to[a]) / period);
            }
            const double low = asked.lo[a] - home_.from[a] + home_.to[a];
            const double high = asked.hi[a] - home_.from[a] + home_.to[a];
            double first = std::ceil((lo - period - high) / period);
            double last = std::floor((hi + period - low) / period);
            if (asked.few) {
                first = std::max(first, -2.0);
                last = std::min(last, 2.0);
            }
            if (around != nullptr) {
                const auto& spread = around->spread;
                first = std::max(first, std::ceil((spread.lo[a] - wide[a] - high) / period));
                last = std::min(last, std::floor((spread.hi[a] + wide[a] - low) / period));
            }
            steps_.take(a, first, last);
        }
    }

    [[nodiscard]] Shift<Dim> moved_on(const Real<Dim>& steps) const noexcept {
        Shift<Dim> shift;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (steps[a] == back_[a]) { continue; } // where it is, without any rounding
            shift.from[a] = home_.from[a];
            shift.to[a] = home_.to[a] + steps[a] * world_.period[a];
        }
        return shift;
    }

    const WorldWrap<Dim>& world_;
    Shift<Dim> home_;
    Real<Dim> back_{}; ///< the steps that lead from home to where the question is
    PeriodSteps<Dim> steps_;
};

/// Refuses the first question of which there are too many copies, whichever obstacles there are.
/// `extent` makes the Extent of question i.
template <std::size_t Dim, class ExtentOf>
[[nodiscard]] Status check_copies(const WorldWrap<Dim>& world, std::size_t count, Argument argument,
                                  const ExtentOf& extent) noexcept {
    for (std::size_t i = 0; i < count && world.wraps; ++i) {
        // One that is narrower than the world has few.
        const Extent<Dim> asked = extent(i);
        bool narrow = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            narrow = narrow && (!world.periodic[a] || asked.hi[a] - asked.lo[a] < world.period[a]);
        }
        if (!narrow && Copies<Dim>(world, asked).size() > PeriodSteps<Dim>::kMost) {
            return {Cause::wraps, argument, i};
        }
    }
    return {};
}

/// Leaves of each obstacle's answers from `begin` on the least, or of several the first. Those
/// before `middle` are in order of ids, one for each obstacle, and so are all then; those behind it
/// are of one more copy. `number` is the member that is compared.
template <class Answer>
void keep_least(std::vector<Answer>& answers, std::size_t begin, std::size_t middle,
                float Answer::*number) {
    const auto by_id = [](const Answer& a, const Answer& b) { return a.id < b.id; };
    const auto first = answers.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto added = answers.begin() + static_cast<std::ptrdiff_t>(middle);
    const auto is_known = [&](const Answer& answer) {
        const auto before = std::lower_bound(first, added, answer, by_id);
        if (before == added || before->id != answer.id) { return false; }
        if (answer.*number < (*before).*number) { *before = answer; }
        return true;
    };
    answers.erase(std::remove_if(added, answers.end(), is_known), answers.end());
    std::sort(first, answers.end(), by_id);
}

} // namespace throng::obstacle
