// What is special about the tree: how it packs and mends itself, and what validate() sees.
#include "../../family/questions.hpp"
#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/executors.hpp"
#include "../../support/random.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/loose_tree/edited_tree.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace throng {
namespace {

template <class Dimension>
class LooseTreeTest : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Dimension::value;
    using Index = LooseTree<kAxes>;

    static scenes::Scene<kAxes> mixed(std::size_t count) {
        return scenes::make<kAxes>("mixed_sizes", count, scenes::Groups::masks);
    }
    static Box<kAxes> everywhere() {
        return {Point<kAxes>::all(-kLargest), Point<kAxes>::all(kLargest)};
    }
    static test::Ids order_of(const Index& index) { return test::visited(index, everywhere()); }

    static std::vector<Box<kAxes>> covers_of(const Index& index) {
        std::vector<Box<kAxes>> covers;
        index.visit_cells([&](const IndexCell<kAxes>& cell) {
            covers.push_back(cell.box);
            return true;
        });
        return covers;
    }
};
TYPED_TEST_SUITE(LooseTreeTest, test::Dims, test::DimNames);

TYPED_TEST(LooseTreeTest, IsTheSameInWhateverOrderBlocksRun) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("clustered", 70'000);
    LooseTree<kDim> serial;
    ASSERT_EQ(serial.update(scene.agents()), Status{});
    ASSERT_STREQ(serial.validate(), nullptr);
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        LooseTree<kDim> shuffled;
        test::ShuffleExecutor executor(seed);
        ASSERT_EQ(shuffled.update(scene.agents(), executor), Status{});
        ASSERT_EQ(this->order_of(shuffled), this->order_of(serial));
        ASSERT_EQ(this->covers_of(shuffled), this->covers_of(serial));
    }
}

TYPED_TEST(LooseTreeTest, IsTheSameToTheBitForEveryNumberOfThreads) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t count : {0u, 1u, 700u, 20'000u, 70'001u}) {
        for (const char* const name : {"mixed_sizes", "clustered"}) {
            SCOPED_TRACE(testing::Message() << count << " of " << name);
            auto scene = scenes::make<kDim>(name, count, scenes::Groups::masks);
            LooseTree<kDim> serial;
            ASSERT_EQ(serial.update(scene.agents()), Status{});
            std::vector<std::byte> bytes;
            ASSERT_EQ(save(serial, bytes), Status{});
            const auto expect_same = [&](Executor& executor) {
                LooseTree<kDim> index;
                ASSERT_EQ(index.update(scene.agents(), executor), Status{});
                ASSERT_STREQ(index.validate(), nullptr);
                std::vector<std::byte> other;
                ASSERT_EQ(save(index, other), Status{});
                ASSERT_TRUE(other == bytes);
            };
            for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
                SCOPED_TRACE(testing::Message() << threads << " threads");
                test::EagerPool eager(threads);
                expect_same(eager);
                ThreadPool pool(threads);
                expect_same(pool);
            }
            // More threads than there are blocks in a crowd of this size.
            for (const std::size_t threads : {5u, 1'000u}) {
                test::BoastingExecutor boasting(threads);
                expect_same(boasting);
            }
        }
    }
}

// Each of 1,025 places is a bucket of its own, and what is left over would be one more.
TEST(LooseTreePlane, ManyThreadsDoNotMakeMoreBucketsThanThereMayBe) {
    constexpr std::size_t kEach = 512, kPlaces = 41 * 25, kCount = kEach * kPlaces + 300;
    scenes::Scene<2> scene;
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t place = std::min(i / kEach, kPlaces);
        scene.add({static_cast<float>(place % 41), static_cast<float>(place / 41)});
    }
    LooseTree<2> serial, cut;
    ASSERT_EQ(serial.update(scene.agents()), Status{});
    test::BoastingExecutor boasting(256);
    ASSERT_EQ(cut.update(scene.agents(), boasting), Status{});
    ASSERT_STREQ(cut.validate(), nullptr);
    std::vector<std::byte> bytes, other;
    ASSERT_EQ(save(serial, bytes), Status{});
    ASSERT_EQ(save(cut, other), Status{});
    EXPECT_TRUE(other == bytes);
}

