// Cuts by Zoltan: they cover the world, are about even and the same on all ranks, and change no
// answer.
#include "../bricks.hpp"
#include "../flock.hpp"

#include "../../support/dims.hpp"

#include <throng/distributed/mpi_ranks.hpp>
#include <throng/distributed/zoltan_cuts.hpp>

#include <new>
#include <numeric>

namespace throng::test {
namespace {

template <class Dim>
class ZoltanCuts : public testing::Test {};
TYPED_TEST_SUITE(ZoltanCuts, Dims, DimNames);

template <std::size_t Dim>
Cuts<Dim> by_zoltan(const GridShape<Dim>& shape, std::uint32_t ranks,
                    typename Cuts<Dim>::WorkOfLines work) {
    Cuts<Dim> cuts;
    EXPECT_EQ(zoltan_cuts(shape, ranks, work, cuts), Status{});
    return cuts;
}

/// The status before main() has called MPI_Init().
const Status early = [] {
    const auto made = shape_over<2>({{}, Point<2>::all(8.0f)}, Point<2>::all(1.0f));
    Cuts<2> cuts;
    return zoltan_cuts(made.value, 2, work_of_lines<2>, cuts);
}();
TEST(Zoltan, NeedsMpi) { EXPECT_EQ(early, Status{Cause::rank_lost}); }

TYPED_TEST(ZoltanCuts, EveryCellHasOneOwner) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto nowhere = [](std::size_t, const Brick<kDim>&, std::span<std::uint64_t> lines) {
        std::fill(lines.begin(), lines.end(), 0);
    };
    const auto in_one_cell = [](std::size_t, const Brick<kDim>& brick,
                                std::span<std::uint64_t> lines) {
        std::fill(lines.begin(), lines.end(), 0);
        if (brick.first == std::array<std::uint32_t, kDim>{}) { lines[0] = 1; }
    };
    for (const float side : {0.0f, 1.0f, 5.0f, 21.0f}) {
        const auto shape = shape_of<kDim>(side, cell_size<kDim>());
        for (const std::uint32_t ranks : {1u, 2u, 3u, 4u, 7u, 16u, 61u, 200u}) {
            SCOPED_TRACE(testing::Message() << ranks << " ranks, side " << side);
            for (const auto& cuts : {by_zoltan<kDim>(shape, ranks, work_of_lines<kDim>),
                                     by_zoltan<kDim>(shape, ranks, nowhere),
                                     by_zoltan<kDim>(shape, ranks, in_one_cell)}) {
                ASSERT_NO_FATAL_FAILURE(check_cuts(cuts, shape, ranks));
            }
        }
        EXPECT_EQ(by_zoltan<kDim>(shape, 0, nowhere), Cuts<kDim>());
    }
}

TYPED_TEST(ZoltanCuts, WorkIsSharedAboutEvenly) {
    constexpr std::size_t kDim = TypeParam::value;
    // Worlds with fewer cells than the most tiles, and with more. In space a side has few cells.
    for (const float side : {kDim == 2 ? 100.0f : 30.0f, kDim == 2 ? 600.0f : 90.0f}) {
        const auto shape = shape_of<kDim>(side, cell_size<kDim>());
        for (const std::uint32_t ranks : {2u, 3u, 7u, 16u}) {
            const auto cuts = by_zoltan<kDim>(shape, ranks, work_of_lines<kDim>);
            EXPECT_LE(worst_share(cuts), kDim == 2 ? 1.15 : 1.35) << ranks << " ranks, " << side;
        }
    }
}

TEST(Zoltan, AllRanksCutAlike) {
    MpiRanks ranks(MPI_COMM_WORLD);
    const auto shape = shape_of<2>(100.0f, cell_size<2>());
    const std::uint64_t own = by_zoltan<2>(shape, 61, work_of_lines<2>).fingerprint();
    std::vector<std::uint64_t> all(ranks.size());
    ASSERT_EQ(ranks.gather({&own, 1}, all), Status{});
    EXPECT_EQ(all, std::vector<std::uint64_t>(ranks.size(), own));
}

/// Cuts for a flock's world by a work that is far from even, so they differ from the even cuts.
template <std::size_t Dim>
Cuts<Dim> cuts_for(const Plan& plan, std::uint32_t ranks) {
    const auto settings = settings_of<Dim>(plan);
    return by_zoltan<Dim>(shape_over(settings.bounds, settings.cell).value, ranks,
                          work_of_lines<Dim>);
}

TYPED_TEST(ZoltanCuts, NoAnswerDependsOnThem) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Scene scene : kScenes) {
        Plan plan;
        plan.scene = scene;
        plan.own_half_extents = plan.groups = plan.births = true;
        const std::uint64_t one_grid = plain_hash<kDim>(plan);
        for (const std::uint32_t ranks : {1u, 2u, 3u, 4u, 7u, 16u, 61u}) {
            ASSERT_EQ((distributed_hash<kDim>(plan, ranks, ranks, serial_executor,
                                              cuts_for<kDim>(plan, ranks))),
                      one_grid)
                << ranks << " ranks, scene " << static_cast<int>(scene);
        }
    }
}

TEST(Zoltan, AllRanksComeToTheSameAsOneGrid) {
    const Plan plan;
    MpiRanks ranks(MPI_COMM_WORLD);
    Flock<2> flock(ranks, plan);
    auto settings = settings_of<2>(plan);
    settings.cuts = cuts_for<2>(plan, ranks.size());
    ASSERT_EQ(flock.crowd.configure(settings), Status{});
    for (int step = 0; step < plan.steps; ++step) {
        ASSERT_EQ(flock.step(step), Status{});
    }
    std::vector<std::uint64_t> all(ranks.size());
    ASSERT_EQ(ranks.gather({&flock.sum.value, 1}, all), Status{});
    EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), plain_hash<2>(plan));
}

TEST(Zoltan, WorkThatThrowsLeavesTheCutsAsTheyWere) {
    const auto shape = shape_of<2>(8.0f, cell_size<2>());
    auto cuts = Cuts<2>::even(shape, 5);
    const auto before = cuts;
    const auto fails = [](std::size_t, const Brick<2>&, std::span<std::uint64_t>) {
        throw std::bad_alloc();
    };
    EXPECT_THROW((void)zoltan_cuts(shape, 3, fails, cuts), std::bad_alloc);
    EXPECT_EQ(cuts, before);
}

} // namespace
} // namespace throng::test
