// All agents of a crowd as askers. Internal.
#pragma once

#include "../../engine/crowd/store/state.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "../../engine/shapes/translated.hpp"
#include "crowd_bodies.hpp"
#include "crowd_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace throng {

/// The blocks are the slices of the grid, then groups of giants by id.
template <std::size_t Dim>
class Batch<Dim>::State::CrowdAskers : public Askers<Dim> {
public:
    /// Keeps the ids of giants in the batch.
    CrowdAskers(const Crowd<Dim>& crowd, Sets sets, Order order, State& batch,
                const Status& nonsense)
        : crowd_(crowd), sets_(sets), source_(crowd, sets, batch) {
        this->refused = nonsense;
        this->answers = Batch::answers(crowd, order);
        batch.order.resize(detail::state_of(crowd).giants.size());
        (void)detail::state_of(crowd).giants.names(batch.order);
        giants_ = batch.order;
    }

    [[nodiscard]] std::size_t agents() const noexcept override {
        return detail::state_of(crowd_).size();
    }
    [[nodiscard]] std::size_t blocks() const noexcept override {
        return grid().parts().slices() + (giants_.size() + kGiants - 1) / kGiants;
    }
    [[nodiscard]] std::size_t agents_in(std::size_t block) const noexcept override {
        return block < grid().parts().slices() ? grid().parts().agents_in(block, block + 1)
                                               : giants_of(block).size();
    }
    void note_askers(std::size_t block, OutputPart& part) const override {
        part.askers.resize(agents_in(block));
        if (block < grid().parts().slices()) {
            (void)grid().parts().order(block, block + 1, part.askers);
        } else {
            const std::span<const Id> giants = giants_of(block);
            std::copy(giants.begin(), giants.end(), part.askers.begin());
        }
    }

