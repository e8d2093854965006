// What is special to the tight quadtree: its limits, its cleanup, its list of oversized agents, its
// memory.
#include "../../family/questions.hpp"
#include "../../support/allocation_counter.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scenes.hpp"

#include "../../../engine/family/tight_quadtree/state.hpp"

#include <throng/engine/agents/validation.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/family/tight_quadtree/tight_quadtree.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <new>
#include <string>
#include <vector>

namespace throng {

/// Reaches into a tree, to break it.
struct TightFaults {
    static auto& state(TightQuadtree& tree) { return detail::state_of(tree); }
};

namespace {

constexpr Point<2> kHalf = {{0.25f, 0.25f}};
constexpr CrowdKind<2> kPoints = {false, false, kHalf};
constexpr CrowdKind<2> kSizes = {true, false, {}};
constexpr Box<2> kSquare = {{{0.0f, 0.0f}}, {{64.0f, 64.0f}}};

Agent<2> at(float x, float y) { return {{{x, y}}, {}, {}}; }
Agent<2> large(float x, float y, float half) { return {{{x, y}}, Point<2>::all(half), {}}; }

struct Shown {
    std::size_t nodes = 0, leaves = 0, listed = 0;
    std::uint32_t deepest = 0, longest = 0;
};
Shown shown(const TightQuadtree& tree) {
    Shown all;
    tree.visit_cells([&](const IndexCell<2>& cell) {
        ++all.nodes;
        all.listed += cell.count;
        all.deepest = std::max(all.deepest, cell.depth);
        all.longest = std::max(all.longest, cell.count);
        return true;
    });
    return all;
}

TEST(TightQuadtree, RefusesSettingsThatMakeNoSense) {
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(kSquare, {8, 8}, kPoints), Status{});
    ASSERT_EQ(tree.insert(3, at(1.0f, 1.0f)), Status{});
    const auto cause = [&](const TightSettings& settings) {
        return tree.configure(kSquare, settings, kPoints).cause;
    };
    EXPECT_EQ(cause({0, 8}), Cause::out_of_range);
    EXPECT_EQ(cause({17, 8}), Cause::out_of_range);
    EXPECT_EQ(cause({8, 0}), Cause::out_of_range);
    EXPECT_EQ(tree.configure({kSquare.hi, kSquare.lo}, {}, kPoints).cause, Cause::inverted);
    EXPECT_EQ(tree.configure({{{std::nanf(""), 0.0f}}, kSquare.hi}, {}, kPoints).cause,
              Cause::not_finite);
    EXPECT_TRUE(tree.contains(3));
    EXPECT_EQ(cause({16, 1}), Cause::ok);
    EXPECT_FALSE(tree.contains(3));
}

TEST(TightQuadtree, SplitsAboveEightAndNotBefore) {
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(kSquare, {}, kPoints), Status{});
    for (Id id = 0; id < 8; ++id) {
        ASSERT_EQ(
            tree.insert(id, at(4.0f + 8.0f * static_cast<float>(id % 4), id < 4 ? 16.0f : 48.0f)),
            Status{});
        EXPECT_EQ(shown(tree).nodes, 1u);
    }
    ASSERT_EQ(tree.insert(8, at(60.0f, 60.0f)), Status{});
    EXPECT_EQ(shown(tree).nodes, 5u);
    EXPECT_STREQ(tree.validate(), nullptr);
}

TEST(TightQuadtree, CoincidentAgentsEndAtTheDepthLimit) {
    for (const unsigned depth : {1u, 8u, 16u}) {
        TightQuadtree tree;
        // All agents are in the middle of a cell at every depth, so each is in one leaf only.
        ASSERT_EQ(tree.configure(kSquare, {depth, 8}, {false, false, {}}), Status{});
        constexpr float kPlace = 64.0f / 65536.0f * 20001.5f;
        constexpr Id kAgents = 5000;
        for (Id id = 0; id < kAgents; ++id) {
            ASSERT_EQ(tree.insert(id, at(kPlace, kPlace)), Status{});
        }
        const Shown all = shown(tree);
        EXPECT_EQ(all.nodes, 1 + 4 * depth);
        EXPECT_EQ(all.deepest, depth);
        EXPECT_EQ(all.longest, kAgents);
        EXPECT_EQ(all.listed, kAgents);
        ASSERT_STREQ(tree.validate(), nullptr);
        // The leaf is longer than a tile of the pairs' kernel.
        std::uint64_t pairs = 0;
        (void)tree.visit_pairs([&](std::span<const Id> first, std::span<const Id>) {
            pairs += first.size();
            return true;
        });
        EXPECT_EQ(pairs, std::uint64_t{kAgents} * (kAgents - 1) / 2);
    }
}

