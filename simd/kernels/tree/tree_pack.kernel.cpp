// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "tree_pack.hpp"

#include "../../shapes/cell_lanes.hpp"
#include "../../shapes/row_spans.hpp"

namespace throng::simd {

template <class Arch, std::size_t Dim>
void survey_on(Arch, Survey<Dim>& survey, const float* const (&axis)[Dim], const float* const* half,
               std::size_t count, float most) noexcept {
    Floats<Arch> lo[Dim], hi[Dim], largest[Dim], disc[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        lo[a] = Floats<Arch>(survey.lo[a]);
        hi[a] = Floats<Arch>(survey.hi[a]);
        largest[a] = Floats<Arch>(survey.largest[a]);
        disc[a] = Floats<Arch>(survey.disc[a]);
    }
    const Floats<Arch> limit(most);
    const Floats<Arch> zero(0.0f);
    std::uint32_t wrong = 0;
    for (std::size_t i = 0; i < count; i += kLanes<Arch>) {
        const std::size_t left = count - i;
        const bool whole = left >= kLanes<Arch>;
        const FloatMask<Arch> there =
            lanes_below<Arch>(static_cast<std::uint32_t>(whole ? kLanes<Arch> : left));
        const std::uint32_t lanes = lane_bits<Arch>(there);
        // Lanes beyond the end repeat the first lane.
        for (std::size_t a = 0; a < Dim; ++a) {
            Floats<Arch> x = Floats<Arch>::load_unaligned(axis[a] + i);
            if (!whole) { x = select<Arch>(there, x, Floats<Arch>(axis[a][i])); }
            wrong |= ~lane_bits<Arch>(magnitude<Arch>(x) <= limit) & lanes;
            lo[a] = smaller<Arch>(lo[a], x);
            hi[a] = larger<Arch>(hi[a], x);
        }
        if (half == nullptr) { continue; }
        Floats<Arch> first = zero;
        for (std::size_t a = 0; a < Dim; ++a) {
            Floats<Arch> h = Floats<Arch>::load_unaligned(half[a] + i);
            if (!whole) { h = select<Arch>(there, h, Floats<Arch>(half[a][i])); }
            wrong |= ~(lane_bits<Arch>(h >= zero) & lane_bits<Arch>(h <= limit)) & lanes;
            largest[a] = larger<Arch>(largest[a], h);
            if (a == 0) { first = h; }
            disc[a] = larger<Arch>(disc[a], first - h);
        }
    }
    if (wrong != 0) {
        survey.sound = false; // nothing else is stored, since lo ... disc may be NaN
        return;
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        survey.lo[a] = least<Arch>(lo[a]);
        survey.hi[a] = greatest<Arch>(hi[a]);
        survey.largest[a] = greatest<Arch>(largest[a]);
        survey.disc[a] = greatest<Arch>(disc[a]);
    }
}

/// Puts zeros between the bits of a number: one in the plane, two in space.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Words<Arch> spread(Words<Arch> x) noexcept {
    if constexpr (Dim == 2) {
        x = (x | (x << 8)) & Words<Arch>(0x00FF'00FFu);
        x = (x | (x << 4)) & Words<Arch>(0x0F0F'0F0Fu);
        x = (x | (x << 2)) & Words<Arch>(0x3333'3333u);
        return (x | (x << 1)) & Words<Arch>(0x5555'5555u);
    } else {
        x = (x | (x << 16)) & Words<Arch>(0x0300'00FFu);
        x = (x | (x << 8)) & Words<Arch>(0x0300'F00Fu);
        x = (x | (x << 4)) & Words<Arch>(0x030C'30C3u);
        return (x | (x << 2)) & Words<Arch>(0x0924'9249u);
    }
}

/// The place of cell x on a Hilbert curve (Skilling, Programming the Hilbert curve, 2004), with
/// masks instead of branches; the sum of bits at the end is taken in one go.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Words<Arch> place_on_curve(Words<Arch> (&x)[Dim],
                                                         std::uint32_t bits) noexcept {
    const Words<Arch> zero(0u);
    const Words<Arch> one(1u);
    for (std::uint32_t b = bits; b-- > 1;) {
        const Words<Arch> below((1u << b) - 1u);
        const auto shift = static_cast<int>(b);
        const Words<Arch> swaps = below & (zero - ((x[0] >> shift) & one));
        x[0] = x[0] ^ swaps;
        for (std::size_t a = 1; a < Dim; ++a) {
            // if (x[a] has bit b) x[0] ^= below; else exchange their bits below b
            const Words<Arch> inverts = below & (zero - ((x[a] >> shift) & one));
            const Words<Arch> differ = (x[0] ^ x[a]) & (below ^ inverts);
            x[0] = x[0] ^ (inverts | differ);
            x[a] = x[a] ^ differ;
        }
    }
    for (std::size_t a = 1; a < Dim; ++a) {
        x[a] = x[a] ^ x[a - 1];
    }
    Words<Arch> above = x[Dim - 1] >> 1;
    above = above ^ (above >> 1);
    above = above ^ (above >> 2);
    above = above ^ (above >> 4);
    above = above ^ (above >> 8);
    Words<Arch> key = spread<Arch, Dim>(x[0] ^ above);
    for (std::size_t a = 1; a < Dim; ++a) {
        key = (key << 1) | spread<Arch, Dim>(x[a] ^ above);
    }
    return key;
}

template <class Arch, std::size_t Dim>
void curve_keys_on(Arch, const CurveMap<Dim>& map, const float* const (&axis)[Dim],
                   const float* const* half, std::size_t count, std::uint32_t* keys) noexcept {
    const auto last = static_cast<float>((1u << map.bits) - 1u);
    for (std::size_t i = 0; i < count; i += kLanes<Arch>) {
        Words<Arch> cell[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            cell[a] = cells_of<Arch>(Floats<Arch>::load_unaligned(axis[a] + i), map.origin[a],
                                     map.inverse_cell, 0.0f, last);
        }
        Words<Arch> key = place_on_curve<Arch>(cell, map.bits);
        if (half != nullptr) {
            Floats<Arch> largest = Floats<Arch>::load_unaligned(half[0] + i);
            for (std::size_t a = 1; a < Dim; ++a) {
                largest = larger<Arch>(largest, Floats<Arch>::load_unaligned(half[a] + i));
            }
            for (const float limit : map.larger_than) {
                key = add_if<Arch>(largest > Floats<Arch>(limit), key,
                                   Words<Arch>(1u << (Dim * map.bits)));
            }
        }
        key.store_unaligned(keys + i);
    }
}

/// Writes the cover of sixteen children as child `n` of a level. Children that do not exist have
/// (inf, -inf), which changes neither the least nor the greatest.
template <class Arch, std::size_t Dim>
struct CoverOfSixteen {
    Floats<Arch> lo[Dim], hi[Dim];

    [[gnu::always_inline]] void write(float* level, std::uint32_t n) const noexcept {
        float* const to =
            level + std::size_t{n / kTreeWidth} * TreeView<Dim>::kNodeWords + n % kTreeWidth;
        for (std::size_t a = 0; a < Dim; ++a) {
            to[a * kTreeWidth] = least<Arch>(lo[a]);
            to[(Dim + a) * kTreeWidth] = greatest<Arch>(hi[a]);
        }
    }
};

template <std::size_t Dim, class Arch>
[[gnu::always_inline]] inline void write_nothing(Arch, float* level, std::uint32_t n) noexcept {
    float* const to =
        level + std::size_t{n / kTreeWidth} * TreeView<Dim>::kNodeWords + n % kTreeWidth;
    for (std::size_t a = 0; a < Dim; ++a) {
        to[a * kTreeWidth] = __builtin_huge_valf();
        to[(Dim + a) * kTreeWidth] = -__builtin_huge_valf();
    }
}

template <class Arch, std::size_t Dim>
void cover_leaves_on(Arch arch, const TreeView<Dim>& tree, std::uint32_t first, std::uint32_t last,
                     float* pages) noexcept {
    const Floats<Arch> infinite(__builtin_huge_valf());
    const Floats<Arch> zero(0.0f);
    for (std::uint32_t leaf = first; leaf < last; ++leaf) {
        const std::uint32_t filled = tree.filled[leaf];
        if (filled == 0) {
            write_nothing<Dim>(arch, pages, leaf);
            continue;
        }
        const NodeArrays arrays = {tree.leaves + std::size_t{leaf} * tree.leaf_words, kTreeWidth};
        CoverOfSixteen<Arch, Dim> cover;
        for (std::size_t a = 0; a < Dim; ++a) {
            cover.lo[a] = infinite;
            cover.hi[a] = zero - infinite;
            for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
                const Floats<Arch> x = floats_at<Arch>(arrays, Fields<Dim>::kPosition + a, i);
                const Floats<Arch> h =
                    tree.grid.own_extents ? floats_at<Arch>(arrays, Fields<Dim>::kHalfExtent + a, i)
                                          : zero;
                Floats<Arch> low = x - h;
                Floats<Arch> high = x + h;
                if (filled < kTreeWidth) {
                    const FloatMask<Arch> there = lanes_below<Arch>(filled > i ? filled - i : 0);
                    low = select<Arch>(there, low, infinite);
                    high = select<Arch>(there, high, zero - infinite);
                }
                cover.lo[a] = smaller<Arch>(cover.lo[a], low);
                cover.hi[a] = larger<Arch>(cover.hi[a], high);
            }
        }
        cover.write(pages, leaf);
    }
}

template <class Arch, std::size_t Dim>
void cover_nodes_on(Arch arch, const TreeView<Dim>& tree, std::uint32_t level, std::uint32_t first,
                    std::uint32_t last, std::uint32_t count, float* nodes) noexcept {
    constexpr std::size_t kNodeWords = TreeView<Dim>::kNodeWords;
    float* const to = nodes + tree.level_begin[level] * kNodeWords;
    for (std::uint32_t n = first; n < last; ++n) {
        const float* from = nodes + (std::size_t{tree.level_begin[level - 1]} + n) * kNodeWords;
        bool there = n < count;
        if (level == 1) {
            there = there && tree.page_of[n] != kNoPage;
            from = there ? tree.pages + std::size_t{tree.page_of[n]} * kNodeWords : nullptr;
        }
        if (!there) {
            write_nothing<Dim>(arch, to, n);
            continue;
        }
        CoverOfSixteen<Arch, Dim> cover;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float* const lo = from + a * kTreeWidth;
            const float* const hi = lo + Dim * kTreeWidth;
            cover.lo[a] = Floats<Arch>::load_unaligned(lo);
            cover.hi[a] = Floats<Arch>::load_unaligned(hi);
            for (std::size_t i = kLanes<Arch>; i < kTreeWidth; i += kLanes<Arch>) {
                cover.lo[a] = smaller<Arch>(cover.lo[a], Floats<Arch>::load_unaligned(lo + i));
                cover.hi[a] = larger<Arch>(cover.hi[a], Floats<Arch>::load_unaligned(hi + i));
            }
        }
        cover.write(to, n);
    }
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template void survey_on(KernelArch, Survey<Dim>&, const float* const(&)[Dim],                  \
                            const float* const*, std::size_t, float) noexcept;                     \
    template void curve_keys_on(KernelArch, const CurveMap<Dim>&, const float* const(&)[Dim],      \
                                const float* const*, std::size_t, std::uint32_t*) noexcept;        \
    template void cover_leaves_on(KernelArch, const TreeView<Dim>&, std::uint32_t, std::uint32_t,  \
                                  float*) noexcept;                                                \
    template void cover_nodes_on(KernelArch, const TreeView<Dim>&, std::uint32_t, std::uint32_t,   \
                                 std::uint32_t, std::uint32_t, float*) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
