// Pairs of discs that only the test of discs itself finds: discs that touch by rounding alone, and
// discs that cross a border where their boxes do not.
#include "../../support/dims.hpp"
#include "../../support/visited.hpp"

#include <throng/engine/agents/body.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

/// Two discs on a line.
struct TwoDiscs {
    float x, radius, other_x, other_radius;
};

/// The sum of the radii rounds up to the distance, or the distance down to the sum; so they touch,
/// and their boxes do not.
constexpr TwoDiscs kRounded[] = {
    {72.94636535644531f, 1.8193318843841553f, 77.4816665649414f, 2.7159690856933594f},
    {4.61573600769043f, 0.3247630000114441f, 7.926271915435791f, 2.9857728481292725f},
};

template <std::size_t Dim>
struct Bodies {
    std::vector<Point<Dim>> at, half;

    void add(const Point<Dim>& point, const Point<Dim>& extent) {
        at.push_back(point);
        half.push_back(extent);
    }
    [[nodiscard]] Agents<Dim> agents() const {
        const auto view = [](const std::vector<Point<Dim>>& points) {
            return PointView<Dim>::interleaved(points[0].axis.data(), points.size(),
                                               sizeof(Point<Dim>));
        };
        Agents<Dim> agents;
        agents.positions = view(at);
        agents.half_extents = view(half);
        return agents;
    }
};

/// Calls check(discs, place) for all of these pairs on every axis, in either direction; place(x) is
/// the point at x on that axis.
template <std::size_t Dim, class Check>
void for_each_rounded(const Check& check) {
    for (const TwoDiscs& discs : kRounded) {
        ASSERT_FALSE(discs.x + discs.radius >= discs.other_x - discs.other_radius);
        for (std::size_t axis = 0; axis < Dim; ++axis) {
            for (const float sign : {1.0f, -1.0f}) {
                SCOPED_TRACE(testing::Message() << discs.x << " on axis " << axis << ", " << sign);
                const auto place = [&](float x) {
                    Point<Dim> point{};
                    point[axis] = sign * x;
                    return point;
                };
                ASSERT_TRUE(discs_overlap(place(discs.x), discs.radius, place(discs.other_x),
                                          discs.other_radius));
                ASSERT_NO_FATAL_FAILURE(check(discs, place));
            }
        }
    }
}

template <class>
class TouchingDiscs : public testing::Test {};
TYPED_TEST_SUITE(TouchingDiscs, Dims, DimNames);

TYPED_TEST(TouchingDiscs, InLeavesThatDoNotTouch) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_rounded<kDim>([&](const TwoDiscs& discs, const auto& place) {
        // Other discs are on both sides; in one of these trees a leaf ends between the two.
        for (std::size_t before = 0; before <= 16; ++before) {
            Bodies<kDim> bodies;
            bodies.add(place(discs.x), Point<kDim>::all(discs.radius));
            bodies.add(place(discs.other_x), Point<kDim>::all(discs.other_radius));
            for (std::size_t i = 0; i < before + 20; ++i) {
                const float away = 4.0f + static_cast<float>(i);
                bodies.add(place(i < before ? discs.x - away : discs.other_x + away),
                           Point<kDim>::all(0.125f));
            }
            LooseTree<kDim> tree;
            ASSERT_EQ(tree.update(bodies.agents()), Status{});
            ASSERT_EQ(pairs_of(tree, kAllGroups, Body::disc), (IdPairs{{0, 1}}));
            ASSERT_EQ(pairs_of(tree), IdPairs{});
        }
    });
}

/// The pairs of a crowd, those with statics included.
template <std::size_t Dim>
IdPairs all_pairs(const Crowd<Dim>& crowd, Body body) {
    IdPairs pairs;
    (void)crowd.visit_pairs(
        PairSets::all,
        [&](std::span<const Id> first, std::span<const Id> second) {
            for (std::size_t i = 0; i < first.size(); ++i) {
                pairs.push_back(std::minmax(first[i], second[i]));
            }
            return true;
        },
        kAllGroups, body);
    return pairs;
}

/// A world around zero, with cells of this size.
template <std::size_t Dim>
CrowdSettings<Dim> world_with(float cell) {
    CrowdSettings<Dim> settings;
    settings.bounds = Box<Dim>{Point<Dim>::all(-128.0f), Point<Dim>::all(128.0f)};
    settings.cell = Point<Dim>::all(cell);
    return settings;
}

