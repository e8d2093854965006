// Questions to a row grid: hands them to the kernels, and the kernels' ids to the caller.
#include "row_grid.hpp"

#include "../simd/query.hpp"
#include "../simd/slack.hpp"
#include "row_grid_state.hpp"
#include "validation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace throng {

namespace {

/// Ids on their way to a visitor, or to a buffer with no room to spare.
constexpr std::size_t kRun = 1024;

template <std::size_t Dim>
void put(simd::BoxBlock<Dim>& block, std::size_t i, const Box<Dim>& box) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        block.lo[a][i] = box.lo[a];
        block.hi[a][i] = box.hi[a];
    }
}
template <std::size_t Dim>
void put(simd::BallBlock<Dim>& block, std::size_t i, const Ball<Dim>& ball) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        block.centre[a][i] = ball.centre[a];
    }
    block.radius[i] = ball.radius;
    block.radius2[i] = ball.radius * ball.radius;
}

template <std::size_t Dim>
simd::BoxBlock<Dim> block_type(const Box<Dim>&);
template <std::size_t Dim>
simd::BallBlock<Dim> block_type(const Ball<Dim>&);

/// The block that holds queries of a shape.
template <class Shape>
using BlockOf = decltype(block_type(std::declval<Shape>()));

/// A block whose places up to `count` and kSlack beyond hold `shape`: kernels read that far.
template <class Shape>
void fill(BlockOf<Shape>& block, std::size_t count, const Shape& shape) noexcept {
    for (std::size_t i = 0; i < count + simd::kSlack; ++i) {
        put(block, i, shape);
    }
}

/// Whether check_shape() has nothing to say of any of these; without a branch for each.
template <std::size_t Dim>
bool all_sound(std::span<const Box<Dim>> boxes) noexcept {
    unsigned wrong = 0;
    for (const Box<Dim>& box : boxes) {
        for (std::size_t a = 0; a < Dim; ++a) {
            wrong |= static_cast<unsigned>(!(std::abs(box.lo[a]) <= kLargest)) |
                     static_cast<unsigned>(!(std::abs(box.hi[a]) <= kLargest));
        }
    }
    return wrong == 0;
}
template <std::size_t Dim>
bool all_sound(std::span<const Ball<Dim>> balls) noexcept {
    unsigned wrong = 0;
    for (const Ball<Dim>& ball : balls) {
        for (std::size_t a = 0; a < Dim; ++a) {
            wrong |= static_cast<unsigned>(!(std::abs(ball.centre[a]) <= kLargest));
        }
        wrong |= static_cast<unsigned>(!(ball.radius >= 0.0f)) |
                 static_cast<unsigned>(!(ball.radius <= kLargest));
    }
    return wrong == 0;
}

/// The grid as kernels see it. Borrows the levels of the set of occupied rows.
template <std::size_t Dim>
struct View {
    std::array<const std::uint64_t*, HierarchicalBitset::kMaxLevels> levels;
    simd::GridView<Dim> grid;

    View(const RowStore<Dim>& store, const Point<Dim>& reach) noexcept
        : levels(store.occupied().levels()) {
        const GridShape<Dim>& shape = store.shape();
        grid.rows = store.rows().data();
        grid.occupied = levels.data();
        grid.occupied_depth = store.occupied().depth();
        grid.row_count = static_cast<std::uint32_t>(store.rows().size());
        for (std::size_t a = 0; a < Dim; ++a) {
            grid.origin[a] = shape.origin[a];
            grid.inverse_cell[a] = shape.inverse_cell[a];
            grid.last_cell[a] = static_cast<float>(shape.cells[a] - 1);
            grid.cells[a] = shape.cells[a];
            grid.reach[a] = reach[a];
        }
        grid.own_extents = store.kind().own_half_extents;
        grid.groups = store.kind().groups;
        grid.full_table = TableForm{}.words(shape.cells[0]);
    }
    View(const View&) = delete;
    View& operator=(const View&) = delete;
};

} // namespace

/// The questions themselves, for every shape alike.
template <std::size_t Dim>
struct RowGrid<Dim>::Asking {
    /// What the kernels are to leave out.
    static simd::LeaveOut leave_out(const State& state, const Filter& filter) noexcept {
        // A filter that cannot leave anybody out is none: then spans can be copied whole.
        const std::uint32_t row = state.row_of[filter.without];
        return {state.store.kind().groups ? filter.groups : kAllGroups,
                row == kNoRow ? kNoId : filter.without, row};
    }