TEST(TightQuadtree, CleanupCollapsesALevelACall) {
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(kSquare, {}, {false, false, {}}), Status{});
    for (Id id = 0; id < 9; ++id) {
        ASSERT_EQ(tree.insert(id, at(0.1f, 0.1f)), Status{});
    }
    ASSERT_EQ(shown(tree).deepest, 8u);
    for (Id id = 0; id < 9; ++id) {
        ASSERT_EQ(tree.erase(id), Status{});
    }
    for (std::uint32_t depth = 8; depth > 0; --depth) {
        EXPECT_EQ(shown(tree).deepest, depth);
        EXPECT_EQ(shown(tree).nodes, 1 + 4 * depth);
        tree.cleanup();
        ASSERT_STREQ(tree.validate(), nullptr);
    }
    EXPECT_EQ(shown(tree).nodes, 1u);
    // Blocks that were given back are taken again.
    const std::size_t memory = tree.memory().total();
    for (int round = 0; round < 100; ++round) {
        for (Id id = 0; id < 9; ++id) {
            ASSERT_EQ(tree.insert(id, at(0.1f + static_cast<float>(round % 60), 0.1f)), Status{});
        }
        for (Id id = 0; id < 9; ++id) {
            ASSERT_EQ(tree.erase(id), Status{});
        }
        for (int level = 0; level < 8; ++level) {
            tree.cleanup();
        }
        ASSERT_EQ(shown(tree).nodes, 1u);
    }
    EXPECT_LE(tree.memory().total(), memory);
}

TEST(TightQuadtree, CleanupOfManyEmptyLeavesLeavesNone) {
    auto scene = scenes::make_uniform<2>(5000);
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(scene.world, {}, kind_of(scene.agents())), Status{});
    ASSERT_EQ(tree.update(scene.agents()), Status{});
    ASSERT_GT(shown(tree).nodes, 1000u);
    for (Id id = 0; id < scene.size(); ++id) {
        ASSERT_EQ(tree.erase(id), Status{});
    }
    std::size_t before = shown(tree).nodes;
    for (int level = 0; level < 8; ++level) {
        tree.cleanup();
        ASSERT_STREQ(tree.validate(), nullptr);
        EXPECT_LT(shown(tree).nodes, before);
        before = shown(tree).nodes;
        if (before == 1) { break; }
    }
    EXPECT_EQ(before, 1u);
}

TEST(TightQuadtree, WhoLeavesAndComesBackBetweenCleanupsCostsNoNode) {
    auto scene = scenes::make_uniform<2>(2000);
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(scene.world, {}, kind_of(scene.agents())), Status{});
    ASSERT_EQ(tree.update(scene.agents()), Status{});
    tree.cleanup();
    const Shown before = shown(tree);
    for (Id id = 0; id < scene.size(); ++id) {
        ASSERT_EQ(tree.erase(id), Status{});
        ASSERT_EQ(tree.insert(id, {scene.position_of(id), {}, {}}), Status{});
    }
    tree.cleanup();
    EXPECT_EQ(shown(tree).nodes, before.nodes);
    EXPECT_EQ(shown(tree).listed, before.listed);
    EXPECT_STREQ(tree.validate(), nullptr);
}

