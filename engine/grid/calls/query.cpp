// Queries to a row grid: hands them to the kernels, and the kernels' ids to the caller.
#include "../row_grid.hpp"

#include "../../answers/id_runs.hpp"
#include "../../shapes/single_shape.hpp"
#include "all_agents.hpp"
#include "kernel_calls.hpp"

#include <algorithm>
#include <array>

namespace throng {

namespace {

/// The grid as kernels see it, for searches that ignore its tiles.
template <std::size_t Dim>
View<Dim> without_tiles(const View<Dim>& view) noexcept {
    View<Dim> same = view;
    same.grid.tiles = nullptr;
    return same;
}

/// Calls ask(grid, question, filter) with the grid, a single query and its filter in the kernels'
/// form.
template <std::size_t Dim, class State, class Ask>
decltype(auto) with_question(const State& state, const ShapesView<Dim>& one, const Filter& filter,
                             SearchPath path, const Ask& ask) {
    const simd::KernelFilter kernel_filter = kernel_filter_of(state.store, state.row_of, filter);
    const View<Dim>& view = state.kernel_view();
    return with_single(one, [&](const auto& question) {
        if (path == SearchPath::rows && view.grid.tiles != nullptr) {
            return ask(without_tiles(view).grid, question, kernel_filter);
        }
        return ask(view.grid, question, kernel_filter);
    });
}

/// The same for a usual query, which uses the grid's tiles if there are any: see is_usual().
template <std::size_t Dim, class State, class Ask>
[[gnu::always_inline]] inline decltype(auto)
with_usual_question(const State& state, const ShapesView<Dim>& one, const Filter& filter,
                    const Ask& ask) noexcept {
    const simd::KernelFilter kernel_filter = kernel_filter_of(state.store, state.row_of, filter);
    return with_usual(
        one, [&](const auto& question) __attribute__((always_inline)) {
            return ask(state.kernel_view().grid, question, kernel_filter);
        });
}

/// Whether with_usual_question() suffices, as it nearly always does. Other queries have functions
/// of their own, so that usual queries do not pay for the setup of others.
template <std::size_t Dim, class State>
[[nodiscard]] bool is_usual(const State& state, const ShapesView<Dim>& one,
                            SearchPath path) noexcept {
    return is_usual(one.kind) &&
           (path == SearchPath::tiles || state.kernel_view().grid.tiles == nullptr);
}

/// Counts the hits of a single query, or whatever else `form` asks for.
template <simd::Form form, std::size_t Dim, class State>
[[gnu::noinline]] simd::QueryCursor tally_any(const State& state, const ShapesView<Dim>& one,
                                              const Filter& filter, SearchPath path) noexcept {
    simd::QueryCursor cursor;
    with_question(state, one, filter, path,
                  [&](const auto& grid, const auto& question, const auto& kernel_filter) {
                      using simd::query_one;
                      query_one<form>(grid, question, kernel_filter, cursor);
                  });
    return cursor;
}

/// Writes the hits of a single query, as many as fit; returns how many there are.
template <std::size_t Dim, class State>
[[gnu::noinline]] std::size_t list_any(const State& state, const ShapesView<Dim>& one,
                                       std::span<Id> out, const Filter& filter,
                                       SearchPath path) noexcept {
    return with_question(state, one, filter, path,
                         [&](const auto& grid, const auto& question, const auto& kernel_filter) {
                             std::array<Id, 4 * simd::kSlack> last;
                             return write_hits(grid, question, kernel_filter, out,
                                               std::span<Id>(last));
                         });
}

/// Writes the ids of all agents, as many as fit, for a question that finds all; returns how many
/// there are.
template <std::size_t Dim, class State>
[[gnu::noinline]] std::size_t list_all(const State& state, const ShapesView<Dim>& one,
                                       std::span<Id> out, const Filter& filter) noexcept {
    if (!copying_pays(state.store, state.count)) {
        return list_any(state, one, out, filter, SearchPath::tiles);
    }
    write_all(state.store, out);
    return state.count;
}

// path_of() and list() are the two parts of RowGrid::query(). They are inlined: as calls they were
// a fifth of the instructions of a query for a small box.

template <std::size_t Dim, class State>
[[gnu::always_inline]] inline SearchPath path_of(const State& state, const ShapesView<Dim>& one,
                                                 const Filter& filter) noexcept {
    if (state.is_empty_for(filter)) { return SearchPath::none; }
    return choose_path(one, state.facts(), [&] {
        return !kernel_filter_of(state.store, state.row_of, filter).nothing();
    });
}

template <std::size_t Dim, class State>
[[gnu::always_inline]] inline std::size_t list(const State& state, const ShapesView<Dim>& one,
                                               std::span<Id> out, const Filter& filter,
                                               SearchPath path) noexcept {
    if (path == SearchPath::none) { return 0; }
    if (path == SearchPath::all) { return list_all(state, one, out, filter); }
    if (!is_usual(state, one, path)) { return list_any(state, one, out, filter, path); }
    return with_usual_question(
        state, one, filter, [&](const auto& grid, const auto& question, const auto& kernel_filter) {
            std::array<Id, 4 * simd::kSlack> last;
            return write_hits(grid, question, kernel_filter, out, std::span<Id>(last));
        });
}

template <simd::Form form, std::size_t Dim, class State>
[[gnu::always_inline]] inline std::size_t tally(const State& state, const ShapesView<Dim>& one,
                                                const Filter& filter, SearchPath path) noexcept {
    if (path == SearchPath::none) { return 0; }
    std::size_t hits = state.count;
    if (path != SearchPath::all && !is_usual(state, one, path)) {
        hits = tally_any<form>(state, one, filter, path).hits;
    } else if (path != SearchPath::all) {
        simd::QueryCursor cursor;
        with_usual_question(state, one, filter,
                            [&](const auto& grid, const auto& question, const auto& kernel_filter) {
                                simd::query_one<form>(grid, question, kernel_filter, cursor);
                            });
        hits = cursor.hits;
    }
    return form == simd::Form::any ? std::min<std::size_t>(hits, 1) : hits;
}

} // namespace

template <std::size_t Dim>
SearchPath RowGrid<Dim>::State::path(const ShapesView<Dim>& one,
                                     const Filter& filter) const noexcept {
    return path_of(*this, one, filter);
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::State::query(const ShapesView<Dim>& one, std::span<Id> out,
                                       const Filter& filter, SearchPath path) const noexcept {
    return list(*this, one, out, filter, path);
}

template <std::size_t Dim>
template <simd::Form form>
std::size_t RowGrid<Dim>::State::tally(const ShapesView<Dim>& one, const Filter& filter,
                                       SearchPath path) const noexcept {
    return throng::tally<form>(*this, one, filter, path);
}

template <std::size_t Dim>
Found RowGrid<Dim>::query(const ShapesView<Dim>& shape, std::span<Id> out,
                          const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {0, status}; }
    return {list(*state_, shape, out, filter, path_of(*state_, shape, filter)), {}};
}

template <std::size_t Dim>
Found RowGrid<Dim>::count(const ShapesView<Dim>& shape, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {0, status}; }
    const SearchPath path = path_of(*state_, shape, filter);
    return {tally<simd::Form::count>(*state_, shape, filter, path), {}};
}

