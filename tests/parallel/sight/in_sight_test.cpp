// Sight past obstacles, against brute force: all agents, and for each line of sight all obstacles.
#include "city.hpp"

#include "../../support/dims.hpp"
#include "../../support/ids.hpp"
#include "../../support/long_run.hpp"
#include "../../support/threads/executors.hpp"
#include "../../support/truth.hpp"

#include <throng/parallel/sight/in_sight.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace throng::test {
namespace {

template <class Dim>
class AgentsSee : public testing::Test {};
TYPED_TEST_SUITE(AgentsSee, Dims, DimNames);

/// With many obstacles, each line of sight is searched alone. On the lattice, agents stand on
/// corners and sides of boxes, and look along these.
constexpr CitySizes kSizes[] = {{300, 0, 10, 1, 2, 0},
                                {400, 60, 10, 2, 3, 0.5f},
                                {500, 150, 20, 3, 4, 0},
                                {500, 90, 6, 1, 2, 1},
                                {120, 900, 10, 0.3f, 4, 0},
                                {300, 90, 1e6f, 1e5f, 4e5f, 0},
                                {200, 60, 1e17f, 2e16f, 1e17f, 0},
                                {200, 60, 4e-3f, 1e-3f, 2e-3f, 0},
                                {150, 12, 4, 1, 1e18f, 0.25f}};

CitySizes for_this_run(CitySizes sizes) {
    if (!large_run()) { sizes.agents = 75 + sizes.agents / 4; }
    return sizes;
}

std::vector<Ids> lists_of(const Hits& hits) {
    std::vector<Ids> lists;
    for (std::size_t k = 0; k + 1 < hits.offsets.size(); ++k) {
        lists.emplace_back(hits.of(k).begin(), hits.of(k).end());
    }
    return lists;
}

void expect_found(const Found& found, std::uint64_t count) {
    ASSERT_EQ(found.status, Status{});
    ASSERT_EQ(found.count, count);
}

std::vector<std::uint32_t> lengths_of(const std::vector<Ids>& lists) {
    std::vector<std::uint32_t> lengths;
    for (const Ids& list : lists) {
        lengths.push_back(static_cast<std::uint32_t>(list.size()));
    }
    return lengths;
}

constexpr Filter kLooks[] = {{}, {5, kNoId}, {kAllGroups, 17}, {0, kNoId}};

TYPED_TEST(AgentsSee, TheNeighboursThatNothingHides) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(3);
    std::size_t hidden = 0, seen = 0;
    for (const CitySizes& full : kSizes) {
        const CitySizes sizes = for_this_run(full);
        SCOPED_TRACE(testing::Message() << sizes.agents << " in " << sizes.world);
        const City<kDim> city(random, sizes);
        Ids order(city.crowd.size());
        (void)city.crowd.order(order);
        EagerPool pool(3);
        BoastingExecutor boasting(4);
        Executor* const executors[] = {&serial_executor(), &pool, &boasting};
        for (std::size_t turn = 0; turn < 6; ++turn) {
            const Neighbourhood asked = {sizes.radius, turn % 2 == 1, turn == 2 ? 3u : kAllGroups,
                                         turn >= 4};
            const Sets sets = turn == 3 ? Sets::agents : Sets::all;
            const Filter& looks = kLooks[turn % 4];
            Batch<kDim> batch;
            InSight<kDim> in_sight(*executors[turn % 3]);
            Hits fresh, hits;
            ASSERT_EQ(batch.neighbours({city.crowd, sets}, asked, fresh, Order::storage), Status{});
            const auto expected = city.cut(
                fresh, [&](std::size_t k) { return city.at(order[k]); }, looks);
            ASSERT_EQ(in_sight.neighbours({city.crowd, sets}, city.obstacles, asked, hits,
                                          Order::storage, looks),
                      Status{});
            ASSERT_EQ(lists_of(hits), expected);
            const std::uint64_t sum = hits.total();
            seen += sum;
            hidden += fresh.total() - sum;
            std::vector<std::uint32_t> counts(order.size() + 1, 77);
            expect_found(in_sight.count_neighbours({city.crowd, sets}, city.obstacles, asked,
                                                   counts, Order::storage, looks),
                         sum);
            ASSERT_EQ(counts.back(), 77u);
            counts.pop_back();
            ASSERT_EQ(counts, lengths_of(expected));
            // By id, compared with all agents.
            ASSERT_EQ(in_sight.neighbours({city.crowd, sets}, city.obstacles, asked, hits,
                                          Order::ids, looks),
                      Status{});
            std::vector<Ids> by_id(order.size());
            for (std::size_t k = 0; k < order.size(); ++k) {
                by_id[order[k]] = expected[k];
            }
            ASSERT_EQ(lists_of(hits), by_id);
            counts.resize(by_id.size());
            expect_found(in_sight.count_neighbours({city.crowd, sets}, city.obstacles, asked,
                                                   counts, Order::ids, looks),
                         sum);
            ASSERT_EQ(counts, lengths_of(by_id));
            if (asked.later_only) { continue; }
            const auto near = city.agents.neighbours(asked, sets);
            for (std::size_t i = 0; i < near.size(); ++i) {
                Ids clear;
                for (const Id id : near[i]) {
                    if (city.sees(city.at(static_cast<Id>(i)), city.at(id), looks)) {
                        clear.push_back(id);
                    }
                }
                std::sort(clear.begin(), clear.end());
                std::sort(by_id[i].begin(), by_id[i].end());
                ASSERT_EQ(by_id[i], clear) << i;
            }
        }
        // A grid instead of a crowd.
        Hits fresh, hits;
        Batch<kDim> batch;
        InSight<kDim> in_sight;
        const RowGrid<kDim>& grid = city.crowd.grid();
        const Neighbourhood asked = {sizes.radius};
        for (const Order by : {Order::storage, Order::ids}) {
            ASSERT_EQ(batch.neighbours(grid, asked, fresh, by), Status{});
            Ids small(grid.size());
            (void)grid.order(small);
            const auto expected =
                city.cut(fresh,
                         [&](std::size_t k) {
                             return city.at(by == Order::ids ? static_cast<Id>(k) : small[k]);
                         },
                         {});
            ASSERT_EQ(in_sight.neighbours(grid, city.obstacles, asked, hits, by), Status{});
            ASSERT_EQ(lists_of(hits), expected);
            std::vector<std::uint32_t> counts(expected.size());
            expect_found(in_sight.count_neighbours(grid, city.obstacles, asked, counts, by),
                         hits.total());
            ASSERT_EQ(counts, lengths_of(expected));
        }
    }
    EXPECT_GT(hidden, 10'000u);
    EXPECT_GT(seen, 10'000u);
}

TYPED_TEST(AgentsSee, EachOtherOrNot) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(4);
    for (const CitySizes& full : kSizes) {
        const CitySizes sizes = for_this_run(full);
        const City<kDim> city(random, sizes);
        InSight<kDim> in_sight;
        Hits hits;
        ASSERT_EQ(in_sight.neighbours({city.crowd, Sets::agents}, city.obstacles, {sizes.radius},
                                      hits, Order::ids),
                  Status{});
        auto lists = lists_of(hits);
        for (Ids& list : lists) {
            std::sort(list.begin(), list.end());
        }
        for (std::size_t i = 0; i < lists.size(); ++i) {
            for (const Id other : lists[i]) {
                ASSERT_TRUE(std::binary_search(lists[other].begin(), lists[other].end(), i));
            }
        }
    }
}

TYPED_TEST(AgentsSee, AsFarAsFieldsOfViewReach) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(5);
    for (const CitySizes& full : kSizes) {
        const CitySizes sizes = for_this_run(full);
        const City<kDim> city(random, sizes);
        std::vector<Sector<kDim>> sectors;
        std::vector<Ball<kDim>> balls;
        for (std::size_t i = 0; i < 300; ++i) {
            // Views in random order; some begin at an agent.
            Point<kDim> eye = random_point<kDim>(random, sizes.world);
            if (i % 3 == 0) { eye = city.at(static_cast<Id>(random.below(100))); }
            Point<kDim> ahead = random_point<kDim>(random, 1.0f);
            ahead[0] += 1e-3f;
            sectors.push_back({eye, sizes.radius, ahead, random.between(-1.0f, 1.0f)});
            balls.push_back({eye, sizes.radius});
        }
        EagerPool pool(2);
        InSight<kDim> in_sight(pool);
        Batch<kDim> batch;
        const auto compare = [&](const auto& shapes, const Filters& filters, Sets sets,
                                 const Filter& looks) {
            Hits fresh, hits;
            ASSERT_EQ(batch.query({city.crowd, sets}, shapes, fresh, filters), Status{});
            const auto expected = city.cut(
                fresh, [&](std::size_t k) { return shapes[k].centre; }, looks);
            ASSERT_EQ(
                in_sight.query({city.crowd, sets}, city.obstacles, shapes, hits, filters, looks),
                Status{});
            for (std::size_t k = 0; k < shapes.size(); ++k) {
                ASSERT_EQ(lists_of(hits)[k], expected[k]) << k << " of " << sizes.world;
            }
            std::vector<std::uint32_t> counts(shapes.size());
            expect_found(
                in_sight.count({city.crowd, sets}, city.obstacles, shapes, counts, filters, looks),
                hits.total());
            ASSERT_EQ(counts, lengths_of(expected));
        };
        compare(sectors, {}, Sets::all, {});
        compare(sectors, Filter{6, 3}, Sets::agents, {3, 20});
        compare(balls, {}, Sets::all, {});
        compare(std::vector(sectors.begin() + 7, sectors.begin() + 8), {}, Sets::all, {});
        compare(std::vector<Ball<kDim>>{}, {}, Sets::all, {});
        Hits fresh, hits;
        ASSERT_EQ(batch.query(city.crowd.grid(), sectors, fresh), Status{});
        ASSERT_EQ(in_sight.query(city.crowd.grid(), city.obstacles, sectors, hits), Status{});
        ASSERT_EQ(lists_of(hits),
                  city.cut(fresh, [&](std::size_t k) { return sectors[k].centre; }, {}));
    }
}

