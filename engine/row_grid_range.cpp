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
                         RangeScratch<Dim> scratch) noexcept {
        if (begin > end || end > shapes.size()) { return {Cause::out_of_range, Argument::range}; }
        if (!scratch.fits()) { return {Cause::no_room, Argument::scratch}; }
        Status status = first_fault(shapes.subspan(begin, end - begin));
        status.index += status.ok() ? 0 : begin;
        return status;
    }

    /// As many of the queries as fit a block; returns how many.
    template <class Shape>
    static std::size_t fill_block(BlockOf<Shape>& block, std::span<const Shape> shapes) noexcept {
        const std::size_t count = std::min(BlockOf<Shape>::kQueries, shapes.size());
        for (std::size_t i = 0; i < count; ++i) {
            put(block, i, shapes[i]);
        }
        return count;
    }

    template <class Shape>
    static Found query(const State& state, std::span<const Shape> all, std::size_t begin,
                       std::size_t end, RangeScratch<Dim> scratch, const HitsBuffer& buffer,
                       const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = refuse(all, begin, end, scratch);
        if (!status.ok()) { return {0, status}; }
        const std::span<const Shape> shapes = all.subspan(begin, end - begin);
        if (shapes.empty() && buffer.offsets.empty()) { return {}; }
        if (buffer.offsets.size() <= shapes.size()) {
            return {0, {Cause::no_room, Argument::offsets}};
        }
        buffer.offsets[0] = buffer.used;
        if (state.has_nobody_for(filter)) {
            std::fill_n(buffer.offsets.data(), shapes.size() + 1, buffer.used);
            return {};
        }

        const View<Dim> view(state.store, state.reach);
        const simd::LeaveOut left_out = leave_out(state.store, state.row_of, filter);
        auto& block = scratch.template block<BlockOf<Shape>>();
        simd::BatchOutput out{};
        out.ids = buffer.ids.data();
        out.capacity = buffer.ids.size() - std::min(buffer.ids.size(), simd::kSlack);
        out.used = buffer.used;
        std::size_t q = 0;
        while (q < shapes.size() && out.used < out.capacity) {
            const std::size_t count = fill_block(block, shapes.subspan(q));
            out.offsets = buffer.offsets.data() + q;
            const std::size_t answered = select_block(view.grid, block, count, left_out, out);
            q += answered;
            if (answered < count) { break; }
        }
        // The next do not fit where whole vectors are written: one by one, until nothing fits.
        std::size_t total = out.used;
        for (; q < shapes.size() && total < buffer.ids.size(); ++q) {
            put(block, 0, shapes[q]);
            total +=
                write_hits(view.grid, block, left_out, buffer.ids.subspan(total), scratch.ids());
            buffer.offsets[q + 1] = total;
        }
        while (q < shapes.size()) {
            const std::size_t count = fill_block(block, shapes.subspan(q));
            tally_block<simd::Form::count>(view.grid, block, count, left_out, scratch.ids().data());
            for (std::size_t i = 0; i < count; ++i) {
                total += scratch.ids()[i];
                buffer.offsets[++q] = total;
            }
        }
        return {total - buffer.used, {}};
    }

    template <simd::Form form, class Shape>
    static Found tally(const State& state, std::span<const Shape> all, std::size_t begin,
                       std::size_t end, RangeScratch<Dim> scratch, std::span<std::uint32_t> counts,
                       const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = refuse(all, begin, end, scratch);
        if (!status.ok()) { return {0, status}; }
        const std::span<const Shape> shapes = all.subspan(begin, end - begin);
        if (counts.size() < shapes.size()) { return {0, {Cause::no_room, Argument::counts}}; }
        if (state.has_nobody_for(filter)) {
            std::fill_n(counts.data(), shapes.size(), 0u);
            return {};
        }
        const View<Dim> view(state.store, state.reach);
        const simd::LeaveOut left_out = leave_out(state.store, state.row_of, filter);
        auto& block = scratch.template block<BlockOf<Shape>>();
        for (std::size_t q = 0; q < shapes.size();) {
            const std::size_t count = fill_block(block, shapes.subspan(q));
            tally_block<form>(view.grid, block, count, left_out, counts.data() + q);
            q += count;
        }
        return {std::accumulate(counts.data(), counts.data() + shapes.size(), std::size_t{0}), {}};
    }
};

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::query_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                               std::span<std::uint32_t> scratch, const HitsBuffer& out,
                               const Filter& filter) const {
    return AskingRanges::query(*state_, shapes, begin, end, {scratch}, out, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::count_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                               std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                               const Filter& filter) const {
    return AskingRanges::template tally<simd::Form::count>(*state_, shapes, begin, end, {scratch},
                                                           counts, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found RowGrid<Dim>::any_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                             std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                             const Filter& filter) const {
    return AskingRanges::template tally<simd::Form::any>(*state_, shapes, begin, end, {scratch},
                                                         counts, filter);
}

template std::size_t RowGrid<2>::range_scratch() noexcept;
template std::size_t RowGrid<3>::range_scratch() noexcept;
#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Found RowGrid<Dim>::query_part(std::span<const Shape<Dim>>, std::size_t, std::size_t, \
                                            std::span<std::uint32_t>, const HitsBuffer&,           \
                                            const Filter&) const;                                  \
    template Found RowGrid<Dim>::count_part(std::span<const Shape<Dim>>, std::size_t, std::size_t, \
                                            std::span<std::uint32_t>, std::span<std::uint32_t>,    \
                                            const Filter&) const;                                  \
    template Found RowGrid<Dim>::any_part(std::span<const Shape<Dim>>, std::size_t, std::size_t,   \
                                          std::span<std::uint32_t>, std::span<std::uint32_t>,      \
                                          const Filter&) const;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