template <std::size_t Dim>
Found RowGrid<Dim>::any(const ShapesView<Dim>& shape, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {0, status}; }
    const SearchPath path = path_of(*state_, shape, filter);
    return {tally<simd::Form::any>(*state_, shape, filter, path), {}};
}

template <std::size_t Dim>
QueryStats RowGrid<Dim>::explain(const ShapesView<Dim>& shape, const Filter& filter) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {.status = status}; }
    QueryStats stats = state.stats_of(shape, filter);
    stats.predicted = predict_all(stats.path, shape, state.facts());
    return stats;
}

template <std::size_t Dim>
QueryStats RowGrid<Dim>::State::stats_of(const ShapesView<Dim>& one,
                                         const Filter& filter) const noexcept {
    QueryStats stats;
    stats.path = path(one, filter);
    stats.reason = reason_for(stats.path);
    if (stats.path == SearchPath::all) { stats.copied = stats.hits = count; }
    if (stats.path == SearchPath::rows || stats.path == SearchPath::tiles) {
        const simd::QueryCursor did = tally_any<simd::Form::stats>(*this, one, filter, stats.path);
        stats.rows = did.rows;
        stats.tested = did.tested;
        stats.copied = did.copied;
        stats.hits = did.hits;
    }
    return stats;
}

