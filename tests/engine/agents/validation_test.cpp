// Each kind of bad input, in each place, is refused by name.
#include "../../support/numbers.hpp"
#include <throng/engine/agents/validation.hpp>
#include <throng/engine/shapes/shapes.hpp>

#include "../../support/dims.hpp"
#include "../../support/scenes/scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace throng {
namespace {

using test::kInfinity;
using test::kNan;

template <class Dim>
class Validation : public testing::Test {
protected:
    static constexpr std::size_t kDim = Dim::value;

    Validation() {
        for (std::size_t i = 0; i < 20; ++i) {
            scene.add(Point<kDim>::all(static_cast<float>(i)), Point<kDim>::all(0.5f));
            scene.groups.push_back(1);
        }
    }

    scenes::Scene<kDim> scene;
};
TYPED_TEST_SUITE(Validation, test::Dims, test::DimNames);

struct BadValue {
    float value;
    Cause coordinate, length; ///< ok where it is allowed
};

const BadValue kBadValues[] = {
    {kNan, Cause::not_finite, Cause::not_finite},
    {-kNan, Cause::not_finite, Cause::not_finite},
    {kInfinity, Cause::not_finite, Cause::not_finite},
    {-kInfinity, Cause::not_finite, Cause::not_finite},
    {std::nextafter(kLargest, kInfinity), Cause::too_large, Cause::too_large},
    {std::numeric_limits<float>::max(), Cause::too_large, Cause::too_large},
    {-std::nextafter(kLargest, kInfinity), Cause::too_large, Cause::negative},
    {-kLargest, Cause::ok, Cause::negative},
    {-std::numeric_limits<float>::denorm_min(), Cause::ok, Cause::negative},
    {kLargest, Cause::ok, Cause::ok},
    {-0.0f, Cause::ok, Cause::ok},
    {std::numeric_limits<float>::denorm_min(), Cause::ok, Cause::ok},
};

Status expected(Cause cause, Argument argument, std::size_t index = 0) {
    return cause == Cause::ok ? Status{} : Status{cause, argument, index};
}

TYPED_TEST(Validation, AcceptsGoodAgents) {
    EXPECT_EQ(check_agents(this->scene.agents()), Status{});
    EXPECT_EQ(check_agents(Agents<TypeParam::value>{}), Status{});
}

TYPED_TEST(Validation, NamesTheBadCoordinate) {
    for (const BadValue& bad : kBadValues) {
        for (std::size_t a = 0; a < TypeParam::value; ++a) {
            for (const std::size_t i : {0u, 7u, 19u}) {
                float& value = this->scene.position[a][i];
                const float good = value;
                value = bad.value;
                EXPECT_EQ(check_agents(this->scene.agents()),
                          expected(bad.coordinate, Argument::positions, i));
                EXPECT_EQ(check_point(this->scene.position_of(i), Argument::bounds, 5),
                          expected(bad.coordinate, Argument::bounds, 5));
                value = good;
            }
        }
    }
}

TYPED_TEST(Validation, NamesTheBadExtent) {
    for (const BadValue& bad : kBadValues) {
        for (std::size_t a = 0; a < TypeParam::value; ++a) {
            for (const std::size_t i : {0u, 7u, 19u}) {
                float& value = this->scene.half_extent[a][i];
                value = bad.value;
                EXPECT_EQ(check_agents(this->scene.agents()),
                          expected(bad.length, Argument::half_extents, i));
                value = 0.5f;
            }
            auto agents = this->scene.agents();
            agents.half_extents = {};
            agents.common_half_extent[a] = bad.value;
            EXPECT_EQ(check_agents(agents), expected(bad.length, Argument::half_extents));
            EXPECT_EQ(check_views(agents), expected(bad.length, Argument::half_extents));
            EXPECT_EQ(check_kind(kind_of(agents)), expected(bad.length, Argument::half_extents));
        }
    }
}

TYPED_TEST(Validation, NamesTheFirstOfSeveral) {
    this->scene.position[1][5] = kNan;
    this->scene.position[0][9] = 2e18f;
    this->scene.half_extent[0][2] = -1.0f;
    EXPECT_EQ(check_agents(this->scene.agents()),
              (Status{Cause::not_finite, Argument::positions, 5}));
    this->scene.position[0][5] = -2e18f; // the first axis comes first
    EXPECT_EQ(check_agents(this->scene.agents()),
              (Status{Cause::too_large, Argument::positions, 5}));
}

TYPED_TEST(Validation, DoesNotLookAtWhoIsLeftOut) {
    const std::vector<Id> out = {0, 3, 4, 19};
    for (const Id id : out) {
        this->scene.position[0][id] = kNan;
        this->scene.half_extent[TypeParam::value - 1][id] = -1.0f;
    }
    EXPECT_EQ(check_agents(this->scene.agents(), out), Status{});
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::vector<Id> others = out;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_EQ(check_agents(this->scene.agents(), others),
                  (Status{Cause::not_finite, Argument::positions, out[i]}));
        this->scene.position[0][out[i]] = 0.0f;
        EXPECT_EQ(check_agents(this->scene.agents(), others),
                  (Status{Cause::negative, Argument::half_extents, out[i]}));
    }
}

TYPED_TEST(Validation, IgnoresTheCommonExtentWhereAgentsHaveTheirOwn) {
    auto agents = this->scene.agents();
    agents.common_half_extent[0] = kNan;
    EXPECT_EQ(check_agents(agents), Status{});
    EXPECT_EQ(kind_of(agents).common_half_extent, Point<TypeParam::value>{});
}