    std::uint64_t neighbours(const Neighbourhood& neighbourhood, std::size_t block,
                             OutputPart& part, const HitsBuffer& out) const override {
        if (neighbourhood.body != Body::centre) {
            return list_bodies(neighbourhood, block, part, out);
        }
        if (is_together(block) && is_narrow(neighbourhood.radius)) {
            return list_together(neighbourhood, block, part, out);
        }
        const ShapesView<Dim> balls(note_balls(neighbourhood.radius, block, part));
        if (balls.count == 0) { return 0; }
        if (asks_larger_alone(neighbourhood, block)) {
            std::fill_n(out.offsets.begin(), balls.count + 1, out.used);
            return source_.append_larger(0, balls, part, out, Filter{neighbourhood.groups});
        }
        if (neighbourhood.later_only) { return list_later(neighbourhood, block, out); }
        return source_.query(
            balls, part, out,
            filters_for(neighbourhood.with_self, neighbourhood.groups, block, part));
    }
    std::uint64_t count_neighbours(const Neighbourhood& neighbourhood, std::size_t block,
                                   OutputPart& part,
                                   std::span<std::uint32_t> counts) const override {
        if (neighbourhood.body != Body::centre) {
            return count_bodies(neighbourhood, block, part, counts);
        }
        if (is_together(block) && is_narrow(neighbourhood.radius)) {
            return count_together(neighbourhood, block, part, counts);
        }
        const ShapesView<Dim> balls(note_balls(neighbourhood.radius, block, part));
        if (asks_larger_alone(neighbourhood, block)) {
            std::fill_n(counts.begin(), balls.count, 0u);
            return source_.count_larger(0, balls, counts, Filter{neighbourhood.groups});
        }
        if (neighbourhood.later_only) { return count_later(neighbourhood, block, counts); }
        return source_.count(
            balls, part, counts,
            filters_for(neighbourhood.with_self, neighbourhood.groups, block, part));
    }
    std::uint64_t nearest_neighbours(const NearestNeighbours& nearest, std::size_t block,
                                     OutputPart& part, const NearBuffer& out) const override {
        if (nearest.body != Body::centre) { return nearest_bodies(nearest, block, part, out); }
        const auto positions = note_positions(block, part);
        const Nearest each = asked_by_each(nearest);
        if (is_together(block) && starts_at_home(each)) {
            (void)checked(grid().parts().nearest_neighbours(nearest, block, block + 1,
                                                            nearest_scratch(part), out));
            const std::uint64_t found =
                source_.merge_larger(positions, each, out, Filter{nearest.groups});
            return needs_copies(nearest) ? merge_copies(nearest, block, positions, part, out)
                                         : found;
        }
        return source_.nearest_each(positions, each, out,
                                    filters_for(nearest.with_self, nearest.groups, block, part));
    }

private:
    /// The number of giants in a block: few, since each of them may have many neighbours.
    static constexpr std::size_t kGiants = 64;

    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept {
        return detail::state_of(crowd_).grid;
    }
    /// Whether the grid answers this block as a whole, before giants and statics are added.
    [[nodiscard]] bool is_together(std::size_t block) const noexcept {
        return source_.is_together() && block < grid().parts().slices();
    }
    [[nodiscard]] bool wraps() const noexcept { return detail::state_of(crowd_).world.wraps; }
    /// Whether no two copies of an asker's ball can find the same agent.
    [[nodiscard]] bool is_narrow(float radius) const noexcept {
        return !wraps() || detail::state_of(crowd_).world.is_narrow(radius);
    }
    [[nodiscard]] bool needs_copies(const NearestNeighbours& nearest) const noexcept {
        return wraps() && nearest.k != 0 && nearest.groups != 0 &&
               !is_hopeless(asked_by_each(nearest));
    }
    /// Whether copies add to what the agents find from their own places.
    [[nodiscard]] bool starts_at_home(const Nearest& nearest) const noexcept {
        return !wraps() || CrowdSource::is_by_copies(nearest);
    }
    [[nodiscard]] std::span<const Id> giants_of(std::size_t block) const noexcept {
        const std::size_t first = (block - grid().parts().slices()) * kGiants;
        return giants_.subspan(first, std::min(kGiants, giants_.size() - first));
    }
    /// Calls visit(id, position, half extent) for each agent of a block.
    template <class Visit>
    void for_each_body(std::size_t block, const Visit& visit) const {
        if (block >= grid().parts().slices()) {
            for (const Id giant : giants_of(block)) {
                const Agent<Dim> agent = detail::state_of(crowd_).giants.agent(giant);
                visit(giant, agent.position, *agent.half_extent);
            }
            return;
        }
        detail::state_of(crowd_).for_each_small(
            block, block + 1, [&](const SmallAgent<Dim>& agent) {
                visit(agent.id, agent.position, agent.half_extent);
            });
    }
    template <class Visit>
    void for_each_asker(std::size_t block, const Visit& visit) const {
        for_each_body(block,
                      [&](Id id, const Point<Dim>& at, const Point<Dim>&) { visit(id, at); });
    }

    // A slice of small agents asks the grid, then giants and statics; after that, the copies of
    // agents near a periodic border ask all of them.