TEST(TightQuadtree, GiantsInADeepTreeGoOnTheListAndComeBack) {
    for (const unsigned depth : {8u, 16u}) {
        TightQuadtree tree;
        test::Truth<2> truth;
        ASSERT_EQ(tree.configure(kSquare, {depth, 8}, kSizes), Status{});
        ASSERT_EQ(truth.configure(kSizes), Status{});
        scenes::Random random(depth);
        const auto insert = [&](Id id, const Agent<2>& agent) {
            ASSERT_EQ(tree.insert(id, agent), Status{});
            ASSERT_EQ(truth.insert(id, agent), Status{});
        };
        const auto check = [&] {
            ASSERT_STREQ(tree.validate(), nullptr);
            ASSERT_EQ(test::pairs_of(tree), test::pairs_of(truth));
            for (int q = 0; q < 20; ++q) {
                const Point<2> from = {
                    {random.between(-9.0f, 70.0f), random.between(-9.0f, 70.0f)}};
                const Point<2> to = {{random.between(-9.0f, 70.0f), random.between(-9.0f, 70.0f)}};
                test::check_question(tree, truth, Segment<2>{from, to}, {kAllGroups, 1001});
                test::check_question(tree, truth, Box<2>::around(from, kHalf), {});
                test::check_question(tree, truth, Capsule<2>{from, to, 1.0f}, {});
            }
        };
        // Giants first, so that splits must evict them.
        for (Id id = 1000; id < 1020; ++id) {
            insert(id, large(static_cast<float>(id - 1000), 30.0f, 40.0f));
        }
        EXPECT_TRUE(TightFaults::state(tree).tree.oversized.empty());
        for (Id id = 0; id < 600; ++id) {
            // Close together, so that leaves must be small.
            insert(id, large(random.between(0.0f, 16.0f), random.between(0.0f, 16.0f), 0.1f));
        }
        EXPECT_EQ(TightFaults::state(tree).tree.oversized.size(), 20u);
        ASSERT_NO_FATAL_FAILURE(check());
        // Twenty more giants make no list longer.
        const std::size_t references = TightFaults::state(tree).tree.references.size();
        for (Id id = 1020; id < 1040; ++id) {
            insert(id, large(30.0f, static_cast<float>(id - 1000), 100.0f));
        }
        EXPECT_EQ(TightFaults::state(tree).tree.references.size(), references);
        EXPECT_LT(references, 3000u);
        ASSERT_NO_FATAL_FAILURE(check());
        for (Id id = 1000; id < 1040; ++id) {
            ASSERT_EQ(tree.move(id, {{20.0f, 20.0f}}), Status{});
            ASSERT_EQ(truth.move(id, {{20.0f, 20.0f}}), Status{});
        }
        ASSERT_NO_FATAL_FAILURE(check());
        for (Id id = 1000; id < 1040; ++id) {
            ASSERT_EQ(tree.erase(id), Status{});
            ASSERT_EQ(truth.erase(id), Status{});
        }
        EXPECT_TRUE(TightFaults::state(tree).tree.oversized.empty());
        ASSERT_NO_FATAL_FAILURE(check());
    }
}

TEST(TightQuadtree, NoAgentIsInMoreLeavesThanPromised) {
    // Agents of all sizes, even in the deepest tree.
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(kSquare, {16, 1}, kSizes), Status{});
    scenes::Random random(3);
    for (Id id = 0; id < 2000; ++id) {
        const float size = 32.0f / static_cast<float>(1u << random.below(14));
        ASSERT_EQ(
            tree.insert(id, large(random.between(0.0f, 64.0f), random.between(0.0f, 64.0f), size)),
            Status{});
    }
    ASSERT_STREQ(tree.validate(), nullptr);
    const auto& inner = TightFaults::state(tree).tree;
    std::vector<std::size_t> lists(2000, 0);
    inner.references.for_each([&](std::uint32_t, const TightReference& r) { ++lists[r.element]; });
    EXPECT_LE(*std::max_element(lists.begin(), lists.end()), 17u * 17u);
    EXPECT_GT(inner.oversized.size(), 100u);
}

