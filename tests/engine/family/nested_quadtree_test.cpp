// The nested quadtree of a user's own type against a list of all values.
#include <throng/engine/agents/box.hpp>
#include <throng/engine/family/nested_quadtree/nested_quadtree.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace throng {
namespace {

using test::kInfinity;
using test::kNan;

/// A value of a user: named, with a corner and a size, in doubles.
struct Rectangle {
    std::string name;
    double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
};

struct BoxOfRectangle {
    NestedBox<double> operator()(const Rectangle* r) const {
        return {{r->x, r->y}, {r->x + r->width, r->y + r->height}};
    }
};

using Tree =
    NestedQuadtree<const Rectangle*, BoxOfRectangle, std::equal_to<const Rectangle*>, double>;
using Values = std::vector<const Rectangle*>;
using Pairs = std::vector<std::pair<const Rectangle*, const Rectangle*>>;

constexpr NestedBox<double> kWorld{{0.0, 0.0}, {256.0, 256.0}};

bool touch(const NestedBox<double>& a, const NestedBox<double>& b) {
    return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1];
}

/// The tree and a list of what should be in it.
class Both {
public:
    explicit Both(const NestedBox<double>& world = kWorld) : tree(world) {}

    void add(const Rectangle* r) {
        ASSERT_TRUE(tree.add(r).ok());
        values.push_back(r);
    }
    void remove(std::size_t at) {
        ASSERT_TRUE(tree.remove(values[at]));
        values[at] = values.back();
        values.pop_back();
    }

    void check_query(const NestedBox<double>& box) const {
        Values wanted, found;
        for (const Rectangle* r : values) {
            if (touch(box, BoxOfRectangle{}(r))) { wanted.push_back(r); }
        }
        EXPECT_TRUE(tree.query(box, [&](const Rectangle* r) { found.push_back(r); }));
        std::sort(wanted.begin(), wanted.end());
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, wanted);
    }

    void check_pairs() const {
        Pairs wanted, found;
        for (std::size_t i = 0; i < values.size(); ++i) {
            for (std::size_t j = i + 1; j < values.size(); ++j) {
                if (!touch(BoxOfRectangle{}(values[i]), BoxOfRectangle{}(values[j]))) { continue; }
                wanted.push_back(std::minmax(values[i], values[j]));
            }
        }
        EXPECT_TRUE(tree.find_all_intersections(
            [&](const Rectangle* a, const Rectangle* b) { found.push_back(std::minmax(a, b)); }));
        std::sort(wanted.begin(), wanted.end());
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, wanted);
    }

    void check() const {
        ASSERT_STREQ(tree.validate(), nullptr);
        ASSERT_EQ(tree.size(), values.size());
        ASSERT_EQ(tree.empty(), values.empty());
        scenes::Random random(77);
        for (int i = 0; i < 20; ++i) {
            NestedBox<double> box;
            for (std::size_t a = 0; a < 2; ++a) {
                box.lo[a] = random.between(-40.0f, 280.0f);
                box.hi[a] = box.lo[a] + random.between(0.0f, i % 4 == 0 ? 200.0f : 9.0f);
            }
            ASSERT_NO_FATAL_FAILURE(check_query(box));
        }
        ASSERT_NO_FATAL_FAILURE(check_query({{-kInfinity, -kInfinity}, {kInfinity, kInfinity}}));
        // A point on the first middle line.
        ASSERT_NO_FATAL_FAILURE(check_query({{128.0, 128.0}, {128.0, 128.0}}));
        ASSERT_NO_FATAL_FAILURE(check_pairs());
    }

    Tree tree;
    Values values;
};

enum class Kind { small, mixed, on_lines, outside, coincident, points };

