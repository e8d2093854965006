// Objects that keep others alive, hosts that break their promises, and allocations that fail at any
// point.
#include "../../c/boundary.hpp"
#include "../support/allocation_counter.hpp"
#include "../support/threads/no_threads.hpp"
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace throng::test {

namespace {

void is_refusal(const throng_status& status, int code, const std::string& argument) {
    EXPECT_EQ(status.code, code) << text_of(status);
    EXPECT_EQ(status.argument, argument) << text_of(status);
}

TEST(CApi, KeepsWhatIsNeededAlive) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        // Only the batch and the crowd still hold references to the executor and the memory.
        ok(rig.destroy(Kind::executor));
        ok(rig.destroy(Kind::memory));
        ok(rig.destroy(Kind::published));
        ok(throng_query(rig.batch(), rig.crowd(), rig.questions.at(), rig.hits.at()));
        EXPECT_EQ(rig.hits.value.total, Rig::kQuestions * (Rig::kAgents + Rig::kStatics));
        ok(throng_crowd_update(rig.crowd(), rig.agents.at(), nullptr));
        is_refusal(throng_crowd_update(rig.crowd(), rig.agents.at(), rig.executor()),
                   THRONG_DEAD_HANDLE, "executor");
        throng_crowd* shown = nullptr;
        ok(throng_snapshot_look(rig.snapshot(), nullptr, &shown));
        ok(throng_crowd_count(shown, rig.counts.at()));
        EXPECT_EQ(rig.counts.value.agents, Rig::kAgents);
        // Answers belong to the batch, so they remain when the crowd is destroyed.
        ok(throng_query(rig.batch(), rig.crowd(), rig.questions.at(), rig.hits.at()));
        ok(rig.destroy(Kind::crowd));
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < rig.hits.value.total; ++i) {
            sum += rig.hits.value.ids[i];
        }
        EXPECT_GT(sum, 0u);
    }
}

TEST(CApi, ChangesNoCrowdOfASnapshot) {
    for (const std::uint32_t dimension : kDimensions) {
        for (const char* const name :
             {"throng_crowd_update", "throng_crowd_reserve", "throng_crowd_set_statics",
              "throng_crowd_edit", "throng_crowd_edit_world", "throng_crowd_clear",
              "throng_crowd_load", "throng_crowd_add", "throng_crowd_remove", "throng_crowd_move",
              "throng_crowd_destroy", "throng_change_update", "throng_change_edit"}) {
            Rig rig(dimension);
            throng_crowd* shown = nullptr;
            ok(throng_snapshot_look(rig.snapshot(), nullptr, &shown));
            throng_crowd* const own = rig.crowd();
            const auto before = rig.answers();
            rig.handles[0] = shown;
            for (const Call& call : calls()) {
                if (call.name == std::string(name)) {
                    is_refusal(call.make(rig), THRONG_READ_ONLY, "crowd");
                }
            }
            rig.handles[0] = own;
            EXPECT_EQ(rig.answers(), before) << name;
            // All questions work on the crowd of a snapshot, and a second look gives the same
            // handle.
            rig.handles[0] = shown;
            ok(throng_query(rig.batch(), rig.crowd(), rig.questions.at(), rig.hits.at()));
            EXPECT_EQ(rig.hits.value.total, Rig::kQuestions * Rig::kAgents);
            throng_crowd* again = nullptr;
            ok(throng_snapshot_look(rig.snapshot(), nullptr, &again));
            EXPECT_EQ(again, shown);
            // The crowd's handle becomes invalid with its snapshot.
            ok(rig.destroy(Kind::snapshot));
            is_refusal(throng_crowd_count(shown, rig.counts.at()), THRONG_DEAD_HANDLE, "crowd");
            is_refusal(throng_query(rig.batch(), shown, rig.questions.at(), rig.hits.at()),
                       THRONG_DEAD_HANDLE, "crowd");
        }
    }
}

TEST(CApi, LetsABatchServeBothDimensions) {
    Rig flat(2), space(3);
    for (int round = 0; round < 3; ++round) {
        ok(throng_query(flat.batch(), flat.crowd(), flat.questions.at(), flat.hits.at()));
        const std::vector<std::uint32_t> wanted(flat.hits.value.ids,
                                                flat.hits.value.ids + flat.hits.value.total);
        ok(throng_query(flat.batch(), space.crowd(), space.questions.at(), flat.hits.at()));
        const std::vector<std::uint32_t> got(flat.hits.value.ids,
                                             flat.hits.value.ids + flat.hits.value.total);
        EXPECT_EQ(got.size(), wanted.size()); // the agents of both are on the diagonal
    }
}