    std::uint64_t list_together(const Neighbourhood& neighbourhood, std::size_t block,
                                OutputPart& part, const HitsBuffer& out) const {
        const Filter filter{neighbourhood.groups};
        std::uint64_t found =
            checked(grid().parts().neighbours(neighbourhood, block, block + 1, scratch(part), out));
        if (source_.has_larger()) {
            const ShapesView<Dim> balls(note_balls(neighbourhood.radius, block, part));
            found = source_.append_larger(found, balls, part, out, filter);
        }
        if (!note_copies(neighbourhood, block, part)) { return found; }
        return found + part.copies.append_to(out, agents_in(block));
    }
    std::uint64_t count_together(const Neighbourhood& neighbourhood, std::size_t block,
                                 OutputPart& part, std::span<std::uint32_t> counts) const {
        const Filter filter{neighbourhood.groups};
        std::uint64_t found = checked(grid().parts().count_neighbours(
            neighbourhood, block, block + 1, scratch(part), counts));
        if (source_.has_larger()) {
            const ShapesView<Dim> balls(note_balls(neighbourhood.radius, block, part));
            found = source_.count_larger(found, balls, counts, filter);
        }
        if (neighbourhood.later_only) {
            if (!note_copies(neighbourhood, block, part)) { return found; }
            return found + part.copies.add_lengths_to(counts);
        }
        copy_balls(neighbourhood, block, part.copies);
        return found + source_.count_copies(ShapeKind::ball, part, counts, filter);
    }
    /// Keeps what the copies of a slice's agents find; returns whether there are copies.
    bool note_copies(const Neighbourhood& neighbourhood, std::size_t block,
                     OutputPart& part) const {
        copy_balls(neighbourhood, block, part.copies);
        if (part.copies.empty()) { return false; }
        source_.list_copies(ShapeKind::ball, part, Filter{neighbourhood.groups});
        if (neighbourhood.later_only && source_.has_larger()) {
            // Giants and statics come after all small agents.
            part.copies.leave_out([&](std::size_t side, Id found) {
                return NarrowCopies<Dim>::rises(side) || is_static(found) ||
                       detail::state_of(crowd_).giants.contains(found);
            });
        }
        return true;
    }
    /// Makes the copies of the balls of a slice's agents; the balls must be narrow. If later agents
    /// only are wanted, leaves out copies that find none.
    void copy_balls(const Neighbourhood& neighbourhood, std::size_t block,
                    BlockCopies& copies) const {
        copies.clear();
        if (!wraps()) { return; }
        const float radius = neighbourhood.radius;
        const bool all_sides = !neighbourhood.later_only || source_.has_larger();
        const auto& state = detail::state_of(crowd_);
        const Box<Dim> inner = state.world.without_borders(radius);
        state.for_each_near(
            block, block + 1, radius, [&](std::size_t owner, const SmallAgent<Dim>& agent) {
                const NarrowCopies<Dim> few(state.world, inner, agent.position);
                for (std::size_t i = 1; i <= few.count(); ++i) {
                    const std::size_t side = few.side(i);
                    if (!all_sides && !few.rises(side)) { continue; }
                    const Ball<Dim> copy{detail::shifted(agent.position, few.offset(i)), radius};
                    copies.add(owner, side, std::as_bytes(std::span<const Ball<Dim>, 1>(&copy, 1)));
                }
            });
        copies.arrange(std::integral_constant<std::size_t, sizeof(Ball<Dim>)>{});
    }
    /// Merges what the copies of a slice's agents, from their points or bodies, find.
    template <class From>
    std::uint64_t merge_copies(const NearestNeighbours& nearest, std::size_t block,
                               std::span<const From> from, OutputPart& part,
                               const NearBuffer& out) const {
        note_askers(block, part);
        const auto filter_of = [&](std::size_t q) {
            return Filter{nearest.groups, nearest.with_self ? kNoId : part.askers[q]};
        };
        const Nearest each = asked_by_each(nearest);
        if constexpr (std::is_same_v<From, Point<Dim>>) {
            return source_.merge_copies(from, each, part, out, Filter{nearest.groups}, filter_of);
        } else {
            return source_.merge_body_copies(from, each, out, filter_of);
        }
    }