std::vector<Rectangle> make(Kind kind, std::size_t count) {
    scenes::Random random(static_cast<std::uint64_t>(kind) + 5);
    std::vector<Rectangle> all(count);
    for (std::size_t i = 0; i < count; ++i) {
        Rectangle& r = all[i];
        r.name = "rectangle " + std::to_string(i);
        r.x = random.between(0.0f, 255.0f);
        r.y = random.between(0.0f, 255.0f);
        r.width = random.between(0.0f, 3.0f);
        r.height = random.between(0.0f, 3.0f);
        switch (kind) {
        case Kind::small:
            break;
        case Kind::mixed:
            if (i % 10 == 0) { r.width = random.between(0.0f, 100.0f); }
            if (i % 100 == 0) { r.height = 1e6; }
            if (i % 150 == 7) { r.x = -kInfinity, r.width = kInfinity; }
            break;
        case Kind::on_lines:
            // Corners on the lines of nodes, where closed boxes touch.
            r.x = 16.0 * static_cast<double>(random.below(17));
            r.y = 16.0 * static_cast<double>(random.below(17));
            r.width = r.height = 16.0 * static_cast<double>(random.below(2));
            break;
        case Kind::outside:
            r.x = random.between(-300.0f, 600.0f);
            r.y = random.between(-300.0f, 600.0f);
            break;
        case Kind::coincident:
            r.x = r.y = 77.0;
            r.width = r.height = 1.0;
            break;
        case Kind::points:
            r.width = r.height = 0.0;
            break;
        }
        // Infinity less infinity would be no number.
        if (r.x == -kInfinity) { r.width = 0.0; }
    }
    return all;
}

constexpr Kind kKinds[] = {Kind::small,   Kind::mixed,      Kind::on_lines,
                           Kind::outside, Kind::coincident, Kind::points};

TEST(NestedQuadtree, FindsWhatAListFinds) {
    for (const Kind kind : kKinds) {
        SCOPED_TRACE(static_cast<int>(kind));
        const std::vector<Rectangle> all = make(kind, 500);
        Both both;
        both.check();
        for (const Rectangle& r : all) {
            ASSERT_NO_FATAL_FAILURE(both.add(&r));
        }
        ASSERT_NO_FATAL_FAILURE(both.check());
    }
}

TEST(NestedQuadtree, HoldsWhatRandomEditsLeave) {
    for (const Kind kind : kKinds) {
        SCOPED_TRACE(static_cast<int>(kind));
        const std::vector<Rectangle> all = make(kind, 400);
        scenes::Random random(3);
        Both both;
        for (int round = 0; round < 8; ++round) {
            for (int edit = 0; edit < 300; ++edit) {
                // Rounds that mostly add take turns with rounds that mostly remove. Some values are
                // twice in.
                const auto pick = random.below(8);
                if (both.values.empty() || pick < (round % 2 == 0 ? 7u : 1u)) {
                    ASSERT_NO_FATAL_FAILURE(both.add(&all[random.below(400)]));
                } else {
                    ASSERT_NO_FATAL_FAILURE(
                        both.remove(random.below(static_cast<std::uint32_t>(both.values.size()))));
                }
                if (edit % 20 == 0) { ASSERT_STREQ(both.tree.validate(), nullptr); }
            }
            ASSERT_NO_FATAL_FAILURE(both.check()) << "round " << round;
        }
        while (!both.values.empty()) {
            ASSERT_NO_FATAL_FAILURE(both.remove(both.values.size() - 1));
        }
        ASSERT_NO_FATAL_FAILURE(both.check());
        std::size_t nodes = 0;
        both.tree.visit_nodes([&](const auto&, std::uint32_t, std::uint32_t) { ++nodes; });
        EXPECT_EQ(nodes, 1u) << "nodes were not merged";
    }
}

/// The boxes of all nodes, and how many values each has.
std::map<std::vector<double>, std::uint32_t> nodes_of(const Tree& tree) {
    std::map<std::vector<double>, std::uint32_t> nodes;
    tree.visit_nodes([&](const NestedBox<double>& box, std::uint32_t depth, std::uint32_t count) {
        nodes[{static_cast<double>(depth), box.lo[0], box.lo[1], box.hi[0], box.hi[1]}] = count;
    });
    return nodes;
}

TEST(NestedQuadtree, HasTheSameNodesHoweverItCameToThem) {
    for (const Kind kind : kKinds) {
        SCOPED_TRACE(static_cast<int>(kind));
        const std::vector<Rectangle> all = make(kind, 900);
        Both added, rebuilt;
        for (const Rectangle& r : all) {
            ASSERT_NO_FATAL_FAILURE(added.add(&r));
        }
        while (added.values.size() > 400) {
            ASSERT_NO_FATAL_FAILURE(added.remove(added.values.size() / 3));
        }
        rebuilt.values = added.values;
        ASSERT_TRUE(rebuilt.tree.rebuild(rebuilt.values).ok());
        ASSERT_NO_FATAL_FAILURE(rebuilt.check());
        EXPECT_EQ(nodes_of(added.tree), nodes_of(rebuilt.tree));
        // The rebuilt tree can be edited.
        for (std::size_t i = 400; i < 500; ++i) {
            ASSERT_NO_FATAL_FAILURE(rebuilt.add(&all[i]));
            ASSERT_NO_FATAL_FAILURE(rebuilt.remove(i - 399));
        }
        ASSERT_NO_FATAL_FAILURE(rebuilt.check());
    }
}