TYPED_TEST(LooseTreeTest, TheSignOfAZeroDoesNotTellHowItWasPacked) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 9'000);
    for (std::size_t i = 0; i < 9'000; ++i) {
        for (std::size_t a = 0; a < kDim; ++a) {
            // The lowest positions are zeros of both signs, in all blocks.
            scene.position[a][i] = i % 7 == 3 ? (i / 7 % 2 != 0 ? -0.0f : 0.0f)
                                              : std::abs(scene.position[a][i]) + 1.0f;
        }
    }
    std::vector<std::byte> bytes, other;
    LooseTree<kDim> serial, cut;
    ASSERT_EQ(serial.update(scene.agents()), Status{});
    test::BoastingExecutor boasting(8);
    ASSERT_EQ(cut.update(scene.agents(), boasting), Status{});
    ASSERT_EQ(save(serial, bytes), Status{});
    ASSERT_EQ(save(cut, other), Status{});
    EXPECT_TRUE(other == bytes);
}

TYPED_TEST(LooseTreeTest, TwentyThousandAgentsAreWorthSeveralBlocks) {
    constexpr std::size_t kDim = TypeParam::value;
    /// Counts the jobs that it is given.
    class Counting final : public Executor {
    public:
        void run(std::size_t blocks, Body body) override {
            most = std::max(most, blocks);
            serial_executor().run(blocks, body);
        }
        [[nodiscard]] std::size_t threads() const noexcept override { return 4; }
        std::size_t most = 0;
    };
    auto scene = scenes::make<kDim>("uniform", 20'000);
    Counting counting;
    LooseTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents(), counting), Status{});
    EXPECT_GE(counting.most, 4u);
}

TYPED_TEST(LooseTreeTest, ABrokenExecutorChangesNothingOrPacksAll) {
    constexpr std::size_t kDim = TypeParam::value;
    auto before = scenes::make<kDim>("uniform", 500);
    auto after = scenes::make<kDim>("clustered", 40'000);
    LooseTree<kDim> whole;
    ASSERT_EQ(whole.update(after.agents()), Status{});
    using test::Fault;
    for (const Fault fault : test::kEveryFault) {
        for (std::size_t run = 0;; ++run) {
            SCOPED_TRACE(testing::Message()
                         << "fault " << static_cast<int>(fault) << " in " << run);
            LooseTree<kDim> index;
            ASSERT_EQ(index.update(before.agents()), Status{});
            const test::Ids order = this->order_of(index);
            test::FaultyExecutor executor(fault, run);
            bool refused = false;
            try {
                refused = !index.update(after.agents(), executor).ok();
            } catch (const test::ExecutorError&) { refused = true; }
            ASSERT_STREQ(index.validate(), nullptr);
            ASSERT_EQ(this->order_of(index), refused ? order : this->order_of(whole));
            if (!executor.failed()) {
                ASSERT_GE(run, 4u);
                break;
            }
        }
    }
}

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
        ASSERT_EQ(test::in_order(this->order_of(index)), all);
        ASSERT_EQ(index.count(this->everywhere()).count, count);
    }
}

