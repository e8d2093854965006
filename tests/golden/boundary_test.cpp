// The answers about more than a hundred thousand agents on rims are the same on any number of
// threads, in any order, and with every instruction set and compiler.
//
// After an intended change run the test with THRONG_PRINT_GOLDEN set, and put what it prints into
// tests/golden/hashes/boundary.txt.
#include "boundary.hpp"

#include "../parallel/executors/loops.hpp"
#include "../support/dims.hpp"
#include "../support/long_run.hpp"
#include "../support/threads/executors.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace throng {
namespace {

template <class D>
class Boundary : public testing::Test {};
TYPED_TEST_SUITE(Boundary, test::Dims, test::DimNames);

/// Checks by plain loops: the balls' answers, and how many neighbours and pairs the lattice has.
template <std::size_t Dim>
void check_against_plain_loops(test::Boundary<Dim>& crowds) {
    RowGrid<Dim> grid;
    ASSERT_EQ(grid.configure(crowds.rim.world, crowds.rim.cell), Status{});
    ASSERT_EQ(grid.update(crowds.rim.agents()), Status{});
    std::size_t found = 0;
    for (const Ball<Dim>& ball : crowds.rim.balls) {
        std::vector<Id> wanted;
        for (std::size_t i = 0; i < crowds.rim.size(); ++i) {
            if (test::distance2(crowds.rim.position_of(i), ball.centre) <=
                ball.radius * ball.radius) {
                wanted.push_back(static_cast<Id>(i));
            }
        }
        std::vector<Id> got(grid.size());
        got.resize(grid.query(ball, std::span<Id>(got)).count);
        std::sort(got.begin(), got.end());
        ASSERT_EQ(got, wanted);
        found += got.size();
    }
    EXPECT_GT(found, crowds.kLeast);

    // On each axis an agent has two neighbours, at the ends one. Boxes also touch at corners.
    const std::size_t side = crowds.kSide;
    std::size_t lines = 1, cells = side;
    std::size_t touching = 3 * side - 2;
    for (std::size_t a = 1; a < Dim; ++a) {
        lines *= side;
        cells *= side;
        touching *= 3 * side - 2;
    }
    EXPECT_EQ(crowds.neighbours(), Dim * 2 * lines * (side - 1));
    EXPECT_EQ(crowds.pairs(), (touching - cells) / 2);
}

TYPED_TEST(Boundary, AnswersNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    test::Boundary<kDim> crowds;
    EXPECT_GE(crowds.on_rims(), crowds.kLeast);
    const std::uint64_t hash = crowds.hash(serial_executor());
    ASSERT_NO_FATAL_FAILURE(check_against_plain_loops(crowds));
    if (std::getenv("THRONG_PRINT_GOLDEN") != nullptr) {
        std::printf("{%zu, 0x%016" PRIX64 "u},\n", kDim, hash);
        return;
    }
    EXPECT_EQ(hash, test::boundary_hash<kDim>());
}

TYPED_TEST(Boundary, AnyNumberOfThreads) {
    test::Boundary<TypeParam::value> crowds;
    for (const std::size_t threads : test::kThreadCounts) {
        test::EagerPool pool(threads);
        EXPECT_EQ(crowds.hash(pool), test::boundary_hash<TypeParam::value>()) << threads;
    }
}

TYPED_TEST(Boundary, AnyOrder) {
    test::Boundary<TypeParam::value> crowds;
    const std::uint64_t seeds = test::long_run() ? 100 : test::emulated() ? 1 : 5;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        test::ShuffleExecutor executor(seed);
        ASSERT_EQ(crowds.hash(executor), test::boundary_hash<TypeParam::value>()) << seed;
    }
}

} // namespace
} // namespace throng