/// Lines of sight in planes that touch an obstacle: they graze it, up to rounding of their ends.
TYPED_TEST(AgentsSee, WhatIsBesideTheRimOfAnObstacle) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(9);
    constexpr std::size_t kCount = 64;
    std::size_t hidden = 0, seen = 0;
    for (int turn = 0; turn < 200; ++turn) {
        ObstacleTruth<kDim> truth;
        truth.all.push_back({0, random_obstacle<kDim>(random, 10.0f, 4.0f)});
        std::vector<Ball<kDim>> balls(kCount);
        std::array<std::vector<float>, kDim> position;
        for (Ball<kDim>& ball : balls) {
            const auto far = obstacle::real(random_point<kDim>(random, 30.0f));
            const auto surface = with_body_of<kDim>(truth.all[0].shape, [&](const auto& body) {
                return obstacle::surface_of(body, far);
            });
            auto way = obstacle::real(random_point<kDim>(random, 1.0f));
            way = obstacle::along(way, -obstacle::dot(way, surface.normal), surface.normal);
            const auto from = obstacle::along(surface.point, random.between(0.0f, 9.0f), way);
            const auto to = obstacle::along(surface.point, random.between(-9.0f, 0.0f), way);
            for (std::size_t a = 0; a < kDim; ++a) {
                ball.centre[a] = static_cast<float>(from[a]);
                position[a].push_back(static_cast<float>(to[a]));
            }
            ball.radius = 200.0f;
        }
        Agents<kDim> all;
        std::array<const float*, kDim> axes;
        for (std::size_t a = 0; a < kDim; ++a) {
            axes[a] = position[a].data();
        }
        all.positions = PointView<kDim>::separate(axes, kCount);
        Crowd<kDim> crowd;
        ASSERT_EQ(crowd.update(all), Status{});
        Obstacles<kDim> obstacles;
        ASSERT_EQ(std::visit([&](const auto& shape) { return obstacles.insert(0, shape); },
                             truth.all[0].shape),
                  Status{});
        InSight<kDim> in_sight;
        Hits hits;
        ASSERT_EQ(in_sight.query(crowd, obstacles, balls, hits), Status{});
        for (std::size_t k = 0; k < kCount; ++k) {
            Ids clear, found(hits.of(k).begin(), hits.of(k).end());
            for (std::size_t i = 0; i < kCount; ++i) {
                Point<kDim> at;
                for (std::size_t a = 0; a < kDim; ++a) {
                    at[a] = position[a][i];
                }
                if (sees(truth, balls[k].centre, at, {})) { clear.push_back(static_cast<Id>(i)); }
                if (i == k) { ++(clear.empty() || clear.back() != i ? hidden : seen); }
            }
            std::sort(found.begin(), found.end());
            ASSERT_EQ(found, clear) << turn;
        }
    }
    EXPECT_GT(hidden, 1000u);
    EXPECT_GT(seen, 1000u);
}

