// Replaces all agents or all statics of a crowd: each agent goes to the set that suits its size.
#include "update.hpp"

#include "../../agents/validation.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

namespace throng {

template <std::size_t Dim>
Status Crowd<Dim>::State::lay_out_for(const Agents<Dim>& agents) {
    if (configured || agents.positions.count == 0) { return {}; }
    const auto [shape, status] = fitted_shape(settings, agents);
    return status.ok() ? lay_out(shape, kind_of(agents)) : status;
}

template <std::size_t Dim>
Status Crowd<Dim>::State::become_like(const State& like) {
    if (like.configured != configured || like.settings != settings ||
        like.grid.shape() != grid.shape() || (!configured && like.kind != kind)) {
        auto next = std::make_unique<State>();
        next->settings = like.settings;
        next->world = like.world;
        next->kind = like.kind;
        if (like.configured) {
            const Status status = next->lay_out(like.grid.shape(), like.kind);
            if (!status.ok()) { return status; }
        }
        *this = std::move(*next);
    }
    fit = like.fit;
    statics.share(like.statics);
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::copy_agents(const State& from) {
    Status status = prepare_spare();
    if (status.ok()) { status = spare->copy(from.giants); }
    if (!status.ok()) { return status; }
    detail::state_of(grid).copy(detail::state_of(from.grid));
    std::swap(giants, *spare);
    kind = from.kind;
    return {};
}

template <std::size_t Dim>
void Crowd<Dim>::State::look_at_fit() noexcept {
    if (!settings.refits || settings.cell) { return; }
    if (size() < CellFit::kFewest) {
        fit = {};
        fit.is_known = true; // no company: the first update with more agents makes the next compare
        return;
    }
    const RowStore<Dim>& store = detail::state_of(grid).store;
    const bool looks = fit.is_time(size());
    if (!looks && !fit.is_time_for_spread()) { return; }
    const Spread spread = spread_of(store, grid.size());
    if (!looks && !fit.has_spread(spread, size())) { return; }
    // A giant is searched for in a tree, which takes as long as many agents in a cell.
    constexpr float kCompanyOfGiant = 16.0f;
    const auto small = static_cast<float>(grid.size()), large = static_cast<float>(giants.size());
    const float company = company_of(store, grid.size());
    fit.look((company * small + kCompanyOfGiant * large) / (small + large), spread, size());
}

template <std::size_t Dim>
Status Crowd<Dim>::State::find_dead(std::size_t elements) {
    dead.clear();
    if (!named_by_handles) { return {}; }
    if (elements != handles.bound()) {
        return {Cause::count_mismatch, Argument::positions, handles.bound()};
    }
    handles.for_each_dead([&](Id slot) { dead.push_back(slot); });
    return {};
}

template <std::size_t Dim>
CrowdUpdate<Dim>::CrowdUpdate(State& state, const Agents<Dim>& agents, std::size_t threads,
                              Executor& of_giants, const PartUpdate* part) noexcept
    : state_(state), target_(&state), given_(agents.positions), agents_(agents), threads_(threads),
      of_giants_(of_giants), part_(part) {}

template <std::size_t Dim>
CrowdUpdate<Dim>::CrowdUpdate(State& state, const WorldAgents<Dim>& agents, std::size_t threads,
                              Executor& of_giants) noexcept
    : state_(state), target_(&state), far_(agents), threads_(threads), of_giants_(of_giants) {}

template <std::size_t Dim>
Status CrowdUpdate<Dim>::next(Loop& loop) {
    loop = {};
    while (step_ != Step::done && loop.blocks == 0) {
        Status status;
        try {
            status = advance(loop);
        } catch (const std::bad_alloc&) {
            if (!gives_up_cells()) { throw; }
            loop = {};
        }
        const bool lacks_memory = status.cause == Cause::over_memory;
        if (!status.ok() && !(lacks_memory && gives_up_cells())) { return status; }
    }
    return {};
}

template <std::size_t Dim>
Status CrowdUpdate<Dim>::advance(Loop& loop) {
    switch (step_) {
    case Step::none:
        step_ = Step::keep;
        return begin_keeping(loop);
    case Step::keep:
        return begin_splitting(loop);
    case Step::split:
        target_->split.join();
        return part_ == nullptr ? pack_giants() : pack_part(*part_);
    case Step::place: {
        const Status status = grid_->next(loop);
        if (!status.ok()) { return blamed(status); }
        if (loop.blocks == 0) { finish(); }
        return {};
    }
    case Step::done:
        break;
    }
    return {};
}

template <std::size_t Dim>
void CrowdUpdate<Dim>::run(std::size_t block) noexcept {
    switch (step_) {
    case Step::keep:
        if (far_) {
            state_.keep_block(far_->positions, state_.kept_positions, block);
        } else {
            state_.keep_block(given_, state_.kept_positions, block);
        }
        return;
    case Step::split:
        return target_->split.look_at(agents_, largest_in(target_->grid.shape()), {state_.dead},
                                      block);
    case Step::place:
        return grid_->run(block);
    case Step::none:
    case Step::done:
        break;
    }
}

/// Puts positions into the world, if they are in doubles or the world is periodic.
template <std::size_t Dim>
Status CrowdUpdate<Dim>::begin_keeping(Loop& loop) {
    if (!far_ && !state_.world.wraps) { return {}; }
    const Status status = far_ ? State::check_far(*far_) : check_views(agents_);
    if (!status.ok()) { return status; }
    const std::size_t count = far_ ? far_->positions.count : given_.count;
    state_.prepare_to_keep(count, state_.kept_positions);
    const PointView<Dim> kept = view_of(state_.kept_positions, count);
    if (far_) {
        agents_ = State::in_floats(*far_, kept);
    } else {
        agents_.positions = kept;
    }
    loop = {blocks_to_keep(count), cost_to_keep<Dim>(count)};
    return {};
}

/// Splits agents by size if they have extents of their own; else the grid takes all at once.
template <std::size_t Dim>
Status CrowdUpdate<Dim>::begin_splitting(Loop& loop) {
    if (const Status status = check_views(agents_); !status.ok()) { return status; }
    const std::size_t count = agents_.positions.count;
    if (count > kMostInCrowd) { return {Cause::too_many, Argument::positions, kMostInCrowd}; }
    if (!state_.configured) {
        if (count == 0) {
            state_.kind = kind_of(agents_);
            step_ = Step::done;
            return {};
        }
        if (const Status status = lay_out_first(); !status.ok()) { return status; }
    }
    if (const Status status = state_.find_dead(count); !status.ok()) { return status; }
    if (named_ && !state_.named_by_handles) {
        state_.dead.assign(named_->missing.begin(), named_->missing.end());
    }
    if (state_.fit.is_due && part_ == nullptr && !compared_) {
        try {
            lay_out_again();
        } catch (const std::bad_alloc&) {
            compared_ = true; // the present cells are right, too
        }
    }
    State& target = *target_;
    kind_ = kind_of(agents_);
    if (!kind_.own_half_extents) {
        if (const Status status = clear_giants(); !status.ok()) { return status; }
        begin_placing(agents_, state_.dead);
        return {};
    }
    if (const Status status = target.prepare_spare(); !status.ok()) { return status; }
    step_ = Step::split;
    target.split.begin(count);
    loop = {SizeSplit<Dim>::blocks_of(count), SizeSplit<Dim>::cost_of(count)};
    return {};
}

template <std::size_t Dim>
Status CrowdUpdate<Dim>::lay_out_first() {
    first_ = std::make_unique<State>();
    Status status = first_->become_like(state_);
    if (status.ok()) { status = first_->lay_out_for(named_ ? named_->given : agents_); }
    target_ = first_.get();
    return status;
}

/// Compares cells, and lays others in a separate crowd if they would suit the agents better: old
/// and new agents lie side by side for a while.
template <std::size_t Dim>
void CrowdUpdate<Dim>::lay_out_again() {
    compared_ = true;
    const std::size_t count = agents_.positions.count;
    if (count - state_.dead.size() < CellFit::kFewest) { return; }
    // Arrays may hold anything for ids without an agent.
    std::array<Vector<float>, Dim> position, half;
    Agents<Dim> living = agents_;
    if (!state_.dead.empty()) {
        const bool own = kind_of(agents_).own_half_extents;
        SkippedIds{state_.dead}.between(0, count, [&](std::size_t from, std::size_t to) {
            for (std::size_t a = 0; a < Dim; ++a) {
                for (std::size_t i = from; i < to; ++i) {
                    position[a].push_back(agents_.positions.values(a)[i]);
                    if (own) { half[a].push_back(agents_.half_extents.values(a)[i]); }
                }
            }
        });
        living.positions = view_of(position, position[0].size());
        if (own) { living.half_extents = view_of(half, half[0].size()); }
        living.groups = {};
    }
    const GridShape<Dim>& present = state_.grid.shape();
    const auto [shape, refused] = refitted_shape(state_.settings, living, present);
    // Refused agents are refused again, with their index, by the update.
    if (!refused.ok() || shape == present) { return; }
    auto next = std::make_unique<State>();
    next->settings = state_.settings;
    next->world = state_.world;
    if (!next->lay_out(shape, kind_of(agents_)).ok()) { return; }
    first_ = std::move(next);
    target_ = first_.get();
    relays_ = true;
}

/// Whether an update that moves to other cells has no memory for that; it then begins again, with
/// the present cells.
template <std::size_t Dim>
bool CrowdUpdate<Dim>::gives_up_cells() noexcept {
    if (!relays_) { return false; }
    relays_ = false;
    giants_change_ = false;
    grid_.reset();
    first_.reset();
    target_ = &state_;
    step_ = Step::keep; // its loop has run
    return true;
}

/// Empties the giants, for agents of one common extent; mostly there were none before.
template <std::size_t Dim>
Status CrowdUpdate<Dim>::clear_giants() {
    State& target = *target_;
    if (part_ != nullptr) { part_->giants.clear(); }
    if (target.giants.is_as_new(kind_.groups)) { return {}; }
    giants_change_ = true;
    const Status status = target.prepare_spare();
    return status.ok() ? target.spare->update(agents_, kind_, {}, {}, of_giants_) : status;
}

template <std::size_t Dim>
Status CrowdUpdate<Dim>::pack_giants() {
    State& target = *target_;
    giants_change_ = true;
    const std::span<const Id> giants = target.split.giants();
    const Status status = target.spare->update(agents_, kind_, giants, giants, of_giants_);
    return status.ok() ? pack_others(giants) : blamed(status);
}

/// All parts have the same giants. Sorted by key, these get the same layout in each part.
template <std::size_t Dim>
Status CrowdUpdate<Dim>::pack_part(const PartUpdate& part) {
    State& target = *target_;
    giants_change_ = true;
    const std::span<const Id> giants = target.split.giants();
    const std::size_t count = agents_.positions.count;
    if (giants.size() > kMostInCrowd - count) { return {Cause::too_many, Argument::positions}; }
    Vector<Id>& by_key = part.giants;
    by_key.assign(giants.begin(), giants.end());
    const std::span<const std::uint64_t> keys = part.keys;
    std::sort(by_key.begin(), by_key.end(), [&](Id a, Id b) { return keys[a] < keys[b]; });
    Vector<Id> names(giants.size());
    std::iota(names.begin(), names.end(), static_cast<Id>(count));
    const Status status = target.spare->update(agents_, kind_, by_key, names, of_giants_);
    return status.ok() ? pack_others(giants) : blamed(status);
}

/// Gives the grid the agents that are no giants.
template <std::size_t Dim>
Status CrowdUpdate<Dim>::pack_others(std::span<const Id> giants) {
    State& target = *target_;
    Agents<Dim> others = agents_;
    if (target.split.common() != nullptr) {
        others.half_extents = {};
        others.common_half_extent = *target.split.common();
    }
    const Vector<Id>& dead = state_.dead;
    target.skipped.resize(giants.size() + dead.size());
    std::merge(giants.begin(), giants.end(), dead.begin(), dead.end(), target.skipped.begin());
    begin_placing(others, target.skipped);
    return {};
}

template <std::size_t Dim>
void CrowdUpdate<Dim>::begin_placing(const Agents<Dim>& agents,
                                     std::span<const Id> skipped) noexcept {
    step_ = Step::place;
    grid_.emplace(detail::state_of(target_->grid), agents, SkippedIds{skipped}, threads_,
                  part_ == nullptr ? nullptr : &part_->commits);
}

template <std::size_t Dim>
void CrowdUpdate<Dim>::finish() noexcept {
    grid_.reset();
    if (giants_change_) { std::swap(target_->giants, *target_->spare); }
    target_->kind = kind_;
    static_assert(std::is_nothrow_move_assignable_v<State>);
    const CellFit fit = first_ || compared_ ? CellFit{} : state_.fit;
    if (first_) {
        std::swap(first_->handles, state_.handles);
        std::swap(first_->keys, state_.keys);
        std::swap(first_->statics, state_.statics);
        first_->named_by_handles = state_.named_by_handles;
        state_ = std::move(*first_);
    }
    state_.fit = fit;
    if (part_ == nullptr) { state_.look_at_fit(); }
    step_ = Step::done;
}

/// The first fault of all agents, with the caller's index, or else `status`: giants and the grid
/// check and number only their own agents.
template <std::size_t Dim>
Status CrowdUpdate<Dim>::blamed(const Status& status) const {
    if (!kind_.own_half_extents) { return status; }
    const Status fault = check_agents(agents_, std::span<const Id>(state_.dead));
    return fault.ok() ? status : fault;
}

template <std::size_t Dim>
Status Crowd<Dim>::replace(const Agents<Dim>& agents, Executor& executor) {
    State& state = *state_;
    return state.changing("Crowd::update", [&] {
        CrowdUpdate<Dim> update(state, agents, executor.threads(), executor);
        return run_sequence(update, state.claims, executor);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::replace(const WorldAgents<Dim>& agents, Executor& executor) {
    State& state = *state_;
    return state.changing("Crowd::update", [&] {
        CrowdUpdate<Dim> update(state, agents, executor.threads(), executor);
        return run_sequence(update, state.claims, executor);
    });
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
    SharedStatics<Dim> next;
    const Status status = next.fresh().update(kept, kind_of(kept), all, names, executor, progress);
    if (!status.ok()) {
        const bool of_values =
            status.argument == Argument::positions || status.argument == Argument::half_extents;
        return of_values ? blamed(status) : status;
    }
    next.fresh().release_staging(); // it is not updated again
    statics = std::move(next);
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::replace_statics(const Agents<Dim>& statics, Executor& executor,
                                   const Progress& progress) {
    return state_->changing("Crowd::set_statics",
                            [&] { return state_->build_statics(statics, executor, progress); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template class CrowdUpdate<Dim>;                                                               \
    template Status Crowd<Dim>::State::lay_out_for(const Agents<Dim>&);                            \
    template void Crowd<Dim>::State::look_at_fit() noexcept;                                       \
    template Status Crowd<Dim>::State::copy_agents(const State&);                                  \
    template Status Crowd<Dim>::State::become_like(const State&);                                  \
    template Status Crowd<Dim>::State::build_statics(const Agents<Dim>&, Executor&,                \
                                                     const Progress&);                             \
    template Status Crowd<Dim>::replace(const Agents<Dim>&, Executor&);                            \
    template Status Crowd<Dim>::replace(const WorldAgents<Dim>&, Executor&);                       \
    template Status Crowd<Dim>::replace_statics(const Agents<Dim>&, Executor&, const Progress&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
