// Questions to a row grid: hands them to the kernels, and the kernels' ids to the caller.
#include "row_grid.hpp"

#include "id_runs.hpp"
#include "path_choice.hpp"
#include "row_grid_ask.hpp"
#include "shape_gate.hpp"

#include <algorithm>
#include <array>

namespace throng {

/// The questions themselves, for every shape alike.
template <std::size_t Dim>
struct RowGrid<Dim>::Asking {
    /// The way that a question takes unless told otherwise.
    template <class Shape>
    static SearchPath path(const State& state, const Shape& shape, const Filter& filter) noexcept {
        if (state.has_nobody_for(filter)) { return SearchPath::none; }
        return choose_path(shape, state.facts(),
                           [&] { return !leave_out(state.store, state.row_of, filter).nobody(); });
    }

    /// Runs a single query in the given form.
    template <simd::Form form, class Shape>
    static simd::Walk run(const State& state, const Shape& shape, const Filter& filter,
                          SearchPath path) noexcept {
        BlockOf<Shape> block;
        fill(block, 0, shape);
        const View<Dim> view(state.store, state.reach, path);
        simd::Walk walk;
        simd::walk<form>(view.grid, block, leave_out(state.store, state.row_of, filter), walk);
        return walk;
    }

    template <simd::Form form, class Shape>
    static Found tally(const State& state, const Shape& shape, const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(shape);
        return status.ok() ? tally<form>(state, shape, filter, path(state, shape, filter))
                           : Found{0, status};
    }
    template <simd::Form form, class Shape>
    static Found tally(const State& state, const Shape& shape, const Filter& filter,
                       SearchPath path) noexcept {
        if (path == SearchPath::none) { return {}; }
        const std::uint64_t hits = path == SearchPath::everybody
                                       ? state.count
                                       : run<form>(state, shape, filter, path).hits;
        return {form == simd::Form::any ? std::min<std::uint64_t>(hits, 1) : hits, {}};
    }

    template <class Shape>
    static QueryStats explain(const State& state, const Shape& shape,
                              const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(shape);
        if (!status.ok() || state.has_nobody_for(filter)) { return {.status = status}; }
        const SearchPath way = path(state, shape, filter);
        if (way == SearchPath::everybody) { return {0, 0, state.count, state.count, {}}; }
        const simd::Walk walk = run<simd::Form::stats>(state, shape, filter, way);
        return {walk.rows, walk.tested, walk.copied, walk.hits, {}};
    }

