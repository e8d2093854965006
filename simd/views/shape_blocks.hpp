// The blocks of queries that kernels read, a type for each shape. Free of xsimd.
#pragma once

#include "../isa/slack.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Queries go to a kernel in blocks: enough to hide the cost of the call, few enough for the first
/// cache.
inline constexpr std::size_t kBlockQueries = 64;

/// One number for each query. Arrays, not pointers: a kernel then needs one register for all of
/// them. Elements beyond a block's end may hold anything; a block of one query has none.
template <std::size_t queries>
using QueryFloats = float[queries == 1 ? 1 : queries + kSlack];

/// Boxes; inverted boxes find nothing.
template <std::size_t Dim, std::size_t queries>
struct Boxes {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = queries;
    QueryFloats<queries> lo[Dim], hi[Dim];
};
template <std::size_t Dim>
using BoxBlock = Boxes<Dim, kBlockQueries>;
template <std::size_t Dim>
using LoneBox = Boxes<Dim, 1>;

/// Balls; radius2 is the radius squared, in floats.
template <std::size_t Dim, std::size_t queries>
struct Balls {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = queries;
    QueryFloats<queries> centre[Dim], radius, radius2;
};
template <std::size_t Dim>
using BallBlock = Balls<Dim, kBlockQueries>;
template <std::size_t Dim>
using LoneBall = Balls<Dim, 1>;

/// The shapes of block `Plain`, each asked about one kind of body: `box` is 1 for agents' boxes,
/// `disc` is 1 for their discs, and both are 0 for their centres. Tests multiply half extents by
/// these factors, so the same operations serve all bodies; a factor of 0 or 1 rounds nothing.
template <class Plain>
struct BodyBlock : Plain {
    QueryFloats<Plain::kQueries> box, disc;
};
template <std::size_t Dim>
using BodyBallBlock = BodyBlock<BallBlock<Dim>>;
template <std::size_t Dim>
using LoneBodyBall = BodyBlock<LoneBall<Dim>>;

// The other blocks hold one query.

/// Finds agents whose boxes overlap a box and some half spaces. A half space holds the points with
/// normal . p <= offset.
template <std::size_t Dim>
struct ConvexBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    static constexpr std::size_t kMostSides = 8;
    float lo[Dim], hi[Dim];
    float normal[kMostSides][Dim], offset[kMostSides];
    std::uint32_t sides;
};

/// Squares of cosines near one hardly tell angles apart: a float test may find agents this fraction
/// of the radius further to the side than it should.
inline constexpr float kSectorSlack = 0x1p-9f;

/// Finds agents whose centres lie in a sector: the part of a ball within an angle of `along`.
template <std::size_t Dim>
struct SectorBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float centre[Dim], radius, radius2;
    float along[Dim], cosine2;
    bool sees_behind; ///< whether part of the sector lies behind the centre

    /// Bounds of the sector, up to a little rounding: a box, and half spaces through the centre,
    /// with normals of length one.
    float lo[Dim], hi[Dim];
    float normal[4][Dim], aside[4]; ///< aside: how far beyond each half space hits may lie
    std::uint32_t sides;
};
template <std::size_t Dim>
using BodySectorBlock = BodyBlock<SectorBlock<Dim>>;

/// Finds agents whose boxes a ray or segment hits.
template <std::size_t Dim>
struct RayBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float origin[Dim], direction[Dim], length; ///< direction: per unit of time; length: the time
    float along[Dim];                          ///< the direction, scaled by scaled()
    float lo[Dim], hi[Dim];                    ///< bounds of the path
};

/// Finds agents whose discs a moving disc hits on a straight path.
template <std::size_t Dim>
struct CapsuleBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float origin[Dim], direction[Dim], length; ///< as in RayBlock; the length is 1
    float per_square;                          ///< one over the square of the direction's length
    float radius;
};

/// Finds agents whose centres lie in an upright cylinder: a circle on the axes other than `up`, a
/// band on `up`.
template <std::size_t Dim>
struct CylinderBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float centre[Dim], radius, radius2;
    float lo[Dim],
        hi[Dim];      ///< bounds: on `up` the band itself, else a little wider than the circle
    std::uint32_t up; ///< 1 or 2
};
template <std::size_t Dim>
using BodyCylinderBlock = BodyBlock<CylinderBlock<Dim>>;

} // namespace throng::simd

/// M(Block, Dim) for every block of a kind, for files that instantiate templates. FULL: blocks of
/// many queries. PATH: one path each. RARE: one query each, paths included. QUERY: FULL and RARE.
/// LONE: all blocks of one query.
#define THRONG_FOR_EACH_FULL_BLOCK(M)                                                              \
    M(BoxBlock, 2)                                                                                 \
    M(BoxBlock, 3)                                                                                 \
    M(BallBlock, 2)                                                                                \
    M(BallBlock, 3)                                                                                \
    M(BodyBallBlock, 2)                                                                            \
    M(BodyBallBlock, 3)
#define THRONG_FOR_EACH_PATH_BLOCK(M)                                                              \
    M(RayBlock, 2)                                                                                 \
    M(RayBlock, 3)                                                                                 \
    M(CapsuleBlock, 2)                                                                             \
    M(CapsuleBlock, 3)
#define THRONG_FOR_EACH_RARE_BLOCK(M)                                                              \
    M(ConvexBlock, 2)                                                                              \
    M(ConvexBlock, 3)                                                                              \
    M(SectorBlock, 2)                                                                              \
    M(SectorBlock, 3)                                                                              \
    M(CylinderBlock, 2)                                                                            \
    M(CylinderBlock, 3)                                                                            \
    M(BodySectorBlock, 2)                                                                          \
    M(BodySectorBlock, 3)                                                                          \
    M(BodyCylinderBlock, 2)                                                                        \
    M(BodyCylinderBlock, 3)                                                                        \
    THRONG_FOR_EACH_PATH_BLOCK(M)
#define THRONG_FOR_EACH_QUERY_BLOCK(M)                                                             \
    THRONG_FOR_EACH_FULL_BLOCK(M)                                                                  \
    THRONG_FOR_EACH_RARE_BLOCK(M)
#define THRONG_FOR_EACH_LONE_BLOCK(M)                                                              \
    M(LoneBox, 2)                                                                                  \
    M(LoneBox, 3)                                                                                  \
    M(LoneBall, 2)                                                                                 \
    M(LoneBall, 3)                                                                                 \
    M(LoneBodyBall, 2)                                                                             \
    M(LoneBodyBall, 3)                                                                             \
    THRONG_FOR_EACH_RARE_BLOCK(M)
