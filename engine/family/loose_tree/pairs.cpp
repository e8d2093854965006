// Leaf by leaf: the pairs within it, and with the agents of later leaves that reach into it.
//
// The leaves that are children of one node share the search for later leaves. It goes up: at each
// node on the way to the root, it goes down only into the children behind the one that it came
// from, so each two leaves are paired once.
#include "loose_tree.hpp"

#include "../../../simd/kernels/span_pairs.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace throng {

namespace {

template <std::size_t Dim, class State>
class LoosePairs {
public:
    LoosePairs(const State& state, IndexPairVisitor visitor, std::uint32_t groups) noexcept
        : state_(state), store_(state.store), blocks_(state.blocks), visitor_(visitor) {
        const CrowdKind<Dim>& kind = store_.kind();
        std::copy_n(kind.common_half_extent.axis.data(), Dim, ask_.max_half_extent);
        ask_.own_extents = kind.own_half_extents;
        ask_.with_groups = kind.groups;
        ask_.groups = groups;
        ask_.own_count = 1;
    }

    Found list() {
        std::array<std::uint32_t, kMostWaiting<Dim>> stack; // of blocks
        std::size_t waiting = 0;
        stack[waiting++] = 0;
        while (waiting > 0) {
            const std::uint32_t b = stack[--waiting];
            const Block& block = blocks_[b];
            for (std::uint32_t c = kChildren; c-- > 0;) {
                if (block.is_inner(c)) { stack[waiting++] = block.first[c]; }
            }
            if (!list_leaves_of(b)) { return {visited_, {}}; }
        }
        hand_over();
        return {visited_, {}};
    }

private:
    using Block = LooseBlock<Dim>;
    static constexpr std::uint32_t kChildren = Block::kChildren;
    static constexpr std::size_t kOthers = 128; ///< leaves at a time
    static constexpr std::size_t kSpans = 64;   ///< of them, at a time
    static constexpr std::size_t kPairs = 1024; ///< handed over together

    /// A leaf that comes later than those of the block at hand.
    struct Other {
        Box<Dim> cover;
        std::uint32_t bucket;
        std::uint32_t after; ///< children of the block from this one on are no earlier
    };

    /// The pairs of agents in the leaves of a block, and later ones. False when the visitor has
    /// enough.
    bool list_leaves_of(std::uint32_t b) {
        const Block& block = blocks_[b];
        leaves_ = &block;
        first_time_ = true;
        other_count_ = 0;
        // What the leaves cover together.
        Block together = Block::empty(kNoNode, 0, kNoBucket);
        bool any = false;
        for (std::uint32_t c = 0; c < kChildren; ++c) {
            if (block.is_inner(c) || block.count[c] == 0) { continue; }
            together.grow(0, block.cover(c));
            any = true;
        }
        if (!any) { return true; }
        const Box<Dim> cover = together.cover(0);

        // Behind the first leaf, then behind every node on the way up, as far up as agents can
        // reach in.
        const unsigned enough = state_.square_of(cover).depth;
        for (std::uint32_t at = b, c = 0;;) {
            const Block& above = blocks_[at];
            std::uint32_t bits = above.touching(cover) & ~((2u << c) - 1u);
            for (; bits != 0; bits &= bits - 1) {
                const auto other = static_cast<std::uint32_t>(std::countr_zero(bits));
                if (!go_down(above, other, at == b ? other : kChildren, cover)) { return false; }
            }
            if (above.depth <= enough + 1u || above.parent == kNoNode) { break; }
            c = above.parent % kChildren;
            at = above.parent / kChildren;
        }
        return list_with_others();
    }

    /// Collects the leaves that overlap the cover, from child `c` of a block downwards.
    bool go_down(const Block& from, std::uint32_t c, std::uint32_t after, const Box<Dim>& cover) {
        if (!from.is_inner(c)) { return add_other(from, c, after); }
        std::array<std::uint32_t, kMostWaiting<Dim>> stack; // of blocks
        std::size_t waiting = 0;
        stack[waiting++] = from.first[c];
        while (waiting > 0) {
            const Block& block = blocks_[stack[--waiting]];
            for (std::uint32_t bits = block.touching(cover); bits != 0; bits &= bits - 1) {
                const auto child = static_cast<std::uint32_t>(std::countr_zero(bits));
                if (block.is_inner(child)) {
                    stack[waiting++] = block.first[child];
                } else if (!add_other(block, child, after)) {
                    return false;
                }
            }
        }
        return true;
    }

