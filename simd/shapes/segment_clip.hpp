// The cells near a segment. For *.kernel.cpp files only.
#pragma once

#include "halfspace_clip.hpp"
#include "row_places.hpp"

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
    double rounding; ///< more than the rounding error of floats in this world
    Times<Arch> all;

    /// `reach` is how far from the segment the centres of hits may be on each axis. The margin adds
    /// the rounding error of a test near this segment, anywhere in this world. Outside the world
    /// the error is larger, but there the segment, or its distance from everything in a row, is
    /// larger too. The test for a `round` reach compares squares: a small distance then has the
    /// large error of a root.
    template <class Block>
    [[gnu::always_inline]] SegmentClip(const GridView<Dim>& grid, const Block& block,
                                       const float (&reach)[Dim], bool round) noexcept
        : all{0.0, block.length} {
        double world = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            origin[a] = block.origin[a];
            way[a] = block.direction[a];
            const double start = grid.origin[a];
            // The world up to the end of the last cell; in a window, from the whole grid's origin.
            const double size = (grid.last_cell[a] + 1.0) / grid.inverse_cell[a];
            const double far =
                magnitude<Arch>(origin[a]) + magnitude<Arch>(start) + size + reach[a];
            world = far > world ? far : world;
        }
        rounding = world * (2.0 * kSlackRatio);
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
        // One `<` and one `>`, since two equal comparisons would become one branch, which is
        // predicted badly.
        return cells_of_reach<Arch>(
            grid, a,
            Reach<Arch>{(from < to ? from : to) - margin[a], (from > to ? from : to) + margin[a]});
    }
    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        // A path that ends before it begins has no cells.
        if (!(all.first <= all.last)) { return {CellRange::none()}; }
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
    static constexpr bool kInLanes = true;

    const SegmentClip<Arch, Dim>& clip;
    Times<Arch> in_plane = clip.all;
    float enters[kRowsTogether] = {}, leaves[kRowsTogether] = {}; ///< in space: of the row's plane

    [[gnu::always_inline]] explicit SegmentRows(const SegmentClip<Arch, Dim>& segment) noexcept
        : clip(segment) {}
    /// For a shape that is a path.
    template <class Shape>
    [[gnu::always_inline]] SegmentRows(const GridView<Dim>&, const Shape& path) noexcept
        : clip(path.clip) {}

    [[gnu::always_inline]] bool plane(const GridView<Dim>& grid, std::uint32_t z,
                                      CellRange& rows) noexcept {
        in_plane = clip.near(Dim - 1, reach_of<Arch>(grid, Dim - 1, z), clip.all);
        if (!(in_plane.first <= in_plane.last)) { return false; }
        rows = common<Arch>(rows, clip.cells(grid, 1, in_plane));
        return true;
    }
    /// Notes that row k of the rows looked up together is in the current plane.
    [[gnu::always_inline]] void put(std::uint32_t k) noexcept {
        if constexpr (Dim == 3) {
            enters[k] = static_cast<float>(in_plane.first);
            leaves[k] = static_cast<float>(in_plane.last);
        }
    }

    /// The cells of x to search in each of `count` rows.
    ///
    /// Computes in floats, where clip.near() and clip.cells() use doubles, so `rounding` is added
    /// to the margins: within twice the world no float has a larger error. Points farther out are
    /// outside in any case.
    [[gnu::always_inline]] void ranges(const GridView<Dim>& grid, const RowPlaces<Dim>& at,
                                       std::uint32_t count, const CellRange& all,
                                       RowRanges& out) const noexcept {
        // A path that hardly moves on y counts as in these rows all the time.
        constexpr float kLeastWay = 1e-30f;
        const float across = static_cast<float>(clip.way[1]);
        const bool crosses = magnitude<Arch>(across) > kLeastWay;
        const float per = crosses ? 1.0f / across : 0.0f;
        const float along = static_cast<float>(clip.way[0]);
        const Floats<Arch> from_x(static_cast<float>(clip.origin[0]));
        const Floats<Arch> from_y(static_cast<float>(clip.origin[1]));
        const Floats<Arch> wide_x(static_cast<float>(clip.margin[0] + clip.rounding));
        const Floats<Arch> wide_y(static_cast<float>(clip.margin[1] + clip.rounding));
        const Floats<Arch> wider(1.0f + kSlackRatio), narrower(1.0f - kSlackRatio);
        for (std::uint32_t i = 0; i < count; i += kLanes<Arch>) {
            Floats<Arch> enter(static_cast<float>(clip.all.first));
            Floats<Arch> leave(static_cast<float>(clip.all.last));
            if constexpr (Dim == 3) {
                enter = Floats<Arch>::load_unaligned(enters + i);
                leave = Floats<Arch>::load_unaligned(leaves + i);
            }
            if (crosses) {
                const EdgeLanes<Arch> y = edges_of<Arch>(grid, 1, at, i);
                const Floats<Arch> low = (y.below - wide_y - from_y) * Floats<Arch>(per);
                const Floats<Arch> high = (y.above + wide_y - from_y) * Floats<Arch>(per);
                enter = larger<Arch>(per > 0.0f ? low : high, enter);
                leave = smaller<Arch>(per > 0.0f ? high : low, leave);
            }
            enter = enter * narrower;
            leave = leave * wider;
            enter.store_unaligned(out.enters + i);
            Floats<Arch> from = from_x, to = from_x;
            if (along != 0.0f) { // zero times an infinite way would be NaN
                from = from_x + enter * Floats<Arch>(along);
                to = from_x + leave * Floats<Arch>(along);
            }
            put_ranges<Arch>(grid, all, enter <= leave, smaller<Arch>(from, to) - wide_x,
                             larger<Arch>(from, to) + wide_x, i, out);
        }
    }
};

} // namespace throng::simd
