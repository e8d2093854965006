#include "../obstacles.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"
#include "../../core/profile_scope.hpp"
#include "state.hpp"

#include <utility>

namespace throng {

template <std::size_t Dim>
Obstacles<Dim>::State::State() {
    // Cannot fail: the bounds are not used, and every obstacle has a half extent and groups.
    (void)tree.configure({}, {true, true, {}});
}

template <std::size_t Dim>
void Obstacles<Dim>::State::clear() noexcept {
    tree.clear();
    records.clear();
    slots.clear();
    free.clear();
    around = {around.world};
}

template <std::size_t Dim>
Obstacles<Dim>::Obstacles() : state_(detail::make_state<State>()) {}

template <std::size_t Dim>
Status Obstacles<Dim>::set(const ObstacleArrays<Dim>& arrays, Executor& executor) {
    const ProfileScope profiled("Obstacles::set");
    const AccessCheck::Changing changing(state_->access);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    return state_->set(arrays, executor);
}

template <std::size_t Dim>
Status Obstacles<Dim>::configure(const Box<Dim>& bounds, const std::array<bool, Dim>& periodic) {
    const AccessCheck::Changing changing(state_->access);
    WorldWrap<Dim> world;
    Status status = check_bounds(bounds);
    if (status.ok()) { status = world.wrap(bounds, periodic); }
    if (!status.ok()) { return status; }
    state_->clear();
    state_->around.world = world;
    return {};
}

template <std::size_t Dim>
void Obstacles<Dim>::clear() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->clear();
}

template <std::size_t Dim>
void Obstacles<Dim>::release_staging() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->tree.release_staging();
}

template <std::size_t Dim>
std::size_t Obstacles<Dim>::size() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.size();
}

template <std::size_t Dim>
bool Obstacles<Dim>::contains(Id id) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->slot_of(id) != obstacle::kNowhere;
}

template <std::size_t Dim>
MemoryUse Obstacles<Dim>::memory() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    MemoryUse use = state_->tree.memory();
    use.nodes += state_->records.capacity() * sizeof(obstacle::Record<Dim>);
    use.ids += (state_->slots.capacity() + state_->free.capacity()) * sizeof(std::uint32_t);
    return use;
}

template <std::size_t Dim>
const char* Obstacles<Dim>::validate() const {
    const AccessCheck::Reading reading(state_->access);
    return state_->validate();
}

template class Obstacles<2>;
template class Obstacles<3>;

} // namespace throng
