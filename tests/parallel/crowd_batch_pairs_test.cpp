// The pairs that a batch finds in a crowd of small and large, against brute force over all of them.
#include <throng/parallel/crowd_batch.hpp>
#include <throng/parallel/thread_pool.hpp>

#include "../support/dims.hpp"
#include "crowd_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

using test::Ids;
using test::World;

constexpr std::size_t kAgents = 700; // two slices
constexpr std::size_t kStatics = 90;

template <class Dim>
class CrowdBatchPairs : public testing::Test {};
TYPED_TEST_SUITE(CrowdBatchPairs, test::Dims, test::DimNames);

/// Which two sets, as a choice of pairs.
PairSets kind_of_pair(Sets first, Sets second) {
    if (second == Sets::statics) {
        return first == Sets::small ? PairSets::small_statics : PairSets::giants_statics;
    }
    if (second == Sets::giants) {
        return first == Sets::small ? PairSets::small_giants : PairSets::giants_giants;
    }
    return PairSets::small_small;
}

using ListOfPairs = std::vector<std::pair<Id, Id>>;

/// As they must come, sorted, and each way round that sets demand: of one set, by id.
template <std::size_t Dim>
ListOfPairs expected_pairs(const World<Dim>& world, PairSets sets, std::uint32_t groups) {
    ListOfPairs all;
    const BruteForce<Dim> truth = world.truth(Sets::all);
    (void)truth.visit_pairs(
        [&](std::span<const Id> first, std::span<const Id> second) {
            for (std::size_t p = 0; p < first.size(); ++p) {
                Id a = world.name_of(first[p]), b = world.name_of(second[p]);
                if (std::pair(world.set_of(a), a) > std::pair(world.set_of(b), b)) {
                    std::swap(a, b);
                }
                if (world.set_of(a) == Sets::statics) { continue; }
                if (has(sets, kind_of_pair(world.set_of(a), world.set_of(b)))) {
                    all.emplace_back(a, b);
                }
            }
            return true;
        },
        groups);
    std::sort(all.begin(), all.end());
    return all;
}
template <std::size_t Dim>
ListOfPairs settled(const World<Dim>& world, std::span<const Id> first,
                    std::span<const Id> second) {
    ListOfPairs all;
    for (std::size_t p = 0; p < first.size(); ++p) {
        Id a = first[p], b = second[p];
        EXPECT_LE(world.set_of(a), world.set_of(b)) << "which set comes first";
        if (world.set_of(a) == world.set_of(b) && a > b) { std::swap(a, b); }
        all.emplace_back(a, b);
    }
    std::sort(all.begin(), all.end());
    return all;
}

template <std::size_t Dim>
void check_pairs(World<Dim>& world, Executor& executor, PairSets sets, std::uint32_t groups) {
    CrowdBatch<Dim> batch(executor);
    const ListOfPairs wanted = expected_pairs(world, sets, groups);
    Pairs pairs;
    ASSERT_EQ(batch.pairs(world.crowd, pairs, sets, groups), Status{});
    const std::span<const Id> first(pairs.first.data(), pairs.count);
    const std::span<const Id> second(pairs.second.data(), pairs.count);
    ASSERT_EQ(settled(world, first, second), wanted);
    EXPECT_EQ(batch.count_pairs(world.crowd, sets, groups).count, wanted.size());

    // Into arrays that are too short, and by a visitor, in the same order.
    for (const std::size_t room : {std::size_t{0}, wanted.size() / 3, wanted.size() + 1}) {
        Ids some(room, 77), others(room, 77);
        const Found found = batch.pairs(world.crowd, PairsBuffer{some, others}, sets, groups);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, wanted.size());
        const std::size_t fit = std::min(room, wanted.size());
        ASSERT_TRUE(std::equal(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(fit),
                               first.begin()));
        ASSERT_TRUE(std::equal(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(fit),
                               second.begin()));
    }
    std::vector<Ids> firsts(CrowdBatch<Dim>::pair_blocks(world.crowd, sets)), seconds(firsts);
    const Found visited = batch.visit_pairs(
        world.crowd,
        [&](std::size_t block, std::span<const Id> a, std::span<const Id> b) {
            firsts.at(block).insert(firsts[block].end(), a.begin(), a.end());
            seconds.at(block).insert(seconds[block].end(), b.begin(), b.end());
            return true;
        },
        sets, groups);
    ASSERT_EQ(visited.count, wanted.size());
    Ids all_first, all_second;
    for (std::size_t block = 0; block < firsts.size(); ++block) {
        all_first.insert(all_first.end(), firsts[block].begin(), firsts[block].end());
        all_second.insert(all_second.end(), seconds[block].begin(), seconds[block].end());
    }
    ASSERT_TRUE(std::equal(first.begin(), first.end(), all_first.begin(), all_first.end()));
    ASSERT_TRUE(std::equal(second.begin(), second.end(), all_second.begin(), all_second.end()));

    // The crowd's own visit finds the same.
    Ids a, b;
    const Found own = world.crowd.visit_pairs(
        sets,
        [&](std::span<const Id> run, std::span<const Id> others) {
            a.insert(a.end(), run.begin(), run.end());
            b.insert(b.end(), others.begin(), others.end());
            return true;
        },
        groups);
    EXPECT_EQ(own.count, wanted.size());
    ASSERT_EQ(settled(world, a, b), wanted);
}

TYPED_TEST(CrowdBatchPairs, AreAllAndEachOnce) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr PairSets kSome[] = {PairSets::all,           PairSets::small_small,
                                  PairSets::small_giants,  PairSets::giants_giants,
                                  PairSets::small_statics, PairSets::giants_statics,
                                  PairSets::agents,        PairSets::statics};
    ThreadPool pool(3);
    std::size_t turn = 0;
    test::for_each_world<kDim>(kAgents, kStatics, [&](World<kDim>& world) {
        const std::uint32_t groups = turn % 4 < 2 ? kAllGroups : 0x3u;
        ASSERT_NO_FATAL_FAILURE(check_pairs(world, serial_executor(), PairSets::all, groups));
        ASSERT_NO_FATAL_FAILURE(check_pairs(world, pool, kSome[turn % 8], groups));
        ++turn;
    });
    // Few agents among many statics ask, and many are asked; and so few that one block has all.
    for (const std::size_t agents : {280u, 60u, 5u}) {
        for (const std::size_t statics : {3'000u, 100u}) {
            World<kDim> world("mixed_sizes", agents, statics, scenes::Groups::masks);
            ASSERT_NO_FATAL_FAILURE(check_pairs(world, pool, PairSets::all, 0x3u));
            ASSERT_NO_FATAL_FAILURE(check_pairs(world, pool, PairSets::statics, kAllGroups));
        }
    }
}

} // namespace
} // namespace throng
