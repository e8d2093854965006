// Special to the loose tree: its nodes, its cleanup, and the cost of the worst inputs.
#include "../../family/indexes.hpp"
#include "../../family/questions.hpp"
#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/family/loose_tree/state.hpp>

#include <functional>
#include <limits>

namespace throng {

/// Plants them.
struct LooseTreeFaults {
    template <std::size_t Dim>
    static detail::StateOf<LooseTree<Dim>>& state(LooseTree<Dim>& tree) {
        return detail::state_of(tree);
    }
};

namespace {

template <class Dim>
class LooseTreeTest : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Dim::value;
    using Index = LooseTree<kAxes>;

    LooseTreeTest() { EXPECT_EQ(tree.configure(world()), Status{}); }

    static Box<kAxes> world() { return {Point<kAxes>::all(0.0f), Point<kAxes>::all(64.0f)}; }

    Point<kAxes> somewhere(float size = 64.0f) {
        Point<kAxes> point;
        for (float& x : point.axis) {
            x = random.between(0.0f, size);
        }
        return point;
    }
    /// `count` agents, half a unit wide or of the half extent `half`.
    scenes::Scene<kAxes> crowd(std::size_t count, const std::function<float()>& half = {}) {
        scenes::Scene<kAxes> scene;
        scene.common_half_extent = Point<kAxes>::all(0.25f);
        for (std::size_t i = 0; i < count; ++i) {
            if (half) {
                scene.add(somewhere(), Point<kAxes>::all(half()));
            } else {
                scene.add(somewhere());
            }
        }
        return scene;
    }
    struct Shown {
        std::size_t cells = 0, agents = 0, deepest = 0;
    };
    Shown shown() const {
        Shown all;
        tree.visit_cells([&](const IndexCell<kAxes>& cell) {
            ++all.cells;
            all.agents += cell.count;
            all.deepest = std::max<std::size_t>(all.deepest, cell.depth);
            return true;
        });
        return all;
    }

    scenes::Random random{5};
    Index tree;
    test::Truth<kAxes> truth;
};
TYPED_TEST_SUITE(LooseTreeTest, test::Dims, test::DimNames);

TYPED_TEST(LooseTreeTest, SplitsNoDeeperThanItIsTold) {
    using Tree = typename TestFixture::Index;
    auto scene = this->crowd(100);
    for (int i = 0; i < 100; ++i) {
        scene.add(Point<TypeParam::value>::all(7.0f));
    }
    for (const unsigned deepest : {Tree::kShallowest, 11u, Tree::kDeepest}) {
        ASSERT_EQ(this->tree.configure(this->world(), {}, deepest), Status{});
        ASSERT_EQ(this->tree.update(scene.agents()), Status{});
        ASSERT_STREQ(this->tree.validate(), nullptr);
        EXPECT_EQ(this->shown().deepest, deepest);
        EXPECT_EQ(this->shown().agents, 200u);
    }
    for (const unsigned wrong : {Tree::kShallowest - 1, Tree::kDeepest + 1}) {
        EXPECT_EQ(this->tree.configure(this->world(), {}, wrong),
                  (Status{Cause::out_of_range, Argument::range}));
    }
    EXPECT_EQ(this->tree.size(), 200u);
}

TYPED_TEST(LooseTreeTest, RefusesBoundsThatAreNone) {
    auto box = this->world();
    box.hi[1] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(this->tree.configure(box), (Status{Cause::not_finite, Argument::bounds}));
    box.hi[1] = -1.0f;
    EXPECT_EQ(this->tree.configure(box), (Status{Cause::inverted, Argument::bounds, 1}));
    // A point is one: all are in its first square, and still found.
    box.hi = box.lo;
    EXPECT_EQ(this->tree.configure(box), Status{});
    auto scene = this->crowd(200);
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    ASSERT_EQ(this->truth.update(scene.agents()), Status{});
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_EQ(test::pairs_of(this->tree), test::pairs_of(this->truth));
}

TYPED_TEST(LooseTreeTest, TakesItsKindFromConfigure) {
    CrowdKind<TypeParam::value> kind;
    kind.common_half_extent[0] = -1.0f;
    EXPECT_EQ(this->tree.configure(this->world(), kind),
              (Status{Cause::negative, Argument::half_extents}));
    kind.own_half_extents = true; // then the common extent is neither read nor kept
    EXPECT_EQ(this->tree.configure(this->world(), kind), Status{});
    EXPECT_EQ(this->tree.kind().common_half_extent, Point<TypeParam::value>{});
}

/// Into few leaves, which are split, and out of many.
TYPED_TEST(LooseTreeTest, AllAgentsMoveOneByOne) {
    auto scene = this->crowd(4000);
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    ASSERT_EQ(this->truth.update(scene.agents()), Status{});
    for (const float size : {2.0f, 64.0f, 0.01f, 100.0f}) {
        for (Id id = 0; id < 4000; ++id) {
            const auto to = this->somewhere(size);
            ASSERT_EQ(this->tree.move(id, to), Status{});
            ASSERT_EQ(this->truth.move(id, to), Status{});
        }
        ASSERT_STREQ(this->tree.validate(), nullptr);
        this->tree.cleanup();
        ASSERT_STREQ(this->tree.validate(), nullptr);
        if (size > 1.0f) { ASSERT_EQ(test::pairs_of(this->tree), test::pairs_of(this->truth)); }
    }
}

/// Inserted one by one, or all at once: the same nodes.
TYPED_TEST(LooseTreeTest, GrowsTheTreeThatUpdateBuilds) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = this->crowd(3000);
    CrowdKind<kDim> kind;
    kind.common_half_extent = scene.common_half_extent;
    ASSERT_EQ(this->tree.configure(this->world(), kind), Status{});
    for (std::size_t i = 0; i < scene.size(); ++i) {
        ASSERT_EQ(this->tree.insert(static_cast<Id>(i), {scene.position_of(i), {}, {}}), Status{});
    }
    ASSERT_STREQ(this->tree.validate(), nullptr);
    const auto grown = this->shown();
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_EQ(this->shown().cells, grown.cells);
    EXPECT_EQ(this->shown().deepest, grown.deepest);
}

