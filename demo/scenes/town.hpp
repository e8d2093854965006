// Blocks of houses with streets between them: walls, and ways through the streets.
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

/// Houses in rows, each of its own size with four walls. Streets cross at each house's corners;
/// crossings have numbers.
class Town {
public:
    static constexpr float kBlock = 16.0f;    ///< from one street to the next
    static constexpr float kThickness = 0.5f; ///< of walls
    static constexpr float kLane = 0.8f;      ///< walkers keep this far to the right

    Town() = default;
    /// Makes about this many houses, in rows that suit a picture.
    Town(std::size_t houses, const Random& random);

    [[nodiscard]] Box<2> world() const noexcept;
    [[nodiscard]] const std::vector<Wall>& walls() const noexcept { return walls_; }
    [[nodiscard]] std::size_t crossings() const noexcept { return (columns_ + 1) * (rows_ + 1); }
    [[nodiscard]] Point<2> at(std::size_t crossing) const noexcept;

    /// The next crossing on the way from `from` to `to`, which may be equal; `chance` decides
    /// between equally near crossings.
    [[nodiscard]] std::size_t next(std::size_t from, std::size_t to,
                                   std::uint64_t chance) const noexcept;
    /// The place to walk to on the way from one crossing to the next: on the right side of the
    /// street.
    [[nodiscard]] Point<2> lane(std::size_t from, std::size_t to) const noexcept;

private:
    std::size_t columns_ = 0, rows_ = 0;
    std::vector<Wall> walls_;
};

} // namespace throng::demo