TYPED_TEST(AgentsSee, WhatHasChangedSinceTheLastCall) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(6);
    City<kDim> city(random, for_this_run(kSizes[2]));
    InSight<kDim> in_sight;
    for (int change = 0; change < 6; ++change) {
        if (change == 1) { ASSERT_EQ(city.crowd.move(3, city.at(4)), Status{}); }
        if (change == 2) { ASSERT_EQ(city.crowd.erase(9), Status{}); }
        if (change == 3) { ASSERT_EQ(city.obstacles.erase(5), Status{}); }
        if (change == 4) {
            ASSERT_EQ(city.crowd.insert(700, {city.at(11), city.agents[11].half_extent, 1u}),
                      Status{});
        }
        if (change == 5) { in_sight.release(); }
        InSight<kDim> anew;
        Hits hits, expected;
        const Neighbourhood asked = {kSizes[2].radius};
        for (const Order order : {Order::storage, Order::ids}) {
            ASSERT_EQ(in_sight.neighbours(city.crowd, city.obstacles, asked, hits, order),
                      Status{});
            ASSERT_EQ(anew.neighbours(city.crowd, city.obstacles, asked, expected, order),
                      Status{});
            ASSERT_EQ(lists_of(hits), lists_of(expected));
        }
        if (change == 1) {
            ASSERT_EQ(lists_of(hits)[3].size() + lists_of(hits)[4].size(),
                      2 * lists_of(hits)[4].size());
        }
        const Ball<kDim> ball = {city.at(9), 3.0f};
        ASSERT_EQ(in_sight.query(city.crowd, city.obstacles, std::vector{ball}, hits), Status{});
        ASSERT_EQ(std::ranges::count(hits.of(0), Id{9}),
                  change < 2 && city.sees(ball.centre, ball.centre, {}) ? 1 : 0);
    }
}

