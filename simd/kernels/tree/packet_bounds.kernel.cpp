// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "packet_bounds.hpp"

#include "../../isa/lanes.hpp"

namespace throng::simd {

/// A bound on the error of a float after the few operations here, relative to the lengths that go
/// in: 32 times the rounding of one operation.
template <class Arch>
inline constexpr float kOff = 0x1p-19f;
/// Margin of the extents of boxes for that error, relative to a way's length and reach.
template <class Arch>
inline constexpr float kSpare = 0x1p-18f;
/// Squares of smaller lengths may underflow.
template <class Arch>
inline constexpr float kLeastLength = 1e-18f;
/// The same for areas, with room to spare.
template <class Arch>
inline constexpr float kLeastArea = 1e-30f;

template <class Arch>
struct Bounds {
    Floats<Arch> lower, upper;
};

/// The distance from points to a segment with round ends. All lengths are differences of the floats
/// that came in, so their errors are in proportion to the distance from the segment's begin.
template <class Arch>
[[gnu::always_inline]] inline Bounds<Arch> distances_to(const RoundSegment& segment,
                                                        const Floats<Arch> (&point)[2]) noexcept {
    const Floats<Arch> x = point[0] - Floats<Arch>(segment.from[0]);
    const Floats<Arch> y = point[1] - Floats<Arch>(segment.from[1]);
    const Floats<Arch> way_x(segment.way[0]), way_y(segment.way[1]);
    const Floats<Arch> part = smaller<Arch>(
        larger<Arch>((x * way_x + y * way_y) * Floats<Arch>(segment.inverse), Floats<Arch>(0.0f)),
        Floats<Arch>(1.0f));
    const Floats<Arch> off_x = x - part * way_x;
    const Floats<Arch> off_y = y - part * way_y;
    const Floats<Arch> distance =
        root<Arch>(off_x * off_x + off_y * off_y) - Floats<Arch>(segment.reach);
    const Floats<Arch> off =
        (magnitude<Arch>(x) + magnitude<Arch>(y) + Floats<Arch>(segment.reach)) *
            Floats<Arch>(kOff<Arch>) +
        Floats<Arch>(segment.fuzz + kLeastLength<Arch>);
    return {distance - off, distance + off};
}

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Floats<Arch>
distances_to_box(const Gathered<Dim>& box, const Floats<Arch> (&point)[Dim]) noexcept {
    Floats<Arch> sum(0.0f);
    for (std::size_t a = 0; a < Dim; ++a) {
        const Floats<Arch> gap = larger<Arch>(
            larger<Arch>(Floats<Arch>(box.lo[a]) - point[a], point[a] - Floats<Arch>(box.hi[a])),
            Floats<Arch>(0.0f));
        sum = sum + gap * gap;
    }
    return root<Arch>(sum) * Floats<Arch>(1.0f - kOff<Arch>) - Floats<Arch>(kLeastLength<Arch>);
}

template <class Arch, std::size_t Dim>
void bound_nearest_on(Arch, const PacketBodies<Dim>& bodies, const PointPacket<Dim>& points,
                      float slack, NearBounds& bounds) noexcept {
    const Floats<Arch> zero(0.0f);
    for (std::uint32_t c = 0; c < bodies.count; ++c) {
        bounds.may_win[c] = 0;
    }
    for (std::uint32_t i = 0; i < kPacketWidth; i += kLanes<Arch>) {
        Floats<Arch> point[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = Floats<Arch>::load_unaligned(points.axis[a] + i);
        }
        Floats<Arch> least = Floats<Arch>::load_unaligned(bounds.limit + i);
        for (std::uint32_t c = 0; c < bodies.count; ++c) {
            Floats<Arch> lower;
            bool is_box = true;
            if constexpr (Dim == 2) {
                if ((bodies.round >> c & 1u) != 0) {
                    const Bounds<Arch> found = distances_to<Arch>(bodies.segments[c], point);
                    lower = found.lower;
                    if (!bounds.all) { least = smaller<Arch>(least, found.upper); }
                    is_box = false;
                }
            }
            if (is_box) { lower = distances_to_box<Arch, Dim>(bodies.boxes[c], point); }
            larger<Arch>(lower, zero).store_unaligned(bounds.lower[c] + i);
        }
        // Not below 0: if a point is inside two bodies, exact tests say which is deeper.
        const Floats<Arch> limit =
            larger<Arch>(least, zero) * Floats<Arch>(1.0f + kOff<Arch>) + Floats<Arch>(slack);
        limit.store_unaligned(bounds.limit + i);
        for (std::uint32_t c = 0; c < bodies.count; ++c) {
            const auto lower = Floats<Arch>::load_unaligned(bounds.lower[c] + i);
            bounds.may_win[c] |= lane_bits<Arch>(lower <= limit) << i;
        }
    }
}

/// Ways in lanes, prepared for tests of separation.
template <class Arch, std::size_t Dim>
struct WayLanes {
    Floats<Arch> from[Dim], way[Dim], reach;
    Floats<Arch> size; ///< the sum of the way's sides
    Floats<Arch> far;  ///< anything farther from the way's begin is out of reach
    Floats<Arch> wide; ///< the reach plus the margin for rounding

