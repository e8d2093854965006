// Maps every float to its cell: in range, in order, and by the kernel as by GridShape. Runs only on
// the best instruction set; in the long run on all.
#include "../../simd/isa/slack.hpp"
#include "../../simd/kernels/grid/locate.hpp"
#include "../support/long_run.hpp"

#include <throng/engine/agents/grid_shape.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <thread>
#include <vector>

namespace throng {
namespace {

/// The world and the cells of a grid on one axis.
struct Axis {
    float lo, hi, cell;
};

/// Always tested are the first three: ordinary cells, cells as small as the step of floats there,
/// and as many cells as floats can count.
constexpr Axis kAxes[] = {
    {-7.3f, 91.7f, 0.1f},
    {1e6f, 1e6f + 64.0f, 0.01f},
    {0.0f, 16'777'215.0f, 1.0f},
    // The others are tested in the long run.
    {0.0f, 16.0f, 1.0f},
    {0.0f, 0.0f, 1.0f},
    {-1e18f, 1e18f, 1e15f},
    {0.0f, 1e-3f, 1e-5f},
    {-1.0f, 1.0f, 0x1p-23f},
    {-1.0f / 3.0f, 1.0f / 3.0f, 1e-6f},
    {-1e-15f, 1e-15f, 1.1e-18f},
    {-1e-37f, 1e-37f, 1.2e-18f},
    {0.0f, 1e18f, 1e12f},
    {-100'000.0f, 100'000.0f, 3.0f},
    {-8'388'608.0f, 8'388'607.0f, 1.0f},
    {16'777'216.0f, 33'554'432.0f, 2.0f},
    {999'999.9f, 1'000'000.1f, 0.3f},
    {-1e18f, -9.9e17f, 1e12f},
    {0.7f, 1000.7f, 0.7f},
    {-0.1f, 0.0f, 0.1f},
    {1e-38f, 1.0f, 0.01f},
};
constexpr std::size_t kAlways = 3;

/// All floats in order: NaNs, minus infinity, ... -0, 0, ... infinity, NaNs again.
constexpr std::uint64_t kPlaces = std::uint64_t{1} << 32, kZero = kPlaces / 2;
constexpr std::uint64_t kNans = (1u << 23) - 1u; ///< at either end

float float_at(std::uint64_t place) noexcept {
    const auto bits = static_cast<std::uint32_t>(place < kZero ? ~place : place - kZero);
    return std::bit_cast<float>(bits);
}

/// How many floats failed each check.
struct Findings {
    std::uint64_t beyond = 0, backwards = 0, different = 0, flags = 0;

    void operator+=(const Findings& other) noexcept {
        beyond += other.beyond;
        backwards += other.backwards;
        different += other.different;
        flags += other.flags;
    }
};

/// Sweeps one axis of the plane: locate_cells() is tested on x, and locate_rows() on y.
class FloatSweep {
public:
    explicit FloatSweep(const GridShape<2>& shape)
        : shape_(shape), alike_(shape.cells[0] == shape.cells[1] &&
                                shape.inverse_cell[0] == shape.inverse_cell[1]) {
        for (std::size_t a = 0; a < 2; ++a) {
            map_.origin[a] = shape.origin[a];
            map_.inverse_cell[a] = shape.inverse_cell[a];
            map_.last_cell[a] = static_cast<float>(shape.cells[a] - 1);
            map_.cells[a] = shape.cells[a];
        }
    }

    /// Checks the floats at places begin ... end - 1 of the order; they must not be NaN.
    [[nodiscard]] Findings run(std::uint64_t begin, std::uint64_t end) const {
        Findings findings;
        std::vector<float> x(kChunk + simd::kSlack);
        std::vector<std::uint32_t> cells(x.size()), rows(x.size());
        std::uint32_t last_cell = 0, last_row = 0;
        for (std::uint64_t from = begin; from < end; from += kChunk) {
            const std::size_t count = std::min<std::uint64_t>(kChunk, end - from);
            for (std::size_t i = 0; i < count; ++i) {
                x[i] = float_at(from + i);
            }
            const float* const axes[2] = {x.data(), x.data()};
            const bool sound = simd::locate_rows(map_, axes, count, kLargest, rows.data());
            simd::locate_cells(map_, x.data(), count, cells.data());
            // Floats come in order, so the first and the last of a chunk bound all others.
            const bool should = std::fabs(x[0]) <= kLargest && std::fabs(x[count - 1]) <= kLargest;
            findings.flags += sound == should ? 0 : 1;
            findings.beyond += beyond(cells, count, 0) + beyond(rows, count, 1);
            findings.backwards += backwards(cells, count, last_cell);
            findings.backwards += backwards(rows, count, last_row);
            findings.different += different(x, cells, rows, count);
        }
        return findings;
    }

    /// Whether the kernel flags this float when it comes alone, and still gives an existing row.
    [[nodiscard]] bool flags(float x) const {
        const float in[1 + simd::kSlack] = {x};
        const float* const axes[2] = {in, in};
        std::uint32_t row[1 + simd::kSlack];
        return !simd::locate_rows(map_, axes, 1, kLargest, row) && row[0] < shape_.cells[1];
    }

private:
    static constexpr std::size_t kChunk = 4096;

    [[nodiscard]] std::uint32_t beyond(const std::vector<std::uint32_t>& cells, std::size_t count,
                                       std::size_t axis) const {
        std::uint32_t found = 0;
        for (std::size_t i = 0; i < count; ++i) {
            found += cells[i] >= shape_.cells[axis] ? 1u : 0u;
        }
        return found;
    }

    /// `last` is the last cell of the previous chunk on entry, and of this chunk on return.
    [[nodiscard]] static std::uint32_t backwards(const std::vector<std::uint32_t>& cells,
                                                 std::size_t count, std::uint32_t& last) {
        std::uint32_t found = cells[0] < last ? 1 : 0;
        for (std::size_t i = 1; i < count; ++i) {
            found += cells[i] < cells[i - 1] ? 1u : 0u;
        }
        last = cells[count - 1];
        return found;
    }

    [[nodiscard]] std::uint32_t different(const std::vector<float>& x,
                                          const std::vector<std::uint32_t>& cells,
                                          const std::vector<std::uint32_t>& rows,
                                          std::size_t count) const {
        std::uint32_t found = 0;
        if (alike_) {
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint32_t cell = shape_.cell_on(0, x[i]);
                found += ((cell ^ cells[i]) | (cell ^ rows[i])) != 0 ? 1u : 0u;
            }
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                found += ((shape_.cell_on(0, x[i]) ^ cells[i]) |
                          (shape_.cell_on(1, x[i]) ^ rows[i])) != 0
                             ? 1u
                             : 0u;
            }
        }
        return found;
    }

