#include "loose_tree.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../agents/validation.hpp"
#include "../../core/profile_scope.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace throng {

namespace {

template <std::size_t Dim>
bool extents_are_sound(const Agents<Dim>& agents) noexcept {
    bool sound = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        const ValueView<float> extents = agents.half_extents.values(a);
        for (std::size_t i = 0; i < agents.positions.count; ++i) {
            sound = sound && extents[i] >= 0.0f && extents[i] <= kLargest;
        }
    }
    return sound;
}

/// Where a grid would lay its cells.
template <std::size_t Dim>
Box<Dim> box_of(const GridShape<Dim>& shape) noexcept {
    Box<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a] = shape.origin[a];
        const float width = static_cast<float>(shape.cells[a]) / shape.inverse_cell[a];
        box.hi[a] = box.lo[a] + (std::isfinite(width) ? width : 0.0f);
    }
    return box;
}

} // namespace

template <std::size_t Dim>
LooseTree<Dim>::LooseTree() : state_(std::make_unique<State>()) {}
template <std::size_t Dim>
LooseTree<Dim>::~LooseTree() = default;
template <std::size_t Dim>
LooseTree<Dim>::LooseTree(LooseTree&&) noexcept = default;
template <std::size_t Dim>
LooseTree<Dim>& LooseTree<Dim>::operator=(LooseTree&&) noexcept = default;

template <std::size_t Dim>
void LooseTree<Dim>::State::clear() noexcept {
    store.clear();
    blocks.clear();
    blocks.add(Block::empty(kNoNode, 0, kNoBucket)); // there is room: there always was a root
    slot_of_id.clear();
    count = 0;
    widest = {};
}

template <std::size_t Dim>
Status LooseTree<Dim>::configure(const Box<Dim>& bounds, const CrowdKind<Dim>& kind,
                                 unsigned deepest) {
    const AccessCheck::Changing changing(state_->access);
    for (const Status& status : {check_bounds(bounds), check_kind(kind)}) {
        if (!status.ok()) { return status; }
    }
    if (deepest < kShallowest || deepest > kDeepest) {
        return {Cause::out_of_range, Argument::range};
    }
    CrowdKind<Dim> kept = kind;
    if (kept.own_half_extents) { kept.common_half_extent = {}; } // not checked
    // Gives up all buckets: those there are may be too short for agents with more fields.
    state_->store = BucketStore<Dim>();
    state_->bucket_room = 0;
    state_->clear();
    state_->store.configure(kept);
    state_->lattice = TreeLattice<Dim>(bounds);
    state_->deepest = deepest;
    state_->configured = true;
    return {};
}

template <std::size_t Dim>
Status LooseTree<Dim>::update(const Agents<Dim>& agents, Executor&) {
    const ProfileScope profiled("LooseTree::update");
    const AccessCheck::Changing changing(state_->access);
    State& state = *state_;
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (const Status status = check_views(agents); !status.ok()) { return status; }
    const CrowdKind<Dim> kind = kind_of(agents);
    const std::size_t count = agents.positions.count;

    TreeLattice<Dim> lattice = state.lattice;
    if (!state.configured && count != 0) {
        const ShapeOrStatus<Dim> shape = shape_for(agents);
        if (!shape.status.ok()) { return shape.status; }
        lattice = TreeLattice<Dim>(box_of(shape.shape));
    }
    // Up to "Nothing fails from here on" below, only scratch memory is touched.
    if (!state.sort.sort(agents, lattice, state.deepest) ||
        (kind.own_half_extents && !extents_are_sound(agents))) {
        return check_agents(agents); // names the first fault
    }
    const std::size_t buckets = state.sort.buckets();
    // A little more than asked, so that a crowd whose density breathes does not reallocate.
    if (buckets > state.bucket_room) { state.bucket_room = buckets + buckets / 16; }
    state.store.reserve(state.bucket_room, kind);
    state.slot_of_id.reserve(count);
    state.leaf_of_bucket.reserve(state.bucket_room);

    // Nothing fails from here on.
    state.store.configure(kind);
    state.slot_of_id.resize(count);
    state.leaf_of_bucket.resize(std::max(buckets, state.leaf_of_bucket.size()));
    state.widest = {};
    state.widen(
        state.sort.fill(agents, state.store, state.slot_of_id.data(), state.leaf_of_bucket.data()));
    std::swap(state.blocks, state.sort.blocks());
    state.block_room = state.blocks.bound();
    state.count = count;
    state.lattice = lattice;
    state.configured = state.configured || count != 0;
    return {};
}

template <std::size_t Dim>
void LooseTree<Dim>::clear() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->clear();
}

template <std::size_t Dim>
void LooseTree<Dim>::visit_cells(IndexCellVisitor<Dim> visitor) const {
    const AccessCheck::Reading reading(state_->access);
    const State& state = *state_;
    using Coordinates = typename State::Coordinates;
    struct Waiting {
        std::uint32_t node;
        Coordinates coordinates;
    };
    std::array<Waiting, kMostWaiting<Dim>> stack;
    std::size_t waiting = 0;
    stack[waiting++] = {0, Coordinates{}};
    while (waiting > 0) {
        const auto [node, coordinates] = stack[--waiting];
        const LooseBlock<Dim>& block = state.block_of(node);
        const std::uint32_t c = node % State::kChildren;
        const bool inner = block.is_inner(c);
        const Box<Dim> square = state.lattice.square(coordinates, block.depth);
        if (!visitor({square, block.depth, inner ? 0 : block.count[c]})) { return; }
        if (!inner) { continue; }
        for (std::uint32_t child = State::kChildren; child-- > 0;) {
            stack[waiting++] = {block.first[c] * State::kChildren + child,
                                state.lattice.within(coordinates, block.depth, child)};
        }
    }
}

template <std::size_t Dim>
std::size_t LooseTree<Dim>::size() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->count;
}

template <std::size_t Dim>
bool LooseTree<Dim>::contains(Id id) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->slot_of(id) != State::kNoSlot;
}

template <std::size_t Dim>
const CrowdKind<Dim>& LooseTree<Dim>::kind() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->store.kind();
}

template <std::size_t Dim>
MemoryUse LooseTree<Dim>::memory() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    const State& state = *state_;
    MemoryUse use;
    use.nodes = state.store.memory();
    use.tables = state.blocks.memory() + state.leaf_of_bucket.capacity() * sizeof(std::uint32_t);
    use.ids = state.slot_of_id.capacity() * sizeof(std::uint32_t);
    use.staging = state.sort.memory();
    return use;
}

template class LooseTree<2>;
template class LooseTree<3>;

} // namespace throng