    [[gnu::always_inline]] WayLanes(const WayPacket<Dim>& ways, std::uint32_t i) noexcept
        : reach(Floats<Arch>::load_unaligned(ways.reach + i)), size(0.0f) {
        for (std::size_t a = 0; a < Dim; ++a) {
            from[a] = Floats<Arch>::load_unaligned(ways.from[a] + i);
            way[a] = Floats<Arch>::load_unaligned(ways.to[a] + i) - from[a];
            size = size + magnitude<Arch>(way[a]);
        }
        const Floats<Arch> most = size + reach;
        far = most + most;
        wide = reach + most * Floats<Arch>(kSpare<Arch>);
    }
};

/// A bound on the error of an area that is a sum of two products of lengths, from the sum of these
/// lengths.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> off_by(const Floats<Arch>& lengths) noexcept {
    // Scaled down before it is squared, so that the largest squares do not overflow.
    const Floats<Arch> part = lengths * Floats<Arch>(0x1p-9f);
    return part * part + Floats<Arch>(kLeastArea<Arch>);
}

template <class Arch>
struct Crossing {
    FloatMask<Arch> may_hit, crossed;
};

/// A way misses a segment if one of the two is wholly on one side of the line through the other. If
/// neither is, by more than rounding, the two cross. A way that passes beyond an end of the segment
/// may count as one that may hit, although it is out of reach.
template <class Arch>
[[gnu::always_inline]] inline Crossing<Arch> crossing_of(const RoundSegment& segment,
                                                         const WayLanes<Arch, 2>& ways) noexcept {
    const Floats<Arch> x = Floats<Arch>(segment.from[0]) - ways.from[0];
    const Floats<Arch> y = Floats<Arch>(segment.from[1]) - ways.from[1];
    const Floats<Arch> wall_x(segment.way[0]), wall_y(segment.way[1]);
    const Floats<Arch> length(segment.length);
    // Twice the areas of triangles: of the way and each end of the segment, and of the segment and
    // each end of the way.
    const Floats<Arch> turn = ways.way[0] * wall_y - ways.way[1] * wall_x;
    const Floats<Arch> to_begin = ways.way[0] * y - ways.way[1] * x;
    const Floats<Arch> to_end = to_begin + turn;
    const Floats<Arch> at_from = x * wall_y - y * wall_x;
    const Floats<Arch> at_to = at_from - turn;
    const Floats<Arch> off =
        off_by<Arch>(magnitude<Arch>(x) + magnitude<Arch>(y) + ways.size + length + length);
    const Floats<Arch> zero(0.0f);
    const Floats<Arch> reach =
        (Floats<Arch>(segment.reach) + ways.reach) * Floats<Arch>(1.0f + kOff<Arch>);
    const Floats<Arch> way_length =
        root<Arch>(ways.way[0] * ways.way[0] + ways.way[1] * ways.way[1]) *
        Floats<Arch>(1.0f + kOff<Arch>);
    const Floats<Arch> beside_way = reach * way_length + off;
    const Floats<Arch> beside_wall = reach * length + off;
    const Floats<Arch> way_low = smaller<Arch>(to_begin, to_end);
    const Floats<Arch> way_high = larger<Arch>(to_begin, to_end);
    const Floats<Arch> wall_low = smaller<Arch>(at_from, at_to);
    const Floats<Arch> wall_high = larger<Arch>(at_from, at_to);
    const FloatMask<Arch> may_hit = (way_low <= beside_way) & (way_high >= zero - beside_way) &
                                    (wall_low <= beside_wall) & (wall_high >= zero - beside_wall);
    const FloatMask<Arch> crossed =
        (way_low < zero - off) & (way_high > off) & (wall_low < zero - off) & (wall_high > off);
    return {may_hit, crossed};
}