    /// Whether the block's small agents ask about giants and statics only. Giants and statics come
    /// after all small agents, so `later_only` leaves none of them out.
    [[nodiscard]] bool asks_larger_alone(const Neighbourhood& neighbourhood,
                                         std::size_t block) const noexcept {
        return neighbourhood.later_only && plain(crowd_) && block < grid().parts().slices();
    }
    /// Whether `found` comes after the agent `asker`, or is that agent.
    [[nodiscard]] bool is_later(Id found, Id asker, bool of_giant) const noexcept {
        if (is_static(found)) { return true; }
        if (of_giant) { return found >= asker; }
        const auto& inside = detail::state_of(grid());
        const std::uint32_t row = inside.row_of[found];
        const std::uint32_t own = inside.row_of[asker];
        if (row != own) { return row > own; } // a giant is in no row, a number above all others
        return found == asker ||
               inside.store.slot_of(row, found) > inside.store.slot_of(row, asker);
    }
    /// Calls take(id) for each agent or static that an asker finds and that comes after it, and
    /// finish() after each asker.
    template <class Take, class Finish>
    void visit_later(const Neighbourhood& neighbourhood, std::size_t block, const Take& take,
                     const Finish& finish) const {
        const bool of_giants = block >= grid().parts().slices();
        const Sets sets = of_giants ? sets_ & (Sets::giants | Sets::statics) : sets_;
        for_each_asker(block, [&](Id asker, const Point<Dim>& at) {
            const auto take_later = [&](std::span<const Id> run) {
                for (const Id found : run) {
                    if (is_later(found, asker, of_giants)) { take(found); }
                }
                return true;
            };
            const Filter filter = {neighbourhood.groups, neighbourhood.with_self ? kNoId : asker};
            (void)checked(
                crowd_.visit(Ball<Dim>{at, neighbourhood.radius}, take_later, filter, sets));
            finish();
        });
    }
    std::uint64_t list_later(const Neighbourhood& neighbourhood, std::size_t block,
                             const HitsBuffer& out) const {
        std::uint64_t end = out.used;
        std::uint64_t* offset = out.offsets.data();
        *offset = end;
        visit_later(
            neighbourhood, block,
            [&](Id found) {
                if (end < out.ids.size()) { out.ids[end] = found; }
                ++end;
            },
            [&] { *++offset = end; });
        return end - out.used;
    }
    std::uint64_t count_later(const Neighbourhood& neighbourhood, std::size_t block,
                              std::span<std::uint32_t> counts) const {
        std::uint64_t sum = 0;
        std::uint32_t* count = counts.data();
        std::fill(counts.begin(), counts.end(), 0u);
        visit_later(
            neighbourhood, block,
            [&](Id) {
                ++*count;
                ++sum;
            },
            [&] { ++count; });
        return sum;
    }

    // The neighbours of bodies. Small agents ask as a slice, and those near a periodic border once
    // more across it, except in worlds so small that they may find a body twice.

    std::uint64_t list_bodies(const Neighbourhood& neighbourhood, std::size_t block,
                              OutputPart& part, const HitsBuffer& out) const {
        const CrowdBodies<Dim> bodies(crowd_, sets_, neighbourhood);
        if (block < grid().parts().slices() && bodies.is_narrow()) {
            const std::uint64_t found = bodies.ask_slice(
                block, [&](const BodyNeighbours<Dim>& slice) { return slice.list(out); });
            if (!note_across(bodies, neighbourhood, block, part)) { return found; }
            return found + part.copies.append_to(out, agents_in(block));
        }
        std::uint64_t end = out.used;
        std::uint64_t* offset = out.offsets.data();
        *offset = end;
        visit_bodies(
            neighbourhood, block, part,
            [&](Id found) {
                if (end < out.ids.size()) { out.ids[end] = found; }
                ++end;
            },
            [&] { *++offset = end; });
        return end - out.used;
    }
    std::uint64_t count_bodies(const Neighbourhood& neighbourhood, std::size_t block,
                               OutputPart& part, std::span<std::uint32_t> counts) const {
        const CrowdBodies<Dim> bodies(crowd_, sets_, neighbourhood);
        if (block < grid().parts().slices() && bodies.is_narrow()) {
            const std::uint64_t found = bodies.ask_slice(
                block, [&](const BodyNeighbours<Dim>& slice) { return slice.count(counts); });
            if (!note_across(bodies, neighbourhood, block, part)) { return found; }
            return found + part.copies.add_lengths_to(counts);
        }
        std::uint64_t sum = 0;
        std::uint32_t* count = counts.data();
        std::fill(counts.begin(), counts.end(), 0u);
        visit_bodies(
            neighbourhood, block, part,
            [&](Id) {
                ++*count;
                ++sum;
            },
            [&] { ++count; });
        return sum;
    }
    /// Keeps the bodies that a slice's agents find across borders; returns whether there are any.
    bool note_across(const CrowdBodies<Dim>& bodies, const Neighbourhood& neighbourhood,
                     std::size_t block, OutputPart& part) const {
        part.copies.clear();
        if (!wraps()) { return false; }
        bodies.for_each_across(
            block, [&](std::size_t owner, const SmallAgent<Dim>& agent, Id found) {
                if (neighbourhood.later_only && !is_later(found, agent.id, false)) { return; }
                part.copies.add_hit(owner, found);
            });
        return !part.copies.empty();
    }
    template <class Take, class Finish>
    void visit_bodies(const Neighbourhood& neighbourhood, std::size_t block, OutputPart& part,
                      const Take& take, const Finish& finish) const {
        const bool of_giants = block >= grid().parts().slices();
        const Sets sets =
            of_giants && neighbourhood.later_only ? sets_ & (Sets::giants | Sets::statics) : sets_;
        const CrowdBodies<Dim> bodies(crowd_, sets, neighbourhood);
        for_each_asker(block, [&](Id asker, const Point<Dim>&) {
            for (const Id found : bodies.found_by(asker, part)) {
                if (!neighbourhood.later_only || is_later(found, asker, of_giants)) { take(found); }
            }
            finish();
        });
    }

