// Crowds without cells that get their first agents one by one, or in a list.
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "crowd_truth.hpp"

#include <throng/engine/crowd/cell_stats.hpp>
#include <throng/engine/crowd/crowd_change.hpp>
#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

template <class Constant>
class FirstCells : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Constant::value;
    static constexpr CrowdKind<kAxes> kKind = {true, false, {}};

    Agent<kAxes> agent(std::size_t i) const {
        return {scene_.position_of(i), scene_.half_extent_of(i), {}};
    }
    std::vector<Edit<kAxes>> comings() const {
        std::vector<Edit<kAxes>> edits;
        for (std::size_t i = 0; i < scene_.size(); ++i) {
            edits.push_back(Edit<kAxes>::insert(static_cast<Id>(i), agent(i)));
        }
        return edits;
    }
    static bool has_cells(Crowd<kAxes>& crowd) { return crowd.reserve(10).ok(); }

    scenes::Scene<kAxes> scene_ =
        test::with_giants<kAxes>(400, [](std::size_t i) { return i % 50 == 7; });
};
TYPED_TEST_SUITE(FirstCells, test::Dims, test::DimNames);

TYPED_TEST(FirstCells, AreThoseOfAnUpdateIfAListBringsAll) {
    constexpr std::size_t kDim = TypeParam::value;
    test::CrowdTruth<kDim> truth;
    ASSERT_EQ(truth.crowd.configure({}, this->kKind), Status{});
    ASSERT_EQ(truth.oracle.configure(this->kKind), Status{});
    ASSERT_EQ(truth.apply(this->comings()), Status{});
    ASSERT_NO_FATAL_FAILURE(truth.check_all(test::Questions<kDim>(this->scene_, 2)));
    Crowd<kDim> updated;
    ASSERT_EQ(updated.update(this->scene_.agents()), Status{});
    EXPECT_EQ(truth.crowd.grid().shape(), updated.grid().shape());
    EXPECT_EQ(truth.crowd.size(Sets::giants), updated.size(Sets::giants));
}

TYPED_TEST(FirstCells, AreFittedAgainByAnUpdate) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool bounds : {false, true}) {
        CrowdSettings<kDim> settings;
        if (bounds) { settings.bounds = this->scene_.world; }
        settings.periodic[0] = bounds;
        test::CrowdTruth<kDim> truth;
        ASSERT_EQ(truth.crowd.configure(settings, this->kKind), Status{});
        std::vector<Handle> handles(this->scene_.size());
        for (std::size_t i = 0; i < handles.size(); ++i) {
            ASSERT_EQ(truth.crowd.add(this->agent(i), handles[i]), Status{});
            ASSERT_EQ(truth.crowd.check(handles[i]), Status{});
            if (i == 0) { ASSERT_TRUE(this->has_cells(truth.crowd)); }
        }
        ASSERT_STREQ(truth.crowd.validate(), nullptr);
        if (!bounds) { EXPECT_GT(truth.crowd.cell_stats().company, 5.0); }
        ASSERT_EQ(truth.crowd.update(this->scene_.agents()), Status{});
        EXPECT_LT(truth.crowd.cell_stats().company, 5.0);
        for (const Handle& handle : handles) {
            ASSERT_EQ(truth.crowd.check(handle), Status{});
        }
        // Where refits are off, the cells of the first agent stay.
        settings.refits = false;
        Crowd<kDim> keeps;
        ASSERT_EQ(keeps.configure(settings, this->kKind), Status{});
        ASSERT_EQ(keeps.add(this->agent(0), handles[0]), Status{});
        const GridShape<kDim> first = keeps.grid().shape();
        auto one = scenes::Scene<kDim>{};
        one.add(this->scene_.position_of(1), this->scene_.half_extent_of(1));
        ASSERT_EQ(keeps.update(one.agents()), Status{});
        EXPECT_EQ(keeps.grid().shape(), first);
    }
}

TYPED_TEST(FirstCells, ComeWithEveryCallThatBringsAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    const std::vector<Edit<kDim>> edits = this->comings();
    std::vector<Agent<kDim>> agents;
    for (std::size_t i = 0; i < this->scene_.size(); ++i) {
        agents.push_back(this->agent(i));
    }
    std::vector<Handle> handles(agents.size());
    Crowd<kDim> listed, added, inserted, stepped;
    for (Crowd<kDim>* crowd : {&listed, &added, &inserted, &stepped}) {
        ASSERT_EQ(crowd->configure({}, this->kKind), Status{});
        auto walls = scenes::make<kDim>("mixed_sizes", 30);
        ASSERT_EQ(crowd->set_statics(walls.agents()), Status{});
    }
    ASSERT_EQ(listed.edit(edits), Status{});
    ASSERT_EQ(added.add(agents, handles), Status{});
    ASSERT_EQ(inserted.insert(0, agents[0]), Status{});
    CrowdChange<kDim> change;
    Status status = change.edit(stepped, edits);
    while (status.ok() && change.blocks() != 0) {
        change.run(0, change.blocks());
        status = change.next();
    }
    ASSERT_EQ(status, Status{});
    for (Crowd<kDim>* crowd : {&listed, &added, &inserted, &stepped}) {
        EXPECT_TRUE(this->has_cells(*crowd));
        EXPECT_STREQ(crowd->validate(), nullptr);
        EXPECT_EQ(crowd->size(), crowd == &inserted ? 1u : agents.size());
        EXPECT_EQ(crowd->size(Sets::statics), 30u);
    }
    EXPECT_EQ(added.grid().shape(), listed.grid().shape());
    EXPECT_EQ(stepped.grid().shape(), listed.grid().shape());
    EXPECT_EQ(added.check(handles.back()), Status{});
}

