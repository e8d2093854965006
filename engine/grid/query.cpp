// Queries to a row grid: hands them to the kernels, and the kernels' ids to the caller.
#include "row_grid.hpp"

#include "../answers/id_runs.hpp"
#include "../shapes/single_shape.hpp"
#include "kernel_calls.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace throng {

namespace {

/// A single query, as kernels take it. Borrows the grid.
template <std::size_t Dim>
struct GridQuestion {
    std::optional<View<Dim>> without_tiles; ///< for a path that does not use them
    const simd::GridView<Dim>& grid;
    simd::KernelFilter kernel_filter;
    AnyBlock<Dim> block;

    template <class State>
    GridQuestion(const State& state, const ShapesView<Dim>& one, const Filter& filter,
                 SearchPath path) noexcept
        : grid(choose(state.kernel_view(), path)),
          kernel_filter(kernel_filter_of(state.store, state.row_of, filter)) {
        put_single(block, one);
    }
    GridQuestion(const GridQuestion&) = delete;
    GridQuestion& operator=(const GridQuestion&) = delete;

    /// Continues the query from where the cursor is.
    template <simd::Form form>
    bool ask(simd::QueryCursor& cursor) const noexcept {
        return query_one<form>(grid, block, kernel_filter, cursor);
    }

private:
    const simd::GridView<Dim>& choose(const View<Dim>& view, SearchPath path) noexcept {
        if (path != SearchPath::rows || view.grid.tiles == nullptr) { return view.grid; }
        without_tiles = view;
        without_tiles->grid.tiles = nullptr;
        return without_tiles->grid;
    }
};

/// Writes all ids, as far as there is room.
template <std::size_t Dim>
void write_all(const RowStore<Dim>& store, std::span<Id> out) noexcept {
    std::size_t written = 0;
    store.occupied().for_each([&](std::size_t r) {
        const simd::Row& row = store.rows()[r];
        const std::size_t count = std::min<std::size_t>(row.count, out.size() - written);
        std::copy_n(store.ids(row), count, out.data() + written);
        written += count;
    });
}

/// Shows all ids to the visitor in full runs, until it stops; returns how many it was shown.
template <std::size_t Dim>
std::size_t visit_all(const RowStore<Dim>& store, IndexVisitor visitor) {
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

} // namespace

template <std::size_t Dim>
SearchPath RowGrid<Dim>::State::path(const ShapesView<Dim>& one,
                                     const Filter& filter) const noexcept {
    if (is_empty_for(filter)) { return SearchPath::none; }
    return choose_path(one, facts(),
                       [&] { return !kernel_filter_of(store, row_of, filter).nothing(); });
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::State::query(const ShapesView<Dim>& one, std::span<Id> out,
                                       const Filter& filter, SearchPath path) const noexcept {
    if (path == SearchPath::none) { return 0; }
    if (path == SearchPath::all) {
        write_all(store, out);
        return count;
    }
    const GridQuestion<Dim> question(*this, one, filter, path);
    std::array<Id, 4 * simd::kSlack> last;
    return write_hits(question.grid, question.block, question.kernel_filter, out,
                      std::span<Id>(last));
}

template <std::size_t Dim>
template <simd::Form form>
std::size_t RowGrid<Dim>::State::tally(const ShapesView<Dim>& one, const Filter& filter,
                                       SearchPath path) const noexcept {
    if (path == SearchPath::none) { return 0; }
    std::size_t hits = count;
    if (path != SearchPath::all) {
        simd::QueryCursor cursor;
        GridQuestion<Dim>(*this, one, filter, path).template ask<form>(cursor);
        hits = cursor.hits;
    }
    return form == simd::Form::any ? std::min<std::size_t>(hits, 1) : hits;
}

template <std::size_t Dim>
Found RowGrid<Dim>::query(const ShapesView<Dim>& shape, std::span<Id> out,
                          const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {0, status}; }
    return {state_->query(shape, out, filter, state_->path(shape, filter)), {}};
}

template <std::size_t Dim>
Found RowGrid<Dim>::count(const ShapesView<Dim>& shape, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {0, status}; }
    const SearchPath path = state_->path(shape, filter);
    return {state_->template tally<simd::Form::count>(shape, filter, path), {}};
}

template <std::size_t Dim>
Found RowGrid<Dim>::any(const ShapesView<Dim>& shape, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {0, status}; }
    const SearchPath path = state_->path(shape, filter);
    return {state_->template tally<simd::Form::any>(shape, filter, path), {}};
}

template <std::size_t Dim>
QueryStats RowGrid<Dim>::explain(const ShapesView<Dim>& shape, const Filter& filter) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const Status status = check_single(shape);
    if (!status.ok()) { return {.status = status}; }
    const SearchPath path = state.path(shape, filter);
    if (path == SearchPath::none) { return {}; }
    if (path == SearchPath::all) { return {0, 0, state.count, state.count, {}}; }
    simd::QueryCursor cursor;
    GridQuestion<Dim>(state, shape, filter, path).template ask<simd::Form::stats>(cursor);
    return {cursor.rows, cursor.tested, cursor.copied, cursor.hits, {}};
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
    const GridQuestion<Dim> question(state, shape, filter, path);
    std::array<Id, kLongestRun> run;
    simd::QueryCursor cursor;
    std::size_t found = 0;
    for (bool done = false; !done;) {
        cursor.out = run.data();
        cursor.end = run.data() + run.size();
        done = question.template ask<simd::Form::ids>(cursor);
        const auto count = static_cast<std::size_t>(cursor.out - run.data());
        found += count;
        if (count != 0 && !visitor({run.data(), count})) { break; }
    }
    return {found, {}};
}

template <std::size_t Dim>
Status RowGrid<Dim>::query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const Status status = first_fault(shapes);
    if (!status.ok()) { return status; }
    hits.offsets.resize(shapes.count + 1);
    hits.offsets[0] = 0;
    if (state.is_empty_for(filter)) {
        std::fill(hits.offsets.begin(), hits.offsets.end(), 0);
        return {};
    }
    const View<Dim>& view = state.kernel_view();
    const simd::KernelFilter kernel_filter = kernel_filter_of(state.store, state.row_of, filter);
    answer_all(shapes, hits,
               [&](const AnyBlock<Dim>& block, std::size_t count, simd::BatchOutput& out) {
                   return select_block(view.grid, block, count, kernel_filter, out);
               });
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template SearchPath RowGrid<Dim>::State::path(const ShapesView<Dim>&, const Filter&)           \
        const noexcept;                                                                            \
    template std::size_t RowGrid<Dim>::State::query(const ShapesView<Dim>&, std::span<Id>,         \
                                                    const Filter&, SearchPath) const noexcept;     \
    template std::size_t RowGrid<Dim>::State::tally<simd::Form::count>(                            \
        const ShapesView<Dim>&, const Filter&, SearchPath) const noexcept;                         \
    template Found RowGrid<Dim>::query(const ShapesView<Dim>&, std::span<Id>, const Filter&)       \
        const;                                                                                     \
    template Status RowGrid<Dim>::query(const ShapesView<Dim>&, Hits&, const Filter&) const;       \
    template Found RowGrid<Dim>::visit(const ShapesView<Dim>&, Visitor, const Filter&) const;      \
    template Found RowGrid<Dim>::count(const ShapesView<Dim>&, const Filter&) const;               \
    template Found RowGrid<Dim>::any(const ShapesView<Dim>&, const Filter&) const;                 \
    template QueryStats RowGrid<Dim>::explain(const ShapesView<Dim>&, const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
