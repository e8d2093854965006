// Other libraries for questions about walls and triangles: one function for each.
#pragma once

#include <throng/engine/obstacles/obstacle_shapes.hpp>
#include <throng/engine/shapes/segment.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>

namespace throng::shootout {

/// The answer of a line that hits nothing.
inline constexpr float kNoHit = std::numeric_limits<float>::infinity();

/// A contender's functions for arrays of questions; it is not asked those whose function is empty.
template <std::size_t Dim>
struct ObstacleContender {
    std::string name;
    std::string way = "single"; ///< "batch" only for the library itself
    bool ours = false;
    /// Distances to the nearest obstacle.
    std::function<void(std::span<const Point<Dim>>, std::span<float>)> nearest{};
    /// 1 if no obstacle lies between two points, otherwise 0.
    std::function<void(std::span<const Segment<Dim>>, std::span<std::uint8_t>)> sight{};
    /// The fraction of the way, 0 to 1, before the first hit.
    std::function<void(std::span<const Segment<Dim>>, std::span<float>)> first{};
};

// Walls have no thickness here, since no peer has such walls. Peers are linked only if they were
// found at build time. The walls and triangles must outlive the contenders.
[[nodiscard]] ObstacleContender<2> boost_walls(std::span<const Wall> walls);
[[nodiscard]] ObstacleContender<2> box2d_walls(std::span<const Wall> walls);
[[nodiscard]] ObstacleContender<3> embree_triangles(std::span<const Triangle> triangles);

} // namespace throng::shootout
