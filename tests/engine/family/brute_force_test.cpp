// The oracle, against answers worked out by hand.
#include <throng/engine/family/brute_force.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

using Ids = std::vector<Id>;
using test::kNan;

/// Five agents along x at 0, 1, 2, 3, 4, half a unit wide each way, of groups 0, 1, 2, 4, 1.
template <class Dim>
class BruteForceTest : public testing::Test {
protected:
    static constexpr std::size_t kDim = Dim::value;

    BruteForceTest() {
        scene.common_half_extent = Point<kDim>::all(0.5f);
        scene.groups = {0, 1, 2, 4, 1};
        for (int i = 0; i < 5; ++i) {
            scene.add(at(static_cast<float>(i)));
        }
        EXPECT_TRUE(index.update(scene.agents()).ok());
    }

    static Point<kDim> at(float x) {
        Point<kDim> point;
        point[0] = x;
        return point;
    }
    static Box<kDim> box(float low, float high) { return {at(low), at(high)}; }

    scenes::Scene<kDim> scene;
    BruteForce<kDim> index;
};
TYPED_TEST_SUITE(BruteForceTest, test::Dims, test::DimNames);

TYPED_TEST(BruteForceTest, FindsWhatTheBoxTouches) {
    EXPECT_EQ(test::ask(this->index, this->box(0.5f, 2.4f)), (Ids{0, 1, 2}));
    EXPECT_EQ(test::ask(this->index, this->box(0.6f, 2.5f)), (Ids{1, 2, 3}));
    EXPECT_EQ(test::ask(this->index, this->box(2.0f, 1.0f)), Ids{});
}

TYPED_TEST(BruteForceTest, FindsCentresInTheBall) {
    const Ball<TypeParam::value> ball{this->at(2.0f), 1.0f};
    EXPECT_EQ(test::ask(this->index, ball), (Ids{1, 2, 3}));
}

TYPED_TEST(BruteForceTest, FiltersGroupsAndOne) {
    const auto all = this->box(-9.0f, 9.0f);
    EXPECT_EQ(test::ask(this->index, all), (Ids{0, 1, 2, 3, 4}));
    EXPECT_EQ(test::ask(this->index, all, {kAllGroups, 3}), (Ids{0, 1, 2, 4}));
    EXPECT_EQ(test::ask(this->index, all, {1}), (Ids{1, 4}));
    EXPECT_EQ(test::ask(this->index, all, {3, 1}), (Ids{2, 4}));
    EXPECT_EQ(test::ask(this->index, all, {kAllGroups - 8}), (Ids{1, 2, 3, 4}));
    EXPECT_EQ(test::ask(this->index, all, {0}), Ids{});
}

TYPED_TEST(BruteForceTest, WithoutMasksOnlyNoGroupLeavesAgentsOut) {
    this->scene.groups.clear();
    ASSERT_TRUE(this->index.update(this->scene.agents()).ok());
    const auto all = this->box(-9.0f, 9.0f);
    EXPECT_EQ(this->index.count(all, {1}).count, 5u);
    EXPECT_EQ(this->index.count(all, {0}).count, 0u);
}

TYPED_TEST(BruteForceTest, WritesWhatFitsAndCountsAll) {
    Ids out(5, 77);
    const Found found = this->index.query(this->box(-9.0f, 9.0f), std::span<Id>(out).first(3));
    EXPECT_EQ(found.count, 5u);
    EXPECT_EQ(out, (Ids{0, 1, 2, 77, 77}));
}

TYPED_TEST(BruteForceTest, VisitsUntilToldToStop) {
    std::size_t calls = 0;
    const Found found = this->index.visit(this->box(-9.0f, 9.0f), [&](std::span<const Id> run) {
        EXPECT_EQ(run.size(), 1u);
        return ++calls < 3;
    });
    EXPECT_EQ(calls, 3u);
    EXPECT_EQ(found.count, 3u);
    EXPECT_EQ(this->index.any(this->box(-9.0f, 9.0f)).count, 1u);
    EXPECT_EQ(this->index.any(this->box(8.0f, 9.0f)).count, 0u);
}

