#include "loose_tree.hpp"

#include "../../simd/isa/isa.hpp"
#include "../agents/validation.hpp"
#include "../answers/spatial_index.hpp"
#include "../core/profile_scope.hpp"
#include "state.hpp"

#include <utility>

namespace throng {

template <std::size_t Dim>
LooseTree<Dim>::LooseTree() : state_(detail::make_state<State>()) {}

template <std::size_t Dim>
Status LooseTree<Dim>::configure(const Box<Dim>& bounds, const CrowdKind<Dim>& kind) {
    const AccessCheck::Changing changing(state_->access);
    for (const Status& status : {check_bounds(bounds), check_kind(kind)}) {
        if (!status.ok()) { return status; }
    }
    CrowdKind<Dim> kept = kind;
    // With half extents of their own, agents do not use the common one, and it is unchecked. It may
    // be NaN, and as the largest half extent a NaN would lose hits.
    if (kept.own_half_extents) { kept.common_half_extent = {}; }
    state_->tree.restart(kept);
    return {};
}

template <std::size_t Dim>
Status LooseTree<Dim>::update(const Agents<Dim>& agents, Executor& executor,
                              const Progress& progress) {
    const ProfileScope profiled("LooseTree::update");
    const AccessCheck::Changing changing(state_->access);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    return state_->tree.update(agents, executor, progress);
}

template <std::size_t Dim>
Status LooseTree<Dim>::insert(Id id, const Agent<Dim>& agent) {
    const AccessCheck::Changing changing(state_->access);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    return state_->tree.insert(id, agent);
}

template <std::size_t Dim>
Status LooseTree<Dim>::erase(Id id) {
    const AccessCheck::Changing changing(state_->access);
    return state_->tree.erase(id);
}

template <std::size_t Dim>
Status LooseTree<Dim>::move(Id id, const Point<Dim>& position) {
    const AccessCheck::Changing changing(state_->access);
    return state_->tree.move(id, position);
}

template <std::size_t Dim>
void LooseTree<Dim>::clear() noexcept {
    const AccessCheck::Changing changing(state_->access);
    const CrowdKind<Dim> kind = state_->tree.store().kind;
    state_->tree.restart(kind);
}

template <std::size_t Dim>
void LooseTree<Dim>::release_staging() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->tree.release_staging();
}

template <std::size_t Dim>
std::size_t LooseTree<Dim>::size() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.size();
}

template <std::size_t Dim>
bool LooseTree<Dim>::contains(Id id) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.contains(id);
}

template <std::size_t Dim>
const CrowdKind<Dim>& LooseTree<Dim>::kind() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.store().kind;
}

template <std::size_t Dim>
MemoryUse LooseTree<Dim>::memory() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    MemoryUse use;
    use.nodes = state_->tree.store().leaves.bytes();
    use.tables = state_->tree.store().table_bytes();
    use.ids = state_->tree.id_bytes();
    use.staging = state_->tree.staging_bytes();
    return use;
}

template <std::size_t Dim>
const char* LooseTree<Dim>::validate() const {
    const AccessCheck::Reading reading(state_->access);
    return state_->tree.validate();
}

/// Visits nodes level by level, then the leaves.
template <std::size_t Dim>
void LooseTree<Dim>::visit_cells(IndexCellVisitor<Dim> visitor) const {
    const AccessCheck::Reading reading(state_->access);
    const TreeStore<Dim>& store = state_->tree.store();
    const TreeLayout& layout = store.layout;
    const Point<Dim> half =
        store.kind.own_half_extents ? Point<Dim>{} : store.kind.common_half_extent;
    const auto show = [&](const float* node, std::uint32_t c, std::uint32_t k,
                          std::uint32_t count) {
        Box<Dim> box = store.cover(node, c);
        if (!(box.lo[0] <= box.hi[0])) { return true; } // no agents
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = box.lo[a] - half[a];
            box.hi[a] = box.hi[a] + half[a];
        }
        return visitor({box, layout.levels - 1 - k, count});
    };
    for (std::uint32_t k = layout.levels; k-- > 1;) {
        for (std::uint32_t n = 0; n < layout.count[k] * TreeLayout::kWidth; ++n) {
            if (!show(store.node(k, n / TreeLayout::kWidth), n % TreeLayout::kWidth, k, 0)) {
                return;
            }
        }
    }
    bool goes_on = true;
    store.for_each_page([&](std::uint32_t page) {
        for (std::uint32_t c = 0; c < TreeLayout::kWidth && goes_on; ++c) {
            const std::uint32_t count = *store.in_leaf(page * TreeLayout::kWidth + c);
            goes_on = show(store.page_node(page), c, 0, count);
        }
    });
}

template class LooseTree<2>;
template class LooseTree<3>;

} // namespace throng
