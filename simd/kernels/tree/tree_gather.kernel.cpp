// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "tree_gather.hpp"

#include "../../search/tree_search.hpp"
#include "../../shapes/node_filter.hpp"

namespace throng::simd {

template <class Arch, std::size_t Dim>
struct BoxGate {
    Floats<Arch> lo[Dim], hi[Dim], limit;

    [[gnu::always_inline]] explicit BoxGate(const BoxSeek<Dim>& seek) noexcept : limit(seek.limit) {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = Floats<Arch>(seek.lo[a]);
            hi[a] = Floats<Arch>(seek.hi[a]);
        }
    }

    /// The sum of the squares of max(cover.lo - hi, lo - cover.hi, 0), against the limit.
    [[gnu::always_inline]] std::uint32_t may_hit(const Covers<Arch, Dim>& cover) const noexcept {
        const Floats<Arch> zero(0.0f);
        Floats<Arch> sum(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> gap =
                larger<Arch>(larger<Arch>(cover.lo[a] - hi[a], lo[a] - cover.hi[a]), zero);
            sum = sum + gap * gap;
        }
        return lane_bits<Arch>(sum <= limit);
    }
};

template <class Arch, std::size_t Dim>
struct GatherVisitor {
    const TreeView<Dim>& tree;
    const BoxGate<Arch, Dim>& gate;
    const NodeFilter<Arch, Dim, Skips::some>& filter;
    bool filters;
    Gathered<Dim>* out;
    std::uint32_t most;
    std::uint32_t count = 0;

    [[gnu::always_inline]] bool leaf(std::uint32_t, std::uint32_t leaf) noexcept {
        const NodeArrays arrays = leaf_of<Arch>(tree, leaf);
        float lo[Dim][kTreeWidth], hi[Dim][kTreeWidth];
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            const auto cover = covers_of_agents<Arch, Dim>(arrays, i);
            for (std::size_t a = 0; a < Dim; ++a) {
                cover.lo[a].store_unaligned(lo[a] + i);
                cover.hi[a].store_unaligned(hi[a] + i);
            }
            std::uint32_t near = gate.may_hit(cover);
            if (filters) { near &= filter.keep(arrays, i); }
            bits |= near << i;
        }
        // Slots without an agent are at NaN, which may pass the gate.
        for (bits &= (1u << tree.filled[leaf]) - 1u; bits != 0; bits &= bits - 1) {
            if (count == most) {
                ++count;
                return false;
            }
            const auto i = static_cast<std::uint32_t>(__builtin_ctz(bits));
            Gathered<Dim>& one = out[count++];
            one.id = arrays.nodes[Fields<Dim>::kId * kTreeWidth + i];
            for (std::size_t a = 0; a < Dim; ++a) {
                one.lo[a] = lo[a][i];
                one.hi[a] = hi[a][i];
            }
        }
        return true;
    }
};

template <class Arch, std::size_t Dim>
std::uint32_t gather_in_tree_on(Arch, const TreeView<Dim>& tree, const BoxSeek<Dim>& seek,
                                const KernelFilter& kernel_filter, Gathered<Dim>* out,
                                std::uint32_t most) noexcept {
    if (tree.levels == 0) { return 0; }
    const BoxGate<Arch, Dim> gate(seek);
    const NodeFilter<Arch, Dim, Skips::some> filter(tree.grid, kernel_filter, 0);
    GatherVisitor<Arch, Dim> visitor = {tree, gate, filter, !kernel_filter.nothing(), out, most};
    (void)for_each_leaf<false, Arch>(tree, gate, 0, visitor);
    return visitor.count;
}

using KernelArch = THRONG_KERNEL_ARCH;
template std::uint32_t gather_in_tree_on(KernelArch, const TreeView<2>&, const BoxSeek<2>&,
                                         const KernelFilter&, Gathered<2>*, std::uint32_t) noexcept;
template std::uint32_t gather_in_tree_on(KernelArch, const TreeView<3>&, const BoxSeek<3>&,
                                         const KernelFilter&, Gathered<3>*, std::uint32_t) noexcept;

} // namespace throng::simd