TYPED_TEST(Validation, ReadsStridedViews) {
    for (const auto layout :
         {scenes::Layout::float3, scenes::Layout::backwards, scenes::Layout::unaligned}) {
        this->scene.layout = layout;
        this->scene.position[1][13] = 1.0f;
        EXPECT_EQ(check_agents(this->scene.agents()), Status{});
        this->scene.position[1][13] = kNan;
        EXPECT_EQ(check_agents(this->scene.agents()),
                  (Status{Cause::not_finite, Argument::positions, 13}));
    }
}

TYPED_TEST(Validation, RefusesNullPointersWithACount) {
    for (std::size_t a = 0; a < TypeParam::value; ++a) {
        auto agents = this->scene.agents();
        agents.positions.axis[a] = nullptr;
        EXPECT_EQ(check_agents(agents), (Status{Cause::null_pointer, Argument::positions}));
        agents = this->scene.agents();
        agents.half_extents.axis[a] = nullptr;
        EXPECT_EQ(check_agents(agents), (Status{Cause::null_pointer, Argument::half_extents}));
    }
    auto agents = this->scene.agents();
    agents.groups.data = nullptr;
    EXPECT_EQ(check_agents(agents), (Status{Cause::null_pointer, Argument::groups}));
}

TYPED_TEST(Validation, RefusesDifferentCounts) {
    for (const std::size_t count : {0u, 19u, 21u}) {
        auto agents = this->scene.agents();
        agents.half_extents.count = count;
        EXPECT_EQ(check_views(agents), (Status{Cause::count_mismatch, Argument::half_extents}));
        agents = this->scene.agents();
        agents.groups.count = count;
        EXPECT_EQ(check_views(agents), (Status{Cause::count_mismatch, Argument::groups}));
    }
}

TYPED_TEST(Validation, RefusesMoreAgentsThanIdsWithoutReadingThem) {
    auto agents = this->scene.agents();
    agents.half_extents = {};
    agents.groups = {};
    agents.positions.count = kMaxAgents;
    EXPECT_EQ(check_views(agents), Status{});
    agents.positions.count = kMaxAgents + 1;
    EXPECT_EQ(check_agents(agents).cause, Cause::too_many);
    EXPECT_EQ(check_agents(agents).argument, Argument::positions);
}

TYPED_TEST(Validation, KnowsWhatACrowdKeeps) {
    auto agents = this->scene.agents();
    EXPECT_TRUE(kind_of(agents).own_half_extents);
    EXPECT_TRUE(kind_of(agents).groups);

    // The pointer decides, not the count: a crowd that happens to be empty keeps the same kind.
    agents.positions.count = agents.half_extents.count = agents.groups.count = 0;
    EXPECT_TRUE(kind_of(agents).own_half_extents);
    EXPECT_TRUE(kind_of(agents).groups);
    EXPECT_EQ(check_agents(agents), Status{});

    agents.half_extents.axis = {};
    agents.groups.data = nullptr;
    agents.common_half_extent[0] = 2.0f;
    EXPECT_FALSE(kind_of(agents).own_half_extents);
    EXPECT_FALSE(kind_of(agents).groups);
    EXPECT_EQ(kind_of(agents).common_half_extent, agents.common_half_extent);
}

TYPED_TEST(Validation, ChecksOneAgentAgainstItsCrowd) {
    using P = Point<TypeParam::value>;
    using OneAgent = Agent<TypeParam::value>;
    const OneAgent plain{P::all(1.0f)}, full{P::all(1.0f), P::all(0.5f), 3u};
    CrowdKind<TypeParam::value> bare, both;
    both.own_half_extents = both.groups = true;

    EXPECT_EQ(check_agent(plain, bare), Status{});
    EXPECT_EQ(check_agent(full, both), Status{});
    EXPECT_EQ(check_agent(plain, both), (Status{Cause::missing, Argument::half_extents}));
    EXPECT_EQ(check_agent(full, bare), (Status{Cause::not_stored, Argument::half_extents}));
    EXPECT_EQ(check_agent(OneAgent{P{}, P{}, {}}, both),
              (Status{Cause::missing, Argument::groups}));
    EXPECT_EQ(check_agent(OneAgent{P{}, {}, 1u}, bare),
              (Status{Cause::not_stored, Argument::groups}));

    for (const BadValue& bad : kBadValues) {
        OneAgent agent = full;
        agent.position[1] = bad.value;
        EXPECT_EQ(check_agent(agent, both), expected(bad.coordinate, Argument::positions));
        agent = full;
        (*agent.half_extent)[0] = bad.value;
        EXPECT_EQ(check_agent(agent, both), expected(bad.length, Argument::half_extents));
    }
}

TYPED_TEST(Validation, ChecksBoxesAndBalls) {
    using P = Point<TypeParam::value>;
    for (const BadValue& bad : kBadValues) {
        for (std::size_t a = 0; a < TypeParam::value; ++a) {
            Box<TypeParam::value> box{P::all(1.0f), P::all(2.0f)};
            box.lo[a] = bad.value;
            EXPECT_EQ(check_shape(box), expected(bad.coordinate, Argument::box));
            box = {P::all(1.0f), P::all(2.0f)};
            box.hi[a] = bad.value;
            EXPECT_EQ(check_shape(box), expected(bad.coordinate, Argument::box));
            Ball<TypeParam::value> ball{P::all(1.0f), 1.0f};
            ball.centre[a] = bad.value;
            EXPECT_EQ(check_shape(ball), expected(bad.coordinate, Argument::ball));
        }
        const Ball<TypeParam::value> ball{P::all(1.0f), bad.value};
        EXPECT_EQ(check_shape(ball), expected(bad.length, Argument::ball));
    }
    EXPECT_EQ(check_shape(Box<TypeParam::value>{P::all(2.0f), P::all(1.0f)}), Status{});
}

} // namespace
} // namespace throng
