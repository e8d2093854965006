// Births, deaths and moves in a crowd, one by one or in a list.
#include "crowd.hpp"

#include "crowd_state.hpp"
#include "validation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace throng {

namespace {

/// The agent as a grid takes it that keeps this.
template <std::size_t Dim>
Agent<Dim> as_kept(Agent<Dim> agent, const CrowdKind<Dim>& kind) noexcept {
    if (!kind.own_half_extents) { agent.half_extent.reset(); }
    return agent;
}

/// The giants after a list of edits, by name.
template <std::size_t Dim>
class GiantList {
public:
    template <class Giants>
    explicit GiantList(const Giants& giants) {
        for (const Id name : giants.name_of_place()) {
            if (name != kNoId) { agents_.emplace(name, giants.agent(name)); }
        }
    }

    [[nodiscard]] bool contains(Id name) const { return agents_.count(name) != 0; }
    void insert(Id name, const Agent<Dim>& agent) { agents_.emplace(name, agent); }
    void erase(Id name) noexcept { agents_.erase(name); }
    void move(Id name, const Point<Dim>& position) { agents_.at(name).position = position; }

    /// Makes them the elements of a set.
    template <class Giants>
    Status fill(Giants& giants, bool groups, Executor& executor) const {
        std::array<std::vector<float>, Dim> position, half;
        std::vector<std::uint32_t> masks;
        std::vector<Id> names, all;
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
        return giants.update(agents, all, names, executor);
    }

private:
    std::map<Id, Agent<Dim>> agents_;
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
Status Crowd<Dim>::insert(Id id, const Agent<Dim>& given) {
    const Phase::Changing changing(state_->phase);
    State& state = *state_;
    Agent<Dim> agent = given;
    agent.position = state.world.kept(given.position);
    if (!state.configured) { return {Cause::not_configured, Argument::none}; }
    if (id >= kMostInCrowd) { return {Cause::too_many, Argument::id, id}; }
    if (const Status status = check_agent(agent, state.kind); !status.ok()) { return status; }
    if (state.has_agent(id)) { return {Cause::id_taken, Argument::id, id}; }
    if (state.fits_grid(agent)) { return state.grid.insert(id, as_kept(agent, state.grid.kind())); }
    return state.giants.insert(id, agent.position, *agent.half_extent, agent.groups.value_or(0));
}

template <std::size_t Dim>
Status Crowd<Dim>::erase(Id id) {
    const Phase::Changing changing(state_->phase);
    State& state = *state_;
    if (state.giants.contains(id)) { return state.giants.erase(id); }
    return state.grid.erase(id);
}

template <std::size_t Dim>
Status Crowd<Dim>::move(Id id, const Point<Dim>& given) {
    const Phase::Changing changing(state_->phase);
    State& state = *state_;
    const Point<Dim> position = state.world.kept(given);
    if (!state.giants.contains(id)) { return state.grid.move(id, position); }
    const Status status = check_point(position, Argument::positions);
    return status.ok() ? state.giants.move(id, position) : status;
}

template <std::size_t Dim>
Status Crowd<Dim>::edit(std::span<const Edit<Dim>> edits, Executor& executor) {
    const Phase::Changing changing(state_->phase);
    State& state = *state_;
    std::vector<Edit<Dim>> kept;
    if (state.world.wraps) {
        kept.assign(edits.begin(), edits.end());
        for (Edit<Dim>& edit : kept) {
            edit.agent.position = state.world.kept(edit.agent.position);
        }
        edits = kept;
    }
    if (!state.configured || !state.kind.own_half_extents) {
        for (std::size_t i = 0; i < edits.size(); ++i) {
            if (edits[i].kind == Edit<Dim>::Kind::insert && edits[i].id >= kMostInCrowd) {
                return {Cause::too_many, Argument::edits, i};
            }
        }
        return state.grid.edit(edits, executor);
    }
    GiantList<Dim> giants(state.giants);
    bool giants_change = false;
    std::map<Id, bool> in_grid; // of those that were edited already
    std::vector<Edit<Dim>> small;
    std::vector<std::size_t> index_of_small;
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
        giants_change = true;
        if (edit.kind == Edit<Dim>::Kind::insert) {
            giants.insert(edit.id, edit.agent);
        } else if (edit.kind == Edit<Dim>::Kind::erase) {
            giants.erase(edit.id);
        } else {
            giants.move(edit.id, edit.agent.position);
        }
    }
    if (giants_change) {
        const Status status = giants.fill(state.spare, state.kind.groups, executor);
        if (!status.ok()) { return status; }
    }
    Status status = state.grid.edit(small, executor);
    if (!status.ok()) {
        if (status.argument == Argument::edits) { status.index = index_of_small[status.index]; }
        return status;
    }
    if (giants_change) { std::swap(state.giants, state.spare); }
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool Crowd<Dim>::State::fits_grid(const Agent<Dim>&) const noexcept;                  \
    template Status Crowd<Dim>::insert(Id, const Agent<Dim>&);                                     \
    template Status Crowd<Dim>::erase(Id);                                                         \
    template Status Crowd<Dim>::move(Id, const Point<Dim>&);                                       \
    template Status Crowd<Dim>::edit(std::span<const Edit<Dim>>, Executor&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
