// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "tree_pairs.hpp"

#include "../../isa/packed_lanes.hpp"
#include "../../search/tree_search.hpp"
#include "../grid/pair_bodies.hpp"

namespace throng::simd {

/// A bit for each agent of a leaf that is in the groups.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline std::uint32_t
wanted_of(const TreeView<Dim>& tree, const NodeArrays& arrays, std::uint32_t groups) noexcept {
    constexpr std::uint32_t kAll = (1u << kTreeWidth) - 1u;
    if (groups == ~0u || !tree.grid.groups) { return kAll; }
    const std::uint32_t field = Fields<Dim>::groups(tree.grid.own_extents);
    std::uint32_t wanted = 0;
    for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
        wanted |= lane_bits<Arch>((words_at<Arch>(arrays, field, i) & Words<Arch>(groups)) !=
                                  Words<Arch>(0u))
                  << i;
    }
    return wanted;
}

/// The box that holds all agents of a leaf, as boxes or discs: the leaf's cover, widened by how far
/// agents reach beyond it.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline void cover_of_leaf(const TreeView<Dim>& tree, std::uint32_t leaf,
                                                 const float (&reach)[Dim], float (&low)[Dim],
                                                 float (&high)[Dim]) noexcept {
    const float* const cover =
        tree.pages + std::size_t{leaf / kTreeWidth} * TreeView<Dim>::kNodeWords + leaf % kTreeWidth;
    for (std::size_t a = 0; a < Dim; ++a) {
        low[a] = cover[a * kTreeWidth] - reach[a];
        high[a] = cover[(Dim + a) * kTreeWidth] + reach[a];
    }
}

/// The agents of a leaf as boxes. Their bounds are rounded to floats before any comparison.
template <class Arch, std::size_t Dim>
struct LeafBoxes {
    float lo[Dim][kTreeWidth], hi[Dim][kTreeWidth];
    NodeArrays arrays;
    std::uint32_t wanted; ///< a bit for each agent in the groups

    [[gnu::always_inline]] LeafBoxes(const TreeView<Dim>& tree, std::uint32_t n,
                                     std::uint32_t groups) noexcept
        : arrays(leaf_of<Arch>(tree, n)), wanted(wanted_of<Arch>(tree, arrays, groups)) {
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const Floats<Arch> x = floats_at<Arch>(arrays, Fields<Dim>::kPosition + a, i);
                const Floats<Arch> h =
                    tree.grid.own_extents ? floats_at<Arch>(arrays, Fields<Dim>::kHalfExtent + a, i)
                                          : Floats<Arch>(tree.grid.max_half_extent[a]);
                (x - h).store_unaligned(lo[a] + i);
                (x + h).store_unaligned(hi[a] + i);
            }
        }
    }

    /// How far boxes reach beyond the cover of a leaf.
    [[gnu::always_inline]] static const float (&reach(const TreeView<Dim>& tree) noexcept)[Dim] {
        return tree.half;
    }
    /// Does nothing: tests of boxes need no margin around a leaf, unlike tests of discs.
    [[gnu::always_inline]] static void widen(const TreeView<Dim>&, float (&)[Dim],
                                             float (&)[Dim]) noexcept {}

    /// A bit for each agent that overlaps a box; not set for slots without an agent.
    [[gnu::always_inline]] std::uint32_t overlapping(const float (&low)[Dim],
                                                     const float (&high)[Dim]) const noexcept {
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            FloatMask<Arch> all =
                (Floats<Arch>::load_unaligned(lo[0] + i) <= Floats<Arch>(high[0])) &
                (Floats<Arch>::load_unaligned(hi[0] + i) >= Floats<Arch>(low[0]));
            for (std::size_t a = 1; a < Dim; ++a) {
                all = all & (Floats<Arch>::load_unaligned(lo[a] + i) <= Floats<Arch>(high[a])) &
                      (Floats<Arch>::load_unaligned(hi[a] + i) >= Floats<Arch>(low[a]));
            }
            bits |= lane_bits<Arch>(all) << i;
        }
        return bits & wanted;
    }

    /// The same for the box of agent `i` of `other`, which may be this leaf.
    [[gnu::always_inline]] std::uint32_t overlapping(const LeafBoxes& other,
                                                     std::uint32_t i) const noexcept {
        float low[Dim], high[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            low[a] = other.lo[a][i];
            high[a] = other.hi[a][i];
        }
        return overlapping(low, high);
    }
};

