#include "edit_resolver.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"

#include <algorithm>

namespace throng {

namespace {

/// How many edits ahead what they need is prefetched: agents in random order are seldom in a cache.
constexpr std::size_t kAhead = 8;

} // namespace

template <std::size_t Dim>
Status check_edit(const Edit<Dim>& edit, const CrowdKind<Dim>& kind, bool is_there) noexcept {
    if (edit.kind == Edit<Dim>::Kind::insert) {
        const Status status = check_agent(edit.agent, kind);
        if (!status.ok()) { return status; }
        if (edit.id >= kMaxAgents) { return {Cause::too_many}; }
        return is_there ? Status{Cause::id_taken} : Status{};
    }
    if (!is_there) { return {Cause::id_unknown}; }
    if (edit.kind == Edit<Dim>::Kind::erase) { return {}; }
    return check_point(edit.agent.position, Argument::positions);
}

template <std::size_t Dim>
Status EditResolver<Dim>::resolve(const GridEdits<Dim>& edits) {
    staging_.ids.restart(std::min<std::size_t>(edits.size(), kMaxAgents));
    staging_.changes.clear();
    max_half_extent_ = {};
    places_ = GridState<Dim>::nowhere();
    gain_of_row_.clear();
    // With fewer agents no row can overflow. With more, the memory of a counter for each row is
    // little beside that of the agents.
    if (agents_ + edits.size() > most_in_row_) { gain_of_row_.resize(store_.rows().size()); }
    return edits.for_each([&](std::size_t i, const Edit<Dim>& edit) -> Status {
        if (i + kAhead < edits.all.size()) { prefetch(edits.all[i + kAhead].id); }
        const Status status = make(edit, i);
        if (status.ok() || status.argument == Argument::environment) { return status; }
        return {status.cause, Argument::edits, i};
    });
}

template <std::size_t Dim>
void EditResolver<Dim>::prefetch(Id id) const noexcept {
    staging_.ids.prefetch(id);
    if (id < row_of_.ids) { __builtin_prefetch(row_of_.words.data() + id); }
}

template <std::size_t Dim>
Status EditResolver<Dim>::make(const Edit<Dim>& edit, std::size_t index) {
    const CrowdKind<Dim>& kind = store_.kind();
    const bool inserts = edit.kind == Edit<Dim>::Kind::insert;
    if (inserts && active_isa() == Isa::none) {
        return {Cause::no_such_isa, Argument::environment};
    }
    if (inserts && store_.shape().cells[0] == 0) { return {Cause::not_configured}; }
    if (edit.id >= kMaxAgents) { return check_edit(edit, kind, false); }
    AgentChange& change = change_of(edit.id);
    const Status status = check_edit(edit, kind, change.to != kNoRow);
    if (!status.ok()) { return status; }
    if (edit.kind == Edit<Dim>::Kind::erase) {
        go(change, kNoRow);
        return {};
    }
    const std::uint32_t to = store_.shape().row_of(edit.agent.position);
    if (to != change.to && is_full(to)) { return {Cause::too_many}; }
    go(change, to);
    change.placed = index;
    GridState<Dim>::widen(places_, Box<Dim>::at(edit.agent.position));
    if (inserts) {
        change.inserted = index;
        for (std::size_t a = 0; kind.own_half_extents && a < Dim; ++a) {
            max_half_extent_[a] = std::max(max_half_extent_[a], (*edit.agent.half_extent)[a]);
        }
    }
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

template Status check_edit(const Edit<2>&, const CrowdKind<2>&, bool) noexcept;
template Status check_edit(const Edit<3>&, const CrowdKind<3>&, bool) noexcept;
template class EditResolver<2>;
template class EditResolver<3>;

} // namespace throng
