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
                                  Executor& of_giants) noexcept
    : state_(state), target_(&state), edits_(edits), of_giants_(of_giants) {}

template <std::size_t Dim>
Status CrowdEditList<Dim>::next(Loop& loop) {
    loop = {};
    if (done_) { return {}; }
    if (!list_) {
        if (const Status status = begin(); !status.ok() || done_) { return status; }
    }
    Status status = list_->next(loop);
    if (!status.ok()) {
        if (shared_out_ && status.argument == Argument::edits) {
            status.index = index_of_small_[status.index];
        }
        return status;
    }
    if (loop.blocks == 0) { finish(); }
    return {};
}

template <std::size_t Dim>
void CrowdEditList<Dim>::run(std::size_t block) {
    list_->run(block);
}

template <std::size_t Dim>
Status CrowdEditList<Dim>::begin() {
    if (target_->world.wraps) {
        kept_.assign(edits_.begin(), edits_.end());
        for (Edit<Dim>& edit : kept_) {
            edit.agent.position = target_->world.kept(edit.agent.position);
        }
        edits_ = kept_;
    }
    if (edits_.size() == 1 && is_static(edits_.front().id)) { return change_one_static(); }
    if (!target_->configured) {
        if (const Status status = lay_out_first(); !status.ok()) { return status; }
    }
    const auto of_static = [](const Edit<Dim>& edit) { return is_static(edit.id); };
    if ((target_->configured || std::any_of(edits_.begin(), edits_.end(), of_static)) &&
        !are_all_for_grid()) {
        if (const Status status = share_out(); !status.ok()) { return status; }
        shared_out_ = true;
        edits_ = small_;
        if (small_.empty() && !giants_change_) {
            finish();
            return {};
        }
    }
    list_.emplace(detail::state_of(target_->grid), edits_, of_giants_.threads());
    return {};
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
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a].push_back(edit.agent.position[a]);
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

/// Whether no edit is of a giant, and the grid refuses what the crowd refuses. The grid would take
/// larger ids, and wants no extents if all of its agents have one.
template <std::size_t Dim>
bool CrowdEditList<Dim>::are_all_for_grid() const noexcept {
    return target_->giants.size() == 0 && target_->grid.kind() == target_->kind &&
           std::all_of(edits_.begin(), edits_.end(), [&](const Edit<Dim>& edit) {
               return !is_static(edit.id) &&
                      (edit.kind != Edit<Dim>::Kind::insert ||
                       (edit.id < kMostInCrowd && check_agent(edit.agent, target_->kind).ok() &&
                        target_->fits_grid(edit.agent)));
           });
}

/// Makes a list of one edit of a static in place: no later edit can fail and leave half a list.
template <std::size_t Dim>
Status CrowdEditList<Dim>::change_one_static() {
    done_ = true;
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

/// Lists the edits that are for the grid, and applies those of giants to the spare giants.
template <std::size_t Dim>
Status CrowdEditList<Dim>::share_out() {
    GiantList<Dim> giants(*target_, edits_of_giants());
    // The agents that have come or gone so far, and whether each is in the grid now. Moves number
    // none: they are most of long lists, and the grid knows their agents.
    IndexMap ids;
    Vector<std::uint8_t> in_grid;
    ids.restart(static_cast<std::size_t>(
        std::count_if(edits_.begin(), edits_.end(),
                      [](const Edit<Dim>& edit) { return edit.kind != Edit<Dim>::Kind::move; })));
    for (std::size_t i = 0; i < edits_.size(); ++i) {
        Edit<Dim> edit = edits_[i];
        if (is_static(edit.id)) {
            const Status status = change_static(edit);
            if (!status.ok()) { return of_edit(status) ? blamed_on_edit(status, i) : status; }
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
            edit.agent = as_kept(edit.agent, target_->grid.kind());
            small_.push_back(edit);
            index_of_small_.push_back(i);
            continue;
        }
        if (const Status made = giants.make(edit); !made.ok()) { return made; }
    }
    giants_change_ = giants.changed();
    return giants.end(of_giants_);
}

/// How many edits of the list are of giants, but for those of giants that come in the list: known
/// before any of them is made.
template <std::size_t Dim>
std::size_t CrowdEditList<Dim>::edits_of_giants() const noexcept {
    return static_cast<std::size_t>(
        std::count_if(edits_.begin(), edits_.end(), [&](const Edit<Dim>& edit) {
            const bool comes = edit.kind == Edit<Dim>::Kind::insert;
            // Most are of small agents, which the grid finds sooner.
            if (!comes && target_->grid.contains(edit.id)) { return false; }
            return target_->giants.contains(edit.id) ||
                   (comes && !is_static(edit.id) && check_agent(edit.agent, target_->kind).ok() &&
                    !target_->fits_grid(edit.agent));
        }));
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
    done_ = true;
}

template <std::size_t Dim>
Status Crowd<Dim>::State::change(std::span<const Edit<Dim>> edits, Executor& executor) {
    CrowdEditList<Dim> list(*this, edits, executor);
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