    GridShape<2> shape_;
    simd::CellMap<2> map_{};
    bool alike_; ///< both axes have the same cells
};

/// Adds up run(begin, end) over floats below zero and from zero on, on two threads. Leaves out
/// `ends` places at either end.
template <class Run>
auto over_all(std::uint64_t ends, const Run& run) {
    decltype(run(0, 0)) below{};
    std::thread other([&] { below = run(ends, kZero); });
    auto sum = run(kZero, kPlaces - ends);
    other.join();
    sum += below;
    return sum;
}

/// Row heights that give no more rows than a plane may have.
float widened(const Axis& axis) { return std::max(axis.cell, (axis.hi - axis.lo) / 50'000.0f); }

GridShape<2> shape_of(const Axis& axis) {
    const auto made =
        shape_over<2>({Point<2>::all(axis.lo), Point<2>::all(axis.hi)}, {axis.cell, widened(axis)});
    EXPECT_TRUE(made.status.ok());
    return made.value;
}

// A bad entry of the table fails here, and not after an hour.
TEST(CellMap, GridsAreGrids) {
    for (const Axis& axis : kAxes) {
        SCOPED_TRACE(testing::Message() << "cells of " << axis.cell);
        EXPECT_GT(shape_of(axis).cells[0], 0u);
    }
}

// Checks cells with doubles instead of the map's own arithmetic, up to the error of two rounded
// floats.
TEST(CellMap, PutsPlacesWhereTheyLie) {
    constexpr std::uint32_t kSteps = 5000;
    for (const Axis& axis : kAxes) {
        SCOPED_TRACE(testing::Message() << "from " << axis.lo << " in cells of " << axis.cell);
        const GridShape<2> shape = shape_of(axis);
        const double sizes[] = {axis.cell, widened(axis)};
        for (std::size_t a = 0; a < 2; ++a) {
            const std::uint32_t last = shape.cells[a] - 1;
            EXPECT_EQ(shape.cell_on(a, -kLargest), 0u);
            EXPECT_EQ(shape.cell_on(a, axis.lo), 0u);
            EXPECT_EQ(shape.cell_on(a, kLargest), last);
            for (std::uint32_t step = 0; step <= kSteps; ++step) {
                const double part = static_cast<double>(step) / kSteps;
                const auto x = static_cast<float>(axis.lo + part * (double{axis.hi} - axis.lo));
                const double exact =
                    std::clamp((double{x} - axis.lo) / sizes[a], 0.0, static_cast<double>(last));
                ASSERT_NEAR(shape.cell_on(a, x), std::floor(exact), 1.0 + exact * 0x1p-22) << x;
            }
        }
    }
}

TEST(CellMap, MapsEveryFloat) {
    const std::size_t axes = test::long_run() ? std::size(kAxes) : kAlways;
    for (std::size_t i = 0; i < axes; ++i) {
        const Axis& axis = kAxes[i];
        SCOPED_TRACE(testing::Message()
                     << "from " << axis.lo << " to " << axis.hi << " in cells of " << axis.cell);
        const GridShape<2> shape = shape_of(axis);
        const FloatSweep sweep(shape);
        const Findings findings = over_all(
            kNans, [&](std::uint64_t begin, std::uint64_t end) { return sweep.run(begin, end); });
        EXPECT_EQ(findings.beyond, 0u) << "cells that the grid has not";
        EXPECT_EQ(findings.backwards, 0u) << "cells that fall as the coordinate grows";
        EXPECT_EQ(findings.different, 0u) << "cells that the kernel and the shape disagree on";
        EXPECT_EQ(findings.flags, 0u) << "what is no coordinate, and was not flagged; or was one";
        for (std::size_t a = 0; a < 2; ++a) {
            EXPECT_LE(shape.cell_on(a, float_at(kZero - 1)), shape.cell_on(a, float_at(kZero)));
        }
    }
}

// Tests alone each float that is not a coordinate: which floats those are does not depend on the
// grid.
TEST(CellMap, FlagsEveryFloatThatIsNoCoordinate) {
    const FloatSweep sweep(shape_of(kAxes[0]));
    const std::uint64_t wrong = over_all(0, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t unflagged = 0;
        for (std::uint64_t from = begin; from < end; ++from) {
            const float x = float_at(from);
            if (std::fabs(x) <= kLargest) { continue; }
            unflagged += sweep.flags(x) ? 0u : 1u;
        }
        return unflagged;
    });
    EXPECT_EQ(wrong, 0u);
}

} // namespace
} // namespace throng
