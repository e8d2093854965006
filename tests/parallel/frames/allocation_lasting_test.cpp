// Lasting lists allocate nothing, and a frame that gets no memory leaves them unchanged.
#include "../../support/allocation_counter.hpp"

#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <vector>

namespace throng::test {
namespace {

struct Moving {
    std::array<std::vector<float>, 2> position;
    Crowd<2> crowd;
    LastingNeighbours<2> lists{{{1.5f}, 0.5f}};

    Moving() {
        CrowdSettings<2> settings;
        settings.refits = false; // moving to other cells takes memory
        EXPECT_EQ(crowd.configure(settings), Status{});
        for (std::size_t i = 0; i < 900; ++i) {
            position[0].push_back(static_cast<float>(i % 30));
            position[1].push_back(static_cast<float>(i / 30));
        }
    }
    [[nodiscard]] Agents<2> agents() const {
        Agents<2> all;
        all.positions = PointView<2>::separate({position[0].data(), position[1].data()}, 900);
        return all;
    }
    /// Moves a few agents close to others, so that lists become longer.
    void crowd_together() {
        for (auto& axis : position) {
            for (std::size_t i = 0; i < axis.size(); i += 29) {
                axis[i] -= 0.2f;
            }
        }
    }
    void move(float by) {
        for (float& x : position[0]) {
            x += by;
        }
    }
};

TEST(LastingListsMemory, IsNotTakenWhileTheyLast) {
    Moving moving;
    Hits hits;
    ASSERT_EQ(moving.lists.update(moving.crowd, moving.agents()), Status{});
    ASSERT_EQ(moving.lists.neighbours(moving.agents(), hits), Status{});
    const std::size_t before = allocations();
    for (int frame = 0; frame < 5; ++frame) {
        moving.move(0.03f);
        ASSERT_EQ(moving.lists.update(moving.crowd, moving.agents()), Status{});
        ASSERT_EQ(moving.lists.neighbours(moving.agents(), hits), Status{});
    }
    EXPECT_EQ(allocations(), before);
    EXPECT_EQ(moving.lists.lasted(), 5u);
}

TEST(LastingListsMemory, IsNotTakenForListsALittleLonger) {
    Moving moving;
    Hits hits;
    std::size_t before = 0, candidates = 0;
    for (int frame = 0; frame < 6; ++frame) {
        // Two sets of lists are used in turn, so both have their memory from the third frame on.
        if (frame == 2) {
            before = allocations();
            candidates = moving.lists.candidates().total();
        }
        moving.move(1.0f); // so far that new lists are made
        moving.crowd_together();
        ASSERT_EQ(moving.lists.update(moving.crowd, moving.agents()), Status{});
        ASSERT_EQ(moving.lists.neighbours(moving.agents(), hits), Status{});
    }
    EXPECT_EQ(moving.lists.made(), 6u);
    EXPECT_GT(moving.lists.candidates().total(), candidates);
    EXPECT_EQ(allocations(), before);
}

TEST(LastingListsMemory, MayRunOutAnywhere) {
    std::size_t failures = 0;
    for (bool failed = true; failed; ++failures) {
        ASSERT_LT(failures, 1'000u);
        Moving moving;
        Hits before, after;
        ASSERT_EQ(moving.lists.update(moving.crowd, moving.agents()), Status{});
        ASSERT_EQ(moving.lists.neighbours(moving.agents(), before), Status{});
        const auto old = moving.position;
        moving.move(1.0f);
        {
            const FailingAllocations failing(failures);
            try {
                (void)moving.lists.update(moving.crowd, moving.agents());
            } catch (const std::bad_alloc&) {} // checked below
            failed = failing.failed();
        }
        if (!failed) { break; }
        if (moving.lists.made() == 1) {
            const auto moved = moving.position;
            moving.position = old;
            ASSERT_EQ(moving.lists.neighbours(moving.agents(), after), Status{});
            EXPECT_EQ(after.offsets, before.offsets);
            EXPECT_EQ(after.ids, before.ids);
            moving.position = moved;
        }
        ASSERT_EQ(moving.lists.update(moving.crowd, moving.agents()), Status{});
        EXPECT_EQ(moving.lists.made(), 2u);
    }
    EXPECT_GT(failures, 5u);
}

TEST(LastingListsMemory, MayRunOutWhileTheyAreFiltered) {
    std::size_t failures = 0;
    for (bool failed = true; failed; ++failures) {
        ASSERT_LT(failures, 1'000u);
        Moving moving, other;
        ASSERT_EQ(moving.lists.update(moving.crowd, moving.agents()), Status{});
        ASSERT_EQ(other.lists.update(other.crowd, other.agents()), Status{});
        Hits hits, wanted;
        ASSERT_EQ(other.lists.neighbours(other.agents(), wanted), Status{});
        {
            const FailingAllocations failing(failures);
            try {
                (void)moving.lists.neighbours(moving.agents(), hits);
            } catch (const std::bad_alloc&) { EXPECT_TRUE(hits.offsets.empty()); }
            failed = failing.failed();
        }
        ASSERT_EQ(moving.lists.neighbours(moving.agents(), hits), Status{});
        EXPECT_EQ(hits.offsets, wanted.offsets);
        for (std::size_t k = 0; k < moving.lists.order().size(); ++k) {
            ASSERT_TRUE(std::ranges::equal(hits.of(k), wanted.of(k)));
        }
    }
    EXPECT_GT(failures, 5u);
}

} // namespace
} // namespace throng::test
