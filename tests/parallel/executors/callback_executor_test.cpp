// The arguments of a host's callbacks, and loops on hosts that break their promises.
#include <throng/parallel/executors/callback_executor.hpp>

#include "../../support/dims.hpp"
#include "promises.hpp"
#include "updates.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>

namespace throng {
namespace {

/// The arguments of enqueue().
struct Jobs {
    JobFunction job = nullptr;
    std::size_t count = 0;
    void* context = nullptr;

    void run(std::size_t begin, std::size_t end) const { job(begin, end, context); }
    void run_all() const { run(0, count); }
};

/// A host whose callbacks call functions of the test.
struct Host {
    std::function<void*(const Jobs&)> on_enqueue;
    std::function<void(void*)> on_finish = [](void*) { ADD_FAILURE() << "nothing to finish"; };

    [[nodiscard]] JobCallbacks callbacks() {
        return {[](JobFunction job, std::size_t count, void* context, void* user) {
                    return static_cast<Host*>(user)->on_enqueue(Jobs{job, count, context});
                },
                [](void* task, void* user) { static_cast<Host*>(user)->on_finish(task); }, this};
    }
};

TEST(CallbackExecutor, WorksWithoutAHost) {
    CallbackExecutor executor(JobCallbacks{});
    test::expect_all_promises(executor);
}

TEST(CallbackExecutor, WorksWhenAllIsDoneInEnqueue) {
    std::size_t length = 0;
    Host host{[&](const Jobs& jobs) -> void* {
        for (std::size_t end = jobs.count; end > 0;) {
            const std::size_t begin = end > length ? end - length : 0;
            jobs.run(begin, end);
            end = begin;
        }
        return nullptr;
    }};
    CallbackExecutor executor(host.callbacks());
    for (const std::size_t l : {std::size_t{1}, std::size_t{7}, std::size_t{1'000'000}}) {
        length = l;
        test::expect_all_promises(executor);
    }
}

TEST(CallbackExecutor, WorksWhenAllIsDoneInFinish) {
    Host host{[](const Jobs& jobs) -> void* { return new Jobs(jobs); },
              [](void* task) {
                  const std::unique_ptr<Jobs> jobs(static_cast<Jobs*>(task));
                  jobs->run_all();
              }};
    CallbackExecutor executor(host.callbacks());
    test::expect_all_promises(executor);
}

TEST(CallbackExecutor, CallsTheHostOnceForALoop) {
    std::vector<std::size_t> counts;
    int finished = 0, task = 0;
    Host host{[&](const Jobs& jobs) -> void* {
                  counts.push_back(jobs.count);
                  jobs.run_all();
                  return &task;
              },
              [&](void* given) {
                  EXPECT_EQ(given, &task);
                  ++finished;
              }};
    CallbackExecutor executor(host.callbacks());
    for (const std::size_t blocks : {0u, 1u, 77u}) {
        EXPECT_EQ(test::ran_once(executor, blocks), blocks);
    }
    EXPECT_EQ(counts, (std::vector<std::size_t>{1, 77})) << "no blocks, no jobs";
    EXPECT_EQ(finished, 2);
}

TEST(CallbackExecutor, ShowsTheHostNoException) {
    bool escaped = false, finished = false;
    Host host{[&](const Jobs& jobs) -> void* {
                  try {
                      for (std::size_t i = 0; i < jobs.count; ++i) {
                          jobs.run(i, i + 1);
                      }
                  } catch (...) { escaped = true; }
                  return &finished;
              },
              [&](void*) { finished = true; }};
    CallbackExecutor executor(host.callbacks());
    std::size_t begun = 0;
    EXPECT_THROW(executor.run(10,
                              [&](std::size_t b) {
                                  ++begun;
                                  if (b == 3) { throw std::out_of_range("the fourth"); }
                              }),
                 std::out_of_range);
    EXPECT_FALSE(escaped);
    EXPECT_TRUE(finished) << "the host may have to tidy up";
    EXPECT_EQ(begun, 4u);
}

TEST(CallbackExecutor, LeavesTheHostsThreadsInTheirFloatMode) {
    std::vector<int> after_jobs;
    Host host{[&](const Jobs& jobs) -> void* {
        std::thread([&] {
            const test::OddFloatMode mode;
            for (std::size_t i = 0; i < jobs.count; ++i) {
                jobs.run(i, i + 1);
                after_jobs.push_back(test::OddFloatMode::here());
            }
        }).join();
        return nullptr;
    }};
    CallbackExecutor executor(host.callbacks());
    std::vector<int> inside;
    executor.run(3, [&inside](std::size_t) { inside.push_back(test::OddFloatMode::here()); });
    EXPECT_EQ(inside, (std::vector<int>{0, 0, 0})) << "the caller's, not the host's";
    EXPECT_EQ(after_jobs, (std::vector<int>{2, 2, 2}));
}

TEST(CallbackExecutor, RunsLoopsThatAreTooManyOnTheirCallersThread) {
    std::size_t enqueued = 0;
    Host host{[&](const Jobs& jobs) -> void* {
        ++enqueued;
        jobs.run_all();
        return nullptr;
    }};
    CallbackExecutor executor(host.callbacks());
    std::size_t depth = 0;
    const std::function<void()> descend = [&] {
        if (++depth == CallbackExecutor::kLoops + 5) { return; }
        executor.run(1, [&](std::size_t) { descend(); });
    };
    for (std::size_t again = 1; again <= 2; ++again) {
        depth = 0;
        descend();
        EXPECT_EQ(depth, CallbackExecutor::kLoops + 5);
        EXPECT_EQ(enqueued, again * CallbackExecutor::kLoops);
    }
}

// If two loops were confused, each would run blocks of the other.
TEST(CallbackExecutor, TellsLoopsOfManyThreadsApart) {
    Host host{[](const Jobs& jobs) -> void* {
        jobs.run_all();
        return nullptr;
    }};
    CallbackExecutor executor(host.callbacks());
    std::atomic<std::size_t> wrong = 0;
    const auto call = [&] {
        for (int i = 0; i < 100'000; ++i) {
            std::size_t ran = 0;
            executor.run(2, [&ran](std::size_t) { ++ran; });
            wrong += ran == 2 ? 0 : 1;
        }
    };
    std::thread other(call);
    call();
    other.join();
    EXPECT_EQ(wrong, 0u);
}

/// Runs a loop on a host that starts a job on a thread and returns before the job is done.
void expect_to_wait_for_jobs(bool host_throws) {
    std::thread worker;
    std::atomic<bool> inside = false;
    std::atomic<std::size_t> done = 0;
    Host host{[&](const Jobs& jobs) -> void* {
                  worker = std::thread([=] { jobs.run_all(); });
                  EXPECT_TRUE(test::wait_until([&] { return inside.load(); }));
                  if (host_throws) { throw std::runtime_error("the host broke down"); }
                  return &inside;
              },
              [](void*) {}};
    CallbackExecutor executor(host.callbacks());
    bool thrown = false;
    try {
        executor.run(2, [&](std::size_t) {
            inside = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            ++done;
        });
    } catch (const std::runtime_error&) { thrown = true; }
    EXPECT_EQ(done, 2u) << "it would have written to what was this function's stack";
    EXPECT_EQ(thrown, host_throws);
    worker.join();
}

TEST(CallbackExecutor, WaitsForJobsThatFinishDidNotWaitFor) { expect_to_wait_for_jobs(false); }
TEST(CallbackExecutor, WaitsForJobsWhenEnqueueThrows) { expect_to_wait_for_jobs(true); }

TEST(CallbackExecutor, RunsNoBlockTwiceAndNoneThatThereIsNot) {
    Host host{[](const Jobs& jobs) -> void* {
        jobs.run(jobs.count, jobs.count + 3);
        jobs.run(5, 2);
        jobs.run(4, 4);
        jobs.run_all();
        jobs.run_all();
        jobs.run(0, std::numeric_limits<std::size_t>::max());
        return nullptr;
    }};
    CallbackExecutor executor(host.callbacks());
    EXPECT_EQ(test::ran_once(executor, 20), 20u);
}

TEST(CallbackExecutor, LeavesOutABlockForEachJobLeftOut) {
    Host host{[](const Jobs& jobs) -> void* {
        jobs.run(0, 3);
        jobs.run(5, jobs.count);
        jobs.run(5, 3); // nothing
        return nullptr;
    }};
    CallbackExecutor executor(host.callbacks());
    EXPECT_EQ(test::ran_once(executor, 20), 18u);
}

TEST(CallbackExecutor, HasNothingToDoForLateJobs) {
    std::vector<Jobs> kept;
    bool keep = true;
    Host host{[&](const Jobs& jobs) -> void* {
        if (keep) {
            kept.push_back(jobs);
        } else {
            for (const Jobs& late : kept) {
                late.run_all(); // while a newer loop runs
            }
            jobs.run_all();
        }
        return nullptr;
    }};
    CallbackExecutor executor(host.callbacks());
    EXPECT_EQ(test::ran_once(executor, 10), 0u);
    ASSERT_EQ(kept.size(), 1u);
    kept[0].run_all(); // would use a stack frame that is gone
    keep = false;
    EXPECT_EQ(test::ran_once(executor, 10), 10u);
    kept[0].run_all();
}

// Late jobs may come at any time: when other loops begin, run or end.
TEST(CallbackExecutor, BearsLateJobsAtAnyTime) {
    std::atomic<const Jobs*> late = nullptr;
    std::atomic<bool> stop = false;
    Jobs first;
    Host host{[&](const Jobs& jobs) -> void* {
        if (first.job == nullptr) {
            first = jobs;
            late = &first;
        } else {
            jobs.run_all();
        }
        return nullptr;
    }};
    CallbackExecutor executor(host.callbacks());
    EXPECT_EQ(test::ran_once(executor, 10), 0u);
    std::thread worker([&] {
        while (!stop) {
            late.load()->run(0, 2);
        }
    });
    std::size_t complete = 0;
    for (int round = 0; round < 5'000; ++round) {
        complete += test::ran_once(executor, 5) == 5 ? 1 : 0;
    }
    EXPECT_EQ(complete, 5'000u);
    stop = true;
    worker.join();
}

/// How a host can break its promises.
enum class Fault { drop, repeat, repeat_for_drop, late, nothing };

/// A host that behaves until its n-th loop.
class FaultyHost {
public:
    FaultyHost(Fault fault, std::size_t failing_loop)
        : fault_(fault), left_(failing_loop), host_{[this](const Jobs& jobs) { return run(jobs); }},
          executor_(host_.callbacks()) {}

    [[nodiscard]] CallbackExecutor& executor() noexcept { return executor_; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }

    void run_late_jobs() const {
        if (late_.job != nullptr) { late_.run_all(); }
    }

private:
    void* run(const Jobs& jobs) {
        if (left_-- != 0) {
            jobs.run_all();
            return nullptr;
        }
        failed_ = true;
        const std::size_t middle = jobs.count / 2;
        switch (fault_) {
        case Fault::drop:
            jobs.run(0, middle);
            jobs.run(middle + 1, jobs.count);
            break;
        case Fault::repeat:
            jobs.run(middle, middle + 1);
            jobs.run_all();
            break;
        case Fault::repeat_for_drop:
            jobs.run(0, middle);
            jobs.run(middle + 1, jobs.count);
            if (jobs.count > 1) { jobs.run(0, 1); }
            break;
        case Fault::late:
            late_ = jobs;
            break;
        case Fault::nothing:
            break;
        }
        return nullptr;
    }

    Fault fault_;
    std::size_t left_;
    bool failed_ = false;
    Jobs late_;
    Host host_;
    CallbackExecutor executor_;
};

template <class Dim>
class UpdatesOnBadHosts : public testing::Test {};
TYPED_TEST_SUITE(UpdatesOnBadHosts, test::Dims, test::DimNames);

TYPED_TEST(UpdatesOnBadHosts, HappenWhollyOrNotAtAll) {
    auto& crowds = test::large_crowds<TypeParam::value>();
    auto grid = crowds.grid();
    const auto answers = [&] { return test::answers_of(grid, crowds.first); };
    for (const Fault fault :
         {Fault::drop, Fault::repeat, Fault::repeat_for_drop, Fault::late, Fault::nothing}) {
        std::size_t refused = 0, loop = 0;
        for (bool failed = true; failed; ++loop) {
            SCOPED_TRACE(testing::Message()
                         << "fault " << static_cast<int>(fault) << " in loop " << loop);
            ASSERT_LT(loop, 20u);
            FaultyHost host(fault, loop);
            const Status status = grid.update(crowds.second.agents(), host.executor());
            host.run_late_jobs();
            failed = host.failed();
            const auto& wanted = status.ok() ? crowds.second_answers : crowds.first_answers;
            ASSERT_EQ(test::difference(answers(), wanted), "");
            ASSERT_STREQ(grid.validate(), nullptr);
            if (!status.ok()) {
                ++refused;
                EXPECT_EQ(status.cause, Cause::executor_failed);
                EXPECT_EQ(status.argument, Argument::executor);
            }
            ASSERT_EQ(grid.update(crowds.first.agents()), Status{});
            ASSERT_EQ(test::difference(answers(), crowds.first_answers), "");
        }
        // The engine itself runs the missing blocks of the last loop that can fail.
        const bool harmless = fault == Fault::repeat || fault == Fault::repeat_for_drop;
        EXPECT_EQ(refused, harmless ? 0 : loop - 2);
        EXPECT_GE(loop, 4u);
    }
}

} // namespace
} // namespace throng