// ---- Hosts that break their word ---------------------------------------------------------------

/// Enough agents for many blocks, and an executor that misbehaves from its n-th loop on.
class BadHost {
public:
    enum class Fault { none, throws_int, throws_bad_alloc, throws_late, drops, drops_all };

    BadHost() : positions_(2 * kAgents) {
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            positions_[i] = static_cast<float>(i * 7919 % 1000);
        }
        throng_executor_callbacks callbacks = THRONG_EXECUTOR_CALLBACKS_INIT;
        callbacks.enqueue = enqueue;
        callbacks.finish = finish;
        callbacks.user = this;
        const throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        ok(throng_executor_create(&callbacks, &executor));
        ok(throng_crowd_create(&settings, &crowd));
        ok(throng_batch_create(executor, &batch));
        agents = throng_agents_interleaved(2, positions_.data(), kAgents, 2 * sizeof(float));
        ok(throng_crowd_update(crowd, &agents, executor));
        EXPECT_GT(loops, 0u);
    }
    ~BadHost() {
        (void)throng_batch_destroy(batch);
        (void)throng_crowd_destroy(crowd);
        (void)throng_executor_destroy(executor);
    }
    BadHost(const BadHost&) = delete;
    BadHost& operator=(const BadHost&) = delete;

    [[nodiscard]] throng_status ask(std::uint64_t& total) {
        throng_neighbourhood near = THRONG_NEIGHBOURHOOD_INIT;
        throng_hits hits = THRONG_HITS_INIT;
        near.radius = 5.0f;
        const throng_status status = throng_neighbours(batch, crowd, &near, &hits);
        total = hits.total;
        return status;
    }

    static constexpr std::size_t kAgents = 20'000;
    Fault fault = Fault::none;
    std::size_t loops = 0, good_loops = 0;
    throng_executor* executor = nullptr;
    throng_crowd* crowd = nullptr;
    throng_batch* batch = nullptr;
    throng_agents agents{};

private:
    static void* enqueue(throng_job job, std::size_t count, void* context, void* user) {
        auto* const host = static_cast<BadHost*>(user);
        const bool is_bad = host->loops++ >= host->good_loops;
        const Fault fault = is_bad ? host->fault : Fault::none;
        if (fault == Fault::throws_int) { throw 7; }
        if (fault == Fault::throws_bad_alloc) { throw std::bad_alloc(); }
        if (fault == Fault::drops_all) { return nullptr; }
        job(0, fault == Fault::drops ? count / 2 : count, context);
        return user;
    }
    static void finish(void*, void* user) {
        auto* const host = static_cast<BadHost*>(user);
        if (host->fault == Fault::throws_late && host->loops > host->good_loops) {
            throw std::runtime_error("late");
        }
    }

    std::vector<float> positions_;
};

void check_fault(BadHost::Fault fault, int code, const std::string& argument) {
    BadHost host;
    std::uint64_t wanted = 0, got = 0;
    ok(host.ask(wanted));
    EXPECT_GT(wanted, BadHost::kAgents);
    std::size_t refused = 0;
    for (std::size_t good = 0; good < 40; ++good) { // another loop fails each time
        host.fault = fault;
        host.loops = 0;
        host.good_loops = good;
        const throng_status updated = throng_crowd_update(host.crowd, &host.agents, host.executor);
        const bool was_reached = host.loops > good;
        if (updated.code != THRONG_OK) {
            EXPECT_EQ(updated.code, code) << text_of(updated);
            EXPECT_EQ(updated.argument, argument);
            ++refused;
        }
        if (!was_reached) { break; }
        host.fault = BadHost::Fault::none;
        ok(host.ask(got));
        EXPECT_EQ(got, wanted) << good;
    }
    EXPECT_GT(refused, 0u);
    refused = 0;
    for (std::size_t good = 0; good < 40; ++good) {
        host.fault = fault;
        host.loops = 0;
        host.good_loops = good;
        const throng_status asked = host.ask(got);
        if (host.loops <= good) { break; }
        EXPECT_EQ(asked.code, code) << text_of(asked);
        EXPECT_EQ(asked.argument, argument);
        ++refused;
        host.fault = BadHost::Fault::none;
        ok(host.ask(got));
        EXPECT_EQ(got, wanted) << good;
    }
    EXPECT_GT(refused, 0u);
}

