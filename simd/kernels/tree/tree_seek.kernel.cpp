// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "tree_seek.hpp"

#include "../../isa/packed_lanes.hpp"
#include "../../search/tree_search.hpp"
#include "../../shapes/node_filter.hpp"

namespace throng::simd {

/// The keys of a vector of covers, and a bit for each cover within the limit.
template <class Arch>
struct Keys {
    Floats<Arch> key;
    std::uint32_t bits;
};

template <class Arch, std::size_t Dim>
struct NearKeys {
    Floats<Arch> point[Dim];

    [[gnu::always_inline]] explicit NearKeys(const NearSeek<Dim>& seek) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = Floats<Arch>(seek.point[a]);
        }
    }

    [[gnu::always_inline]] Keys<Arch> of_children(const float* node, std::uint32_t i,
                                                  const Floats<Arch>& limit) const noexcept {
        return of(Covers<Arch, Dim>(node, i), limit);
    }
    [[gnu::always_inline]] Keys<Arch> of_agents(const NodeArrays& arrays, std::uint32_t i,
                                                const Floats<Arch>& limit) const noexcept {
        return of(covers_of_agents<Arch, Dim>(arrays, i), limit);
    }

    /// The sum of the squares of max(lo - p, p - hi, 0).
    [[gnu::always_inline]] Keys<Arch> of(const Covers<Arch, Dim>& cover,
                                         const Floats<Arch>& limit) const noexcept {
        const Floats<Arch> zero(0.0f);
        Floats<Arch> sum(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> gap =
                larger<Arch>(larger<Arch>(cover.lo[a] - point[a], point[a] - cover.hi[a]), zero);
            sum = sum + gap * gap;
        }
        return {sum, lane_bits<Arch>(sum <= limit)};
    }
};

/// The keys of a PathSeek. Which sides of covers the way meets first is found once, not per node.
template <class Arch, std::size_t Dim>
struct PathKeys {
    Floats<Arch> first[Dim], last[Dim], in[Dim], out[Dim];
    Floats<Arch> upward[Dim];                ///< 1, or -1 where the way leads down
    std::uint32_t near_at[Dim], far_at[Dim]; ///< where the near and far sides are in a node

    [[gnu::always_inline]] explicit PathKeys(const PathSeek<Dim>& seek) noexcept {
        for (std::uint32_t a = 0; a < Dim; ++a) {
            first[a] = Floats<Arch>(seek.first[a]);
            last[a] = Floats<Arch>(seek.last[a]);
            in[a] = Floats<Arch>(seek.inverse[a]);
            // The factor makes up for the rounding of both times, the entry and the exit.
            out[a] = Floats<Arch>(seek.inverse[a] * (1.0f + 4.0f * kSlackRatio));
            // Without a branch, which would be mispredicted: directions differ from way to way.
            std::uint32_t bits;
            __builtin_memcpy(&bits, &seek.inverse[a], sizeof bits);
            const std::uint32_t down = bits >> 31;
            upward[a] = Floats<Arch>(1.0f - 2.0f * static_cast<float>(down));
            constexpr auto kUpper = static_cast<std::uint32_t>(Dim);
            near_at[a] = (a + down * kUpper) * kTreeWidth;
            far_at[a] = (a + kUpper - down * kUpper) * kTreeWidth;
        }
    }

    [[gnu::always_inline]] Keys<Arch> of_children(const float* node, std::uint32_t i,
                                                  const Floats<Arch>& limit) const noexcept {
        Times times(limit);
        for (std::size_t a = 0; a < Dim; ++a) {
            times.pass(*this, a, Floats<Arch>::load_unaligned(node + near_at[a] + i),
                       Floats<Arch>::load_unaligned(node + far_at[a] + i));
        }
        return times.keys();
    }
    [[gnu::always_inline]] Keys<Arch> of_agents(const NodeArrays& arrays, std::uint32_t i,
                                                const Floats<Arch>& limit) const noexcept {
        using F = Fields<Dim>;
        const auto* const words = reinterpret_cast<const float*>(arrays.nodes) + i;
        Times times(limit);
        for (std::uint32_t a = 0; a < Dim; ++a) {
            const auto centre =
                Floats<Arch>::load_unaligned(words + (F::kPosition + a) * kTreeWidth);
            const auto half =
                Floats<Arch>::load_unaligned(words + (F::kHalfExtent + a) * kTreeWidth) * upward[a];
            times.pass(*this, a, centre - half, centre + half);
        }
        return times.keys();
    }

