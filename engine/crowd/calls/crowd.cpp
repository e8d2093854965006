#include "../crowd.hpp"

#include "../../agents/validation.hpp"
#include "../periodic/periodic.hpp"
#include "../store/state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace throng {

template <std::size_t Dim>
Crowd<Dim>::Crowd() : state_(detail::make_state<State>()) {}

template <std::size_t Dim>
Status Crowd<Dim>::State::lay_out(const GridShape<Dim>& shape, const CrowdKind<Dim>& of_agents,
                                  const Box<Dim>& over) {
    RowGrid<Dim> empty;
    Giants none;
    for (const Status& status :
         {empty.use(shape, of_agents), none.configure(over, of_agents.groups)}) {
        if (!status.ok()) { return status; }
    }
    grid = std::move(empty);
    giants = std::move(none);
    spare = {};
    spare_statics = {};
    laid_over = over;
    kind = of_agents;
    if (kind.own_half_extents) { kind.common_half_extent = {}; }
    configured = true;
    return {};
}

namespace {

/// Sets `world` to what the settings ask for. Returns ok, or why the settings are refused.
template <std::size_t Dim>
Status check_world(const CrowdSettings<Dim>& settings, WorldWrap<Dim>& world) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!std::isfinite(settings.origin[a])) { return {Cause::not_finite, Argument::origin, a}; }
        if (settings.periodic[a] && !settings.bounds) { return {Cause::missing, Argument::bounds}; }
    }
    world.origin = settings.origin;
    return settings.bounds ? world.wrap(*settings.bounds, settings.periodic) : Status{};
}

} // namespace

template <std::size_t Dim>
Status Crowd<Dim>::State::prepare_spare() {
    if (spare) { return {}; }
    Giants next;
    const Status status = next.configure(laid_over, kind.groups);
    if (status.ok()) { spare.put(std::move(next)); }
    return status;
}

template <std::size_t Dim>
Status Crowd<Dim>::configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind) {
    const AccessCheck::Changing changing(state_->access);
    if (const Status status = check_kind(kind); !status.ok()) { return status; }
    if (settings.cell && !settings.bounds) { return {Cause::missing, Argument::bounds}; }
    if (settings.bounds) {
        const Status status = check_bounds(*settings.bounds);
        if (!status.ok()) { return status; }
    }
    return with_own_memory(settings.memory, [&]() -> Status {
        auto next = detail::make_state<State>();
        const Status world = check_world(settings, next->world);
        if (!world.ok()) { return world; }
        next->settings = settings;
        next->kind = kind;
        if (next->kind.own_half_extents) { next->kind.common_half_extent = {}; }
        if (settings.cell) {
            const auto [shape, status] = shape_over(*settings.bounds, *settings.cell);
            if (!status.ok()) { return status; }
            const Status laid = next->lay_out(shape, kind);
            if (!laid.ok()) { return laid; }
        }
        static_assert(std::is_nothrow_move_assignable_v<State>);
        *state_ = std::move(*next);
        return {};
    });
}

template <std::size_t Dim>
void Crowd<Dim>::clear() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->grid.clear();
    state_->giants.clear();
    state_->handles.clear();
    state_->named_by_handles = false;
    state_->keys.clear();
}

template <std::size_t Dim>
std::size_t Crowd<Dim>::order(std::span<Id> out) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    const std::size_t small = state_->grid.order(out);
    return small + state_->giants.names(out.subspan(std::min(small, out.size())));
}

template <std::size_t Dim>
std::size_t Crowd<Dim>::size(Sets sets) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return (has(sets, Sets::small) ? state_->grid.size() : 0) +
           (has(sets, Sets::giants) ? state_->giants.size() : 0) +
           (has(sets, Sets::statics) ? state_->statics->size() : 0);
}

template <std::size_t Dim>
bool Crowd<Dim>::contains(Id id, Sets sets) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return (has(sets, Sets::small) && state_->grid.contains(id)) ||
           (has(sets, Sets::giants) && state_->giants.contains(id)) ||
           (has(sets, Sets::statics) && is_static(id) && state_->statics->contains(id));
}

template <std::size_t Dim>
std::size_t Crowd<Dim>::id_bound() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return std::max(state_->grid.id_bound(), state_->giants.name_bound());
}

template <std::size_t Dim>
const CrowdKind<Dim>& Crowd<Dim>::kind() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->kind;
}

template <std::size_t Dim>
const CrowdSettings<Dim>& Crowd<Dim>::settings() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->settings;
}

template <std::size_t Dim>
const RowGrid<Dim>& Crowd<Dim>::grid() const noexcept {
    return state_->grid;
}

template <std::size_t Dim>
std::array<NamedGrid<Dim>, 3> Crowd<Dim>::grids() const noexcept {
    const State& state = *state_;
    return {NamedGrid<Dim>(state.grid), state.giants.named_grid(), state.statics->named_grid()};
}

