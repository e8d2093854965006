#include "../row_grid.hpp"

#include "../../agents/validation.hpp"
#include "../../answers/spatial_index.hpp"
#include "../grid_parts.hpp"
#include "check.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

namespace throng {

std::size_t Staging::bytes() const noexcept {
    return row_of.words.bytes() + records.bytes() + scratch.bytes() +
           cursors.capacity() * sizeof(std::uint32_t) +
           (band_begin.capacity() + band_words.capacity() + group_scratch.capacity()) *
               sizeof(std::size_t) +
           (block_max_half_extent.capacity() + block_bounds.capacity()) * sizeof(float) +
           claims.memory() + edits.bytes();
}

Edition Edition::first() noexcept {
    static std::atomic<std::uint64_t> grids = 0;
    return {grids.fetch_add(1, std::memory_order_relaxed) + 1, 0};
}

template <std::size_t Dim>
void RowGrid<Dim>::State::copy(const State& from) {
    const auto words_of = [&](const simd::Row& row) {
        return from.store.form(row).words(from.store.shape().cells[0]) +
               std::size_t{from.store.fields()} * from.store.capacity(row);
    };
    std::size_t words = 0;
    from.store.occupied().for_each([&](std::size_t r) { words += words_of(from.store.rows()[r]); });
    RowStore<Dim> same;
    if (from.configured()) { same = RowStore<Dim>(from.store.shape(), from.store.kind()); }
    same.restart(from.store.kind(), WordBuffer(words + simd::kSlack));
    std::uint32_t* at = same.slab().data();
    from.store.occupied().for_each([&](std::size_t r) {
        simd::Row row = from.store.rows()[r];
        const std::size_t copied = words_of(row);
        std::memcpy(at, row.words, copied * sizeof(std::uint32_t));
        row.words = at;
        same.adopt(static_cast<std::uint32_t>(r), row);
        at += copied;
    });
    same.all_placed();
    if (!from.store.tiles().empty()) {
        same.reserve_tiles();
        same.lay_tiles();
        for (std::size_t tile = 0; tile < same.tiles().tiles(); ++tile) {
            same.fill_tile(tile);
        }
    }
    WordBuffer rows_of_ids = from.row_of.words.copy();
    Slices same_slices = from.slices;
    const Changing changing(*this);
    store = std::move(same);
    row_of.words = std::move(rows_of_ids);
    row_of.ids = from.row_of.ids;
    count = from.count;
    max_half_extent = from.max_half_extent;
    bounds = from.bounds;
    slices = std::move(same_slices);
}

template <std::size_t Dim>
RowGrid<Dim>::RowGrid() : state_(detail::make_state<State>()) {}

template <std::size_t Dim>
Status RowGrid<Dim>::configure(const Box<Dim>& bounds, const Point<Dim>& cell,
                               const CrowdKind<Dim>& kind) {
    const auto [shape, status] = shape_over(bounds, cell);
    return status.ok() ? use(shape, kind) : status;
}

template <std::size_t Dim>
Status RowGrid<Dim>::use(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind) {
    const typename State::Changing changing(*state_);
    for (const Status& status : {check_shape(shape), check_kind(kind)}) {
        if (!status.ok()) { return status; }
    }
    CrowdKind<Dim> kept = kind;
    // If agents have extents of their own, the common one is unused and unchecked. It may be NaN,
    // and a NaN as the largest half extent would lose hits.
    if (kept.own_half_extents) { kept.common_half_extent = {}; }
    state_->store = RowStore<Dim>(shape, kept);
    state_->forget_agents();
    return {};
}

template <std::size_t Dim>
void RowGrid<Dim>::clear() noexcept {
    const typename State::Changing changing(*state_);
    state_->forget_agents();
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::order(std::span<Id> out) const noexcept {
    return parts().order(0, state_->slices.count(), out);
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::size() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->count;
}

template <std::size_t Dim>
bool RowGrid<Dim>::contains(Id id) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->row_of[id] != kNoRow;
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::id_bound() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->row_of.ids;
}

template <std::size_t Dim>
const GridShape<Dim>& RowGrid<Dim>::shape() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->store.shape();
}

template <std::size_t Dim>
const CrowdKind<Dim>& RowGrid<Dim>::kind() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->store.kind();
}

template <std::size_t Dim>
MemoryUse RowGrid<Dim>::memory() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    const RowStore<Dim>& store = state_->store;
    MemoryUse use;
    use.tables = store.table_bytes();
    use.nodes = store.slab().bytes() + store.spilled_bytes();
    // Tables lie in the same blocks as nodes; old tables may stay there after their rows have left.
    use.nodes -= std::min(use.nodes, use.tables);
    use.rows = store.rows().capacity() * sizeof(simd::Row);
    use.marks = store.occupied().memory() + store.tiles().memory();
    use.ids = state_->row_of.words.bytes();
    use.staging = state_->staging.bytes();
    return use;
}

template <std::size_t Dim>
void RowGrid<Dim>::release_staging() noexcept {
    const typename State::Changing changing(*state_);
    state_->staging = Staging{};
}

template <std::size_t Dim>
const char* RowGrid<Dim>::validate() const {
    const AccessCheck::Reading reading(state_->access);
    const State& state = *state_;
    const auto [fault, bounds] =
        check_grid(state.store, state.row_of, state.max_half_extent, state.count);
    if (fault != nullptr) { return fault; }
    for (std::size_t a = 0; a < Dim; ++a) {
        if (bounds.lo[a] < state.bounds.lo[a] || bounds.hi[a] > state.bounds.hi[a]) {
            return "an agent is out of the bounds of all";
        }
    }
    return nullptr;
}

template <std::size_t Dim>
void RowGrid<Dim>::visit_cells(IndexCellVisitor<Dim> visitor) const {
    const AccessCheck::Reading reading(state_->access);
    const RowStore<Dim>& store = state_->store;
    const GridShape<Dim>& shape = store.shape();
    for (std::size_t r = store.occupied().next(0); r < store.rows().size();
         r = store.occupied().next(r + 1)) {
        const simd::Row& row = store.rows()[r];
        for (std::uint32_t slot = 0; slot < row.count;) {
            std::array<std::size_t, Dim> cell{store.cell_of(row, slot)};
            cell[1] = Dim == 2 ? r : r % shape.cells[1];
            if constexpr (Dim == 3) { cell[2] = r / shape.cells[1]; }
            IndexCell<Dim> shown = {{}, 0, 0};
            for (std::size_t a = 0; a < Dim; ++a) {
                const auto at = static_cast<float>(shape.first[a] + cell[a]);
                shown.box.lo[a] = shape.origin[a] + at / shape.inverse_cell[a];
                shown.box.hi[a] = shape.origin[a] + (at + 1.0f) / shape.inverse_cell[a];
            }
            for (; slot < row.count && store.cell_of(row, slot) == cell[0]; ++slot) {
                ++shown.count;
            }
            if (!visitor(shown)) { return; }
        }
    }
}

template class RowGrid<2>;
template class RowGrid<3>;
// parts() calls these where they are not inlined.
template GridParts<2>::GridParts(const RowGrid<2>&) noexcept;
template GridParts<3>::GridParts(const RowGrid<3>&) noexcept;

} // namespace throng
