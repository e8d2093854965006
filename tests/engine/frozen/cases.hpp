// Shared by the tests of saving and loading.
#pragma once

#include "../../family/every_index.hpp"
#include "../../family/shown.hpp"
#include "../../support/random.hpp"

#include <throng/engine/frozen/frozen.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

using Bytes = std::vector<std::byte>;

/// The history of a crowd before it is saved.
enum class Past : std::uint8_t { never, empty, cleared, updated, edited, inserted, kEnd };

template <class Entry>
class FrozenCase : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Entry::kDim;
    using Subject = typename Entry::Index;
    using Scene = scenes::Scene<kAxes>;

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

    static Bytes saved(const Subject& index) {
        Bytes bytes;
        EXPECT_EQ(save(index, bytes), Status{});
        return bytes;
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

    /// Loading these bytes fails, and changes nothing.
    static Status refused(std::span<const std::byte> bytes, Subject& index, const Bytes& before) {
        const Status status = load(index, bytes);
        EXPECT_EQ(status.argument, Argument::file);
        EXPECT_EQ(saved(index), before);
        return status;
    }
};

using FrozenEntries = testing::Types<InRowGrid<2>, InRowGrid<3>, InLooseTree<2>, InLooseTree<3>,
                                     InCrowd<2>, InCrowd<3>>;
} // namespace throng::test
