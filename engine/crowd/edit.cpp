// Births, deaths and moves of agents in a crowd, one by one or in a list.
#include "crowd.hpp"

#include "../../simd/isa/isa.hpp"
#include "../agents/validation.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace throng {

namespace {

template <class T>
using ById = std::map<Id, T, std::less<Id>, Allocated<std::pair<const Id, T>>>;

/// The agent, as a grid of this kind takes it.
template <std::size_t Dim>
Agent<Dim> as_kept(Agent<Dim> agent, const CrowdKind<Dim>& kind) noexcept {
    if (!kind.own_half_extents) { agent.half_extent.reset(); }
    return agent;
}

/// The giants after a list of edits, by name; listed only when the first of them changes.
template <std::size_t Dim, class Giants>
class GiantList {
public:
    explicit GiantList(const Giants& giants) noexcept : giants_(giants) {}

    [[nodiscard]] bool contains(Id name) const {
        return changed_ ? agents_.count(name) != 0 : giants_.contains(name);
    }
    [[nodiscard]] bool changed() const noexcept { return changed_; }

    void insert(Id name, const Agent<Dim>& agent) { listed().emplace(name, agent); }
    void erase(Id name) { listed().erase(name); }
    void move(Id name, const Point<Dim>& position) { listed().at(name).position = position; }

    /// Makes the listed giants the elements of a set.
    Status fill(Giants& giants, bool groups, Executor& executor) const {
        std::array<Vector<float>, Dim> position, half;
        Vector<std::uint32_t> masks;
        Vector<Id> names, all;
        for (const auto& [name, agent] : agents_) {
            all.push_back(static_cast<Id>(names.size()));
            names.push_back(name);
            for (std::size_t a = 0; a < Dim; ++a) {
                position[a].push_back(agent.position[a]);
                half[a].push_back((*agent.half_extent)[a]);
            }
            if (groups) { masks.push_back(*agent.groups); }
        }
        std::array<const float*, Dim> x, h;
        for (std::size_t a = 0; a < Dim; ++a) {
            x[a] = position[a].data();
            h[a] = half[a].data();
        }
        Agents<Dim> agents;
        agents.positions = PointView<Dim>::separate(x, names.size());
        agents.half_extents = PointView<Dim>::separate(h, names.size());
        if (groups) { agents.groups = {masks.data(), sizeof(std::uint32_t), masks.size()}; }
        return giants.update(agents, {true, groups, {}}, all, names, executor);
    }

private:
    ById<Agent<Dim>>& listed() {
        if (!changed_) {
            for (const Id name : giants_.name_of_slot()) {
                if (name != kNoId) { agents_.emplace(name, giants_.agent(name)); }
            }
            changed_ = true;
        }
        return agents_;
    }

    const Giants& giants_;
    ById<Agent<Dim>> agents_;
    bool changed_ = false;
};

Status blamed_on_edit(const Status& status, std::size_t edit) noexcept {
    return {status.cause, Argument::edits, edit};
}

} // namespace

template <std::size_t Dim>
bool Crowd<Dim>::State::fits_grid(const Agent<Dim>& agent) const noexcept {
    if (!kind.own_half_extents) { return true; }
    const CrowdKind<Dim>& kept = grid.kind();
    if (!kept.own_half_extents) { return *agent.half_extent == kept.common_half_extent; }
    const float largest = largest_in(grid.shape());
    return std::all_of(agent.half_extent->axis.begin(), agent.half_extent->axis.end(),
                       [&](float half) { return half <= largest; });
}

template <std::size_t Dim>
Status Crowd<Dim>::State::insert(Id id, const Agent<Dim>& given) {
    Agent<Dim> agent = given;
    agent.position = world.kept(given.position);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (!configured) { return {Cause::not_configured, Argument::none}; }
    if (id >= kMostInCrowd) { return {Cause::too_many, Argument::id, id}; }
    if (const Status status = check_agent(agent, kind); !status.ok()) { return status; }
    if (has_agent(id)) { return {Cause::id_taken, Argument::id, id}; }
    if (fits_grid(agent)) { return grid.insert(id, as_kept(agent, grid.kind())); }
    return giants.insert(id, agent.position, *agent.half_extent, agent.groups.value_or(0));
}

template <std::size_t Dim>
Status Crowd<Dim>::State::erase(Id id) {
    return giants.contains(id) ? giants.erase(id) : grid.erase(id);
}

template <std::size_t Dim>
Status Crowd<Dim>::State::move(Id id, const Point<Dim>& given) {
    const Point<Dim> position = world.kept(given);
    if (!giants.contains(id)) { return grid.move(id, position); }
    const Status status = check_point(position, Argument::positions);
    return status.ok() ? giants.move(id, position) : status;
}

