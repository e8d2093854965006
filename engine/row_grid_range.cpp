// Parts of a batch of questions, each answered on its own and to the last place of its buffer.
#include "row_grid.hpp"

#include "range_scratch.hpp"
#include "row_grid_ask.hpp"

#include <algorithm>
#include <numeric>

namespace throng {

template <std::size_t Dim>
std::size_t RowGrid<Dim>::range_scratch() noexcept {
    return RangeScratch<Dim>::kWords;
}

namespace {

/// The filters of queries begin ... end - 1 of a batch: one for all, or one for each.
struct SomeFilters {
    const Filter* one = nullptr;
    std::span<const Filter> each;

    SomeFilters(const Filter& filter, std::size_t, std::size_t) noexcept : one(&filter) {}
    SomeFilters(const FilterEach& all, std::size_t begin, std::size_t end) noexcept
        : each(all.filters.subspan(begin, end - begin)) {}

    [[nodiscard]] const Filter& of(std::size_t q) const noexcept {
        return one != nullptr ? *one : each[q];
    }
    /// What queries q ... q + count - 1, those of the block, leave out.
    template <std::size_t Dim, class Block>
    [[nodiscard]] simd::LeaveOut left_out(const RowStore<Dim>& store, const RowOfId& row_of,
                                          std::size_t q, std::size_t count, Block& block,
                                          std::span<std::uint32_t> words) const noexcept {
        if (one != nullptr) { return leave_out(store, row_of, *one); }
        return LeftOutByEach{words}.fill(store, row_of, each.subspan(q, count), block);
    }
};

bool is_of(const Filter&, std::size_t) noexcept { return true; }
bool is_of(const FilterEach& filter, std::size_t queries) noexcept {
    return filter.filters.size() == queries;
}

} // namespace

template <std::size_t Dim>
struct RowGrid<Dim>::AskingRanges {
    /// Nothing, or why queries begin ... end - 1 cannot be answered.
    template <class Shape, class Filters>
    static Status refuse(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                         RangeScratch<Dim> scratch, const Filters& filters) noexcept {
        if (begin > end || end > shapes.size()) { return {Cause::out_of_range, Argument::range}; }
        if (!is_of(filters, shapes.size())) { return {Cause::count_mismatch, Argument::filters}; }
        if (!scratch.fits()) { return {Cause::no_room, Argument::scratch}; }
        Status status = first_fault(shapes.subspan(begin, end - begin));
        status.index += status.ok() ? 0 : begin;
        return status;
    }

    /// As many of the queries as fit a block; returns how many.
    template <class Shape>
    static std::size_t fill_block(BlockOf<Shape>& block, std::span<const Shape> shapes) noexcept {
        const std::size_t count = std::min(simd::kBlockQueries, shapes.size());
        for (std::size_t i = 0; i < count; ++i) {
            put(block, i, shapes[i]);
        }
        return count;
    }

    template <class Shape, class Filters>
    static Found query(const State& state, std::span<const Shape> all, std::size_t begin,
                       std::size_t end, RangeScratch<Dim> scratch, const HitsBuffer& buffer,
                       const Filters& filters) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = refuse(all, begin, end, scratch, filters);
        if (!status.ok()) { return {0, status}; }
        const std::span<const Shape> shapes = all.subspan(begin, end - begin);
        if (shapes.empty() && buffer.offsets.empty()) { return {}; }
        if (buffer.offsets.size() <= shapes.size()) {
            return {0, {Cause::no_room, Argument::offsets}};
        }
        buffer.offsets[0] = buffer.used;
        const SomeFilters some(filters, begin, end);
        if (state.count == 0 || (some.one != nullptr && state.has_nobody_for(*some.one))) {
            std::fill_n(buffer.offsets.data(), shapes.size() + 1, buffer.used);
            return {};
        }

        const View<Dim> view(state.store, state.reach);
        auto& block = scratch.template block<BlockOf<Shape>>();
        simd::BatchOutput out{};
        out.ids = buffer.ids.data();
        out.capacity = buffer.ids.size() - std::min(buffer.ids.size(), simd::kSlack);
        out.used = buffer.used;
        std::size_t q = 0;
        while (q < shapes.size() && out.used < out.capacity) {
            const std::size_t count = fill_block(block, shapes.subspan(q));
            const simd::LeaveOut left_out =
                some.left_out(state.store, state.row_of, q, count, block, scratch.each());
            out.offsets = buffer.offsets.data() + q;
            const std::size_t answered = simd::select_batch(view.grid, block, count, left_out, out);
            q += answered;
            if (answered < count) { break; }
        }
        // The next do not fit where whole vectors are written: one by one, until nothing fits.
        std::size_t total = out.used;
        for (; q < shapes.size() && total < buffer.ids.size(); ++q) {
            if (!state.has_nobody_for(some.of(q))) {
                put(block, 0, shapes[q]);
                total +=
                    write_hits(view.grid, block, leave_out(state.store, state.row_of, some.of(q)),
                               buffer.ids.subspan(total), scratch.ids());
            }
            buffer.offsets[q + 1] = total;
        }
        while (q < shapes.size()) {
            const std::size_t count = fill_block(block, shapes.subspan(q));
            const simd::LeaveOut left_out =
                some.left_out(state.store, state.row_of, q, count, block, scratch.each());
            simd::tally_batch<simd::Form::count>(view.grid, block, count, left_out,
                                                 scratch.ids().data());
            for (std::size_t i = 0; i < count; ++i) {
                total += scratch.ids()[i];
                buffer.offsets[++q] = total;
            }
        }
        return {total - buffer.used, {}};
    }