/// The largest separation, over all axes, of a straight way from zero and each of some boxes around
/// one middle, in the boxes' coordinates; not above zero where the way meets the box. The axes are
/// the box's own axes, and axes perpendicular to the way and to an axis of the box. With m the
/// middle, h the half extents and d the way, the way misses the box if on some axis, or for some
/// pair of the box's axes,
///
///     |d / 2 - m| > h + |d| / 2        or        |d0 m1 - d1 m0| > h0 |d1| + h1 |d0|.
///
/// So the left sides are the same for all boxes.
template <class Arch, std::size_t boxes, std::size_t Dim>
[[gnu::always_inline]] inline void
go_by(const Floats<Arch> (&way)[Dim], const Floats<Arch> (&middle)[Dim],
      const Floats<Arch> (&half_extent)[boxes][Dim], Floats<Arch> (&by)[boxes]) noexcept {
    const Floats<Arch> half(0.5f);
    Floats<Arch> across[Dim];
    for (std::size_t i = 0; i < Dim; ++i) {
        across[i] = magnitude<Arch>(way[i]);
        const Floats<Arch> apart = magnitude<Arch>(way[i] * half - middle[i]) - across[i] * half;
        for (std::size_t b = 0; b < boxes; ++b) {
            const Floats<Arch> beyond = apart - half_extent[b][i];
            by[b] = i == 0 ? beyond : larger<Arch>(by[b], beyond);
        }
    }
    for (std::size_t i = 0; i < Dim; ++i) {
        if (Dim == 2 && i == 1) { break; } // it would be the same pair of axes again
        const std::size_t j = (i + 1) % Dim;
        const Floats<Arch> turn = magnitude<Arch>(way[i] * middle[j] - way[j] * middle[i]);
        for (std::size_t b = 0; b < boxes; ++b) {
            by[b] = larger<Arch>(
                by[b], turn - (half_extent[b][i] * across[j] + half_extent[b][j] * across[i]));
        }
    }
}

/// Whether a way may come within reach of a box. Clips the box to the way's neighbourhood first, so
/// that the rounding error is relative to the way and not to the box; then widens the box by that
/// error.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline FloatMask<Arch> meets_box(const Gathered<Dim>& box,
                                                        const WayLanes<Arch, Dim>& ways) noexcept {
    const Floats<Arch> half(0.5f), zero(0.0f);
    Floats<Arch> middle[Dim], extent[1][Dim], by[1];
    for (std::size_t a = 0; a < Dim; ++a) {
        const Floats<Arch> low =
            larger<Arch>(Floats<Arch>(box.lo[a]) - ways.from[a], zero - ways.far) * half;
        const Floats<Arch> high =
            smaller<Arch>(Floats<Arch>(box.hi[a]) - ways.from[a], ways.far) * half;
        // A box beyond the neighbourhood on this axis becomes inverted, and stays out of reach.
        middle[a] = high + low;
        extent[0][a] = (high - low) + ways.wide;
    }
    go_by<Arch>(ways.way, middle, extent, by);
    return by[0] <= Floats<Arch>(kLeastArea<Arch>);
}

