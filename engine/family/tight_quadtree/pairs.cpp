// All pairs, leaf by leaf. The low corner of what two covers have in common is in exactly one leaf.
// Both are listed there, and that leaf reports the pair.
#include "state.hpp"

#include "../../../simd/kernels/leaf_pairs.hpp"

#include <array>

namespace throng {

namespace {

/// Leaves on their way into pairs: some of them at a time, side by side.
class LeafPairing {
public:
    LeafPairing(const TightTree& tree, const TightElements& crowd, std::uint32_t groups,
                IndexPairVisitor visitor) noexcept
        : tree_(tree), crowd_(crowd), groups_(groups), visitor_(visitor),
          lattice_(tree.lattice.for_leaves(crowd.kind)) {}
    LeafPairing(const LeafPairing&) = delete;
    LeafPairing& operator=(const LeafPairing&) = delete;

    /// False once the visitor has enough, as below.
    bool add(const TightSquare& at, const TightNode& leaf) {
        const auto count = static_cast<std::uint32_t>(leaf.count);
        if (count > LeafTile::kMost) { return pair() && add_long(at, leaf); }
        if (tile_.count + count > LeafTile::kMost && !pair()) { return false; }
        append(tile_, at, leaf.first);
        return true;
    }

    /// Of the leaves that were added.
    bool pair_rest() { return pair(); }
    void finish() { hand_over(); }
    [[nodiscard]] Found found() const noexcept { return {visited_, {}}; }

    /// A pair from elsewhere.
    bool add(Id one, Id other) {
        first_[pairs_.used] = one;
        second_[pairs_.used++] = other;
        return pairs_.used < kPairs || hand_over();
    }

private:
    using LeafTile = simd::LeafTile;
    static constexpr std::uint32_t kPairs = 2048;
    static_assert(kPairs >= LeafTile::kMost);

    /// Adds elements of a leaf, as many as there is room for, and returns where to go on.
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

    /// All pairs of a tile; of one tile with another.
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

    /// A leaf that no tile holds.
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
    std::array<Id, kPairs + simd::kSlack> first_, second_; // only what was added is read
    simd::LeafPairs pairs_{first_.data(), second_.data(), 0, kPairs};
};

/// The agents that are in no leaf, with each other and with all others.
template <class State>
bool add_oversized_pairs(const State& state, std::uint32_t groups, LeafPairing& pairing) {
    const TightTree& tree = state.tree;
    const TightElements& crowd = state.crowd;
    for (auto one = tree.oversized.begin(); one != tree.oversized.end(); ++one) {
        if (!crowd.is_in(*one, groups)) { continue; }
        const Box<2> box = Box<2>::around(crowd.position_of(*one), crowd.half_extent_of(*one));
        const auto meets = [&](Id other) {
            return crowd.is_in(other, groups) &&
                   overlaps(box, crowd.position_of(other), crowd.half_extent_of(other));
        };
        for (auto other = one + 1; other != tree.oversized.end(); ++other) {
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

} // namespace

Found TightQuadtree::visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    LeafPairing pairing(state.tree, state.crowd, groups, visitor);
    if (state.tree.for_all_leaves(
            [&](const TightSquare& at, const TightNode& leaf) { return pairing.add(at, leaf); }) &&
        pairing.pair_rest() && add_oversized_pairs(state, groups, pairing)) {
        pairing.finish();
    }
    return pairing.found();
}

} // namespace throng