TYPED_TEST(LooseTreeTest, CleanupCollapsesOneLevelACall) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = this->crowd(2000);
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    const auto full = this->shown();
    ASSERT_GE(full.deepest, 2u);
    for (Id id = 0; id < 2000; ++id) {
        ASSERT_EQ(this->tree.erase(id), Status{});
    }
    EXPECT_EQ(this->shown().cells, full.cells); // deferred
    for (std::size_t depth = full.deepest; depth-- > 0;) {
        this->tree.cleanup();
        ASSERT_STREQ(this->tree.validate(), nullptr);
        EXPECT_EQ(this->shown().deepest, depth);
    }
    EXPECT_EQ(this->shown().cells, 1u);
    // Nothing is left of their covers either.
    EXPECT_EQ(test::visited(this->tree,
                            Box<kDim>{Point<kDim>::all(-kLargest), Point<kDim>::all(kLargest)}),
              test::Ids{});
}

TYPED_TEST(LooseTreeTest, CleanupFitsCoversAgain) {
    constexpr std::size_t kDim = TypeParam::value;
    auto& state = LooseTreeFaults::state(this->tree);
    auto scene = this->crowd(1000, [] { return 0.25f; });
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    const Box<kDim> before = state.blocks[0].cover(0);
    // A giant comes, walks about and goes.
    ASSERT_EQ(this->tree.insert(5000, {this->somewhere(), Point<kDim>::all(100.0f), {}}), Status{});
    for (int i = 0; i < 50; ++i) {
        ASSERT_EQ(this->tree.move(5000, this->somewhere()), Status{});
        ASSERT_STREQ(this->tree.validate(), nullptr);
    }
    ASSERT_EQ(this->tree.erase(5000), Status{});
    EXPECT_NE(state.blocks[0].cover(0), before);
    this->tree.cleanup();
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_EQ(state.blocks[0].cover(0), before);
    EXPECT_EQ(state.blocks[0].changed, 0);
    for (std::uint32_t b = 0; b < state.blocks.bound(); ++b) {
        EXPECT_TRUE(state.blocks.is_free(b) || state.blocks[b].changed == 0);
    }
}