TYPED_TEST(AgentsSee, NothingThatIsRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(7);
    const City<kDim> city(random, for_this_run(kSizes[1]));
    InSight<kDim> in_sight;
    Hits hits;
    const auto neighbours = [&](const Neighbourhood& asked) {
        hits.offsets = {0, 3};
        return in_sight.neighbours(city.crowd, city.obstacles, asked, hits);
    };
    EXPECT_EQ(neighbours({-1.0f}), (Status{Cause::negative, Argument::radius}));
    EXPECT_TRUE(hits.offsets.empty());
    EXPECT_EQ(neighbours({std::numeric_limits<float>::quiet_NaN()}),
              (Status{Cause::not_finite, Argument::radius}));
    EXPECT_EQ(neighbours({1.0f}), Status{});
    std::vector<std::uint32_t> counts(city.crowd.size() - 1);
    EXPECT_EQ(in_sight.count_neighbours(city.crowd, city.obstacles, {1.0f}, counts).status,
              (Status{Cause::no_room, Argument::counts}));
    std::vector<Ball<kDim>> balls(3);
    balls[2].radius = -1.0f;
    EXPECT_EQ(in_sight.query(city.crowd, city.obstacles, balls, hits),
              (Status{Cause::negative, Argument::ball, 2}));
    balls[2].radius = 1.0f;
    EXPECT_EQ(in_sight.count(city.crowd, city.obstacles, balls, std::span(counts).first(2)).status,
              (Status{Cause::no_room, Argument::counts}));
    EXPECT_EQ(in_sight.query(city.crowd, city.obstacles, std::vector<Box<kDim>>(2), hits),
              (Status{Cause::out_of_range, Argument::shapes}));
    EXPECT_EQ(in_sight.query(city.crowd, city.obstacles,
                             ShapesView<kDim>(ShapeKind::ball, nullptr, 2), hits),
              (Status{Cause::null_pointer, Argument::shapes}));
    EXPECT_EQ(in_sight.query(city.crowd, city.obstacles, balls, hits, std::vector<Filter>(2)),
              (Status{Cause::count_mismatch, Argument::filters}));

    CrowdSettings<kDim> around;
    around.bounds = {Point<kDim>::all(0.0f), Point<kDim>::all(10.0f)};
    around.periodic[0] = true;
    Crowd<kDim> wrapping;
    ASSERT_EQ(wrapping.configure(around), Status{});
    EXPECT_EQ(in_sight.neighbours(wrapping, city.obstacles, {1.0f}, hits),
              (Status{Cause::wraps, Argument::period}));
    EXPECT_EQ(in_sight.count(wrapping, city.obstacles, balls, counts).status,
              (Status{Cause::wraps, Argument::period}));
    // A crowd without agents.
    EXPECT_EQ(in_sight.neighbours(Crowd<kDim>(), city.obstacles, {1.0f}, hits), Status{});
    EXPECT_EQ(hits.total(), 0u);
}

