// Loops that do not trust their executors.
#include <throng/engine/memory/checked_loop.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace throng {
namespace {

using Body = Executor::Body;

/// An executor that does whatever the test wants.
class Scripted final : public Executor {
public:
    explicit Scripted(std::function<void(std::size_t, Body)> script) : script_(std::move(script)) {}
    void run(std::size_t blocks, Body body) override { script_(blocks, body); }

private:
    std::function<void(std::size_t, Body)> script_;
};

Scripted shuffled(std::uint32_t seed) {
    return Scripted([seed](std::size_t blocks, Body body) {
        std::vector<std::size_t> order(blocks);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), std::mt19937(seed));
        for (const std::size_t b : order) {
            body(b);
        }
    });
}

Scripted leaving_out(std::size_t missing) {
    return Scripted([missing](std::size_t blocks, Body body) {
        for (std::size_t b = blocks; b-- > 0;) {
            if (b != missing) { body(b); }
        }
    });
}

Scripted repeating() {
    return Scripted([](std::size_t blocks, Body body) {
        for (int round = 0; round < 3; ++round) {
            for (std::size_t b = 0; b < blocks; ++b) {
                body(b);
                body(b);
            }
        }
    });
}

Scripted inventing() {
    return Scripted([](std::size_t blocks, Body body) {
        body(blocks);
        for (std::size_t b = 0; b < blocks; ++b) {
            body(b);
        }
        body(blocks + 1);
        body(1'000'000);
        body(std::numeric_limits<std::size_t>::max());
    });
}

Scripted throwing_at(std::size_t last) {
    return Scripted([last](std::size_t blocks, Body body) {
        for (std::size_t b = 0; b < blocks; ++b) {
            if (b == last) { throw std::runtime_error("the executor broke down"); }
            body(b);
        }
    });
}

