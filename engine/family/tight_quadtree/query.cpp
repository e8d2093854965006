// Queries: each hit is reported by one of the leaves that it touches.
#include "state.hpp"

#include "../bucket_query.hpp"

#include "../../../simd/views/grid_view.hpp"

#include <array>
#include <bit>
#include <type_traits>

namespace throng {

namespace {

/// Copies elements of many leaves side by side, and hands them to a scan.
template <class Shape>
class LeafScan {
public:
    LeafScan(const TightTree& tree, const TightElements& crowd, const Point<2>& largest,
             const Shape& shape, const Filter& filter, IndexVisitor visitor,
             std::size_t most) noexcept
        : tree_(tree), crowd_(crowd),
          scan_(scan_crowd(crowd.kind,
                           crowd.kind.own_half_extents ? largest : crowd.kind.common_half_extent),
                shape, filter, visitor, most),
          // A caller that wants few hits should not wait for many candidates.
          patience_(most < kMost ? 1 : kMost),
          common_(cover_of(Point<2>{}, crowd.kind.common_half_extent).hi) {}
    LeafScan(const LeafScan&) = delete;
    LeafScan& operator=(const LeafScan&) = delete;

    /// Adds an element that no other leaf reports. False once the visitor has enough, here and
    /// below.
    bool add(Id id) {
        put(id, count_);
        return ++count_ < kMost || flush();
    }

    /// Adds the elements of a leaf, except those that begin before the edge.
    bool add(const TightNode& leaf, const TightEdge& edge) {
        std::uint32_t count = count_; // a local copy, which stays in a register
        for (std::uint32_t r = leaf.first; r != TightTree::kNone;) {
            const TightReference reference = tree_.references[r];
            r = reference.next;
            const Box<2> cover = put(reference.element, count);
            // Without a branch: an element that is not counted is written over.
            count += tree_.begins_before(cover, edge) ? 0u : 1u;
            if (count == kMost) {
                count_ = count;
                if (!flush()) { return false; }
                count = 0;
            }
        }
        count_ = count;
        return count < patience_ || flush();
    }

    Found finish() {
        if (count_ != 0) { flush(); }
        return scan_.finish();
    }

private:
    using Fields = simd::Fields<2>;
    static constexpr std::uint32_t kMost = 128;
    static constexpr std::uint32_t kRoom = kMost + simd::kSlack;

    /// Copies an element; returns its cover.
    Box<2> put(Id id, std::uint32_t at) noexcept {
        const auto set = [&](std::uint32_t field, std::uint32_t value) {
            fields_[field * kRoom + at] = value;
        };
        const Point<2> position = crowd_.position_of(id);
        Box<2> cover = Box<2>::around(position, common_);
        set(Fields::kPosition, std::bit_cast<std::uint32_t>(position[0]));
        set(Fields::kPosition + 1, std::bit_cast<std::uint32_t>(position[1]));
        set(Fields::kId, id);
        const bool own = crowd_.kind.own_half_extents;
        if (own) {
            const Point<2> half = crowd_.half_extent_of(id);
            cover = cover_of(position, half);
            set(Fields::kHalfExtent, std::bit_cast<std::uint32_t>(half[0]));
            set(Fields::kHalfExtent + 1, std::bit_cast<std::uint32_t>(half[1]));
        }
        if (crowd_.kind.groups) { set(Fields::groups(own), crowd_.groups[id]); }
        return cover;
    }

    bool flush() {
        const std::uint32_t count = count_;
        count_ = 0;
        return scan_.add({fields_.data(), kRoom, count}) && scan_.flush();
    }

    const TightTree& tree_;
    const TightElements& crowd_;
    BucketQuery<2, Shape> scan_;
    std::uint32_t patience_;
    Point<2> common_; ///< half the sides of each cover, if all covers are alike
    std::uint32_t count_ = 0;
    std::array<std::uint32_t, Fields::count(true, true) * kRoom> fields_; // not initialised
};

} // namespace

/// Exactly one leaf reports each hit: a hit's cover and the shape's bounds overlap, and the low
/// corner of their overlap is in one cell, and so in one leaf. The search reaches that leaf, since
/// it visits all cells of the bounds, and since the gate lets in every box that holds a hit's
/// cover: each box that it is asked about holds the covers of all elements that touch a node.
template <ShapeIn<2> Shape>
Found TightQuadtree::visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                           std::size_t most) const {
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const TightTree& tree = state.tree;
    const ShapeGate<2> gate(shape);
    LeafScan<Shape> scan(tree, state.crowd, state.largest, shape, filter, visitor, most);
    for (const Id id : tree.oversized) {
        if (!scan.add(id)) { return scan.finish(); }
    }
    const LatticeRange sought = tree.lattice.range(gate.bounds());
    const auto look_into = [&](const TightSquare& at, const TightNode& leaf) {
        return scan.add(leaf, edge_of(at, sought));
    };
    if constexpr (std::is_same_v<Shape, Box<2>>) {
        // The cells of the bounds suffice: no gate is needed.
        tree.for_leaves(sought, look_into);
    } else {
        const Box<2> widest = cover_of(Point<2>{}, state.largest);
        const Point<2> width = {{2.0f * widest.hi[0], 2.0f * widest.hi[1]}};
        tree.for_leaves(
            sought,
            [&](const TightSquare& at) {
                return gate.may_hold(tree.lattice.box_around(at.x, at.y, tree.width_of(at), width));
            },
            look_into);
    }
    return scan.finish();
}

#define THRONG_FOR_SHAPE(Shape, kind, KIND)                                                        \
    template Found TightQuadtree::visit(const Shape<2>&, IndexVisitor, const Filter&, std::size_t) \
        const;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