template <std::size_t Dim>
Status Crowd<Dim>::insert(Id id, const Agent<Dim>& agent) {
    return state_->changing("Crowd::insert", [&]() -> Status {
        if (state_->named_by_handles) { return {Cause::other_names, Argument::id, id}; }
        return state_->insert(id, agent);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::erase(Id id) {
    return state_->changing("Crowd::erase", [&]() -> Status {
        if (state_->named_by_handles) { return {Cause::other_names, Argument::id, id}; }
        return state_->erase(id);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::move(Id id, const Point<Dim>& position) {
    return state_->changing("Crowd::move", [&] { return state_->move(id, position); });
}

template <std::size_t Dim>
Status Crowd<Dim>::edit(std::span<const Edit<Dim>> edits, Executor& executor) {
    return state_->changing("Crowd::edit", [&]() -> Status {
        if (state_->named_by_handles) { return {Cause::other_names, Argument::edits}; }
        return change(edits, executor);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::change(std::span<const Edit<Dim>> edits, Executor& executor) {
    State& state = *state_;
    // Without giants the grid takes all edits, if the ids fit: it would accept larger ids than a
    // crowd may.
    const bool ids_fit = std::all_of(edits.begin(), edits.end(), [](const Edit<Dim>& edit) {
        return edit.kind != Edit<Dim>::Kind::insert || edit.id < kMostInCrowd;
    });
    Vector<Edit<Dim>> kept;
    if (state.world.wraps) {
        kept.assign(edits.begin(), edits.end());
        for (Edit<Dim>& edit : kept) {
            edit.agent.position = state.world.kept(edit.agent.position);
        }
        edits = kept;
    }
    if (!state.configured || (!state.kind.own_half_extents && ids_fit)) {
        return state.grid.edit(edits, executor);
    }
    GiantList<Dim, typename State::Giants> giants(state.giants);
    ById<bool> in_grid; // for ids that were edited already
    Vector<Edit<Dim>> small;
    Vector<std::size_t> index_of_small;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        Edit<Dim> edit = edits[i];
        const auto known = in_grid.find(edit.id);
        const bool is_small = known != in_grid.end() ? known->second : state.grid.contains(edit.id);
        const bool is_giant = giants.contains(edit.id);
        Status status;
        bool to_grid = is_small;
        if (edit.kind == Edit<Dim>::Kind::insert) {
            status = check_agent(edit.agent, state.kind);
            if (edit.id >= kMostInCrowd) { status.cause = Cause::too_many; }
            if (status.ok() && (is_small || is_giant)) { status.cause = Cause::id_taken; }
            if (status.ok()) { to_grid = state.fits_grid(edit.agent); }
        } else {
            if (!is_small && !is_giant) { status.cause = Cause::id_unknown; }
            if (status.ok() && edit.kind == Edit<Dim>::Kind::move) {
                status = check_point(edit.agent.position, Argument::positions);
            }
        }
        if (!status.ok()) { return blamed_on_edit(status, i); }
        if (to_grid) {
            in_grid[edit.id] = edit.kind != Edit<Dim>::Kind::erase;
            edit.agent = as_kept(edit.agent, state.grid.kind());
            small.push_back(edit);
            index_of_small.push_back(i);
            continue;
        }
        if (edit.kind == Edit<Dim>::Kind::insert) {
            giants.insert(edit.id, edit.agent);
        } else if (edit.kind == Edit<Dim>::Kind::erase) {
            giants.erase(edit.id);
        } else {
            giants.move(edit.id, edit.agent.position);
        }
    }
    if (giants.changed()) {
        if (const Status status = state.prepare_spare(); !status.ok()) { return status; }
        const Status status = giants.fill(*state.spare, state.kind.groups, executor);
        if (!status.ok()) { return status; }
    }
    Status status = state.grid.edit(small, executor);
    if (!status.ok()) {
        if (status.argument == Argument::edits) { status.index = index_of_small[status.index]; }
        return status;
    }
    if (giants.changed()) { std::swap(state.giants, *state.spare); }
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool Crowd<Dim>::State::fits_grid(const Agent<Dim>&) const noexcept;                  \
    template Status Crowd<Dim>::State::insert(Id, const Agent<Dim>&);                              \
    template Status Crowd<Dim>::State::erase(Id);                                                  \
    template Status Crowd<Dim>::State::move(Id, const Point<Dim>&);                                \
    template Status Crowd<Dim>::insert(Id, const Agent<Dim>&);                                     \
    template Status Crowd<Dim>::erase(Id);                                                         \
    template Status Crowd<Dim>::move(Id, const Point<Dim>&);                                       \
    template Status Crowd<Dim>::edit(std::span<const Edit<Dim>>, Executor&);                       \
    template Status Crowd<Dim>::change(std::span<const Edit<Dim>>, Executor&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