TEST(CApi, SurvivesExecutorsThatThrow) {
    using Fault = BadHost::Fault;
    check_fault(Fault::throws_int, THRONG_CALLBACK_THREW, "callbacks");
    check_fault(Fault::throws_bad_alloc, THRONG_CALLBACK_THREW, "callbacks");
    check_fault(Fault::throws_late, THRONG_CALLBACK_THREW, "callbacks");
}

TEST(CApi, NoticesJobsThatWereNotDone) {
    using Fault = BadHost::Fault;
    check_fault(Fault::drops, THRONG_EXECUTOR_FAILED, "executor");
    check_fault(Fault::drops_all, THRONG_EXECUTOR_FAILED, "executor");
}

TEST(CApi, NeedsNothingToFinish) {
    throng_executor_callbacks callbacks = THRONG_EXECUTOR_CALLBACKS_INIT;
    callbacks.enqueue = [](throng_job job, std::size_t count, void* context, void* user) -> void* {
        job(0, count, context);
        return user; // a task that no thread will run
    };
    callbacks.user = &callbacks;
    throng_executor* executor = nullptr;
    ok(throng_executor_create(&callbacks, &executor));
    BadHost host;
    ok(throng_crowd_update(host.crowd, &host.agents, executor));
    ok(throng_executor_destroy(executor));
}

// Sanitizers notice if the call uses the executor after it is destroyed.
TEST(CApi, KeepsAnExecutorThatEndsItselfUntilTheCallReturns) {
    static throng_executor* executor;
    throng_executor_callbacks callbacks = THRONG_EXECUTOR_CALLBACKS_INIT;
    callbacks.enqueue = [](throng_job job, std::size_t count, void* context, void*) -> void* {
        (void)throng_executor_destroy(executor);
        job(0, count, context);
        return context;
    };
    callbacks.finish = [](void*, void* user) { ++*static_cast<std::size_t*>(user); };
    std::size_t finished = 0;
    callbacks.user = &finished;
    const BadHost host;
    ok(throng_executor_create(&callbacks, &executor));
    ok(throng_crowd_update(host.crowd, &host.agents, executor));
    EXPECT_GT(finished, 0u);
    is_refusal(throng_crowd_update(host.crowd, &host.agents, executor), THRONG_DEAD_HANDLE,
               "executor");
}

TEST(CApi, TellsASystemThatRefusesFromAPoolThatDoesNotStart) {
    const auto refusing = []() -> throng_status {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    };
    is_refusal(c::guarded(refusing), THRONG_SYSTEM_FAILED, "system");
    if (test::FewThreads::possible()) {
        throng_executor* executor = nullptr;
        throng_status status{};
        {
            const test::FewThreads system;
            status = throng_executor_create_kind(THRONG_POOL, 1'000, &executor);
        }
        is_refusal(status, THRONG_NOT_STARTED, "threads");
        EXPECT_EQ(executor, nullptr);
    }
    EXPECT_EQ(text_of({THRONG_SYSTEM_FAILED, 0, "system", 0}),
              "the system refused what the library needs of it, such as a lock");
    EXPECT_EQ(text_of({THRONG_NOT_STARTED, 0, "threads", 0}),
              "the system would not start a thread");
}

TEST(CApi, PreparesEditsInTheCrowdsMemory) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        throng_edit move{};
        move.kind = THRONG_MOVE;
        move.id = 2;
        const std::vector<throng_edit> moves(5000, move);
        ok(throng_crowd_edit(rig.crowd(), moves.data(), moves.size(), nullptr));
        ok(throng_crowd_count(rig.crowd(), rig.counts.at()));
        ok(throng_memory_count(rig.memory(), rig.memory_counts.at()));
        EXPECT_GT(rig.counts.value.staging_bytes, moves.size() * sizeof(float));
        EXPECT_GE(rig.memory_counts.value.used, rig.counts.value.staging_bytes);
        // A refused edit gives back staging memory of the earlier edits.
        const std::uint64_t kept = rig.counts.value.staging_bytes;
        move.id = 1000;
        is_refusal(throng_crowd_edit(rig.crowd(), &move, 1, nullptr), THRONG_ID_UNKNOWN, "edits");
        ok(throng_crowd_count(rig.crowd(), rig.counts.at()));
        EXPECT_LT(rig.counts.value.staging_bytes, kept);
    }
}

