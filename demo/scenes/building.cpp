#include "building.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng::demo {

Building::Building(const Box<2>& area, float side, const Random& random) : area_(area) {
    const auto fit = [&](std::size_t a) {
        const float count = std::round((area.hi[a] - area.lo[a]) / side);
        return static_cast<std::size_t>(std::max(count, 1.0f));
    };
    columns_ = fit(0);
    rows_ = fit(1);
    side_ = {{(area.hi[0] - area.lo[0]) / static_cast<float>(columns_),
              (area.hi[1] - area.lo[1]) / static_cast<float>(rows_)}};
    way_out_.resize(rooms());

    // Works from the exits inwards. Chance decides which room is reached next, and from which side.
    std::vector<bool> reached(rooms());
    std::vector<std::size_t> waiting;
    const auto reach = [&](std::size_t room, std::size_t axis, bool upwards) {
        if (reached[room]) { return; }
        reached[room] = true;
        open(room, axis, upwards, random);
        waiting.push_back(room);
    };
    const std::size_t exits = std::max<std::size_t>(2, (columns_ + rows_) / 2);
    for (std::size_t e = 0; e < exits; ++e) {
        const std::uint64_t chance = random.bits(e, 11);
        const std::size_t axis = chance & 1;
        const bool upwards = (chance & 2) != 0;
        const std::size_t c = axis == 0 ? (upwards ? columns_ - 1 : 0) : (chance >> 8) % columns_;
        const std::size_t r = axis == 1 ? (upwards ? rows_ - 1 : 0) : (chance >> 8) % rows_;
        reach(r * columns_ + c, axis, upwards);
    }
    for (std::size_t next = 0; next < waiting.size(); ++next) {
        const std::size_t later = next + random.bits(next, 12) % (waiting.size() - next);
        std::swap(waiting[next], waiting[later]);
        const std::size_t room = waiting[next], c = room % columns_, r = room / columns_;
        if (c > 0) { reach(room - 1, 0, true); }
        if (c + 1 < columns_) { reach(room + 1, 0, false); }
        if (r > 0) { reach(room - columns_, 1, true); }
        if (r + 1 < rows_) { reach(room + columns_, 1, false); }
    }
}

void Building::open(std::size_t room, std::size_t axis, bool upwards, const Random& random) {
    const std::size_t across = 1 - axis;
    const std::size_t number = across == 0 ? room % columns_ : room / columns_;
    const float low = line(across, number) + kDoor, high = line(across, number + 1) - kDoor;
    way_out_[room] = {axis, upwards, random.between(low, std::max(low, high), room, 13)};
}

void Building::add_walls(People<2>& people) const {
    const auto add = [&](std::size_t across, float at, float from, float to) {
        const std::size_t along = 1 - across;
        if (to <= from) { return; }
        people.wall[across].push_back(at);
        people.wall_half[across].push_back(kWallHalf);
        people.wall[along].push_back((from + to) * 0.5f);
        people.wall_half[along].push_back((to - from) * 0.5f);
    };
    // Each piece of wall is as long as one room, and has at most one door, since ways out never
    // lead back.
    for (std::size_t across = 0; across < 2; ++across) {
        const std::size_t lines = (across == 0 ? columns_ : rows_) + 1;
        const std::size_t pieces = across == 0 ? rows_ : columns_;
        const auto room_at = [&](std::size_t number, std::size_t piece) {
            return across == 0 ? piece * columns_ + number : number * columns_ + piece;
        };
        for (std::size_t n = 0; n < lines; ++n) {
            for (std::size_t piece = 0; piece < pieces; ++piece) {
                std::optional<float> middle;
                const auto look_at = [&](std::size_t room, bool upwards) {
                    const Door& door = way_out_[room];
                    if (door.axis == across && door.upwards == upwards) {
                        middle = door.along_wall;
                    }
                };
                if (n > 0) { look_at(room_at(n - 1, piece), true); }
                if (n + 1 < lines) { look_at(room_at(n, piece), false); }
                float from = line(1 - across, piece) - kWallHalf;
                if (middle) {
                    add(across, line(across, n), from, *middle - kDoor * 0.5f);
                    from = *middle + kDoor * 0.5f;
                }
                add(across, line(across, n), from, line(1 - across, piece + 1) + kWallHalf);
            }
        }
    }
}

std::optional<Point<2>> Building::next_from(const Point<2>& at) const noexcept {
    std::array<std::size_t, 2> place{};
    for (std::size_t a = 0; a < 2; ++a) {
        const float share = (at[a] - area_.lo[a]) / side_[a];
        const std::size_t count = a == 0 ? columns_ : rows_;
        if (!(share >= 0.0f) || share >= static_cast<float>(count)) { return std::nullopt; }
        place[a] = static_cast<std::size_t>(share);
    }
    const Door& door = way_out_[place[1] * columns_ + place[0]];
    const float wall = line(door.axis, place[door.axis] + (door.upwards ? 1 : 0));
    const float beside = std::abs(at[1 - door.axis] - door.along_wall);
    // First in front of the door, then through.
    const float beyond = beside < kDoor * 0.4f ? 1.5f : -0.8f;
    Point<2> target;
    target[door.axis] = wall + (door.upwards ? beyond : -beyond);
    target[1 - door.axis] = door.along_wall;
    return target;
}

Point<2> Building::place_in(std::size_t room, const Point<2>& share) const noexcept {
    const std::array<std::size_t, 2> place = {room % columns_, room / columns_};
    Point<2> at;
    for (std::size_t a = 0; a < 2; ++a) {
        const float low = line(a, place[a]) + 2.0f * kWallHalf;
        at[a] = low + (side_[a] - 4.0f * kWallHalf) * share[a];
    }
    return at;
}

} // namespace throng::demo
