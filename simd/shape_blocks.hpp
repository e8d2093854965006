// Questions that are asked one at a time, as kernels read them. Free of xsimd.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Whose boxes overlap a box and some half spaces? Those of a half space are the points with
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

/// Squares of cosines near one hardly tell angles apart: a float test may see so much of the radius
/// further to the side than it should.
inline constexpr float kSectorSlack = 0x1p-9f;

/// Whose centres lie in the part of a ball that somebody sees who looks `along`?
template <std::size_t Dim>
struct SectorBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float centre[Dim], radius, radius2;
    float along[Dim], cosine2;
    bool wide; ///< it reaches behind the centre

    /// Nothing that is seen lies beyond these, but for a little that is due to rounding: a box, and
    /// half spaces through the centre, with normals of length one.
    float lo[Dim], hi[Dim];
    float normal[4][Dim];
    std::uint32_t sides;
};

/// Whose boxes are met on a straight way?
template <std::size_t Dim>
struct TrackBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float origin[Dim], direction[Dim], length; ///< of the way: places and times
    float along[Dim];                          ///< the direction, of another length
    float lo[Dim], hi[Dim];                    ///< bounds of the way
};

/// Whose discs are met by a disc on a straight way?
template <std::size_t Dim>
struct SweepBlock {
    static constexpr std::size_t kDim = Dim;
    static constexpr std::size_t kQueries = 1;
    float origin[Dim], direction[Dim], length; ///< as above; the length is 1
    float per_square;                          ///< one over the square of the direction
    float radius;
};

} // namespace throng::simd
