// A batch's pairs in crowds of small and large, against the oracle.
#include <throng/parallel/batch/batch.hpp>

#include "../../../support/dims.hpp"
#include "../../../support/random.hpp"
#include "../../../support/threads/executors.hpp"
#include "crowd_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

using test::IdPairs;
using test::Ids;
using test::World;

constexpr std::size_t kMoving = 700; // two slices
constexpr std::size_t kStanding = 90;

template <class Dim>
class CrowdBatchPairs : public testing::Test {};
TYPED_TEST_SUITE(CrowdBatchPairs, test::Dims, test::DimNames);

/// The pairs that the crowd itself visits, joined.
template <std::size_t Dim>
Found visit_own(const Crowd<Dim>& crowd, PairSets sets, std::uint32_t groups, Body body, Ids& first,
                Ids& second) {
    return crowd.visit_pairs(
        sets,
        [&](std::span<const Id> run, std::span<const Id> others) {
            first.insert(first.end(), run.begin(), run.end());
            second.insert(second.end(), others.begin(), others.end());
            return true;
        },
        groups, body);
}

/// Pairs in the order in which they came, except that those of two giants are sorted: their order
/// depends on the crowd's tree.
template <std::size_t Dim>
IdPairs listed(const Crowd<Dim>& crowd, std::span<const Id> first, std::span<const Id> second) {
    IdPairs all;
    for (std::size_t p = 0; p < first.size(); ++p) {
        all.emplace_back(first[p], second[p]);
    }
    const auto of_giants = [&](const std::pair<Id, Id>& pair) {
        return crowd.contains(pair.first, Sets::giants) &&
               crowd.contains(pair.second, Sets::giants);
    };
    const auto begin = std::find_if(all.begin(), all.end(), of_giants);
    std::sort(begin, std::find_if_not(begin, all.end(), of_giants));
    return all;
}

template <std::size_t Dim>
void check_pairs(World<Dim>& world, Executor& executor, PairSets sets, std::uint32_t groups,
                 Body body = Body::box) {
    Batch<Dim> batch(executor);
    const IdPairs wanted = world.truth.pairs(groups, sets, 1, body);
    Pairs pairs;
    ASSERT_EQ(batch.pairs({world.crowd, sets}, pairs, groups, body), Status{});
    const std::span<const Id> first(pairs.first.data(), pairs.count);
    const std::span<const Id> second(pairs.second.data(), pairs.count);
    ASSERT_EQ(world.truth.settled(first, second), wanted);
    EXPECT_EQ(batch.count_pairs({world.crowd, sets}, groups, body).count, wanted.size());

    // The same list in arrays that are too short, and from a visitor.
    for (const std::size_t room : {std::size_t{0}, wanted.size() / 3, wanted.size() + 1}) {
        Ids some(room, 77), others(room, 77);
        const Found found =
            batch.pairs({world.crowd, sets}, PairsOutput{some, others}, groups, body);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, wanted.size());
        const std::size_t fit = std::min(room, wanted.size());
        ASSERT_TRUE(std::equal(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(fit),
                               first.begin()));
        ASSERT_TRUE(std::equal(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(fit),
                               second.begin()));
    }
    std::vector<Ids> firsts(Batch<Dim>::pair_blocks({world.crowd, sets})), seconds(firsts);
    const Found visited = batch.visit_pairs(
        {world.crowd, sets},
        [&](std::size_t block, std::span<const Id> a, std::span<const Id> b) {
            firsts.at(block).insert(firsts[block].end(), a.begin(), a.end());
            seconds.at(block).insert(seconds[block].end(), b.begin(), b.end());
            return true;
        },
        groups, body);
    ASSERT_EQ(visited.count, wanted.size());
    Ids all_first, all_second;
    for (std::size_t block = 0; block < firsts.size(); ++block) {
        all_first.insert(all_first.end(), firsts[block].begin(), firsts[block].end());
        all_second.insert(all_second.end(), seconds[block].begin(), seconds[block].end());
    }
    ASSERT_TRUE(std::equal(first.begin(), first.end(), all_first.begin(), all_first.end()));
    ASSERT_TRUE(std::equal(second.begin(), second.end(), all_second.begin(), all_second.end()));

    // The crowd's own visit gives the same list.
    Ids a, b;
    const Found own = visit_own(world.crowd, sets, groups, body, a, b);
    EXPECT_EQ(own.count, wanted.size());
    ASSERT_EQ(listed(world.crowd, a, b), listed(world.crowd, first, second));
}

