// The search of a static tree. For *.kernel.cpp files only.
#pragma once

#include "../shapes/row_spans.hpp"
#include "../shapes/tree_gates.hpp"

namespace throng::simd {

/// Leaves begin ... end - 1.
struct LeafSpan {
    std::uint32_t begin, end;
};

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline NodeArrays leaf_of(const TreeView<Dim>& tree,
                                                 std::uint32_t leaf) noexcept {
    return {tree.leaves + std::size_t{leaf} * tree.leaf_words, kTreeWidth};
}

/// How many leaves are packed.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline std::uint32_t packed_leaves(const TreeView<Dim>& tree) noexcept {
    return tree.packed / kTreeWidth + (tree.packed % kTreeWidth != 0 ? 1 : 0);
}

/// Calls visitor.leaf(n) for each leaf from `first` on whose cover the gate lets pass, in order;
/// or, if `takes_leaves`, visitor.leaves(span) for the leaves of children that are sure to hold
/// nothing but hits. Returns false as soon as one of the calls does.
///
/// The way back is a node and the children left to do on each level, so it never grows beyond
/// kTreeLevels. Lists of nodes, filled a level at a time without a branch, were no faster; nor was
/// prefetching all leaves of a node.
template <bool takes_leaves, class Arch, std::size_t Dim, class Gate, class Visitor>
[[gnu::always_inline]] inline bool for_each_leaf(const TreeView<Dim>& tree, const Gate& gate,
                                                 std::uint32_t first, Visitor& visitor) noexcept {
    constexpr std::size_t kNodeWords = TreeView<Dim>::kNodeWords;
    constexpr std::uint32_t kBits = 4; // of a child's number
    static_assert(1u << kBits == kTreeWidth);
    static_assert(kBits * (kTreeLevels + 1) >= 32, "not all agents have a place under the root");
    const std::uint32_t packed = packed_leaves<Arch>(tree);
    struct Rest {
        std::uint32_t node, bits, sure;
    };
    Rest way[kTreeLevels];

    // The children of node n of level k + 1 to visit, without those whose leaves all come before
    // the first.
    const auto ask = [&](std::uint32_t k, std::uint32_t n) __attribute__((always_inline)) {
        const float* const node = tree.nodes + (tree.level_begin[k] + n) * kNodeWords;
        Rest rest = {n, 0, 0};
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            const Covers<Arch, Dim> cover(node, i);
            rest.bits |= gate.may_hit(cover) << i;
            if constexpr (takes_leaves) { rest.sure |= gate.all_hit(cover) << i; }
        }
        const std::uint32_t before = (first >> (kBits * k)) & (kTreeWidth - 1);
        if (first >> (kBits * (k + 1)) == n) { rest.bits &= ~0u << before; }
        return rest;
    };
    const auto search = [&](std::uint32_t top, std::uint32_t n) __attribute__((always_inline)) {
        std::uint32_t k = top;
        Rest rest = ask(k, n);
        while (true) {
            if (rest.bits == 0) {
                if (k == top) { return true; }
                rest = way[++k];
                continue;
            }
            const auto c = static_cast<std::uint32_t>(__builtin_ctz(rest.bits));
            rest.bits &= rest.bits - 1;
            const std::uint32_t child = rest.node * kTreeWidth + c;
            if constexpr (takes_leaves) {
                if ((rest.sure >> c & 1u) != 0) {
                    const std::uint32_t begin = child << (kBits * k);
                    const std::uint32_t end = (child + 1) << (kBits * k);
                    const bool beyond_all = begin < packed && end > packed;
                    if (!visitor.leaves(
                            {begin > first ? begin : first, beyond_all ? packed : end})) {
                        return false;
                    }
                    continue;
                }
            }
            if (k == 0) {
                if (!visitor.leaf(child)) { return false; }
                continue;
            }
            way[k] = rest;
            rest = ask(--k, child);
        }
    };
    // The tree and then the nodes without a parent, in one loop, so that the search is compiled
    // once.
    const std::uint32_t passed = first / kTreeWidth;
    std::uint32_t waiting = passed > tree.waiting_begin ? passed : tree.waiting_begin;
    bool in_tree = tree.levels != 0 && passed < tree.waiting_begin;
    for (; in_tree || waiting < tree.waiting_end; in_tree = false) {
        const std::uint32_t top = in_tree ? tree.levels - 1 : 0;
        if (!search(top, in_tree ? 0 : waiting++)) { return false; }
    }
    return true;
}

} // namespace throng::simd