    bool add_other(const Block& block, std::uint32_t c, std::uint32_t after) {
        if (block.first[c] == kNoBucket) { return true; }
        others_[other_count_++] = {block.cover(c), block.first[c], after};
        return other_count_ < kOthers || list_with_others();
    }

    /// The pairs with the others collected so far. The first time also those within the leaves.
    bool list_with_others() {
        bool go_on = true;
        for (std::uint32_t c = 0; go_on && c < kChildren; ++c) {
            if (leaves_->is_inner(c) || leaves_->count[c] == 0) { continue; }
            const Box<Dim> cover = leaves_->cover(c);
            for (std::size_t a = 0; a < Dim; ++a) {
                ask_.lo[a] = cover.lo[a];
                ask_.hi[a] = cover.hi[a];
            }
            std::uint32_t near = 0;
            for (std::uint32_t i = 0; i < other_count_; ++i) {
                near_[near] = others_[i].bucket;
                near += static_cast<std::uint32_t>(meet(others_[i].cover, cover) &
                                                   (c < others_[i].after));
            }
            for (std::uint32_t bucket = leaves_->first[c]; go_on && bucket != kNoBucket;
                 bucket = store_.next(bucket)) {
                go_on = list_bucket(bucket, near);
            }
        }
        other_count_ = 0;
        first_time_ = false;
        return go_on;
    }

    static unsigned meet(const Box<Dim>& a, const Box<Dim>& b) noexcept {
        unsigned both = 1;
        for (std::size_t axis = 0; axis < Dim; ++axis) {
            both &= static_cast<unsigned>(a.lo[axis] <= b.hi[axis]) &
                    static_cast<unsigned>(b.lo[axis] <= a.hi[axis]);
        }
        return both;
    }

    /// One bucket of a leaf; the first time with itself and those behind it in the leaf.
    bool list_bucket(std::uint32_t bucket, std::uint32_t near) {
        const simd::ScanSpan own = store_.span(bucket);
        ask_.own = &own;
        bool itself = first_time_;
        std::uint32_t held = 0;
        const auto add_chain = [&](std::uint32_t next) {
            for (; next != kNoBucket; next = store_.next(next)) {
                spans_[held++] = store_.span(next);
                if (held < kSpans) { continue; }
                if (!list_spans(held, itself)) { return false; }
                itself = false;
                held = 0;
            }
            return true;
        };
        if (itself && !add_chain(store_.next(bucket))) { return false; }
        for (std::uint32_t i = 0; i < near; ++i) {
            if (!add_chain(near_[i])) { return false; }
        }
        return (held == 0 && !itself) || list_spans(held, itself);
    }

    bool list_spans(std::uint32_t held, bool itself) {
        ask_.others = spans_.data();
        ask_.other_count = held;
        simd::SpanPairsAt at;
        at.other = itself ? 0 : 1; // behind the span itself
        simd::SpanPairsOutput out = {first_.data(), second_.data(), kPairs, held_};
        while (!simd::list_span_pairs(ask_, at, out)) {
            held_ = out.used;
            if (!hand_over()) { return false; }
            out.used = 0;
        }
        held_ = out.used;
        return true;
    }

    bool hand_over() {
        if (held_ == 0) { return true; }
        visited_ += held_;
        const std::size_t held = held_;
        held_ = 0;
        return visitor_({first_.data(), held}, {second_.data(), held});
    }

    const State& state_;
    const BucketStore<Dim>& store_;
    const LooseBlocks<Dim>& blocks_;
    IndexPairVisitor visitor_;
    simd::SpanPairs<Dim> ask_{};
    const Block* leaves_ = nullptr;
    bool first_time_ = true;
    std::uint32_t other_count_ = 0;
    std::size_t held_ = 0, visited_ = 0;
    // Not initialised: only what was added is read.
    std::array<Other, kOthers> others_;
    std::array<std::uint32_t, kOthers + 1> near_; // their buckets
    std::array<simd::ScanSpan, kSpans> spans_;
    std::array<Id, kPairs> first_, second_;
};

} // namespace

template <std::size_t Dim>
Found LooseTree<Dim>::visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const {
    const AccessCheck::Reading reading(state_->access);
    if (groups == 0) { return {}; }
    return LoosePairs<Dim, State>(*state_, visitor, groups).list();
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found LooseTree<Dim>::visit_pairs(IndexPairVisitor, std::uint32_t) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