TEST(NestedQuadtree, PutsEachValueIntoTheSmallestNodeThatHoldsIt) {
    Tree tree(kWorld);
    std::vector<Rectangle> fill(17, {"fill", 10.0, 10.0, 1.0, 1.0});
    const Rectangle on_line{"on the line", 120.0, 10.0, 8.0, 1.0};
    const Rectangle behind{"from the line on", 128.0, 10.0, 1.0, 1.0};
    const Rectangle below{"up to the line", 10.0, 127.0, 1.0, 1.0};
    const Rectangle above{"from the other line on", 10.0, 128.0, 1.0, 1.0};
    const Rectangle huge{"huge", -1e300, -1e300, 2e300, 2e300};
    const Rectangle outside{"outside", 300.0, 10.0, 1.0, 1.0};
    for (const Rectangle& r : fill) {
        ASSERT_TRUE(tree.add(&r).ok());
    }
    const std::vector<const Rectangle*> in_root = {&on_line, &behind, &below,
                                                   &above,   &huge,   &outside};
    for (const Rectangle* r : in_root) {
        ASSERT_TRUE(tree.add(r).ok());
    }
    auto nodes = nodes_of(tree);
    EXPECT_EQ((nodes[{0, 0, 0, 256, 256}]), 6u);
    // Coincident values go down as far as they fit, and no further.
    EXPECT_EQ((nodes[{4, 0, 0, 16, 16}]), 0u);
    EXPECT_EQ((nodes[{6, 8, 8, 12, 12}]), 17u) << "they touch the middle lines of this node";
    ASSERT_TRUE(tree.remove(&fill[0]));
    EXPECT_EQ(nodes_of(tree).size(), 1u + 4u) << "16 are a leaf, and 22 are not";
    for (const Rectangle* r : in_root) {
        ASSERT_TRUE(tree.remove(r));
    }
    EXPECT_EQ(nodes_of(tree).size(), 1u);
    EXPECT_STREQ(tree.validate(), nullptr);
}

// One value too many splits nodes on eight levels: nodes must not move meanwhile.
TEST(NestedQuadtree, SplitsOnEveryLevelAtOnce) {
    std::vector<Rectangle> crowds;
    for (int at = 0; at < 30; ++at) {
        const double x = 5.3 + 8.0 * at, y = 0.3 + 13.0 * (at % 19);
        crowds.insert(crowds.end(), 17, {"crowd", x, y, 0.0, 0.0});
    }
    Both both;
    for (const Rectangle& r : crowds) {
        ASSERT_NO_FATAL_FAILURE(both.add(&r));
    }
    ASSERT_NO_FATAL_FAILURE(both.check());
    std::uint32_t deepest = 0;
    both.tree.visit_nodes([&](const auto&, std::uint32_t depth, std::uint32_t) {
        deepest = std::max(deepest, depth);
    });
    EXPECT_EQ(deepest, Tree::kMaxDepth);
}

TEST(NestedQuadtree, SaysThatItHasNoSuchValue) {
    const std::vector<Rectangle> all = make(Kind::mixed, 100);
    Both both;
    EXPECT_FALSE(both.tree.remove(&all[0]));
    for (std::size_t i = 1; i < 100; ++i) {
        ASSERT_NO_FATAL_FAILURE(both.add(&all[i]));
    }
    EXPECT_FALSE(both.tree.remove(&all[0]));
    ASSERT_NO_FATAL_FAILURE(both.check());
    // A value that was added twice can be removed twice, and not a third time.
    ASSERT_TRUE(both.tree.add(&all[5]).ok());
    EXPECT_TRUE(both.tree.remove(&all[5]));
    EXPECT_TRUE(both.tree.remove(&all[5]));
    EXPECT_FALSE(both.tree.remove(&all[5]));
    // An equal box elsewhere is another value.
    Rectangle moved = all[6];
    moved.x += 50.0;
    EXPECT_FALSE(both.tree.remove(&moved));
    EXPECT_STREQ(both.tree.validate(), nullptr);
}

