// Updates on several threads: the same as on one thread, in the same order, or nothing at all.
#include "../support/fail_each.hpp"
#include "../support/threads/executors.hpp"
#include "every_index.hpp"
#include "shown.hpp"

#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

template <class Entry>
class UpdateThreads : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Entry::kDim;
    using Scene = scenes::Scene<kAxes>;

    /// The crowd, with agents begin ... end - 1 moved by up to a step.
    static Scene walked(Scene scene, std::size_t begin, std::size_t end, float step) {
        scenes::Random random(begin + end);
        for (std::vector<float>& axis : scene.position) {
            for (std::size_t i = begin; i < end; ++i) {
                axis[i] += random.between(-step, step);
            }
        }
        return scene;
    }
    /// Many frames: few agents leave their leaves, or many, from everywhere or only from the
    /// beginning or the end of the arrays.
    static std::vector<Scene> frames(const char* name, std::size_t count) {
        std::vector<Scene> all{scenes::make<kAxes>(name, count, scenes::Groups::masks)};
        const auto then = [&](std::size_t begin, std::size_t end, float step) {
            all.push_back(walked(all.back(), begin, end, step));
        };
        then(0, count, 0.002f);
        then(0, count, 0.02f);
        then(count - 500, count, 2.0f);
        then(count / 2, count / 2 + 400, 2.0f);
        then(0, 300, 2.0f);
        then(0, count, 0.01f);
        then(0, count, 1.0f);
        then(0, count, 0.005f);
        all.push_back(all[2]);
        return all;
    }
};
using Updated = testing::Types<test::InTightQuadtree, test::InNestedIndex>;
TYPED_TEST_SUITE(UpdateThreads, Updated, test::IndexNames);

