// Walls that stop walkers.
#pragma once

#include <throng/engine/agents/point.hpp>
#include <throng/engine/obstacles/obstacles.hpp>

namespace throng::demo {

/// Walls for walking discs. However discs are pushed, their centres never enter or cross a wall.
class Walls {
public:
    /// Throws std::runtime_error if the library refuses the walls.
    void build(const ObstacleArrays<2>& arrays);

    /// Returns the place that a disc reaches on its way from `at` to `to`. It slides along walls
    /// that it meets, and walls that it overlaps push it away. Its centre must not be in a wall.
    /// `free` is the distance that it can still go without meeting a wall, and is kept from call to
    /// call; set it to zero at first, and whenever the disc is put elsewhere. Thanks to it, only
    /// discs near walls search in every frame.
    [[nodiscard]] Point<2> walk(const Point<2>& at, const Point<2>& to, float radius,
                                float& free) const;

    [[nodiscard]] const Obstacles<2>& obstacles() const noexcept { return obstacles_; }

private:
    Obstacles<2> obstacles_;
};

} // namespace throng::demo
