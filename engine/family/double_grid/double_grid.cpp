// Sets up a double grid, and reports its size, its memory and its cells.
#include "double_grid.hpp"

#include "../../agents/validation.hpp"
#include "state.hpp"

#include <utility>

namespace throng {

namespace {

/// The shape of a grid that is not configured yet: one cell, which holds every point.
template <std::size_t Dim>
GridShape<Dim> one_cell() noexcept {
    GridShape<Dim> shape;
    shape.inverse_cell = Point<Dim>::all(1.0f);
    shape.cells.fill(1);
    return shape;
}

} // namespace

template <std::size_t Dim>
DoubleGrid<Dim>::State::State()
    : shape(one_cell<Dim>()), cells(1, LooseCell<Dim>::empty()), slack(1) {
    agents.configure({});
    tight.lay_out(shape.cells);
}

template <std::size_t Dim>
void DoubleGrid<Dim>::State::forget() noexcept {
    std::fill(cells.begin(), cells.end(), LooseCell<Dim>::empty());
    agents.clear();
    tight.clear();
    slack.clear();
    slot_of_id.clear();
    slots_noted = true;
    count = 0;
    max_half_extent = agents.kind().common_half_extent;
}

template <std::size_t Dim>
void DoubleGrid<Dim>::State::note_slots() {
    if (slots_noted) { return; }
    slot_of_id.assign(count, kNoSlot);
    for (const LooseCell<Dim>& cell : cells) {
        for (std::uint32_t b = cell.head; b != kNoBucket; b = agents.next(b)) {
            for (std::uint32_t i = 0; i < agents.count(b); ++i) {
                const std::uint32_t slot = b * agents.kRoom + i;
                slot_of_id[agents.id(slot)] = slot;
            }
        }
    }
    slots_noted = true;
}

template <std::size_t Dim>
DoubleGrid<Dim>::DoubleGrid() : state_(std::make_unique<State>()) {}
template <std::size_t Dim>
DoubleGrid<Dim>::~DoubleGrid() = default;
template <std::size_t Dim>
DoubleGrid<Dim>::DoubleGrid(DoubleGrid&&) noexcept = default;
template <std::size_t Dim>
DoubleGrid<Dim>& DoubleGrid<Dim>::operator=(DoubleGrid&&) noexcept = default;

template <std::size_t Dim>
Status DoubleGrid<Dim>::configure(const Box<Dim>& bounds, const Point<Dim>& cell,
                                  const CrowdKind<Dim>& kind) {
    const auto [shape, status] = shape_over(bounds, cell);
    if (!status.ok()) { return status; }
    if (const Status wrong = check_kind(kind); !wrong.ok()) { return wrong; }
    if (std::uint64_t{shape.rows()} * shape.cells[0] > CoarseGrid<Dim>::kMostCells) {
        return {Cause::too_many, Argument::cell};
    }
    auto state = std::make_unique<State>();
    state->shape = shape;
    state->configured = true;
    const std::size_t cells = std::size_t{shape.rows()} * shape.cells[0];
    state->cells.assign(cells, LooseCell<Dim>::empty());
    state->slack.resize(cells);
    state->tight.lay_out(shape.cells);
    CrowdKind<Dim> stored = kind;
    if (kind.own_half_extents) { stored.common_half_extent = {}; }
    state->agents.configure(stored);
    state->max_half_extent = stored.common_half_extent;
    state_ = std::move(state);
    return {};
}

template <std::size_t Dim>
void DoubleGrid<Dim>::clear() noexcept {
    state_->forget();
}

template <std::size_t Dim>
std::size_t DoubleGrid<Dim>::size() const noexcept {
    return state_->count;
}

template <std::size_t Dim>
bool DoubleGrid<Dim>::contains(Id id) const noexcept {
    if (!state_->slots_noted) { return id < state_->count; }
    return id < state_->slot_of_id.size() && state_->slot_of_id[id] != State::kNoSlot;
}

template <std::size_t Dim>
const CrowdKind<Dim>& DoubleGrid<Dim>::kind() const noexcept {
    return state_->agents.kind();
}

template <std::size_t Dim>
MemoryUse DoubleGrid<Dim>::memory() const noexcept {
    const State& state = *state_;
    MemoryUse use;
    use.nodes = state.agents.memory();
    use.tables = state.cells.capacity() * sizeof(LooseCell<Dim>);
    use.rows = state.tight.table_memory();
    use.marks = state.tight.mark_memory() + state.slack.memory();
    use.ids = state.slot_of_id.capacity() * sizeof(std::uint32_t);
    use.staging = state.staging.memory();
    return use;
}

template <std::size_t Dim>
void DoubleGrid<Dim>::release_staging() noexcept {
    state_->staging = {};
}

template <std::size_t Dim>
void DoubleGrid<Dim>::visit_cells(IndexCellVisitor<Dim> visitor) const {
    const State& state = *state_;
    const CoarseGrid<Dim>& tight = state.tight;
    std::uint32_t depth = 0;
    for (std::size_t number = tight.level_count(); number-- > 0;) {
        const auto& level = tight.level(number);
        if (level.links == 0) { continue; }
        const std::size_t past = number + 1 < tight.level_count() ? tight.level(number + 1).first
                                                                  : tight.listed().size();
        for (std::size_t t = tight.listed().next(level.first); t < past;
             t = tight.listed().next(t + 1)) {
            const auto at = tight.coordinates_of(level, static_cast<std::uint32_t>(t));
            IndexCell<Dim> cell{{}, depth, 0};
            for (std::size_t a = 0; a < Dim; ++a) {
                const auto edge = [&](std::uint32_t tight_cell) {
                    const std::uint64_t loose = std::uint64_t{tight_cell} << level.shift;
                    const auto within = std::min<std::uint64_t>(loose, state.shape.cells[a]);
                    return state.shape.origin[a] +
                           static_cast<float>(within) / state.shape.inverse_cell[a];
                };
                cell.box.lo[a] = edge(at[a]);
                cell.box.hi[a] = edge(at[a] + 1);
            }
            if (!visitor(cell)) { return; }
        }
        ++depth;
    }
    for (const LooseCell<Dim>& loose : state.cells) {
        IndexCell<Dim> cell{loose.cover, depth, 0};
        for (std::uint32_t b = loose.head; b != kNoBucket; b = state.agents.next(b)) {
            cell.count += state.agents.count(b);
        }
        if (cell.count != 0 && !visitor(cell)) { return; }
    }
}

template class DoubleGrid<2>;
template class DoubleGrid<3>;

} // namespace throng
