#include "executor.hpp"

#include "../parallel/executors/callback_executor.hpp"
#include "../parallel/executors/thread_pool.hpp"
#include "arrays.hpp"
#include "structs.hpp"

#include <cstddef>
#include <memory>
#include <system_error>

namespace throng::c {

namespace {

/// More than any machine has, and fewer than a number that means something else.
constexpr std::size_t kMostThreads = 65'536;

/// Throws Refused where the system cannot start that many.
std::shared_ptr<Executor> pool_of(std::size_t threads) {
    try {
        return std::make_shared<ThreadPool>(threads);
    } catch (const std::system_error&) { refuse(THRONG_NOT_STARTED, "threads"); }
}

/// A host's job system. Its exceptions are told from ours.
class HostExecutor final : public Executor {
public:
    explicit HostExecutor(const throng_executor_callbacks& host) noexcept
        : host_(host), runs_({&enqueue, host.finish == nullptr ? nullptr : &finish, this}) {}
    HostExecutor(const HostExecutor&) = delete;
    HostExecutor& operator=(const HostExecutor&) = delete;
    ~HostExecutor() override = default;

    void run(std::size_t blocks, Body body) override { runs_.run(blocks, body); }

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

throng_status throng_executor_create_pool(size_t threads, throng_executor** out) {
    return guarded([&] {
        check_out(out, "out");
        if (threads > kMostThreads) { refuse(THRONG_TOO_MANY, "threads"); }
        hand_out(std::make_unique<ExecutorObject>(ExecutorObject{pool_of(threads)}), *out);
        return kOk;
    });
}

throng_status throng_executor_destroy(throng_executor* executor) {
    return end(executor, "executor");
}