TYPED_TEST(FirstCells, AreSavedBeforeAnUpdateComparesThem) {
    constexpr std::size_t kDim = TypeParam::value;
    Crowd<kDim> crowd, loaded;
    ASSERT_EQ(crowd.configure({}, this->kKind), Status{});
    ASSERT_EQ(crowd.insert(0, this->agent(0)), Status{});
    std::vector<std::byte> bytes, again;
    ASSERT_EQ(save(crowd, bytes), Status{});
    ASSERT_EQ(load(loaded, std::span<const std::byte>(bytes)), Status{});
    for (Crowd<kDim>* one : {&crowd, &loaded}) {
        ASSERT_EQ(one->update(this->scene_.agents()), Status{});
    }
    EXPECT_EQ(loaded.grid().shape(), crowd.grid().shape());
    EXPECT_LT(loaded.cell_stats().company, 5.0);
    ASSERT_EQ(save(crowd, bytes), Status{});
    ASSERT_EQ(save(loaded, again), Status{});
    EXPECT_EQ(again == bytes, true);
}

TYPED_TEST(FirstCells, AreNotLaidByWhatIsRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure({}, this->kKind), Status{});
    Agent<kDim> lost = this->agent(0), flat = lost;
    lost.position[0] = std::numeric_limits<float>::quiet_NaN();
    flat.half_extent.reset();
    Handle handle;
    EXPECT_EQ(crowd.insert(0, lost), (Status{Cause::not_finite, Argument::positions}));
    EXPECT_EQ(crowd.add(flat, handle), (Status{Cause::missing, Argument::half_extents}));
    std::vector<Edit<kDim>> edits = this->comings();
    edits[9].agent = lost;
    EXPECT_EQ(crowd.edit(edits), (Status{Cause::not_finite, Argument::edits, 9}));
    edits = {Edit<kDim>::insert(3, flat)};
    EXPECT_EQ(crowd.edit(edits), (Status{Cause::missing, Argument::edits, 0}));
    edits = {Edit<kDim>::erase(3), Edit<kDim>::insert(3, this->agent(3))};
    EXPECT_EQ(crowd.edit(edits), (Status{Cause::id_unknown, Argument::edits, 0}));
    EXPECT_FALSE(this->has_cells(crowd));
    EXPECT_EQ(crowd.size(), 0u);
}

/// An update without agents says what kind the next ones are, as in a crowd with cells.
TYPED_TEST(FirstCells, AreForTheKindOfAnUpdateWithoutAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    Agents<kDim> masked, sized, wrong;
    const std::uint32_t mask = 0;
    masked.groups = {&mask, sizeof(mask), 0};
    sized.common_half_extent = Point<kDim>::all(0.5f);
    wrong.common_half_extent = Point<kDim>::all(-0.5f);
    const Agent<kDim> monk{this->agent(0).position, {}, 2u};
    const auto check = [&](auto& crowd, const auto& insert, const auto& kind) {
        ASSERT_EQ(crowd.configure({}, this->kKind), Status{});
        ASSERT_EQ(crowd.set_statics(this->scene_.agents()), Status{});
        ASSERT_EQ(crowd.update(sized), Status{});
        EXPECT_EQ(kind(), (CrowdKind<kDim>{false, false, sized.common_half_extent}));
        EXPECT_EQ(crowd.update(wrong), (Status{Cause::negative, Argument::half_extents}));
        EXPECT_EQ(kind(), (CrowdKind<kDim>{false, false, sized.common_half_extent}));
        ASSERT_EQ(crowd.update(masked), Status{});
        EXPECT_EQ(kind(), (CrowdKind<kDim>{false, true, {}}));
        EXPECT_EQ(insert(this->agent(0)).cause, Cause::not_stored);
        ASSERT_EQ(insert(monk), Status{});
        EXPECT_EQ(kind(), (CrowdKind<kDim>{false, true, {}}));
    };
    Crowd<kDim> crowd;
    ASSERT_NO_FATAL_FAILURE(check(
        crowd, [&](const Agent<kDim>& agent) { return crowd.insert(7, agent); },
        [&] { return crowd.kind(); }));
    EXPECT_EQ(crowd.size(Sets::statics), this->scene_.size());
    EXPECT_STREQ(crowd.validate(), nullptr);
    PublishedCrowd<kDim> frames;
    const auto insert = [&](const Agent<kDim>& agent) {
        const Edit<kDim> edits[] = {Edit<kDim>::insert(7, agent)};
        return frames.edit(edits);
    };
    ASSERT_NO_FATAL_FAILURE(check(frames, insert, [&] { return frames.acquire()->kind(); }));
    EXPECT_EQ(frames.acquire()->size(Sets::statics), this->scene_.size());
    EXPECT_STREQ(frames.acquire()->validate(), nullptr);
}

TYPED_TEST(FirstCells, LackOfMemoryLaysNone) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::AllocationsFail somewhere;
    const auto make = [&] {
        Crowd<kDim> crowd;
        EXPECT_EQ(crowd.configure({}, this->kKind), Status{});
        return crowd;
    };
    const std::vector<Edit<kDim>> edits = this->comings();
    const auto say = [](const Crowd<kDim>& crowd) {
        return std::pair(crowd.size(), crowd.grid().shape());
    };
    test::fail_each_allocation(
        make, [&](Crowd<kDim>& crowd) { return crowd.edit(edits); }, say);
    Handle handle;
    test::fail_each_allocation(
        make, [&](Crowd<kDim>& crowd) { return crowd.add(this->agent(1), handle); }, say);
}

} // namespace
} // namespace throng
