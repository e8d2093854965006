// first_where() where many hits are not wanted: how long it takes, and what it does without memory.
#include "../../support/allocation_counter.hpp"
#include "../../support/long_run.hpp"

#include <throng/engine/answers/predicate.hpp>
#include <throng/engine/crowd/crowd.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <ctime>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace throng {
namespace {

constexpr Segment<2> kPath = {{{0.0f, 5.0f}}, {{9.5f, 5.0f}}};

/// Agents of one set, all in one place, so that a path hits them all at one time. The world is 10
/// by 10, periodic or not.
Crowd<2> in_one_place(std::size_t count, Sets set, bool periodic) {
    const std::vector<float> x(count, 5.0f), half(count, set == Sets::giants ? 2.0f : 0.25f);
    Agents<2> agents;
    agents.positions = PointView<2>::separate({x.data(), x.data()}, count);
    agents.half_extents = PointView<2>::separate({half.data(), half.data()}, count);
    Crowd<2> crowd;
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{}, {{10.0f, 10.0f}}};
    settings.cell = Point<2>{{1.0f, 1.0f}};
    settings.periodic = {periodic, false};
    EXPECT_EQ(crowd.configure(settings), Status{});
    EXPECT_EQ(set == Sets::statics ? crowd.set_statics(agents) : crowd.update(agents), Status{});
    EXPECT_EQ(crowd.size(Sets::giants), set == Sets::giants ? count : 0u);
    return crowd;
}

/// Accepts only hit `last`; the predicate must be asked about all hits before it, in order.
void expect_all_told(const Crowd<2>& crowd, Sets set, std::size_t last) {
    const Id first_id = set == Sets::statics ? kFirstStatic : 0;
    std::size_t told = 0, wrong = 0;
    PathHit hit;
    const Found found = first_where(
        crowd, kPath, hit,
        [&](Id id) {
            wrong += id != first_id + told;
            return told++ == last;
        },
        {}, set);
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, 1u);
    EXPECT_EQ(hit.id, first_id + last);
    EXPECT_EQ(told, last + 1);
    EXPECT_EQ(wrong, 0u);
}

class CrowdFirstWhere : public testing::TestWithParam<std::tuple<Sets, bool>> {};
std::string name_of(Sets set, bool periodic) {
    const std::string name = set == Sets::small    ? "small"
                             : set == Sets::giants ? "giants"
                                                   : "statics";
    return periodic ? name + "_in_a_periodic_world" : name;
}
INSTANTIATE_TEST_SUITE_P(, CrowdFirstWhere,
                         testing::Combine(testing::Values(Sets::small, Sets::giants, Sets::statics),
                                          testing::Bool()),
                         [](const auto& test_case) {
                             return name_of(std::get<0>(test_case.param),
                                            std::get<1>(test_case.param));
                         });

// Looking at all hits again for each hit would take half a minute to several minutes.
TEST_P(CrowdFirstWhere, IsFastAmongManyAtOneTime) {
    constexpr std::size_t kMany = 100'000;
    const auto [set, periodic] = GetParam();
    const Crowd<2> crowd = in_one_place(kMany, set, periodic);
    const std::clock_t start = std::clock();
    ASSERT_NO_FATAL_FAILURE(expect_all_told(crowd, set, kMany - 1));
    EXPECT_LT(std::clock() - start, (test::emulated() ? 60 : 3) * CLOCKS_PER_SEC);
}

TEST_P(CrowdFirstWhere, DoesWithoutMemory) {
    const auto [set, periodic] = GetParam();
    const Crowd<2> crowd = in_one_place(2'000, set, periodic);
    {
        const test::FailingAllocations none(0, true);
        expect_all_told(crowd, set, 40);
        EXPECT_FALSE(none.failed()) << "few hits need no memory";
        expect_all_told(crowd, set, 1'999);
        EXPECT_TRUE(none.failed());
    }
    for (std::size_t successes = 0; successes < 12; ++successes) {
        const test::FailingAllocations one(successes);
        expect_all_told(crowd, set, 1'999);
    }
    EXPECT_STREQ(crowd.validate(), nullptr);
}

// The path goes round the world and hits all agents again, which does not count.
TEST(CrowdFirstAfter, PassesManySecondHits) {
    constexpr std::size_t kMany = 100'000;
    const Crowd<2> crowd = in_one_place(kMany, Sets::small, true);
    const Segment<2> twice = {{{0.0f, 5.0f}}, {{19.5f, 5.0f}}};
    PathHit hit;
    ASSERT_EQ(crowd.first(twice, hit).count, 1u);
    const PathHit last = {hit.time, kMany - 1};
    const std::clock_t start = std::clock();
    EXPECT_EQ(crowd.first_after(last, twice, hit).count, 0u);
    EXPECT_EQ(crowd.first_after({last.time, kMany - 2}, twice, hit).count, 1u);
    EXPECT_EQ(hit, last);
    EXPECT_LT(std::clock() - start, (test::emulated() ? 60 : 3) * CLOCKS_PER_SEC);
}

// The time of a caller's cursor may be -0, or NaN.
TEST(CrowdFirstAfter, TakesAnyCursor) {
    const Crowd<2> crowd = in_one_place(500, Sets::small, false);
    const Segment<2> from_inside = {{{5.0f, 5.0f}}, {{9.5f, 5.0f}}};
    const auto after = [&](const PathHit& cursor) {
        PathHit next;
        return crowd.first_after(cursor, from_inside, next).count == 0 ? kNoId : next.id;
    };
    EXPECT_EQ(after({0.0f, 99}), 100u);
    EXPECT_EQ(after({-0.0f, 99}), 100u);
    EXPECT_EQ(after({-1.0f, 7}), 0u);
    EXPECT_EQ(after({std::numeric_limits<float>::quiet_NaN(), 0}), kNoId);
    EXPECT_EQ(after({-std::numeric_limits<float>::quiet_NaN(), 0}), kNoId);
    EXPECT_EQ(after({std::numeric_limits<float>::infinity(), 0}), kNoId);
}

TEST(CrowdFirstAfter, TakesNoMemory) {
    const Crowd<2> crowd = in_one_place(500, Sets::small, true);
    const Segment<2> twice = {{{0.0f, 5.0f}}, {{19.5f, 5.0f}}};
    PathHit hit;
    const std::size_t before = test::allocations();
    ASSERT_EQ(crowd.first(twice, hit).count, 1u);
    EXPECT_EQ(crowd.first_after({hit.time, 499}, twice, hit).count, 0u);
    EXPECT_EQ(test::allocations(), before);
}

} // namespace
} // namespace throng
