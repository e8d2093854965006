#include "town.hpp"

#include <algorithm>
#include <cmath>

namespace throng::demo {

Town::Town(std::size_t houses, const Random& random) {
    // The town is twice as wide as it is high.
    const float across = std::sqrt(2.0f * static_cast<float>(houses));
    columns_ = std::max<std::size_t>(static_cast<std::size_t>(std::lround(across)), 2);
    rows_ = std::max<std::size_t>((houses + columns_ / 2) / columns_, 1);
    for (std::size_t house = 0; house < columns_ * rows_; ++house) {
        const Point<2> corner = at(house / columns_ * (columns_ + 1) + house % columns_);
        // Streets are three to nine units wide. Walls are given by their middle lines.
        std::array<float, 4> inset{};
        for (std::size_t side = 0; side < 4; ++side) {
            inset[side] = random.between(1.5f, 4.5f, house, 20 + side) + kThickness * 0.5f;
        }
        const Point<2> lo = {{corner[0] + inset[0], corner[1] + inset[1]}};
        const Point<2> hi = {{corner[0] + kBlock - inset[2], corner[1] + kBlock - inset[3]}};
        const Point<2> corners[] = {lo, {{hi[0], lo[1]}}, hi, {{lo[0], hi[1]}}};
        for (std::size_t side = 0; side < 4; ++side) {
            walls_.push_back({corners[side], corners[(side + 1) % 4], kThickness});
        }
    }
}

Box<2> Town::world() const noexcept {
    constexpr float kAround = 4.0f; // width of the streets around all houses
    const Point<2> end = at(crossings() - 1);
    return {{{-kAround, -kAround}}, {{end[0] + kAround, end[1] + kAround}}};
}

Point<2> Town::at(std::size_t crossing) const noexcept {
    return {{static_cast<float>(crossing % (columns_ + 1)) * kBlock,
             static_cast<float>(crossing / (columns_ + 1)) * kBlock}};
}

std::size_t Town::next(std::size_t from, std::size_t to, std::uint64_t chance) const noexcept {
    const std::size_t width = columns_ + 1;
    const std::size_t x = from % width, y = from / width;
    const std::size_t to_x = to % width, to_y = to / width;
    const bool sideways = y == to_y || (x != to_x && chance % 2 == 0);
    if (sideways) { return x == to_x ? from : (x < to_x ? from + 1 : from - 1); }
    return y < to_y ? from + width : from - width;
}

Point<2> Town::lane(std::size_t from, std::size_t to) const noexcept {
    const Point<2> begin = at(from), end = at(to);
    const float x = (end[0] - begin[0]) / kBlock, y = (end[1] - begin[1]) / kBlock;
    return {{end[0] + y * kLane, end[1] - x * kLane}};
}

} // namespace throng::demo