    /// On each axis the way comes within reach at one time, and leaves at another. The key is the
    /// latest entry, if neither an exit nor the limit is earlier.
    struct Times {
        Floats<Arch> enter, exit;

        [[gnu::always_inline]] explicit Times(const Floats<Arch>& limit) noexcept
            : enter(0.0f), exit(smaller<Arch>(limit, Floats<Arch>(1.001f))) {}
        [[gnu::always_inline]] void pass(const PathKeys& way, std::size_t a,
                                         const Floats<Arch>& near_side,
                                         const Floats<Arch>& far_side) noexcept {
            const Floats<Arch> time = (near_side - way.first[a]) * way.in[a];
            enter = a == 0 ? time : larger<Arch>(enter, time);
            exit = smaller<Arch>(exit, (far_side - way.last[a]) * way.out[a]);
        }
        /// Zero is the second operand, which wins over -0: the bits of -0 sort behind all others.
        [[gnu::always_inline]] Keys<Arch> keys() const noexcept {
            const Floats<Arch> key = larger<Arch>(enter, Floats<Arch>(0.0f));
            return {key, lane_bits<Arch>(key <= exit)};
        }
    };
};

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline NearKeys<Arch, Dim> keys_of(const NearSeek<Dim>& seek) noexcept {
    return NearKeys<Arch, Dim>(seek);
}
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline PathKeys<Arch, Dim> keys_of(const PathSeek<Dim>& seek) noexcept {
    return PathKeys<Arch, Dim>(seek);
}

/// How many items of a list are looked at together, before the limit is tested again. A way meets
/// few children, so all of these are looked at, without a branch on their keys and without waiting
/// for each other: looks among triangles took 240 ns with one item at a time, 197 with four, 160
/// with eight, 159 with twelve. Around a point nearly all children are within the first limits, and
/// only the nearest child is wanted.
template <class Arch, class Seek>
inline constexpr std::uint32_t kAtOnce = 1;
template <class Arch, std::size_t Dim>
inline constexpr std::uint32_t kAtOnce<Arch, PathSeek<Dim>> = 8;

/// The numbers of a node's children.
template <class Arch>
inline constexpr std::uint32_t kPlaces[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// Children, leaves, or agents that are still to be looked at; with their keys, if sorted.
template <bool sorted, std::uint32_t at_once, class Arch>
struct SeekList {
    static constexpr std::uint32_t kMost = at_once * kTreeWidth;
    std::uint32_t count = 0;
    std::uint32_t item[kMost + kSlack];
    std::uint32_t key[sorted ? kMost + kSlack : 1]; ///< bits of floats, which sort as the floats

    /// Adds items at `end`, and moves `end`, which can stay in a register.
    [[gnu::always_inline]] void add(const Words<Arch>& items, const Keys<Arch>& found,
                                    std::uint32_t& end) noexcept {
        if constexpr (sorted) {
            (void)compress_store<Arch>(key + end, bits_of<Arch>(found.key), found.bits);
        }
        end =
            static_cast<std::uint32_t>(compress_store<Arch>(item + end, items, found.bits) - item);
    }
    /// Moves the item with the smallest key to the end.
    [[gnu::always_inline]] void nearest_last() noexcept {
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < count; ++i) {
            best = key[i] < key[best] ? i : best;
        }
        const std::uint32_t last = count - 1;
        const std::uint32_t swapped = item[best], swapped_key = key[best];
        item[best] = item[last];
        key[best] = key[last];
        item[last] = swapped;
        key[last] = swapped_key;
    }
    /// Returns the first of the items to look at next, which are the last items of the list.
    /// Empties the list if its smallest key is above the limit.
    [[gnu::always_inline]] std::uint32_t next(std::uint32_t limit) noexcept {
        if (at_once != 1 && count <= at_once) { return 0; }
        if constexpr (sorted) {
            nearest_last();
            if (key[count - 1] > limit) {
                count = 0;
                return 0;
            }
            return count - 1;
        }
        return count - at_once;
    }
};

