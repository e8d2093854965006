// What is special about the tree: how it packs, what it hands over, and that a loaded tree goes on
// as the saved one would.
#include "../../family/questions.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace throng {
namespace {

template <class Dim>
class LooseTreeTest : public testing::Test {};
TYPED_TEST_SUITE(LooseTreeTest, test::Dims, test::DimNames);

TYPED_TEST(LooseTreeTest, HoldsCrowdsThatDoNotFillTheirLeaves) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t count :
         {1u, 2u, 15u, 16u, 17u, 255u, 256u, 257u, 4095u, 4096u, 4100u, 65'537u}) {
        SCOPED_TRACE(count);
        auto scene = scenes::make_uniform<kDim>(count);
        LooseTree<kDim> index;
        ASSERT_EQ(index.update(scene.agents()), Status{});
        ASSERT_STREQ(index.validate(), nullptr);
        test::Ids all(count);
        std::iota(all.begin(), all.end(), Id{0});
        ASSERT_EQ(test::in_order(test::all_ids<kDim>(index)), all);
        ASSERT_EQ(index.count(test::everywhere<kDim>()).count, count);
    }
}

/// Questions of all sizes find leaves and nodes that are taken whole, also in trees with holes and
/// with group filters.
TYPED_TEST(LooseTreeTest, TakesNodesWhole) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool own : {false, true}) {
        auto scene = scenes::make_uniform<kDim>(12'000);
        scenes::add_groups(scene);
        scenes::Random random(3);
        if (own) {
            for (std::size_t a = 0; a < kDim; ++a) {
                for (std::size_t i = 0; i < scene.size(); ++i) {
                    scene.half_extent[a].push_back(random.between(0.0f, 0.5f));
                }
            }
        }
        LooseTree<kDim> index;
        test::Truth<kDim> truth;
        ASSERT_EQ(index.update(scene.agents()), Status{});
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        for (const bool holes : {false, true}) {
            for (Id id = 0; holes && id < scene.size(); id += 9) {
                ASSERT_EQ(index.erase(id), Status{});
                ASSERT_EQ(truth.erase(id), Status{});
            }
            ASSERT_STREQ(index.validate(), nullptr);
            const float side = scene.world.hi[0] - scene.world.lo[0];
            for (const float part : {0.02f, 0.1f, 0.3f, 0.6f, 2.0f}) {
                for (const Filter& filter : {Filter{}, Filter{0x3u, 17}, Filter{kAllGroups, 40}}) {
                    Point<kDim> centre;
                    for (std::size_t a = 0; a < kDim; ++a) {
                        centre[a] = random.between(scene.world.lo[a], scene.world.hi[a]);
                    }
                    const auto box = Box<kDim>::around(centre, Point<kDim>::all(part * side));
                    ASSERT_NO_FATAL_FAILURE(test::check_question(index, truth, box, filter));
                    const Ball<kDim> ball{centre, part * side};
                    ASSERT_NO_FATAL_FAILURE(test::check_question(index, truth, ball, filter));
                }
            }
        }
    }
}

TYPED_TEST(LooseTreeTest, HandsOverRunsOfAnyLength) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(3000);
    LooseTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    const test::Ids all = test::all_ids<kDim>(index);
    for (const std::size_t most : {0u, 1u, 7u, 16u, 33u, 1000u, 5000u}) {
        test::Ids ids;
        (void)index.visit(
            test::everywhere<kDim>(),
            [&](std::span<const Id> run) {
                EXPECT_LE(run.size(), std::max<std::size_t>(most, 1));
                ids.insert(ids.end(), run.begin(), run.end());
                return true;
            },
            {}, most);
        ASSERT_EQ(ids, all);
    }
}

/// The mean width of the leaves' boxes.
template <std::size_t Dim>
double leaf_width(const LooseTree<Dim>& index) {
    double sum = 0.0;
    std::size_t leaves = 0;
    index.visit_cells([&](const IndexCell<Dim>& cell) {
        if (cell.count != 0) {
            sum += std::min<double>(cell.box.hi[0] - cell.box.lo[0], 1e9);
            ++leaves;
        }
        return true;
    });
    return sum / static_cast<double>(leaves);
}

