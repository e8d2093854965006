// Giants are packed anew by every update, and their cells are chosen anew. shape_for() looks at all
// agents several times; here a sample tells enough.
#include "centre_shape.hpp"

#include "../../core/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace throng {

namespace {

constexpr std::size_t kSample = 128;
/// This many centres of a sample at either end of an axis do not count: one giant far away would
/// make the cells too large for all others. Border cells reach to infinity.
constexpr std::size_t kLeftOut = 2;

/// Rows are this many times as high as cells are wide, as in shape_for().
constexpr float kRowOfCells = 4.0f;

/// No cell is smaller than kSmallest, nor than kCoarse of the greatest coordinate: then a cell is
/// wider than a thousand steps from one float to the next.
constexpr float kSmallest = 0x1p-30f, kCoarse = 0x1p-13f;

struct Side {
    float lo, hi;
};

/// The bounds of nearly all centres on an axis, rounded outwards to eighths of their extent or
/// less.
Side side_of(const ValueView<float>& values) noexcept {
    std::array<float, kSample> sample;
    const std::size_t count = std::min(values.count, kSample);
    for (std::size_t i = 0; i < count; ++i) {
        sample[i] = values[i * values.count / count];
    }
    const auto ranked = [&](std::size_t rank) {
        float* const at = sample.data() + rank;
        std::nth_element(sample.data(), at, sample.data() + count);
        return *at + 0.0f; // -0 becomes 0: nth_element() may put either of these equal values here
    };
    const std::size_t out = std::min(kLeftOut, (count - 1) / 2);
    Side side = {ranked(out), ranked(count - 1 - out)};
    if (!(side.hi - side.lo >= kSmallest)) { return {side.lo, side.lo}; }
    // Steps are powers of two, so that only floor() and ceil() round here.
    const float step = std::ldexp(1.0f, std::ilogb(side.hi - side.lo) - 3);
    side.lo = std::max(std::floor(side.lo / step) * step, -kLargest);
    side.hi = std::min(std::ceil(side.hi / step) * step, kLargest);
    return side;
}

} // namespace

template <std::size_t Dim>
OrStatus<GridShape<Dim>> shape_of_centres(const PointView<Dim>& centres) noexcept {
    Box<Dim> home;
    Point<Dim> cell, smallest;
    for (std::size_t a = 0; a < Dim; ++a) {
        const Side side = side_of(centres.values(a));
        home.lo[a] = side.lo;
        home.hi[a] = side.hi;
        cell[a] = side.hi - side.lo;
        const float far = std::max(std::abs(side.lo), std::abs(side.hi));
        smallest[a] = std::max(far * kCoarse, kSmallest);
    }
    // Halves cells on the axis where they are longest: in the plane until there are one to two for
    // each centre, in space half as many.
    const auto length = [&](std::size_t a) {
        const float half = 0.5f * cell[a];
        return half < smallest[a] ? 0.0f : half * (a == 0 ? kRowOfCells : 1.0f);
    };
    for (std::size_t n = centres.count >> (Dim - 2); n != 0; n >>= 1) {
        std::size_t longest = 0;
        for (std::size_t a = 1; a < Dim; ++a) {
            if (length(a) > length(longest)) { longest = a; }
        }
        if (length(longest) > 0.0f) { cell[longest] *= 0.5f; }
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        cell[a] = std::max(cell[a], smallest[a]);
    }
    return shape_over(home, cell);
}

template OrStatus<GridShape<2>> shape_of_centres(const PointView<2>&) noexcept;
template OrStatus<GridShape<3>> shape_of_centres(const PointView<3>&) noexcept;

} // namespace throng
