#include "team.hpp"

#include "machine.hpp"
#include "rendezvous.hpp"

#include <throng/parallel/executors/thread_pool.hpp>

#if defined(THRONG_BENCH_HAS_TBB)
#include <throng/parallel/executors/tbb_executor.hpp>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace throng::bench {

namespace {

class SerialTeam final : public Team {
public:
    SerialTeam() noexcept : Team(Source::serial, 1) {}
    void call(FunctionRef<void(Executor&)> body) override { body(serial_executor()); }
};

class PoolTeam final : public Team {
public:
    explicit PoolTeam(std::size_t threads) : Team(Source::pool, threads), pool_(threads) {}
    void call(FunctionRef<void(Executor&)> body) override { body(pool_); }

private:
    ThreadPool pool_;
};

#if defined(THRONG_BENCH_HAS_TBB)
/// Pins threads whenever they enter an arena, because oneTBB's threads move between arenas.
class Pins final : public tbb::task_scheduler_observer {
public:
    Pins(tbb::task_arena& arena, std::span<const int> processors)
        : tbb::task_scheduler_observer(arena), processors_(processors.begin(), processors.end()) {
        observe(true);
    }
    Pins(const Pins&) = delete;
    Pins& operator=(const Pins&) = delete;
    ~Pins() override { observe(false); }

    void on_scheduler_entry(bool) override {
        const int slot = tbb::this_task_arena::current_thread_index();
        if (slot >= 0 && static_cast<std::size_t>(slot) < processors_.size()) {
            (void)pin_this_thread(processors_[static_cast<std::size_t>(slot)]);
        }
    }

private:
    std::vector<int> processors_;
};

class TbbTeam final : public Team {
public:
    TbbTeam(std::size_t threads, std::size_t most)
        : Team(Source::tbb, threads), allowed_(tbb::global_control::max_allowed_parallelism, most),
          arena_(static_cast<int>(threads)) {}
    void call(FunctionRef<void(Executor&)> body) override {
        arena_.execute([&] { body(executor_); });
    }
    void pin(std::span<const int> processors) override { pins_.emplace(arena_, processors); }

private:
    // An arena alone gets at most as many threads as there are processors. Of several global limits
    // the smallest holds, so all teams set the same one.
    tbb::global_control allowed_;
    tbb::task_arena arena_;
    TbbExecutor executor_;
    std::optional<Pins> pins_;
};
#endif

} // namespace

const char* to_string(Source source) noexcept {
    switch (source) {
    case Source::none:
        return "none";
    case Source::serial:
        return "serial";
    case Source::pool:
        return "pool";
    case Source::tbb:
        break;
    }
    return "tbb";
}

bool has_tbb() noexcept {
#if defined(THRONG_BENCH_HAS_TBB)
    return true;
#else
    return false;
#endif
}

void Team::pin(std::span<const int> processors) {
    constexpr std::chrono::seconds kPatience{1};
    Rendezvous all(threads_);
    std::atomic<std::size_t> next = 1;
    std::atomic<bool> sound = true;
    const std::thread::id caller = std::this_thread::get_id();
    call([&](Executor& executor) {
        executor.run(threads_, [&](std::size_t) {
            // Threads wait for each other here, so each runs one block.
            const std::size_t place = std::this_thread::get_id() == caller ? 0 : next.fetch_add(1);
            if (place >= processors.size() || !all.meet(kPatience) ||
                !pin_this_thread(processors[place])) {
                sound = false;
            }
        });
    });
    if (!sound) { throw std::runtime_error("threads could not be pinned"); }
}

std::unique_ptr<Team> make_serial_team() { return std::make_unique<SerialTeam>(); }

std::unique_ptr<Team> make_team(Source source, std::size_t threads,
                                [[maybe_unused]] std::size_t most) {
#if defined(THRONG_BENCH_HAS_TBB)
    if (source == Source::tbb) { return std::make_unique<TbbTeam>(threads, most); }
#endif
    if (source == Source::pool) { return std::make_unique<PoolTeam>(threads); }
    throw std::invalid_argument("no threads come from " + std::string(to_string(source)));
}

std::vector<std::unique_ptr<Team>> make_teams(std::span<const Source> sources,
                                              std::span<const std::size_t> threads) {
    std::vector<std::unique_ptr<Team>> teams;
    teams.push_back(make_serial_team());
    for (const Source source : sources) {
        for (const std::size_t count : threads) {
            teams.push_back(
                make_team(source, count, *std::max_element(threads.begin(), threads.end())));
        }
    }
    return teams;
}

} // namespace throng::bench
