// Every kernel that reads the arrays of a crowd, on 0 to 130 agents that begin at each of sixteen
// offsets, in memory with a guard page behind the slack, or before the first agent.
#include "../../../simd/isa/slack.hpp"
#include "../../../simd/kernels/grid/locate.hpp"
#include "../../../simd/kernels/tree/tree_pack.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"
#include "guarded.hpp"

#include <throng/engine/agents/grid_shape.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace throng {
namespace {

using test::Edge;
using test::Guarded;

using test::kCanary;
using test::kLongest;
using test::kNan;
using test::kOffsets;

/// Positions and extents from `offset` on; all other floats are NaN, which must not matter.
template <std::size_t Dim>
struct Arrays {
    Arrays(Edge edge, std::size_t offset, std::size_t length) {
        scenes::Random random(length * kOffsets + offset);
        for (std::size_t a = 0; a < 2 * Dim; ++a) {
            memory.push_back(
                std::make_unique<Guarded<float>>(offset + length + simd::kSlack, edge));
            std::fill(memory[a]->begin(), memory[a]->end(), kNan);
            float* const values = memory[a]->begin() + offset;
            for (std::size_t i = 0; i < length; ++i) {
                values[i] = a < Dim ? random.between(-2.0f, 18.0f) : random.between(0.0f, 2.0f);
            }
            (a < Dim ? axis[a] : half[a - Dim]) = values;
        }
    }
    std::vector<std::unique_ptr<Guarded<float>>> memory;
    const float* axis[Dim];
    const float* half[Dim];
};

/// Calls check(arrays, offset, length, edge) for all lengths, offsets and edges.
template <std::size_t Dim, class Check>
void for_each_stretch(const Check& check) {
    for (const Edge edge : {Edge::end, Edge::begin}) {
        for (std::size_t length = 0; length <= kLongest; ++length) {
            for (std::size_t offset = 0; offset < kOffsets; ++offset) {
                SCOPED_TRACE(testing::Message()
                             << length << " from " << offset << ", guarded at the "
                             << (edge == Edge::end ? "end" : "beginning"));
                const Arrays<Dim> arrays(edge, offset, length);
                const Guarded<std::uint32_t> out(offset + length + simd::kSlack, edge);
                std::fill(out.begin(), out.end(), kCanary);
                ASSERT_NO_FATAL_FAILURE(check(arrays, out.begin() + offset, length));
                ASSERT_EQ(std::count(out.begin(), out.begin() + offset, kCanary), offset);
            }
        }
    }
}

template <class D>
class GuardedArrays : public testing::Test {};
TYPED_TEST_SUITE(GuardedArrays, test::Dims, test::DimNames);

TYPED_TEST(GuardedArrays, OfEveryLengthAreLocated) {
    constexpr std::size_t kDim = TypeParam::value;
    const GridShape<kDim> shape =
        shape_over<kDim>({Point<kDim>::all(0.0f), Point<kDim>::all(16.0f)}, Point<kDim>::all(0.7f))
            .value;
    simd::CellMap<kDim> map{};
    for (std::size_t a = 0; a < kDim; ++a) {
        map.origin[a] = shape.origin[a];
        map.inverse_cell[a] = shape.inverse_cell[a];
        map.last_cell[a] = static_cast<float>(shape.cells[a] - 1);
        map.cells[a] = shape.cells[a];
    }
    for_each_stretch<kDim>([&](const Arrays<kDim>& in, std::uint32_t* out, std::size_t length) {
        ASSERT_TRUE(simd::locate_rows(map, in.axis, length, kLargest, out));
        for (std::size_t i = 0; i < length; ++i) {
            Point<kDim> point;
            for (std::size_t a = 0; a < kDim; ++a) {
                point[a] = in.axis[a][i];
            }
            ASSERT_EQ(out[i], shape.row_of(point));
        }
        simd::locate_cells(map, in.axis[0], length, out);
        for (std::size_t i = 0; i < length; ++i) {
            ASSERT_EQ(out[i], shape.cell_on(0, in.axis[0][i]));
        }
    });
}

TYPED_TEST(GuardedArrays, OfEveryLengthAreSurveyed) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_stretch<kDim>([](const Arrays<kDim>& in, std::uint32_t*, std::size_t length) {
        simd::Survey<kDim> got, wanted;
        for (simd::Survey<kDim>* survey : {&got, &wanted}) {
            survey->sound = true;
            for (std::size_t a = 0; a < kDim; ++a) {
                survey->lo[a] = 1e9f;
                survey->hi[a] = -1e9f;
                survey->largest[a] = survey->disc[a] = 0.0f;
            }
        }
        simd::survey(got, in.axis, in.half, length, kLargest);
        ASSERT_TRUE(got.sound);
        for (std::size_t a = 0; a < kDim; ++a) {
            for (std::size_t i = 0; i < length; ++i) {
                wanted.lo[a] = std::min(wanted.lo[a], in.axis[a][i]);
                wanted.hi[a] = std::max(wanted.hi[a], in.axis[a][i]);
                wanted.largest[a] = std::max(wanted.largest[a], in.half[a][i]);
                wanted.disc[a] = std::max(wanted.disc[a], in.half[0][i] - in.half[a][i]);
            }
            ASSERT_EQ(got.lo[a], wanted.lo[a]);
            ASSERT_EQ(got.hi[a], wanted.hi[a]);
            ASSERT_EQ(got.largest[a], wanted.largest[a]);
            ASSERT_EQ(got.disc[a], wanted.disc[a]);
        }
        // The last agent is read, but nothing behind it.
        if (length == 0) { return; }
        simd::survey(got, in.axis, nullptr, length, 20.0f);
        ASSERT_TRUE(got.sound);
        float* const last = const_cast<float*>(in.axis[kDim - 1]) + length - 1;
        *last = 21.0f;
        simd::survey(got, in.axis, nullptr, length, 20.0f);
        ASSERT_FALSE(got.sound);
    });
}

// Each agent's key must be the one that it gets alone.
TYPED_TEST(GuardedArrays, OfEveryLengthAreLaidAlongTheCurve) {
    constexpr std::size_t kDim = TypeParam::value;
    const simd::CurveMap<kDim> map{{}, 4.0f, 6, {0.5f, 1.0f, 1.5f}};
    for_each_stretch<kDim>([&](const Arrays<kDim>& in, std::uint32_t* out, std::size_t length) {
        simd::curve_keys(map, in.axis, in.half, length, out);
        for (std::size_t i = 0; i < length; ++i) {
            float values[2 * kDim][1 + simd::kSlack] = {};
            const float* axis[kDim];
            const float* half[kDim];
            for (std::size_t a = 0; a < kDim; ++a) {
                values[a][0] = in.axis[a][i];
                values[kDim + a][0] = in.half[a][i];
                axis[a] = values[a];
                half[a] = values[kDim + a];
            }
            std::uint32_t alone[1 + simd::kSlack];
            simd::curve_keys(map, axis, half, 1, alone);
            ASSERT_EQ(out[i], alone[0]);
            ASSERT_LT(out[i], 4u << (kDim * map.bits));
        }
    });
}

} // namespace
} // namespace throng
