// Capsules as kernels see them. For *.kernel.cpp files only.
#pragma once

#include "../views/shape_blocks.hpp"
#include "row_spans.hpp"
#include "segment_clip.hpp"

namespace throng::simd {

/// A disc moving on a straight path, against the discs of agents that share an extent or have their
/// own.
template <class Arch, std::size_t Dim, bool own_extents>
struct CapsuleLanes {
    using Block = CapsuleBlock<Dim>;
    static constexpr bool kAskBySpan = false;

    SegmentClip<Arch, Dim> clip;
    Floats<Arch> origin[Dim], way[Dim], per_square, radius, common_half;

    [[gnu::always_inline]] CapsuleLanes(const GridView<Dim>& grid, const Block& sweep,
                                        std::size_t) noexcept
        : clip(grid, sweep, Margin(grid, sweep).reach, true), per_square(sweep.per_square),
          radius(sweep.radius), common_half(grid.reach[0]) {
        for (std::size_t a = 0; a < Dim; ++a) {
            origin[a] = Floats<Arch>(sweep.origin[a]);
            way[a] = Floats<Arch>(sweep.direction[a]);
        }
    }

    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        return clip.cells(grid);
    }

    /// engine/shapes/capsule.hpp has this test for one agent, and times() too.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        const Floats<Arch> time =
            smaller<Arch>(larger<Arch>(passing(row, i), Floats<Arch>(0.0f)), Floats<Arch>(1.0f));
        return lane_bits<Arch>(distance2_at(row, i, time) <= reach2(row, i));
    }

    [[gnu::always_inline]] Floats<Arch> times(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        const Floats<Arch> zero(0.0f);
        const Floats<Arch> far2 = reach2(row, i);
        const Floats<Arch> when = passing(row, i);
        const Floats<Arch> deep = larger<Arch>(far2 - distance2_at(row, i, when), zero);
        const Floats<Arch> time = when - root<Arch>(deep * per_square);
        const Floats<Arch> kept =
            smaller<Arch>(larger<Arch>(time, zero), Floats<Arch>(1.0f)) + zero;
        return select<Arch>(distance2_at(row, i, zero) <= far2, zero, kept);
    }

    struct Wide : WayRows<Arch, Dim> {
        [[gnu::always_inline]] Wide(const GridView<Dim>&, const CapsuleLanes& sweep) noexcept
            : WayRows<Arch, Dim>{sweep.clip} {}
    };

private:
    /// How far from the path the centres of hits may be.
    struct Margin {
        float reach[Dim];

        [[gnu::always_inline]] Margin(const GridView<Dim>& grid, const Block& sweep) noexcept {
            for (std::size_t a = 0; a < Dim; ++a) {
                reach[a] = sweep.radius + grid.reach[0];
            }
        }
    };

    [[gnu::always_inline]] Floats<Arch> offset(const NodeArrays& row, std::uint32_t i,
                                               std::size_t a) const noexcept {
        return floats_at<Arch>(row, Fields<Dim>::kPosition + a, i) - origin[a];
    }
    [[gnu::always_inline]] Floats<Arch> reach2(const NodeArrays& row,
                                               std::uint32_t i) const noexcept {
        const Floats<Arch> half =
            own_extents ? floats_at<Arch>(row, Fields<Dim>::kHalfExtent, i) : common_half;
        return (radius + half) * (radius + half);
    }
    [[gnu::always_inline]] Floats<Arch> passing(const NodeArrays& row,
                                                std::uint32_t i) const noexcept {
        Floats<Arch> product = offset(row, i, 0) * way[0];
        for (std::size_t a = 1; a < Dim; ++a) {
            product = product + offset(row, i, a) * way[a];
        }
        return product * per_square;
    }
    [[gnu::always_inline]] Floats<Arch> distance2_at(const NodeArrays& row, std::uint32_t i,
                                                     const Floats<Arch>& time) const noexcept {
        const Floats<Arch> x = offset(row, i, 0) - way[0] * time;
        Floats<Arch> distance2 = x * x;
        for (std::size_t a = 1; a < Dim; ++a) {
            const Floats<Arch> y = offset(row, i, a) - way[a] * time;
            distance2 = distance2 + y * y;
        }
        return distance2;
    }
};

} // namespace throng::simd
