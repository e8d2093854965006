// The threads of the extension, and calls on them that Ctrl-C ends.
#pragma once

#include "../arguments.hpp"

#include <throng/engine/core/executor.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include <sys/types.h>

namespace throng::python {

/// What runs calls: oneTBB, a pool, or the calling thread.
struct TeamKind {
    ExecutorKind executor = ExecutorKind::serial;
    std::size_t threads = 1; ///< 0: as many as there are processors

    /// That of the keywords `threads` and `executor`, of which None is oneTBB if the extension was
    /// built with it, else a pool. Raises ValueError or TypeError.
    [[nodiscard]] static TeamKind from(pybind11::handle named);

    friend auto operator<=>(const TeamKind&, const TeamKind&) = default;
};
/// What Python calls an executor: "tbb", "pool" or "serial".
[[nodiscard]] const char* name_of(ExecutorKind kind) noexcept;
/// The executor of crowds that name none, if they have several threads.
[[nodiscard]] ExecutorKind usual_executor();

/// Threads, shared by all crowds of that kind. The GIL must be held.
class Team {
public:
    /// The existing team of that kind, or a new one.
    [[nodiscard]] static std::shared_ptr<Team> of(const TeamKind& kind);

    explicit Team(const TeamKind& kind);
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team();

    /// The most that work on a call.
    [[nodiscard]] std::size_t threads() const noexcept { return threads_; }
    [[nodiscard]] ExecutorKind kind() const noexcept { return kind_.executor; }
    [[nodiscard]] Executor& executor();

private:
    /// In a forked process neither a copy of a pool nor oneTBB has threads: both are left alone.
    void leave_if_forked() noexcept;

    const TeamKind kind_;
    std::unique_ptr<Executor> executor_; ///< none: the calling thread
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