TEST(NestedQuadtree, RefusesBoxesThatAreNone) {
    Both both;
    const std::vector<Rectangle> all = make(Kind::small, 50);
    for (const Rectangle& r : all) {
        ASSERT_NO_FATAL_FAILURE(both.add(&r));
    }
    const Rectangle bad[] = {{"NaN", kNan, 0.0, 1.0, 1.0},
                             {"NaN", 0.0, 0.0, 1.0, kNan},
                             {"inverted", 0.0, 0.0, -1.0, 1.0}};
    for (const Rectangle& r : bad) {
        const Cause cause = r.name == "NaN" ? Cause::not_finite : Cause::inverted;
        EXPECT_EQ(both.tree.add(&r), (Status{cause, Argument::box, 0}));
        EXPECT_FALSE(both.tree.remove(&r));
        const Values values{&all[0], &all[1], &r};
        EXPECT_EQ(both.tree.rebuild(values), (Status{cause, Argument::box, 2}));
        EXPECT_TRUE(both.tree.query(BoxOfRectangle{}(&r), [](const Rectangle*) { FAIL(); }));
    }
    EXPECT_EQ(both.tree.reset({{0.0, 0.0}, {kInfinity, 1.0}}).cause, Cause::not_finite);
    EXPECT_EQ(both.tree.reset({{kNan, 0.0}, {1.0, 1.0}}).cause, Cause::not_finite);
    EXPECT_EQ(both.tree.reset({{0.0, 2.0}, {1.0, 1.0}}).cause, Cause::inverted);
    ASSERT_NO_FATAL_FAILURE(both.check());
}

// Worlds of no size, of the smallest size and of the largest.
TEST(NestedQuadtree, WorksInWorldsWithoutRoom) {
    constexpr double kMost = std::numeric_limits<double>::max();
    const std::vector<Rectangle> all = make(Kind::mixed, 200);
    for (const NestedBox<double>& world :
         {NestedBox<double>{}, NestedBox<double>{{77.0, 77.0}, {77.0, 77.0}},
          NestedBox<double>{{10.0, 10.0}, {std::nextafter(10.0, 11.0), 1000.0}},
          NestedBox<double>{{-kMost, -kMost}, {kMost, kMost}}}) {
        Both both;
        ASSERT_TRUE(both.tree.reset(world).ok());
        EXPECT_EQ(both.tree.world(), world);
        for (const Rectangle& r : all) {
            ASSERT_NO_FATAL_FAILURE(both.add(&r));
        }
        ASSERT_NO_FATAL_FAILURE(both.check());
        ASSERT_TRUE(both.tree.rebuild(both.values).ok());
        ASSERT_NO_FATAL_FAILURE(both.check());
    }
}

TEST(NestedQuadtree, StopsWhenTheVisitorHasEnough) {
    const std::vector<Rectangle> all = make(Kind::mixed, 500);
    Both both;
    for (const Rectangle& r : all) {
        ASSERT_NO_FATAL_FAILURE(both.add(&r));
    }
    for (const int most : {1, 7, 60}) {
        int visited = 0;
        const auto enough = [&](const auto&...) { return ++visited < most; };
        EXPECT_FALSE(both.tree.query(kWorld, enough));
        EXPECT_EQ(std::exchange(visited, 0), most);
        EXPECT_FALSE(both.tree.find_all_intersections(enough));
        EXPECT_EQ(std::exchange(visited, 0), most);
        EXPECT_FALSE(both.tree.visit_nodes(enough));
        EXPECT_EQ(std::exchange(visited, 0), most);
        EXPECT_FALSE(both.tree.visit_where([](const auto&) { return true; }, enough));
        EXPECT_EQ(visited, most);
    }
}

