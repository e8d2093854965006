// Executors that drop, repeat, reorder or throw: the answer is right, or the call has changed
// nothing and says so.
#include "../support/threads/executors.hpp"
#include "every_index.hpp"
#include "shown.hpp"

#include <throng/engine/agents/edit.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace throng {
namespace {

using test::Fault;

/// All structures but brute force, which has no blocks and takes long for pairs.
using HavingBlocks =
    testing::Types<test::InRowGrid<2>, test::InRowGrid<3>, test::InLooseTree<2>,
                   test::InLooseTree<3>, test::InTightQuadtree, test::InDoubleGrid<2>,
                   test::InDoubleGrid<3>, test::InNestedIndex, test::InCrowd<2>, test::InCrowd<3>>;

template <class Entry>
class EveryExecutor : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Entry::kDim;
    using Subject = typename Entry::Index;
    using Said = test::Shown<kAxes>;

    /// Makes call(index, executor), which returns a Status, with a fault in each of its loops in
    /// turn.
    template <class Make, class Call>
    void fail_each_run(const Make& make, const Call& call) {
        Subject whole = make();
        const Said before = test::shown_sound<kAxes>(whole);
        ASSERT_EQ(call(whole, serial_executor()), Status{});
        const Said after = test::shown_sound<kAxes>(whole);
        for (const Fault fault : test::kEveryFault) {
            bool failed = true;
            for (std::size_t run = 0; failed; ++run) {
                SCOPED_TRACE(testing::Message()
                             << "fault " << static_cast<int>(fault) << " in loop " << run);
                ASSERT_LT(run, 100u);
                Subject index = make();
                test::FaultyExecutor executor(fault, run, run + 1);
                bool refused = false;
                try {
                    const Status status = call(index, executor);
                    refused = !status.ok();
                    if (refused) {
                        ASSERT_EQ(status.cause, Cause::executor_failed);
                        ASSERT_EQ(status.argument, Argument::executor);
                    }
                } catch (const test::ExecutorError&) { refused = true; }
                failed = executor.failed();
                // A call that can no longer fail is completed.
                ASSERT_TRUE(failed || !refused);
                ASSERT_TRUE(fault != Fault::repeat || !refused);
                ASSERT_TRUE(test::shown_sound<kAxes>(index) == (refused ? before : after));
                if (!refused) { continue; }
                ASSERT_EQ(call(index, serial_executor()), Status{});
                ASSERT_TRUE(test::shown_sound<kAxes>(index) == after);
            }
        }
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            Subject index = make();
            test::ShuffleExecutor executor(seed);
            ASSERT_EQ(call(index, executor), Status{});
            ASSERT_TRUE(test::shown_sound<kAxes>(index) == after);
        }
    }
};
TYPED_TEST_SUITE(EveryExecutor, HavingBlocks, test::IndexNames);

TYPED_TEST(EveryExecutor, UpdatesAllOrNone) {
    constexpr std::size_t kDim = TypeParam::kDim;
    using Index = typename TypeParam::Index;
    auto few = scenes::make<kDim>("mixed_sizes", 100, scenes::Groups::masks);
    auto many = scenes::make<kDim>("uniform", 9'000);
    const auto agents = many.agents();
    ASSERT_NO_FATAL_FAILURE(this->fail_each_run(
        [&] {
            Index index;
            EXPECT_EQ(index.update(few.agents()), Status{});
            return index;
        },
        [&](Index& index, Executor& executor) { return index.update(agents, executor); }));
}

TYPED_TEST(EveryExecutor, EditsAllOrNone) {
    constexpr std::size_t kDim = TypeParam::kDim;
    using Index = typename TypeParam::Index;
    using Change = Edit<kDim>;
    if constexpr (requires(Index & index, std::span<const Change> edits) {
                      index.edit(edits, serial_executor());
                  }) {
        auto scene = scenes::make<kDim>("uniform", 2'000);
        std::vector<Change> edits;
        for (Id id = 0; id < 2'000; ++id) {
            edits.push_back(id % 5 == 4 ? Change::erase(id)
                                        : Change::move(id, scene.position_of(1'999 - id)));
        }
        ASSERT_NO_FATAL_FAILURE(this->fail_each_run(
            [&] {
                Index index;
                EXPECT_EQ(index.update(scene.agents()), Status{});
                return index;
            },
            [&](Index& index, Executor& executor) { return index.edit(edits, executor); }));
    }
}

} // namespace
} // namespace throng
