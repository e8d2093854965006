#include "callback_executor.hpp"

#include "../../engine/core/threads.hpp"
#include "block_loop.hpp"

namespace throng {

namespace {

constexpr std::uint32_t kTaken = 1u << 31; // some loop has the gate
constexpr std::uint32_t kOpen = 1u << 30;  // jobs may touch the loop
constexpr std::uint32_t kInside = kOpen - 1;

} // namespace

/// Lets jobs in while it lives; the destructor waits until they have left.
class CallbackExecutor::OpenGate {
public:
    OpenGate(Gate& gate, BlockLoop& loop) noexcept : gate_(gate) {
        gate_.loop = &loop;
        gate_.state.fetch_or(kOpen, std::memory_order_release);
    }
    OpenGate(const OpenGate&) = delete;
    OpenGate& operator=(const OpenGate&) = delete;
    ~OpenGate() {
        gate_.state.fetch_and(~kOpen, std::memory_order_relaxed);
        // A host that keeps the rules has no job running here any more. Acquire: this thread sees
        // what the blocks wrote, however the host's threads tell each other that they are done.
        while ((gate_.state.load(std::memory_order_acquire) & kInside) != 0) {
            let_others_run();
        }
        gate_.state.fetch_and(~kTaken, std::memory_order_release);
    }

private:
    Gate& gate_;
};

CallbackExecutor::Gate* CallbackExecutor::take_gate() noexcept {
    for (Gate& gate : gates_) {
        if ((gate.state.load(std::memory_order_relaxed) & kTaken) == 0 &&
            (gate.state.fetch_or(kTaken, std::memory_order_acquire) & kTaken) == 0) {
            return &gate;
        }
    }
    return nullptr;
}

void CallbackExecutor::run_jobs(std::size_t begin, std::size_t end, void* context) noexcept {
    Gate& gate = *static_cast<Gate*>(context);
    const std::uint32_t before = gate.state.fetch_add(1, std::memory_order_acquire);
    if ((before & kOpen) != 0 && begin < end) { gate.loop->work(end - begin); }
    gate.state.fetch_sub(1, std::memory_order_release);
}

void CallbackExecutor::run(std::size_t blocks, Body body) {
    if (blocks == 0) { return; }
    BlockLoop loop(blocks, body);
    Gate* const gate = callbacks_.enqueue == nullptr ? nullptr : take_gate();
    if (gate == nullptr) {
        loop.work(blocks);
    } else {
        // Closed by its destructor, since the host may throw when jobs are already under way.
        const OpenGate open(*gate, loop);
        void* const task = callbacks_.enqueue(&run_jobs, blocks, gate, callbacks_.user);
        if (task != nullptr && callbacks_.finish != nullptr) {
            callbacks_.finish(task, callbacks_.user);
        }
    }
    loop.rethrow();
}

} // namespace throng
