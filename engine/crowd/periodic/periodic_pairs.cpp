// Pairs that overlap across the border of a periodic world.
#include "periodic.hpp"

#include "../../agents/body.hpp"
#include "../../answers/id_runs.hpp"
#include "../../core/assert.hpp"
#include "../../grid/calls/range_scratch.hpp"
#include "../../grid/grid_parts.hpp"
#include "../store/part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace throng {

/// Asks for partners with the copies of each agent that is near the border or across it.
template <std::size_t Dim>
class Crowd<Dim>::State::PeriodicCopies::BorderPairs {
public:
    BorderPairs(const State& state, const WorldWrap<Dim>& world, IndexPairVisitor visitor,
                std::uint32_t groups, Body body) noexcept
        : state_(state), world_(world), filter_{groups, kNoId}, body_(body), runs_(visitor) {}

    /// Pairs within the grid, of which one agent is in slices begin ... past - 1.
    void within_grid(std::size_t begin, std::size_t past) {
        const Point<Dim> most = largest(state_.grid);
        Point<Dim> reach;
        float near = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            reach[a] = most[a] + static_cast<float>(beyond_box(most[a]));
            near = std::max(near, most[a] + reach[a]);
        }
        const bool all_narrow = world_.is_moderate() && world_.is_narrow(near);
        const auto pair_up = [&](std::size_t, const SmallAgent<Dim>& agent) {
            if (!more_ || !agent.is_in(filter_.groups)) { return; }
            One one{agent.id, agent.position, halves(agent.half_extent), true};
            if (!all_narrow) { return ask(state_.grid, one, true); }
            const NarrowCopies<Dim> few(world_, detail::as_offset(one.position),
                                        Box<Dim>::around(one.position, one.half), reach,
                                        world_.slack);
            // Agents in a wide world overlap at one copy at most, or at home; and of each two one
            // does it by a copy that rises.
            one.in_index = false;
            for (std::size_t i = 1; i <= few.count(); ++i) {
                if (few.rises(few.side(i))) { ask_together(one, few.steps(i)); }
            }
        };
        // A copy that rises is moved up on its highest axis: the agent is near the lower border.
        state_.for_each_near(begin, past, near, pair_up,
                             all_narrow ? Borders::lower : Borders::both);
        ask_held();
    }

    /// Pairs of an agent of `index` and one of `ones` in slots begin ... past - 1. These are pairs
    /// within a set if the two are the same.
    template <class Index>
    void between(const Index& index, const LargeElements<Dim>& ones, bool ones_first,
                 std::size_t begin, std::size_t past) {
        ones.for_each_box(filter_.groups, begin, past, [&](Id id, const Box<Dim>&) {
            One one = one_of(ones, id);
            one.in_index = static_cast<const void*>(&index) == &ones;
            ask(index, one, ones_first);
            return more_;
        });
    }

    Found finish() { return runs_.finish(); }