TEST(NestedQuadtree, AllocatesNothingOnceItHasGrown) {
    const std::vector<Rectangle> all = make(Kind::small, 2'000);
    Values values;
    for (const Rectangle& r : all) {
        values.push_back(&r);
    }
    Tree tree(kWorld);
    tree.reserve(2'000);
    const std::size_t memory = tree.memory();
    const std::size_t allocations = test::allocations();
    for (int frame = 0; frame < 3; ++frame) {
        ASSERT_TRUE(tree.rebuild(values).ok());
        for (std::size_t i = 0; i < 500; ++i) {
            ASSERT_TRUE(tree.remove(values[i]));
        }
        std::size_t found = 0;
        tree.query(kWorld, [&](const Rectangle*) { ++found; });
        ASSERT_EQ(found, 1'500u);
        for (std::size_t i = 500; i-- > 0;) {
            ASSERT_TRUE(tree.add(values[i]).ok());
        }
        tree.find_all_intersections([&](const Rectangle*, const Rectangle*) { ++found; });
        tree.clear();
        ASSERT_TRUE(tree.empty());
    }
    EXPECT_EQ(test::allocations(), allocations);
    EXPECT_EQ(tree.memory(), memory);
}

TEST(NestedQuadtree, WhatFailsChangesNothing) {
    const std::vector<Rectangle> all = make(Kind::small, 600);
    Values values;
    for (const Rectangle& r : all) {
        values.push_back(&r);
    }
    Both both;
    int failures = 0;
    for (std::size_t i = 0; i < 300; ++i) {
        for (std::size_t successes = 0; both.tree.size() == i; ++successes) {
            try {
                const test::FailingAllocations failing(successes);
                (void)both.tree.add(&all[i]);
            } catch (const std::bad_alloc&) {
                ++failures;
                ASSERT_STREQ(both.tree.validate(), nullptr);
            }
        }
        both.values.push_back(&all[i]);
    }
    EXPECT_GE(failures, 10);
    for (std::size_t successes = 0; both.tree.size() == 300; ++successes) {
        ASSERT_NO_FATAL_FAILURE(both.check());
        try {
            const test::FailingAllocations failing(successes);
            (void)both.tree.rebuild(values);
        } catch (const std::bad_alloc&) {}
    }
    both.values = values;
    ASSERT_NO_FATAL_FAILURE(both.check());
}

/// A value that is no pointer, with a Box of the library and an equality of its own.
struct Marked {
    std::uint32_t mark;
    float x;
};
struct BoxOfMarked {
    Box<2> operator()(const Marked& m) const { return {{{m.x, 0.0f}}, {{m.x + 1.0f, 1.0f}}}; }
};
struct SameMark {
    bool operator()(const Marked& a, const Marked& b) const { return a.mark == b.mark; }
};

TEST(NestedQuadtree, TakesValuesAsTheyAre) {
    NestedQuadtree<Marked, BoxOfMarked, SameMark> tree({{0.0f, 0.0f}, {100.0f, 100.0f}});
    for (std::uint32_t i = 0; i < 100; ++i) {
        ASSERT_TRUE(tree.add({i, static_cast<float>(i)}).ok());
    }
    std::vector<std::uint32_t> marks;
    tree.query(Box<2>{{{10.5f, 0.0f}}, {{12.0f, 9.0f}}},
               [&](const Marked& m) { marks.push_back(m.mark); });
    std::sort(marks.begin(), marks.end());
    EXPECT_EQ(marks, (std::vector<std::uint32_t>{10, 11, 12}));
    std::size_t pairs = 0;
    tree.find_all_intersections([&](const Marked& a, const Marked& b) {
        EXPECT_EQ(std::max(a.mark, b.mark) - std::min(a.mark, b.mark), 1u);
        ++pairs;
    });
    EXPECT_EQ(pairs, 99u);
    EXPECT_FALSE(tree.remove({500, 30.0f}));
    EXPECT_TRUE(tree.remove({30, 30.0f}));
    EXPECT_EQ(tree.size(), 99u);
}

/// Boxes that lie elsewhere, where they can change.
struct Moving {
    float* x;
    NestedBox<float> operator()(std::uint32_t i) const { return {{x[i], 0.0f}, {x[i], 0.0f}}; }
};

TEST(NestedQuadtree, AsksForABoxOnceOnly) {
    float x[20];
    for (std::uint32_t i = 0; i < 20; ++i) {
        x[i] = static_cast<float>(i);
    }
    NestedQuadtree<std::uint32_t, Moving> tree({{0.0f, 0.0f}, {20.0f, 20.0f}}, Moving{x});
    for (std::uint32_t i = 0; i < 20; ++i) {
        ASSERT_TRUE(tree.add(i).ok());
    }
    for (const float elsewhere : {15.5f, 3.25f}) {
        x[3] = elsewhere;
        EXPECT_STREQ(tree.validate(), nullptr);
        EXPECT_FALSE(tree.remove(3)) << "its box is no longer the one it was added with";
    }
    x[3] = 3.0f;
    EXPECT_TRUE(tree.remove(3));
}

} // namespace
} // namespace throng