    std::uint64_t nearest_bodies(const NearestNeighbours& nearest, std::size_t block,
                                 OutputPart& part, const NearBuffer& out) const {
        const auto bodies = note_bodies(block, part);
        const Nearest each = asked_by_each(nearest);
        if (is_together(block) && starts_at_home(each)) {
            (void)checked(grid().parts().nearest_neighbours(nearest, block, block + 1,
                                                            nearest_scratch(part), out));
            const std::uint64_t found =
                source_.merge_bodies(bodies, each, out, Filter{nearest.groups});
            return needs_copies(nearest) ? merge_copies(nearest, block, bodies, part, out) : found;
        }
        return source_.nearest_each(bodies, each, out,
                                    filters_for(nearest.with_self, nearest.groups, block, part));
    }

    // The questions of a block's agents, kept in part.queries.

    template <class Question, class Make>
    std::span<const Question> note_questions(std::size_t block, OutputPart& part,
                                             const Make& make) const {
        const std::size_t askers = agents_in(block);
        part.queries.resize(askers * sizeof(Question));
        // These bytes are allocated with new, so they are aligned for any question.
        auto* const questions = reinterpret_cast<Question*>(part.queries.data());
        auto* next = questions;
        for_each_body(block, [&](Id, const Point<Dim>& at, const Point<Dim>& half) {
            std::construct_at(next++, make(at, half));
        });
        return {questions, askers};
    }
    std::span<const Ball<Dim>> note_balls(float radius, std::size_t block, OutputPart& part) const {
        return note_questions<Ball<Dim>>(block, part,
                                         [radius](const Point<Dim>& at, const Point<Dim>&) {
                                             return Ball<Dim>{at, radius};
                                         });
    }
    std::span<const Point<Dim>> note_positions(std::size_t block, OutputPart& part) const {
        return note_questions<Point<Dim>>(
            block, part, [](const Point<Dim>& at, const Point<Dim>&) { return at; });
    }
    std::span<const NearestFrom<Dim>> note_bodies(std::size_t block, OutputPart& part) const {
        return note_questions<NearestFrom<Dim>>(block, part,
                                                [](const Point<Dim>& at, const Point<Dim>& half) {
                                                    return NearestFrom<Dim>(at, half);
                                                });
    }
    Filters filters_for(bool with_self, std::uint32_t groups, std::size_t block,
                        OutputPart& part) const {
        if (with_self) { return Filter{groups}; }
        part.filters.clear();
        for_each_asker(block, [&](Id id, const Point<Dim>&) {
            part.filters.push_back({groups, id});
        });
        return part.filters;
    }

    const Crowd<Dim>& crowd_;
    Sets sets_;
    CrowdSource source_;
    std::span<const Id> giants_; // in ascending order
};

} // namespace throng
