// Inserts, erases and moves agents of a crowd, one by one or in a list.
#include "edit.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"
#include "../../memory/index_map.hpp"
#include "giant_list.hpp"

#include <algorithm>
#include <utility>

namespace throng {

namespace {

/// The agent, as a grid of this kind takes it.
template <std::size_t Dim>
Agent<Dim> as_kept(Agent<Dim> agent, const CrowdKind<Dim>& kind) noexcept {
    if (!kind.own_half_extents) { agent.half_extent.reset(); }
    return agent;
}

/// Whether an edit is to blame, and not the crowd or the machine.
bool of_edit(const Status& status) noexcept {
    return status.argument == Argument::id || status.argument == Argument::positions ||
           status.argument == Argument::half_extents || status.argument == Argument::groups;
}

/// Edits in a block, and nanoseconds for a look at one.
constexpr std::size_t kEditsInBlock = 1024;
constexpr double kLook = 4.0;

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
    if (is_static(id)) { return change_static(statics, Edit<Dim>::insert(id, given)); }
    Agent<Dim> agent = given;
    agent.position = world.kept(given.position);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (id >= kMostInCrowd) { return {Cause::too_many, Argument::id, id}; }
    if (const Status status = check_agent(agent, kind); !status.ok()) { return status; }
    if (!configured) {
        const Edit<Dim> first = Edit<Dim>::insert(id, given);
        return change({&first, 1}, serial_executor());
    }
    if (has_agent(id)) { return {Cause::id_taken, Argument::id, id}; }
    if (fits_grid(agent)) { return grid.insert(id, as_kept(agent, grid.kind())); }
    return giants.insert(id, agent.position, *agent.half_extent, agent.groups.value_or(0));
}

template <std::size_t Dim>
Status Crowd<Dim>::State::edit_giants(Giants& giants, const Edit<Dim>& edit) {
    switch (edit.kind) {
    case Edit<Dim>::Kind::insert:
        return giants.insert(edit.id, edit.agent.position, *edit.agent.half_extent,
                             edit.agent.groups.value_or(0));
    case Edit<Dim>::Kind::erase:
        return giants.erase(edit.id);
    case Edit<Dim>::Kind::move:
        break;
    }
    return giants.move(edit.id, edit.agent.position);
}

template <std::size_t Dim>
Status Crowd<Dim>::State::erase(Id id) {
    if (is_static(id)) { return change_static(statics, Edit<Dim>::erase(id)); }
    return giants.contains(id) ? giants.erase(id) : grid.erase(id);
}

template <std::size_t Dim>
Status Crowd<Dim>::State::move(Id id, const Point<Dim>& given) {
    if (is_static(id)) { return change_static(statics, Edit<Dim>::move(id, given)); }
    const Point<Dim> position = world.kept(given);
    if (!giants.contains(id)) { return grid.move(id, position); }
    const Status status = check_point(position, Argument::positions);
    return status.ok() ? giants.move(id, position) : status;
}

template <std::size_t Dim>
Status Crowd<Dim>::insert(Id id, const Agent<Dim>& agent) {
    return state_->changing("Crowd::insert", [&]() -> Status {
        if (state_->refuses_id(id)) { return {Cause::other_names, Argument::id, id}; }
        return state_->insert(id, agent);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::erase(Id id) {
    return state_->changing("Crowd::erase", [&]() -> Status {
        if (state_->refuses_id(id)) { return {Cause::other_names, Argument::id, id}; }
        return state_->erase(id);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::move(Id id, const Point<Dim>& position) {
    return state_->changing("Crowd::move", [&]() -> Status {
        if (state_->refuses_id(id)) { return {Cause::other_names, Argument::id, id}; }
        return state_->move(id, position);
    });
}

template <std::size_t Dim>
CrowdEditList<Dim>::CrowdEditList(State& state, std::span<const Edit<Dim>> edits,
                                  std::size_t threads, Executor& of_giants) noexcept
    : state_(state), target_(&state), edits_(edits), threads_(threads), of_giants_(of_giants) {}

template <std::size_t Dim>
Status CrowdEditList<Dim>::next(Loop& loop) {
    loop = {};
    if (step_ == Step::none) {
        if (const Status status = begin(loop); !status.ok() || loop.blocks != 0) { return status; }
    }
    if (step_ == Step::look) {
        if (const Status status = make_others(); !status.ok()) { return status; }
    }
    return step_ == Step::done ? Status{} : next_of_grid(loop);
}

template <std::size_t Dim>
void CrowdEditList<Dim>::run(std::size_t block) {
    if (step_ == Step::look) {
        look_at_block(block);
    } else {
        list_->run(block);
    }
}

template <std::size_t Dim>
Status CrowdEditList<Dim>::begin(Loop& loop) {
    if (edits_.size() == 1 && is_static(edits_.front().id)) { return change_one_static(); }
    if (!target_->configured) {
        if (const Status status = lay_out_first(); !status.ok()) { return status; }
    }
    if (target_->world.wraps) { kept_.resize(edits_.size()); }
    const std::size_t blocks = (edits_.size() + kEditsInBlock - 1) / kEditsInBlock;
    if (target_->giants.size() != 0) { owners_.resize(edits_.size()); }
    step_ = Step::look;
    if (blocks > 1) {
        loop = {blocks, LoopCost::of(edits_.size(), kLook)};
    } else if (blocks == 1) {
        look_at_block(0);
    }
    return {};
}

template <std::size_t Dim>
void CrowdEditList<Dim>::look_at_block(std::size_t block) {
    const std::size_t end = std::min((block + 1) * kEditsInBlock, edits_.size());
    for (std::size_t i = block * kEditsInBlock; i < end; ++i) {
        const Edit<Dim>* edit = &edits_[i];
        if (target_->world.wraps) {
            kept_[i] = *edit;
            kept_[i].agent.position = target_->world.kept(edit->agent.position);
            edit = &kept_[i];
        }
        const Owner owner = owner_of(*edit);
        if (!owners_.empty()) { owners_[i] = owner; }
        if (owner == Owner::not_known) { needs_order_.store(true, std::memory_order_relaxed); }
    }
}

/// The grid refuses what the crowd refuses of edits that are its own: but it would take larger ids,
/// and wants no extents if all of its agents have one.
template <std::size_t Dim>
typename CrowdEditList<Dim>::Owner
CrowdEditList<Dim>::owner_of(const Edit<Dim>& edit) const noexcept {
    if (is_static(edit.id)) { return Owner::not_known; }
    const bool comes = edit.kind == Edit<Dim>::Kind::insert;
    if (target_->giants.size() == 0) {
        const bool is_for_grid =
            !comes ||
            (target_->grid.kind() == target_->kind && edit.id < kMostInCrowd &&
             check_agent(edit.agent, target_->kind).ok() && target_->fits_grid(edit.agent));
        return is_for_grid ? Owner::grid : Owner::not_known;
    }
    if (edit.kind != Edit<Dim>::Kind::move ||
        !check_point(edit.agent.position, Argument::positions).ok()) {
        return Owner::not_known;
    }
    if (target_->grid.contains(edit.id)) { return Owner::grid; }
    return target_->giants.contains(edit.id) ? Owner::giants : Owner::not_known;
}

/// Makes the edits that are not for the grid.
template <std::size_t Dim>
Status CrowdEditList<Dim>::make_others() {
    if (!kept_.empty()) { edits_ = kept_; }
    const Status status = needs_order_ ? share_out() : move_giants();
    if (!status.ok()) { return status; }
    if (needs_order_ && elsewhere_.size() == edits_.size() && !giants_change_) {
        finish();
        return {};
    }
    list_.emplace(detail::state_of(target_->grid), GridEdits<Dim>{edits_, elsewhere_}, threads_);
    step_ = Step::make;
    return {};
}

/// Makes the edits of giants, where no edit is of another kind than a move.
template <std::size_t Dim>
Status CrowdEditList<Dim>::move_giants() {
    for (auto at = owners_.begin();; ++at) {
        at = std::find(at, owners_.end(), Owner::giants);
        if (at == owners_.end()) { break; }
        elsewhere_.push_back(static_cast<std::size_t>(at - owners_.begin()));
    }
    GiantList<Dim> giants(*target_, elsewhere_.size());
    for (const std::size_t i : elsewhere_) {
        if (const Status made = giants.make(edits_[i]); !made.ok()) { return made; }
    }
    giants_change_ = giants.changed();
    return giants.end(of_giants_);
}

template <std::size_t Dim>
Status CrowdEditList<Dim>::next_of_grid(Loop& loop) {
    const Status status = list_->next(loop);
    if (status.ok() && loop.blocks == 0) { finish(); }
    return status;
}

/// Lays cells that are fitted to the agents of the list, in a separate crowd: a list that is
/// refused leaves the crowd without.
template <std::size_t Dim>
Status CrowdEditList<Dim>::lay_out_first() {
    const CrowdKind<Dim>& kind = state_.kind;
    std::array<Vector<float>, Dim> position, half;
    bool any = false;
    for (const Edit<Dim>& edit : edits_) {
        if (edit.kind != Edit<Dim>::Kind::insert || is_static(edit.id)) { continue; }
        any = true;
        if (!check_agent(edit.agent, kind).ok()) { continue; } // refused later, with its index
        const Point<Dim> inside = state_.world.kept(edit.agent.position);
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a].push_back(inside[a]);
            if (kind.own_half_extents) { half[a].push_back((*edit.agent.half_extent)[a]); }
        }
    }
    if (!any) { return {}; }
    Agents<Dim> agents;
    agents.positions = view_of(position, position[0].size());
    agents.common_half_extent = kind.common_half_extent;
    if (kind.own_half_extents) { agents.half_extents = view_of(half, half[0].size()); }
    first_ = std::make_unique<State>();
    Status status = first_->become_like(state_);
    const auto [shape, refused] = fitted_shape(state_.settings, agents);
    if (status.ok()) { status = refused; }
    if (status.ok()) { status = first_->lay_out(shape, kind); }
    first_->fit.is_known = true;
    first_->fit.is_due = state_.settings.refits;
    target_ = first_.get();
    return status;
}

/// Makes a list of one edit of a static in place: no later edit can fail and leave half a list.
template <std::size_t Dim>
Status CrowdEditList<Dim>::change_one_static() {
    step_ = Step::done;
    const Status status = target_->change_static(target_->statics, edits_.front());
    return of_edit(status) ? blamed_on_edit(status, 0) : status;
}

/// Makes an edit of a static to the spare statics.
template <std::size_t Dim>
Status CrowdEditList<Dim>::change_static(const Edit<Dim>& edit) {
    const auto make = [&](SharedStatics<Dim>& statics, const Edit<Dim>& one) {
        return target_->change_static(statics, one);
    };
    if (!statics_change_) {
        const Status status = target_->spare_statics.renew(target_->statics, make);
        if (!status.ok()) { return status; }
        statics_change_ = true;
    }
    return target_->spare_statics.edit(edit, make);
}

/// Lists the edits that are not for the grid, and makes them to the spare giants and statics.
template <std::size_t Dim>
Status CrowdEditList<Dim>::share_out() {
    if (target_->grid.kind() != target_->kind && kept_.empty()) {
        kept_.assign(edits_.begin(), edits_.end());
        edits_ = kept_;
    }
    GiantList<Dim> giants(*target_, edits_of_giants());
    // The agents that have come or gone so far, and whether each is in the grid now. Moves number
    // none: they are most of long lists, and the grid knows their agents.
    IndexMap ids;
    Vector<std::uint8_t> in_grid;
    ids.restart(static_cast<std::size_t>(
        std::count_if(edits_.begin(), edits_.end(),
                      [](const Edit<Dim>& edit) { return edit.kind != Edit<Dim>::Kind::move; })));
    for (std::size_t i = 0; i < edits_.size(); ++i) {
        const Edit<Dim>& edit = edits_[i];
        // A move of an agent that was in the grid before the list, and has not left it.
        if (owner_at(i) == Owner::grid && ids.find(edit.id) == IndexMap::kNone) { continue; }
        if (is_static(edit.id)) {
            const Status status = change_static(edit);
            if (!status.ok()) { return of_edit(status) ? blamed_on_edit(status, i) : status; }
            elsewhere_.push_back(i);
            continue;
        }
        bool is_small = false;
        if (edit.id < kMostInCrowd) {
            const std::uint32_t number = ids.find(edit.id);
            is_small =
                number != IndexMap::kNone ? in_grid[number] != 0 : target_->grid.contains(edit.id);
        }
        const bool is_giant = !is_small && giants.contains(edit.id);
        Status status;
        bool to_grid = is_small;
        if (edit.kind == Edit<Dim>::Kind::insert) {
            status = check_agent(edit.agent, target_->kind);
            if (edit.id >= kMostInCrowd) { status.cause = Cause::too_many; }
            if (status.ok() && (is_small || is_giant)) { status.cause = Cause::id_taken; }
            if (status.ok()) { to_grid = target_->fits_grid(edit.agent); }
        } else {
            if (!is_small && !is_giant) { status.cause = Cause::id_unknown; }
            if (status.ok() && edit.kind == Edit<Dim>::Kind::move) {
                status = check_point(edit.agent.position, Argument::positions);
            }
        }
        if (!status.ok()) { return blamed_on_edit(status, i); }
        if (to_grid) {
            if (edit.kind != Edit<Dim>::Kind::move) {
                const std::uint32_t number = ids.number(edit.id);
                if (number == in_grid.size()) { in_grid.push_back(0); }
                in_grid[number] = edit.kind == Edit<Dim>::Kind::insert;
            }
            if (!kept_.empty()) { kept_[i].agent = as_kept(edit.agent, target_->grid.kind()); }
            continue;
        }
        elsewhere_.push_back(i);
        if (const Status made = giants.make(edit); !made.ok()) { return made; }
    }
    giants_change_ = giants.changed();
    return giants.end(of_giants_);
}

/// How many edits of the list are of giants, but for those of giants that come in the list: known
/// before any of them is made.
template <std::size_t Dim>
std::size_t CrowdEditList<Dim>::edits_of_giants() const noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < edits_.size(); ++i) {
        const Edit<Dim>& edit = edits_[i];
        if (owner_at(i) == Owner::grid) { continue; }
        const bool comes = edit.kind == Edit<Dim>::Kind::insert;
        const bool is_small = !comes && target_->grid.contains(edit.id);
        count += !is_small &&
                 (target_->giants.contains(edit.id) ||
                  (comes && !is_static(edit.id) && check_agent(edit.agent, target_->kind).ok() &&
                   !target_->fits_grid(edit.agent)));
    }
    return count;
}

template <std::size_t Dim>
void CrowdEditList<Dim>::finish() noexcept {
    list_.reset();
    if (giants_change_) { std::swap(target_->giants, *target_->spare); }
    if (statics_change_) {
        std::swap(target_->statics, *target_->spare_statics);
        // Frames keep the set that they share, so it cannot be the spare one.
        if (target_->spare_statics->is_shared()) { target_->spare_statics = {}; }
    }
    if (first_) {
        std::swap(first_->handles, state_.handles);
        std::swap(first_->keys, state_.keys);
        state_ = std::move(*first_);
        first_.reset();
        target_ = &state_;
    }
    step_ = Step::done;
}

template <std::size_t Dim>
Status Crowd<Dim>::State::change(std::span<const Edit<Dim>> edits, Executor& executor) {
    CrowdEditList<Dim> list(*this, edits, executor.threads(), executor);
    return run_sequence(list, claims, executor);
}

template <std::size_t Dim>
Status Crowd<Dim>::edit(std::span<const Edit<Dim>> edits, Executor& executor) {
    return state_->changing("Crowd::edit", [&]() -> Status {
        if (state_->refuses_ids(edits)) { return {Cause::other_names, Argument::edits}; }
        return state_->change(edits, executor);
    });
}

template <std::size_t Dim>
template <class Float>
Status Crowd<Dim>::State::move(const Names& names, const StridedPoints<Float, Dim>& positions,
                               Executor& executor) {
    const std::size_t count = positions.count;
    if (count != 0 && std::count(positions.axis.begin(), positions.axis.end(), nullptr) != 0) {
        return {Cause::null_pointer, Argument::positions};
    }
    if (const Status status = check_names(names, count); !status.ok()) { return status; }
    if (const Status status = check_handles(names); !status.ok()) { return status; }
    Vector<Edit<Dim>> edits(count);
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> to;
        for (std::size_t a = 0; a < Dim; ++a) {
            to[a] = world.kept(positions.values(a)[i], a);
        }
        edits[i] = Edit<Dim>::move(names.ids[i], to);
    }
    const Status status = change(edits, executor);
    if (status.argument != Argument::edits) { return status; }
    const bool of_name = status.cause == Cause::id_unknown;
    return {status.cause, of_name ? argument_of(names) : Argument::positions, status.index};
}

template <std::size_t Dim>
Status Crowd<Dim>::move(const Names& names, const PointView<Dim>& positions, Executor& executor) {
    return state_->changing("Crowd::move",
                            [&] { return state_->move(names, positions, executor); });
}

template <std::size_t Dim>
Status Crowd<Dim>::move(const Names& names, const WorldPointView<Dim>& positions,
                        Executor& executor) {
    return state_->changing("Crowd::move",
                            [&] { return state_->move(names, positions, executor); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template class CrowdEditList<Dim>;                                                             \
    template bool Crowd<Dim>::State::fits_grid(const Agent<Dim>&) const noexcept;                  \
    template Status Crowd<Dim>::State::insert(Id, const Agent<Dim>&);                              \
    template Status Crowd<Dim>::State::erase(Id);                                                  \
    template Status Crowd<Dim>::State::move(Id, const Point<Dim>&);                                \
    template Status Crowd<Dim>::insert(Id, const Agent<Dim>&);                                     \
    template Status Crowd<Dim>::erase(Id);                                                         \
    template Status Crowd<Dim>::move(Id, const Point<Dim>&);                                       \
    template Status Crowd<Dim>::move(const Names&, const PointView<Dim>&, Executor&);              \
    template Status Crowd<Dim>::move(const Names&, const WorldPointView<Dim>&, Executor&);         \
    template Status Crowd<Dim>::State::change(std::span<const Edit<Dim>>, Executor&);              \
    template Status Crowd<Dim>::edit(std::span<const Edit<Dim>>, Executor&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
