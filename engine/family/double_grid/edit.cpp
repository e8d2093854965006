// Changes of one agent, in constant time, and refit(), which shrinks covers.
#include "double_grid.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"
#include "state.hpp"

namespace throng {

namespace {

/// Makes room for one edit: a bucket, and all links of a cell. Throws std::bad_alloc.
template <class State>
void make_room(State& state) {
    state.agents.reserve(state.agents.buckets() + 1);
    state.tight.reserve_more();
}

/// Makes `box` the cover of a cell.
template <class State, std::size_t Dim>
void cover(State& state, std::uint32_t number, const Box<Dim>& box) noexcept {
    LooseCell<Dim>& cell = state.cells[number];
    state.tight.relink(number, state.range_of(cell.cover), state.range_of(box));
    cell.cover = box;
}

/// Puts an agent into its cell, for which there must be room.
template <class State, std::size_t Dim>
void put(State& state, Id id, const Point<Dim>& position, const Point<Dim>& half,
         std::uint32_t groups) noexcept {
    const std::uint32_t number = state.cell_of(position);
    LooseCell<Dim>& cell = state.cells[number];
    const bool was_empty = cell.head == kNoBucket;
    state.slot_of_id[id] = state.agents.add(cell.head, id, position, half, groups);
    const Box<Dim> box = united(cell.cover, cover_of(position, half));
    if (was_empty) {
        state.tight.link(number, state.range_of(box));
        cell.cover = box;
    } else {
        cover(state, number, box);
    }
}

/// Whether `inner` touches no side of the cover `outer`. If so, the cover would be the same without
/// `inner`, since other agents reach further on every side.
template <std::size_t Dim>
bool within(const Box<Dim>& outer, const Box<Dim>& inner) noexcept {
    bool inside = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        inside = inside && outer.lo[a] < inner.lo[a] && inner.hi[a] < outer.hi[a];
    }
    return inside;
}

/// Takes the agent in a slot out of its cell.
template <std::size_t Dim, class State>
void take(State& state, std::uint32_t slot) noexcept {
    const std::uint32_t number = state.cell_of(state.agents.position(slot));
    LooseCell<Dim>& cell = state.cells[number];
    const Box<Dim> gone = state.cover_at(slot);
    const Id moved = state.agents.remove(cell.head, slot);
    if (moved != kNoId) { state.slot_of_id[moved] = slot; }
    if (cell.head == kNoBucket) {
        state.tight.unlink(number, state.range_of(cell.cover));
        cell = LooseCell<Dim>::empty();
        state.slack.reset(number);
    } else if (!within(cell.cover, gone)) {
        state.slack.set(number);
    }
}

} // namespace

template <std::size_t Dim>
Status DoubleGrid<Dim>::insert(Id id, const Agent<Dim>& agent) {
    State& state = *state_;
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (const Status status = check_agent(agent, kind()); !status.ok()) { return status; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (contains(id)) { return {Cause::id_taken, Argument::id, id}; }

    state.note_slots();
    make_room(state);
    if (id >= state.slot_of_id.size()) {
        state.slot_of_id.resize(std::size_t{id} + 1, State::kNoSlot);
    }
    const Point<Dim> half = agent.half_extent.value_or(kind().common_half_extent);
    put(state, id, agent.position, half, agent.groups.value_or(kAllGroups));
    for (std::size_t a = 0; a < Dim; ++a) {
        state.max_half_extent[a] = std::max(state.max_half_extent[a], half[a]);
    }
    ++state.count;
    return {};
}

template <std::size_t Dim>
Status DoubleGrid<Dim>::erase(Id id) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    State& state = *state_;
    state.note_slots();
    take<Dim>(state, state.slot_of_id[id]);
    state.slot_of_id[id] = State::kNoSlot;
    --state.count;
    return {};
}

template <std::size_t Dim>
Status DoubleGrid<Dim>::move(Id id, const Point<Dim>& position) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    if (const Status status = check_point(position, Argument::positions); !status.ok()) {
        return status;
    }
    State& state = *state_;
    state.note_slots();
    make_room(state);
    const std::uint32_t slot = state.slot_of_id[id];
    const Point<Dim> half = state.agents.half(slot);
    const std::uint32_t number = state.cell_of(state.agents.position(slot));
    if (number != state.cell_of(position)) {
        const std::uint32_t groups = state.agents.groups(slot);
        take<Dim>(state, slot);
        put(state, id, position, half, groups);
        return {};
    }
    const Box<Dim> before = state.cover_at(slot);
    const LooseCell<Dim>& cell = state.cells[number];
    if (!within(cell.cover, before)) { state.slack.set(number); }
    state.agents.set_position(slot, position);
    cover(state, number, united(cell.cover, cover_of(position, half)));
    return {};
}

template <std::size_t Dim>
void DoubleGrid<Dim>::refit() {
    State& state = *state_;
    for (std::size_t number = state.slack.next(0); number < state.slack.size();
         number = state.slack.next(number + 1)) {
        state.tight.reserve_more();
        cover(state, static_cast<std::uint32_t>(number),
              state.cover_of_chain(state.cells[number].head));
        state.slack.reset(number);
    }
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status DoubleGrid<Dim>::insert(Id, const Agent<Dim>&);                                \
    template Status DoubleGrid<Dim>::erase(Id);                                                    \
    template Status DoubleGrid<Dim>::move(Id, const Point<Dim>&);                                  \
    template void DoubleGrid<Dim>::refit();
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