TYPED_TEST(TouchingDiscs, OfAllSets) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_rounded<kDim>([&](const TwoDiscs& discs, const auto& place) {
        // If statics are few, each searches the small agents; if many, statics are searched.
        for (const std::size_t others : {0u, 9u}) {
            for (const bool turned : {false, true}) {
                const Point<kDim> one = place(turned ? discs.other_x : discs.x);
                const Point<kDim> other = place(turned ? discs.x : discs.other_x);
                const auto half = Point<kDim>::all(turned ? discs.other_radius : discs.radius);
                const auto half_of_other =
                    Point<kDim>::all(turned ? discs.radius : discs.other_radius);
                Bodies<kDim> agent, both, statics;
                agent.add(one, half);
                both.add(one, half);
                both.add(other, half_of_other);
                statics.add(other, half_of_other);
                for (std::size_t i = 0; i < others; ++i) {
                    statics.add(Point<kDim>::all(100.0f + static_cast<float>(i)),
                                Point<kDim>::all(0.125f));
                }
                for (const float cell : {8.0f, 0.5f, 4.0f}) { // none, both, or one are giants
                    SCOPED_TRACE(cell);
                    Crowd<kDim> crowd;
                    ASSERT_EQ(crowd.configure(world_with<kDim>(cell), {true, false, {}}), Status{});
                    ASSERT_EQ(crowd.update(both.agents()), Status{});
                    ASSERT_EQ(all_pairs(crowd, Body::disc), (IdPairs{{0, 1}}));
                    ASSERT_EQ(all_pairs(crowd, Body::box), IdPairs{});
                    ASSERT_EQ(crowd.update(agent.agents()), Status{});
                    ASSERT_EQ(crowd.set_statics(statics.agents()), Status{});
                    ASSERT_EQ(all_pairs(crowd, Body::disc), (IdPairs{{0, static_id(0)}}));
                    ASSERT_EQ(all_pairs(crowd, Body::box), IdPairs{});
                }
            }
        }
    });
}

/// Agents that share a radius are compared by squares: 1 + 2^-23 is the largest whose root rounds
/// to the sum of the radii, and the next one is apart.
TYPED_TEST(TouchingDiscs, WhereTheRootRoundsDownToTheSum) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& [aside, touch] : {std::pair{0x1.6ap-12f, true}, std::pair{0x1p-11f, false}}) {
        Point<kDim> at[2]{};
        at[1][0] = 1.0f;
        at[1][1] = aside;
        Agents<kDim> agents;
        agents.positions = PointView<kDim>::interleaved(at[0].axis.data(), 2, sizeof(Point<kDim>));
        agents.common_half_extent = Point<kDim>::all(0.5f);
        for (const float cell : {0.5f, 8.0f}) {
            Crowd<kDim> crowd;
            ASSERT_EQ(crowd.configure(world_with<kDim>(cell)), Status{});
            ASSERT_EQ(crowd.update(agents), Status{});
            EXPECT_EQ(all_pairs(crowd, Body::disc), touch ? (IdPairs{{0, 1}}) : IdPairs{});
        }
    }
}

/// Discs of radius 1 in boxes that are flat where the world begins again: 1.5 before the border and
/// 0.5 behind it, so that they touch across it, and neither box comes near.
TYPED_TEST(TouchingDiscs, AcrossABorderThatNoBoxReaches) {
    constexpr std::size_t kDim = TypeParam::value;
    CrowdSettings<kDim> settings = world_with<kDim>(8.0f);
    settings.periodic[1] = true;
    Point<kDim> flat = Point<kDim>::all(0.05f), before{}, behind{};
    flat[0] = 1.0f;
    for (const float apart : {0.0f, 0.0625f}) {
        before[1] = 126.5f - apart;
        behind[1] = -127.5f;
        const bool touch = apart == 0.0f;
        for (const bool turned : {false, true}) {
            Bodies<kDim> both, one, other;
            both.add(turned ? behind : before, flat);
            both.add(turned ? before : behind, flat);
            one.add(both.at[0], flat);
            other.add(both.at[1], flat);
            for (const float cell : {8.0f, 0.5f}) { // small agents, or giants
                settings.cell = Point<kDim>::all(cell);
                Crowd<kDim> crowd;
                ASSERT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
                ASSERT_EQ(crowd.update(both.agents()), Status{});
                EXPECT_EQ(all_pairs(crowd, Body::disc), touch ? (IdPairs{{0, 1}}) : IdPairs{});
                EXPECT_EQ(all_pairs(crowd, Body::box), IdPairs{});
                ASSERT_EQ(crowd.update(one.agents()), Status{});
                ASSERT_EQ(crowd.set_statics(other.agents()), Status{});
                EXPECT_EQ(all_pairs(crowd, Body::disc),
                          touch ? (IdPairs{{0, static_id(0)}}) : IdPairs{});
                EXPECT_EQ(all_pairs(crowd, Body::box), IdPairs{});
            }
        }
    }
}

/// So near to each other that the square of their distance is zero, which makes points touch:
/// across a border on one axis, and beside each other on another, on which the world is not
/// periodic.
TYPED_TEST(TouchingDiscs, AcrossABorderWhereSquaresVanish) {
    constexpr std::size_t kDim = TypeParam::value;
    CrowdSettings<kDim> settings;
    settings.bounds = Box<kDim>{Point<kDim>::all(-128.0f), {}};
    settings.periodic[1] = true;
    for (const float aside : {1e-38f, -1e-30f, 1e-23f, 1e-22f}) {
        Point<kDim> before{}, behind{};
        before[0] = aside;
        before[1] = -0x1p-149f;
        behind[1] = -128.0f;
        const bool touch = aside * aside == 0.0f;
        for (const bool turned : {false, true}) {
            Bodies<kDim> both;
            both.add(turned ? behind : before, {});
            both.add(turned ? before : behind, {});
            for (const float cell : {8.0f, 1.0f}) {
                settings.cell = Point<kDim>::all(cell);
                Crowd<kDim> crowd;
                ASSERT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
                ASSERT_EQ(crowd.update(both.agents()), Status{});
                EXPECT_EQ(all_pairs(crowd, Body::disc), touch ? (IdPairs{{0, 1}}) : IdPairs{})
                    << aside;
            }
        }
    }
}

} // namespace
} // namespace throng::test
