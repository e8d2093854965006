// What crowds over the ranks of a job say, in plain and in periodic worlds, as hashes: the same for
// every number of ranks.
#include "../distributed/flock.hpp"
#include "../distributed/sky.hpp"
#include "../support/dims.hpp"
#include "named_hash.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace throng::test {
namespace {

constexpr NamedHash kRankHashes[] = {
#include "hashes/ranks.txt"
};

/// hash_of(ranks) must be the same for jobs of all these sizes.
template <std::size_t Dim, class HashOf>
void check_jobs(const std::string& name, const HashOf& hash_of) {
    const std::uint64_t hash = hash_of(3);
    check_named(kRankHashes, name + std::to_string(Dim) + "d", hash);
    if (emulated()) { return; }
    for (const std::uint32_t ranks : {1u, 8u}) {
        EXPECT_EQ(hash_of(ranks), hash) << name << " on " << ranks << " ranks";
    }
}

template <class D>
class RanksGolden : public testing::Test {};
TYPED_TEST_SUITE(RanksGolden, Dims, DimNames);

TYPED_TEST(RanksGolden, AgentsThatSteerNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool large : {false, true}) {
        Plan plan;
        plan.scene = large ? Scene::clustered : Scene::lattice;
        plan.births = plan.groups = plan.own_half_extents = large;
        plan.giants = large ? 10.0f : 0.0f;
        plan.statics = large ? 30 : 0;
        plan.balance_every = 2;
        check_jobs<kDim>(large ? "steer_large_" : "steer_small_", [&](std::uint32_t ranks) {
            const std::uint64_t hash = distributed_hash<kDim>(plan, ranks, ranks);
            EXPECT_EQ(hash, plain_hash<kDim>(plan)) << "a crowd on one rank";
            return hash;
        });
    }
}

/// Each list of each agent of the job, by names.
void add(Hash& hash, const std::map<GlobalId, std::vector<GlobalId>>& lists) {
    for (const auto& [name, list] : lists) {
        hash.add(name);
        hash.add(std::uint64_t{list.size()});
        for (const GlobalId other : list) {
            hash.add(other);
        }
    }
}

template <std::size_t Dim>
std::string name_of(const std::string& what, const std::array<bool, Dim>& periodic) {
    std::string name = what;
    for (const bool axis : periodic) {
        name += axis ? "o" : "-";
    }
    return name + "_";
}

TYPED_TEST(RanksGolden, AgentsThatFlyAroundTheWorldNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& axes : some_axes<kDim>()) {
        const Sky<kDim> sky(axes, 200, false, true);
        check_jobs<kDim>(name_of("fly_", axes), [&](std::uint32_t ranks) {
            Hash hash;
            for (const FlightAnswers& step : fly(sky, ranks)) {
                add(hash, step.near);
                add(hash, step.half);
                add(hash, step.pairs);
                hash.add(step.count);
            }
            return hash.value();
        });
    }
}

/// Question q is asked by rank q modulo the ranks; the sum does not depend on who asked.
TYPED_TEST(RanksGolden, AnswersAcrossBordersNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& axes : some_axes<kDim>()) {
        const Sky<kDim> sky(axes, 200, false, true);
        check_jobs<kDim>(name_of("ask_", axes), [&](std::uint32_t ranks) {
            Sum sum;
            std::mutex mutex;
            ThreadRanks job(ranks, ranks);
            job.run([&](Ranks& self) {
                Flight<kDim> flight(self, sky);
                ASSERT_EQ(flight.crowd.configure(sky.settings), Status{});
                ASSERT_EQ(flight.crowd.set_statics(sky.statics()), Status{});
                ASSERT_EQ(flight.crowd.update(flight.mine), Status{});
                std::vector<Ball<kDim>> balls;
                std::vector<Segment<kDim>> paths;
                std::vector<Point<kDim>> points;
                std::vector<GlobalFilter> filters;
                std::vector<std::uint64_t> numbers;
                for (std::size_t q = self.rank(); q < 90; q += ranks) {
                    const Point<kDim> at = sky.places[q];
                    balls.push_back({at, 0.5f * static_cast<float>(q % 8)});
                    paths.push_back({at, sky.places[q + 1]});
                    points.push_back(at);
                    filters.push_back({kAllGroups, sky.names[q]});
                    numbers.push_back(q);
                }
                GlobalHits hits;
                GlobalNearHits near;
                GlobalMeetings met;
                ASSERT_EQ(flight.crowd.query(balls, hits, filters), Status{});
                ASSERT_EQ(flight.crowd.nearest(points, {4}, near, filters), Status{});
                ASSERT_EQ(flight.crowd.meetings(paths, met, filters), Status{});
                const std::lock_guard lock(mutex);
                for (std::size_t q = 0; q < numbers.size(); ++q) {
                    Hash hash;
                    hash.add(numbers[q]);
                    for (const GlobalId id : hits.of(q)) {
                        hash.add(id);
                    }
                    for (const GlobalNear& one : near.of(q)) {
                        add_bits(hash, one.distance2);
                        hash.add(one.id);
                    }
                    for (const GlobalMeeting& one : met.of(q)) {
                        add_bits(hash, one.time);
                        hash.add(one.id);
                    }
                    sum.add(hash);
                }
            });
            return sum.value;
        });
    }
}

} // namespace
} // namespace throng::test