/// Goes down with a few items of a list at a time, and comes back to the list when nothing is left
/// below.
template <bool sorted, class Arch, class Seek>
[[gnu::always_inline]] inline void seek_in_order(const TreeView<Seek::kDim>& tree, const Seek& seek,
                                                 const KernelFilter& kernel_filter, float limit,
                                                 const SeekTest& test) noexcept {
    constexpr std::size_t Dim = Seek::kDim;
    constexpr std::size_t kNodeWords = TreeView<Dim>::kNodeWords;
    const auto keys = keys_of<Arch>(seek);
    const NodeFilter<Arch, Dim, Skips::some> filter(tree.grid, kernel_filter, 0);
    const bool filters = !kernel_filter.nothing();
    const auto limit_bits = [](float x) __attribute__((always_inline)) {
        const float no_minus = x + 0.0f; // the bits of -0 would sort behind all others
        std::uint32_t bits;
        __builtin_memcpy(&bits, &no_minus, sizeof bits);
        return bits;
    };

    using List = SeekList<sorted, kAtOnce<Arch, Seek>, Arch>;
    // The first list has leaves, the second has pages by their places, the others have nodes.
    List lists[kTreeLevels + 1];
    const std::uint32_t top = tree.levels;
    lists[top].count = 1;
    lists[top].item[0] = 0;
    if constexpr (sorted) { lists[top].key[0] = 0; }
    std::uint32_t k = top;
    while (true) {
        List& list = lists[k];
        if (list.count == 0) {
            if (k == top) { return; }
            ++k;
            continue;
        }
        const std::uint32_t begin = list.next(limit_bits(limit)), end = list.count;
        list.count = begin;
        const Floats<Arch> most(limit);
        if (k != 0) {
            List& below = lists[--k];
            std::uint32_t count = 0;
            for (std::uint32_t at = begin; at < end; ++at) {
                const std::uint32_t n = list.item[at];
                const std::uint32_t number = k == 0 ? tree.page_of[n] : n;
                const float* const covers =
                    k == 0 ? tree.pages + std::size_t{number} * kNodeWords
                           : tree.nodes + (std::size_t{tree.level_begin[k]} + n) * kNodeWords;
                for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
                    below.add(Words<Arch>::load_unaligned(kPlaces<Arch> + i) +
                                  Words<Arch>(number * kTreeWidth),
                              keys.of_children(covers, i, most), count);
                }
            }
            below.count = count;
            continue;
        }
        List agents;
        std::uint32_t count = 0;
        for (std::uint32_t at = begin; at < end; ++at) {
            const std::uint32_t leaf = list.item[at];
            const NodeArrays arrays = leaf_of<Arch>(tree, leaf);
            // Slots without an agent are at NaN, which may pass as near.
            const std::uint32_t filled = (1u << tree.filled[leaf]) - 1u;
            for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
                Keys<Arch> found = keys.of_agents(arrays, i, most);
                found.bits &= filled >> i;
                if (filters) { found.bits &= filter.keep(arrays, i); }
                agents.add(words_at<Arch>(arrays, Fields<Dim>::kId, i), found, count);
            }
        }
        agents.count = count;
        while (agents.count != 0) {
            if constexpr (sorted) {
                const bool many = agents.count > kAtOnce<Arch, Seek>;
                if (many) { agents.nearest_last(); }
                if (agents.key[agents.count - 1] > limit_bits(limit)) {
                    agents.count = many ? 0 : agents.count - 1;
                    continue;
                }
            }
            --agents.count;
            limit = test.test(test.context, agents.item[agents.count]);
            if (!(limit >= 0.0f)) { return; }
        }
    }
}

template <class Arch, class Seek>
void seek_in_tree_on(Arch, const TreeView<Seek::kDim>& tree, const Seek& seek,
                     const KernelFilter& kernel_filter, float limit,
                     const SeekTest& test) noexcept {
    if (tree.levels == 0 || !(limit >= 0.0f)) { return; }
    if (test.sorted) {
        seek_in_order<true, Arch>(tree, seek, kernel_filter, limit, test);
    } else {
        seek_in_order<false, Arch>(tree, seek, kernel_filter, limit, test);
    }
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_SEEK(Seek, Dim)                                                                 \
    template void seek_in_tree_on(KernelArch, const TreeView<Dim>&, const Seek<Dim>&,              \
                                  const KernelFilter&, float, const SeekTest&) noexcept;
THRONG_FOR_SEEK(NearSeek, 2)
THRONG_FOR_SEEK(NearSeek, 3)
THRONG_FOR_SEEK(PathSeek, 2)
THRONG_FOR_SEEK(PathSeek, 3)
#undef THRONG_FOR_SEEK

} // namespace throng::simd
