// Replaces all agents or all statics of a crowd: each agent goes to the set that suits its size.
#include "crowd.hpp"

#include "../agents/validation.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace throng {

namespace {

/// Cells for agents of the common size, over the bounds of the settings.
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
    // The world may be too large for such cells: then cells over the agents' own bounds.
    return over_world.status.ok() ? over_world : fitted;
}

} // namespace

template <std::size_t Dim>
Status Crowd<Dim>::lay_out_for(const Agents<Dim>& agents) {
    State& state = *state_;
    if (state.configured || agents.positions.count == 0) { return {}; }
    const auto [shape, status] = fitted_shape(state.settings, agents);
    return status.ok() ? state.lay_out(shape, kind_of(agents)) : status;
}

template <std::size_t Dim>
Status Crowd<Dim>::become_like(const Crowd& other) {
    State& state = *state_;
    const State& like = *other.state_;
    if (like.configured != state.configured || like.settings != state.settings ||
        like.grid.shape() != state.grid.shape()) {
        auto next = std::make_unique<State>();
        next->settings = like.settings;
        next->world = like.world;
        next->kind = like.kind;
        if (like.configured) {
            const Status status = next->lay_out(like.grid.shape(), like.kind);
            if (!status.ok()) { return status; }
        }
        state = std::move(*next);
    }
    state.statics = like.statics;
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::find_dead(std::size_t elements) {
    dead.clear();
    if (!named_by_handles) { return {}; }
    if (elements != handles.bound()) { return {Cause::count_mismatch, Argument::handle}; }
    handles.for_each_dead([&](Id slot) { dead.push_back(slot); });
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::take(const Agents<Dim>& agents, Executor& executor) {
    State& state = *state_;
    if (const Status status = check_views(agents); !status.ok()) { return status; }
    const std::size_t count = agents.positions.count;
    if (count > kMostInCrowd) { return {Cause::too_many, Argument::positions, kMostInCrowd}; }
    if (!state.configured) {
        if (count == 0) { return {}; }
        // In a separate crowd, so that refused agents leave no layout behind.
        Crowd first;
        Status status = first.become_like(*this);
        if (status.ok()) { status = first.lay_out_for(agents); }
        if (status.ok()) { status = first.take(agents, executor); }
        if (status.ok()) { state = std::move(*first.state_); }
        return status;
    }
    const CrowdKind<Dim> kind = kind_of(agents);
    if (const Status status = state.find_dead(count); !status.ok()) { return status; }
    const SkippedIds dead{state.dead};
    if (!kind.own_half_extents) {
        const Status status =
            detail::Access::update_without(state.grid, agents, dead.ids, executor);
        if (!status.ok()) { return status; }
        state.giants.clear();
        state.kind = kind;
        return {};
    }

    if (const Status status = state.prepare_spare(); !status.ok()) { return status; }
    const Status parted = state.split.split(agents, largest_in(state.grid.shape()), dead, executor);
    if (!parted.ok()) { return parted; }
    const std::span<const Id> giants = state.split.giants();
    Agents<Dim> others = agents;
    if (state.split.common() != nullptr) {
        others.half_extents = {};
        others.common_half_extent = *state.split.common();
    }
    state.skipped.resize(giants.size() + dead.ids.size());
    std::merge(giants.begin(), giants.end(), dead.ids.begin(), dead.ids.end(),
               state.skipped.begin());
    Status status = state.spare->update(agents, kind, giants, giants, executor);
    if (status.ok()) {
        status = detail::Access::update_without(state.grid, others, state.skipped, executor);
    }
    if (!status.ok()) {
        const Status fault = check_agents(agents, dead.ids); // with the caller's index
        return fault.ok() ? status : fault;
    }
    std::swap(state.giants, *state.spare);
    state.kind = kind;
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::build_statics(const Agents<Dim>& given, Executor& executor,
                                        const Progress& progress) {
    const auto blamed = [](const Status& status) {
        return Status{status.cause, Argument::statics, status.index};
    };
    const std::size_t count = given.positions.count;
    if (count > kMostInCrowd) { return {Cause::too_many, Argument::statics}; }
    if (const Status status = check_agents(given); !status.ok()) { return blamed(status); }
    Vector<Id> all(count), names(count);
    std::iota(all.begin(), all.end(), Id{0});
    std::iota(names.begin(), names.end(), kFirstStatic);
    Agents<Dim> kept = given;
    std::array<Vector<float>, Dim> positions;
    if (world.wraps) {
        const Status status = keep(given.positions, positions, executor);
        if (!status.ok()) { return status; }
        kept.positions = view_of(positions, count);
    }
    auto next = std::allocate_shared<Statics>(Allocated<Statics>());
    const Status status = next->update(kept, kind_of(kept), all, names, executor, progress);
    if (!status.ok()) {
        const bool of_values =
            status.argument == Argument::positions || status.argument == Argument::half_extents;
        return of_values ? blamed(status) : status;
    }
    next->release_staging(); // it is not updated again
    statics = std::move(next);
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::set_statics(const Agents<Dim>& statics, Executor& executor,
                               const Progress& progress) {
    return state_->changing("Crowd::set_statics",
                            [&] { return state_->build_statics(statics, executor, progress); });
}

template Status Crowd<2>::lay_out_for(const Agents<2>&);
template Status Crowd<3>::lay_out_for(const Agents<3>&);
template Status Crowd<2>::become_like(const Crowd&);
template Status Crowd<3>::become_like(const Crowd&);
template Status Crowd<2>::take(const Agents<2>&, Executor&);
template Status Crowd<3>::take(const Agents<3>&, Executor&);
template Status Crowd<2>::set_statics(const Agents<2>&, Executor&, const Progress&);
template Status Crowd<3>::set_statics(const Agents<3>&, Executor&, const Progress&);

} // namespace throng
