// Queries that are asked one at a time, as kernels read them. Free of xsimd.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::simd {

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

/// Squares of cosines near one hardly tell angles apart: a float test may find agents this share of
/// the radius further to the side than it should.
inline constexpr float kSectorSlack = 0x1p-9f;

/// Finds agents whose centres lie in a sector: the part of a ball within an angle of `along`.
template <std::size_t Dim>
struct SectorBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float centre[Dim], radius, radius2;
    float along[Dim], cosine2;
    bool wide; ///< it reaches behind the centre

    /// Bounds of the sector, but for a little that is due to rounding: a box, and half spaces
    /// through the centre, with normals of length one.
    float lo[Dim], hi[Dim];
    float normal[4][Dim];
    std::uint32_t sides;
};

/// Finds agents whose boxes a ray or segment hits.
template <std::size_t Dim>
struct RayBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float origin[Dim], direction[Dim], length; ///< of the path: places and times
    float along[Dim];                          ///< the direction, of another length
    float lo[Dim], hi[Dim];                    ///< bounds of the path
};

/// Finds agents whose discs a moving disc hits on a straight path.
template <std::size_t Dim>
struct CapsuleBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float origin[Dim], direction[Dim], length; ///< as above; the length is 1
    float per_square;                          ///< one over the square of the direction
    float radius;
};

} // namespace throng::simd
