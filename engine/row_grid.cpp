#include "row_grid.hpp"

#include "row_grid_state.hpp"
#include "validation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace throng {

std::size_t Staging::bytes() const noexcept {
    return row_of.words.bytes() + records.bytes() + scratch.bytes() +
           cursors.capacity() * sizeof(std::uint32_t) +
           (band_begin.capacity() + band_words.capacity() + group_scratch.capacity()) *
               sizeof(std::size_t) +
           (block_reach.capacity() + block_bounds.capacity()) * sizeof(float) + claims.memory() +
           edits.bytes();
}

template <std::size_t Dim>
RowGrid<Dim>::RowGrid() : state_(std::make_unique<State>()) {}
template <std::size_t Dim>
RowGrid<Dim>::~RowGrid() {
    State::expect_nobody(state_);
}
template <std::size_t Dim>
RowGrid<Dim>::RowGrid(RowGrid&& other) noexcept : state_(std::move(other.state_)) {
    State::expect_nobody(state_);
}
template <std::size_t Dim>
RowGrid<Dim>& RowGrid<Dim>::operator=(RowGrid&& other) noexcept {
    State::expect_nobody(state_);
    State::expect_nobody(other.state_);
    state_ = std::move(other.state_);
    return *this;
}

template <std::size_t Dim>
Status RowGrid<Dim>::configure(const Box<Dim>& bounds, const Point<Dim>& cell,
                               const CrowdKind<Dim>& kind) {
    const auto [shape, status] = shape_over(bounds, cell);
    return status.ok() ? use(shape, kind) : status;
}

template <std::size_t Dim>
Status RowGrid<Dim>::use(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind) {
    const Phase::Changing changing(state_->phase);
    for (const Status& status : {check_shape(shape), check_kind(kind)}) {
        if (!status.ok()) { return status; }
    }
    CrowdKind<Dim> kept = kind;
    // Not checked, so it may be no extent: as a reach, NaN would lose hits.
    if (kept.own_half_extents) { kept.common_half_extent = {}; }
    state_->store = RowStore<Dim>(shape, kept);
    state_->row_of.ids = 0;
    state_->count = 0;
    state_->reach = kept.common_half_extent;
    state_->bounds = State::nowhere();
    state_->slices.clear();
    return {};
}