TYPED_TEST(AgentsSee, AgainAfterAnExecutorThatFailed) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(8);
    const City<kDim> city(random, for_this_run(kSizes[2]));
    Hits expected;
    ASSERT_EQ(InSight<kDim>().neighbours(city.crowd, city.obstacles, {4.0f}, expected), Status{});
    std::size_t failures = 0;
    for (const Fault fault : kEveryFault) {
        bool failed = true;
        for (std::size_t run = 0; failed; ++run) {
            ASSERT_LT(run, 20u);
            FaultyExecutor faulty(fault, run);
            SwitchExecutor executor;
            executor.executor = &faulty;
            InSight<kDim> in_sight(executor);
            Hits hits;
            bool thrown = false;
            Status status;
            try {
                status = in_sight.neighbours(city.crowd, city.obstacles, {4.0f}, hits);
            } catch (const ExecutorError&) { thrown = true; }
            failed = faulty.failed();
            if (thrown || !status.ok()) {
                ++failures;
                if (!thrown) { ASSERT_EQ(status.cause, Cause::executor_failed); }
                ASSERT_TRUE(hits.offsets.empty());
                executor.executor = &serial_executor();
                ASSERT_EQ(in_sight.neighbours(city.crowd, city.obstacles, {4.0f}, hits), Status{});
            }
            ASSERT_EQ(lists_of(hits), lists_of(expected));
        }
    }
    EXPECT_GT(failures, 10u);
}

} // namespace
} // namespace throng::test