/// Questions of all sizes, so that leaves and nodes are taken whole, with holes in them, and by
/// groups.
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
    const test::Ids all = this->order_of(index);
    for (const std::size_t most : {0u, 1u, 7u, 16u, 33u, 1000u, 5000u}) {
        test::Ids ids;
        (void)index.visit(
            this->everywhere(),
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

/// Edits of one kind after another, each tenth validated; all agents are found at the end.
template <std::size_t Dim, class Edit>
void edit_all(EditedTree<Dim>& tree, std::size_t edits, const Edit& edit) {
    for (std::size_t i = 0; i < edits; ++i) {
        ASSERT_EQ(edit(i), Status{});
        if (i % 97 == 0) { ASSERT_STREQ(tree.validate(), nullptr) << i; }
    }
    ASSERT_STREQ(tree.validate(), nullptr);
}

TYPED_TEST(LooseTreeTest, GrowsFromNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    EditedTree<kDim> tree;
    tree.restart({true, true, {}});
    scenes::Random random(5);
    const auto agent = [&] {
        Agent<kDim> one{{}, Point<kDim>::all(random.between(0.0f, 0.4f)), random.below(16)};
        for (std::size_t a = 0; a < kDim; ++a) {
            one.position[a] = random.between(-50.0f, 50.0f);
        }
        return one;
    };
    edit_all(tree, 3000,
             [&](std::size_t i) { return tree.insert(static_cast<Id>(3000 - i), agent()); });
    EXPECT_EQ(tree.size(), 3000u);
    edit_all(tree, 3000, [&](std::size_t i) { return tree.erase(static_cast<Id>(i + 1)); });
    EXPECT_EQ(tree.size(), 0u);
    EXPECT_EQ(tree.store().layout, TreeLayout{});
    edit_all(tree, 300, [&](std::size_t i) { return tree.insert(static_cast<Id>(i), agent()); });
}

TYPED_TEST(LooseTreeTest, ANewcomerMovesFewPages) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(30'000);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    const TreeStore<kDim>& store = tree.store();
    const auto ids = [&] {
        std::vector<test::Ids> of_page(store.begun);
        store.for_each_page([&](std::uint32_t page) {
            store.for_each_slot_of(
                page, [&](std::uint32_t slot) { of_page[page].push_back(store.id(slot)); });
        });
        return of_page;
    };
    const std::vector<test::Ids> before = ids();
    // One page is parted, again and again; the others stay where they are.
    const Point<kDim> place = scene.position_of(17);
    for (Id id = 30'000; id < 30'200; ++id) {
        ASSERT_EQ(tree.insert(id, {place, {}, {}}), Status{});
    }
    ASSERT_STREQ(tree.validate(), nullptr);
    const std::vector<test::Ids> after = ids();
    std::size_t same = 0;
    for (std::size_t page = 0; page < before.size(); ++page) {
        same += before[page] == after[page] ? 1 : 0;
    }
    EXPECT_GE(same, before.size() - 3);
    EXPECT_GT(after.size(), before.size());
}

TYPED_TEST(LooseTreeTest, PagesAreMendedAndThenAllIsPackedAnew) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(20'000);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    const TreeStore<kDim>& store = tree.store();
    const auto newcomers = [&] {
        std::size_t sum = 0;
        store.for_each_page([&](std::uint32_t page) { sum += store.newcomers.data()[page]; });
        return sum;
    };
    scenes::Random random(8);
    const auto jump = [&](Id id, float part) {
        Point<kDim> to;
        for (std::size_t a = 0; a < kDim; ++a) {
            const float side = scene.world.hi[a] - scene.world.lo[a];
            to[a] = scene.world.lo[a] + random.between(0.0f, part * side);
        }
        return tree.move(id, to);
    };
    // Many go to one corner: the pages there are packed anew on the way, and count from zero.
    for (Id id = 0; id < 9'000; ++id) {
        ASSERT_EQ(jump(id, 0.1f), Status{});
    }
    ASSERT_STREQ(tree.validate(), nullptr);
    EXPECT_LT(newcomers(), 6'000u);
    EXPECT_GT(store.used, TreeLayout::pages_for(20'000) + 1);
    // Once as many have come as there are, everything is packed anew.
    for (Id id = 0; newcomers() >= 10; ++id) {
        ASSERT_LT(id, 20'000u) << "not all were packed anew";
        ASSERT_EQ(jump(id, 1.0f), Status{});
    }
    EXPECT_LE(store.used, TreeLayout::pages_for(20'000) + 1);
    ASSERT_STREQ(tree.validate(), nullptr);
}

TYPED_TEST(LooseTreeTest, IsPackedAnewForAgentsFromOutside) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(4'000);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    ASSERT_TRUE(tree.store().is_astray(Point<kDim>::all(1e4f)));
    for (Id id = 0; id < 1'200; ++id) {
        Point<kDim> to = scene.position_of(id);
        to[0] += 1e4f;
        ASSERT_EQ(tree.move(id, to), Status{});
    }
    EXPECT_FALSE(tree.store().is_astray(Point<kDim>::all(1e4f)));
    ASSERT_STREQ(tree.validate(), nullptr);
}

/// Each agent comes before all others on the curve, so that no page begins early enough for it.
TYPED_TEST(LooseTreeTest, GrowsTowardsTheBeginningOfTheCurve) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(12'000);
    LooseTree<kDim> whole;
    ASSERT_EQ(whole.update(scene.agents()), Status{});
    const test::Ids order = this->order_of(whole);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    for (std::size_t i = 0; i < 9'000; ++i) {
        ASSERT_EQ(tree.erase(order[i]), Status{});
    }
    for (std::size_t i = 9'000; i-- > 0;) {
        ASSERT_EQ(tree.insert(order[i], {scene.position_of(order[i]), {}, {}}), Status{});
        if (i % 97 == 0) { ASSERT_STREQ(tree.validate(), nullptr) << i; }
    }
    ASSERT_STREQ(tree.validate(), nullptr);
    std::size_t falls = 0;
    std::uint32_t before = 0;
    tree.store().for_each_page([&](std::uint32_t page) {
        const std::uint32_t key = tree.store().first_key.data()[page];
        falls += key < before ? 1 : 0;
        before = key;
    });
    EXPECT_EQ(falls, 0u) << "pages that begin before the page in front of them";
}

TYPED_TEST(LooseTreeTest, PagesWithFewAgentsAreJoined) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(50'000);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    ASSERT_EQ(tree.move(0, Point<kDim>::all(0.0f)), Status{}); // makes room for edits
    scenes::Random random(6);
    test::Ids ids(50'000);
    std::iota(ids.begin(), ids.end(), Id{0});
    for (std::size_t i = ids.size(); i > 1; --i) {
        std::swap(ids[i - 1], ids[random.below(static_cast<std::uint32_t>(i))]);
    }
    for (std::size_t i = 0; i < 49'500; ++i) {
        ASSERT_EQ(tree.erase(ids[i]), Status{});
        if (i % 997 == 0) { ASSERT_STREQ(tree.validate(), nullptr); }
    }
    ASSERT_STREQ(tree.validate(), nullptr);
    EXPECT_LE(tree.store().used, 20u);
    EXPECT_LE(tree.store().layout.places(), 80u);
}

TYPED_TEST(LooseTreeTest, AnAgentThatStaysInItsLeafKeepsItsPlace) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(1000);
    LooseTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    const test::Ids order = this->order_of(index);
    for (Id id = 0; id < 1000; ++id) {
        ASSERT_EQ(index.move(id, scene.position_of(id)), Status{});
    }
    EXPECT_EQ(this->order_of(index), order);
    ASSERT_EQ(index.move(3, Point<kDim>::all(1e6f)), Status{});
    EXPECT_NE(this->order_of(index), order);
    ASSERT_STREQ(index.validate(), nullptr);
}

TYPED_TEST(LooseTreeTest, ErasesWithoutMemory) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(4000);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    ASSERT_EQ(tree.erase(0), Status{});
    tree.release_staging();
    {
        const test::FailingAllocations failing(0, true);
        for (Id id = 1; id < 3900; ++id) {
            ASSERT_EQ(tree.erase(id), Status{});
        }
        ASSERT_FALSE(failing.failed());
    }
    EXPECT_EQ(tree.size(), 100u);
    ASSERT_STREQ(tree.validate(), nullptr);
}

TYPED_TEST(LooseTreeTest, ValidateSeesPlantedFaults) {
    constexpr std::size_t kDim = TypeParam::value;
    using Store = TreeStore<kDim>;
    using Fields = simd::Fields<kDim>;
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    const auto shrink = [](float* node, std::uint32_t c) {
        node[c] = (node[c] + node[kDim * 16 + c]) * 0.5f;
    };
    const std::vector<std::function<void(Store&)>> faults = {
        [&](Store& store) { store.put_position(20, Point<kDim>::all(1e7f)); },
        [&](Store& store) { shrink(store.page_node(0), 3); },
        [&](Store& store) { shrink(store.node(1, 0), 2); },
        [&](Store& store) { --store.page_node(1)[2]; }, // wider than need be
        [&](Store& store) { --store.node(1, 0)[1]; },
        [&](Store& store) { ++store.total(1, 2); },
        [&](Store& store) { *store.word(5, Fields::kId) = store.id(6); },
        [&](Store& store) { *store.word(5, Fields::kId) = 1'000'000; },
        [&](Store& store) { *store.word(5, Fields::kId) = kNoId; },
        [&](Store& store) { std::swap(*store.word(5, Fields::kId), *store.word(6, Fields::kId)); },
        [&](Store& store) { store.put_position(5, Point<kDim>::all(nan)); },
        [&](Store& store) { *store.word(5, Fields::kHalfExtent) = 0xBF80'0000u; },
        [&](Store& store) { store.bury(5); },
        [&](Store& store) { --*store.in_leaf(2); },
        [&](Store& store) { ++*store.in_leaf(15); },
        [&](Store& store) { *store.in_leaf(1) = 17; },
        [&](Store& store) { ++store.used; },
        [&](Store& store) { ++store.begun; },
        [&](Store& store) { store.free = 1; },
        [&](Store& store) { store.page_of.data()[1] = 2; },
        [&](Store& store) { store.page_of.data()[1] = simd::kNoPage; },
        [&](Store& store) { store.page_of.data()[1] = 1000; },
        [&](Store& store) { ++store.place_of.data()[0]; },
        [&](Store& store) { store.first_key.data()[0] = kNoKey; },
        [&](Store& store) { ++store.key(1, 1); },
        [&](Store& store) { ++store.layout.count[1]; },
        [&](Store& store) { --store.layout.levels; },
        [&](Store& store) {
            // Behind the last agent of the last page.
            const std::uint32_t last = store.begun - 1;
            *store.word(last * 256 + store.in_page(last), Fields::kId) = 7;
        },
        [&](Store& store) {
            const std::uint32_t last = store.begun - 1;
            store.put_position(last * 256 + store.in_page(last), Point<kDim>::all(1.0f));
        },
        [&](Store& store) { store.max_half_extent[0] = 0.01f; },
        [&](Store& store) { store.disc[kDim - 1] = 0.0f; },
    };
    for (std::size_t f = 0; f < faults.size(); ++f) {
        SCOPED_TRACE(testing::Message() << "fault " << f);
        auto scene = scenes::make_uniform<kDim>(1001);
        for (std::size_t a = 0; a < kDim; ++a) {
            scene.half_extent[a].assign(scene.size(), a == 0 ? 0.5f : 0.25f);
        }
        EditedTree<kDim> tree;
        ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
        const Id first = tree.store().id(0);
        ASSERT_EQ(tree.erase(first), Status{});
        ASSERT_EQ(tree.insert(first, {scene.position_of(first), Point<kDim>::all(0.25f), {}}),
                  Status{});
        ASSERT_STREQ(tree.validate(), nullptr);
        faults[f](tree.exposed_store());
        ASSERT_STRNE(tree.validate(), nullptr);
    }
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
                ASSERT_EQ(index.count(this->everywhere()).count, count);
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
        // Nothing but agents that go, so that no call makes room for others.
        const Id id = random.below(20'000);
        ASSERT_EQ(index.erase(id), loaded.erase(id));
    }
    ASSERT_STREQ(loaded.validate(), nullptr);
    EXPECT_EQ(this->order_of(loaded), this->order_of(index));
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
    EXPECT_EQ(loaded.count(this->everywhere()).count, 600u);
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
