// Which places are within reach of a brick, as bounds in floats. Internal to distributed/.
#pragma once

#include "../engine/agents/box.hpp"
#include "../engine/agents/grid_shape.hpp"
#include "../simd/isa/words4.hpp"
#include "cuts.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace throng {

/// How far an agent at x reaches: searches widen their bounds by 2^-20 of their numbers, in floats,
/// whose errors are smaller than that once more.
inline double reach_at(double x, double reach) noexcept {
    return reach + (std::abs(x) + reach) * 0x1p-19 + 1e-17;
}

/// False for a place that is NaN.
template <std::size_t Dim>
[[nodiscard]] bool holds(const Box<Dim>& box, const Point<Dim>& place) noexcept {
    bool in = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        in = in && place[a] >= box.lo[a] && place[a] <= box.hi[a];
    }
    return in;
}

/// The least float of a place for which `test` is true, as it then is for all larger ones; infinity
/// if it is true for none.
template <class Test>
[[nodiscard]] float least_where(const Test& test) noexcept {
    // Floats in ascending order, by number.
    const auto number = [](std::int32_t at) {
        const float size = std::bit_cast<float>(at < 0 ? -at : at);
        return at < 0 ? -size : size;
    };
    const auto largest = std::bit_cast<std::int32_t>(kLargest);
    if (!test(kLargest)) { return std::numeric_limits<float>::infinity(); }
    std::int64_t low = -std::int64_t{largest}, high = largest; // it is true for the latter
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (test(number(static_cast<std::int32_t>(middle)))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return number(static_cast<std::int32_t>(high));
}

/// Which places around a brick, by how many times as far as an agent reaches they are inside.
enum class Around : std::int8_t {
    in_reach = -1, ///< those that reach a cell of the brick
    owned = 0,     ///< those in its cells
    inner = 1,     ///< those that reach no other cell
};

/// These places, found by halving, since cell_on() never falls. Next to the bounds of a reach,
/// roundings of doubles may put a place on the wrong side: they are far smaller than what
/// reach_at() adds to what searches need.
template <std::size_t Dim>
[[nodiscard]] Box<Dim> places(Around around, const GridShape<Dim>& whole, const Brick<Dim>& brick,
                              float reach) noexcept {
    const auto inside = static_cast<double>(around);
    Box<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        const auto cell = [&](float x, double step) {
            return whole.cell_on(a, static_cast<float>(x + step * reach_at(x, reach)));
        };
        const std::uint32_t past = brick.first[a] + brick.cells[a];
        box.lo[a] = least_where([&](float x) { return cell(x, -inside) >= brick.first[a]; });
        // The greatest below that end, as the least on a line that goes the other way.
        box.hi[a] = -least_where([&](float x) { return cell(-x, inside) < past; });
    }
    return box;
}

/// Boxes, four at a time; those that are missing of the last four hold nothing.
template <std::size_t Dim>
struct FourBoxes {
    std::array<simd::Floats4, Dim> low, high;
};

/// Adds a box to `count` others.
template <std::size_t Dim>
void add_box(std::vector<FourBoxes<Dim>>& boxes, std::size_t count, const Box<Dim>& box) {
    if (count % 4 == 0) {
        FourBoxes<Dim>& more = boxes.emplace_back();
        more.low.fill(simd::four_times(std::numeric_limits<float>::infinity()));
        more.high.fill(-more.low[0]);
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        boxes.back().low[a][count % 4] = box.lo[a];
        boxes.back().high[a][count % 4] = box.hi[a];
    }
}

/// Calls call(n) for each box that holds a place, by number.
template <std::size_t Dim, class Call>
void for_each_that_holds(const std::vector<FourBoxes<Dim>>& boxes, const Point<Dim>& place,
                         const Call& call) {
    for (std::size_t four = 0; four < boxes.size(); ++four) {
        auto in = simd::four_times(0.0f) == simd::four_times(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            const simd::Floats4 x = simd::four_times(place[a]);
            in &= (x >= boxes[four].low[a]) & (x <= boxes[four].high[a]);
        }
        for (std::uint32_t bits = simd::bits_of_mask(in); bits != 0; bits &= bits - 1) {
            call(static_cast<std::uint32_t>(4 * four) +
                 static_cast<std::uint32_t>(std::countr_zero(bits)));
        }
    }
}

} // namespace throng