TYPED_TEST(LooseTreeTest, OneFarAwayDoesNotSpoilTheOrderOfTheOthers) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(20'000);
    LooseTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    const double width = leaf_width(index);
    scene.add(Point<kDim>::all(kLargest));
    scene.add(Point<kDim>::all(1e9f));
    scene.add(Point<kDim>::all(-1e5f));
    ASSERT_EQ(index.update(scene.agents()), Status{});
    ASSERT_STREQ(index.validate(), nullptr);
    // One of the leaves is as wide as the world.
    EXPECT_LT(leaf_width(index), 1.2 * width + 1e9 / 1000.0);
    std::size_t narrow = 0;
    index.visit_cells([&](const IndexCell<kDim>& cell) {
        narrow += cell.count != 0 && cell.box.hi[0] - cell.box.lo[0] < 3.0 * width ? 1 : 0;
        return true;
    });
    EXPECT_GT(narrow, 20'000u / 16 * 9 / 10);
}

TYPED_TEST(LooseTreeTest, GiantsKeepToThemselves) {
    constexpr std::size_t kDim = TypeParam::value;
    auto small = scenes::make_uniform<kDim>(16'000);
    scenes::Scene<kDim> scene = small;
    for (std::size_t i = 0; i < small.size(); ++i) {
        for (std::size_t a = 0; a < kDim; ++a) {
            scene.half_extent[a].push_back(i % 200 == 0 ? 60.0f : 0.25f);
        }
    }
    LooseTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    ASSERT_STREQ(index.validate(), nullptr);
    std::size_t wide = 0;
    index.visit_cells([&](const IndexCell<kDim>& cell) {
        wide += cell.count != 0 && cell.box.hi[0] - cell.box.lo[0] >= 120.0f ? 1 : 0;
        return true;
    });
    EXPECT_LE(wide, 80u / 16 + 1);
}

TYPED_TEST(LooseTreeTest, AgentsInOnePlaceArePackedAsTheyCome) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    for (int i = 0; i < 5000; ++i) {
        scene.add(Point<kDim>::all(7.0f));
    }
    scene.common_half_extent = Point<kDim>::all(0.5f);
    LooseTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    ASSERT_STREQ(index.validate(), nullptr);
    test::Ids all(scene.size());
    std::iota(all.begin(), all.end(), Id{0});
    ASSERT_EQ(test::visited(index, Box<kDim>::at(Point<kDim>::all(7.5f))), all);
    ASSERT_EQ(index.count(Box<kDim>::at(Point<kDim>::all(7.6f))).count, 0u);
}

TYPED_TEST(LooseTreeTest, AnAgentThatStaysInItsLeafKeepsItsPlace) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(1000);
    LooseTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    const test::Ids order = test::all_ids<kDim>(index);
    for (Id id = 0; id < 1000; ++id) {
        ASSERT_EQ(index.move(id, scene.position_of(id)), Status{});
    }
    EXPECT_EQ(test::all_ids<kDim>(index), order);
    ASSERT_EQ(index.move(3, Point<kDim>::all(1e6f)), Status{});
    EXPECT_NE(test::all_ids<kDim>(index), order);
    ASSERT_STREQ(index.validate(), nullptr);
}

TYPED_TEST(LooseTreeTest, TakesInAgentsOfAnotherKind) {
    constexpr std::size_t kDim = TypeParam::value;
    for (unsigned before = 0; before < 4; ++before) {
        for (unsigned after = 0; after < 4; ++after) {
            LooseTree<kDim> index;
            std::size_t count = 2560;
            for (const unsigned kind : {before, after}) {
                auto scene = scenes::make_uniform<kDim>(count);
                if ((kind & 1) != 0) { scenes::add_groups(scene); }
                for (std::size_t a = 0; (kind & 2) != 0 && a < kDim; ++a) {
                    scene.half_extent[a].assign(count, 0.25f);
                }
                ASSERT_EQ(index.update(scene.agents()), Status{});
                ASSERT_STREQ(index.validate(), nullptr);
                ASSERT_EQ(index.count(test::everywhere<kDim>()).count, count);
                count += 256; // a page more, with more or fewer words
            }
        }
    }
}