/// More leaves reach into each other than the search keeps at a time.
TYPED_TEST(LooseTreeTest, GiantsAmongManyAndAmongThemselves) {
    auto scene = this->crowd(3000, [&] {
        const std::uint32_t pick = this->random.below(100);
        return pick == 0 ? 60.0f : pick < 3 ? 5.0f : 0.2f;
    });
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    ASSERT_EQ(this->truth.update(scene.agents()), Status{});
    EXPECT_EQ(test::pairs_of(this->tree), test::pairs_of(this->truth));
    auto giants = this->crowd(300, [&] { return this->random.between(20.0f, 60.0f); });
    scenes::add_groups(giants);
    ASSERT_EQ(this->tree.update(giants.agents()), Status{});
    ASSERT_EQ(this->truth.update(giants.agents()), Status{});
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_EQ(test::pairs_of(this->tree), test::pairs_of(this->truth));
    EXPECT_EQ(test::pairs_of(this->tree, 5u), test::pairs_of(this->truth, 5u));
}

/// In one leaf are more buckets than fit a call of the kernel, and beside it are others.
TYPED_TEST(LooseTreeTest, PairsOfLongChains) {
    auto scene = this->crowd(100);
    for (int i = 0; i < 1500; ++i) {
        scene.add(Point<TypeParam::value>::all(i % 3 == 0 ? 31.99f : 32.01f));
    }
    ASSERT_EQ(this->tree.configure(this->world(), {}, 8), Status{});
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    ASSERT_EQ(this->truth.update(scene.agents()), Status{});
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_EQ(test::pairs_of(this->tree), test::pairs_of(this->truth));
}

TYPED_TEST(LooseTreeTest, StopsWhenTheVisitorOfPairsHasEnough) {
    auto scene = this->crowd(500, [] { return 20.0f; });
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    for (std::size_t most = 1; most < 5; ++most) {
        std::size_t runs = 0, pairs = 0;
        const Found found =
            this->tree.visit_pairs([&](std::span<const Id> first, std::span<const Id>) {
                pairs += first.size();
                return ++runs < most;
            });
        EXPECT_EQ(runs, most);
        EXPECT_EQ(found.count, pairs);
    }
}

/// One more agent than a leaf holds comes and goes, with and without cleanups.
TYPED_TEST(LooseTreeTest, ComingAndGoingNeitherSlowsNorGrows) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = this->crowd(kMostInLeaf<TypeParam::value>);
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    const Agent<kDim> guest{Point<kDim>::all(63.0f), {}, {}};
    for (int round = 0; round < 2; ++round) {
        ASSERT_EQ(this->tree.insert(kMostInLeaf<TypeParam::value>, guest), Status{});
        ASSERT_EQ(this->tree.erase(kMostInLeaf<TypeParam::value>), Status{});
        this->tree.cleanup();
    }
    const std::size_t memory = this->tree.memory().total();
    const auto nodes = this->shown();
    for (int round = 0; round < 100'000; ++round) {
        ASSERT_EQ(this->tree.insert(kMostInLeaf<TypeParam::value>, guest), Status{});
        ASSERT_EQ(this->tree.erase(kMostInLeaf<TypeParam::value>), Status{});
        if (round % 4 == 0) { this->tree.cleanup(); }
    }
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_EQ(this->tree.memory().total(), memory);
    EXPECT_EQ(this->shown().cells, nodes.cells); // nothing was split or merged
}

/// They end in one leaf, as deep as may be, of full buckets.
TYPED_TEST(LooseTreeTest, TakesAMillionCoincidentAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kMany = kDim == 2 ? 1'000'000 : 100'000;
    scenes::Scene<kDim> scene;
    for (std::size_t i = 0; i < kMany; ++i) {
        scene.add(Point<kDim>::all(13.0f));
    }
    ASSERT_EQ(this->tree.update(scene.agents()), Status{});
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_EQ(this->shown().cells, 1 + (std::size_t{1} << kDim) * LooseTree<kDim>::kDeepest);
    // Their words, their bucket's, 4 for the id, and a sixteenth to spare.
    EXPECT_LE(this->tree.memory().index(), kMany * (4 * (kDim + 1) + 5) * 17 / 16 + 65536);
    for (Id id = 0; id < 100'000; ++id) {
        ASSERT_EQ(this->tree.erase(id), Status{});
        ASSERT_EQ(this->tree.insert(id, {Point<kDim>::all(13.0f), {}, {}}), Status{});
    }
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_LE(this->tree.memory().index(), kMany * (4 * (kDim + 1) + 5) * 17 / 16 + 65536);
    EXPECT_EQ(this->tree.count(Box<kDim>::at(Point<kDim>::all(13.0f))).count, kMany);
}

