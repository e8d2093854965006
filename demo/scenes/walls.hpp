// What stops those who walk.
#pragma once

#include <throng/engine/agents/point.hpp>
#include <throng/engine/obstacles/obstacles.hpp>

namespace throng::demo {

/// Walls for discs that walk. Whatever they are pushed by, their centres neither come to be in a
/// wall nor cross one.
class Walls {
public:
    /// Throws std::runtime_error where the library refuses them.
    void build(const ObstacleArrays<2>& arrays);

    /// Where a disc comes to that wants to go from `at` to `to`. It goes along walls that it meets,
    /// and those that it overlaps push it away. Its centre is in no wall now. `free` is how far it
    /// can go without coming to a wall, as the call before left it; zero at first, and whenever it
    /// was put elsewhere. So only those near walls ask in every frame.
    [[nodiscard]] Point<2> walk(const Point<2>& at, const Point<2>& to, float radius,
                                float& free) const;

    [[nodiscard]] const Obstacles<2>& obstacles() const noexcept { return obstacles_; }

private:
    Obstacles<2> obstacles_;
};

} // namespace throng::demo
