// Answers batches of questions with shapes.
#include "batch.hpp"

#include "spatial_sort.hpp"

#include <algorithm>
#include <utility>

namespace throng {

/// One call with shapes, about a grid or a crowd.
template <std::size_t Dim>
struct Batch<Dim>::State::Query {
    State& state;
    const ShapeSource<Dim>& source;
    const ShapesView<Dim>& questions;
    const Filters& filters;
    const RowGrid<Dim>& grid;
    Sorting sorting;

    Query(State& of_batch, const ShapeSource<Dim>& asked, const RowGrid<Dim>& of_small,
          const ShapesView<Dim>& all, const Filters& filters_of_all)
        : state(of_batch), source(asked), questions(all), filters(filters_of_all),
          grid(of_small), sorting{state, of_small, Anchored<Dim>(all),
                                  cut_of(of_batch, of_small, all)} {}

    [[nodiscard]] static Cut cut_of(const State& state, const RowGrid<Dim>& grid,
                                    const ShapesView<Dim>& questions) noexcept {
        const std::size_t threads = state.executor->threads();
        // A single question, or a single thread, needs no prediction and must not pay for one.
        const bool shared = threads != 1 && questions.count > 1 && check_kind(questions).ok();
        const double each = shared ? mean_cost(questions, detail::state_of(grid).facts()) : 0.0;
        return Cut::of(questions.count, each, threads);
    }

    [[nodiscard]] Status misfit() const noexcept {
        if (const Status status = check_kind(questions); !status.ok()) { return status; }
        return detail::fit(filters, questions.count)
                   ? Status{}
                   : Status{Cause::count_mismatch, Argument::filters};
    }

    /// Decides whether a tree answers in the grid's place, and packs the tree if needed.
    void choose(PathAnswer answer) const {
        if (!is_path(questions.kind) || questions.count < PathTree<Dim>::least(answer) ||
            grid.size() == 0 || !source.asks_grid(questions.part(0, sorting.cut.range(0).second))) {
            return;
        }
        if (!state.tree.has_value()) { state.tree.emplace(); }
        const Found pays = state.tree->pays(grid, questions, filters, answer, *state.executor);
        if (checked(pays) != 0) { state.asked_tree = &*state.tree; }
    }

    // A block of the questions in the caller's order, and its filters.
    [[nodiscard]] ShapesView<Dim> part_of(std::size_t block) const noexcept {
        const auto [first, count] = sorting.cut.range(block);
        return questions.part(first, count);
    }
    [[nodiscard]] Filters filters_of(std::size_t block) const noexcept {
        const auto [first, count] = sorting.cut.range(block);
        return detail::part_of(filters, first, count);
    }

    // A block of sorted questions, gathered in a part, and its filters.
    void gather(std::size_t block, OutputPart& part) const {
        sorting.gather(block, part);
        part.filters.clear();
        for (std::size_t i = 0; filters.one_each && i < part.askers.size(); ++i) {
            part.filters.push_back(filters.of(part.askers[i]));
        }
    }
    [[nodiscard]] ShapesView<Dim> gathered(const OutputPart& part) const noexcept {
        return {questions.kind, part.queries.data(), part.askers.size()};
    }
    [[nodiscard]] Filters gathered_filters(const OutputPart& part) const noexcept {
        return filters.one_each ? Filters(part.filters) : filters;
    }

    /// Returns call(), or the status of the first question that is refused.
    template <class Call>
    Found refusable(const Call& call) const {
        try {
            return call();
        } catch (const Refused& refused) {
            const Status fault = source.first_fault(questions);
            return {0, fault.ok() ? refused.status : fault};
        }
    }

    Found list(HitsPlaces& out) const {
        return refusable([&] {
            choose(PathAnswer::ids);
            if (!sorting.pays()) {
                return state.join(
                    sorting.cut.blocks, sorting.cut.cost,
                    [&](std::size_t block, OutputPart& part, const HitsBuffer& buffer) {
                        return source.query(part_of(block), part, buffer, filters_of(block));
                    },
                    [&](std::size_t block) { return sorting.cut.range(block); }, out);
            }
            sorting.sort();
            return state.join_scattered(
                sorting.cut.blocks, sorting.cut.cost,
                [&](std::size_t block, OutputPart& part) { gather(block, part); },
                [&](std::size_t, OutputPart& part, const HitsBuffer& buffer) {
                    return source.query(gathered(part), part, buffer, gathered_filters(part));
                },
                out);
        });
    }
    Found list(const HitsOutput& out) const {
        // fill() empties hits that grow, so it is called even if the batch is refused.
        const Status status = misfit();
        if (out.growing == nullptr && !status.ok()) { return {0, status}; }
        return fill(out, questions.count, [&](HitsPlaces& places) {
            return status.ok() ? list(places) : Found{0, status};
        });
    }

