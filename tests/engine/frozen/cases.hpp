// Shared by the tests of saving and loading.
#pragma once

#include "../../family/every_index.hpp"
#include "../../family/shown.hpp"
#include "../../support/random.hpp"
#include "../obstacles/obstacle_scene.hpp"

#include <throng/engine/frozen/frozen.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace throng::test {

using Bytes = std::vector<std::byte>;

/// The history of a crowd before it is saved.
enum class Past : std::uint8_t { never, empty, cleared, updated, edited, inserted, kEnd };

template <class Index>
class SavedCase : public testing::Test {
protected:
    using Subject = Index;

    static Bytes saved(const Subject& index) {
        Bytes bytes;
        EXPECT_EQ(save(index, bytes), Status{});
        return bytes;
    }

    /// Loading these bytes fails, and changes nothing.
    static Status refused(std::span<const std::byte> bytes, Subject& index, const Bytes& before) {
        const Status status = load(index, bytes);
        EXPECT_EQ(status.argument, Argument::file);
        EXPECT_EQ(saved(index), before);
        return status;
    }
};

template <class Entry>
class FrozenCase : public SavedCase<typename Entry::Index> {
protected:
    static constexpr std::size_t kAxes = Entry::kDim;
    using Subject = typename Entry::Index;
    using Scene = scenes::Scene<kAxes>;
    using SavedCase<Subject>::saved;

    static void edit(Subject& index, std::uint64_t seed, std::size_t edits, bool cleanup) {
        scenes::Random random(seed);
        const CrowdKind<kAxes> kind = index.kind();
        for (std::size_t i = 0; i < edits; ++i) {
            const Id id = random.below(600);
            Point<kAxes> place;
            for (std::size_t a = 0; a < kAxes; ++a) {
                place[a] = random.between(-10.0f, 40.0f);
            }
            Agent<kAxes> agent{place, {}, {}};
            if (kind.own_half_extents) {
                agent.half_extent = Point<kAxes>::all(random.between(0.0f, 3.0f));
            }
            if (kind.groups) { agent.groups = random.below(8); }
            const bool there = index.contains(id);
            const Status status = !there                 ? index.insert(id, agent)
                                  : random.below(3) == 0 ? index.erase(id)
                                                         : index.move(id, place);
            ASSERT_EQ(status, Status{});
        }
        if (cleanup) { Entry::tidy(index); }
    }

    static Scene scene_of(bool own, bool groups, std::size_t count = 300) {
        return scenes::make<kAxes>(own ? "mixed_sizes" : "clustered", count,
                                   groups ? scenes::Groups::masks : scenes::Groups::none);
    }

    static void live(Subject& index, Past past, bool own, bool groups) {
        if (past == Past::never) { return; }
        auto scene = scene_of(own, groups);
        ASSERT_EQ(Entry::lay_out(index, scene, kind_of(scene.agents())), Status{});
        if (past == Past::empty) { return; }
        if (past != Past::inserted) { ASSERT_EQ(index.update(scene.agents()), Status{}); }
        if (past == Past::cleared) { index.clear(); }
        if (past == Past::edited || past == Past::inserted) {
            ASSERT_NO_FATAL_FAILURE(edit(index, 5, 500, past == Past::inserted));
        }
    }

    /// Puts this many agents in place of all.
    static void replace_all(Subject& index, bool own, bool groups, std::size_t count) {
        auto scene = scene_of(own, groups, count);
        ASSERT_EQ(index.update(scene.agents()), Status{});
    }
    /// A few agents that were never edited.
    static void make_few(Subject& index) {
        auto scene = scene_of(true, true, 9);
        ASSERT_EQ(Entry::lay_out(index, scene, kind_of(scene.agents())), Status{});
        ASSERT_EQ(index.update(scene.agents()), Status{});
    }
    /// Asks and edits an index that may hold anything.
    static void use(Subject& index) {
        if constexpr (requires { index.wraps(); }) {
            // With any forged period, few questions are answered.
            if (index.wraps()) { return; }
        }
        (void)shown<kAxes>(index);
        for (Id id = 0; id < 12; ++id) {
            if (!index.contains(id)) { continue; }
            ASSERT_EQ(index.move(id, Point<kAxes>::all(static_cast<float>(id))), Status{});
            if (id % 2 == 0) { ASSERT_EQ(index.erase(id), Status{}); }
        }
        Entry::tidy(index);
        (void)shown<kAxes>(index);
    }

    /// An edited crowd in as few bytes as possible.
    static void make_small(Subject& index) {
        auto scene = scene_of(true, true, 9);
        ASSERT_EQ(Entry::lay_out(index, scene, kind_of(scene.agents())), Status{});
        if constexpr (std::is_same_v<Subject, RowGrid<kAxes>>) {
            // Some rows have a full table, and some a trimmed one.
            Point<kAxes> cell = Point<kAxes>::all((scene.world.hi[0] - scene.world.lo[0]) * 0.4f);
            cell[0] *= 0.3f;
            ASSERT_EQ(index.configure(scene.world, cell, kind_of(scene.agents())), Status{});
        }
        ASSERT_EQ(index.update(scene.agents()), Status{});
        ASSERT_EQ(index.erase(2), Status{});
        ASSERT_EQ(index.insert(11, {Point<kAxes>::all(1.0f), Point<kAxes>::all(1.0f), 3u}),
                  Status{});
    }

