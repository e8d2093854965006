#include "executor.hpp"

#include "../parallel/executors/callback_executor.hpp"
#include "../parallel/executors/default_executor.hpp"
#include "../parallel/executors/thread_pool.hpp"
#include "arrays.hpp"
#include "structs.hpp"

#include <cstddef>
#include <memory>
#include <system_error>

namespace throng::c {

namespace {

/// More threads than any machine has, and fewer than a wrong argument is likely to say.
constexpr std::size_t kMostThreads = 65'536;

/// Throws Refused if the system cannot start that many threads.
std::shared_ptr<Executor> pool_of(std::size_t threads) {
    try {
        return std::make_shared<ThreadPool>(threads);
    } catch (const std::system_error&) { refuse(THRONG_NOT_STARTED, "threads"); }
}

/// Throws Refused for a kind that needs more settings than a number, or that this library lacks.
std::shared_ptr<Executor> executor_of(std::uint32_t kind, std::size_t threads) {
    if (threads > kMostThreads) { refuse(THRONG_TOO_MANY, "threads"); }
    switch (kind) {
    case THRONG_SERIAL:
        if (threads > 1) { refuse(THRONG_TOO_MANY, "threads"); }
        return {std::shared_ptr<void>(),
                &serial_executor()}; // has no owner, and is never destroyed
    case THRONG_TBB: {
        std::shared_ptr<Executor> executor = make_tbb_executor(threads);
        if (executor == nullptr) { refuse(THRONG_NOT_BUILT, "kind"); }
        return executor;
    }
    case THRONG_POOL:
        return pool_of(threads);
    default:
        refuse(THRONG_WRONG_VALUE, "kind");
    }
}

static_assert(THRONG_SERIAL == static_cast<int>(ExecutorKind::serial) &&
              THRONG_TBB == static_cast<int>(ExecutorKind::tbb) &&
              THRONG_POOL == static_cast<int>(ExecutorKind::pool) &&
              THRONG_CALLBACKS == static_cast<int>(ExecutorKind::callbacks));

/// A host's job system. Its exceptions are kept apart from ours.
class HostExecutor final : public Executor {
public:
    explicit HostExecutor(const throng_executor_callbacks& host) noexcept
        : host_(host),
          runs_({&enqueue, host.finish == nullptr ? nullptr : &finish, this, host.threads}) {}
    HostExecutor(const HostExecutor&) = delete;
    HostExecutor& operator=(const HostExecutor&) = delete;
    ~HostExecutor() override = default;

    void run(std::size_t blocks, Body body) override { runs_.run(blocks, body); }
    [[nodiscard]] std::size_t threads() const noexcept override { return runs_.threads(); }
    [[nodiscard]] ExecutorKind kind() const noexcept override { return runs_.kind(); }

private:
    static void* enqueue(throng_job job, std::size_t count, void* context, void* self) {
        const throng_executor_callbacks& host = static_cast<HostExecutor*>(self)->host_;
        return call_host([&] { return host.enqueue(job, count, context, host.user); });
    }
    static void finish(void* task, void* self) {
        const throng_executor_callbacks& host = static_cast<HostExecutor*>(self)->host_;
        call_host([&] { host.finish(task, host.user); });
    }

    throng_executor_callbacks host_;
    CallbackExecutor runs_;
};

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_executor_create(const throng_executor_callbacks* callbacks,
                                     throng_executor** out) {
    return guarded([&] {
        const throng_executor_callbacks given = read(callbacks, "callbacks");
        check_out(out, "out");
        if (given.enqueue == nullptr) { refuse(THRONG_NULL_POINTER, "callbacks.enqueue"); }
        hand_out(
            std::make_unique<ExecutorObject>(ExecutorObject{std::make_shared<HostExecutor>(given)}),
            *out);
        return kOk;
    });
}

throng_status throng_executor_create_kind(uint32_t kind, size_t threads, throng_executor** out) {
    return guarded([&] {
        check_out(out, "out");
        hand_out(std::make_unique<ExecutorObject>(ExecutorObject{executor_of(kind, threads)}),
                 *out);
        return kOk;
    });
}

throng_status throng_executor_describe(const throng_executor* executor,
                                       throng_executor_facts* out) {
    return guarded([&] {
        throng_executor_facts facts = read(out, "out");
        const auto on = executor_for(executor);
        facts.kind = static_cast<std::uint32_t>(on->kind());
        facts.threads = on->threads();
        write(facts, out);
        return kOk;
    });
}

throng_status throng_executor_destroy(throng_executor* executor) {
    return end(executor, "executor");
}