    using Tally = std::uint64_t (ShapeSource<Dim>::*)(const ShapesView<Dim>&, OutputPart&,
                                                      std::span<std::uint32_t>,
                                                      const Filters&) const;
    /// `of_block` is count() or any() of the source.
    Found tally(PathAnswer answer, std::span<std::uint32_t> counts, Tally of_block) const {
        if (const Status status = misfit(); !status.ok()) { return {0, status}; }
        if (counts.size() < questions.count) { return {0, {Cause::no_room, Argument::counts}}; }
        return refusable([&] {
            choose(answer);
            if (!sorting.pays()) {
                return state.add_up(
                    sorting.cut.blocks, sorting.cut.cost, [&](std::size_t block, OutputPart& part) {
                        return (source.*of_block)(part_of(block), part,
                                                  sorting.cut.part_of(counts, block),
                                                  filters_of(block));
                    });
            }
            sorting.sort();
            return state.add_up(sorting.cut.blocks, sorting.cut.cost,
                                [&](std::size_t block, OutputPart& part) {
                                    gather(block, part);
                                    part.counts.resize(part.askers.size());
                                    const std::uint64_t sum = (source.*of_block)(
                                        gathered(part), part, part.counts, gathered_filters(part));
                                    scatter_counts(part, counts);
                                    return sum;
                                });
        });
    }

    /// Paths are not sorted: where a path begins hardly changes its cost.
    Found first(std::span<PathHit> path_hits) const {
        if (const Status status = misfit(); !status.ok()) { return {0, status}; }
        if (!is_path(questions.kind)) { return {0, {Cause::out_of_range, Argument::shapes}}; }
        if (path_hits.size() < questions.count) {
            return {0, {Cause::no_room, Argument::path_hits}};
        }
        const Status fault = source.first_fault(questions);
        if (!fault.ok()) { return {0, fault}; }
        return state.add_up(
            sorting.cut.blocks, sorting.cut.cost, [&](std::size_t block, OutputPart&) {
                return source.first(part_of(block), sorting.cut.part_of(path_hits, block),
                                    filters_of(block));
            });
    }
};

template <std::size_t Dim>
Found Batch<Dim>::query(const Asked<Dim>& asked, const ShapesView<Dim>& shapes,
                        const HitsOutput& out, const Filters& filters) {
    return state_->ask("Batch::query", asked, [&](const auto& source, const auto& grid) {
        return typename State::Query(*state_, source, grid, shapes, filters).list(out);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::count(const Asked<Dim>& asked, const ShapesView<Dim>& shapes,
                        std::span<std::uint32_t> counts, const Filters& filters) {
    return state_->ask("Batch::count", asked, [&](const auto& source, const auto& grid) {
        return typename State::Query(*state_, source, grid, shapes, filters)
            .tally(PathAnswer::count, counts, &ShapeSource<Dim>::count);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::any(const Asked<Dim>& asked, const ShapesView<Dim>& shapes,
                      std::span<std::uint32_t> counts, const Filters& filters) {
    return state_->ask("Batch::any", asked, [&](const auto& source, const auto& grid) {
        return typename State::Query(*state_, source, grid, shapes, filters)
            .tally(PathAnswer::any, counts, &ShapeSource<Dim>::any);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::first(const Asked<Dim>& asked, const ShapesView<Dim>& paths,
                        std::span<PathHit> path_hits, const Filters& filters) {
    return state_->ask("Batch::first", asked, [&](const auto& source, const auto& grid) {
        return typename State::Query(*state_, source, grid, paths, filters).first(path_hits);
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Batch<Dim>::query(const Asked<Dim>&, const ShapesView<Dim>&, const HitsOutput&, \
                                     const Filters&);                                              \
    template Found Batch<Dim>::count(const Asked<Dim>&, const ShapesView<Dim>&,                    \
                                     std::span<std::uint32_t>, const Filters&);                    \
    template Found Batch<Dim>::any(const Asked<Dim>&, const ShapesView<Dim>&,                      \
                                   std::span<std::uint32_t>, const Filters&);                      \
    template Found Batch<Dim>::first(const Asked<Dim>&, const ShapesView<Dim>&,                    \
                                     std::span<PathHit>, const Filters&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