TYPED_TEST(UpdateThreads, MakeWhatOneThreadMakesInEachFrame) {
    constexpr std::size_t kDim = TypeParam::kDim;
    using Index = typename TypeParam::Index;
    for (const char* const name : {"uniform", "clustered", "mixed_sizes"}) {
        SCOPED_TRACE(name);
        std::vector<scenes::Scene<kDim>> frames = this->frames(name, 9'000);
        std::vector<test::Shown<kDim>> after;
        Index serial;
        ASSERT_EQ(TypeParam::lay_out(serial, frames[0], kind_of(frames[0].agents())), Status{});
        for (auto& frame : frames) {
            ASSERT_EQ(serial.update(frame.agents()), Status{});
            after.push_back(test::shown_sound<kDim>(serial));
        }
        const auto expect_same = [&](Executor& executor) {
            Index index;
            ASSERT_EQ(TypeParam::lay_out(index, frames[0], kind_of(frames[0].agents())), Status{});
            for (std::size_t f = 0; f < frames.size(); ++f) {
                ASSERT_EQ(index.update(frames[f].agents(), executor), Status{});
                ASSERT_TRUE(test::shown_sound<kDim>(index) == after[f]) << "frame " << f;
            }
        };
        for (const std::size_t threads : {2u, 3u, 16u}) {
            SCOPED_TRACE(testing::Message() << threads << " threads");
            test::EagerPool eager(threads);
            ASSERT_NO_FATAL_FAILURE(expect_same(eager));
            test::BoastingExecutor boasting(threads);
            ASSERT_NO_FATAL_FAILURE(expect_same(boasting));
        }
    }
}

/// A crowd that has some agents alone in wide leaves, and thousands in cells that must be split.
scenes::Scene<2> uneven(std::size_t count) {
    scenes::Scene<2> scene = scenes::make<2>("mixed_sizes", count, scenes::Groups::masks);
    for (std::size_t a = 0; a < 2; ++a) {
        const float lo = scene.world.lo[a];
        const float width = scene.world.hi[a] - lo;
        for (std::size_t i = 0; i < count; ++i) {
            float& x = scene.position[a][i];
            if (i % 64 != 0) { x = lo + width * 0.4f + (x - lo) * (i % 3 == 0 ? 0.01f : 0.2f); }
        }
    }
    return scene;
}

TEST(TightQuadtreesOnThreads, AreTheSameAtEveryDepthAndForEveryLeaf) {
    const auto scene = uneven(3'000);
    auto agents = scene;
    for (const unsigned depth : {1u, 5u, 6u, 8u, 11u, 16u}) {
        for (const unsigned split_above : {4u, 8u, 60u, 1'000u, 30'000u}) {
            SCOPED_TRACE(testing::Message() << depth << " deep, split above " << split_above);
            const auto made = [&](TightQuadtree& index, Executor& executor) {
                ASSERT_EQ(
                    index.configure(scene.world, {depth, split_above}, kind_of(agents.agents())),
                    Status{});
                ASSERT_EQ(index.update(agents.agents(), executor), Status{});
                // Holes must be sound, too.
                for (Id id = 0; id < 300; ++id) {
                    ASSERT_EQ(index.erase(id * 7), Status{});
                }
                index.cleanup();
                ASSERT_STREQ(index.validate(), nullptr);
            };
            TightQuadtree serial;
            ASSERT_NO_FATAL_FAILURE(made(serial, serial_executor()));
            const auto wanted = test::shown<2>(serial);
            test::EagerPool eager(3);
            test::BoastingExecutor boasting(8);
            test::ShuffleExecutor shuffled(depth + split_above);
            for (Executor* const executor :
                 {static_cast<Executor*>(&eager), static_cast<Executor*>(&boasting),
                  static_cast<Executor*>(&shuffled)}) {
                TightQuadtree index;
                ASSERT_NO_FATAL_FAILURE(made(index, *executor));
                ASSERT_TRUE(test::shown<2>(index) == wanted);
            }
        }
    }
}

TYPED_TEST(UpdateThreads, MakeTheSameOfSixtyThousandInAnyOrder) {
    constexpr std::size_t kDim = TypeParam::kDim;
    using Index = typename TypeParam::Index;
    auto scene = uneven(60'000);
    const auto after = [&](Executor& executor) {
        Index index;
        EXPECT_EQ(TypeParam::lay_out(index, scene, kind_of(scene.agents())), Status{});
        EXPECT_EQ(index.update(scene.agents(), executor), Status{});
        std::vector<Box<kDim>> cells;
        std::vector<Id> ids;
        EXPECT_STREQ(index.validate(), nullptr);
        index.visit_cells([&](const IndexCell<kDim>& cell) {
            cells.push_back(cell.box);
            return true;
        });
        (void)index.visit(scene.world, [&](std::span<const Id> run) {
            ids.insert(ids.end(), run.begin(), run.end());
            return true;
        });
        return std::pair(cells, ids);
    };
    const auto wanted = after(serial_executor());
    for (const std::size_t threads : {2u, 3u, 8u}) {
        test::EagerPool eager(threads);
        EXPECT_TRUE(after(eager) == wanted) << threads << " threads";
        test::ShuffleExecutor shuffled(threads);
        EXPECT_TRUE(after(shuffled) == wanted) << "order " << threads;
        test::BoastingExecutor boasting(threads);
        EXPECT_TRUE(after(boasting) == wanted) << "said to be " << threads;
    }
}

TYPED_TEST(UpdateThreads, AFrameWithABrokenExecutorIsWholeOrNone) {
    constexpr std::size_t kDim = TypeParam::kDim;
    using Index = typename TypeParam::Index;
    std::vector<scenes::Scene<kDim>> frames = this->frames("mixed_sizes", 4'000);
    for (const std::size_t next : {1u, 7u}) { // few changes, and many
        Index whole;
        ASSERT_EQ(whole.update(frames[0].agents()), Status{});
        const auto before = test::shown_sound<kDim>(whole);
        ASSERT_EQ(whole.update(frames[next].agents()), Status{});
        const auto after = test::shown_sound<kDim>(whole);
        for (const test::Fault fault : test::kEveryFault) {
            std::size_t refusals = 0;
            bool failed = true;
            for (std::size_t run = 0; failed; ++run) {
                SCOPED_TRACE(testing::Message()
                             << "fault " << static_cast<int>(fault) << " in loop " << run);
                ASSERT_LT(run, 100u);
                Index index;
                ASSERT_EQ(index.update(frames[0].agents()), Status{});
                test::FaultyExecutor executor(fault, run, run + 1);
                bool refused = false;
                try {
                    const Status status = index.update(frames[next].agents(), executor);
                    refused = !status.ok();
                    if (refused) { ASSERT_EQ(status.cause, Cause::executor_failed); }
                } catch (const test::ExecutorError&) { refused = true; }
                failed = executor.failed();
                refusals += refused ? 1 : 0;
                ASSERT_TRUE(test::shown_sound<kDim>(index) == (refused ? before : after));
            }
            EXPECT_EQ(refusals == 0, fault == test::Fault::repeat);
        }
    }
}

TYPED_TEST(UpdateThreads, NoMemoryInABlockChangesNothing) {
    const test::AllocationsFail somewhere;
    constexpr std::size_t kDim = TypeParam::kDim;
    using Index = typename TypeParam::Index;
    std::vector<scenes::Scene<kDim>> frames = this->frames("mixed_sizes", 2'500);
    for (const std::size_t next : {1u, 2u, 7u}) {
        SCOPED_TRACE(next);
        const auto agents = frames[next].agents();
        test::fail_each_allocation(
            [&] {
                Index index;
                EXPECT_EQ(index.update(frames[0].agents()), Status{});
                return index;
            },
            [&](Index& index) {
                test::FaultyExecutor blocks(test::Fault::repeat, 0);
                return index.update(agents, blocks);
            },
            // Leaves that find no memory to be split stay as they are.
            &test::shown_sound<kDim, Index>, test::Memory::useful);
    }
}

TYPED_TEST(UpdateThreads, RefuseWhatOneThreadRefuses) {
    constexpr std::size_t kDim = TypeParam::kDim;
    using Index = typename TypeParam::Index;
    const auto scene = scenes::make<kDim>("mixed_sizes", 6'000, scenes::Groups::masks);
    Index index;
    auto sound = scene;
    ASSERT_EQ(index.update(sound.agents()), Status{});
    const auto before = test::shown_sound<kDim>(index);
    test::EagerPool pool(3);
    for (const std::size_t wrong : {0u, 1'023u, 1'024u, 5'999u}) {
        auto bad = scene;
        bad.half_extent[1][wrong / 2] = -1.0f;
        const Status extent = index.update(bad.agents(), pool);
        EXPECT_EQ(extent, index.update(bad.agents()));
        EXPECT_EQ(extent.cause, Cause::negative);
        EXPECT_EQ(extent.index, wrong / 2);
        bad.position[0][wrong] = std::numeric_limits<float>::quiet_NaN();
        bad.position[1][5'999] = std::numeric_limits<float>::infinity();
        const Status position = index.update(bad.agents(), pool);
        EXPECT_EQ(position, index.update(bad.agents()));
        EXPECT_EQ(position.argument, Argument::positions);
        EXPECT_EQ(position.index, wrong);
        ASSERT_TRUE(test::shown_sound<kDim>(index) == before);
    }
}

} // namespace
} // namespace throng
