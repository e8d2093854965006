// A building of rooms, with its walls and doors, and the way out of each room.
#pragma once

#include "../stage/random.hpp"
#include "../structures/people.hpp"

#include <throng/engine/agents/point.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace throng::demo {

/// Square rooms in rows. Each has a door to a room nearer to the outside, or to the outside itself,
/// so there is a way out of every room.
class Building {
public:
    static constexpr float kDoor = 2.6f;     ///< width of a door
    static constexpr float kWallHalf = 0.3f; ///< half the thickness of a wall

    Building() = default;
    /// Makes as many rooms of about `side` as fit into `area`.
    Building(const Box<2>& area, float side, const Random& random);

    /// Appends the walls, with gaps for the doors.
    void add_walls(People<2>& people) const;

    /// The next target: in front of the next door, then just behind it; nothing outside.
    [[nodiscard]] std::optional<Point<2>> next_from(const Point<2>& at) const noexcept;

    /// A place in a room; `share` is its relative position, from 0 to 1 on each axis.
    [[nodiscard]] Point<2> place_in(std::size_t room, const Point<2>& share) const noexcept;
    [[nodiscard]] std::size_t rooms() const noexcept { return columns_ * rows_; }

private:
    /// A door in the wall to one of the room's neighbours, or to the outside.
    struct Door {
        std::size_t axis = 0;    ///< axis of the way through
        bool upwards = false;    ///< direction on that axis
        float along_wall = 0.0f; ///< its middle, on the other axis
    };

    void open(std::size_t room, std::size_t axis, bool upwards, const Random& random);
    [[nodiscard]] float line(std::size_t axis, std::size_t number) const noexcept {
        return area_.lo[axis] + side_[axis] * static_cast<float>(number);
    }

    Box<2> area_{};
    std::size_t columns_ = 0, rows_ = 0;
    Point<2> side_{};
    std::vector<Door> way_out_; // of each room
};

} // namespace throng::demo