TEST(CApi, TakesAThrowingAllocatorForARefusal) {
    throng_memory_settings settings = THRONG_MEMORY_SETTINGS_INIT;
    settings.allocate = [](std::size_t, std::size_t, void*) -> void* { throw 7; };
    settings.deallocate = [](void*, std::size_t, std::size_t, void*) {};
    throng_memory* memory = nullptr;
    throng_crowd* crowd = nullptr;
    ok(throng_memory_create(&settings, &memory));
    throng_crowd_settings with_it = THRONG_CROWD_SETTINGS_INIT;
    with_it.memory = memory;
    const throng_status status = throng_crowd_create(&with_it, &crowd);
    EXPECT_EQ(status.code, THRONG_OVER_MEMORY) << text_of(status);
    EXPECT_EQ(crowd, nullptr);
    ok(throng_memory_destroy(memory));
}

// ---- Memory that ends --------------------------------------------------------------------------

/// Repeats each call, failing another of its allocations each time, until it needs no more.
template <class Failing>
void fail_everywhere(int code, bool on_heap) {
    std::size_t failed = 0;
    for (const Call& call : calls()) {
        for (const std::uint32_t dimension : kDimensions) {
            for (std::size_t good = 0;; ++good) {
                ASSERT_LT(good, 1000u) << call.name;
                Rig rig(dimension, on_heap);
                const auto before = rig.answers();
                Failing failing(good);
                const throng_status status = call.make(rig);
                const bool has_failed = failing.failed();
                failing.end();
                if (!has_failed) {
                    ok(status);
                    break;
                }
                ++failed;
                EXPECT_EQ(status.code, code) << call.name << ": " << text_of(status);
                EXPECT_EQ(rig.answers(), before) << call.name;
                ok(call.make(rig)); // as if nothing had happened
            }
        }
    }
    EXPECT_GT(failed, 100u);
}

/// Fails operator new.
class HeapFails {
public:
    explicit HeapFails(std::size_t good) { failing_.emplace(good); }
    [[nodiscard]] bool failed() const { return failing_->failed(); }
    void end() { failing_.reset(); }

private:
    std::optional<FailingAllocations> failing_;
};

/// Fails the host's callback.
class HostRefuses {
public:
    explicit HostRefuses(std::size_t good) { Rig::gifts_left = static_cast<std::ptrdiff_t>(good); }
    [[nodiscard]] bool failed() const { return Rig::gifts_left < 0; }
    void end() { Rig::gifts_left = Rig::kEndless; }
};

TEST(CApi, SaysSoWhereTheHeapRefuses) { fail_everywhere<HeapFails>(THRONG_OUT_OF_MEMORY, true); }

TEST(CApi, SaysSoWhereTheHostsMemoryRefuses) {
    fail_everywhere<HostRefuses>(THRONG_OVER_MEMORY, false);
}

TEST(CApi, GivesBackWhatItTook) {
    for (const std::uint32_t dimension : kDimensions) {
        const std::ptrdiff_t before = Rig::gifts_out;
        {
            Rig rig(dimension);
            EXPECT_GT(Rig::gifts_out, before);
            ok(throng_memory_count(rig.memory(), rig.memory_counts.at()));
            EXPECT_GT(rig.memory_counts.value.used, 0u);
        }
        EXPECT_EQ(Rig::gifts_out, before);
    }
}

/// Whether a call allocates nothing in steady frames: it creates and destroys nothing, changes the
/// crowd at most by an update, and has no memory for its own run, as reordering and the questions
/// to obstacles have, except single ones.
bool is_of_a_frame(const Call& call) {
    const std::string name = call.name;
    if (name.starts_with("throng_obstacles_")) { return name.ends_with("_one"); }
    for (const char* const other :
         {"create", "destroy", "edit", "save", "load", "release", "stat", "published", "snapshot",
          "clear", "reorder", "crowd_add", "crowd_remove", "crowd_move", "meetings"}) {
        if (name.find(other) != std::string::npos) { return false; }
    }
    return true;
}

TEST(CApi, AllocatesNothingInSteadyFrames) {
    std::vector<const Call*> steady;
    for (const Call& call : calls()) {
        if (is_of_a_frame(call)) { steady.push_back(&call); }
    }
    EXPECT_GT(steady.size(), 20u);
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension, true);
        std::size_t before = 0;
        for (int frame = 0; frame < 5; ++frame) {
            before = allocations();
            for (const Call* call : steady) {
                ok(call->make(rig));
            }
        }
        EXPECT_EQ(allocations(), before);
    }
}

} // namespace

} // namespace throng::test