/// Steps so small that lists change one by one, and so large that all is built anew.
TEST(TightQuadtree, MovesAndBuildsAnewAlike) {
    for (const float step : {0.002f, 0.02f, 0.2f, 2.0f}) {
        SCOPED_TRACE(step);
        auto scene = scenes::make_uniform<2>(1500);
        TightQuadtree tree;
        test::Truth<2> truth;
        ASSERT_EQ(tree.configure(scene.world, {}, kind_of(scene.agents())), Status{});
        scenes::Random random(8);
        for (int frame = 0; frame < 6; ++frame) {
            ASSERT_EQ(tree.update(scene.agents()), Status{});
            ASSERT_STREQ(tree.validate(), nullptr);
            ASSERT_EQ(truth.update(scene.agents()), Status{});
            ASSERT_EQ(test::pairs_of(tree), test::pairs_of(truth));
            if (frame % 2 == 1) { tree.cleanup(); }
            for (std::vector<float>& axis : scene.position) {
                for (float& x : axis) {
                    x += random.between(-step, step);
                }
            }
        }
        // Small steps have edited lists; large steps have kept no lists.
        EXPECT_EQ(TightFaults::state(tree).list_edits == 0, step > 0.1f);
    }
}

TEST(TightQuadtree, AFrameThatFindsNoMemoryChangesNothing) {
    auto scene = scenes::make_uniform<2>(2000);
    auto slow = scene;
    auto fast = scene;
    scenes::Random random(4);
    for (std::size_t i = 0; i < scene.size(); ++i) {
        for (std::size_t a = 0; a < 2; ++a) {
            slow.position[a][i] += random.between(-0.01f, 0.01f);
            fast.position[a][i] = random.between(0.0f, 0.4f * scene.world.hi[a]);
        }
    }
    for (scenes::Scene<2>* next : {&slow, &fast}) {
        std::size_t failures = 0;
        for (;; ++failures) {
            ASSERT_LT(failures, 100u);
            TightQuadtree tree;
            ASSERT_EQ(tree.configure(scene.world, {}, kind_of(scene.agents())), Status{});
            ASSERT_EQ(tree.update(scene.agents()), Status{});
            std::vector<Id> before(scene.size()), after(scene.size());
            ASSERT_EQ(tree.order(before), scene.size());
            bool threw = false;
            {
                const test::FailingAllocations failing(failures, true);
                try {
                    ASSERT_EQ(tree.update(next->agents()), Status{});
                } catch (const std::bad_alloc&) { threw = true; }
            }
            ASSERT_STREQ(tree.validate(), nullptr);
            if (!threw) {
                // Without memory for a split, leaves are longer, and no agent is lost.
                test::Truth<2> truth;
                ASSERT_EQ(truth.update(next->agents()), Status{});
                ASSERT_EQ(test::pairs_of(tree), test::pairs_of(truth));
                break;
            }
            (void)tree.order(after);
            ASSERT_EQ(before, after);
        }
        EXPECT_GT(failures, 0u);
    }
}

TEST(TightQuadtree, StorageOrderNamesEachAgentOnce) {
    auto scene = scenes::make<2>("mixed_sizes", 700);
    TightQuadtree tree;
    ASSERT_EQ(tree.update(scene.agents()), Status{});
    std::vector<Id> order(scene.size());
    ASSERT_EQ(tree.order(order), scene.size());
    std::sort(order.begin(), order.end());
    for (Id id = 0; id < scene.size(); ++id) {
        ASSERT_EQ(order[id], id);
    }
    // Writes no more ids than there is room for.
    std::vector<Id> few(5, kNoId);
    EXPECT_EQ(tree.order(std::span<Id>(few).first(3)), scene.size());
    EXPECT_EQ(few[3], kNoId);
}

TEST(TightQuadtree, MemoryIsWhatIsPromisedAndStaysSo) {
    auto scene = scenes::make_uniform<2>(100'000);
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(scene.world, {}, kind_of(scene.agents())), Status{});
    scenes::Random random(77);
    std::vector<float> speed(2 * scene.size());
    for (float& s : speed) {
        s = random.between(-0.5f, 0.5f);
    }
    std::size_t memory = 0;
    std::size_t allocated = 0;
    for (int frame = 0; frame < 40; ++frame) {
        ASSERT_EQ(tree.update(scene.agents()), Status{});
        tree.cleanup();
        if (frame == 9) {
            memory = tree.memory().total();
            allocated = test::allocations();
        }
        for (std::size_t i = 0; i < scene.size(); ++i) {
            for (std::size_t a = 0; a < 2; ++a) {
                float& x = scene.position[a][i];
                // Slow and fast frames take turns.
                x += speed[2 * i + a] * (frame % 8 < 4 ? 1.0f : 0.02f);
                if (x < scene.world.lo[a] || x > scene.world.hi[a]) { speed[2 * i + a] *= -1.0f; }
            }
        }
    }
    EXPECT_LE(memory, 45u * scene.size());
    EXPECT_LE(tree.memory().total(), memory + memory / 50);
    EXPECT_LE(test::allocations() - allocated, 4u);
    ASSERT_STREQ(tree.validate(), nullptr);
}