    template <class Shape>
    static Found query(const State& state, const Shape& shape, std::span<Id> out,
                       const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(shape);
        return status.ok() ? query(state, shape, out, filter, path(state, shape, filter))
                           : Found{0, status};
    }
    template <class Shape>
    static Found query(const State& state, const Shape& shape, std::span<Id> out,
                       const Filter& filter, SearchPath path) noexcept {
        if (path == SearchPath::none) { return {}; }
        if (path == SearchPath::everybody) { return {write_everybody(state, out), {}}; }
        BlockOf<Shape> block;
        fill(block, 0, shape);
        const View<Dim> view(state.store, state.reach, path);
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
        if (path(state, shape, filter) == SearchPath::everybody) {
            return {visit_everybody(state, visitor), {}};
        }
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

    /// All ids, as far as there is room; returns how many there are.
    static std::size_t write_everybody(const State& state, std::span<Id> out) noexcept {
        const RowStore<Dim>& store = state.store;
        std::size_t written = 0;
        store.occupied().for_each([&](std::size_t r) {
            const simd::Row& row = store.rows()[r];
            const std::size_t count = std::min<std::size_t>(row.count, out.size() - written);
            std::copy_n(store.ids(row), count, out.data() + written);
            written += count;
        });
        return state.count;
    }

    /// The same in full runs, until the visitor has enough; returns how many it was shown.
    static std::size_t visit_everybody(const State& state, Visitor visitor) {
        const RowStore<Dim>& store = state.store;
        std::array<Id, kLongestRun> run;
        std::size_t held = 0, shown = 0;
        for (std::size_t r = store.occupied().next(0); r < store.rows().size();
             r = store.occupied().next(r + 1)) {
            const simd::Row& row = store.rows()[r];
            for (std::size_t slot = 0; slot < row.count;) {
                const std::size_t count = std::min(row.count - slot, run.size() - held);
                std::copy_n(store.ids(row) + slot, count, run.data() + held);
                slot += count;
                held += count;
                if (held < run.size()) { continue; }
                shown += held;
                if (!visitor({run.data(), held})) { return shown; }
                held = 0;
            }
        }
        if (held != 0) { (void)visitor({run.data(), held}); }
        return shown + held;
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

template <std::size_t Dim>
template <class Shape>
typename PathChoice<Dim>::Plan PathChoice<Dim>::plan(const RowGrid<Dim>& grid, const Shape& shape,
                                                     const Filter& filter) noexcept {
    const auto& state = *grid.state_;
    const SearchPath path = RowGrid<Dim>::Asking::path(state, shape, filter);
    return {path, predict(path, ShapeGate<Dim>(shape).bounds(), state.facts())};
}
template <std::size_t Dim>
template <class Shape>
bool PathChoice<Dim>::is_sparse(const RowGrid<Dim>& grid, const Shape& shape) noexcept {
    return is_sparse_for(ShapeGate<Dim>(shape).bounds(), grid.state_->facts());
}
template <std::size_t Dim>
template <class Shape>
bool PathChoice<Dim>::is(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                         const Filter& filter) noexcept {
    const auto& state = *grid.state_;
    const SearchPath chosen = RowGrid<Dim>::Asking::path(state, shape, filter);
    return path == chosen || (chosen != SearchPath::none &&
                              (path == SearchPath::rows ||
                               (path == SearchPath::tiles && !state.store.tiles().empty())));
}
template <std::size_t Dim>
template <class Shape>
Found PathChoice<Dim>::query(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                             std::span<Id> out, const Filter& filter) noexcept {
    const Status status = check_shape(shape);
    if (!status.ok()) { return {0, status}; }
    return RowGrid<Dim>::Asking::query(*grid.state_, shape, out, filter, path);
}
template <std::size_t Dim>
template <class Shape>
Found PathChoice<Dim>::count(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                             const Filter& filter) noexcept {
    const Status status = check_shape(shape);
    if (!status.ok()) { return {0, status}; }
    return RowGrid<Dim>::Asking::template tally<simd::Form::count>(*grid.state_, shape, filter,
                                                                   path);
}

#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Found RowGrid<Dim>::query(const Shape<Dim>&, std::span<Id>, const Filter&) const;     \
    template Status RowGrid<Dim>::query_all(std::span<const Shape<Dim>>, Hits&, const Filter&)     \
        const;                                                                                     \
    template Found RowGrid<Dim>::visit(const Shape<Dim>&, Visitor, const Filter&) const;           \
    template Found RowGrid<Dim>::count(const Shape<Dim>&, const Filter&) const;                    \
    template Found RowGrid<Dim>::any(const Shape<Dim>&, const Filter&) const;                      \
    template QueryStats RowGrid<Dim>::explain(const Shape<Dim>&, const Filter&) const;             \
    template PathChoice<Dim>::Plan PathChoice<Dim>::plan(const RowGrid<Dim>&, const Shape<Dim>&,   \
                                                         const Filter&) noexcept;                  \
    template bool PathChoice<Dim>::is_sparse(const RowGrid<Dim>&, const Shape<Dim>&) noexcept;     \
    template bool PathChoice<Dim>::is(const RowGrid<Dim>&, SearchPath, const Shape<Dim>&,          \
                                      const Filter&) noexcept;                                     \
    template Found PathChoice<Dim>::query(const RowGrid<Dim>&, SearchPath, const Shape<Dim>&,      \
                                          std::span<Id>, const Filter&) noexcept;                  \
    template Found PathChoice<Dim>::count(const RowGrid<Dim>&, SearchPath, const Shape<Dim>&,      \
                                          const Filter&) noexcept;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