/// Runs all blocks on each of four threads at once.
Scripted crowding() {
    return Scripted([](std::size_t blocks, Body body) {
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 4; ++t) {
            threads.emplace_back([=] {
                for (std::size_t i = 0; i < blocks; ++i) {
                    body(t % 2 == 0 ? i : blocks - 1 - i);
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    });
}

/// Counts how often each block ran.
struct Runs {
    explicit Runs(std::size_t blocks) : counts(blocks) {}
    void operator()(std::size_t b) const {
        ASSERT_LT(b, counts.size());
        counts[b].fetch_add(1);
    }
    [[nodiscard]] std::size_t total() const {
        return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    }
    void expect_once_each() const {
        for (std::size_t b = 0; b < counts.size(); ++b) {
            EXPECT_EQ(counts[b], 1u) << "block " << b;
        }
    }
    mutable std::vector<std::atomic<unsigned>> counts;
};

constexpr std::size_t kBlocks = 50;

TEST(RunBlocks, RunsEachBlockOnce) {
    LoopClaims claims;
    for (const std::size_t blocks : {std::size_t{0}, std::size_t{1}, std::size_t{7}, kBlocks}) {
        const Runs runs(blocks);
        EXPECT_EQ(run_blocks(serial_executor(), blocks, runs, claims), Status{});
        runs.expect_once_each();
    }
}

TEST(RunBlocks, BearsAnyOrder) {
    LoopClaims claims;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Runs runs(kBlocks);
        Scripted executor = shuffled(seed);
        EXPECT_EQ(run_blocks(executor, kBlocks, runs, claims), Status{});
        runs.expect_once_each();
    }
}

TEST(RunBlocks, SaysWhichBlockWasLeftOut) {
    LoopClaims claims;
    for (const std::size_t missing : {std::size_t{0}, std::size_t{23}, kBlocks - 1}) {
        const Runs runs(kBlocks);
        Scripted executor = leaving_out(missing);
        EXPECT_EQ(run_blocks(executor, kBlocks, runs, claims),
                  (Status{Cause::executor_failed, Argument::executor, missing}));
        EXPECT_EQ(runs.total(), kBlocks - 1);
    }
    Scripted idle([](std::size_t, Body) {});
    const Runs none(kBlocks);
    EXPECT_EQ(run_blocks(idle, kBlocks, none, claims),
              (Status{Cause::executor_failed, Argument::executor, 0}));
    EXPECT_EQ(run_blocks(idle, 0, none, claims), Status{});
}

TEST(RunBlocks, RunsRepeatedBlocksOnce) {
    LoopClaims claims;
    const Runs runs(kBlocks);
    Scripted executor = repeating();
    EXPECT_EQ(run_blocks(executor, kBlocks, runs, claims), Status{});
    runs.expect_once_each();
}

TEST(RunBlocks, RunsBlocksRepeatedOnManyThreadsOnce) {
    LoopClaims claims;
    for (int round = 0; round < 20; ++round) {
        const Runs runs(2'000);
        Scripted executor = crowding();
        EXPECT_EQ(run_blocks(executor, 2'000, runs, claims), Status{});
        runs.expect_once_each();
    }
}

TEST(RunBlocks, NeverRunsInventedBlocks) {
    LoopClaims claims;
    // Room from an earlier and longer loop must not make a number valid.
    claims.prepare(3 * kBlocks);
    const Runs runs(kBlocks);
    Scripted executor = inventing();
    EXPECT_EQ(run_blocks(executor, kBlocks, runs, claims), Status{});
    runs.expect_once_each();
}

TEST(RunBlocks, ThrowsWhatABodyThrewAfterTheExecutorReturned) {
    LoopClaims claims;
    bool returned = false;
    unsigned after = 0;
    Scripted executor([&](std::size_t blocks, Body body) {
        for (std::size_t b = 0; b < blocks; ++b) {
            EXPECT_NO_THROW(body(b));
        }
        returned = true;
    });
    const auto body = [&](std::size_t b) {
        if (b == 10) { throw std::length_error("block 10"); }
        if (b > 10) { ++after; }
    };
    try {
        (void)run_blocks(executor, kBlocks, body, claims);
        FAIL();
    } catch (const std::length_error& error) { EXPECT_STREQ(error.what(), "block 10"); }
    EXPECT_TRUE(returned);
    EXPECT_EQ(after, 0u) << "blocks that had not begun are skipped";

    const Runs runs(kBlocks);
    EXPECT_EQ(run_blocks(serial_executor(), kBlocks, runs, claims), Status{})
        << "all is well again";
    runs.expect_once_each();
}

TEST(RunBlocks, ThrowsOneExceptionThoughManyBodiesThrow) {
    LoopClaims claims;
    for (int round = 0; round < 50; ++round) {
        Scripted executor = crowding();
        EXPECT_THROW((void)run_blocks(
                         executor, kBlocks,
                         [](std::size_t b) { throw std::out_of_range(std::to_string(b)); }, claims),
                     std::out_of_range);
    }
}

TEST(RunBlocks, LetsTheExecutorsOwnExceptionThrough) {
    LoopClaims claims;
    const Runs runs(kBlocks);
    Scripted executor = throwing_at(5);
    EXPECT_THROW((void)run_blocks(executor, kBlocks, runs, claims), std::runtime_error);
    EXPECT_EQ(runs.total(), 5u);
}

TEST(RunBlocks, KeepsItsRoom) {
    LoopClaims claims;
    claims.prepare(kBlocks);
    const std::size_t memory = claims.memory();
    EXPECT_GE(memory, kBlocks);
    for (const std::size_t blocks : {kBlocks, std::size_t{1}, kBlocks}) {
        const Runs runs(blocks);
        EXPECT_EQ(run_blocks(serial_executor(), blocks, runs, claims), Status{});
        EXPECT_EQ(claims.room(), kBlocks);
        EXPECT_EQ(claims.memory(), memory);
    }
}

TEST(FinishBlocks, RunsEachBlockOnceWhateverTheExecutorDoes) {
    std::vector<Scripted> executors = {
        shuffled(1),
        leaving_out(0),
        leaving_out(kBlocks - 1),
        repeating(),
        inventing(),
        throwing_at(0),
        throwing_at(30),
        crowding(),
        Scripted([](std::size_t, Body) {}),
        Scripted([](std::size_t, Body) { throw std::bad_alloc(); }),
        Scripted([](std::size_t, Body body) {
            body(3);
            throw 1;
        }),
    };
    LoopClaims claims;
    claims.prepare(kBlocks);
    for (std::size_t i = 0; i < executors.size(); ++i) {
        SCOPED_TRACE(i);
        const Runs runs(kBlocks);
        finish_blocks(executors[i], kBlocks, runs, claims);
        runs.expect_once_each();
    }
}

TEST(FinishBlocks, RunsTheMissingBlocksOnTheCallingThread) {
    LoopClaims claims;
    claims.prepare(kBlocks);
    std::vector<std::thread::id> ran_on(kBlocks);
    Scripted executor([](std::size_t blocks, Body body) {
        std::thread([=] {
            for (std::size_t b = 0; b < blocks; b += 2) {
                body(b);
            }
        }).join();
    });
    finish_blocks(
        executor, kBlocks, [&](std::size_t b) { ran_on[b] = std::this_thread::get_id(); }, claims);
    for (std::size_t b = 0; b < kBlocks; ++b) {
        ASSERT_NE(ran_on[b], std::thread::id{});
        EXPECT_EQ(ran_on[b] == std::this_thread::get_id(), b % 2 == 1);
    }
}

TEST(SerialExecutor, RunsInOrderAndIsShared) {
    std::vector<std::size_t> order;
    serial_executor().run(5, [&](std::size_t b) { order.push_back(b); });
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(&serial_executor(), &serial_executor());
    EXPECT_THROW(serial_executor().run(1, [](std::size_t) { throw 1; }), int);
}

/// A serial executor that claims some threads, and notes how many jobs each loop has.
class Numbered final : public Executor {
public:
    explicit Numbered(std::size_t threads) : threads_(threads) {}
    void run(std::size_t jobs, Body body) override {
        given.push_back(jobs);
        serial_executor().run(jobs, body);
    }
    [[nodiscard]] std::size_t threads() const noexcept override { return threads_; }

    std::vector<std::size_t> given;

private:
    std::size_t threads_;
};

/// The jobs that an executor of `threads` threads gets for a loop of 50 blocks, each of which runs
/// once.
std::vector<std::size_t> jobs_for(std::size_t threads, double nanoseconds) {
    constexpr std::size_t kLength = 50;
    Numbered executor(threads);
    LoopClaims claims;
    std::vector<int> ran(kLength);
    const auto body = [&](std::size_t b) { ++ran.at(b); };
    EXPECT_EQ(run_blocks(executor, kLength, body, claims, {nanoseconds}), Status{});
    EXPECT_EQ(std::count(ran.begin(), ran.end(), 1), std::ptrdiff_t{kLength});
    std::vector<std::size_t> given = executor.given;
    finish_blocks(executor, kLength, body, claims, {nanoseconds});
    EXPECT_EQ(std::count(ran.begin(), ran.end(), 2), std::ptrdiff_t{kLength});
    EXPECT_EQ(executor.given.size(), 2 * given.size()) << "both loops go by the cost";
    return given;
}

TEST(LoopCost, LittleWorkRunsOnTheCallingThreadAlone) {
    EXPECT_EQ(jobs_for(8, 0.0), std::vector<std::size_t>{});
    EXPECT_EQ(jobs_for(8, 20'000.0), std::vector<std::size_t>{});
    EXPECT_EQ(jobs_for(2, 20'000.0), std::vector<std::size_t>{});
}

TEST(LoopCost, SomeWorkRunsOnSomeThreads) {
    const std::vector<std::size_t> jobs = jobs_for(8, 200'000.0);
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_GE(jobs[0], 2u);
    EXPECT_LT(jobs[0], 8u);
}

TEST(LoopCost, MuchWorkIsHandedOverBlockByBlock) {
    EXPECT_EQ(jobs_for(8, 1e9), std::vector<std::size_t>{50});
    EXPECT_EQ(jobs_for(8, LoopCost{}.nanoseconds), std::vector<std::size_t>{50});
    EXPECT_EQ(jobs_for(1'000, 60.0 * 30'000.0), std::vector<std::size_t>{50})
        << "more threads than blocks";
}

TEST(LoopCost, ExecutorsOfOneThreadOrOfUnknownManyGetEveryBlock) {
    for (const double cost : {0.0, 200'000.0, 1e18}) {
        EXPECT_EQ(jobs_for(0, cost), std::vector<std::size_t>{50});
        EXPECT_EQ(jobs_for(1, cost), std::vector<std::size_t>{50});
    }
}

TEST(LoopCost, AThreadThatIsLeftOutLeavesNoBlockOut) {
    class Lazy final : public Executor {
    public:
        void run(std::size_t, Body body) override { body(0); }
        [[nodiscard]] std::size_t threads() const noexcept override { return 8; }
    };
    Lazy lazy;
    LoopClaims claims;
    std::size_t ran = 0;
    EXPECT_EQ(run_blocks(lazy, 50, [&](std::size_t) { ++ran; }, claims, {200'000.0}), Status{});
    EXPECT_EQ(ran, 50u);
}

} // namespace
} // namespace throng