    /// True when nobody can be found, whatever the shape.
    static bool nobody(const State& state, const Filter& filter) noexcept {
        return state.count == 0 || filter.groups == 0;
    }

    /// Runs a single query in the given form.
    template <simd::Form form, class Shape>
    static simd::Walk run(const State& state, const Shape& shape, const Filter& filter) noexcept {
        BlockOf<Shape> block;
        fill(block, 0, shape);
        const View<Dim> view(state.store, state.reach);
        simd::Walk walk;
        simd::walk<form>(view.grid, block, leave_out(state, filter), walk);
        return walk;
    }

    template <simd::Form form, class Shape>
    static Found tally(const State& state, const Shape& shape, const Filter& filter) noexcept {
        const Status status = check_shape(shape);
        if (!status.ok() || nobody(state, filter)) { return {0, status}; }
        const std::uint64_t hits = run<form>(state, shape, filter).hits;
        return {form == simd::Form::any ? std::min<std::uint64_t>(hits, 1) : hits, {}};
    }

    template <class Shape>
    static QueryStats explain(const State& state, const Shape& shape,
                              const Filter& filter) noexcept {
        const Status status = check_shape(shape);
        if (!status.ok() || nobody(state, filter)) { return {.status = status}; }
        const simd::Walk walk = run<simd::Form::stats>(state, shape, filter);
        return {walk.rows, walk.tested, walk.copied, walk.hits, {}};
    }

    template <class Shape>
    static Found query(const State& state, const Shape& shape, std::span<Id> out,
                       const Filter& filter) noexcept {
        const Status status = check_shape(shape);
        if (!status.ok() || nobody(state, filter)) { return {0, status}; }
        BlockOf<Shape> block;
        fill(block, 0, shape);
        const View<Dim> view(state.store, state.reach);
        const simd::LeaveOut left_out = leave_out(state, filter);
        simd::Walk walk;
        walk.out = out.data();
        walk.end = out.data() + out.size();
        // Not with no room at all: then there may be no buffer either.
        bool done = !out.empty() && simd::walk<simd::Form::ids>(view.grid, block, left_out, walk);
        auto found = static_cast<std::size_t>(walk.out - out.data());
        // Kernels write whole vectors, so the last places are filled by way of a copy, ...
        std::array<Id, 4 * simd::kSlack> last;
        while (!done && found < out.size()) {
            walk.out = last.data();
            walk.end = last.data() + last.size();
            done = simd::walk<simd::Form::ids>(view.grid, block, left_out, walk);
            const auto more = static_cast<std::size_t>(walk.out - last.data());
            const std::size_t fit = std::min(more, out.size() - found);
            std::copy_n(last.data(), fit, out.data() + found);
            found += more;
        }
        // ... and what does not fit is only counted.
        if (!done) {
            simd::walk<simd::Form::count>(view.grid, block, left_out, walk);
            found += walk.hits;
        }
        return {found, {}};
    }

    template <class Shape>
    static Found visit(const State& state, const Shape& shape, Visitor visitor,
                       const Filter& filter) {
        const Status status = check_shape(shape);
        if (!status.ok() || nobody(state, filter)) { return {0, status}; }
        BlockOf<Shape> block;
        fill(block, 0, shape);
        const View<Dim> view(state.store, state.reach);
        const simd::LeaveOut left_out = leave_out(state, filter);
        std::array<Id, kRun> run;
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
    static Status first_fault(std::span<const Shape> shapes) noexcept {
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            Status status = check_shape(shapes[q]);
            status.index = q;
            if (!status.ok()) { return status; }
        }
        return {};
    }

