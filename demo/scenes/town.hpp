// Blocks of houses with streets between them: the walls, and the ways through.
#pragma once

#include "../stage/random.hpp"
#include "../structures/people.hpp"

#include <throng/engine/agents/point.hpp>
#include <throng/engine/obstacles/obstacle_shapes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::demo {

/// Houses in rows, each of four walls and with its own size. Streets cross around each house;
/// crossings have numbers.
class Town {
public:
    static constexpr float kBlock = 16.0f;    ///< from street to street
    static constexpr float kThickness = 0.5f; ///< of walls
    static constexpr float kLane = 0.8f;      ///< walkers keep this far to the right

    Town() = default;
    /// About this many houses, in rows that suit a picture.
    Town(std::size_t houses, const Random& random);

    [[nodiscard]] Box<2> world() const noexcept;
    [[nodiscard]] const std::vector<Wall>& walls() const noexcept { return walls_; }
    [[nodiscard]] std::size_t crossings() const noexcept { return (columns_ + 1) * (rows_ + 1); }
    [[nodiscard]] Point<2> at(std::size_t crossing) const noexcept;

    /// The next crossing on the way from `from` to `to`, which may be equal; `chance` decides
    /// between equally near ones.
    [[nodiscard]] std::size_t next(std::size_t from, std::size_t to,
                                   std::uint64_t chance) const noexcept;
    /// The place to walk to on the way from one crossing to the next: on its right side.
    [[nodiscard]] Point<2> lane(std::size_t from, std::size_t to) const noexcept;

private:
    std::size_t columns_ = 0, rows_ = 0;
    std::vector<Wall> walls_;
};

} // namespace throng::demo