    static void expect_same(const Subject& a, const Subject& b) {
        ASSERT_STREQ(b.validate(), nullptr);
        ASSERT_TRUE(shown<kAxes>(a) == shown<kAxes>(b));
        ASSERT_EQ(saved(a), saved(b));
    }
};

/// The same for obstacles, which have shapes and no positions.
template <std::size_t Dim>
struct InObstacles {
    using Index = Obstacles<Dim>;
    static constexpr std::size_t kDim = Dim;
    static constexpr const char* kName = "obstacles";
};

template <std::size_t Dim>
class FrozenCase<InObstacles<Dim>> : public SavedCase<Obstacles<Dim>> {
protected:
    using Subject = Obstacles<Dim>;
    using SavedCase<Subject>::saved;

    static void edit(Subject& index, std::uint64_t seed, std::size_t edits, bool cleanup) {
        scenes::Random random(seed);
        for (std::size_t i = 0; i < edits; ++i) {
            const Id id = random.below(600);
            const std::uint32_t groups = random.below(8);
            const Status status = std::visit(
                [&](const auto& shape) {
                    if (!index.contains(id)) { return index.insert(id, shape, groups); }
                    return random.below(3) == 0 ? index.erase(id)
                                                : index.replace(id, shape, groups);
                },
                random_obstacle<Dim>(random, 30.0f, 3.0f));
            ASSERT_EQ(status, Status{});
        }
        if (cleanup) { index.release_staging(); }
    }

    static void replace_all(Subject& index, bool own, bool groups, std::size_t count) {
        scenes::Random random(own ? 7 : 8);
        ObstacleTruth<Dim> truth;
        truth.fill(random, count, 30.0f, own ? 3.0f : 0.5f);
        ObstacleArrays<Dim> arrays = truth.arrays();
        if (!groups) { arrays.groups = {}; }
        ASSERT_EQ(index.set(arrays), Status{});
    }
    static void make_few(Subject& index) { replace_all(index, true, true, 9); }

    static void live(Subject& index, Past past, bool own, bool groups) {
        if (past == Past::empty) { ASSERT_EQ(index.set({}), Status{}); }
        if (past == Past::never || past == Past::empty) { return; }
        if (past != Past::inserted) {
            ASSERT_NO_FATAL_FAILURE(replace_all(index, own, groups, 300));
        }
        if (past == Past::cleared) { index.clear(); }
        if (past == Past::edited || past == Past::inserted) {
            ASSERT_NO_FATAL_FAILURE(edit(index, 5, 500, past == Past::inserted));
        }
    }

    /// A slot in the middle is free, and the last one was taken by a replacement.
    static void make_small(Subject& index) {
        ASSERT_NO_FATAL_FAILURE(make_few(index));
        const Box<Dim> box = {Point<Dim>::all(1.0f), Point<Dim>::all(2.0f)};
        ASSERT_EQ(index.erase(2), Status{});
        ASSERT_EQ(index.insert(11, box, 3), Status{});
        ASSERT_EQ(index.replace(4, box, 5), Status{});
    }

    /// What questions of each form find.
    struct Answers {
        std::vector<ObstacleNear<Dim>> near;
        std::vector<ObstacleHit<Dim>> hits;
        std::vector<Id> ids;

        friend bool operator==(const Answers&, const Answers&) = default;
    };
    static Answers asked(const Subject& index) {
        Answers found;
        EXPECT_EQ(index.query(Ball<Dim>{{}, kLargest}, found.near).status, Status{});
        EXPECT_EQ(found.near.size(), index.size());
        scenes::Random random(9);
        for (int i = 0; i < 20; ++i) {
            const Filter filter = {i % 2 == 0 ? kAllGroups : 3u, random.below(12)};
            const auto from = random_point<Dim>(random, 40.0f);
            const auto to = random_point<Dim>(random, 40.0f);
            ObstacleNear<Dim> near;
            EXPECT_EQ(index.nearest(from, near, 20.0f, filter).status, Status{});
            found.near.push_back(near);
            ObstacleHit<Dim> hit;
            EXPECT_EQ(index.first(Capsule<Dim>{from, to, 0.5f}, hit, filter).status, Status{});
            found.hits.push_back(hit);
            std::vector<Id> ids;
            const auto box = Box<Dim>::around(from, Point<Dim>::all(9.0f));
            EXPECT_EQ(index.query(box, ids, filter).status, Status{});
            found.ids.insert(found.ids.end(), ids.begin(), ids.end());
        }
        return found;
    }

    static void expect_same(const Subject& a, const Subject& b) {
        ASSERT_STREQ(b.validate(), nullptr);
        ASSERT_TRUE(asked(a) == asked(b));
        ASSERT_EQ(saved(a), saved(b));
    }

    static void use(Subject& index) {
        ASSERT_STREQ(index.validate(), nullptr);
        (void)asked(index);
        for (Id id = 0; id < 12; ++id) {
            const Box<Dim> box = {Point<Dim>{}, Point<Dim>::all(static_cast<float>(id))};
            if (!index.contains(id)) {
                ASSERT_EQ(index.insert(id, box), Status{});
            } else {
                ASSERT_EQ(id % 2 == 0 ? index.erase(id) : index.replace(id, box), Status{});
            }
        }
        ASSERT_STREQ(index.validate(), nullptr);
        (void)asked(index);
    }
};

using FrozenEntries = testing::Types<InRowGrid<2>, InRowGrid<3>, InLooseTree<2>, InLooseTree<3>,
                                     InCrowd<2>, InCrowd<3>, InObstacles<2>, InObstacles<3>>;
} // namespace throng::test
