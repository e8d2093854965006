// The places within reach of a brick, as boxes of floats. Internal to distributed/.
#pragma once

#include "../../engine/agents/box.hpp"
#include "../../engine/agents/grid_shape.hpp"
#include "../../simd/isa/words4.hpp"
#include "../cuts.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace throng {

/// How far an agent at x reaches. Searches widen their bounds by 2^-20 of their numbers, in floats;
/// the rounding of that is smaller than another 2^-20, hence 2^-19.
inline double reach_at(double x, double reach) noexcept {
    return reach + (std::abs(x) + reach) * 0x1p-19 + 1e-17;
}

/// Whether a place is in the box; false if it is NaN.
template <std::size_t Dim>
[[nodiscard]] bool holds(const Box<Dim>& box, const Point<Dim>& place) noexcept {
    bool in = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        in = in && place[a] >= box.lo[a] && place[a] <= box.hi[a];
    }
    return in;
}

/// The least float for which `test` is true; infinity if there is none. If `test` is true for a
/// float, it must be true for all larger floats.
template <class Test>
[[nodiscard]] float least_where(const Test& test) noexcept {
    // Numbers the floats in ascending order.
    const auto number = [](std::int32_t at) {
        const float size = std::bit_cast<float>(at < 0 ? -at : at);
        return at < 0 ? -size : size;
    };
    const auto largest = std::bit_cast<std::int32_t>(kLargest);
    if (!test(kLargest)) { return std::numeric_limits<float>::infinity(); }
    std::int64_t low = -std::int64_t{largest}, high = largest; // the test is true for `high`
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

/// Kinds of places around a brick. The value is the multiple of the reach by which a place must be
/// inside the brick.
enum class Around : std::int8_t {
    in_reach = -1, ///< places that reach a cell of the brick
    owned = 0,     ///< places in its cells
    inner = 1,     ///< places that reach no other cell
};

/// The box of the places of one kind. Bisection finds it, since cell_on() never falls as x grows.
/// At the bounds of a reach, rounding of doubles may put a place on the wrong side; these errors
/// are far smaller than the margin of reach_at().
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
        // The greatest float below the upper end: the least one of the mirrored axis.
        box.hi[a] = -least_where([&](float x) { return cell(-x, inside) < past; });
    }
    return box;
}

/// Four boxes; unused ones hold nothing.
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

/// Calls call(n) for the number n of each box that holds a place.
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