    template <simd::Form form, class Shape, class Filters>
    static Found tally(const State& state, std::span<const Shape> all, std::size_t begin,
                       std::size_t end, RangeScratch<Dim> scratch, std::span<std::uint32_t> counts,
                       const Filters& filters) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = refuse(all, begin, end, scratch, filters);
        if (!status.ok()) { return {0, status}; }
        const std::span<const Shape> shapes = all.subspan(begin, end - begin);
        if (counts.size() < shapes.size()) { return {0, {Cause::no_room, Argument::counts}}; }
        const SomeFilters some(filters, begin, end);
        if (state.count == 0 || (some.one != nullptr && state.has_nobody_for(*some.one))) {
            std::fill_n(counts.data(), shapes.size(), 0u);
            return {};
        }
        const View<Dim> view(state.store, state.reach);
        auto& block = scratch.template block<BlockOf<Shape>>();
        for (std::size_t q = 0; q < shapes.size();) {
            const std::size_t count = fill_block(block, shapes.subspan(q));
            const simd::LeaveOut left_out =
                some.left_out(state.store, state.row_of, q, count, block, scratch.each());
            simd::tally_batch<form>(view.grid, block, count, left_out, counts.data() + q);
            q += count;
        }
        return {std::accumulate(counts.data(), counts.data() + shapes.size(), std::size_t{0}), {}};
    }
};

// The same for both shapes and both kinds of filters; the headers name the arguments after them.
#define THRONG_FOR_SHAPE(Shape, shapes, Filters)                                                   \
    template <std::size_t Dim>                                                                     \
    Found RowGrid<Dim>::query_range(std::span<const Shape<Dim>> shapes, std::size_t begin,         \
                                    std::size_t end, std::span<std::uint32_t> scratch,             \
                                    const HitsBuffer& out, const Filters& filter) const {          \
        return AskingRanges::query(*state_, shapes, begin, end, {scratch}, out, filter);           \
    }                                                                                              \
    template <std::size_t Dim>                                                                     \
    Found RowGrid<Dim>::count_range(std::span<const Shape<Dim>> shapes, std::size_t begin,         \
                                    std::size_t end, std::span<std::uint32_t> scratch,             \
                                    std::span<std::uint32_t> counts, const Filters& filter)        \
        const {                                                                                    \
        return AskingRanges::template tally<simd::Form::count>(*state_, shapes, begin, end,        \
                                                               {scratch}, counts, filter);         \
    }                                                                                              \
    template <std::size_t Dim>                                                                     \
    Found RowGrid<Dim>::any_range(std::span<const Shape<Dim>> shapes, std::size_t begin,           \
                                  std::size_t end, std::span<std::uint32_t> scratch,               \
                                  std::span<std::uint32_t> counts, const Filters& filter) const {  \
        return AskingRanges::template tally<simd::Form::any>(*state_, shapes, begin, end,          \
                                                             {scratch}, counts, filter);           \
    }
THRONG_FOR_SHAPE(Box, boxes, Filter)
THRONG_FOR_SHAPE(Box, boxes, FilterEach)
THRONG_FOR_SHAPE(Ball, balls, Filter)
THRONG_FOR_SHAPE(Ball, balls, FilterEach)
#undef THRONG_FOR_SHAPE

#define THRONG_FOR_FILTERS(Shape, Dim, Filters)                                                    \
    template Found RowGrid<Dim>::query_range(std::span<const Shape<Dim>>, std::size_t,             \
                                             std::size_t, std::span<std::uint32_t>,                \
                                             const HitsBuffer&, const Filters&) const;             \
    template Found RowGrid<Dim>::count_range(std::span<const Shape<Dim>>, std::size_t,             \
                                             std::size_t, std::span<std::uint32_t>,                \
                                             std::span<std::uint32_t>, const Filters&) const;      \
    template Found RowGrid<Dim>::any_range(std::span<const Shape<Dim>>, std::size_t, std::size_t,  \
                                           std::span<std::uint32_t>, std::span<std::uint32_t>,     \
                                           const Filters&) const;
#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    THRONG_FOR_FILTERS(Shape, Dim, Filter) THRONG_FOR_FILTERS(Shape, Dim, FilterEach)
THRONG_FOR_SHAPE(Box, 2)
THRONG_FOR_SHAPE(Box, 3)
THRONG_FOR_SHAPE(Ball, 2)
THRONG_FOR_SHAPE(Ball, 3)
#undef THRONG_FOR_SHAPE
#undef THRONG_FOR_FILTERS

template std::size_t RowGrid<2>::range_scratch() noexcept;
template std::size_t RowGrid<3>::range_scratch() noexcept;

} // namespace throng