/// The agents of a leaf as discs.
template <class Arch, std::size_t Dim>
struct LeafDiscs {
    float centre[Dim][kTreeWidth], radius[kTreeWidth];
    NodeArrays arrays;
    std::uint32_t wanted;

    [[gnu::always_inline]] LeafDiscs(const TreeView<Dim>& tree, std::uint32_t n,
                                     std::uint32_t groups) noexcept
        : arrays(leaf_of<Arch>(tree, n)), wanted(wanted_of<Arch>(tree, arrays, groups)) {
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            for (std::size_t a = 0; a < Dim; ++a) {
                floats_at<Arch>(arrays, Fields<Dim>::kPosition + a, i)
                    .store_unaligned(centre[a] + i);
            }
            const Floats<Arch> r = tree.grid.own_extents
                                       ? floats_at<Arch>(arrays, Fields<Dim>::kHalfExtent, i)
                                       : Floats<Arch>(tree.grid.max_half_extent[0]);
            r.store_unaligned(radius + i);
        }
    }

    [[gnu::always_inline]] static const float (&reach(const TreeView<Dim>& tree) noexcept)[Dim] {
        return tree.disc;
    }
    /// Tests of discs are rounded differently from covers, so discs need a margin.
    [[gnu::always_inline]] static void widen(const TreeView<Dim>& tree, float (&low)[Dim],
                                             float (&high)[Dim]) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            // A bound on the coordinates and radii of all agents that overlap one of this leaf.
            const float size = magnitude<Arch>(low[a]) + magnitude<Arch>(high[a]) +
                               4.0f * (tree.grid.max_half_extent[0] + tree.disc[a]);
            const float slack = size * (4.0f * kSlackRatio) + kTiny;
            low[a] = low[a] - slack;
            high[a] = high[a] + slack;
        }
    }

    [[gnu::always_inline]] std::uint32_t overlapping(const float (&low)[Dim],
                                                     const float (&high)[Dim]) const noexcept {
        Floats<Arch> lo[Dim], hi[Dim], x[Dim], r[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = Floats<Arch>(low[a]);
            hi[a] = Floats<Arch>(high[a]);
        }
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            for (std::size_t a = 0; a < Dim; ++a) {
                x[a] = Floats<Arch>::load_unaligned(centre[a] + i);
                r[a] = Floats<Arch>::load_unaligned(radius + i);
            }
            bits |= lane_bits<Arch>(Covers<Arch, Dim>(x, r).overlap(lo, hi)) << i;
        }
        return bits & wanted;
    }

    [[gnu::always_inline]] std::uint32_t overlapping(const LeafDiscs& other,
                                                     std::uint32_t i) const noexcept {
        std::uint32_t bits = 0;
        for (std::uint32_t k = 0; k < kTreeWidth; k += kLanes<Arch>) {
            Floats<Arch> offset[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                offset[a] =
                    Floats<Arch>::load_unaligned(centre[a] + k) - Floats<Arch>(other.centre[a][i]);
            }
            const Floats<Arch> radii =
                Floats<Arch>::load_unaligned(radius + k) + Floats<Arch>(other.radius[i]);
            bits |= lane_bits<Arch>(discs_overlap<Arch>(squares_of<Arch>(offset), radii)) << k;
        }
        return bits & wanted;
    }
};

/// Widens covers by how far agents reach beyond them, and finds the covers that overlap a box.
template <class Arch, std::size_t Dim>
struct LeafGate {
    Floats<Arch> half[Dim], lo[Dim], hi[Dim];

    [[gnu::always_inline]] LeafGate(const float (&reach)[Dim], const float (&low)[Dim],
                                    const float (&high)[Dim]) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            half[a] = Floats<Arch>(reach[a]);
            lo[a] = Floats<Arch>(low[a]);
            hi[a] = Floats<Arch>(high[a]);
        }
    }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        cover.widen(half);
        return lane_bits<Arch>(cover.overlap(lo, hi));
    }
};

/// Lists the pairs of one leaf with the leaves that its cover reaches.
template <class Arch, class Leaf, std::size_t Dim>
struct TreeLeafPairs {
    const TreeView<Dim>& tree;
    const Leaf& mine;
    std::uint32_t groups;
    PairsOutput& out;
    std::uint32_t next = 0;

