// Calls for a range of the queries of a batch, which fill the caller's buffers to the last entry.
#include "../grid_parts.hpp"

#include "../../shapes/single_shape.hpp"
#include "all_agents.hpp"
#include "kernel_calls.hpp"
#include "range_scratch.hpp"

#include <algorithm>
#include <numeric>

namespace throng {

template <std::size_t Dim>
std::size_t GridParts<Dim>::scratch() noexcept {
    return RangeScratch<Dim>::kWords;
}

namespace {

/// Ok, or why queries begin ... end - 1 cannot be answered.
template <std::size_t Dim>
Status refuse(const ShapesView<Dim>& shapes, std::size_t begin, std::size_t end,
              RangeScratch<Dim> scratch, const Filters& filters) noexcept {
    if (begin > end || end > shapes.count) { return {Cause::out_of_range, Argument::range}; }
    if (!detail::fit(filters, shapes.count)) { return {Cause::count_mismatch, Argument::filters}; }
    if (!scratch.fits()) { return {Cause::no_room, Argument::scratch}; }
    Status status = check_kind(shapes);
    if (!status.ok()) { return status; }
    status = first_fault(shapes.part(begin, end - begin));
    status.index += status.ok() ? 0 : begin;
    return status;
}

/// A quick test: if true, none of the queries can find an agent.
template <class State>
bool empty_for_all(const State& state, const Filters& filters) noexcept {
    return state.count == 0 || (!filters.one_each && state.is_empty_for(filters.of(0)));
}

/// A few queries and their filters, in the kernels' form.
struct RangeBlock {
    std::size_t count;
    simd::KernelFilter kernel_filter;

