// How a crowd changes as a whole: everybody to the set that suits his size.
#include "crowd.hpp"

#include "crowd_state.hpp"
#include "validation.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace throng {

namespace {

/// Cells for agents of the common size, over what the settings say.
template <std::size_t Dim>
ShapeOrStatus<Dim> fitted_shape(const CrowdSettings<Dim>& settings, const Agents<Dim>& agents) {
    if (const Status status = check_agents(agents); !status.ok()) { return {{}, status}; }
    Agents<Dim> alike = agents;
    if (kind_of(agents).own_half_extents) {
        alike.half_extents = {};
        alike.common_half_extent = typical_half_extent(agents, {});
    }
    const ShapeOrStatus<Dim> fitted = shape_for(alike);
    if (!fitted.status.ok() || !settings.bounds) { return fitted; }
    Point<Dim> cell;
    for (std::size_t a = 0; a < Dim; ++a) {
        cell[a] = 1.0f / fitted.shape.inverse_cell[a];
    }
    const ShapeOrStatus<Dim> over_world = shape_over(*settings.bounds, cell);
    // A world too large for such cells: those that the agents need, over where they are.
    return over_world.status.ok() ? over_world : fitted;
}

} // namespace

template <std::size_t Dim>
Status Crowd<Dim>::take(const Agents<Dim>& agents, Executor& executor) {
    State& state = *state_;
    if (const Status status = check_views(agents); !status.ok()) { return status; }
    const std::size_t count = agents.positions.count;
    if (count > kMostInCrowd) { return {Cause::too_many, Argument::positions, kMostInCrowd}; }
    const CrowdKind<Dim> kind = kind_of(agents);
    if (!state.configured) {
        if (count == 0) { return {}; }
        const auto [shape, status] = fitted_shape(state.settings, agents);
        if (!status.ok()) { return status; }
        auto fitted = std::make_unique<State>();
        fitted->settings = state.settings;
        fitted->world = state.world;
        fitted->statics = state.statics;
        const Status laid = fitted->lay_out(shape, kind);
        if (!laid.ok()) { return laid; }
        Crowd first;
        first.state_ = std::move(fitted);
        const Status updated = first.take(agents, executor);
        if (updated.ok()) { state = std::move(*first.state_); }
        return updated;
    }
    if (!kind.own_half_extents) {
        const Status status = state.grid.update(agents, executor);
        if (!status.ok()) { return status; }
        state.giants.clear();
        state.kind = kind;
        return {};
    }

    const Status parted = state.split.split(agents, largest_in(state.grid.shape()), {}, executor);
    if (!parted.ok()) { return parted; }
    const std::span<const Id> giants = state.split.giants();
    Agents<Dim> others = agents;
    if (state.split.common() != nullptr) {
        others.half_extents = {};
        others.common_half_extent = *state.split.common();
    }
    Status status = state.spare.update(agents, giants, giants, executor);
    if (status.ok()) { status = state.grid.update_without(others, giants, executor); }
    if (!status.ok()) {
        const Status fault = check_agents(agents); // by its place in the whole crowd
        return fault.ok() ? status : fault;
    }
    std::swap(state.giants, state.spare);
    state.kind = kind;
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::set_statics(const Agents<Dim>& statics, Executor& executor) {
    const Phase::Changing changing(state_->phase);
    const auto blamed = [](const Status& status) {
        return Status{status.cause, Argument::statics, status.index};
    };
    if (const Status status = check_agents(statics); !status.ok()) { return blamed(status); }
    if (statics.positions.count > kMostInCrowd) { return {Cause::too_many, Argument::statics}; }
    std::vector<Id> all(statics.positions.count), names(all.size());
    std::iota(all.begin(), all.end(), Id{0});
    std::iota(names.begin(), names.end(), kFirstStatic);
    Agents<Dim> kept = statics;
    std::array<std::vector<float>, Dim> positions;
    Status status;
    if (state_->world.wraps) { status = state_->keep(statics.positions, positions, executor); }
    if (!status.ok()) { return status; }
    if (state_->world.wraps) { kept.positions = view_of(positions, statics.positions.count); }
    auto next = std::make_shared<typename State::Statics>();
    status = next->update(kept, all, names, executor);
    if (!status.ok()) { return status.cause == Cause::executor_failed ? status : blamed(status); }
    state_->statics = std::move(next);
    return {};
}

template Status Crowd<2>::take(const Agents<2>&, Executor&);
template Status Crowd<3>::take(const Agents<3>&, Executor&);
template Status Crowd<2>::set_statics(const Agents<2>&, Executor&);
template Status Crowd<3>::set_statics(const Agents<3>&, Executor&);

} // namespace throng
