// Which agents of a periodic crowd look across its borders, and from where.
#include "../../support/dims.hpp"

#include <throng/engine/crowd/asker_copies.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace throng::test {
namespace {

constexpr float kSide = 32.0f;

/// From 0 to kSide on each axis, periodic on all but the second. One agent is small, and one is a
/// giant with half extents of 3.
template <class Dim>
class AskerCopiesOf : public testing::Test {
protected:
    static constexpr std::size_t kDim = Dim::value;

    AskerCopiesOf() {
        CrowdSettings<kDim> settings;
        settings.bounds = Box<kDim>{{}, Point<kDim>::all(kSide)};
        settings.periodic.fill(true);
        settings.periodic[1] = false;
        EXPECT_EQ(crowd_.configure(settings), Status{});
        const std::vector<Point<kDim>> at(100, Point<kDim>::all(5.0f));
        std::vector<Point<kDim>> half(100, Point<kDim>::all(0.125f));
        half[0] = Point<kDim>::all(3.0f);
        Agents<kDim> agents;
        agents.positions = view(at);
        agents.half_extents = view(half);
        EXPECT_EQ(crowd_.update(agents), Status{});
        EXPECT_EQ(crowd_.size(Sets::giants), 1u);
    }
    static PointView<kDim> view(const std::vector<Point<kDim>>& of) {
        return PointView<kDim>::interleaved(of[0].axis.data(), of.size());
    }

    Crowd<kDim> crowd_;
};
TYPED_TEST_SUITE(AskerCopiesOf, Dims, DimNames);

TYPED_TEST(AskerCopiesOf, AreOfAgentsWithinReachOfABorder) {
    const auto copies = asker_copies(this->crowd_, {2.0f});
    ASSERT_EQ(copies.status, Status{});
    for (std::size_t a = 0; a < TestFixture::kDim; ++a) {
        if (a == 1) {
            EXPECT_EQ(copies.value.low[a], -std::numeric_limits<float>::infinity());
            EXPECT_EQ(copies.value.high[a], std::numeric_limits<float>::infinity());
            EXPECT_EQ(copies.value.period[a], 0.0f);
        } else {
            EXPECT_GE(copies.value.low[a], 2.0f);
            EXPECT_LT(copies.value.low[a], 2.125f);
            EXPECT_LE(copies.value.high[a], kSide - 2.0f);
            EXPECT_GT(copies.value.high[a], kSide - 2.125f);
            EXPECT_EQ(copies.value.period[a], kSide);
        }
    }
    // From body to body: two giants may be 6 farther apart.
    for (const Body body : {Body::box, Body::disc}) {
        const auto of_bodies = asker_copies(this->crowd_, {2.0f, false, kAllGroups, false, body});
        ASSERT_EQ(of_bodies.status, Status{});
        EXPECT_GE(of_bodies.value.low[0], 8.0f);
        EXPECT_LT(of_bodies.value.low[0], 8.125f);
    }
}

TYPED_TEST(AskerCopiesOf, AreRefusedInSmallWorlds) {
    const auto said = [&](const Neighbourhood& asked) {
        return asker_copies(this->crowd_, asked).status;
    };
    const Status wraps = {Cause::wraps, Argument::radius};
    EXPECT_EQ(said({kSide / 2.0f}), wraps);
    EXPECT_EQ(said({15.5f}), Status{});
    EXPECT_EQ(said({10.0f, false, kAllGroups, false, Body::box}), wraps);
    EXPECT_EQ(said({10.0f, false, kAllGroups, false, Body::disc}), wraps);
    EXPECT_EQ(said({9.5f, false, kAllGroups, false, Body::box}), Status{});
    EXPECT_EQ(said({std::numeric_limits<float>::quiet_NaN()}).argument, Argument::radius);
    EXPECT_EQ(said({-1.0f}).argument, Argument::radius);
}

TYPED_TEST(AskerCopiesOf, AreNoneInAWorldWithBorders) {
    Crowd<TestFixture::kDim> plain;
    const auto copies = asker_copies(plain, {1e17f});
    ASSERT_EQ(copies.status, Status{});
    for (std::size_t a = 0; a < TestFixture::kDim; ++a) {
        EXPECT_EQ(copies.value.low[a], -std::numeric_limits<float>::infinity());
        EXPECT_EQ(copies.value.high[a], std::numeric_limits<float>::infinity());
    }
}

} // namespace
} // namespace throng::test
