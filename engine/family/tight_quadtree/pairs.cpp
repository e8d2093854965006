// Finds all pairs, leaf by leaf. The low corner of the overlap of two covers is in exactly one
// leaf. Both elements are listed there, and that leaf reports the pair. So the pairs of a leaf can
// be found without the other leaves.
#include "state.hpp"

#include "../../../simd/kernels/family/leaf_pairs.hpp"
#include "../../answers/pair_blocks.hpp"

#include <array>
#include <span>

namespace throng {

namespace {

/// Collects leaves side by side, some at a time, and finds their pairs.
class LeafPairing {
public:
    LeafPairing(const TightTree& tree, const TightElements& crowd, std::uint32_t groups,
                IndexPairVisitor visitor) noexcept
        : tree_(tree), crowd_(crowd), groups_(groups), visitor_(visitor),
          lattice_(tree.lattice.for_leaves(crowd.kind)) {}
    LeafPairing(const LeafPairing&) = delete;
    LeafPairing& operator=(const LeafPairing&) = delete;

    /// Adds a leaf. False once the visitor has enough, here and below.
    bool add(const TightSquare& at, const TightNode& leaf) {
        const auto count = static_cast<std::uint32_t>(leaf.count);
        if (count > LeafTile::kMost) { return pair() && add_long(at, leaf); }
        if (tile_.count + count > LeafTile::kMost && !pair()) { return false; }
        append(tile_, at, leaf.first);
        return true;
    }

    /// pair_rest() finds the pairs of the leaves that were added; finish() visits the last pairs.
    bool pair_rest() { return pair(); }
    void finish() { hand_over(); }
    [[nodiscard]] Found found() const noexcept { return {visited_, {}}; }

    /// Adds a pair that was found elsewhere.
    bool add(Id one, Id other) {
        first_[pairs_.used] = one;
        second_[pairs_.used++] = other;
        return pairs_.used < kPairs || hand_over();
    }

private:
    using LeafTile = simd::LeafTile;
    static constexpr std::uint32_t kPairs = 2048;
    static_assert(kPairs >= LeafTile::kMost);

    /// Adds elements of a leaf, as many as fit, and returns the first reference that is left.
    std::uint32_t append(LeafTile& tile, const TightSquare& at, std::uint32_t from) const noexcept {
        std::uint32_t i = tile.count;
        const std::uint32_t begin = i;
        const bool own = crowd_.kind.own_half_extents;
        while (from != TightTree::kNone && i < LeafTile::kMost) {
            const TightReference reference = tree_.references[from];
            const Id id = reference.element;
            from = reference.next;
            if (!crowd_.is_in(id, groups_)) { continue; }
            tile.id[i] = id;
            for (std::size_t a = 0; a < 2; ++a) {
                tile.position[a][i] = crowd_.position[a][id];
                if (own) { tile.half[a][i] = crowd_.half_extent[a][id]; }
            }
            ++i;
        }
        tile.count = i;
        const float first_x = TightLattice::edge_of_cell(at.x);
        const float first_y = TightLattice::edge_of_cell(at.y);
        for (std::uint32_t k = begin; k < i; ++k) {
            tile.end[k] = i;
            tile.first_cell[0][k] = first_x;
            tile.first_cell[1][k] = first_y;
        }
        return from;
    }

    /// Finds all pairs within a tile, or between one tile and another.
    bool pair() {
        const bool more = pair(tile_, tile_);
        tile_.count = 0;
        return more;
    }
    bool pair(LeafTile& tile, LeafTile& others) {
        simd::put_up_boxes(lattice_, others);
        for (std::uint32_t at = 0; at < tile.count;) {
            at = simd::pair_leaves(tile, others, at, pairs_);
            if (at < tile.count && !hand_over()) { return false; }
        }
        return true;
    }

    /// Finds the pairs of a leaf that is too long for a tile.
    bool add_long(const TightSquare& at, const TightNode& leaf) {
        for (std::uint32_t r = leaf.first; r != TightTree::kNone;) {
            tile_.count = 0;
            r = append(tile_, at, r);
            if (!pair(tile_, tile_)) { return false; }
            for (std::uint32_t s = r; s != TightTree::kNone;) {
                others_.count = 0;
                s = append(others_, at, s);
                if (!pair(tile_, others_)) { return false; }
            }
        }
        tile_.count = 0;
        return true;
    }

    bool hand_over() {
        const std::uint32_t used = pairs_.used;
        if (used == 0) { return true; }
        pairs_.used = 0;
        visited_ += used;
        return visitor_({first_.data(), used}, {second_.data(), used});
    }

