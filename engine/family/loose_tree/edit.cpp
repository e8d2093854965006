// One agent at a time, and the cleanup after them.
#include "loose_tree.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>

namespace throng {

template <std::size_t Dim>
void LooseTree<Dim>::State::reserve(std::size_t ids) {
    // A leaf that is split gives back its bucket first, and the agent that comes may want one.
    const std::size_t buckets = store.buckets() + kChildren + 1;
    store.reserve(buckets);
    // Buckets with holes among them are numbered further than there are.
    const std::size_t bound = store.begun() + kChildren + std::size_t{1};
    if (leaf_of_bucket.size() < bound) { leaf_of_bucket.resize(bound, kNoNode); }
    if (blocks.size() + kDeepestLeaf > block_room) {
        const std::size_t room =
            std::max(blocks.size() + kDeepestLeaf, block_room + block_room / 2);
        blocks.reserve(room);
        block_room = room;
    }
    if (slot_of_id.size() < ids) { slot_of_id.resize(ids, kNoSlot); }
}

template <std::size_t Dim>
void LooseTree<Dim>::State::mark_changed(std::uint32_t node) noexcept {
    while (node != kNoNode) {
        Block& block = block_of(node);
        const auto bit = static_cast<std::uint8_t>(1u << node % kChildren);
        if ((block.changed & bit) != 0) { return; } // then so have those above
        block.changed = static_cast<std::uint8_t>(block.changed | bit);
        node = block.parent;
    }
}

template <std::size_t Dim>
void LooseTree<Dim>::State::grow_up(std::uint32_t node, const Box<Dim>& cover) noexcept {
    while (node != kNoNode && block_of(node).grow(node % kChildren, cover)) {
        node = block_of(node).parent;
    }
}

template <std::size_t Dim>
void LooseTree<Dim>::State::add_to(std::uint32_t leaf, const Newcomer& agent) noexcept {
    const std::uint32_t slot = store.add(block_of(leaf).first[leaf % kChildren], agent.id,
                                         agent.position, agent.half, agent.groups);
    leaf_of_bucket[slot / BucketStore<Dim>::kRoom] = leaf;
    slot_of_id[agent.id] = slot;
}

template <std::size_t Dim>
void LooseTree<Dim>::State::add_below(std::uint32_t node, const Newcomer& agent) noexcept {
    const Coordinates coordinates = lattice.coordinates(agent.position);
    const Box<Dim> cover = cover_of(agent.position, agent.half);
    for (;;) {
        Block& block = block_of(node);
        const std::uint32_t c = node % kChildren;
        block.grow(c, cover);
        ++block.count[c];
        if (!block.is_inner(c)) {
            if (block.count[c] <= kMostInLeaf<Dim> || block.depth >= deepest) { break; }
            split(node);
        }
        node = block.first[c] * kChildren + lattice.child(coordinates, block.depth);
    }
    add_to(node, agent);
    mark_changed(node);
}

template <std::size_t Dim>
std::uint32_t LooseTree<Dim>::State::empty_leaf(std::uint32_t leaf, Newcomer* agents) noexcept {
    std::uint32_t& head = block_of(leaf).first[leaf % kChildren];
    std::uint32_t held = 0;
    while (head != kNoBucket) {
        const std::uint32_t last = head * BucketStore<Dim>::kRoom + store.count(head) - 1;
        agents[held++] = {store.id(last), store.position(last), store.half(last),
                          store.groups(last)};
        store.remove(head, last);
    }
    return held;
}

template <std::size_t Dim>
void LooseTree<Dim>::State::split(std::uint32_t leaf) noexcept {
    std::array<Newcomer, kMostInLeaf<Dim>> agents;
    const std::uint32_t held = empty_leaf(leaf, agents.data());
    const unsigned depth = block_of(leaf).depth;
    const std::uint32_t b = blocks.add(Block::empty(leaf, depth + 1, kNoBucket));
    for (std::uint32_t i = held; i-- > 0;) {
        const Newcomer& agent = agents[i];
        const std::uint32_t c = lattice.child(lattice.coordinates(agent.position), depth);
        blocks[b].grow(c, cover_of(agent.position, agent.half));
        ++blocks[b].count[c];
        add_to(b * kChildren + c, agent);
    }
    Block& block = block_of(leaf);
    const std::uint32_t c = leaf % kChildren;
    block.first[c] = b;
    block.inner = static_cast<std::uint8_t>(block.inner | 1u << c);
}

template <std::size_t Dim>
void LooseTree<Dim>::State::merge(std::uint32_t node) noexcept {
    Block& block = block_of(node);
    const std::uint32_t c = node % kChildren;
    const std::uint32_t b = block.first[c];
    std::array<Newcomer, kMostInLeaf<Dim>> agents;
    std::uint32_t held = 0;
    for (std::uint32_t child = 0; child < kChildren; ++child) {
        held += empty_leaf(b * kChildren + child, agents.data() + held);
    }
    blocks.remove(b);
    block.first[c] = kNoBucket;
    block.inner = static_cast<std::uint8_t>(block.inner & ~(1u << c));
    for (std::uint32_t i = 0; i < held; ++i) {
        add_to(node, agents[i]);
    }
}

template <std::size_t Dim>
void LooseTree<Dim>::State::take_out(std::uint32_t slot, unsigned depth) noexcept {
    std::uint32_t node = leaf_of(slot);
    const Id gone = store.id(slot);
    const Id moved = store.remove(block_of(node).first[node % kChildren], slot);
    if (moved != kNoId) { slot_of_id[moved] = slot; }
    slot_of_id[gone] = kNoSlot;
    mark_changed(node);
    for (; node != kNoNode && block_of(node).depth >= depth; node = block_of(node).parent) {
        --block_of(node).count[node % kChildren];
    }
}

template <std::size_t Dim>
Box<Dim> LooseTree<Dim>::State::fitted(std::uint32_t leaf) const noexcept {
    const Block& block = block_of(leaf);
    Block cover = Block::empty(kNoNode, 0, kNoBucket);
    for (std::uint32_t bucket = block.first[leaf % kChildren]; bucket != kNoBucket;
         bucket = store.next(bucket)) {
        for (std::uint32_t i = 0; i < store.count(bucket); ++i) {
            const std::uint32_t slot = bucket * BucketStore<Dim>::kRoom + i;
            cover.grow(0, cover_of(store.position(slot), store.half(slot)));
        }
    }
    return cover.cover(0);
}

template <std::size_t Dim>
Status LooseTree<Dim>::insert(Id id, const Agent<Dim>& agent) {
    const AccessCheck::Changing changing(state_->access);
    State& state = *state_;
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (const Status status = check_agent(agent, state.store.kind()); !status.ok()) {
        return status;
    }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (state.slot_of(id) != State::kNoSlot) { return {Cause::id_taken, Argument::id, id}; }
    state.reserve(std::size_t{id} + 1);

    const Point<Dim> half = agent.half_extent.value_or(state.store.kind().common_half_extent);
    if (!state.configured && state.count == 0) {
        // Room for about a thousand agents of this size side by side.
        float reach = 1.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            reach = std::max(reach, 512.0f * half[a]);
        }
        state.lattice = TreeLattice<Dim>(Box<Dim>::around(agent.position, Point<Dim>::all(reach)));
    }
    state.widen(half);
    state.add_below(0, {id, agent.position, half, agent.groups.value_or(kAllGroups)});
    ++state.count;
    return {};
}