TYPED_TEST(CrowdBatchPairs, AreAllAndEachOnce) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr PairSets kSome[] = {PairSets::all,           PairSets::small_small,
                                  PairSets::small_giants,  PairSets::giants_giants,
                                  PairSets::small_statics, PairSets::giants_statics,
                                  PairSets::agents,        PairSets::statics};
    test::EagerPool pool(3);
    std::size_t turn = 0;
    test::for_each_world<kDim>(kMoving, kStanding, [&](World<kDim>& world) {
        const std::uint32_t groups = turn % 4 < 2 ? kAllGroups : 0x3u;
        ASSERT_NO_FATAL_FAILURE(check_pairs(world, serial_executor(), PairSets::all, groups));
        ASSERT_NO_FATAL_FAILURE(check_pairs(world, pool, kSome[turn % 8], groups));
        ASSERT_NO_FATAL_FAILURE(
            check_pairs(world, serial_executor(), kSome[turn % 8], groups, Body::disc));
        ASSERT_NO_FATAL_FAILURE(check_pairs(world, pool, PairSets::all, groups, Body::disc));
        ++turn;
    });
    // Few agents among many statics, and many among few; and so few that one block has them all.
    for (const std::size_t agents : {280u, 60u, 5u}) {
        for (const std::size_t statics : {3'000u, 100u}) {
            World<kDim> world("mixed_sizes", agents, statics, scenes::Groups::masks);
            for (const Body body : {Body::box, Body::disc}) {
                ASSERT_NO_FATAL_FAILURE(check_pairs(world, pool, PairSets::all, 0x3u, body));
                ASSERT_NO_FATAL_FAILURE(
                    check_pairs(world, pool, PairSets::statics, kAllGroups, body));
            }
        }
    }
}

/// After edits, the places of giants are not in the order of their ids. Each pair must still have
/// the same agent first, however many blocks the list has, also in a periodic world.
TYPED_TEST(CrowdBatchPairs, AreThoseOfTheCrowdAfterEdits) {
    constexpr std::size_t kDim = TypeParam::value;
    test::EagerPool pool(3);
    Batch<kDim> batch(pool);
    for (const bool periodic : {false, true}) {
        for (const std::size_t agents : {120u, 900u}) {
            CrowdSettings<kDim> settings;
            settings.bounds = Box<kDim>{{}, Point<kDim>::all(20.0f)};
            settings.cell = Point<kDim>::all(2.0f);
            settings.periodic.fill(periodic);
            Crowd<kDim> crowd;
            ASSERT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
            scenes::Random random(5);
            std::vector<Point<kDim>> at(agents), half(agents);
            for (std::size_t i = 0; i < agents; ++i) {
                for (std::size_t a = 0; a < kDim; ++a) {
                    at[i][a] = random.between(0.0f, 20.0f);
                }
                half[i] = Point<kDim>::all(i % 4 == 0 ? (kDim == 2 ? 1.5f : 3.0f) : 0.5f);
            }
            Agents<kDim> all;
            all.positions =
                PointView<kDim>::interleaved(at[0].axis.data(), agents, sizeof(Point<kDim>));
            all.half_extents =
                PointView<kDim>::interleaved(half[0].axis.data(), agents, sizeof(Point<kDim>));
            ASSERT_EQ(crowd.update(all), Status{});
            ASSERT_EQ(crowd.set_statics(all), Status{});
            // The last giants swap places with the first.
            for (std::size_t i = 0; i < agents / 3; i += 4) {
                const std::size_t j = agents - 4 - i;
                for (const std::size_t leaves : {i, j}) {
                    ASSERT_EQ(crowd.erase(static_cast<Id>(leaves)), Status{});
                }
                for (const std::size_t comes : {i, j}) {
                    ASSERT_EQ(crowd.insert(static_cast<Id>(comes), {at[comes], half[comes], {}}),
                              Status{});
                }
            }
            ASSERT_EQ(crowd.size(Sets::giants), agents / 4);
            for (const auto& [sets, body] : {std::pair(PairSets::all, Body::box),
                                             std::pair(PairSets::giants_giants, Body::box),
                                             std::pair(PairSets::all, Body::disc),
                                             std::pair(PairSets::giants_giants, Body::disc)}) {
                Ids first, second;
                const Found own = visit_own(crowd, sets, kAllGroups, body, first, second);
                ASSERT_GT(own.count, 20u);
                Pairs pairs;
                ASSERT_EQ(batch.pairs({crowd, sets}, pairs, kAllGroups, body), Status{});
                ASSERT_EQ(pairs.count, own.count);
                const std::span<const Id> firsts(pairs.first.data(), pairs.count);
                const std::span<const Id> seconds(pairs.second.data(), pairs.count);
                ASSERT_EQ(listed(crowd, first, second), listed(crowd, firsts, seconds));
                for (std::size_t p = 0; p < first.size(); ++p) {
                    if (!crowd.contains(first[p], Sets::giants) ||
                        !crowd.contains(second[p], Sets::giants)) {
                        continue;
                    }
                    ASSERT_LT(first[p], second[p]) << "of two giants";
                }
            }
        }
    }
}

