#include "team.hpp"

#include <throng/parallel/executors/thread_pool.hpp>

#if defined(THRONG_BENCH_HAS_TBB)
#include <throng/parallel/executors/tbb_executor.hpp>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#endif

#include <algorithm>

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
class TbbTeam final : public Team {
public:
    TbbTeam(std::size_t threads, std::size_t most)
        : Team(Source::tbb, threads), allowed_(tbb::global_control::max_allowed_parallelism, most),
          arena_(static_cast<int>(threads)) {}
    void call(FunctionRef<void(Executor&)> body) override {
        arena_.execute([&] { body(executor_); });
    }

private:
    // An arena alone gets no more threads than the machine has processors. The smallest limit of
    // all controls holds, so all teams set the same.
    tbb::global_control allowed_;
    tbb::task_arena arena_;
    TbbExecutor executor_;
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

std::vector<std::unique_ptr<Team>> make_teams(std::span<const Source> sources,
                                              std::span<const std::size_t> threads) {
    std::vector<std::unique_ptr<Team>> teams;
    teams.push_back(std::make_unique<SerialTeam>());
    for (const Source source : sources) {
        for (const std::size_t count : threads) {
            if (source == Source::pool) { teams.push_back(std::make_unique<PoolTeam>(count)); }
#if defined(THRONG_BENCH_HAS_TBB)
            if (source == Source::tbb) {
                const std::size_t most = *std::max_element(threads.begin(), threads.end());
                teams.push_back(std::make_unique<TbbTeam>(count, most));
            }
#endif
        }
    }
    return teams;
}

} // namespace throng::bench