private:
    struct One {
        Id id;
        Point<Dim> position, half;
        bool in_index; ///< whether it only asks for agents with larger ids
    };

    /// The half extents of the body's own box: those of a disc are its radius on every axis.
    [[nodiscard]] Point<Dim> halves(const Point<Dim>& half_extent) const noexcept {
        return body_ == Body::disc ? Point<Dim>::all(half_extent[0]) : half_extent;
    }
    template <class Set>
    [[nodiscard]] One one_of(const Set& set, Id id) const noexcept {
        const Agent<Dim> agent = agent_of(set, id);
        return {id, agent.position, halves(*agent.half_extent), true};
    }
    template <class Index>
    [[nodiscard]] Point<Dim> largest(const Index& index) const noexcept {
        return halves(largest_of(index));
    }

    /// Whether two agents overlap if `one` is moved by `steps` periods. By definition the agent
    /// with the smaller id is moved: if that is `other`, by as many periods the other way.
    [[nodiscard]] bool overlap(const One& one, const One& other,
                               const Point<Dim>& steps) const noexcept {
        const bool moves = one.id < other.id;
        const One& moved = moves ? one : other;
        const One& stays = moves ? other : one;
        Point<Dim> there;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float by = steps[a] * world_.period[a];
            there[a] = moves ? moved.position[a] + by : moved.position[a] - by;
        }
        if (body_ == Body::disc) {
            return discs_overlap(there, moved.half[0], stays.position, stays.half[0]);
        }
        return overlaps(Box<Dim>::around(there, moved.half), stays.position, stays.half);
    }

    /// How many copies an agent has: at home, and in all neighbours of the world on periodic axes.
    [[nodiscard]] std::size_t copies() const noexcept {
        std::size_t count = 1;
        for (const bool periodic : world_.periodic) {
            count *= periodic ? 3 : 1;
        }
        return count;
    }
    /// The periods by which a copy is moved; copy 0 stays at home.
    [[nodiscard]] Point<Dim> steps_to(std::size_t copy) const noexcept {
        constexpr std::array<float, 3> kSteps = {0.0f, -1.0f, 1.0f};
        Point<Dim> steps;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world_.periodic[a]) { continue; }
            steps[a] = kSteps[copy % 3];
            copy /= 3;
        }
        return steps;
    }

    /// More than rounding can move the sides of boxes that meet at a border; and more than discs
    /// can be apart that overlap because the squares of so short distances are zero.
    [[nodiscard]] double slack(std::size_t a, double position, double half) const noexcept {
        return (std::abs(position) + half + std::abs(world_.bounds.lo[a]) +
                std::abs(world_.bounds.hi[a]) + world_.period[a]) *
                   0x1p-20 +
               1e-18;
    }

    /// Clamps a side to what a question may have; there are no positions beyond, so no agent is
    /// lost.
    [[nodiscard]] static float side(double x) noexcept {
        constexpr double kMost = kLargest;
        return static_cast<float>(std::clamp(x, -kMost, kMost));
    }

    /// By how much a question must be wider to find, by their boxes, all agents whose bodies it
    /// touches: a disc may stick out of its agent's box by all of its radius.
    [[nodiscard]] double beyond_box(double largest_half) const noexcept {
        return body_ == Body::disc ? largest_half : 0.0;
    }

    /// Adds the pairs of an agent, moved to each copy, and agents of `index`.
    template <class Index>
    void ask(const Index& index, const One& one, bool one_first) {
        for (std::size_t copy = 1; copy < copies() && more_; ++copy) {
            ask(index, one, steps_to(copy), [&](const One& other) {
                // Neither at home nor at an earlier copy.
                for (std::size_t before = 0; before < copy; ++before) {
                    if (overlap(one, other, steps_to(before))) { return true; }
                }
                return one_first ? runs_.add(one.id, other.id) : runs_.add(other.id, one.id);
            });
        }
    }
    /// Calls add(other) for the agents of `index` that overlap an agent that is moved by so many
    /// periods, until it returns false.
    template <class Index, class Add>
    void ask(const Index& index, const One& one, const Point<Dim>& steps, const Add& add) {
        Box<Dim> box;
        if (!comes_near(one, steps, largest(index), box)) { return; }
        const auto pair_up = [&](std::span<const Id> run) {
            for (const Id id : run) {
                if (one.in_index && id <= one.id) { continue; } // one of each pair asks
                const One other = one_of(index, id);
                if (overlap(one, other, steps) && !add(other)) { return more_ = false; }
            }
            return true;
        };
        (void)index.visit(box, pair_up, filter_);
    }

    /// Holds an agent that is moved by so many periods, until as many as a block takes can be asked
    /// together: they are neighbours, and faster to search for so.
    void ask_together(const One& one, const Point<Dim>& steps) {
        if (!comes_near(one, steps, largest(state_.grid), boxes_[held_])) { return; }
        moved_[held_] = {one, steps};
        if (++held_ == kTogether) { ask_held(); }
    }
    void ask_held() {
        if (held_ == 0) { return; }
        const std::span<const Box<Dim>> boxes(boxes_.data(), std::exchange(held_, 0));
        if (!crowded_) {
            const Found found = state_.grid.parts().query(ShapesView<Dim>(boxes), 0, boxes.size(),
                                                          scratch_, {offsets_, ids_}, filter_);
            crowded_ = !found.status.ok() || found.count > ids_.size();
        }
        for (std::size_t i = 0; i < boxes.size() && more_; ++i) {
            const auto& [one, steps] = moved_[i];
            const auto pair_up = [&, &one = one, &steps = steps](std::span<const Id> run) {
                for (const Id id : run) {
                    if (overlap(one, one_of(state_.grid, id), steps) &&
                        !runs_.add(std::min(one.id, id), std::max(one.id, id))) {
                        return more_ = false;
                    }
                }
                return true;
            };
            if (crowded_) {
                (void)state_.grid.visit(boxes[i], pair_up, filter_);
            } else {
                pair_up({ids_.data() + offsets_[i], ids_.data() + offsets_[i + 1]});
            }
        }
    }

    /// Whether `one`, if moved by `steps` periods, may overlap an agent of at most
    /// `max_half_extent` in the world. Sets `box` to a box that finds all such agents.
    [[nodiscard]] bool comes_near(const One& one, const Point<Dim>& steps,
                                  const Point<Dim>& max_half_extent, Box<Dim>& box) const noexcept {
        bool near = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double half = one.half[a];
            const double centre = one.position[a] + double{steps[a]} * world_.period[a];
            const double wide = half + slack(a, centre, half + max_half_extent[a]);
            const double asked = wide + beyond_box(max_half_extent[a]);
            box.lo[a] = side(centre - asked);
            box.hi[a] = side(centre + asked);
            near = near && (!world_.periodic[a] ||
                            (centre - wide <= double{world_.bounds.hi[a]} + max_half_extent[a] &&
                             centre + wide >= double{world_.bounds.lo[a]} - max_half_extent[a]));
        }
        return near;
    }

    const State& state_;
    const WorldWrap<Dim>& world_;
    Filter filter_;
    Body body_;
    PairRuns runs_;
    bool more_ = true;

    // Agents that are asked for together.
    struct Moved {
        One one;
        Point<Dim> steps;
    };
    static constexpr std::size_t kTogether = simd::kBlockQueries;
    std::size_t held_ = 0;
    bool crowded_ = false; ///< whether a block had more answers than there is room: one by one then
    std::array<Moved, kTogether> moved_;
    std::array<Box<Dim>, kTogether> boxes_;
    std::array<std::uint64_t, kTogether + 1> offsets_;
    std::array<Id, 16 * kTogether> ids_;
    std::array<std::uint32_t, RangeScratch<Dim>::kWords> scratch_;
};

