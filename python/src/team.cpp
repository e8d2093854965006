#include "team.hpp"

#include "gil.hpp"

#include <map>

#include <pybind11/pybind11.h>
#include <unistd.h>

namespace throng::python {

namespace py = pybind11;

namespace {

/// Time between two checks for signals: each needs the GIL, which other threads may keep for a
/// while.
constexpr std::chrono::milliseconds kBetweenLooks{50};

} // namespace

std::shared_ptr<Team> Team::of(std::size_t threads) {
    // Never destroyed: threads may sleep in teams while the process ends.
    static auto& teams = *new std::map<std::size_t, std::weak_ptr<Team>>;
    std::weak_ptr<Team>& place = teams[threads];
    std::shared_ptr<Team> team = place.lock();
    if (!team) {
        team = std::make_shared<Team>(threads);
        place = team;
    }
    return team;
}

Team::Team(std::size_t threads)
    : pool_(threads == 1 ? nullptr : std::make_unique<ThreadPool>(threads)),
      threads_(pool_ ? pool_->threads() : 1), process_(getpid()) {}

Team::~Team() {
    leave_if_forked();
    // Joining takes a while, and no thread of the pool needs the GIL held meanwhile.
    const WithoutGil without_gil;
    pool_.reset();
}

Executor& Team::executor() {
    leave_if_forked();
    if (threads_ == 1) { return serial_executor(); }
    if (!pool_) {
        pool_ = std::make_unique<ThreadPool>(threads_);
        process_ = getpid();
    }
    return *pool_;
}

void Team::leave_if_forked() noexcept {
    if (process_ != getpid()) { static_cast<void>(pool_.release()); }
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
