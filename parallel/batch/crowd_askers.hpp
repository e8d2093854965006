// All agents of a crowd as askers. Internal.
#pragma once

#include "../../engine/crowd/state.hpp"
#include "crowd_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace throng {

/// The slices of the grid are blocks, then giants by id.
template <std::size_t Dim>
class Batch<Dim>::State::CrowdAskers : public Askers<Dim> {
public:
    /// The ids of giants are kept in `giants`.
    CrowdAskers(const Crowd<Dim>& crowd, Sets sets, Order order, std::vector<Id>& giants,
                const Status& nonsense)
        : crowd_(crowd), source_(crowd, sets) {
        this->refused = nonsense;
        this->answers = Batch::answers(crowd, order);
        giants.resize(detail::state_of(crowd).giants.size());
        (void)detail::state_of(crowd).giants.names(giants);
        giants_ = giants;
    }

    [[nodiscard]] std::size_t agents() const noexcept override {
        return detail::state_of(crowd_).size();
    }
    [[nodiscard]] std::size_t blocks() const noexcept override {
        return grid().slices() + (giants_.size() + kGiants - 1) / kGiants;
    }
    [[nodiscard]] std::size_t agents_in(std::size_t block) const noexcept override {
        return block < grid().slices() ? grid().agents_in(block, block + 1)
                                       : giants_of(block).size();
    }
    void note_askers(std::size_t block, OutputPart& part) const override {
        part.askers.resize(agents_in(block));
        if (block < grid().slices()) {
            (void)grid().order_range(block, block + 1, part.askers);
        } else {
            std::ranges::copy(giants_of(block), part.askers.begin());
        }
    }

    std::uint64_t neighbours(const Neighbourhood& neighbourhood, std::size_t block,
                             OutputPart& part, const HitsBuffer& out) const override {
        const ShapesView<Dim> balls(note_balls(neighbourhood.radius, block, part));
        if (is_together(block)) {
            const std::uint64_t small = checked(
                grid().neighbours_range(neighbourhood, block, block + 1, scratch(part), out));
            if (balls.count == 0) { return small; }
            return source_.append_larger(small, balls, part, out, Filter{neighbourhood.groups});
        }
        if (balls.count == 0) { return 0; }
        return source_.query_each(
            balls, out, filters_for(neighbourhood.with_self, neighbourhood.groups, block, part));
    }
    std::uint64_t count_neighbours(const Neighbourhood& neighbourhood, std::size_t block,
                                   OutputPart& part,
                                   std::span<std::uint32_t> counts) const override {
        const ShapesView<Dim> balls(note_balls(neighbourhood.radius, block, part));
        if (is_together(block)) {
            const std::uint64_t small = checked(grid().count_neighbours_range(
                neighbourhood, block, block + 1, scratch(part), counts));
            return source_.count_larger(small, balls, counts, Filter{neighbourhood.groups});
        }
        return source_.count_each(
            balls, counts, filters_for(neighbourhood.with_self, neighbourhood.groups, block, part));
    }
    std::uint64_t nearest_neighbours(const NearestNeighbours& nearest, std::size_t block,
                                     OutputPart& part, const NearBuffer& out) const override {
        const auto positions = note_positions(block, part);
        const Nearest each{nearest.k, nearest.radius};
        if (is_together(block)) {
            const std::uint64_t small = checked(grid().nearest_neighbours_range(
                nearest, block, block + 1, nearest_scratch(part), out));
            return source_.merge_larger(small, positions, each, out, Filter{nearest.groups});
        }
        return source_.nearest_each(positions, each, out,
                                    filters_for(nearest.with_self, nearest.groups, block, part));
    }

private:
    /// The number of giants in a block: each of them asks alone, and may have many neighbours.
    static constexpr std::size_t kGiants = 64;

    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept {
        return detail::state_of(crowd_).grid;
    }
    /// Whether the grid answers a block first.
    [[nodiscard]] bool is_together(std::size_t block) const noexcept {
        return source_.is_together() && block < grid().slices();
    }
    [[nodiscard]] std::span<const Id> giants_of(std::size_t block) const noexcept {
        const std::size_t first = (block - grid().slices()) * kGiants;
        return giants_.subspan(first, std::min(kGiants, giants_.size() - first));
    }
    template <class Visit>
    void for_each_asker(std::size_t block, const Visit& visit) const {
        if (block >= grid().slices()) {
            for (const Id giant : giants_of(block)) {
                visit(giant, detail::state_of(crowd_).giants.agent(giant).position);
            }
            return;
        }
        detail::state_of(crowd_).for_each_small(
            block, block + 1,
            [&](const SmallAgent<Dim>& agent) { visit(agent.id, agent.position); });
    }

    // The giants' questions, in the part's own memory, and the id that each leaves out.

    template <class Question, class Make>
    std::span<const Question> note_questions(std::size_t block, OutputPart& part,
                                             const Make& make) const {
        const std::size_t askers = agents_in(block);
        part.queries.resize(askers * sizeof(Question));
        // Allocated with new, so aligned for any question.
        auto* const questions = reinterpret_cast<Question*>(part.queries.data());
        auto* next = questions;
        for_each_asker(block,
                       [&](Id, const Point<Dim>& at) { std::construct_at(next++, make(at)); });
        return {questions, askers};
    }
    std::span<const Ball<Dim>> note_balls(float radius, std::size_t block, OutputPart& part) const {
        return note_questions<Ball<Dim>>(block, part, [radius](const Point<Dim>& at) {
            return Ball<Dim>{at, radius};
        });
    }
    std::span<const Point<Dim>> note_positions(std::size_t block, OutputPart& part) const {
        return note_questions<Point<Dim>>(block, part, [](const Point<Dim>& at) { return at; });
    }
    Filters filters_for(bool with_self, std::uint32_t groups, std::size_t block,
                        OutputPart& part) const {
        if (with_self) { return Filter{groups}; }
        part.filters.clear();
        for_each_asker(block, [&](Id id, const Point<Dim>&) {
            part.filters.push_back({groups, id});
        });
        return FilterEach(part.filters);
    }

    const Crowd<Dim>& crowd_;
    CrowdSource source_;
    std::span<const Id> giants_; // in ascending order
};

} // namespace throng