TYPED_TEST(LooseTreeTest, LivesOnAsItWouldWhenItIsLoaded) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(20'000);
    LooseTree<kDim> index, loaded;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    ASSERT_EQ(index.move(3, scene.position_of(7)), Status{});
    std::vector<std::byte> bytes, other;
    ASSERT_EQ(save(index, bytes), Status{});
    ASSERT_EQ(load(loaded, bytes), Status{});
    scenes::Random random(2);
    for (int i = 0; i < 60'000; ++i) {
        // Only erasures, so that no call makes room for new agents.
        const Id id = random.below(20'000);
        ASSERT_EQ(index.erase(id), loaded.erase(id));
    }
    ASSERT_STREQ(loaded.validate(), nullptr);
    EXPECT_EQ(test::all_ids<kDim>(loaded), test::all_ids<kDim>(index));
    ASSERT_EQ(save(index, bytes), Status{});
    ASSERT_EQ(save(loaded, other), Status{});
    EXPECT_EQ(other, bytes);
}

TYPED_TEST(LooseTreeTest, WithoutAgentsItIsSavedAndGrows) {
    constexpr std::size_t kDim = TypeParam::value;
    LooseTree<kDim> index, loaded;
    ASSERT_EQ(index.update({}), Status{});
    std::vector<std::byte> bytes;
    ASSERT_EQ(save(index, bytes), Status{});
    ASSERT_EQ(load(loaded, bytes), Status{});
    for (Id id = 0; id < 600; ++id) {
        const Agent<kDim> agent{Point<kDim>::all(static_cast<float>(id)), {}, {}};
        ASSERT_EQ(loaded.insert(id, agent), Status{});
    }
    ASSERT_STREQ(loaded.validate(), nullptr);
    EXPECT_EQ(loaded.count(test::everywhere<kDim>()).count, 600u);
}

/// Discs that stick out of their boxes, and discs that touch; on one thread and on several.
TYPED_TEST(LooseTreeTest, PairsDiscs) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto check = [](const LooseTree<kDim>& index, const test::Truth<kDim>& truth) {
        for (const std::uint32_t groups : {kAllGroups, 0x3u, 0u}) {
            const test::IdPairs wanted = test::pairs_of(truth, groups, Body::disc);
            ASSERT_EQ(test::pairs_of(index, groups, Body::disc), wanted);
            test::EagerPool pool(3);
            std::atomic<std::size_t> count = 0;
            const auto add = [&](std::span<const Id> first, auto) {
                count += first.size();
                return true;
            };
            ASSERT_EQ(index.visit_pairs(add, pool, groups, Body::disc).count, wanted.size());
            ASSERT_EQ(count, wanted.size());
        }
    };
    for (const auto name : scenes::names()) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<kDim>(name, 300, scenes::Groups::masks);
        for (const bool flat : {false, true}) {
            if (flat && !scene.half_extent[0].empty()) {
                for (std::size_t i = 0; i < scene.size(); ++i) {
                    scene.half_extent[1][i] *= i % 3 == 0 ? 0.0625f : 1.0f;
                }
            }
            if (flat) { scene.common_half_extent[1] *= 0.0625f; }
            LooseTree<kDim> index;
            test::Truth<kDim> truth;
            ASSERT_EQ(index.update(scene.agents()), Status{});
            ASSERT_EQ(truth.update(scene.agents()), Status{});
            ASSERT_NO_FATAL_FAILURE(check(index, truth));
        }
    }
    // A chain of discs with radii of 5, at steps of 6 and 8, so at distances of 10: they touch, or
    // not, by a hair.
    for (const float apart : {0.0f, 0x1p-9f}) { // so that all places are floats
        scenes::Scene<kDim> scene;
        scene.common_half_extent = Point<kDim>::all(0.25f);
        scene.common_half_extent[0] = 5.0f;
        for (std::size_t i = 0; i < 500; ++i) {
            Point<kDim> point{};
            point[0] = 6.0f * static_cast<float>(i);
            point[1] = (8.0f + apart) * static_cast<float>(i);
            scene.add(point);
        }
        LooseTree<kDim> index;
        ASSERT_EQ(index.update(scene.agents()), Status{});
        ASSERT_EQ(test::pairs_of(index, kAllGroups, Body::disc).size(), apart == 0.0f ? 499u : 0u);
        const auto never = [](auto, auto) { return true; };
        const Status refused{Cause::out_of_range, Argument::body};
        EXPECT_EQ(index.visit_pairs(never, kAllGroups, Body::centre).status, refused);
        EXPECT_EQ(index.visit_pairs(never, serial_executor(), 0u, Body::centre).status, refused);
    }
}

TYPED_TEST(LooseTreeTest, RefusesBoundsThatAreNone) {
    constexpr std::size_t kDim = TypeParam::value;
    LooseTree<kDim> index;
    const auto at = [](float x) { return Point<kDim>::all(x); };
    EXPECT_EQ(index.configure({at(0.0f), at(1.0f)}), Status{});
    EXPECT_EQ(index.configure({at(1.0f), at(0.0f)}), (Status{Cause::inverted, Argument::bounds}));
    EXPECT_EQ(index.configure({at(0.0f), at(2e18f)}), (Status{Cause::too_large, Argument::bounds}));
    EXPECT_EQ(index.configure({at(0.0f), at(1.0f)}, {false, false, at(-1.0f)}),
              (Status{Cause::negative, Argument::half_extents}));
}

} // namespace
} // namespace throng
