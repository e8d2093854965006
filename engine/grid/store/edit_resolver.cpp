#include "edit_resolver.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"

#include <algorithm>

namespace throng {

template <std::size_t Dim>
Status EditResolver<Dim>::resolve(std::span<const Edit<Dim>> edits) {
    staging_.ids.restart(std::min<std::size_t>(edits.size(), kMaxAgents));
    staging_.changes.clear();
    max_half_extent_ = {};
    gain_of_row_.clear();
    // With fewer agents no row can overflow. With more, the memory of a counter for each row is
    // little beside that of the agents.
    if (agents_ + edits.size() > most_in_row_) { gain_of_row_.resize(store_.rows().size()); }
    for (std::size_t i = 0; i < edits.size(); ++i) {
        Status status;
        switch (edits[i].kind) {
        case Edit<Dim>::Kind::insert:
            status = insert(edits[i], i);
            break;
        case Edit<Dim>::Kind::erase:
            status = erase(edits[i]);
            break;
        case Edit<Dim>::Kind::move:
            status = move(edits[i], i);
            break;
        }
        if (status.argument == Argument::environment) { return status; }
        if (!status.ok()) { return {status.cause, Argument::edits, i}; }
    }
    return {};
}

template <std::size_t Dim>
Status EditResolver<Dim>::insert(const Edit<Dim>& edit, std::size_t index) {
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (store_.shape().cells[0] == 0) { return {Cause::not_configured}; }
    const Status status = check_agent(edit.agent, store_.kind());
    if (!status.ok()) { return status; }
    if (edit.id >= kMaxAgents) { return {Cause::too_many}; }
    AgentChange& change = change_of(edit.id);
    if (change.to != kNoRow) { return {Cause::id_taken}; }
    const std::uint32_t to = store_.shape().row_of(edit.agent.position);
    if (is_full(to)) { return {Cause::too_many}; }
    go(change, to);
    change.placed = change.inserted = index;
    if (store_.kind().own_half_extents) {
        for (std::size_t a = 0; a < Dim; ++a) {
            max_half_extent_[a] = std::max(max_half_extent_[a], (*edit.agent.half_extent)[a]);
        }
    }
    return {};
}

template <std::size_t Dim>
Status EditResolver<Dim>::erase(const Edit<Dim>& edit) {
    if (edit.id >= kMaxAgents) { return {Cause::id_unknown}; }
    AgentChange& change = change_of(edit.id);
    if (change.to == kNoRow) { return {Cause::id_unknown}; }
    go(change, kNoRow);
    return {};
}

template <std::size_t Dim>
Status EditResolver<Dim>::move(const Edit<Dim>& edit, std::size_t index) {
    if (edit.id >= kMaxAgents) { return {Cause::id_unknown}; }
    AgentChange& change = change_of(edit.id);
    if (change.to == kNoRow) { return {Cause::id_unknown}; }
    const Status status = check_point(edit.agent.position, Argument::positions);
    if (!status.ok()) { return status; }
    const std::uint32_t to = store_.shape().row_of(edit.agent.position);
    if (to != change.to && is_full(to)) { return {Cause::too_many}; }
    go(change, to);
    change.placed = index;
    return {};
}

/// The change of an agent, which says where it is after the edits so far.
template <std::size_t Dim>
AgentChange& EditResolver<Dim>::change_of(Id id) {
    const std::uint32_t number = staging_.ids.number(id);
    if (number == staging_.changes.size()) {
        const std::uint32_t row = row_of_[id];
        AgentChange& change = staging_.changes.emplace_back();
        change.id = id;
        change.from = change.to = row;
    }
    return staging_.changes[number];
}

template <std::size_t Dim>
bool EditResolver<Dim>::is_full(std::uint32_t row) const noexcept {
    return !gain_of_row_.empty() &&
           store_.rows()[row].count + gain_of_row_[row] >= std::int64_t{most_in_row_};
}

template <std::size_t Dim>
void EditResolver<Dim>::go(AgentChange& change, std::uint32_t to) noexcept {
    if (!gain_of_row_.empty()) {
        if (change.to != kNoRow) { --gain_of_row_[change.to]; }
        if (to != kNoRow) { ++gain_of_row_[to]; }
    }
    change.to = to;
}

template class EditResolver<2>;
template class EditResolver<3>;

} // namespace throng