/// Overlapping discs are the discs within a distance of zero.
TYPED_TEST(CrowdBatchPairs, OfDiscsAreThoseWithinNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    Batch<kDim> batch;
    test::for_each_world<kDim>(kMoving, kStanding, [&](World<kDim>& world) {
        Pairs overlapping, near;
        ASSERT_EQ(batch.pairs({world.crowd, PairSets::all}, overlapping, kAllGroups, Body::disc),
                  Status{});
        ASSERT_EQ(
            batch.pairs_within({world.crowd, PairSets::all}, 0.0f, near, kAllGroups, Body::disc),
            Status{});
        const auto sorted = [](const Pairs& pairs) {
            IdPairs all;
            for (std::size_t p = 0; p < pairs.count; ++p) {
                all.push_back(std::minmax(pairs.first[p], pairs.second[p]));
            }
            std::sort(all.begin(), all.end());
            return all;
        };
        ASSERT_EQ(sorted(overlapping), sorted(near));
    });
}

TYPED_TEST(CrowdBatchPairs, OfPointsAreRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("mixed_sizes", kMoving, kStanding, scenes::Groups::masks);
    const Crowd<kDim> none;
    const RowGrid<kDim>& grid = world.crowd.grid();
    Batch<kDim> batch;
    const Status refused{Cause::out_of_range, Argument::body};
    const auto never = [](auto&&...) {
        ADD_FAILURE() << "visited";
        return true;
    };
    for (const Body body : {Body::centre, static_cast<Body>(3)}) {
        Pairs pairs;
        for (const Crowd<kDim>* crowd : {&std::as_const(world.crowd), &none}) {
            ASSERT_EQ(batch.pairs(world.crowd, pairs), Status{});
            ASSERT_NE(pairs.count, 0u);
            EXPECT_EQ(batch.pairs({*crowd, PairSets::all}, pairs, kAllGroups, body), refused);
            EXPECT_EQ(pairs.count, 0u);
            EXPECT_EQ(batch.pairs({*crowd, PairSets::all}, PairsOutput{}, kAllGroups, body).status,
                      refused);
            EXPECT_EQ(batch.count_pairs({*crowd, PairSets::all}, kAllGroups, body).status, refused);
            EXPECT_EQ(batch.visit_pairs({*crowd, PairSets::all}, never, kAllGroups, body).status,
                      refused);
            EXPECT_EQ(crowd->visit_pairs(PairSets::all, never, kAllGroups, body).status, refused);
        }
        EXPECT_EQ(batch.pairs(grid, pairs, kAllGroups, body), refused);
        EXPECT_EQ(batch.count_pairs(grid, kAllGroups, body).status, refused);
        EXPECT_EQ(batch.pairs({grid, grid}, pairs, kAllGroups, body), refused);
        EXPECT_EQ(batch.visit_pairs({grid, grid}, never, kAllGroups, body).status, refused);
    }
}

} // namespace
} // namespace throng
