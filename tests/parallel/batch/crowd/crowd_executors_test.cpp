// The answers of a crowd's batch do not depend on the executor, and executors that break their
// promises are noticed.
#include <throng/parallel/batch/batch.hpp>

#include "../../../../engine/core/access_check.hpp"
#include "../../../support/dims.hpp"
#include "../../../support/reports.hpp"
#include "../../../support/threads/executors.hpp"
#include "../../executors/loops.hpp"
#include "../faulty_calls.hpp"
#include "crowd_calls.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string_view>
#include <utility>

namespace throng {
namespace {

using test::CrowdCalls;
using test::VisitorError;
using test::World;

template <class Dim>
class CrowdBatchExecutors : public testing::Test {};
TYPED_TEST_SUITE(CrowdBatchExecutors, test::Dims, test::DimNames);

/// The hashes of all calls after an update on the same executor.
template <std::size_t Dim>
std::vector<std::uint64_t> hashes(World<Dim>& world, Executor& executor) {
    world.update(executor);
    CrowdCalls<Dim> calls(world);
    Batch<Dim> batch(executor);
    return calls.make_all(batch);
}

TYPED_TEST(CrowdBatchExecutors, GiveTheSameBits) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::string_view name : {"mixed_sizes", "rim"}) {
        World<kDim> world(name, 1'600, 300, scenes::Groups::masks);
        const auto wanted = hashes(world, serial_executor());
        for (const std::size_t threads : test::kThreadCounts) {
            test::EagerPool pool(threads);
            EXPECT_EQ(hashes(world, pool), wanted) << threads;
        }
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            test::ShuffleExecutor executor(seed);
            EXPECT_EQ(hashes(world, executor), wanted) << seed;
        }
    }
}

TYPED_TEST(CrowdBatchExecutors, AreNoticedWhenTheyFail) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("mixed_sizes", 700, 100, scenes::Groups::masks);
    CrowdCalls<kDim> calls(world);
    ASSERT_NO_FATAL_FAILURE(test::expect_faults_noticed<Batch<kDim>>(calls));
    EXPECT_STREQ(world.crowd.validate(), nullptr);
}

TYPED_TEST(CrowdBatchExecutors, StopForVisitors) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("mixed_sizes", 1'600, 300, scenes::Groups::none);
    const std::size_t blocks = Batch<kDim>::pair_blocks({world.crowd, PairSets::all});
    ASSERT_GE(blocks, 6u);
    test::EagerPool pool(3);
    Batch<kDim> serial, shared(pool);
    CrowdCalls<kDim> calls(world);
    const auto wanted = calls.make_all(serial);
    for (Batch<kDim>* batch : {&serial, &shared}) {
        std::vector<std::atomic<int>> had(blocks);
        const auto note = [&](std::size_t block, std::span<const Id>, std::span<const Id>) {
            ++had.at(block);
            return true;
        };
        EXPECT_TRUE(batch->visit_pairs({world.crowd, PairSets::all}, note).status.ok());
        for (std::size_t at = 0; at < blocks; ++at) {
            if (had[at] == 0) { continue; } // a block without pairs
            const auto visitor = [&](std::size_t block, std::span<const Id>,
                                     std::span<const Id>) -> bool {
                if (block == at) { throw VisitorError{}; }
                return true;
            };
            EXPECT_THROW((void)batch->visit_pairs({world.crowd, PairSets::all}, visitor),
                         VisitorError);
        }
        EXPECT_EQ(calls.make_all(*batch), wanted);
    }
    // The visitor throws at each of its calls in turn; a block may make several.
    std::size_t calls_made = 0;
    for (bool thrown = true; thrown; ++calls_made) {
        std::size_t visits = 0;
        const auto visitor = [&](std::size_t, std::span<const Id>, std::span<const Id>) -> bool {
            if (visits++ == calls_made) { throw VisitorError{}; }
            return true;
        };
        thrown = false;
        try {
            (void)serial.visit_pairs({world.crowd, PairSets::all}, visitor);
        } catch (const VisitorError&) { thrown = true; }
    }
    EXPECT_GT(calls_made, blocks / 2);
    EXPECT_EQ(calls.make_all(serial), wanted);
    for (std::size_t enough = 1; enough <= blocks; ++enough) {
        std::size_t visits = 0, pairs = 0;
        const Found found =
            serial.visit_pairs({world.crowd, PairSets::all},
                               [&](std::size_t, std::span<const Id> first, std::span<const Id>) {
                                   pairs += first.size();
                                   return ++visits < enough;
                               });
        EXPECT_EQ(found.count, pairs) << "what was visited, and no more";
        EXPECT_LE(visits, enough);
    }
}

/// The crowd counts as in use during the whole call: a changing call that the executor makes before
/// each block is reported, even one that is refused.
TYPED_TEST(CrowdBatchExecutors, MayNotChangeTheCrowd) {
    constexpr std::size_t kDim = TypeParam::value;
    class Meddler final : public Executor {
    public:
        explicit Meddler(Crowd<kDim>& crowd) : crowd_(crowd) {}
        void run(std::size_t blocks, Body body) override {
            for (std::size_t b = 0; b < blocks; ++b) {
                (void)crowd_.erase(kNoId); // refused, but it is still a call that changes the crowd
                body(b);
            }
        }

    private:
        Crowd<kDim>& crowd_;
    };
    test::Reports reports;
    for (const std::string_view name : {"mixed_sizes", "one_agent"}) {
        World<kDim> world(name, 700, name == "one_agent" ? 0 : 100, scenes::Groups::none);
        Meddler meddler(world.crowd);
        Batch<kDim> batch(meddler);
        CrowdCalls<kDim> calls(world);
        for (std::size_t call = 0; call < calls.kCount; ++call) {
            reports.clear();
            EXPECT_TRUE(calls.make(call, batch).status.ok());
            if (name != "one_agent") { EXPECT_EQ(reports.count() != 0, kAccessChecked) << call; }
        }
    }
}

TYPED_TEST(CrowdBatchExecutors, MoveWithTheirBatch) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("mixed_sizes", 700, 100, scenes::Groups::none);
    CrowdCalls<kDim> calls(world);
    Batch<kDim> first;
    const std::size_t fresh = first.memory();
    const auto wanted = calls.make_all(first);
    EXPECT_GT(first.memory(), fresh);
    Batch<kDim> second = std::move(first);
    EXPECT_EQ(calls.make_all(second), wanted);
    first = std::move(second);
    EXPECT_EQ(calls.make_all(first), wanted);
    first.release();
    EXPECT_EQ(first.memory(), fresh);
    EXPECT_EQ(calls.make_all(first), wanted);
}

} // namespace
} // namespace throng
