// What is special about the static tree: how it packs, what validate() sees, holes and who waits.
#include "../../family/questions.hpp"
#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/executors.hpp"
#include "../../support/random.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/static_tree/edited_tree.hpp>
#include <throng/engine/static_tree/static_tree.hpp>

#include <functional>
#include <limits>
#include <numeric>

namespace throng {
namespace {

template <class Dimension>
class StaticTreeTest : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Dimension::value;
    using Index = StaticTree<kAxes>;

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
TYPED_TEST_SUITE(StaticTreeTest, test::Dims, test::DimNames);

TYPED_TEST(StaticTreeTest, IsTheSameInWhateverOrderBlocksRun) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("clustered", 70'000);
    StaticTree<kDim> serial;
    ASSERT_EQ(serial.update(scene.agents()), Status{});
    ASSERT_STREQ(serial.validate(), nullptr);
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        StaticTree<kDim> shuffled;
        test::ShuffleExecutor executor(seed);
        ASSERT_EQ(shuffled.update(scene.agents(), executor), Status{});
        ASSERT_EQ(this->order_of(shuffled), this->order_of(serial));
        ASSERT_EQ(this->covers_of(shuffled), this->covers_of(serial));
    }
}

TYPED_TEST(StaticTreeTest, ABrokenExecutorChangesNothingOrPacksAll) {
    constexpr std::size_t kDim = TypeParam::value;
    auto before = scenes::make<kDim>("uniform", 500);
    auto after = scenes::make<kDim>("clustered", 40'000);
    StaticTree<kDim> whole;
    ASSERT_EQ(whole.update(after.agents()), Status{});
    using test::Fault;
    for (const Fault fault : test::kEveryFault) {
        for (std::size_t run = 0;; ++run) {
            SCOPED_TRACE(testing::Message()
                         << "fault " << static_cast<int>(fault) << " in " << run);
            StaticTree<kDim> index;
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

TYPED_TEST(StaticTreeTest, HoldsCrowdsThatDoNotFillTheirLeaves) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t count : {1u, 2u, 15u, 16u, 17u, 255u, 256u, 257u, 4095u, 4096u, 4100u}) {
        SCOPED_TRACE(count);
        auto scene = scenes::make_uniform<kDim>(count);
        StaticTree<kDim> index;
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
TYPED_TEST(StaticTreeTest, TakesNodesWhole) {
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
        StaticTree<kDim> index;
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

TYPED_TEST(StaticTreeTest, HandsOverRunsOfAnyLength) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(3000);
    StaticTree<kDim> index;
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
double leaf_width(const StaticTree<Dim>& index) {
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

TYPED_TEST(StaticTreeTest, OneFarAwayDoesNotSpoilTheOrderOfTheOthers) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(20'000);
    StaticTree<kDim> index;
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

TYPED_TEST(StaticTreeTest, GiantsKeepToThemselves) {
    constexpr std::size_t kDim = TypeParam::value;
    auto small = scenes::make_uniform<kDim>(16'000);
    scenes::Scene<kDim> scene = small;
    for (std::size_t i = 0; i < small.size(); ++i) {
        for (std::size_t a = 0; a < kDim; ++a) {
            scene.half_extent[a].push_back(i % 200 == 0 ? 60.0f : 0.25f);
        }
    }
    StaticTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    ASSERT_STREQ(index.validate(), nullptr);
    std::size_t wide = 0;
    index.visit_cells([&](const IndexCell<kDim>& cell) {
        wide += cell.count != 0 && cell.box.hi[0] - cell.box.lo[0] >= 120.0f ? 1 : 0;
        return true;
    });
    EXPECT_LE(wide, 80u / 16 + 1);
}

TYPED_TEST(StaticTreeTest, AgentsInOnePlaceArePackedAsTheyCome) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    for (int i = 0; i < 5000; ++i) {
        scene.add(Point<kDim>::all(7.0f));
    }
    scene.common_half_extent = Point<kDim>::all(0.5f);
    StaticTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents()), Status{});
    ASSERT_STREQ(index.validate(), nullptr);
    test::Ids all(scene.size());
    std::iota(all.begin(), all.end(), Id{0});
    ASSERT_EQ(test::visited(index, Box<kDim>::at(Point<kDim>::all(7.5f))), all);
    ASSERT_EQ(index.count(Box<kDim>::at(Point<kDim>::all(7.6f))).count, 0u);
}

TYPED_TEST(StaticTreeTest, PacksAnewWhenTooManyWaitOrAreGone) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(8000);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    const TreeLayout packed = tree.store().layout;
    ASSERT_EQ(packed.packed, 8000u);
    const Agent<kDim> agent{Point<kDim>::all(5.0f), {}, {}};
    for (Id id = 0; id < packed.waiting_room(); ++id) {
        ASSERT_EQ(tree.insert(8000 + id, agent), Status{});
    }
    EXPECT_EQ(tree.store().layout, packed);
    EXPECT_EQ(tree.store().waiting, packed.waiting_room());
    ASSERT_STREQ(tree.validate(), nullptr);
    ASSERT_EQ(tree.insert(7'999 + 2 * packed.waiting_room(), agent), Status{});
    EXPECT_EQ(tree.store().layout.packed, 8000 + packed.waiting_room());
    EXPECT_EQ(tree.store().waiting, 1u);
    ASSERT_STREQ(tree.validate(), nullptr);

    const std::uint32_t before = tree.store().layout.packed;
    for (Id id = 0; id < before / 8; ++id) {
        ASSERT_EQ(tree.erase(id), Status{});
    }
    EXPECT_EQ(tree.store().dead, before / 8);
    EXPECT_EQ(tree.store().layout.packed, before);
    ASSERT_STREQ(tree.validate(), nullptr);
    ASSERT_EQ(tree.erase(before / 8), Status{});
    EXPECT_EQ(tree.store().dead, 0u);
    EXPECT_EQ(tree.store().waiting, 0u);
    EXPECT_EQ(tree.store().layout.packed, before + 1 - before / 8 - 1);
    ASSERT_STREQ(tree.validate(), nullptr);
}

TYPED_TEST(StaticTreeTest, WhoStaysInItsLeafStaysInItsPlace) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(1000);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    for (Id id = 0; id < 1000; ++id) {
        ASSERT_EQ(tree.move(id, scene.position_of(id)), Status{});
    }
    EXPECT_EQ(tree.store().waiting, 0u);
    EXPECT_EQ(tree.store().dead, 0u);
    ASSERT_EQ(tree.move(3, Point<kDim>::all(1e6f)), Status{});
    EXPECT_EQ(tree.store().waiting, 1u);
    EXPECT_EQ(tree.store().dead, 1u);
    // And from where it waits it does not leave another hole.
    ASSERT_EQ(tree.move(3, Point<kDim>::all(-1e6f)), Status{});
    EXPECT_EQ(tree.store().waiting, 1u);
    EXPECT_EQ(tree.store().dead, 1u);
    ASSERT_STREQ(tree.validate(), nullptr);
}

TYPED_TEST(StaticTreeTest, HolesStayWhereThereIsNoMemoryToPackAnew) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(4000);
    EditedTree<kDim> tree;
    ASSERT_EQ(tree.update(scene.agents(), serial_executor()), Status{});
    ASSERT_EQ(tree.erase(0), Status{});
    tree.release_staging();
    {
        const test::FailingAllocations failing(0, true);
        for (Id id = 1; id < 2000; ++id) {
            ASSERT_EQ(tree.erase(id), Status{});
        }
        ASSERT_TRUE(failing.failed());
    }
    EXPECT_EQ(tree.store().dead, 2000u);
    ASSERT_STREQ(tree.validate(), nullptr);
    ASSERT_EQ(tree.erase(2000), Status{});
    EXPECT_EQ(tree.store().dead, 0u);
    ASSERT_STREQ(tree.validate(), nullptr);
}

TYPED_TEST(StaticTreeTest, ValidateSeesPlantedFaults) {
    constexpr std::size_t kDim = TypeParam::value;
    using Store = TreeStore<kDim>;
    using Fields = simd::Fields<kDim>;
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    const auto shrink = [](Store& store, std::uint32_t level, std::uint32_t n) {
        float* const lo = store.node(level, n / 16) + n % 16;
        *lo = (lo[0] + lo[kDim * 16]) * 0.5f;
    };
    const std::vector<std::function<void(Store&)>> faults = {
        [&](Store& store) { store.put_position(20, Point<kDim>::all(1e7f)); },
        [&](Store& store) { shrink(store, 0, 3); },
        [&](Store& store) { shrink(store, 1, 2); },
        [&](Store& store) { *store.word(5, Fields::kId) = store.id(6); },
        [&](Store& store) { *store.word(5, Fields::kId) = 1'000'000; },
        [&](Store& store) { *store.word(5, Fields::kId) = kNoId; },
        [&](Store& store) { std::swap(*store.word(5, Fields::kId), *store.word(6, Fields::kId)); },
        [&](Store& store) { store.put_position(5, Point<kDim>::all(nan)); },
        [&](Store& store) { *store.word(5, Fields::kHalfExtent) = 0xBF80'0000u; },
        [&](Store& store) { store.bury(5); },
        [&](Store& store) { ++store.dead; },
        [&](Store& store) { ++store.waiting; },
        [&](Store& store) { --store.waiting; },
        [&](Store& store) { store.waiting = store.layout.waiting_room() + 1; },
        [&](Store& store) { --store.layout.packed; },
        [&](Store& store) { ++store.layout.count[1]; },
        [&](Store& store) { --store.layout.levels; },
        [&](Store& store) { *store.word(store.layout.packed, Fields::kId) = 7; },
        [&](Store& store) { store.put_position(store.layout.packed, Point<kDim>::all(1.0f)); },
        [&](Store& store) { store.put_position(0, Point<kDim>::all(1.0f)); }, // a hole
        [&](Store& store) {
            store.put_position(store.layout.first_waiting() + store.waiting,
                               Point<kDim>::all(1.0f));
        },
        [&](Store& store) { store.set_cover(store.layout.leaves(), {}); },
        [&](Store& store) { store.set_cover(store.layout.first_waiting() / 16 + 9, {}); },
        [&](Store& store) { store.empty_cover(store.layout.first_waiting() / 16); },
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
        ASSERT_EQ(tree.insert(first, {Point<kDim>::all(3.0f), Point<kDim>::all(0.25f), {}}),
                  Status{});
        ASSERT_STREQ(tree.validate(), nullptr);
        faults[f](tree.exposed_store());
        ASSERT_STRNE(tree.validate(), nullptr);
    }
}

TYPED_TEST(StaticTreeTest, RefusesBoundsThatAreNone) {
    constexpr std::size_t kDim = TypeParam::value;
    StaticTree<kDim> index;
    const auto at = [](float x) { return Point<kDim>::all(x); };
    EXPECT_EQ(index.configure({at(0.0f), at(1.0f)}), Status{});
    EXPECT_EQ(index.configure({at(1.0f), at(0.0f)}), (Status{Cause::inverted, Argument::bounds}));
    EXPECT_EQ(index.configure({at(0.0f), at(2e18f)}), (Status{Cause::too_large, Argument::bounds}));
    EXPECT_EQ(index.configure({at(0.0f), at(1.0f)}, {false, false, at(-1.0f)}),
              (Status{Cause::negative, Argument::half_extents}));
}

} // namespace
} // namespace throng