    [[gnu::always_inline]] bool leaf(std::uint32_t n, std::uint32_t leaf) noexcept {
        if (out.capacity - out.used < kTreePairs) {
            next = n;
            return false;
        }
        const Leaf others(tree, leaf, groups);
        float low[Dim], high[Dim];
        cover_of_leaf<Arch>(tree, leaf, Leaf::reach(tree), low, high);
        Leaf::widen(tree, low, high);
        std::uint32_t askers = mine.overlapping(low, high);
        for (; askers != 0; askers &= askers - 1) {
            const auto i = static_cast<std::uint32_t>(__builtin_ctz(askers));
            add(i, others, others.overlapping(mine, i));
        }
        return true;
    }

    /// The pairs within the leaf.
    [[gnu::always_inline]] void itself() noexcept {
        for (std::uint32_t rest = mine.wanted; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<std::uint32_t>(__builtin_ctz(rest));
            add(i, mine, mine.overlapping(mine, i) & ~((2u << i) - 1u));
        }
    }

private:
    [[gnu::always_inline]] void add(std::uint32_t i, const Leaf& others,
                                    std::uint32_t bits) noexcept {
        const Words<Arch> id(mine.arrays.nodes[Fields<Dim>::kId * kTreeWidth + i]);
        for (std::uint32_t v = 0; v < kTreeWidth; v += kLanes<Arch>) {
            const std::uint32_t some = bits >> v & ((1u << kLanes<Arch>)-1u);
            id.store_unaligned(out.first + out.used);
            const std::uint32_t* const end = compress_store<Arch>(
                out.second + out.used, words_at<Arch>(others.arrays, Fields<Dim>::kId, v), some);
            out.used = static_cast<std::uint64_t>(end - out.second);
        }
    }
};

/// Lists the pairs of a tree's agents as boxes or discs: `Leaf` says which.
template <class Arch, class Leaf, std::size_t Dim>
bool list_leaf_pairs(const TreeView<Dim>& tree, std::uint32_t groups, TreePairsAt& at,
                     PairsOutput& result) noexcept {
    const std::uint32_t all = tree.places * kTreeWidth;
    const std::uint32_t end = at.end < all ? at.end : all;
    PairsOutput out = result;
    bool done = true;
    std::uint32_t n = at.leaf;
    std::uint32_t other = at.other;
    for (; n < end; ++n) {
        const std::uint32_t page = tree.page_of[n / kTreeWidth];
        if (page == kNoPage) {
            n |= kTreeWidth - 1;
            continue;
        }
        const std::uint32_t leaf = page * kTreeWidth + n % kTreeWidth;
        if (tree.filled[leaf] == 0) { continue; }
        float low[Dim], high[Dim];
        cover_of_leaf<Arch>(tree, leaf, Leaf::reach(tree), low, high);
        Leaf::widen(tree, low, high);
        const Leaf mine(tree, leaf, groups);
        const LeafGate<Arch, Dim> gate(Leaf::reach(tree), low, high);
        TreeLeafPairs<Arch, Leaf, Dim> pairs = {tree, mine, groups, out};
        if (other <= n) {
            if (out.capacity - out.used < kTreePairs) {
                done = false;
                other = 0;
                break;
            }
            pairs.itself();
            other = n + 1;
        }
        if (!for_each_leaf<false, Arch>(tree, gate, other, pairs)) {
            done = false;
            other = pairs.next;
            break;
        }
        other = 0;
    }
    at.leaf = n;
    at.other = other;
    result = out;
    return done;
}

template <class Arch, std::size_t Dim>
bool list_tree_pairs_on(Arch, const TreeView<Dim>& tree, std::uint32_t groups, Body body,
                        TreePairsAt& at, PairsOutput& out) noexcept {
    return body == Body::box ? list_leaf_pairs<Arch, LeafBoxes<Arch, Dim>>(tree, groups, at, out)
                             : list_leaf_pairs<Arch, LeafDiscs<Arch, Dim>>(tree, groups, at, out);
}

using KernelArch = THRONG_KERNEL_ARCH;
template bool list_tree_pairs_on(KernelArch, const TreeView<2>&, std::uint32_t, Body, TreePairsAt&,
                                 PairsOutput&) noexcept;
template bool list_tree_pairs_on(KernelArch, const TreeView<3>&, std::uint32_t, Body, TreePairsAt&,
                                 PairsOutput&) noexcept;

} // namespace throng::simd
