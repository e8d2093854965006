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

template <std::size_t Dim>
struct RowGrid<Dim>::AskingRanges {
    /// Nothing, or why queries begin ... end - 1 cannot be answered.
    template <class Shape>
    static Status refuse(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                         RangeScratch<Dim> scratch, const Filters& filters) noexcept {
        if (begin > end || end > shapes.size()) { return {Cause::out_of_range, Argument::range}; }
        if (!filters.fit(shapes.size())) { return {Cause::count_mismatch, Argument::filters}; }
        if (!scratch.fits()) { return {Cause::no_room, Argument::scratch}; }
        Status status = first_fault(shapes.subspan(begin, end - begin));
        status.index += status.ok() ? 0 : begin;
        return status;
    }

    /// Whether none of the queries can find anybody.
    static bool nobody_for_all(const State& state, const Filters& filters) noexcept {
        return state.count == 0 || (!filters.one_each() && state.has_nobody_for(filters.of(0)));
    }

    /// A few queries, as the kernels want them.
    template <class Shape>
    struct Few {
        std::size_t count;
        simd::LeaveOut left_out;

        /// As many of the queries from the q-th on as fit the block.
        Few(const State& state, std::span<const Shape> shapes, std::size_t q,
            const Filters& filters, BlockOf<Shape>& block, RangeScratch<Dim> scratch) noexcept
            : count(std::min(BlockOf<Shape>::kQueries, shapes.size() - q)) {
            for (std::size_t i = 0; i < count; ++i) {
                put(block, i, shapes[q + i]);
            }
            if (BlockOf<Shape>::kQueries == 1 || !filters.one_each()) {
                left_out = leave_out(state.store, state.row_of, filters.of(q));
                if (state.has_nobody_for(filters.of(q))) { put_nothing(block, 0); }
            } else {
                left_out = LeftOutByEach{scratch.each()}.fill(state.store, state.row_of,
                                                              filters.part(q, count), count, block);
            }
        }
    };

    template <class Shape>
    static Found query(const State& state, std::span<const Shape> all, std::size_t begin,
                       std::size_t end, RangeScratch<Dim> scratch, const HitsBuffer& buffer,
                       const Filters& filters_of_all) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = refuse(all, begin, end, scratch, filters_of_all);
        if (!status.ok()) { return {0, status}; }
        const std::span<const Shape> shapes = all.subspan(begin, end - begin);
        const Filters filters = filters_of_all.part(begin, shapes.size());
        if (shapes.empty() && buffer.offsets.empty()) { return {}; }
        if (buffer.offsets.size() <= shapes.size()) {
            return {0, {Cause::no_room, Argument::offsets}};
        }
        buffer.offsets[0] = buffer.used;
        if (nobody_for_all(state, filters)) {
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
            const Few<Shape> few(state, shapes, q, filters, block, scratch);
            out.offsets = buffer.offsets.data() + q;
            const std::size_t answered =
                select_block(view.grid, block, few.count, few.left_out, out);
            q += answered;
            if (answered < few.count) { break; }
        }
        // The next do not fit where whole vectors are written: one by one, until nothing fits.
        std::size_t total = out.used;
        for (; q < shapes.size() && total < buffer.ids.size(); ++q) {
            put(block, 0, shapes[q]);
            if (!state.has_nobody_for(filters.of(q))) {
                total += write_hits(view.grid, block,
                                    leave_out(state.store, state.row_of, filters.of(q)),
                                    buffer.ids.subspan(total), scratch.ids());
            }
            buffer.offsets[q + 1] = total;
        }
        while (q < shapes.size()) {
            const Few<Shape> few(state, shapes, q, filters, block, scratch);
            tally_block<simd::Form::count>(view.grid, block, few.count, few.left_out,
                                           scratch.ids().data());
            for (std::size_t i = 0; i < few.count; ++i) {
                total += scratch.ids()[i];
                buffer.offsets[++q] = total;
            }
        }
        return {total - buffer.used, {}};
    }

    template <simd::Form form, class Shape>
    static Found tally(const State& state, std::span<const Shape> all, std::size_t begin,
                       std::size_t end, RangeScratch<Dim> scratch, std::span<std::uint32_t> counts,
                       const Filters& filters_of_all) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = refuse(all, begin, end, scratch, filters_of_all);
        if (!status.ok()) { return {0, status}; }
        const std::span<const Shape> shapes = all.subspan(begin, end - begin);
        const Filters filters = filters_of_all.part(begin, shapes.size());
        if (counts.size() < shapes.size()) { return {0, {Cause::no_room, Argument::counts}}; }
        if (nobody_for_all(state, filters)) {
            std::fill_n(counts.data(), shapes.size(), 0u);
            return {};
        }
        const View<Dim> view(state.store, state.reach);
        auto& block = scratch.template block<BlockOf<Shape>>();
        for (std::size_t q = 0; q < shapes.size();) {
            const Few<Shape> few(state, shapes, q, filters, block, scratch);
            tally_block<form>(view.grid, block, few.count, few.left_out, counts.data() + q);
            q += few.count;
        }
        return {std::accumulate(counts.data(), counts.data() + shapes.size(), std::size_t{0}), {}};
    }
};

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::query_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                               std::span<std::uint32_t> scratch, const HitsBuffer& out,
                               const Filters& filters) const {
    return AskingRanges::query(*state_, shapes, begin, end, {scratch}, out, filters);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::count_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                               std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                               const Filters& filters) const {
    return AskingRanges::template tally<simd::Form::count>(*state_, shapes, begin, end, {scratch},
                                                           counts, filters);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::any_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                             std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                             const Filters& filters) const {
    return AskingRanges::template tally<simd::Form::any>(*state_, shapes, begin, end, {scratch},
                                                         counts, filters);
}

template std::size_t RowGrid<2>::range_scratch() noexcept;
template std::size_t RowGrid<3>::range_scratch() noexcept;
#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Found RowGrid<Dim>::query_part(std::span<const Shape<Dim>>, std::size_t, std::size_t, \
                                            std::span<std::uint32_t>, const HitsBuffer&,           \
                                            const Filters&) const;                                 \
    template Found RowGrid<Dim>::count_part(std::span<const Shape<Dim>>, std::size_t, std::size_t, \
                                            std::span<std::uint32_t>, std::span<std::uint32_t>,    \
                                            const Filters&) const;                                 \
    template Found RowGrid<Dim>::any_part(std::span<const Shape<Dim>>, std::size_t, std::size_t,   \
                                          std::span<std::uint32_t>, std::span<std::uint32_t>,      \
                                          const Filters&) const;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