TEST(TightQuadtree, OneThatComesAndGoesForEverTakesNoMore) {
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(kSquare, {}, {false, false, {}}), Status{});
    for (Id id = 0; id < 8; ++id) {
        ASSERT_EQ(tree.insert(id, at(3.3f, 3.3f)), Status{});
    }
    // The ninth makes leaves split, and cleanup() cannot take that back while the others are there.
    ASSERT_EQ(tree.insert(8, at(3.3f, 3.3f)), Status{});
    ASSERT_EQ(tree.erase(8), Status{});
    const std::size_t memory = tree.memory().total();
    const std::size_t allocated = test::allocations();
    for (int round = 0; round < 200'000; ++round) {
        ASSERT_TRUE(tree.insert(8, at(3.3f, 3.3f)).ok());
        ASSERT_TRUE(tree.erase(8).ok());
        if (round % 1000 == 0) { tree.cleanup(); }
    }
    EXPECT_EQ(tree.memory().total(), memory);
    EXPECT_EQ(test::allocations(), allocated);
    EXPECT_STREQ(tree.validate(), nullptr);
}

TEST(TightQuadtree, ValidateNoticesPlantedFaults) {
    using Break = std::function<void(TightTree&, TightElements&, Point<2>&)>;
    const auto leaf_with = [](TightTree& tree, std::int32_t least) {
        std::uint32_t found = TightTree::kNone;
        tree.for_all_leaves([&](const TightSquare& square, const TightNode& leaf) {
            if (leaf.count < least) { return true; }
            found = square.node;
            return false;
        });
        return found;
    };
    const std::pair<const char*, Break> faults[] = {
        {"a leaf lists less than its count",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             ++tree.node(leaf_with(tree, 1)).count;
         }},
        {"a leaf lists more than its count",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             --tree.node(leaf_with(tree, 1)).count;
         }},
        {"a leaf lists more than its count", // an endless list
         [&](TightTree& tree, TightElements&, Point<2>&) {
             const std::uint32_t first = tree.node(leaf_with(tree, 2)).first;
             tree.references[first].next = first;
             tree.node(leaf_with(tree, 2)).count = 1;
         }},
        {"a leaf lists an element twice",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             const std::uint32_t first = tree.node(leaf_with(tree, 2)).first;
             const std::uint32_t next = tree.references[first].next;
             tree.references[next].element = tree.references[first].element;
         }},
        {"a leaf lists an agent that is not there",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             tree.references[tree.node(leaf_with(tree, 1)).first].element = 100'000;
         }},
        {"a leaf lists an element that does not touch it",
         [&](TightTree&, TightElements& crowd, Point<2>&) { crowd.position[0][5] += 9.0f; }},
        {"references in no leaf",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             tree.reserve_references(1);
             tree.references.add({TightTree::kNone, 3});
         }},
        {"an element is not in a leaf that it touches",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             TightNode& leaf = tree.node(leaf_with(tree, 2));
             const std::uint32_t gone = leaf.first;
             leaf.first = tree.references[gone].next;
             --leaf.count;
             tree.references.remove(gone);
         }},
        {"nodes that nothing leads to",
         [&](TightTree& tree, TightElements&, Point<2>&) { tree.blocks.add(TightTree::Block{}); }},
        {"children that are not a block",
         [&](TightTree& tree, TightElements&, Point<2>&) { ++tree.node(0).first; }},
        {"children of two parents",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             const std::uint32_t first = tree.node(0).first;
             tree.node(first).count = tree.node(first + 1).count = TightNode::kInner;
             tree.node(first).first = tree.node(first + 1).first;
         }},
        {"children that were given back",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             tree.blocks.remove(tree.node(0).first / 4);
         }},
        {"marks that are not those of the list",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             tree.oversized_marks.assign(20, 0);
             tree.oversized_marks[19] = 1;
         }},
        {"an element on the list and in a leaf",
         [&](TightTree& tree, TightElements&, Point<2>&) {
             tree.reserve_oversized(1, 64);
             tree.add_oversized(7);
         }},
        {"size is not the agents there",
         [&](TightTree&, TightElements& crowd, Point<2>&) { ++crowd.count; }},
        {"an element larger than the largest",
         [&](TightTree&, TightElements&, Point<2>& largest) { largest[1] *= 0.5f; }},
        {"arrays of different lengths",
         [&](TightTree&, TightElements& crowd, Point<2>&) { crowd.half_extent[0].resize(2); }},
        {"masks that are not the agents'",
         [&](TightTree&, TightElements& crowd, Point<2>&) { crowd.groups.resize(2); }},
    };
    for (const auto& [name, plant] : faults) {
        SCOPED_TRACE(name);
        auto scene = scenes::make_uniform<2>(300);
        TightQuadtree tree;
        ASSERT_EQ(tree.configure(scene.world, {}, kind_of(scene.agents())), Status{});
        ASSERT_EQ(tree.update(scene.agents()), Status{});
        ASSERT_STREQ(tree.validate(), nullptr);
        auto& state = TightFaults::state(tree);
        plant(state.tree, state.crowd, state.largest);
        ASSERT_NE(tree.validate(), nullptr);
        EXPECT_EQ(std::string(tree.validate()), name);
    }
}

