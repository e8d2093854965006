// Batches of questions to obstacles: the same bits on every executor with any number of threads,
// and no harm if an executor fails.
#include "../../engine/obstacles/obstacle_scene.hpp"
#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"
#include "../executors/loops.hpp"

#include <throng/parallel/executors/callback_executor.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace throng::test {
namespace {

template <class Dim>
class ObstacleBatches : public testing::Test {};
TYPED_TEST_SUITE(ObstacleBatches, Dims, DimNames);

/// Obstacles, questions about them, and the answers.
template <std::size_t Dim>
struct Asked {
    ObstacleTruth<Dim> truth;
    std::vector<Point<Dim>> points;
    std::vector<Segment<Dim>> segments;
    std::vector<Capsule<Dim>> capsules;
    Filter filter = {13, 40};

    struct Answers {
        std::vector<ObstacleNear<Dim>> near;
        std::vector<ObstacleHit<Dim>> hits;
        std::vector<std::uint8_t> clear;
        std::size_t nearby = 0, hit = 0, seen = 0;

        friend bool operator==(const Answers&, const Answers&) = default;
    };

    explicit Asked(std::size_t count) {
        scenes::Random random(31);
        truth.fill(random, 5000, 90.0f, 3.0f); // two blocks of obstacles
        for (std::size_t i = 0; i < count; ++i) {
            const Point<Dim> from = random_point<Dim>(random, 100.0f);
            points.push_back(from);
            segments.push_back({from, moved(from, random_point<Dim>(random, 12.0f))});
            capsules.push_back({from, segments.back().to, random.unit()});
        }
    }
    [[nodiscard]] Answers answers(const Obstacles<Dim>& obstacles, Executor& executor) const {
        Answers made;
        made.near.resize(points.size());
        made.hits.resize(points.size());
        made.clear.resize(points.size());
        made.nearby = obstacles.nearest(points, made.near, executor, 5.0f, filter).count;
        made.hit = obstacles.first(capsules, made.hits, executor, filter).count;
        made.seen = obstacles.sight(segments, made.clear, executor, filter).count;
        return made;
    }
};

TYPED_TEST(ObstacleBatches, AreTheSameOnEveryExecutor) {
    constexpr std::size_t kDim = TypeParam::value;
    const Asked<kDim> asked(6'500);
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(asked.truth.arrays()), Status{});
    const auto wanted = asked.answers(obstacles, serial_executor());
    ASSERT_GT(wanted.nearby, 0u);
    ASSERT_GT(wanted.hit, 0u);
    ASSERT_GT(wanted.seen, 0u);
    const auto check = [&](Executor& executor) {
        Obstacles<kDim> own;
        ASSERT_EQ(own.set(asked.truth.arrays(), executor), Status{});
        ASSERT_STREQ(own.validate(), nullptr);
        ASSERT_TRUE(asked.answers(own, executor) == wanted);
    };
    for (const std::size_t threads : kThreadCounts) {
        SCOPED_TRACE(threads);
        EagerPool eager(threads);
        check(eager);
        ThreadPool pool(threads);
        check(pool);
        BoastingExecutor boasting(threads);
        check(boasting);
    }
    ShuffleExecutor shuffled(5);
    check(shuffled);
    ElsewhereExecutor elsewhere;
    check(elsewhere);
    // In a host's job system that runs the last job first.
    CallbackExecutor backwards(
        {[](JobFunction job, std::size_t count, void* context, void*) -> void* {
             for (std::size_t b = count; b-- > 0;) {
                 job(b, b + 1, context);
             }
             return nullptr;
         },
         nullptr, nullptr});
    check(backwards);
}

/// Calls call(obstacles, executor) with a fault in each of its loops in turn. A call that fails
/// must leave the obstacles as before; one that succeeds must have the result `after`, because a
/// change that has begun is completed whatever the executor does. Returns the number of failures.
template <std::size_t Dim>
std::size_t failures(const Asked<Dim>& asked, const typename Asked<Dim>::Answers& before,
                     const typename Asked<Dim>::Answers& after,
                     const std::function<Status(Obstacles<Dim>&, Executor&)>& call) {
    std::size_t failed = 0;
    for (const Fault fault : kEveryFault) {
        for (std::size_t run = 0;; ++run) {
            EXPECT_LT(run, 100u);
            if (run >= 100) { return failed; }
            Obstacles<Dim> obstacles;
            EXPECT_TRUE(obstacles.set(asked.truth.arrays()).ok());
            FaultyExecutor faulty(fault, run, run + 1);
            bool ok = false;
            try {
                const Status status = call(obstacles, faulty);
                ok = status.ok();
                if (!ok) {
                    EXPECT_EQ(status.cause, Cause::executor_failed);
                    EXPECT_EQ(status.argument, Argument::executor);
                }
            } catch (const ExecutorError&) {
                EXPECT_TRUE(fault == Fault::throw_before || fault == Fault::throw_after);
            }
            failed += ok ? 0 : 1;
            EXPECT_STREQ(obstacles.validate(), nullptr);
            EXPECT_TRUE(asked.answers(obstacles, serial_executor()) == (ok ? after : before))
                << static_cast<int>(fault) << " in loop " << run;
            if (!faulty.failed()) { break; }
        }
    }
    return failed;
}

TYPED_TEST(ObstacleBatches, LeaveObstaclesAsTheyWereWhereTheExecutorFails) {
    constexpr std::size_t kDim = TypeParam::value;
    const Asked<kDim> asked(2'100);
    Asked<kDim> others(1);
    for (auto& box : others.truth.boxes) {
        box.hi[0] += 5.0f;
    }
    Obstacles<kDim> changed;
    ASSERT_EQ(changed.set(others.truth.arrays()), Status{});
    const auto after = asked.answers(changed, serial_executor());
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(asked.truth.arrays()), Status{});
    const auto before = asked.answers(obstacles, serial_executor());
    ASSERT_FALSE(before == after);
    std::vector<ObstacleNear<kDim>> near(asked.points.size());
    std::vector<ObstacleHit<kDim>> hits(asked.points.size());
    std::vector<std::uint8_t> clear(asked.points.size());
    using Any = Obstacles<kDim>;
    const std::function<Status(Any&, Executor&)> calls[] = {
        [&](Any& of, Executor& on) { return of.set(others.truth.arrays(), on); },
        [&](Any& of, Executor& on) { return of.nearest(asked.points, near, on).status; },
        [&](Any& of, Executor& on) { return of.first(asked.capsules, hits, on).status; },
        [&](Any& of, Executor& on) { return of.sight(asked.segments, clear, on).status; },
    };
    for (const auto& call : calls) {
        const auto& then = &call == &calls[0] ? after : before;
        EXPECT_GE((failures<kDim>(asked, before, then, call)), 5u);
    }
}

TYPED_TEST(ObstacleBatches, ServeManyThreadsAtOnce) {
    constexpr std::size_t kDim = TypeParam::value;
    const Asked<kDim> asked(1'500);
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(asked.truth.arrays()), Status{});
    const auto wanted = asked.answers(obstacles, serial_executor());
    EagerPool pool(3);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            Executor& executor = t % 2 == 0 ? static_cast<Executor&>(pool) : serial_executor();
            for (int round = 0; round < 3; ++round) {
                if (!(asked.answers(obstacles, executor) == wanted)) { ++wrong; }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace throng::test