template <std::size_t Dim>
void RowGrid<Dim>::clear() noexcept {
    const Phase::Changing changing(state_->phase);
    state_->store.forget_all();
    state_->row_of.ids = 0;
    state_->count = 0;
    state_->reach = state_->store.kind().common_half_extent;
    state_->bounds = State::nowhere();
    state_->slices.clear();
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::order(std::span<Id> out) const noexcept {
    return order_range(0, slices(), out);
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::size() const noexcept {
    const Phase::Reading reading(state_->phase);
    return state_->count;
}

template <std::size_t Dim>
bool RowGrid<Dim>::contains(Id id) const noexcept {
    const Phase::Reading reading(state_->phase);
    return state_->row_of[id] != kNoRow;
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::id_bound() const noexcept {
    const Phase::Reading reading(state_->phase);
    return state_->row_of.ids;
}

template <std::size_t Dim>
const GridShape<Dim>& RowGrid<Dim>::shape() const noexcept {
    const Phase::Reading reading(state_->phase);
    return state_->store.shape();
}

template <std::size_t Dim>
const CrowdKind<Dim>& RowGrid<Dim>::kind() const noexcept {
    const Phase::Reading reading(state_->phase);
    return state_->store.kind();
}

template <std::size_t Dim>
MemoryUse RowGrid<Dim>::memory() const noexcept {
    const Phase::Reading reading(state_->phase);
    const RowStore<Dim>& store = state_->store;
    MemoryUse use;
    use.tables = store.table_bytes();
    use.nodes = store.slab().bytes() + store.spilled_bytes();
    // Tables lie in the same blocks as nodes; old ones may outlive their rows there.
    use.nodes -= std::min(use.nodes, use.tables);
    use.rows = store.rows().capacity() * sizeof(simd::Row);
    use.marks = store.occupied().memory() + store.tiles().memory();
    use.ids = state_->row_of.words.bytes();
    use.staging = state_->staging.bytes();
    return use;
}

template <std::size_t Dim>
void RowGrid<Dim>::release_staging() noexcept {
    const Phase::Changing changing(state_->phase);
    state_->staging = Staging{};
}

namespace {

/// Null, or what is wrong with a row's table: starts run from 0 to the number of nodes and never
/// fall.
template <std::size_t Dim>
const char* check_table(const RowStore<Dim>& store, const simd::Row& row) {
    const TableForm form = store.form(row);
    const std::uint32_t* const start = row.words + (form.trimmed ? simd::kTrimmedWords : 0);
    const std::uint32_t entries = form.trimmed ? form.trim.entries : store.shape().cells[0];
    if (start[0] != 0) { return "a cell table does not begin at the first node"; }
    if (start[entries] != row.count) { return "a cell table does not end at the last node"; }
    return std::is_sorted(start, start + entries + 1) ? nullptr : "the starts of cells fall";
}

template <std::size_t Dim>
bool holds(const Box<Dim>& box, const Point<Dim>& point) noexcept {
    bool inside = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        inside = inside && box.lo[a] <= point[a] && point[a] <= box.hi[a];
    }
    return inside;
}

/// Null, or the first invariant of row `r` that does not hold.
template <std::size_t Dim>
const char* check_row(const RowStore<Dim>& store, const RowOfId& row_of, const Point<Dim>& reach,
                      const Box<Dim>& bounds, std::uint32_t r) {
    const simd::Row& row = store.rows()[r];
    const bool has_agents = row.count != 0;
    if (store.occupied().test(r) != has_agents) { return "occupied marks differ from the rows"; }
    if (!has_agents) { return row.words == nullptr ? nullptr : "an empty row is not null"; }
    if (row.words == nullptr) { return "a row with agents is null"; }
    if (row.count > store.capacity(row)) { return "a row holds more than its capacity"; }

    const char* const table = check_table(store, row);
    if (table != nullptr) { return table; }
    const GridShape<Dim>& shape = store.shape();
    for (std::uint32_t slot = 0; slot < row.count; ++slot) {
        const NodeWords<Dim> node = store.node(row, slot);
        const Point<Dim> position = position_of<Dim>(node);
        for (std::size_t a = 0; a < Dim; ++a) {
            if (store.kind().own_half_extents &&
                std::bit_cast<float>(node[simd::Fields<Dim>::kHalfExtent + a]) > reach[a]) {
                return "an agent is larger than the reach";
            }
        }
        if (!holds(bounds, position)) { return "an agent is out of the bounds of all"; }
        const Id id = node[simd::Fields<Dim>::kId];
        if (shape.row_of(position) != r) { return "an agent is in the wrong row"; }
        if (row_of[id] != r) { return "the row of an id is not where its agent is"; }
        const std::uint32_t cell = store.cell_of(row, slot);
        if (!store.tiles().empty() && !store.tiles().is_marked(r, cell)) {
            return "a tile misses an agent";
        }
        if (slot > 0) {
            const std::uint32_t before = store.cell_of(row, slot - 1);
            if (before > cell || (before == cell && store.ids(row)[slot - 1] >= id)) {
                return "a row is not sorted by cell and id";
            }
        }
        const auto span = store.entry_span(row, cell);
        if (slot < span.begin || slot >= span.end) { return "a cell table misses an agent"; }
    }
    return nullptr;
}

} // namespace

template <std::size_t Dim>
const char* RowGrid<Dim>::validate() const {
    const Phase::Reading reading(state_->phase);
    const State& state = *state_;
    std::size_t agents = 0;
    for (std::uint32_t r = 0; r < state.store.rows().size(); ++r) {
        const char* const wrong =
            check_row(state.store, state.row_of, state.reach, state.bounds, r);
        if (wrong != nullptr) { return wrong; }
        agents += state.store.rows()[r].count;
    }
    if (agents != state.count) { return "the rows hold another number of agents"; }
    std::size_t named = 0;
    for (std::size_t id = 0; id < state.row_of.ids; ++id) {
        named += state.row_of[static_cast<Id>(id)] != kNoRow ? 1 : 0;
    }
    return named == agents ? nullptr : "the ids name another number of agents";
}

template <std::size_t Dim>
void RowGrid<Dim>::visit_cells(IndexCellVisitor<Dim> visitor) const {
    const Phase::Reading reading(state_->phase);
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
                const auto at = static_cast<float>(cell[a]);
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

} // namespace throng