template <std::size_t Dim>
bool Crowd<Dim>::State::PeriodicCopies::visit_pairs(const State& state, const WorldWrap<Dim>& world,
                                                    PairSets kind, std::size_t begin,
                                                    std::size_t past, PairVisitor visitor,
                                                    std::uint32_t groups, Body body) {
    bool more = true;
    const auto until_enough = [&](std::span<const Id> first, std::span<const Id> second) {
        return more = visitor(first, second);
    };
    BorderPairs pairs(state, world, until_enough, groups, body);
    switch (kind) {
    case PairSets::small_small:
        pairs.within_grid(begin, past);
        break;
    case PairSets::small_giants:
        pairs.between(state.grid, state.giants, false, begin, past);
        break;
    case PairSets::giants_giants:
        pairs.between(state.giants, state.giants, true, begin, past);
        break;
    case PairSets::small_statics:
        pairs.between(state.grid, *state.statics, false, begin, past);
        break;
    case PairSets::giants_statics:
        pairs.between(*state.statics, state.giants, true, begin, past);
        break;
    default:
        THRONG_ASSERT(false); // a kind is one pair of sets
    }
    (void)pairs.finish();
    return more;
}

template <std::size_t Dim>
void CrowdPart<Dim>::visit_pairs_across(const WorldWrap<Dim>& world, PairSets sets,
                                        IndexPairVisitor visitor, std::uint32_t groups,
                                        Body body) const {
    const auto& state = detail::state_of(crowd_);
    using Copies = typename detail::StateOf<Crowd<Dim>>::PeriodicCopies;
    const auto visit = [&](PairSets kind, std::size_t slots) {
        return slots == 0 || !has(sets, kind) ||
               Copies::visit_pairs(state, world, kind, 0, slots, visitor, groups, body);
    };
    const std::size_t giants = state.giants.size() == 0 ? 0 : state.giants.slots();
    const std::size_t statics = state.statics->slots();
    (void)(visit(PairSets::small_giants, giants) && visit(PairSets::giants_giants, giants) &&
           visit(PairSets::small_statics, statics) &&
           visit(PairSets::giants_statics, statics == 0 ? 0 : giants));
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool Crowd<Dim>::State::PeriodicCopies::visit_pairs(                                  \
        const State&, const WorldWrap<Dim>&, PairSets, std::size_t, std::size_t, PairVisitor,      \
        std::uint32_t, Body);                                                                      \
    template void CrowdPart<Dim>::visit_pairs_across(const WorldWrap<Dim>&, PairSets,              \
                                                     IndexPairVisitor, std::uint32_t, Body) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
