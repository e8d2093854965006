// Single edits of a loose tree: how pages are split, joined and packed anew, and what validate()
// finds.
#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/visited.hpp"

#include <throng/engine/loose_tree/edited_tree.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace throng {
namespace {

template <class Dim>
class LooseTreeEdits : public testing::Test {};
TYPED_TEST_SUITE(LooseTreeEdits, test::Dims, test::DimNames);

/// Edits of one kind one after another, with the tree validated after each 97th and at the end.
template <std::size_t Dim, class Edit>
void edit_all(EditedTree<Dim>& tree, std::size_t edits, const Edit& edit) {
    for (std::size_t i = 0; i < edits; ++i) {
        ASSERT_EQ(edit(i), Status{});
        if (i % 97 == 0) { ASSERT_STREQ(tree.validate(), nullptr) << i; }
    }
    ASSERT_STREQ(tree.validate(), nullptr);
}

TYPED_TEST(LooseTreeEdits, GrowsFromNothing) {
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

TYPED_TEST(LooseTreeEdits, ANewcomerMovesFewPages) {
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
    // One page is split, again and again; the others stay where they are.
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

TYPED_TEST(LooseTreeEdits, PagesAreMendedAndThenAllIsPackedAnew) {
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
    // Many agents go to one corner: meanwhile the pages there are packed anew, and count newcomers
    // from zero.
    for (Id id = 0; id < 9'000; ++id) {
        ASSERT_EQ(jump(id, 0.1f), Status{});
    }
    ASSERT_STREQ(tree.validate(), nullptr);
    EXPECT_LT(newcomers(), 6'000u);
    EXPECT_GT(store.used, TreeLayout::pages_for(20'000) + 1);
    // After as many newcomers as there are agents, everything is packed anew.
    for (Id id = 0; newcomers() >= 10; ++id) {
        ASSERT_LT(id, 20'000u) << "not all were packed anew";
        ASSERT_EQ(jump(id, 1.0f), Status{});
    }
    EXPECT_LE(store.used, TreeLayout::pages_for(20'000) + 1);
    ASSERT_STREQ(tree.validate(), nullptr);
}

TYPED_TEST(LooseTreeEdits, IsPackedAnewForAgentsFromOutside) {
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
TYPED_TEST(LooseTreeEdits, GrowsTowardsTheBeginningOfTheCurve) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(12'000);
    LooseTree<kDim> whole;
    ASSERT_EQ(whole.update(scene.agents()), Status{});
    const test::Ids order = test::all_ids<kDim>(whole);
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

TYPED_TEST(LooseTreeEdits, PagesWithFewAgentsAreJoined) {
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

TYPED_TEST(LooseTreeEdits, ErasesWithoutMemory) {
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

TYPED_TEST(LooseTreeEdits, ValidateSeesPlantedFaults) {
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
            // An id behind the last agent of the last page.
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
        faults[f](const_cast<TreeStore<kDim>&>(tree.store()));
        ASSERT_STRNE(tree.validate(), nullptr);
    }
}

} // namespace
} // namespace throng