    const TightTree& tree_;
    const TightElements& crowd_;
    std::uint32_t groups_;
    IndexPairVisitor visitor_;
    simd::LeafLattice lattice_;
    std::size_t visited_ = 0;
    LeafTile tile_, others_;
    std::array<Id, kPairs + simd::kSlack> first_, second_; // uninitialised behind the pairs added
    simd::LeafPairs pairs_{first_.data(), second_.data(), 0, kPairs};
};

/// Adds the pairs of oversized agents begin ... end - 1 with the later oversized ones and with all
/// agents in leaves.
template <class State>
bool add_oversized_pairs(const State& state, std::size_t begin, std::size_t end,
                         std::uint32_t groups, LeafPairing& pairing) {
    const TightTree& tree = state.tree;
    const TightElements& crowd = state.crowd;
    const Id* const past = tree.oversized.data() + tree.oversized.size();
    for (const Id* one = tree.oversized.data() + begin; one != tree.oversized.data() + end; ++one) {
        if (!crowd.is_in(*one, groups)) { continue; }
        const Box<2> box = Box<2>::around(crowd.position_of(*one), crowd.half_extent_of(*one));
        const auto meets = [&](Id other) {
            return crowd.is_in(other, groups) &&
                   overlaps(box, crowd.position_of(other), crowd.half_extent_of(other));
        };
        for (const Id* other = one + 1; other != past; ++other) {
            if (meets(*other) && !pairing.add(*one, *other)) { return false; }
        }
        const LatticeRange sought = state.range_of(*one);
        const bool more =
            tree.for_leaves(sought, [&](const TightSquare& at, const TightNode& leaf) {
                const TightEdge edge = edge_of(at, sought);
                for (std::uint32_t r = leaf.first; r != TightTree::kNone;) {
                    const TightReference& reference = tree.references[r];
                    r = reference.next;
                    if (meets(reference.element) &&
                        !tree.begins_before(crowd.cover_of_agent(reference.element), edge) &&
                        !pairing.add(*one, reference.element)) {
                        return false;
                    }
                }
                return true;
            });
        if (!more) { return false; }
    }
    return true;
}

/// Adds the pairs that the leaves of some nodes report.
bool add_leaf_pairs(const TightTree& tree, std::span<const TightSquare> nodes,
                    LeafPairing& pairing) {
    const auto add = [&](const TightSquare& at, const TightNode& leaf) {
        return pairing.add(at, leaf);
    };
    for (const TightSquare& from : nodes) {
        if (!tree.for_all_leaves(add, from)) { return false; }
    }
    return pairing.pair_rest();
}

/// Nodes that together hold all leaves, in the order of a walk: at least `nodes` of them with
/// children, if a level has as many, so that none holds much of the crowd. Goes down level by
/// level, since nodes do not know how many agents are below them; the tree is deep where the crowd
/// is.
Vector<TightSquare> cut(const TightTree& tree, std::size_t nodes) {
    Vector<TightSquare> some(1), next;
    for (std::size_t inner = 1; inner != 0 && inner < nodes;) {
        inner = 0;
        next.clear();
        for (const TightSquare& at : some) {
            const TightNode& here = tree.node(at.node);
            if (here.is_leaf()) {
                next.push_back(at);
                continue;
            }
            for (unsigned which = 0; which < 4; ++which) {
                next.push_back(tree.child(at, here.first, which));
                inner += tree.node(next.back().node).is_leaf() ? 0 : 1;
            }
        }
        some.swap(next);
    }
    return some;
}

} // namespace

Found TightQuadtree::visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    LeafPairing pairing(state.tree, state.crowd, groups, visitor);
    if (add_leaf_pairs(state.tree, {{TightSquare{}}}, pairing) &&
        add_oversized_pairs(state, 0, state.tree.oversized.size(), groups, pairing)) {
        pairing.finish();
    }
    return pairing.found();
}

Found TightQuadtree::visit_pairs(IndexPairVisitor visitor, Executor& executor,
                                 std::uint32_t groups) const {
    constexpr double kNanoseconds = 25.0; // the cost of an agent
    constexpr std::size_t kNodesOfBlock = 4;
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const TightTree& tree = state.tree;
    // Agents in no leaf may be compared with all others.
    const std::size_t oversized = tree.oversized.size();
    const LoopCost cost = LoopCost::of(state.crowd.count * (1 + oversized), kNanoseconds);
    const std::size_t most = pair_blocks(executor, cost, state.crowd.count);
    if (most <= 1) { return visit_pairs(visitor, groups); }
    const Vector<TightSquare> nodes = cut(tree, kNodesOfBlock * most);
    const std::size_t of_oversized = std::min(oversized, most);
    const std::size_t of_leaves = std::min(nodes.size(), most);
    return visit_pair_blocks(
        executor, of_oversized + of_leaves, cost, visitor,
        [&](std::size_t block, IndexPairVisitor hand_on) {
            LeafPairing pairing(tree, state.crowd, groups, hand_on);
            bool more = true;
            if (block < of_oversized) {
                more = add_oversized_pairs(state, oversized * block / of_oversized,
                                           oversized * (block + 1) / of_oversized, groups, pairing);
            } else {
                const std::size_t first = nodes.size() * (block - of_oversized) / of_leaves;
                const std::size_t end = nodes.size() * (block - of_oversized + 1) / of_leaves;
                more = add_leaf_pairs(tree, {nodes.data() + first, end - first}, pairing);
            }
            if (more) { pairing.finish(); }
        });
}

} // namespace throng