TYPED_TEST(BruteForceTest, AnswersBatchesAndNamesTheBadQuery) {
    std::vector<Box<TypeParam::value>> boxes{this->box(0.6f, 1.4f), this->box(8.0f, 9.0f),
                                             this->box(2.6f, 9.0f)};
    Hits hits;
    ASSERT_TRUE(this->index.query(std::span<const Box<TypeParam::value>>(boxes), hits).ok());
    EXPECT_EQ(hits.offsets, (std::vector<std::uint64_t>{0, 1, 1, 3}));
    EXPECT_EQ(hits.of(2)[0], 3u);

    const Hits before = hits;
    boxes[1].hi[0] = kNan;
    EXPECT_EQ(this->index.query(std::span<const Box<TypeParam::value>>(boxes), hits),
              (Status{Cause::not_finite, Argument::box, 1}));
    const std::vector<Ball<TypeParam::value>> balls{{this->at(0), 1.0f}, {this->at(0), -1.0f}};
    EXPECT_EQ(this->index.query(std::span<const Ball<TypeParam::value>>(balls), hits),
              (Status{Cause::negative, Argument::ball, 1}));
    EXPECT_EQ(hits.ids, before.ids);
    EXPECT_EQ(hits.offsets, before.offsets);
}

TYPED_TEST(BruteForceTest, EditsByRule) {
    using OneAgent = Agent<TypeParam::value>;
    auto& list = this->index;
    const OneAgent agent{this->at(1.0f), {}, 8u};
    EXPECT_EQ(list.insert(4, agent), (Status{Cause::id_taken, Argument::id, 4}));
    EXPECT_EQ(list.insert(kNoId, agent), (Status{Cause::too_many, Argument::id, kNoId}));
    EXPECT_EQ(list.insert(9, OneAgent{this->at(1.0f)}), (Status{Cause::missing, Argument::groups}));
    EXPECT_EQ(list.insert(9, OneAgent{this->at(1.0f), this->at(1.0f), 8u}),
              (Status{Cause::not_stored, Argument::half_extents}));
    EXPECT_EQ(list.erase(9), (Status{Cause::id_unknown, Argument::id, 9}));
    EXPECT_EQ(list.erase(kNoId), (Status{Cause::id_unknown, Argument::id, kNoId}));
    EXPECT_EQ(list.move(9, this->at(0.0f)), (Status{Cause::id_unknown, Argument::id, 9}));
    EXPECT_EQ(list.move(3, this->at(kNan)), (Status{Cause::not_finite, Argument::positions}));
    EXPECT_EQ(list.size(), 5u);

    EXPECT_TRUE(list.insert(9, agent).ok());
    EXPECT_TRUE(list.contains(9));
    EXPECT_FALSE(list.contains(8));
    EXPECT_EQ(list.size(), 6u);
    EXPECT_EQ(test::ask(list, this->box(0.9f, 1.1f)), (Ids{1, 9}));
    EXPECT_TRUE(list.erase(1).ok());
    EXPECT_TRUE(list.move(3, this->at(1.0f)).ok());
    EXPECT_EQ(test::ask(list, this->box(0.9f, 1.1f)), (Ids{3, 9}));
    Ids order(6, 77);
    EXPECT_EQ(list.order(order), 5u);
    EXPECT_EQ(order, (Ids{0, 2, 3, 4, 9, 77}));
    EXPECT_EQ(list.validate(), nullptr);
}

TYPED_TEST(BruteForceTest, KeepsItsAgentsWhenTheUpdateIsBad) {
    const auto before = test::ask(this->index, this->box(-9.0f, 9.0f));
    this->scene.position[0][2] = kNan;
    EXPECT_EQ(this->index.update(this->scene.agents()),
              (Status{Cause::not_finite, Argument::positions, 2}));
    EXPECT_EQ(test::ask(this->index, this->box(-9.0f, 9.0f)), before);
}

TYPED_TEST(BruteForceTest, TakesItsKindFromConfigure) {
    CrowdKind<TypeParam::value> kind;
    kind.common_half_extent[0] = -1.0f;
    EXPECT_EQ(this->index.configure(kind), (Status{Cause::negative, Argument::half_extents}));
    EXPECT_EQ(this->index.size(), 5u);

    kind.own_half_extents = true; // then the common extent is neither read nor kept
    EXPECT_TRUE(this->index.configure(kind).ok());
    EXPECT_EQ(this->index.size(), 0u);
    EXPECT_EQ(this->index.kind().common_half_extent, Point<TypeParam::value>{});
    EXPECT_TRUE(this->index.insert(2, {this->at(0.0f), this->at(3.0f), {}}).ok());
    EXPECT_EQ(this->index.count(this->box(2.9f, 9.0f)).count, 1u);
}

} // namespace
} // namespace throng
