// Other libraries that answer questions about walls and triangles: a function for each.
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

/// Stands for a look that hits nothing.
inline constexpr float kNoHit = std::numeric_limits<float>::infinity();

/// What a contender answers, for arrays of questions; what is empty it is not asked.
template <std::size_t Dim>
struct ObstacleContender {
    std::string name;
    std::string way = "single"; ///< or batch, which only the library's own is
    bool ours = false;
    /// The distance to the nearest obstacle.
    std::function<void(std::span<const Point<Dim>>, std::span<float>)> nearest{};
    /// 1 where no obstacle lies between two points, else 0.
    std::function<void(std::span<const Segment<Dim>>, std::span<std::uint8_t>)> sight{};
    /// The part of the way, 0 to 1, after which the first obstacle is hit.
    std::function<void(std::span<const Segment<Dim>>, std::span<float>)> first{};
};

// Walls have no thickness here: no peer has one. Peers are linked only if they were found when this
// was built. The walls and triangles outlive the contenders.
[[nodiscard]] ObstacleContender<2> boost_walls(std::span<const Wall> walls);
[[nodiscard]] ObstacleContender<2> box2d_walls(std::span<const Wall> walls);
[[nodiscard]] ObstacleContender<3> embree_triangles(std::span<const Triangle> triangles);

} // namespace throng::shootout