    template <class Shape>
    static Status query_all(const State& state, std::span<const Shape> shapes, Hits& hits,
                            const Filter& filter) {
        if (!all_sound(shapes)) { return first_fault(shapes); }
        hits.offsets.resize(shapes.size() + 1);
        hits.offsets[0] = 0;
        if (nobody(state, filter)) {
            std::fill(hits.offsets.begin(), hits.offsets.end(), 0);
            return {};
        }
        const View<Dim> view(state.store, state.reach);
        const simd::LeaveOut left_out = leave_out(state, filter);
        BlockOf<Shape> block;
        fill(block, simd::kBlockQueries, Shape{});
        simd::BatchOutput out{};
        for (std::size_t first = 0; first < shapes.size();) {
            const std::size_t count = std::min(simd::kBlockQueries, shapes.size() - first);
            for (std::size_t i = 0; i < count; ++i) {
                put(block, i, shapes[first + i]);
            }
            out.ids = hits.ids.data();
            out.capacity = hits.ids.size() - std::min(hits.ids.size(), simd::kSlack);
            out.offsets = hits.offsets.data() + first;
            const std::size_t answered =
                hits.ids.size() <= simd::kSlack
                    ? 0
                    : simd::select_batch(view.grid, block, count, left_out, out);
            first += answered;
            // What comes next did not fit: twice the room, and ask again.
            if (answered < count) { hits.ids.resize(2 * hits.ids.size() + 4096); }
        }
        return {};
    }
};

template <std::size_t Dim>
Found RowGrid<Dim>::query(const Box<Dim>& box, std::span<Id> out, const Filter& filter) const {
    return Asking::query(*state_, box, out, filter);
}
template <std::size_t Dim>
Found RowGrid<Dim>::query(const Ball<Dim>& ball, std::span<Id> out, const Filter& filter) const {
    return Asking::query(*state_, ball, out, filter);
}
template <std::size_t Dim>
Status RowGrid<Dim>::query(std::span<const Box<Dim>> boxes, Hits& hits,
                           const Filter& filter) const {
    return Asking::query_all(*state_, boxes, hits, filter);
}
template <std::size_t Dim>
Status RowGrid<Dim>::query(std::span<const Ball<Dim>> balls, Hits& hits,
                           const Filter& filter) const {
    return Asking::query_all(*state_, balls, hits, filter);
}
template <std::size_t Dim>
Found RowGrid<Dim>::visit(const Box<Dim>& box, Visitor visitor, const Filter& filter) const {
    return Asking::visit(*state_, box, visitor, filter);
}
template <std::size_t Dim>
Found RowGrid<Dim>::visit(const Ball<Dim>& ball, Visitor visitor, const Filter& filter) const {
    return Asking::visit(*state_, ball, visitor, filter);
}
template <std::size_t Dim>
Found RowGrid<Dim>::count(const Box<Dim>& box, const Filter& filter) const {
    return Asking::template tally<simd::Form::count>(*state_, box, filter);
}
template <std::size_t Dim>
Found RowGrid<Dim>::count(const Ball<Dim>& ball, const Filter& filter) const {
    return Asking::template tally<simd::Form::count>(*state_, ball, filter);
}
template <std::size_t Dim>
Found RowGrid<Dim>::any(const Box<Dim>& box, const Filter& filter) const {
    return Asking::template tally<simd::Form::any>(*state_, box, filter);
}
template <std::size_t Dim>
Found RowGrid<Dim>::any(const Ball<Dim>& ball, const Filter& filter) const {
    return Asking::template tally<simd::Form::any>(*state_, ball, filter);
}
template <std::size_t Dim>
QueryStats RowGrid<Dim>::explain(const Box<Dim>& box, const Filter& filter) const {
    return Asking::explain(*state_, box, filter);
}
template <std::size_t Dim>
QueryStats RowGrid<Dim>::explain(const Ball<Dim>& ball, const Filter& filter) const {
    return Asking::explain(*state_, ball, filter);
}

#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Found RowGrid<Dim>::query(const Shape<Dim>&, std::span<Id>, const Filter&) const;     \
    template Status RowGrid<Dim>::query(std::span<const Shape<Dim>>, Hits&, const Filter&) const;  \
    template Found RowGrid<Dim>::visit(const Shape<Dim>&, Visitor, const Filter&) const;           \
    template Found RowGrid<Dim>::count(const Shape<Dim>&, const Filter&) const;                    \
    template Found RowGrid<Dim>::any(const Shape<Dim>&, const Filter&) const;                      \
    template QueryStats RowGrid<Dim>::explain(const Shape<Dim>&, const Filter&) const;
THRONG_FOR_SHAPE(Box, 2)
THRONG_FOR_SHAPE(Box, 3)
THRONG_FOR_SHAPE(Ball, 2)
THRONG_FOR_SHAPE(Ball, 3)
#undef THRONG_FOR_SHAPE

} // namespace throng
