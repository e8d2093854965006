// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "tree_seek.hpp"

#include "../search/tree_search.hpp"
#include "../shapes/node_filter.hpp"

namespace throng::simd {

/// The keys of a vector of covers, and which of them are keys at all.
template <class Arch>
struct Keys {
    Floats<Arch> key;
    FloatMask<Arch> met;
};

template <class Arch, std::size_t Dim>
struct NearKeys {
    Floats<Arch> point[Dim];

    [[gnu::always_inline]] explicit NearKeys(const NearSeek<Dim>& seek) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = Floats<Arch>(seek.point[a]);
        }
    }

    /// The sum of the squares of max(lo - p, p - hi, 0).
    [[gnu::always_inline]] Keys<Arch> operator()(const Covers<Arch, Dim>& cover) const noexcept {
        const Floats<Arch> zero(0.0f);
        Floats<Arch> sum(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> gap =
                larger<Arch>(larger<Arch>(cover.lo[a] - point[a], point[a] - cover.hi[a]), zero);
            sum = sum + gap * gap;
        }
        return {sum, sum >= zero};
    }
};

template <class Arch, std::size_t Dim>
struct PathKeys {
    Floats<Arch> origin[Dim], inverse[Dim], reach[Dim];
    bool moves[Dim], up[Dim];

    [[gnu::always_inline]] explicit PathKeys(const PathSeek<Dim>& seek) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            origin[a] = Floats<Arch>(seek.origin[a]);
            inverse[a] = Floats<Arch>(seek.inverse[a]);
            reach[a] = Floats<Arch>(seek.reach[a]);
            moves[a] = seek.inverse[a] != 0.0f;
            up[a] = seek.inverse[a] > 0.0f;
        }
    }

    /// On each axis the way is within reach between two times; the latest of the first of these,
    /// if none of the second is earlier.
    [[gnu::always_inline]] Keys<Arch> operator()(const Covers<Arch, Dim>& cover) const noexcept {
        const Floats<Arch> zero(0.0f);
        Floats<Arch> enter(0.0f), exit(1.001f);
        FloatMask<Arch> met = zero == zero;
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> low = cover.lo[a] - origin[a] - reach[a];
            const Floats<Arch> high = cover.hi[a] - origin[a] + reach[a];
            if (!moves[a]) {
                met = met & (low <= zero) & (high >= zero);
                continue;
            }
            enter = larger<Arch>(enter, (up[a] ? low : high) * inverse[a]);
            exit = smaller<Arch>(exit, (up[a] ? high : low) * inverse[a]);
        }
        // Both may be a little off.
        met = met & (enter <= exit * Floats<Arch>(1.0f + 4.0f * kSlackRatio));
        return {enter, met};
    }
};

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline NearKeys<Arch, Dim> keys_of(const NearSeek<Dim>& seek) noexcept {
    return NearKeys<Arch, Dim>(seek);
}
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline PathKeys<Arch, Dim> keys_of(const PathSeek<Dim>& seek) noexcept {
    return PathKeys<Arch, Dim>(seek);
}

/// Sixteen keys, and which of them are still to be looked at.
struct SeekRest {
    float key[kTreeWidth];
    std::uint32_t bits, node, page;
};

/// Takes a key within the limit: if sorted, the smallest, of equal ones the first; else the first.
/// False if there is none.
template <class Arch>
[[gnu::always_inline]] inline bool take_key(SeekRest& rest, float limit, bool sorted,
                                            std::uint32_t& taken) noexcept {
    if (!sorted) {
        while (rest.bits != 0) {
            taken = static_cast<std::uint32_t>(__builtin_ctz(rest.bits));
            rest.bits &= rest.bits - 1;
            if (rest.key[taken] <= limit) { return true; }
        }
        return false;
    }
    float least = limit;
    std::uint32_t best = kTreeWidth;
    for (std::uint32_t bits = rest.bits; bits != 0; bits &= bits - 1) {
        const auto c = static_cast<std::uint32_t>(__builtin_ctz(bits));
        if (rest.key[c] < least || (best == kTreeWidth && rest.key[c] <= least)) {
            least = rest.key[c];
            best = c;
        }
    }
    if (best == kTreeWidth) { return false; }
    rest.bits &= ~(1u << best);
    taken = best;
    return true;
}

template <class Arch, class Seek>
void seek_in_tree_on(Arch, const TreeView<Seek::kDim>& tree, const Seek& seek,
                     const KernelFilter& kernel_filter, float limit,
                     const SeekTest& test) noexcept {
    constexpr std::size_t Dim = Seek::kDim;
    constexpr std::size_t kNodeWords = TreeView<Dim>::kNodeWords;
    if (tree.levels == 0 || !(limit >= 0.0f)) { return; }
    const auto keys = keys_of<Arch>(seek);
    const NodeFilter<Arch, Dim, Skips::some> filter(tree.grid, kernel_filter, 0);
    const bool filters = !kernel_filter.nothing();
    const auto look = [&](const Covers<Arch, Dim>& cover, std::uint32_t i, SeekRest& rest)
        __attribute__((always_inline)) {
        const Keys<Arch> found = keys(cover);
        found.key.store_unaligned(rest.key + i);
        return lane_bits<Arch>(found.met & (found.key <= Floats<Arch>(limit))) << i;
    };

    SeekRest way[kTreeLevels];
    const std::uint32_t top = tree.levels - 1;
    std::uint32_t k = top;
    std::uint32_t n = 0;
    while (true) {
        SeekRest& rest = way[k];
        rest.node = n;
        rest.page = k == 0 ? tree.page_of[n] : 0;
        rest.bits = 0;
        const float* const node =
            k == 0 ? tree.pages + std::size_t{rest.page} * kNodeWords
                   : tree.nodes + (std::size_t{tree.level_begin[k]} + n) * kNodeWords;
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            const Covers<Arch, Dim> cover(node, i);
            rest.bits |= look(cover, i, rest);
        }
        while (true) {
            std::uint32_t c = 0;
            while (!take_key<Arch>(way[k], limit, test.sorted, c)) {
                if (k == top) { return; }
                ++k;
            }
            if (k != 0) {
                n = way[k].node * kTreeWidth + c;
                --k;
                break;
            }
            const std::uint32_t leaf = way[0].page * kTreeWidth + c;
            const NodeArrays arrays = leaf_of<Arch>(tree, leaf);
            SeekRest agents;
            agents.bits = 0;
            for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
                const Covers<Arch, Dim> cover = covers_of_agents<Arch, Dim>(arrays, i);
                std::uint32_t bits = look(cover, i, agents);
                if (filters) { bits &= filter.keep(arrays, i) << i; }
                agents.bits |= bits;
            }
            // Places without an agent have no numbers to compare.
            agents.bits &= (1u << tree.filled[leaf]) - 1u;
            std::uint32_t i = 0;
            while (take_key<Arch>(agents, limit, test.sorted, i)) {
                limit = test.test(test.context, arrays.nodes[Fields<Dim>::kId * kTreeWidth + i]);
                if (!(limit >= 0.0f)) { return; }
            }
        }
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