template <std::size_t Dim>
Status LooseTree<Dim>::erase(Id id) {
    const AccessCheck::Changing changing(state_->access);
    const std::uint32_t slot = state_->slot_of(id);
    if (slot == State::kNoSlot) { return {Cause::id_unknown, Argument::id, id}; }
    state_->take_out(slot, 0);
    --state_->count;
    return {};
}

template <std::size_t Dim>
Status LooseTree<Dim>::move(Id id, const Point<Dim>& position) {
    const AccessCheck::Changing changing(state_->access);
    State& state = *state_;
    const std::uint32_t slot = state.slot_of(id);
    if (slot == State::kNoSlot) { return {Cause::id_unknown, Argument::id, id}; }
    if (const Status status = check_point(position, Argument::positions); !status.ok()) {
        return status;
    }
    const std::uint32_t leaf = state.leaf_of(slot);
    const Point<Dim> half = state.store.half(slot);
    const unsigned depth = state.block_of(leaf).depth;
    const unsigned common = state.lattice.common_depth(
        state.lattice.coordinates(state.store.position(slot)), state.lattice.coordinates(position));
    if (common >= depth) {
        state.store.set_position(slot, position);
        state.grow_up(leaf, cover_of(position, half));
        state.mark_changed(leaf);
        return {};
    }
    state.reserve(0);
    std::uint32_t node = leaf;
    for (unsigned d = depth; d > common; --d) {
        node = state.block_of(node).parent;
    }
    const typename State::Newcomer agent = {id, position, half, state.store.groups(slot)};
    state.take_out(slot, common);
    state.add_below(node, agent);
    state.grow_up(state.block_of(node).parent, cover_of(position, half));
    return {};
}

template <std::size_t Dim>
void LooseTree<Dim>::cleanup() noexcept {
    const AccessCheck::Changing changing(state_->access);
    State& state = *state_;
    using Block = typename State::Block;
    constexpr std::uint32_t kChildren = State::kChildren;
    struct Step {
        std::uint32_t block;
        std::uint32_t left;  // changed children that are still to be visited
        std::uint32_t again; // those that the next cleanup is to visit
    };
    std::array<Step, kDeepestLeaf + 1> path;
    std::size_t steps = 0;
    path[steps++] = {0, state.blocks[0].changed, 0};
    while (steps > 0) {
        Step& step = path[steps - 1];
        Block& block = state.blocks[step.block];
        if (step.left != 0) {
            const auto c = static_cast<std::uint32_t>(std::countr_zero(step.left));
            step.left &= step.left - 1;
            if (block.is_inner(c)) {
                path[steps++] = {block.first[c], state.blocks[block.first[c]].changed, 0};
            } else {
                block.set_cover(c, state.fitted(step.block * kChildren + c));
            }
            continue;
        }
        block.changed = static_cast<std::uint8_t>(step.again);
        if (--steps == 0) { break; }
        const std::uint32_t node = block.parent;
        Block& above = state.block_of(node);
        const std::uint32_t c = node % kChildren;
        above.set_cover(c, block.cover_of_all());
        bool again = step.again != 0;
        if (!again && block.inner == 0 && above.count[c] < State::kFewToMerge) {
            state.merge(node);
            again = true; // for what is above: one level a call
        }
        path[steps - 1].again |= static_cast<std::uint32_t>(again) << c;
    }
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status LooseTree<Dim>::insert(Id, const Agent<Dim>&);                                 \
    template Status LooseTree<Dim>::erase(Id);                                                     \
    template Status LooseTree<Dim>::move(Id, const Point<Dim>&);                                   \
    template void LooseTree<Dim>::cleanup() noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
