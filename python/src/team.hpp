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

/// Threads, shared by all crowds with that number of threads. The GIL must be held.
class Team {
public:
    /// The existing team of that number, or a new one. 0: as many threads as processors.
    [[nodiscard]] static std::shared_ptr<Team> of(std::size_t threads);

    explicit Team(std::size_t threads);
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team();

    [[nodiscard]] std::size_t threads() const noexcept { return threads_; }
    [[nodiscard]] Executor& executor();

private:
    /// In a forked process the copy of the pool has no threads, and must be left alone.
    void leave_if_forked() noexcept;

    std::unique_ptr<ThreadPool> pool_; ///< none for one thread
    std::size_t threads_;
    pid_t process_;
};

/// Thrown through a call when a Python exception is set.
struct Interrupted {};

/// Lets Python handle its signals now and then, on the thread that made the call.
class Patience {
public:
    /// Called without the GIL. Throws Interrupted if a handler has raised an exception.
    void check();
    void begin() noexcept { last_ = std::chrono::steady_clock::now(); }

private:
    std::chrono::steady_clock::time_point last_{};
};

/// Passes blocks on to a team, and checks for signals between the blocks of the calling thread.
class PatientExecutor final : public Executor {
public:
    void begin(Executor& team) noexcept {
        team_ = &team;
        patience_.begin();
    }
    void run(std::size_t blocks, Body body) override;
    [[nodiscard]] std::size_t threads() const noexcept override { return team_->threads(); }

    [[nodiscard]] Patience& patience() noexcept { return patience_; }

private:
    Executor* team_ = nullptr;
    Patience patience_;
};

} // namespace throng::python
