// Bounds for sixteen questions at once: which of a few bodies can be the nearest to a point, which
// can be on a way, and which can meet looks from one point. Exact tests decide what the bounds
// leave open.
#pragma once

#include "tree_gather.hpp"

namespace throng::simd {

/// The number of questions in a packet: a whole number of vectors on every instruction set.
inline constexpr std::uint32_t kPacketWidth = 16;

/// All points of the plane within `reach` of the segment from `from` to `from` + `way`.
struct RoundSegment {
    float from[2], way[2];
    float inverse; ///< one over the square of the way's length; 0 if floats cannot hold this number
    float length;  ///< not less than the way's length
    float reach;
    float fuzz; ///< added to bounds: at least the way's length if `inverse` is 0, else 0
};

/// The bodies that a packet is compared with: as the boxes around them, or in the plane, if their
/// bit is set in `round`, as round segments.
template <std::size_t Dim>
struct PacketBodies {
    std::uint32_t count; ///< not above kMostGathered
    const Gathered<Dim>* boxes;
    const RoundSegment* segments; ///< segments[c] is in boxes[c]
    std::uint64_t round;          ///< zero in space
};

/// Points in lanes; lanes without a question may hold any numbers.
template <std::size_t Dim>
struct PointPacket {
    float axis[Dim][kPacketWidth];
};

/// Straight ways in lanes, and how far their questions reach to the side.
template <std::size_t Dim>
struct WayPacket {
    float from[Dim][kPacketWidth], to[Dim][kPacketWidth], reach[kPacketWidth];
};

struct NearBounds {
    bool all = false; ///< in: whether all bodies within the limit are wanted, not only the nearest
    float lower[kMostGathered][kPacketWidth]; ///< the body is at least this far away; 0 inside
    float limit[kPacketWidth]; ///< in: the largest distance of interest; out: bodies with a lower
                               ///< bound above it are not wanted
    std::uint32_t may_win[kMostGathered]; ///< the lanes whose lower bound is not above the limit
};

/// Fills in `bounds` for the distances from points to bodies. Limits allow for the rounding of
/// floats, and `slack` is added to them.
template <std::size_t Dim>
void bound_nearest(const PacketBodies<Dim>& bodies, const PointPacket<Dim>& points, float slack,
                   NearBounds& bounds) noexcept;

struct WayBounds {
    std::uint32_t may_hit[kMostGathered]; ///< the lanes whose ways may come within reach of a body
    std::uint32_t crossed; ///< lanes whose ways certainly cross the middle line of a round segment
};

/// Fills in `bounds` for ways and bodies.
template <std::size_t Dim>
void bound_ways(const PacketBodies<Dim>& bodies, const WayPacket<Dim>& ways,
                WayBounds& bounds) noexcept;

/// A body as looks from one point see it, along axes of its own and relative to that point: an
/// outer box around the body, and an inner box that the body fills. The half extents of both allow
/// for rounding.
template <std::size_t Dim>
struct SeenBody {
    float axis[Dim][Dim], middle[Dim];
    float outer[Dim];
    float inner[Dim]; ///< far below zero if there is no inner box: then no look meets it
};

/// The ways of looks from one point, in lanes.
template <std::size_t Dim>
struct LookPacket {
    float way[Dim][kPacketWidth];
};

/// Writes, for each of the `count` bodies with these numbers, the lanes whose looks may meet it,
/// and returns the lanes whose looks surely meet one of them. Only the bits of the first `lanes`
/// lanes mean anything.
template <std::size_t Dim>
std::uint32_t bound_looks(const SeenBody<Dim>* bodies, const std::uint32_t* numbers,
                          std::size_t count, const LookPacket<Dim>& looks, std::uint32_t lanes,
                          std::uint32_t* may_meet) noexcept;

/// The same on one instruction set, compiled from packet_bounds.kernel.cpp.
template <class Arch, std::size_t Dim>
void bound_nearest_on(Arch, const PacketBodies<Dim>& bodies, const PointPacket<Dim>& points,
                      float slack, NearBounds& bounds) noexcept;
template <class Arch, std::size_t Dim>
void bound_ways_on(Arch, const PacketBodies<Dim>& bodies, const WayPacket<Dim>& ways,
                   WayBounds& bounds) noexcept;
template <class Arch, std::size_t Dim>
std::uint32_t bound_looks_on(Arch, const SeenBody<Dim>* bodies, const std::uint32_t* numbers,
                             std::size_t count, const LookPacket<Dim>& looks, std::uint32_t lanes,
                             std::uint32_t* may_meet) noexcept;

} // namespace throng::simd
