// What must be true of a loose tree, checked one node after another.
#include "loose_tree.hpp"

#include "state.hpp"

#include <array>

namespace throng {

/// Walks the whole tree.
template <std::size_t Dim>
class LooseTree<Dim>::Check {
public:
    explicit Check(const State& state) noexcept : state_(state) {}

    const char* all() {
        if (const char* fault = state_.blocks.validate()) { return fault; }
        const Block& root = state_.blocks[0];
        if (root.parent != kNoNode || root.depth != 0) { return "the root is below something"; }
        if (root.count[0] != state_.count) { return "size is not the agents at the root"; }
        for (std::uint32_t c = 1; c < kChildren; ++c) {
            if (root.is_inner(c) || root.count[c] != 0) { return "an agent beside the root"; }
        }
        std::array<Waiting, kMostWaiting<Dim>> stack;
        std::size_t waiting = 0;
        stack[waiting++] = {0, Coordinates{}};
        while (waiting > 0) {
            const Waiting at = stack[--waiting];
            const Block& block = state_.block_of(at.node);
            const std::uint32_t c = at.node % kChildren;
            if (!block.is_inner(c)) {
                if (const char* fault = check_leaf(at)) { return fault; }
                continue;
            }
            if (const char* fault = check_inner(at)) { return fault; }
            for (std::uint32_t child = 0; child < kChildren; ++child) {
                stack[waiting++] = {block.first[c] * kChildren + child,
                                    state_.lattice.within(at.coordinates, block.depth, child)};
            }
        }
        if (blocks_ != state_.blocks.size()) { return "nodes that cannot be reached"; }
        if (buckets_ != state_.store.buckets()) { return "buckets that no leaf has"; }
        std::size_t listed = 0;
        for (const std::uint32_t slot : state_.slot_of_id) {
            listed += slot != State::kNoSlot;
        }
        // Each agent that was found has its own.
        return listed == state_.count ? nullptr : "slots of ids that are not there";
    }

private:
    using Block = typename State::Block;
    using Coordinates = typename State::Coordinates;
    static constexpr std::uint32_t kChildren = State::kChildren;

    struct Waiting {
        std::uint32_t node;
        Coordinates coordinates;
    };

    static bool holds(const Box<Dim>& outer, const Box<Dim>& inner) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            // Written so that an empty cover, infinity to minus infinity, is inside any box.
            if (inner.lo[a] < outer.lo[a] || inner.hi[a] > outer.hi[a]) { return false; }
        }
        return true;
    }
    [[nodiscard]] bool is_changed(std::uint32_t node) const noexcept {
        return (state_.block_of(node).changed >> node % kChildren & 1u) != 0;
    }

    const char* check_inner(const Waiting& at) {
        const Block& block = state_.block_of(at.node);
        const std::uint32_t c = at.node % kChildren;
        if (state_.blocks.is_free(block.first[c])) { return "children that are not there"; }
        const Block& below = state_.blocks[block.first[c]];
        if (++blocks_ > state_.blocks.size()) { return "a node with two parents"; }
        if (below.parent != at.node) { return "children with another parent"; }
        if (below.depth != block.depth + 1 || below.depth > state_.deepest) {
            return "a depth that is wrong";
        }
        std::uint64_t count = 0;
        for (std::uint32_t child = 0; child < kChildren; ++child) {
            count += below.count[child];
        }
        if (count != block.count[c]) { return "a node that counts wrong"; }
        if (!holds(block.cover(c), below.cover_of_all())) { return "a child that sticks out"; }
        if (below.changed != 0 && !is_changed(at.node)) { return "a change that is overlooked"; }
        if (!is_changed(at.node) && !(block.cover(c) == below.cover_of_all())) {
            return "a node that covers too much";
        }
        return nullptr;
    }

    const char* check_leaf(const Waiting& at) {
        const Block& block = state_.block_of(at.node);
        const std::uint32_t c = at.node % kChildren;
        if (block.count[c] > kMostInLeaf<Dim> && block.depth < state_.deepest) {
            return "a leaf that should be split";
        }
        std::uint64_t count = 0;
        for (std::uint32_t bucket = block.first[c]; bucket != kNoBucket;
             bucket = state_.store.next(bucket)) {
            if (bucket >= state_.store.begun()) { return "a bucket that is not there"; }
            const std::uint32_t in_bucket = state_.store.count(bucket);
            if (in_bucket == 0 || in_bucket > kRoom ||
                (bucket != block.first[c] && in_bucket != kRoom)) {
                return "a bucket that is not as full as it must be";
            }
            if (++buckets_ > state_.store.buckets()) { return "a bucket that is in two leaves"; }
            if (state_.leaf_of_bucket[bucket] != at.node) { return "a bucket of another leaf"; }
            for (std::uint32_t i = 0; i < in_bucket; ++i) {
                if (const char* fault = check_agent_at(at, bucket * kRoom + i)) { return fault; }
            }
            count += in_bucket;
        }
        if (count != block.count[c]) { return "a leaf that counts wrong"; }
        if (!is_changed(at.node) && !(state_.fitted(at.node) == block.cover(c))) {
            return "a leaf that covers too much";
        }
        return nullptr;
    }

    const char* check_agent_at(const Waiting& at, std::uint32_t slot) const {
        const Block& block = state_.block_of(at.node);
        const Point<Dim> position = state_.store.position(slot);
        if (state_.slot_of(state_.store.id(slot)) != slot) { return "an id without its slot"; }
        if (TreeLattice<Dim>::common_depth(state_.lattice.coordinates(position), at.coordinates) <
            block.depth) {
            return "an agent outside its square";
        }
        const Point<Dim> half = state_.store.half(slot);
        const Box<Dim> widest = {Point<Dim>::all(-Block::kFar), state_.widest};
        if (!holds(widest, cover_of(Point<Dim>{}, half))) { return "an agent that is too large"; }
        if (!holds(block.cover(at.node % kChildren), cover_of(position, half))) {
            return "an agent that sticks out";
        }
        return nullptr;
    }

    static constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;

    const State& state_;
    std::size_t blocks_ = 1, buckets_ = 0; // seen so far
};

template <std::size_t Dim>
bool LooseTree<Dim>::State::find_leaves() {
    leaf_of_bucket.assign(store.begun(), kNoNode);
    bool found = true;
    blocks.for_each([&](std::uint32_t b, const Block& block) {
        for (std::uint32_t c = 0; c < kChildren; ++c) {
            std::uint32_t bucket = block.is_inner(c) ? kNoBucket : block.first[c];
            while (found && bucket != kNoBucket) {
                found = bucket < store.begun() && leaf_of_bucket[bucket] == kNoNode;
                if (!found) { break; }
                leaf_of_bucket[bucket] = b * kChildren + c;
                bucket = store.next(bucket);
            }
        }
    });
    return found;
}

template <std::size_t Dim>
const char* LooseTree<Dim>::validate() const {
    const AccessCheck::Reading reading(state_->access);
    return Check(*state_).all();
}

template bool LooseTree<2>::State::find_leaves();
template bool LooseTree<3>::State::find_leaves();
template const char* LooseTree<2>::validate() const;
template const char* LooseTree<3>::validate() const;

} // namespace throng
