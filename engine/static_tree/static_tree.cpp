#include "static_tree.hpp"

#include "../../simd/isa/isa.hpp"
#include "../agents/validation.hpp"
#include "../answers/spatial_index.hpp"
#include "../core/profile_scope.hpp"
#include "state.hpp"

#include <utility>

namespace throng {

template <std::size_t Dim>
StaticTree<Dim>::StaticTree() : state_(std::make_unique<State>()) {}
template <std::size_t Dim>
StaticTree<Dim>::~StaticTree() {
    State::expect_idle(state_);
}
template <std::size_t Dim>
StaticTree<Dim>::StaticTree(StaticTree&& other) noexcept : state_(std::move(other.state_)) {
    State::expect_idle(state_);
}
template <std::size_t Dim>
StaticTree<Dim>& StaticTree<Dim>::operator=(StaticTree&& other) noexcept {
    State::expect_idle(state_);
    State::expect_idle(other.state_);
    state_ = std::move(other.state_);
    return *this;
}

template <std::size_t Dim>
Status StaticTree<Dim>::configure(const Box<Dim>& bounds, const CrowdKind<Dim>& kind) {
    const AccessCheck::Changing changing(state_->access);
    for (const Status& status : {check_bounds(bounds), check_kind(kind)}) {
        if (!status.ok()) { return status; }
    }
    CrowdKind<Dim> kept = kind;
    // Not used, so not checked, and it may be NaN, which as the largest half extent would lose
    // hits.
    if (kept.own_half_extents) { kept.common_half_extent = {}; }
    state_->tree.restart(kept);
    return {};
}

template <std::size_t Dim>
Status StaticTree<Dim>::update(const Agents<Dim>& agents, Executor& executor,
                               const Progress& progress) {
    const ProfileScope profiled("StaticTree::update");
    const AccessCheck::Changing changing(state_->access);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    return state_->tree.update(agents, executor, progress);
}

template <std::size_t Dim>
Status StaticTree<Dim>::insert(Id id, const Agent<Dim>& agent) {
    const AccessCheck::Changing changing(state_->access);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    return state_->tree.insert(id, agent);
}

template <std::size_t Dim>
Status StaticTree<Dim>::erase(Id id) {
    const AccessCheck::Changing changing(state_->access);
    return state_->tree.erase(id);
}

template <std::size_t Dim>
void StaticTree<Dim>::prepare_move(Id id) {
    const AccessCheck::Changing changing(state_->access);
    state_->tree.prepare_move(id);
}

template <std::size_t Dim>
Status StaticTree<Dim>::move(Id id, const Point<Dim>& position) {
    const AccessCheck::Changing changing(state_->access);
    return state_->tree.move(id, position);
}

template <std::size_t Dim>
void StaticTree<Dim>::clear() noexcept {
    const AccessCheck::Changing changing(state_->access);
    const CrowdKind<Dim> kind = state_->tree.store().kind;
    state_->tree.restart(kind);
}

template <std::size_t Dim>
void StaticTree<Dim>::release_staging() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->tree.release_staging();
}

template <std::size_t Dim>
std::size_t StaticTree<Dim>::size() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.size();
}

template <std::size_t Dim>
bool StaticTree<Dim>::contains(Id id) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.contains(id);
}

template <std::size_t Dim>
const CrowdKind<Dim>& StaticTree<Dim>::kind() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.store().kind;
}

template <std::size_t Dim>
MemoryUse StaticTree<Dim>::memory() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    MemoryUse use;
    use.nodes = state_->tree.store().leaves.bytes();
    use.tables = state_->tree.store().nodes.bytes();
    use.ids = state_->tree.id_bytes();
    use.staging = state_->tree.staging_bytes();
    return use;
}

template <std::size_t Dim>
const char* StaticTree<Dim>::validate() const {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.validate();
}

/// Level by level, then the leaves, and at the end the leaves of agents that wait.
template <std::size_t Dim>
void StaticTree<Dim>::visit_cells(IndexCellVisitor<Dim> visitor) const {
    const AccessCheck::Reading reading(state_->access);
    const TreeStore<Dim>& store = state_->tree.store();
    const TreeLayout& layout = store.layout;
    if (state_->tree.size() == 0) { return; }
    const Point<Dim> half =
        store.kind.own_half_extents ? Point<Dim>{} : store.kind.common_half_extent;
    const auto show = [&](std::uint32_t k, std::uint32_t n, std::uint32_t count) {
        Box<Dim> box = store.cover(k, n);
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = box.lo[a] - half[a];
            box.hi[a] = box.hi[a] + half[a];
        }
        return visitor({box, layout.levels == 0 ? 0 : layout.levels - 1 - k, count});
    };
    const auto show_leaf = [&](std::uint32_t leaf) {
        std::uint32_t agents = 0;
        for (std::uint32_t i = 0; i < TreeLayout::kWidth; ++i) {
            agents += store.id(leaf * TreeLayout::kWidth + i) != kNoId ? 1 : 0;
        }
        return show(0, leaf, agents);
    };
    for (std::uint32_t k = layout.levels; k-- > 1;) {
        for (std::uint32_t n = 0; n < layout.count[k - 1]; ++n) {
            if (!show(k, n, 0)) { return; }
        }
    }
    for (std::uint32_t leaf = 0; leaf < layout.leaves(); ++leaf) {
        if (!show_leaf(leaf)) { return; }
    }
    const std::uint32_t first = layout.first_waiting() / TreeLayout::kWidth;
    const std::uint32_t used = (store.waiting + TreeLayout::kWidth - 1) / TreeLayout::kWidth;
    for (std::uint32_t leaf = first; leaf < first + used; ++leaf) {
        if (!show_leaf(leaf)) { return; }
    }
}

template class StaticTree<2>;
template class StaticTree<3>;

} // namespace throng
