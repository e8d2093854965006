// The extension's threads, and calls on them that Ctrl-C can end.
#pragma once

#include <throng/engine/core/executor.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include <pybind11/pybind11.h>
#include <sys/types.h>

namespace throng::python {

/// The kind of executor for calls: oneTBB, a pool, or the calling thread.
struct TeamKind {
    ExecutorKind executor = ExecutorKind::serial;
    std::size_t threads = 1; ///< 0: as many as there are processors

    /// Reads Python's arguments. None is oneTBB if the extension was built with it, otherwise a
    /// pool. Raises ValueError or TypeError.
    [[nodiscard]] static TeamKind from(pybind11::handle threads, pybind11::handle executor);

    friend auto operator<=>(const TeamKind&, const TeamKind&) = default;
};
/// Python's name of an executor: "tbb", "pool" or "serial".
[[nodiscard]] const char* name_of(ExecutorKind kind) noexcept;
/// The executor of crowds with several threads that name no executor.
[[nodiscard]] ExecutorKind usual_executor();

/// Threads that all crowds of one kind share. The GIL must be held.
class Team {
public:
    /// The existing team of that kind, or a new one.
    [[nodiscard]] static std::shared_ptr<Team> of(const TeamKind& kind);

    explicit Team(const TeamKind& kind);
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team();

    /// The most threads that work on a call.
    [[nodiscard]] std::size_t threads() const noexcept { return threads_; }
    [[nodiscard]] ExecutorKind kind() const noexcept { return kind_.executor; }
    [[nodiscard]] Executor& executor();

private:
    /// In a forked process a copied pool or oneTBB has no threads, so neither is destroyed.
    void leave_if_forked() noexcept;

    const TeamKind kind_;
    std::unique_ptr<Executor> executor_; ///< null: the calling thread
    std::size_t threads_;
    pid_t process_;
};

/// Thrown through a call when a Python exception is set.
struct Interrupted {};

/// Lets Python handle its signals now and then, on the calling thread.
class Patience {
public:
    /// Call it without the GIL. Throws Interrupted if a signal handler has raised an exception.
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
