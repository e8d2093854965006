// Questions to a row grid: hands them to the kernels, and the kernels' ids to the caller.
#include "row_grid.hpp"

#include "id_runs.hpp"
#include "row_grid_ask.hpp"

#include <algorithm>
#include <array>

namespace throng {

/// The questions themselves, for every shape alike.
template <std::size_t Dim>
struct RowGrid<Dim>::Asking {
    /// Runs a single query in the given form.
    template <simd::Form form, class Shape>
    static simd::Walk run(const State& state, const Shape& shape, const Filter& filter) noexcept {
        BlockOf<Shape> block;
        fill(block, 0, shape);
        const View<Dim> view(state.store, state.reach);
        simd::Walk walk;
        simd::walk<form>(view.grid, block, leave_out(state.store, state.row_of, filter), walk);
        return walk;
    }

    template <simd::Form form, class Shape>
    static Found tally(const State& state, const Shape& shape, const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(shape);
        if (!status.ok() || state.has_nobody_for(filter)) { return {0, status}; }
        const std::uint64_t hits = run<form>(state, shape, filter).hits;
        return {form == simd::Form::any ? std::min<std::uint64_t>(hits, 1) : hits, {}};
    }

    template <class Shape>
    static QueryStats explain(const State& state, const Shape& shape,
                              const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(shape);
        if (!status.ok() || state.has_nobody_for(filter)) { return {.status = status}; }
        const simd::Walk walk = run<simd::Form::stats>(state, shape, filter);
        return {walk.rows, walk.tested, walk.copied, walk.hits, {}};
    }

    template <class Shape>
    static Found query(const State& state, const Shape& shape, std::span<Id> out,
                       const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(shape);
        if (!status.ok() || state.has_nobody_for(filter)) { return {0, status}; }
        BlockOf<Shape> block;
        fill(block, 0, shape);
        const View<Dim> view(state.store, state.reach);
        std::array<Id, 4 * simd::kSlack> last;
        return {write_hits(view.grid, block, leave_out(state.store, state.row_of, filter), out,
                           std::span<Id>(last)),
                {}};
    }

    template <class Shape>
    static Found visit(const State& state, const Shape& shape, Visitor visitor,
                       const Filter& filter) {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(shape);
        if (!status.ok() || state.has_nobody_for(filter)) { return {0, status}; }
        BlockOf<Shape> block;
        fill(block, 0, shape);
        const View<Dim> view(state.store, state.reach);
        const simd::LeaveOut left_out = leave_out(state.store, state.row_of, filter);
        std::array<Id, kLongestRun> run;
        simd::Walk walk;
        std::size_t found = 0;
        for (bool done = false; !done;) {
            walk.out = run.data();
            walk.end = run.data() + run.size();
            done = simd::walk<simd::Form::ids>(view.grid, block, left_out, walk);
            const auto count = static_cast<std::size_t>(walk.out - run.data());
            found += count;
            if (count != 0 && !visitor({run.data(), count})) { break; }
        }
        return {found, {}};
    }

    template <class Shape>
    static Status query_all(const State& state, std::span<const Shape> shapes, Hits& hits,
                            const Filter& filter) {
        const Phase::Reading reading(state.phase);
        const Status status = first_fault(shapes);
        if (!status.ok()) { return status; }
        hits.offsets.resize(shapes.size() + 1);
        hits.offsets[0] = 0;
        if (state.has_nobody_for(filter)) {
            std::fill(hits.offsets.begin(), hits.offsets.end(), 0);
            return {};
        }
        const View<Dim> view(state.store, state.reach);
        const simd::LeaveOut left_out = leave_out(state.store, state.row_of, filter);
        answer_all(shapes, hits, [&](const auto& block, std::size_t count, simd::BatchOutput& out) {
            return select_block(view.grid, block, count, left_out, out);
        });
        return {};
    }
};

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::query(const Shape& shape, std::span<Id> out, const Filter& filter) const {
    return Asking::query(*state_, shape, out, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Status RowGrid<Dim>::query_all(std::span<const Shape> shapes, Hits& hits,
                               const Filter& filter) const {
    return Asking::query_all(*state_, shapes, hits, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::visit(const Shape& shape, Visitor visitor, const Filter& filter) const {
    return Asking::visit(*state_, shape, visitor, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::count(const Shape& shape, const Filter& filter) const {
    return Asking::template tally<simd::Form::count>(*state_, shape, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::any(const Shape& shape, const Filter& filter) const {
    return Asking::template tally<simd::Form::any>(*state_, shape, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
QueryStats RowGrid<Dim>::explain(const Shape& shape, const Filter& filter) const {
    return Asking::explain(*state_, shape, filter);
}

#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Found RowGrid<Dim>::query(const Shape<Dim>&, std::span<Id>, const Filter&) const;     \
    template Status RowGrid<Dim>::query_all(std::span<const Shape<Dim>>, Hits&, const Filter&)     \
        const;                                                                                     \
    template Found RowGrid<Dim>::visit(const Shape<Dim>&, Visitor, const Filter&) const;           \
    template Found RowGrid<Dim>::count(const Shape<Dim>&, const Filter&) const;                    \
    template Found RowGrid<Dim>::any(const Shape<Dim>&, const Filter&) const;                      \
    template QueryStats RowGrid<Dim>::explain(const Shape<Dim>&, const Filter&) const;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
