// The first hit of a path, and all its hits.
#include "../row_grid.hpp"

#include "../../../simd/kernels/grid/first_hit.hpp"
#include "kernel_calls.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace throng {

template <std::size_t Dim>
Found RowGrid<Dim>::first(const ShapesView<Dim>& path, PathHit& hit, const Filter& filter) const {
    return first_after(kBeforeAllHits, path, hit, filter);
}

template <std::size_t Dim>
Found RowGrid<Dim>::first_after(const PathHit& after, const ShapesView<Dim>& path, PathHit& hit,
                                const Filter& filter) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const Status status = check_path(path);
    if (!status.ok() || state.is_empty_for(filter)) { return {0, status}; }
    AnyBlock<Dim> any;
    put_all(any, path);
    const View<Dim>& view = state.kernel_view();
    const simd::KernelFilter kernel_filter = kernel_filter_of(state.store, state.row_of, filter);
    const simd::TimedHit first = with_path_block(any, [&](const auto& block) {
        return simd::find_first_hit(view.grid, block, kernel_filter, {after.time, after.id});
    });
    if (first.id == kNoId) { return {}; }
    hit = {first.time, first.id};
    return {1, {}};
}

template <std::size_t Dim>
void RowGrid<Dim>::State::add_hits_after(const PathHit& after, const ShapesView<Dim>& path,
                                         const Filter& filter, simd::HitPage& page) const noexcept {
    if (is_empty_for(filter)) { return; }
    AnyBlock<Dim> any;
    put_all(any, path);
    const View<Dim>& seen = kernel_view();
    const simd::KernelFilter kernel_filter = kernel_filter_of(store, row_of, filter);
    with_path_block(any, [&](const auto& block) {
        simd::add_next_hits(seen.grid, block, kernel_filter, {after.time, after.id}, page);
    });
}

template <std::size_t Dim>
Found RowGrid<Dim>::hits_after(const PathHit& after, const ShapesView<Dim>& path,
                               std::span<PathHit> out, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    if (const Status status = check_path(path); !status.ok()) { return {0, status}; }
    simd::HitPage page = page_in(out);
    state_->add_hits_after(after, path, filter, page);
    std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(page.count));
    return {page.count, {}};
}

template <std::size_t Dim>
Found RowGrid<Dim>::hits(const ShapesView<Dim>& path, std::vector<PathHit>& out,
                         const Filter& filter) const {
    constexpr std::size_t kRun = 512; // hits that the kernel hands over at once
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const Status status = check_path(path);
    if (!status.ok()) { return {0, status}; }
    out.clear();
    if (state.is_empty_for(filter)) { return {}; }
    AnyBlock<Dim> any;
    put_all(any, path);
    const View<Dim>& view = state.kernel_view();
    const simd::KernelFilter kernel_filter = kernel_filter_of(state.store, state.row_of, filter);
    std::array<std::uint32_t, kRun + simd::kSlack> times;
    std::array<Id, kRun + simd::kSlack> ids;
    simd::QueryCursor cursor;
    for (bool done = false; !done;) {
        simd::PathHitsOutput next = {times.data(), ids.data(), ids.data() + kRun};
        done = with_path_block(any, [&](const auto& block) {
            return simd::list_path_hits(view.grid, block, kernel_filter, cursor, next);
        });
        const auto count = static_cast<std::size_t>(next.ids - ids.data());
        for (std::size_t i = 0; i < count; ++i) {
            out.push_back({std::bit_cast<float>(times[i]), ids[i]});
        }
    }
    std::sort(out.begin(), out.end());
    return {out.size(), {}};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found RowGrid<Dim>::first(const ShapesView<Dim>&, PathHit&, const Filter&) const;     \
    template Found RowGrid<Dim>::first_after(const PathHit&, const ShapesView<Dim>&, PathHit&,     \
                                             const Filter&) const;                                 \
    template void RowGrid<Dim>::State::add_hits_after(                                             \
        const PathHit&, const ShapesView<Dim>&, const Filter&, simd::HitPage&) const noexcept;     \
    template Found RowGrid<Dim>::hits_after(const PathHit&, const ShapesView<Dim>&,                \
                                            std::span<PathHit>, const Filter&) const;              \
    template Found RowGrid<Dim>::hits(const ShapesView<Dim>&, std::vector<PathHit>&,               \
                                      const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
