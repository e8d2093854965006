// Answers of batches in keys: those of the ids that the same call finds.
#include "../../../support/fail_each.hpp"
#include "../../../support/random.hpp"
#include "../../../support/threads/executors.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace throng {
namespace {

using Key = std::uint64_t;

/// Agents with keys and statics in a world of 50 x 50, where every fifth agent is a giant.
struct KeyedWorld {
    Crowd<2> crowd;
    std::vector<Key> keys; ///< by slot
    std::vector<Ball<2>> balls;

    KeyedWorld(std::size_t agents, bool periodic) : keys(agents) {
        scenes::Random random(21);
        const auto place = [&] {
            return Point<2>{{random.between(0.0f, 49.0f), random.between(0.0f, 49.0f)}};
        };
        CrowdSettings<2> settings;
        settings.bounds = Box<2>{Point<2>::all(0.0f), Point<2>::all(50.0f)};
        settings.cell = Point<2>::all(2.0f);
        settings.periodic = {periodic, periodic};
        EXPECT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
        std::vector<Agent<2>> all(agents);
        for (std::size_t i = 0; i < agents; ++i) {
            const bool giant = i % 5 == 0 && agents < 10'000;
            all[i] = {place(), Point<2>::all(giant ? 1.5f : 0.25f), {}};
            keys[i] = std::uint64_t{random.below(0xFFFF'FFFFu)} << 32 | i;
        }
        std::vector<Handle> handles(agents);
        EXPECT_EQ(crowd.add(all, handles, keys), Status{});
        const float rock[] = {1.0f, 20.0f, 48.0f};
        Agents<2> rocks;
        rocks.positions = PointView<2>::separate({rock, rock}, 3);
        EXPECT_EQ(crowd.set_statics(rocks), Status{});
        for (int i = 0; i < 1500; ++i) {
            balls.push_back({place(), random.between(0.0f, 6.0f)});
        }
    }

    void expect_keys_of(const Hits& hits, const KeyHits& answer) const {
        ASSERT_EQ(answer.offsets, hits.offsets);
        ASSERT_GE(answer.keys.size(), hits.total());
        for (std::size_t i = 0; i < hits.total(); ++i) {
            const Id id = hits.ids[i];
            ASSERT_EQ(answer.keys[i], is_static(id) ? id : keys[id]) << i;
        }
    }
};

TEST(BatchInKeys, FindsWhatItFindsInIds) {
    for (const std::size_t agents : {0u, 40u, 4000u, 140'000u}) {
        for (const bool periodic : {false, true}) {
            const KeyedWorld world(agents, periodic);
            const std::span<const Ball<2>> balls(world.balls);
            const float radius = agents > 10'000 ? 0.125f : 1.5f;
            test::ShuffleExecutor shuffle(3);
            test::EagerPool pool(3);
            for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&shuffle),
                                       static_cast<Executor*>(&pool)}) {
                Batch<2> batch(*executor);
                Hits hits;
                KeyHits keys;
                for (const Sets sets : {Sets::all, Sets::small, Sets::statics}) {
                    const Asked<2> asked(world.crowd, sets);
                    for (int again = 0; again < 2; ++again) { // the second time there is room
                        const auto some = balls.first(agents > 10'000 ? 40 : balls.size());
                        const Found found = batch.query(asked, some, hits);
                        ASSERT_EQ(batch.query(asked, some, keys), found);
                        ASSERT_EQ(found.status, Status{});
                        ASSERT_NO_FATAL_FAILURE(world.expect_keys_of(hits, keys));
                    }
                    for (const Order order : {Order::storage, Order::ids}) {
                        const Found found = batch.neighbours(asked, {radius}, hits, order);
                        ASSERT_EQ(batch.neighbours(asked, {radius}, keys, order), found);
                        ASSERT_EQ(found.status, Status{});
                        ASSERT_NO_FATAL_FAILURE(world.expect_keys_of(hits, keys));
                    }
                }
            }
        }
    }
}

TEST(BatchInKeys, OfGridsAreZero) {
    const KeyedWorld world(400, false);
    Batch<2> batch;
    KeyHits keys;
    const Found found = batch.neighbours(world.crowd.grid(), {2.0f}, keys);
    ASSERT_EQ(found.status, Status{});
    ASSERT_GT(found.count, 0u);
    for (std::size_t i = 0; i < found.count; ++i) {
        ASSERT_EQ(keys.keys[i], 0u);
    }
}

TEST(BatchInKeys, ThatAreRefusedOrFailAreEmpty) {
    const KeyedWorld world(4000, false);
    Batch<2> batch;
    KeyHits keys;
    const auto fill = [&] {
        ASSERT_EQ(batch.neighbours(world.crowd, {1.0f}, keys).status, Status{});
        ASSERT_GT(keys.total(), 0u);
    };
    fill();
    EXPECT_EQ(batch.neighbours(world.crowd, {-1.0f}, keys).status.cause, Cause::negative);
    EXPECT_EQ(keys.total(), 0u);
    fill();
    std::vector<Ball<2>> balls = world.balls;
    balls[7].radius = -1.0f;
    EXPECT_EQ(batch.query(world.crowd, std::span<const Ball<2>>(balls), keys).status,
              (Status{Cause::negative, Argument::ball, 7}));
    EXPECT_EQ(keys.total(), 0u);
    for (const test::Fault fault : test::kEveryFault) {
        test::FaultyExecutor executor(fault, 0, 2);
        Batch<2> other(executor);
        fill();
        Status status;
        try {
            status = other.neighbours(world.crowd, {1.0f}, keys).status;
        } catch (const test::ExecutorError&) { status = {Cause::executor_failed}; }
        EXPECT_EQ(keys.total() == 0, !status.ok());
    }
    const test::AllocationsFail somewhere;
    for (std::size_t successes = 0;; ++successes) {
        KeyHits fresh;
        bool failed = false;
        try {
            Batch<2> other;
            const test::FailingAllocations failing(successes, false);
            const Status status = other.neighbours(world.crowd, {1.0f}, fresh).status;
            failed = failing.failed();
            if (!failed) { EXPECT_EQ(status, Status{}); }
        } catch (const std::bad_alloc&) {
            failed = true;
            ++test::AllocationsFail::count;
            EXPECT_EQ(fresh.total(), 0u);
        }
        if (!failed) { break; }
    }
}

} // namespace
} // namespace throng