template <class Arch, std::size_t Dim>
void bound_ways_on(Arch, const PacketBodies<Dim>& bodies, const WayPacket<Dim>& ways,
                   WayBounds& bounds) noexcept {
    bounds.crossed = 0;
    for (std::uint32_t c = 0; c < bodies.count; ++c) {
        bounds.may_hit[c] = 0;
    }
    for (std::uint32_t i = 0; i < kPacketWidth; i += kLanes<Arch>) {
        const WayLanes<Arch, Dim> lanes(ways, i);
        for (std::uint32_t c = 0; c < bodies.count; ++c) {
            if constexpr (Dim == 2) {
                if ((bodies.round >> c & 1u) != 0) {
                    const Crossing<Arch> found = crossing_of<Arch>(bodies.segments[c], lanes);
                    bounds.may_hit[c] |= lane_bits<Arch>(found.may_hit) << i;
                    bounds.crossed |= lane_bits<Arch>(found.crossed) << i;
                    continue;
                }
            }
            bounds.may_hit[c] |= lane_bits<Arch>(meets_box<Arch, Dim>(bodies.boxes[c], lanes)) << i;
        }
    }
}

template <class Arch>
struct Meeting {
    FloatMask<Arch> may, surely;
};

/// The looks that may meet a body's outer box, and the looks that surely meet its inner box.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Meeting<Arch> meeting_of(const SeenBody<Dim>& body,
                                                       const Floats<Arch> (&way)[Dim]) noexcept {
    Floats<Arch> along[Dim], middle[Dim], extent[2][Dim], by[2];
    for (std::size_t i = 0; i < Dim; ++i) {
        along[i] = way[0] * Floats<Arch>(body.axis[i][0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            along[i] = along[i] + way[a] * Floats<Arch>(body.axis[i][a]);
        }
        middle[i] = Floats<Arch>(body.middle[i]);
        extent[0][i] = Floats<Arch>(body.outer[i]);
        extent[1][i] = Floats<Arch>(body.inner[i]);
    }
    go_by<Arch>(along, middle, extent, by);
    const Floats<Arch> zero(0.0f);
    return {by[0] <= zero, by[1] <= zero};
}

template <class Arch, std::size_t Dim>
std::uint32_t bound_looks_on(Arch, const SeenBody<Dim>* bodies, const std::uint32_t* numbers,
                             std::size_t count, const LookPacket<Dim>& looks, std::uint32_t lanes,
                             std::uint32_t* may_meet) noexcept {
    for (std::size_t c = 0; c < count; ++c) {
        may_meet[c] = 0;
    }
    std::uint32_t met = 0;
    for (std::uint32_t i = 0; i < lanes; i += kLanes<Arch>) {
        Floats<Arch> way[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            way[a] = Floats<Arch>::load_unaligned(looks.way[a] + i);
        }
        for (std::size_t c = 0; c < count; ++c) {
            const Meeting<Arch> found = meeting_of<Arch, Dim>(bodies[numbers[c]], way);
            may_meet[c] |= lane_bits<Arch>(found.may) << i;
            met |= lane_bits<Arch>(found.surely) << i;
        }
    }
    return met;
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template void bound_nearest_on(KernelArch, const PacketBodies<Dim>&, const PointPacket<Dim>&,  \
                                   float, NearBounds&) noexcept;                                   \
    template void bound_ways_on(KernelArch, const PacketBodies<Dim>&, const WayPacket<Dim>&,       \
                                WayBounds&) noexcept;                                              \
    template std::uint32_t bound_looks_on(KernelArch, const SeenBody<Dim>*, const std::uint32_t*,  \
                                          std::size_t, const LookPacket<Dim>&, std::uint32_t,      \
                                          std::uint32_t*) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
