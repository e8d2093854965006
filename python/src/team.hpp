// The threads of the extension, and calls on them that Ctrl-C ends.
#pragma once

#include <throng/engine/core/executor.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include <sys/types.h>

namespace throng::python {

/// Threads, for all crowds that ask for that number of them. With the GIL held.
class Team {
public:
    /// The team that is there, or a new one. 0: as many as there are processors.
    [[nodiscard]] static std::shared_ptr<Team> of(std::size_t threads);

    explicit Team(std::size_t threads);
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team();

    [[nodiscard]] std::size_t threads() const noexcept { return threads_; }
    [[nodiscard]] Executor& executor();

private:
    /// Of a process that was forked: its copy of the pool has no threads, and must be left alone.
    void leave_if_forked() noexcept;

    std::unique_ptr<ThreadPool> pool_; ///< none for one thread
    std::size_t threads_;
    pid_t process_;
};

/// What a call throws when Python has an exception to raise, which is then set.
struct Interrupted {};

/// Lets Python handle its signals now and then, on the thread that made the call.
class Patience {
public:
    /// Without the GIL. Throws Interrupted if a handler has raised.
    void check();
    void begin() noexcept { last_ = std::chrono::steady_clock::now(); }

private:
    std::chrono::steady_clock::time_point last_{};
};

/// Passes blocks on to a team, and checks for signals between those that its caller runs.
class PatientExecutor final : public Executor {
public:
    void begin(Executor& team) noexcept {
        team_ = &team;
        patience_.begin();
    }
    void run(std::size_t blocks, Body body) override;

    [[nodiscard]] Patience& patience() noexcept { return patience_; }

private:
    Executor* team_ = nullptr;
    Patience patience_;
};

} // namespace throng::python