template <std::size_t Dim>
Found RowGrid<Dim>::visit(const ShapesView<Dim>& shape, Visitor visitor,
                          const Filter& filter) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {0, status}; }
    const SearchPath path = state.path(shape, filter);
    if (path == SearchPath::none) { return {}; }
    if (path == SearchPath::all) { return {visit_all(state.store, visitor), {}}; }
    std::size_t found = 0;
    with_question(state, shape, filter, path,
                  [&](const auto& grid, const auto& question, const auto& kernel_filter) {
                      using simd::query_one;
                      std::array<Id, kLongestRun> run;
                      simd::QueryCursor cursor;
                      for (bool done = false; !done;) {
                          cursor.out = run.data();
                          cursor.end = run.data() + run.size();
                          done = query_one<simd::Form::ids>(grid, question, kernel_filter, cursor);
                          const auto count = static_cast<std::size_t>(cursor.out - run.data());
                          found += count;
                          if (count != 0 && !visitor({run.data(), count})) { break; }
                      }
                  });
    return {found, {}};
}

namespace {

/// Answers the queries in the block until one does not fit; returns how many it answered.
template <std::size_t Dim, class State>
std::size_t select_some(const State& state, const simd::GridView<Dim>& grid, AnyBlock<Dim>& block,
                        const ShapesView<Dim>& some, const Filter& filter,
                        const simd::KernelFilter& kernel_filter, simd::BatchOutput& out) noexcept {
    std::size_t done = 0;
    while (done < some.count) {
        const std::size_t few = before_all(state, some, done, filter, Copies::ids);
        if (few == 0) {
            if (out.capacity - out.used < state.count) { return done; }
            write_all(state.store, {out.ids + out.used, state.count});
            out.used += state.count;
            out.offsets[1] = out.used;
        } else {
            if (done != 0) { put_all(block, some.part(done, few)); }
            const std::size_t answered = select_block(grid, block, few, kernel_filter, out);
            if (answered < few) { return done + answered; }
        }
        done += std::max<std::size_t>(few, 1);
        out.offsets += std::max<std::size_t>(few, 1);
    }
    return done;
}

} // namespace

template <std::size_t Dim>
Found RowGrid<Dim>::query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const Status status = first_fault(shapes);
    if (!status.ok()) { return {0, status}; }
    hits.offsets.resize(shapes.count + 1);
    hits.offsets[0] = 0;
    if (state.is_empty_for(filter)) {
        std::fill(hits.offsets.begin(), hits.offsets.end(), 0);
        return {};
    }
    const View<Dim>& view = state.kernel_view();
    const simd::KernelFilter kernel_filter = kernel_filter_of(state.store, state.row_of, filter);
    answer_all(shapes, hits, [&](AnyBlock<Dim>& block, std::size_t count, simd::BatchOutput& out) {
        const auto first = static_cast<std::size_t>(out.offsets - hits.offsets.data());
        return select_some(state, view.grid, block, shapes.part(first, count), filter,
                           kernel_filter, out);
    });
    return Found::of(hits.total());
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template SearchPath RowGrid<Dim>::State::path(const ShapesView<Dim>&, const Filter&)           \
        const noexcept;                                                                            \
    template std::size_t RowGrid<Dim>::State::query(const ShapesView<Dim>&, std::span<Id>,         \
                                                    const Filter&, SearchPath) const noexcept;     \
    template std::size_t RowGrid<Dim>::State::tally<simd::Form::count>(                            \
        const ShapesView<Dim>&, const Filter&, SearchPath) const noexcept;                         \
    template QueryStats RowGrid<Dim>::State::stats_of(const ShapesView<Dim>&, const Filter&)       \
        const noexcept;                                                                            \
    template Found RowGrid<Dim>::query(const ShapesView<Dim>&, std::span<Id>, const Filter&)       \
        const;                                                                                     \
    template Found RowGrid<Dim>::query(const ShapesView<Dim>&, Hits&, const Filter&) const;        \
    template Found RowGrid<Dim>::visit(const ShapesView<Dim>&, Visitor, const Filter&) const;      \
    template Found RowGrid<Dim>::count(const ShapesView<Dim>&, const Filter&) const;               \
    template Found RowGrid<Dim>::any(const ShapesView<Dim>&, const Filter&) const;                 \
    template QueryStats RowGrid<Dim>::explain(const ShapesView<Dim>&, const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