template <std::size_t Dim>
MemoryUse Crowd<Dim>::memory() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    MemoryUse use = state_->grid.memory();
    for (const MemoryUse& more : {state_->giants.memory(), state_->statics->memory()}) {
        use.nodes += more.nodes;
        use.tables += more.tables;
        use.rows += more.rows;
        use.marks += more.marks;
        use.ids += more.ids;
        use.staging += more.staging;
    }
    use.ids += state_->handles.memory() + state_->keys.capacity() * sizeof(std::uint64_t);
    use.staging += (state_->dead.capacity() + state_->skipped.capacity()) * sizeof(Id);
    use.staging += state_->spare.memory() + state_->spare_statics.memory() + state_->split.bytes() +
                   state_->claims.memory() + state_->named.bytes();
    for (const Vector<float>& axis : state_->kept_positions) {
        use.staging += axis.capacity() * sizeof(float);
    }
    return use;
}

template <std::size_t Dim>
void Crowd<Dim>::State::release_staging() noexcept {
    grid.release_staging();
    giants.release_staging();
    statics.release_staging();
    spare = {};
    spare_statics = {};
    split = {};
    claims = LoopClaims(); // with {} clang 14 and libc++ leave out the temporary's destructor
    kept_positions = {};
    named = NamedArrays(); // as above
    dead = Vector<Id>();   // with {} the vectors keep their memory
    skipped = Vector<Id>();
    // Room for keys that a call has left which failed, or that came before clear().
    if (keys.empty()) { keys = Vector<std::uint64_t>(); }
}

template <std::size_t Dim>
void Crowd<Dim>::release_staging() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->release_staging();
}

template <std::size_t Dim>
void Crowd<Dim>::visit_cells(IndexCellVisitor<Dim> visitor) const {
    const AccessCheck::Reading reading(state_->access);
    bool more = true;
    const auto until_enough = [&](const IndexCell<Dim>& cell) { return more = visitor(cell); };
    state_->grid.visit_cells(until_enough);
    if (more && state_->giants.size() != 0) { state_->giants.visit_cells(visitor); }
}

/// The first inconsistency between grid, giants and crowd, or null.
template <std::size_t Dim>
const char* Crowd<Dim>::State::fault_of_giants() const {
    const bool laid = grid.shape().cells[0] != 0;
    if (laid != configured || giants.is_laid() != configured) {
        return "a crowd's grid and giants are not laid out as it says";
    }
    if (statics->world()) { return "statics are laid out for more"; }
    if (!configured) { return nullptr; }
    if (!giants.world() || *giants.world() != laid_over) {
        return "giants lie over another world than the crowd";
    }
    if (kind.own_half_extents ? giants.keeps_groups() != kind.groups : giants.size() != 0) {
        return "giants keep masks where others do not, or the other way round";
    }
    if (grid.kind().groups != kind.groups || (!kind.own_half_extents && grid.kind() != kind)) {
        return "the grid keeps something else than the crowd";
    }
    for (const Id name : giants.name_of_slot()) {
        if (name != kNoId && grid.contains(name)) {
            return "an agent is in the grid and among the giants";
        }
    }
    return nullptr;
}

/// The first inconsistency between handles and agents, or null.
template <std::size_t Dim>
const char* Crowd<Dim>::State::fault_of_names() const {
    // A crowd named by handles has given out at least one handle, so its table has a slot.
    if (named_by_handles != (handles.bound() != 0)) {
        return "agents are named by handles, and there are none; or the other way round";
    }
    if (handles.size() != (named_by_handles ? size() : 0)) {
        return "there are more or fewer handles than agents";
    }
    for (std::size_t slot = 0; slot < handles.bound(); ++slot) {
        const auto id = static_cast<Id>(slot);
        if (handles.alive(id) != has_agent(id)) { return "a handle of an agent that is not there"; }
        if (!handles.alive(id) && id < keys.size() && keys[id] != 0) {
            return "a key of an agent that is not there";
        }
    }
    if (keys.size() > handles.bound()) { return "a key of a slot that was never used"; }
    return nullptr;
}

template <std::size_t Dim>
const char* Crowd<Dim>::validate() const {
    const AccessCheck::Reading reading(state_->access);
    const State& state = *state_;
    for (const char* wrong :
         {state.grid.validate(), state.giants.validate(), state.statics->validate()}) {
        if (wrong != nullptr) { return wrong; }
    }
    if (const char* wrong = state.handles.validate(); wrong != nullptr) { return wrong; }
    if (const char* wrong = state.fault_of_giants(); wrong != nullptr) { return wrong; }
    if (const char* wrong = state.fault_of_names(); wrong != nullptr) { return wrong; }
    if (!State::PeriodicCopies::all_inside(state)) {
        return "an agent is outside a periodic world";
    }
    return nullptr;
}

template class Crowd<2>;
template class Crowd<3>;

} // namespace throng
