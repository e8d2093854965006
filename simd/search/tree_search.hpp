// The search of a tree. For *.kernel.cpp files only.
#pragma once

#include "../shapes/row_spans.hpp"
#include "../shapes/tree_gates.hpp"

namespace throng::simd {

/// Leaves begin ... end - 1, in the order of the tree: leaf 16 p + i is leaf i of the page in place
/// p.
struct LeafSpan {
    std::uint32_t begin, end;
};

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline NodeArrays leaf_of(const TreeView<Dim>& tree,
                                                 std::uint32_t leaf) noexcept {
    return {tree.leaves + std::size_t{leaf} * tree.leaf_words, kTreeWidth};
}

/// The boxes of the agents of a leaf, from `i` on.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Covers<Arch, Dim> covers_of_agents(const NodeArrays& arrays,
                                                                 std::uint32_t i) noexcept {
    using F = Fields<Dim>;
    const auto* const words = reinterpret_cast<const float*>(arrays.nodes) + i;
    Floats<Arch> centre[Dim], half[Dim];
    for (std::uint32_t a = 0; a < Dim; ++a) {
        centre[a] = Floats<Arch>::load_unaligned(words + (F::kPosition + a) * kTreeWidth);
        half[a] = Floats<Arch>::load_unaligned(words + (F::kHalfExtent + a) * kTreeWidth);
    }
    return Covers<Arch, Dim>(centre, half);
}

/// Calls visitor.leaf(n, leaf) for each leaf from `first` on whose cover the gate lets pass: leaf n
/// in the order of the tree, which is leaf `leaf` in memory. Or, if `takes_leaves`, for children
/// that are sure to hold nothing but hits: visitor.agents(count) if visitor.counts, else
/// visitor.leaves(span). Returns false as soon as one of the calls does.
///
/// The stack holds a node and the children left to do on each level, so it never grows beyond
/// kTreeLevels. Lists of nodes, filled a level at a time without a branch, were no faster; nor was
/// prefetching all leaves of a node.
template <bool takes_leaves, class Arch, std::size_t Dim, class Gate, class Visitor>
[[gnu::always_inline]] inline bool for_each_leaf(const TreeView<Dim>& tree, const Gate& gate,
                                                 std::uint32_t first, Visitor& visitor) noexcept {
    constexpr std::size_t kNodeWords = TreeView<Dim>::kNodeWords;
    constexpr std::uint32_t kBits = 4; // of a child's number
    static_assert(1u << kBits == kTreeWidth);
    static_assert(kBits * kTreeLevels < 32, "the number of a leaf has too many bits");
    if (first >= tree.places * kTreeWidth) { return true; }
    struct Rest {
        std::uint32_t node, bits, sure;
    };
    Rest way[kTreeLevels];
    const std::uint32_t top = tree.levels - 1;
    std::uint32_t k = top;
    std::uint32_t n = 0;
    while (true) {
        // The children of node n of level k to visit, without children whose leaves all come before
        // leaf `first`.
        std::uint32_t page = 0;
        const float* node = tree.nodes + (std::size_t{tree.level_begin[k]} + n) * kNodeWords;
        if (k == 0) {
            page = tree.page_of[n];
            node = tree.pages + std::size_t{page} * kNodeWords;
        }
        Rest rest = {n, 0, 0};
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            const Covers<Arch, Dim> cover(node, i);
            rest.bits |= gate.may_hit(cover) << i;
            if constexpr (takes_leaves) { rest.sure |= gate.all_hit(cover) << i; }
        }
        if (first >> (kBits * (k + 1)) == n) {
            rest.bits &= ~0u << ((first >> (kBits * k)) & (kTreeWidth - 1));
        }
        // On to the next child that is a node.
        while (true) {
            while (rest.bits == 0) {
                if (k == top) { return true; }
                rest = way[++k];
            }
            const auto c = static_cast<std::uint32_t>(__builtin_ctz(rest.bits));
            rest.bits &= rest.bits - 1;
            n = rest.node * kTreeWidth + c;
            if constexpr (takes_leaves) {
                const std::uint32_t begin = n << (kBits * k);
                // A total is of no use for a child of which some leaves come before leaf `first`.
                const bool taken =
                    (rest.sure >> c & 1u) != 0 && (!visitor.counts || begin >= first);
                if (taken) {
                    bool goes_on = true;
                    if (visitor.counts) {
                        goes_on = visitor.agents(
                            k == 0 ? tree.filled[page * kTreeWidth + c]
                                   : tree.totals[tree.level_begin[k] * kTreeWidth + n]);
                    } else {
                        const std::uint32_t end = (n + 1) << (kBits * k);
                        const std::uint32_t past = tree.places * kTreeWidth;
                        goes_on = visitor.leaves(
                            {begin > first ? begin : first, end < past ? end : past});
                    }
                    if (!goes_on) { return false; }
                    continue;
                }
            }
            if (k != 0) { break; }
            if (!visitor.leaf(n, page * kTreeWidth + c)) { return false; }
        }
        way[k--] = rest;
    }
}

} // namespace throng::simd