    /// Takes as many of the queries from the q-th on as fit the block.
    template <class State, std::size_t Dim>
    RangeBlock(const State& state, const ShapesView<Dim>& shapes, std::size_t q,
               const Filters& filters, AnyBlock<Dim>& block, RangeScratch<Dim> scratch) noexcept {
        const std::size_t room = AnyBlock<Dim>::room_for(shapes.kind);
        count = std::min(room, shapes.count - q);
        put_all(block, shapes.part(q, count));
        if (room == 1 || !filters.one_each) {
            kernel_filter = kernel_filter_of(state.store, state.row_of, filters.of(q));
            if (state.is_empty_for(filters.of(q))) { put_nothing(block, 0); }
        } else {
            kernel_filter = SkippedByEach{scratch.each()}.fill(
                state.store, state.row_of, detail::part_of(filters, q, count), count, block);
        }
    }
};

template <simd::Form form, std::size_t Dim, class State>
Found tally_range(const State& state, const ShapesView<Dim>& all, std::size_t begin,
                  std::size_t end, RangeScratch<Dim> scratch, std::span<std::uint32_t> counts,
                  const Filters& filters_of_all) noexcept {
    const AccessCheck::Reading reading(state.access);
    const Status status = refuse(all, begin, end, scratch, filters_of_all);
    if (!status.ok()) { return {0, status}; }
    const ShapesView<Dim> shapes = all.part(begin, end - begin);
    const Filters filters = detail::part_of(filters_of_all, begin, shapes.count);
    if (counts.size() < shapes.count) { return {0, {Cause::no_room, Argument::counts}}; }
    if (empty_for_all(state, filters)) {
        std::fill_n(counts.data(), shapes.count, 0u);
        return {};
    }
    const View<Dim>& view = state.kernel_view();
    auto& block = scratch.template block<AnyBlock<Dim>>();
    for (std::size_t q = 0; q < shapes.count;) {
        const std::size_t most = before_all(state, shapes, q, filters, Copies::nothing);
        if (most == 0) {
            counts[q++] = form == simd::Form::any ? 1 : static_cast<std::uint32_t>(state.count);
            continue;
        }
        const RangeBlock few(state, shapes.part(0, q + most), q, filters, block, scratch);
        tally_block<form>(view.grid, block, few.count, few.kernel_filter, counts.data() + q);
        q += few.count;
    }
    return {std::accumulate(counts.data(), counts.data() + shapes.count, std::size_t{0}), {}};
}

template <std::size_t Dim, class State>
Found list_range(const State& state, const ShapesView<Dim>& all, std::size_t begin, std::size_t end,
                 RangeScratch<Dim> scratch, const HitsBuffer& buffer,
                 const Filters& filters_of_all) noexcept {
    const AccessCheck::Reading reading(state.access);
    const Status status = refuse(all, begin, end, scratch, filters_of_all);
    if (!status.ok()) { return {0, status}; }
    const ShapesView<Dim> shapes = all.part(begin, end - begin);
    const Filters filters = detail::part_of(filters_of_all, begin, shapes.count);
    if (shapes.count == 0 && buffer.offsets.empty()) { return {}; }
    if (buffer.offsets.size() <= shapes.count) { return {0, {Cause::no_room, Argument::offsets}}; }
    buffer.offsets[0] = buffer.used;
    if (empty_for_all(state, filters)) {
        std::fill_n(buffer.offsets.data(), shapes.count + 1, buffer.used);
        return {};
    }

    const View<Dim>& view = state.kernel_view();
    auto& block = scratch.template block<AnyBlock<Dim>>();
    simd::BatchOutput out{};
    out.ids = buffer.ids.data();
    out.capacity = buffer.ids.size() - std::min(buffer.ids.size(), simd::kSlack);
    out.used = buffer.used;
    std::size_t q = 0;
    while (q < shapes.count && out.used < out.capacity) {
        const std::size_t most = before_all(state, shapes, q, filters, Copies::ids);
        if (most == 0) {
            if (out.capacity - out.used < state.count) { break; }
            write_all(state.store, buffer.ids.subspan(out.used, state.count));
            out.used += state.count;
            buffer.offsets[++q] = out.used;
            continue;
        }
        const RangeBlock few(state, shapes.part(0, q + most), q, filters, block, scratch);
        out.offsets = buffer.offsets.data() + q;
        const std::size_t answered =
            select_block(view.grid, block, few.count, few.kernel_filter, out);
        q += answered;
        if (answered < few.count) { break; }
    }
    // Where whole vectors no longer fit, queries are taken one by one, until nothing fits.
    std::size_t total = out.used;
    for (; q < shapes.count && total < buffer.ids.size(); ++q) {
        if (before_all(state, shapes, q, filters, Copies::ids) == 0) {
            write_all(state.store, buffer.ids.subspan(total));
            total += state.count;
        } else if (!state.is_empty_for(filters.of(q))) {
            const simd::KernelFilter kernel_filter =
                kernel_filter_of(state.store, state.row_of, filters.of(q));
            total += with_single(shapes.part(q, 1), [&](const auto& question) {
                return write_hits(view.grid, question, kernel_filter, buffer.ids.subspan(total),
                                  scratch.ids());
            });
        }
        buffer.offsets[q + 1] = total;
    }
    while (q < shapes.count) {
        const std::size_t most = before_all(state, shapes, q, filters, Copies::ids);
        if (most == 0) {
            total += state.count;
            buffer.offsets[++q] = total;
            continue;
        }
        const RangeBlock few(state, shapes.part(0, q + most), q, filters, block, scratch);
        tally_block<simd::Form::count>(view.grid, block, few.count, few.kernel_filter,
                                       scratch.ids().data());
        for (std::size_t i = 0; i < few.count; ++i) {
            total += scratch.ids()[i];
            buffer.offsets[++q] = total;
        }
    }
    return Found::of(total - buffer.used);
}

} // namespace

template <std::size_t Dim>
Found GridParts<Dim>::query(const ShapesView<Dim>& shapes, std::size_t begin, std::size_t end,
                            std::span<std::uint32_t> scratch, const HitsBuffer& out,
                            const Filters& filters) const {
    return list_range<Dim>(detail::state_of(*grid_), shapes, begin, end, {scratch}, out, filters);
}

template <std::size_t Dim>
Found GridParts<Dim>::count(const ShapesView<Dim>& shapes, std::size_t begin, std::size_t end,
                            std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                            const Filters& filters) const {
    return tally_range<simd::Form::count, Dim>(detail::state_of(*grid_), shapes, begin, end,
                                               {scratch}, counts, filters);
}
template <std::size_t Dim>
Found GridParts<Dim>::any(const ShapesView<Dim>& shapes, std::size_t begin, std::size_t end,
                          std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                          const Filters& filters) const {
    return tally_range<simd::Form::any, Dim>(detail::state_of(*grid_), shapes, begin, end,
                                             {scratch}, counts, filters);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t GridParts<Dim>::scratch() noexcept;                                       \
    template Found GridParts<Dim>::query(const ShapesView<Dim>&, std::size_t, std::size_t,         \
                                         std::span<std::uint32_t>, const HitsBuffer&,              \
                                         const Filters&) const;                                    \
    template Found GridParts<Dim>::count(const ShapesView<Dim>&, std::size_t, std::size_t,         \
                                         std::span<std::uint32_t>, std::span<std::uint32_t>,       \
                                         const Filters&) const;                                    \
    template Found GridParts<Dim>::any(const ShapesView<Dim>&, std::size_t, std::size_t,           \
                                       std::span<std::uint32_t>, std::span<std::uint32_t>,         \
                                       const Filters&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
