// The pairs of a loose tree, leaf by leaf: each leaf with itself and with the later ones in the
// order of the tree. So the pairs of any run of leaves can be found on their own.
#include "loose_tree.hpp"

#include "../../simd/kernels/tree/tree_pairs.hpp"
#include "../agents/body.hpp"
#include "../answers/pair_blocks.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>

namespace throng {

namespace {

/// Visits the pairs of a run of leaves.
template <std::size_t Dim>
Found visit_leaf_pairs(const simd::TreeView<Dim>& view, std::uint32_t groups, Body body,
                       simd::TreePairsAt at, IndexPairVisitor visitor) {
    constexpr std::size_t kBuffer = 1024;
    static_assert(kBuffer >= 2 * simd::kTreePairs);
    std::array<Id, kBuffer> first;
    std::array<Id, kBuffer> second;
    std::size_t found = 0;
    for (bool done = false; !done;) {
        simd::PairsOutput out = {first.data(), second.data(), kBuffer, 0};
        done = simd::list_tree_pairs(view, groups, body, at, out);
        found += out.used;
        if (out.used != 0 && !visitor({first.data(), out.used}, {second.data(), out.used})) {
            break;
        }
    }
    return {found, {}};
}

} // namespace

template <std::size_t Dim>
Found LooseTree<Dim>::visit_pairs(IndexPairVisitor visitor, std::uint32_t groups, Body body) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_overlapping(body);
    if (!status.ok() || state_->is_empty_for(groups)) { return {0, status}; }
    return visit_leaf_pairs(state_->tree.view(), groups, body, {}, visitor);
}

template <std::size_t Dim>
Found LooseTree<Dim>::visit_pairs(IndexPairVisitor visitor, Executor& executor,
                                  std::uint32_t groups, Body body) const {
    constexpr double kNanoseconds = 12.0; // for each agent, if most agents touch another
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_overlapping(body);
    if (!status.ok() || state_->is_empty_for(groups)) { return {0, status}; }
    const simd::TreeView<Dim>& view = state_->tree.view();
    const LoopCost cost = LoopCost::of(size(), kNanoseconds);
    const std::size_t blocks = pair_blocks(executor, cost, view.places);
    const auto first_leaf = [&](std::size_t block) {
        return static_cast<std::uint32_t>(view.places * block / blocks) * simd::kTreeWidth;
    };
    return visit_pair_blocks(
        executor, blocks, cost, visitor, [&](std::size_t block, IndexPairVisitor hand_on) {
            (void)visit_leaf_pairs(view, groups, body,
                                   {first_leaf(block), 0, first_leaf(block + 1)}, hand_on);
        });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found LooseTree<Dim>::visit_pairs(IndexPairVisitor, std::uint32_t, Body) const;       \
    template Found LooseTree<Dim>::visit_pairs(IndexPairVisitor, Executor&, std::uint32_t, Body)   \
        const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
