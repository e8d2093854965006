// Ghosts are the agents near the borders of a periodic world, each as often as it comes near.
#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/random.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/crowd/ghosts.hpp>
#include <throng/engine/grid/grid_parts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <vector>

namespace throng::test {
namespace {

constexpr float kSide = 32.0f;

template <class Dim>
class GhostsOf : public testing::Test {
protected:
    static constexpr std::size_t kDim = Dim::value;
    using Placed = std::vector<std::pair<Id, Point<kDim>>>;

    GhostsOf() {
        CrowdSettings<kDim> settings;
        settings.bounds = Box<kDim>{{}, Point<kDim>::all(kSide)};
        settings.periodic.fill(true);
        settings.periodic[1] = false;
        EXPECT_EQ(crowd_.configure(settings), Status{});
        scenes::Random random(9);
        for (std::size_t i = 0; i < 2'000; ++i) {
            for (std::size_t a = 0; a < kDim; ++a) {
                // Many agents are exactly as far from the border as asked.
                position_[a].push_back(0.25f * static_cast<float>(random.below(128)));
                half_[a].push_back(i % 100 == 3 ? 3.0f : 0.125f);
            }
        }
        update();
        EXPECT_GT(crowd_.size(Sets::giants), 0u);
    }
    [[nodiscard]] Agents<kDim> first(std::size_t count) const {
        Agents<kDim> agents;
        agents.positions = view(position_, count);
        agents.half_extents = view(half_, count);
        return agents;
    }
    void update() { EXPECT_EQ(crowd_.update(first(2'000)), Status{}); }
    static PointView<kDim> view(const std::array<std::vector<float>, kDim>& of, std::size_t count) {
        std::array<const float*, kDim> axes;
        for (std::size_t a = 0; a < kDim; ++a) {
            axes[a] = of[a].data();
        }
        return PointView<kDim>::separate(axes, count);
    }

    /// The ghosts of one set, by name and place.
    [[nodiscard]] Placed got(Sets set) const {
        Placed all;
        const auto grids = ghosts_.for_small(set);
        for (const NamedGrid<kDim>& named : grids.span().subspan(1)) {
            const GridParts<kDim> parts = named.grid->parts();
            std::vector<Id> ids(named.grid->size());
            std::vector<Point<kDim>> places(ids.size());
            (void)parts.order(0, parts.slices(), ids);
            (void)parts.positions(0, parts.slices(), places);
            for (std::size_t i = 0; i < ids.size(); ++i) {
                all.emplace_back(named.name_of(ids[i]), places[i]);
            }
        }
        return sorted(all);
    }
    [[nodiscard]] Placed wanted(Sets set, float reach) const {
        Placed all;
        for (Id id = 0; id < position_[0].size(); ++id) {
            if (!crowd_.contains(id, set)) { continue; }
            for (int copy = 1; copy < (kDim == 2 ? 3 : 9); ++copy) {
                Point<kDim> at;
                bool near = true;
                for (std::size_t a = 0; a < kDim; ++a) {
                    const int step = a == 1 ? 0 : a == 0 ? copy % 3 : copy / 3;
                    at[a] =
                        position_[a][id] + (step == 2 ? -kSide : kSide * static_cast<float>(step));
                    near = near && (step == 0 || (at[a] >= -reach && at[a] <= kSide + reach));
                }
                if (near) { all.emplace_back(id, at); }
            }
        }
        return sorted(all);
    }
    static Placed sorted(Placed all) {
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
            return std::tie(a.first, a.second.axis) < std::tie(b.first, b.second.axis);
        });
        return all;
    }

    std::array<std::vector<float>, kDim> position_, half_;
    Crowd<kDim> crowd_;
    Ghosts<kDim> ghosts_;
};
TYPED_TEST_SUITE(GhostsOf, Dims, DimNames);

TYPED_TEST(GhostsOf, AreWhereTheirAgentsComeNear) {
    EagerPool pool(3);
    for (const float reach : {0.5f, 2.0f, 15.0f}) {
        ASSERT_EQ(this->ghosts_.make(this->crowd_, {reach}, pool), Status{});
        std::size_t count = 0;
        for (const Sets set : {Sets::small, Sets::giants}) {
            const auto got = this->got(set);
            // A ghost a little too far away does no harm, so slack may add some.
            for (const auto& one : this->wanted(set, reach)) {
                ASSERT_TRUE(std::find(got.begin(), got.end(), one) != got.end()) << one.first;
            }
            const auto all = this->wanted(set, reach + 0.25f);
            for (const auto& one : got) {
                ASSERT_TRUE(std::find(all.begin(), all.end(), one) != all.end()) << one.first;
            }
            count += got.size();
        }
        EXPECT_EQ(this->ghosts_.size(), count);
    }
}

TYPED_TEST(GhostsOf, AreMadeAnewWhenTheCrowdOrTheQuestionChanges) {
    ASSERT_EQ(this->ghosts_.make(this->crowd_, {2.0f}), Status{});
    const auto first = this->got(Sets::small);
    const std::size_t before = allocations();
    ASSERT_EQ(this->ghosts_.make(this->crowd_, {2.0f}), Status{});
    EXPECT_EQ(allocations(), before);
    EXPECT_EQ(this->got(Sets::small), first);
    for (float& x : this->position_[0]) {
        x = x < 16.0f ? x + 16.0f : x - 16.0f;
    }
    this->update();
    ASSERT_EQ(this->ghosts_.make(this->crowd_, {2.0f}), Status{});
    EXPECT_NE(this->got(Sets::small), first);
    ASSERT_EQ(this->ghosts_.make(this->crowd_, {4.0f}), Status{});
    EXPECT_GT(this->got(Sets::small).size(), first.size());
    const auto met_by_giants = [&] {
        const auto grids = this->ghosts_.for_giants(Sets::giants);
        return grids.count == 2 ? grids.grid[1].grid->size() : 0;
    };
    const std::size_t whole = this->ghosts_.size(), giants = met_by_giants();
    ASSERT_EQ(this->ghosts_.make(this->crowd_, {4.0f, false, kAllGroups, true}), Status{});
    EXPECT_LT(this->ghosts_.size(), whole);
    EXPECT_LT(met_by_giants(), giants);
}

TYPED_TEST(GhostsOf, AreRefusedInSmallWorlds) {
    EXPECT_EQ(this->ghosts_.make(this->crowd_, {kSide / 2.0f}),
              (Status{Cause::wraps, Argument::radius}));
    EXPECT_EQ(this->ghosts_.make(this->crowd_, {14.0f, false, kAllGroups, false, Body::box}),
              (Status{Cause::wraps, Argument::radius}));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(this->ghosts_.make(this->crowd_, {nan}).argument, Argument::radius);
    EXPECT_EQ(this->ghosts_.for_small().count, 0u);
    ASSERT_EQ(this->ghosts_.make(this->crowd_, {1.0f}), Status{});
    EXPECT_EQ(this->ghosts_.for_small().count, 4u);
    EXPECT_EQ(this->ghosts_.for_giants(Sets::giants).count, 2u);
    // After a refusal there are none of before.
    for (const Neighbourhood& refused : {Neighbourhood{kSide}, Neighbourhood{nan}}) {
        ASSERT_EQ(this->ghosts_.make(this->crowd_, {1.0f}), Status{});
        EXPECT_FALSE(this->ghosts_.make(this->crowd_, refused).ok());
        EXPECT_EQ(this->ghosts_.for_small().count, 0u);
        EXPECT_EQ(this->ghosts_.size(), 0u);
    }
}

TYPED_TEST(GhostsOf, AreNoneAfterAFailure) {
    const AllocationsFail somewhere;
    using Made = Ghosts<TypeParam::value>;
    const Neighbourhood whole = {4.0f}, half = {4.0f, false, kAllGroups, true};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    ASSERT_EQ(this->crowd_.set_statics(this->first(100)), Status{});
    // Fresh ones, and such as have memory of fewer ghosts.
    for (const bool fresh : {true, false}) {
        for (const Neighbourhood& asked : {whole, half}) {
            const auto make = [&] {
                Made ghosts;
                if (fresh) { return ghosts; }
                EXPECT_EQ(ghosts.make(this->crowd_, {0.5f}), Status{});
                EXPECT_FALSE(ghosts.make(this->crowd_, {nan}).ok());
                return ghosts;
            };
            const auto call = [&](Made& ghosts) { return ghosts.make(this->crowd_, asked); };
            const auto say = [](const Made& ghosts) {
                return std::array{ghosts.size(), ghosts.for_small().count,
                                  ghosts.for_giants().count};
            };
            ASSERT_NO_FATAL_FAILURE(fail_each_allocation(make, call, say));
        }
    }
}

TYPED_TEST(GhostsOf, TakeNoMemoryInASteadyFrame) {
    std::size_t taken = 0, memory = 0;
    for (int frame = 0; frame < 12; ++frame) {
        for (float& x : this->position_[0]) {
            x = x < 16.0f ? x + 16.0f : x - 16.0f;
        }
        this->update();
        const std::size_t before = allocations();
        ASSERT_EQ(this->ghosts_.make(this->crowd_, {2.0f}), Status{});
        if (frame == 4) { memory = this->ghosts_.memory(); }
        if (frame > 4) { taken += allocations() - before; }
    }
    EXPECT_EQ(taken, 0u);
    EXPECT_EQ(this->ghosts_.memory(), memory);
}

/// More cells than a grid may have would be needed for a world and its ghosts.
TEST(GhostsOfVastGrids, LieInBorderCells) {
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{}, {{1e6f, 1.0f}}};
    settings.cell = Point<2>{{0.1f, 1.0f}};
    settings.periodic[0] = true;
    Crowd<2> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    const std::array<float, 4> positions = {1e5f, 0.5f, 9e5f, 0.5f};
    Agents<2> agents;
    agents.positions = PointView<2>::interleaved(positions.data(), 2);
    ASSERT_EQ(crowd.update(agents), Status{});
    Ghosts<2> ghosts;
    ASSERT_EQ(ghosts.make(crowd, {4e5f}), Status{});
    EXPECT_EQ(ghosts.size(), 2u);
}

} // namespace
} // namespace throng::test
