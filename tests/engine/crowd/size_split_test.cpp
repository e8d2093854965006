// The division of agents into giants and others, against a plain loop over all agents.
#include "../../support/dims.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/crowd/store/size_split.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace throng {
namespace {

template <class Constant>
class SizeSplits : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Constant::value;

    /// `count` agents of half extent 1/4.
    static scenes::Scene<kAxes> alike(std::size_t count) {
        scenes::Scene<kAxes> scene;
        for (std::size_t a = 0; a < kAxes; ++a) {
            scene.position[a].assign(count, 0.0f);
            scene.half_extent[a].assign(count, 0.25f);
        }
        return scene;
    }

    /// Compares with the definition; the agents `out` are left out.
    void check(scenes::Scene<kAxes>& scene, float largest, const std::vector<Id>& out = {}) {
        std::vector<Id> giants;
        std::vector<Point<kAxes>> others;
        for (Id i = 0; i < scene.size(); ++i) {
            if (std::binary_search(out.begin(), out.end(), i)) { continue; }
            const Point<kAxes> half = scene.half_extent_of(i);
            const bool small = std::all_of(half.axis.begin(), half.axis.end(),
                                           [&](float h) { return h >= 0.0f && h <= largest; });
            if (small) {
                others.push_back(half);
            } else {
                giants.push_back(i);
            }
        }
        test::ShuffleExecutor shuffle(2);
        for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&shuffle)}) {
            split_.begin(scene.size());
            executor->run(split_.blocks_of(scene.size()), [&](std::size_t block) {
                split_.look_at(scene.agents(), largest, {out}, block);
            });
            split_.join();
            ASSERT_TRUE(std::equal(giants.begin(), giants.end(), split_.giants().begin(),
                                   split_.giants().end()));
            const bool agree =
                !others.empty() && std::all_of(others.begin(), others.end(), [&](const auto& half) {
                    return half == others.front();
                });
            ASSERT_EQ(split_.common() != nullptr, agree);
            if (agree) { ASSERT_EQ(*split_.common(), others.front()); }
        }
    }

    SizeSplit<kAxes> split_;
};
TYPED_TEST_SUITE(SizeSplits, test::Dims, test::DimNames);

TYPED_TEST(SizeSplits, FindGiantsWhereverTheyAre) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t count : {0u, 1u, 2u, 127u, 128u, 129u, 16383u, 16384u, 16385u, 40000u}) {
        SCOPED_TRACE(count);
        auto scene = this->alike(count);
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f));
        for (const std::size_t i : {0u, 1u, 127u, 128u, 1023u, 16383u, 16384u, 39999u}) {
            if (i < count) { scene.half_extent[i % kDim][i] = 8.0f; }
        }
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f));
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f, {0, 1, 127, 16383}));
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 8.0f));
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 0.125f)); // all are giants
        scene.layout = scenes::Layout::backwards;
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f));
    }
}

TYPED_TEST(SizeSplits, SayWhetherOthersAgreeToTheBit) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t odd : {0u, 5u, 127u, 128u, 16383u, 16384u, 32768u, 39999u}) {
        SCOPED_TRACE(odd);
        auto scene = this->alike(40000);
        float& half = scene.half_extent[kDim - 1][odd];
        half = std::nextafter(0.25f, 1.0f);
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f));
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f, {static_cast<Id>(odd)}));
        half = 5.0f; // giants do not count
        ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f));
    }
    // All agents of one block have another size than the agents of all other blocks.
    auto scene = this->alike(40000);
    std::fill(scene.half_extent[0].begin() + 16384, scene.half_extent[0].begin() + 32768, 0.5f);
    ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f));
    // Both zeros are equal.
    for (auto& axis : scene.half_extent) {
        std::fill(axis.begin(), axis.end(), 0.0f);
        axis[77] = -0.0f;
    }
    ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f));
    ASSERT_NO_FATAL_FAILURE(this->check(scene, 0.0f));
}

TYPED_TEST(SizeSplits, TakeWhatIsNoExtentForALargeOne) {
    auto scene = this->alike(600);
    const float nonsense[] = {std::numeric_limits<float>::quiet_NaN(),
                              -std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity(),
                              -0.25f,
                              -1e-45f,
                              2e18f};
    for (std::size_t i = 0; i < std::size(nonsense); ++i) {
        scene.half_extent[i % TypeParam::value][50 * i + 13] = nonsense[i];
    }
    ASSERT_NO_FATAL_FAILURE(this->check(scene, 1.0f));
    ASSERT_NO_FATAL_FAILURE(this->check(scene, kLargest));
}

// Cells fit the common size, even if a few agents are giants.
TYPED_TEST(SizeSplits, FitCellsToTheCommonSize) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = this->alike(5000);
    EXPECT_EQ(typical_half_extent(scene.agents(), {}), Point<kDim>::all(0.25f));
    for (std::size_t i = 0; i < 5000; i += 50) {
        scene.half_extent[0][i] = 8.0f;
    }
    const Point<kDim> typical = typical_half_extent(scene.agents(), {});
    EXPECT_GE(typical[0], 0.25f);
    EXPECT_LE(typical[0], 0.5f);
    EXPECT_EQ(typical[1], 0.25f);
    auto none = this->alike(0);
    EXPECT_EQ(typical_half_extent(none.agents(), {}), Point<kDim>{});
}

} // namespace
} // namespace throng
