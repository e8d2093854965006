// A scheduler of fibers, as games have it: threads take fibers up and put them down again.
#pragma once

#include <throng/parallel/executors/callback_executor.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace hosts {

class Fiber;
class Fibers;

/// Works that a fiber can wait for together.
struct FiberGroup {
    std::size_t unfinished = 0;
    Fiber* waiting = nullptr;
};

/// Memory of fixed size with a guard page below: an overflow of the stack ends with a fault, and
/// does not overwrite its neighbour.
class FiberStack {
public:
    explicit FiberStack(std::size_t bytes)
        : guard_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), bytes_(guard_ + bytes),
          memory_(
              mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        if (memory_ == MAP_FAILED) { throw std::bad_alloc(); }
        if (mprotect(memory_, guard_, PROT_NONE) != 0) {
            munmap(memory_, bytes_);
            throw std::bad_alloc();
        }
    }
    ~FiberStack() { munmap(memory_, bytes_); }
    FiberStack(const FiberStack&) = delete;
    FiberStack& operator=(const FiberStack&) = delete;

    [[nodiscard]] stack_t span() const {
        return {static_cast<char*>(memory_) + guard_, 0, bytes_ - guard_};
    }

private:
    std::size_t guard_, bytes_;
    void* memory_;
};

/// Work that can pause, and continue on another thread. The work gets its fiber as an argument and
/// not from a thread-local variable: the compiler may keep that variable's address across a switch,
/// and it would then be the old thread's.
class Fiber {
public:
    using Work = std::function<void(Fiber&)>;

    explicit Fiber(Fibers& fibers);
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Runs `work` on a fiber, as part of a group.
    void start(FiberGroup& group, Work work);
    /// Lets other fibers run first.
    void yield() { put_down(State::ready, nullptr); }
    /// Waits until all works of the group have ended.
    void wait(FiberGroup& group) { put_down(State::waiting, &group); }

    /// Callbacks for a CallbackExecutor that only this fiber calls. Jobs are fibers, and while this
    /// fiber waits for them, its thread runs others.
    [[nodiscard]] throng::JobCallbacks callbacks() { return {&enqueue, &finish, this}; }

private:
    friend class Fibers;
    enum class State { ready, waiting, ended };
    // Three times the most that Throng takes, see docs/hosts/job-systems.md; the rest is for the
    // host.
    static constexpr std::size_t kStackBytes = 128 * 1024;

    /// Switches back to the thread, which acts on the state after it has left the fiber's stack. If
    /// it acted earlier, another thread could continue the fiber while its stack is in use.
    void put_down(State state, FiberGroup* group) {
        state_ = state;
        waits_for_ = group;
        swapcontext(&context_, thread_);
    }

    static void live(unsigned high, unsigned low) noexcept {
        auto& self = *reinterpret_cast<Fiber*>(std::uintptr_t{high} << 32 | low);
        for (;;) {
            self.work_(self);
            self.put_down(State::ended, nullptr); // continues here with other work
        }
    }

    // noexcept: works that have begun refer to the group, so running out of memory for the others
    // cannot be undone.
    static void* enqueue(throng::JobFunction job, std::size_t count, void* context,
                         void* fiber) noexcept {
        auto group = std::make_unique<FiberGroup>();
        const std::size_t length = count / 16 + 1;
        for (std::size_t begin = 0; begin < count; begin += length) {
            const std::size_t end = std::min(begin + length, count);
            static_cast<Fiber*>(fiber)->start(*group, [=](Fiber&) { job(begin, end, context); });
        }
        return group.release();
    }
    static void finish(void* task, void* fiber) {
        const std::unique_ptr<FiberGroup> group(static_cast<FiberGroup*>(task));
        static_cast<Fiber*>(fiber)->wait(*group);
    }

    Fibers& fibers_;
    FiberStack stack_{kStackBytes};
    ucontext_t context_{};
    ucontext_t* thread_ = nullptr; // the thread that runs it
    Work work_;
    FiberGroup* group_ = nullptr; // the group of its work
    State state_ = State::ready;
    FiberGroup* waits_for_ = nullptr;
};

/// Runs fibers on a fixed number of threads.
class Fibers {
public:
    /// The thread that calls run() is one of them.
    explicit Fibers(std::size_t threads) {
        for (std::size_t t = 1; t < threads; ++t) {
            threads_.emplace_back([this] { take_turns([this] { return stopping_; }); });
        }
    }
    ~Fibers() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;

    /// Runs `work` on a fiber, and works like the other threads until it has ended.
    void run(Fiber::Work work) {
        FiberGroup group;
        start(group, std::move(work));
        take_turns([&] { return group.unfinished == 0; });
    }

private:
    friend class Fiber;

    void start(FiberGroup& group, Fiber::Work work) {
        {
            const std::lock_guard lock(mutex_);
            if (idle_.empty()) {
                idle_.push_back(fibers_.emplace_back(std::make_unique<Fiber>(*this)).get());
            }
            Fiber* const fiber = idle_.back();
            fiber->work_ = std::move(work);
            fiber->group_ = &group;
            ready_.push_back(fiber);
            idle_.pop_back();
            ++group.unfinished;
        }
        changed_.notify_one();
    }

    /// The loop of each thread until done(), which is called under the lock.
    template <class Done>
    void take_turns(const Done& done) {
        ucontext_t here;
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return done() || !ready_.empty(); });
            if (done()) {
                changed_.notify_one(); // it may have been woken for a fiber
                return;
            }
            Fiber& fiber = *ready_.front();
            ready_.pop_front();
            lock.unlock();
            fiber.thread_ = &here;
            swapcontext(&here, &fiber.context_);
            lock.lock();
            dispose_of(fiber);
        }
    }

    /// Called under the lock when a fiber has been put down.
    void dispose_of(Fiber& fiber) {
        switch (fiber.state_) {
        case Fiber::State::ready:
            make_ready(&fiber);
            return;
        case Fiber::State::waiting:
            if (fiber.waits_for_->unfinished == 0) {
                make_ready(&fiber);
            } else {
                fiber.waits_for_->waiting = &fiber;
            }
            return;
        case Fiber::State::ended:
            idle_.push_back(&fiber);
            if (--fiber.group_->unfinished != 0) { return; }
            if (fiber.group_->waiting != nullptr) {
                make_ready(fiber.group_->waiting);
            } else {
                changed_.notify_all(); // run() may be waiting for it
            }
        }
    }

    void make_ready(Fiber* fiber) {
        ready_.push_back(fiber);
        changed_.notify_one();
    }

    std::mutex mutex_; // guards all members, groups, and fibers that are put down
    std::condition_variable changed_;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Fiber*> idle_;
    std::deque<Fiber*> ready_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

inline Fiber::Fiber(Fibers& fibers) : fibers_(fibers) {
    if (getcontext(&context_) != 0) { std::terminate(); }
    context_.uc_stack = stack_.span();
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&context_, reinterpret_cast<void (*)()>(&live), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

inline void Fiber::start(FiberGroup& group, Work work) { fibers_.start(group, std::move(work)); }

} // namespace hosts
