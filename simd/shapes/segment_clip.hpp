// The cells near a segment. For *.kernel.cpp files only.
#pragma once

#include "halfspace_clip.hpp"

namespace throng::simd {

/// A part of a segment, in time; empty when first > last.
template <class Arch>
struct Times {
    double first, last;
};

/// The segment origin + t * way, 0 <= t <= length, and all points at most `margin` from it on every
/// axis.
template <class Arch, std::size_t Dim>
struct SegmentClip {
    double origin[Dim], way[Dim], margin[Dim];
    Times<Arch> all;

    /// `reach` is how far agents extend on each axis. The rounding error of a test near this
    /// segment, anywhere in this world, is added. Further out the error is larger, but there the
    /// segment, or its distance from everything in a row, has grown with it. The test for a `round`
    /// reach ends in a root, whose error is large where the root is small.
    template <class Block>
    [[gnu::always_inline]] SegmentClip(const GridView<Dim>& grid, const Block& block,
                                       const float (&reach)[Dim], bool round) noexcept
        : all{0.0, block.length} {
        double world = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            origin[a] = block.origin[a];
            way[a] = block.direction[a];
            const double start = grid.origin[a];
            // As far as the last cell's end; of a window, from where the whole begins.
            const double size = (grid.last_cell[a] + 1.0) / grid.inverse_cell[a];
            const double from = origin[a] < 0.0 ? -origin[a] : origin[a];
            const double far = from + (start < 0.0 ? -start : start) + size + reach[a];
            world = far > world ? far : world;
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            margin[a] = reach[a] + world * (4.0 * kSlackRatio) + kTiny;
            if (round) { margin[a] += __builtin_sqrt(reach[a] * world) * 0x1p-9; }
        }
    }

    /// The part of `times` in which the segment is near a range of an axis.
    [[gnu::always_inline]] Times<Arch> near(std::size_t a, const Reach<Arch>& range,
                                            const Times<Arch>& times) const noexcept {
        const double low = range.low - margin[a] - origin[a];
        const double high = range.high + margin[a] - origin[a];
        if (way[a] == 0.0) { return low <= 0.0 && high >= 0.0 ? times : Times<Arch>{1.0, 0.0}; }
        const double enter = (way[a] > 0.0 ? low : high) / way[a];
        const double leave = (way[a] > 0.0 ? high : low) / way[a];
        return {enter > times.first ? enter : times.first, leave < times.last ? leave : times.last};
    }

    /// The cells of an axis that the segment is near in `times`.
    [[gnu::always_inline]] CellRange cells(const GridView<Dim>& grid, std::size_t a,
                                           const Times<Arch>& times) const noexcept {
        const double from = origin[a] + way[a] * times.first;
        const double to = origin[a] + way[a] * times.last;
        return cells_of_reach<Arch>(
            grid, a,
            Reach<Arch>{(from < to ? from : to) - margin[a], (from < to ? to : from) + margin[a]});
    }
    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        CellBox<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.on[a] = cells(grid, a, all);
        }
        return box;
    }
};

/// A segment as a search follows it, row by row.
template <class Arch, std::size_t Dim>
struct SegmentRows {
    SegmentClip<Arch, Dim> clip;
    Times<Arch> in_plane = clip.all;

    [[gnu::always_inline]] bool plane(const GridView<Dim>& grid, std::uint32_t z,
                                      CellRange& rows) noexcept {
        in_plane = clip.near(Dim - 1, reach_of<Arch>(grid, Dim - 1, z), clip.all);
        if (!(in_plane.first <= in_plane.last)) { return false; }
        rows = common<Arch>(rows, clip.cells(grid, 1, in_plane));
        return true;
    }

    [[gnu::always_inline]] bool row(const GridView<Dim>& grid, const std::uint32_t (&cell)[Dim],
                                    CellRange& outer, CellRange&) const noexcept {
        const Times<Arch> times = clip.near(1, reach_of<Arch>(grid, 1, cell[1]), in_plane);
        if (!(times.first <= times.last)) { return false; }
        outer = common<Arch>(outer, clip.cells(grid, 0, times));
        return outer.first <= outer.last;
    }
};

} // namespace throng::simd
