// Changes to a row grid one agent at a time.
#include "../row_grid.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../../simd/isa/slack.hpp"
#include "../../agents/validation.hpp"
#include "state.hpp"

#include <algorithm>
#include <bit>

namespace throng {

void RowOfId::reserve(Id id) {
    const std::size_t wanted = std::size_t{id} + 1;
    if (wanted + simd::kSlack <= words.size()) { return; }
    WordBuffer larger(wanted + wanted / 2 + simd::kSlack);
    std::copy_n(words.data(), ids, larger.data());
    words = std::move(larger);
}

void RowOfId::cover(Id id) noexcept {
    const std::size_t wanted = std::size_t{id} + 1;
    if (wanted <= ids) { return; }
    std::fill(words.data() + ids, words.data() + wanted, kNoRow);
    ids = wanted;
}

template <std::size_t Dim>
Status RowGrid<Dim>::insert(Id id, const Agent<Dim>& agent) {
    const typename State::Changing changing(*state_);
    State& state = *state_;
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (!state.configured()) { return {Cause::not_configured}; }
    const Status status = check_agent(agent, state.store.kind());
    if (!status.ok()) { return status; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (state.row_of[id] != kNoRow) { return {Cause::id_taken, Argument::id, id}; }

    const std::uint32_t r = state.store.shape().row_of(agent.position);
    if (state.store.rows()[r].count >= kMaxAgentsInRow) {
        return {Cause::too_many, Argument::positions};
    }
    const bool cut_anew = state.slices.outgrown(state.count + 1);
    if (cut_anew) { state.slices.reserve(state.count + 1); }
    state.row_of.reserve(id);
    state.store.insert(r, node_words(id, agent, state.store.kind()));
    state.row_of.cover(id);
    state.row_of.words.data()[id] = r;
    ++state.count;
    state.cover(agent.position);
    if (state.store.kind().own_half_extents) {
        for (std::size_t a = 0; a < Dim; ++a) {
            state.max_half_extent[a] = std::max(state.max_half_extent[a], (*agent.half_extent)[a]);
        }
    }
    if (cut_anew) { state.slices.cut(state.store, state.count); }
    return {};
}

template <std::size_t Dim>
Status RowGrid<Dim>::erase(Id id) {
    const typename State::Changing changing(*state_);
    State& state = *state_;
    const std::uint32_t r = state.row_of[id];
    if (r == kNoRow) { return {Cause::id_unknown, Argument::id, id}; }
    state.store.erase(r, state.store.slot_of(r, id));
    state.row_of.words.data()[id] = kNoRow;
    --state.count;
    return {};
}

template <std::size_t Dim>
Status RowGrid<Dim>::move(Id id, const Point<Dim>& position) {
    const typename State::Changing changing(*state_);
    State& state = *state_;
    const std::uint32_t from = state.row_of[id];
    if (from == kNoRow) { return {Cause::id_unknown, Argument::id, id}; }
    const Status status = check_point(position, Argument::positions);
    if (!status.ok()) { return status; }

    RowStore<Dim>& store = state.store;
    const std::uint32_t slot = store.slot_of(from, id);
    const std::uint32_t to = store.shape().row_of(position);
    if (to == from) {
        store.move_within(from, slot, position);
        state.cover(position);
        return {};
    }
    if (store.rows()[to].count >= kMaxAgentsInRow) {
        return {Cause::too_many, Argument::positions};
    }
    NodeWords<Dim> node = store.node(store.rows()[from], slot);
    for (std::size_t a = 0; a < Dim; ++a) {
        node[a] = std::bit_cast<std::uint32_t>(position[a]);
    }
    store.insert(to, node); // first, since it may fail
    store.erase(from, slot);
    state.cover(position);
    state.row_of.words.data()[id] = to;
    return {};
}

template Status RowGrid<2>::insert(Id, const Agent<2>&);
template Status RowGrid<3>::insert(Id, const Agent<3>&);
template Status RowGrid<2>::erase(Id);
template Status RowGrid<3>::erase(Id);
template Status RowGrid<2>::move(Id, const Point<2>&);
template Status RowGrid<3>::move(Id, const Point<3>&);

} // namespace throng