/// Agents that walk, come and go, as in a game.
TYPED_TEST(LooseTreeTest, StaysTheSameSizeOverManyFrames) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = this->crowd(2000);
    const auto frame = [&] {
        for (auto& axis : scene.position) {
            for (float& x : axis) {
                x = std::clamp(x + this->random.between(-1.0f, 1.0f), 0.0f, 64.0f);
            }
        }
        ASSERT_EQ(this->tree.update(scene.agents()), Status{});
        for (Id id = 0; id < 100; ++id) {
            ASSERT_EQ(this->tree.erase(id), Status{});
            ASSERT_EQ(this->tree.insert(id, {this->somewhere(), {}, {}}), Status{});
            ASSERT_EQ(this->tree.move(id + 100, this->somewhere()), Status{});
        }
        this->tree.cleanup();
    };
    for (int i = 0; i < 100; ++i) {
        ASSERT_NO_FATAL_FAILURE(frame());
    }
    const std::size_t before = this->tree.memory().total();
    const std::size_t allocations = test::allocations();
    for (int i = 0; i < 200; ++i) {
        ASSERT_NO_FATAL_FAILURE(frame());
    }
    EXPECT_LE(this->tree.memory().total(), before + before / 20);
    // Only a frame with more leaves than any before allocates.
    EXPECT_LE(test::allocations(), allocations + 8);
    ASSERT_STREQ(this->tree.validate(), nullptr);
    EXPECT_LE(this->tree.memory().index(), kDim == 2 ? 2000u * 60 : 2000u * 100);
}

TYPED_TEST(LooseTreeTest, ValidateFindsWhatIsPlanted) {
    auto scene = this->crowd(500);
    auto& state = LooseTreeFaults::state(this->tree);
    const auto leaf = [&] { return state.leaf_of(state.slot_of(7)); };
    const auto of_leaf = [&]() -> auto& { return state.block_of(leaf()); };
    const auto c = [&] { return leaf() % (1u << TypeParam::value); };
    const std::function<void()> faults[] = {
        [&] { ++state.count; },
        [&] { state.widest[1] = 0.2f; },
        [&] { state.blocks[0].parent = 3; },
        [&] { state.blocks[0].count[1] = 1; },
        [&] { ++of_leaf().count[c()]; },
        [&] { of_leaf().parent += 1; },
        [&] { ++of_leaf().depth; },
        [&] { of_leaf().hi[0][c()] -= 1.0f; },
        [&] { of_leaf().hi[0][c()] += 1.0f; },
        [&] { of_leaf().lo[1][c()] -= 1.0f; },
        [&] { of_leaf().changed = 1; },
        [&] { state.blocks[0].hi[0][0] += 1.0f; },
        [&] { std::swap(state.slot_of_id[3], state.slot_of_id[4]); },
        [&] { state.slot_of_id.push_back(0); },
        [&] { state.slot_of_id[3] = ~0u; },
        [&] { state.leaf_of_bucket[state.slot_of(7) / BucketStore<TypeParam::value>::kRoom] = 0; },
        [&] { state.store.set_position(state.slot_of(7), Point<TypeParam::value>::all(65.0f)); },
        [&] { state.store.set_position(state.slot_of(7), Point<TypeParam::value>::all(-1.0f)); },
        [&] { of_leaf().first[c()] = kNoBucket; },
        [&] { state.blocks.add(state.blocks[1]); },
        [&] { state.blocks.remove(1); },
        [&] {
            std::uint32_t head = kNoBucket;
            state.store.reserve(state.store.buckets() + 1);
            state.store.add(head, 7, {}, {}, 0);
        },
    };
    std::size_t number = 0;
    for (const auto& fault : faults) {
        SCOPED_TRACE(number++);
        ASSERT_EQ(this->tree.configure(this->world()), Status{});
        ASSERT_EQ(this->tree.update(scene.agents()), Status{});
        ASSERT_STREQ(this->tree.validate(), nullptr);
        fault();
        EXPECT_NE(this->tree.validate(), nullptr);
    }
}

} // namespace
} // namespace throng