TEST(TightQuadtree, WhoHasShrunkIsInLeavesAgain) {
    auto scene = scenes::make_uniform<2>(5000);
    for (std::vector<float>& axis : scene.half_extent) {
        axis.assign(scene.size(), 100.0f);
    }
    TightQuadtree tree;
    ASSERT_EQ(tree.update(scene.agents()), Status{});
    for (std::vector<float>& axis : scene.half_extent) {
        axis.assign(scene.size(), 0.25f);
    }
    ASSERT_EQ(tree.update(scene.agents()), Status{});
    ASSERT_STREQ(tree.validate(), nullptr);
    std::size_t in_leaves = 0;
    tree.visit_cells([&](const IndexCell<2>& cell) {
        in_leaves += cell.depth != 0 ? cell.count : 0;
        return true;
    });
    EXPECT_GE(in_leaves, scene.size());
}

// Counting all giants again for each new one, in hundreds of leaves, would take half a minute.
TEST(TightQuadtree, TwoThousandGiantsComeOneByOne) {
    TightQuadtree tree;
    ASSERT_EQ(tree.configure(Box<2>{{{0.0f, 0.0f}}, {{140.0f, 140.0f}}}, {}, {true, false, {}}),
              Status{});
    const auto start = std::chrono::steady_clock::now();
    for (Id id = 0; id < 2000; ++id) {
        const Point<2> at{{static_cast<float>(id * 37 % 140), static_cast<float>(id * 61 % 139)}};
        ASSERT_EQ(tree.insert(id, {at, Point<2>::all(id % 2 == 0 ? 200.0f : 60.0f), {}}), Status{});
    }
    ASSERT_STREQ(tree.validate(), nullptr);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    EXPECT_LT(passed.count(), 3.0);
    EXPECT_LT(tree.memory().total(), 2000u * 400u);
    std::size_t near = 0;
    for (Id id = 0; id < 2000; ++id) {
        const float half = id % 2 == 0 ? 200.0f : 60.0f;
        near += std::abs(static_cast<float>(id * 37 % 140) - 70.0f) <= half &&
                        std::abs(static_cast<float>(id * 61 % 139) - 70.0f) <= half
                    ? 1
                    : 0;
    }
    EXPECT_EQ(tree.count(Box<2>::at({{70.0f, 70.0f}})).count, near);
}

} // namespace
} // namespace throng
