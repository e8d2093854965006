#include "team.hpp"

#include "gil.hpp"

#include <throng/parallel/executors/default_executor.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <map>
#include <string>

#include <unistd.h>

namespace throng::python {

namespace {

/// Time between two checks for signals. Each check needs the GIL, which other threads may hold for
/// a while.
constexpr std::chrono::milliseconds kBetweenLooks{50};

} // namespace

ExecutorKind usual_executor() {
    return make_tbb_executor() != nullptr ? ExecutorKind::tbb : ExecutorKind::pool;
}

const char* name_of(ExecutorKind kind) noexcept {
    switch (kind) {
    case ExecutorKind::tbb:
        return "tbb";
    case ExecutorKind::pool:
        return "pool";
    default:
        return "serial";
    }
}

TeamKind TeamKind::from(py::handle named) {
    const Keywords keywords(named);
    const py::object executor = keywords["executor"];
    TeamKind kind;
    kind.threads = keywords.whole("threads");
    const std::size_t wanted = kind.threads;
    if (executor.is_none()) {
        kind.executor = usual_executor();
    } else if (!py::isinstance<py::str>(executor)) {
        throw py::type_error("executor: expected None or a str, got " +
                             std::string(Py_TYPE(executor.ptr())->tp_name));
    } else if (const auto name = executor.cast<std::string>(); name == "tbb") {
        if (usual_executor() != ExecutorKind::tbb) {
            throw py::value_error("executor: this extension was built without oneTBB");
        }
        kind.executor = ExecutorKind::tbb;
    } else if (name == "pool") {
        kind.executor = ExecutorKind::pool;
    } else if (name == "serial") {
        if (wanted > 1) {
            throw py::value_error("threads: executor='serial' has one, and not " +
                                  std::to_string(wanted));
        }
        kind.threads = 1;
    } else {
        throw py::value_error("executor: expected 'tbb', 'pool' or 'serial', got " +
                              py::repr(executor).cast<std::string>());
    }
    if (kind.threads == 1) { kind.executor = ExecutorKind::serial; }
    return kind;
}

std::shared_ptr<Team> Team::of(const TeamKind& kind) {
    // Never destroyed, since threads may sleep in teams while the process ends.
    static auto& teams = *new std::map<TeamKind, std::weak_ptr<Team>>;
    std::weak_ptr<Team>& place = teams[kind];
    std::shared_ptr<Team> team = place.lock();
    if (!team) {
        team = std::make_shared<Team>(kind);
        place = team;
    }
    return team;
}

Team::Team(const TeamKind& kind) : kind_(kind), threads_(kind.threads), process_(getpid()) {
    if (kind.executor == ExecutorKind::tbb) {
        executor_ = make_tbb_executor(kind.threads);
    } else if (kind.executor == ExecutorKind::pool) {
        executor_ = std::make_unique<ThreadPool>(kind.threads);
    }
    if (threads_ == 0) { threads_ = executor_->threads(); }
}

Team::~Team() {
    leave_if_forked();
    // Joining takes a while, and the pool's threads do not need the GIL.
    const WithoutGil without_gil;
    executor_.reset();
}

Executor& Team::executor() {
    leave_if_forked();
    if (kind_.executor == ExecutorKind::serial) { return serial_executor(); }
    if (!executor_) { executor_ = std::make_unique<ThreadPool>(threads_); }
    return *executor_;
}

void Team::leave_if_forked() noexcept {
    if (process_ == getpid()) { return; }
    static_cast<void>(executor_.release());
    process_ = getpid();
}

void Patience::check() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kBetweenLooks) { return; }
    last_ = now;
    const WithGil with_gil;
    if (PyErr_CheckSignals() != 0) { throw Interrupted(); }
}

void PatientExecutor::run(std::size_t blocks, Body body) {
    const std::thread::id caller = std::this_thread::get_id();
    team_->run(blocks, [&, caller](std::size_t block) {
        body(block);
        if (std::this_thread::get_id() == caller) { patience_.check(); }
    });
}

} // namespace throng::python
