// Races that ThreadSanitizer must find: mistakes of hosts, and of executors. If it missed one of
// them, the other tests of this folder would prove nothing.
//
//   throng_planted_races <name>    "none" is the same without the mistakes
#include "../../../simd/isa/isa.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/annotated_executor.hpp"
#include "../../support/threads/executors.hpp"
#include "../../support/threads/happens_before.hpp"
#include "../crews.hpp"
#include "../tbb_host.hpp"

#include <throng/engine/agents/found.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/memory/hierarchical_bitset.hpp>
#include <throng/parallel/executors/callback_executor.hpp>
#include <throng/parallel/executors/tbb_executor.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kAgents = 50'000;

/// A short mistake is repeated this often, since the sanitizer may miss a single one.
constexpr std::size_t kRounds = 100;

/// Lets two threads wait for each other, so that both take part in the race. Relaxed, so that
/// ThreadSanitizer learns of no order. The threads sleep, because the sanitizer remembers only a
/// thread's latest accesses, and reports no race with those that it has forgotten.
class Meeting {
public:
    void arrive() noexcept { arrived_.fetch_add(1, std::memory_order_relaxed); }

    /// False if the time was up before `count` threads had arrived.
    [[nodiscard]] bool wait(int count, std::chrono::milliseconds limit) const noexcept {
        const auto end = std::chrono::steady_clock::now() + limit;
        while (arrived_.load(std::memory_order_relaxed) < count) {
            if (std::chrono::steady_clock::now() > end) { return false; }
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        return true;
    }

    /// Waits only briefly: TBB does not promise that a second thread comes.
    bool meet() noexcept {
        arrive();
        return wait(2, std::chrono::milliseconds(200));
    }

private:
    std::atomic<int> arrived_ = 0;
};

enum class Forget : unsigned char { nothing, fork, join };

/// An executor that orders its threads for ThreadSanitizer like AnnotatedExecutor, except for one
/// order that it forgets. Makes sure that two threads get blocks.
template <Forget kForgotten>
class ForgetfulExecutor final : public Executor {
public:
    explicit ForgetfulExecutor(Executor& hidden) noexcept : hidden_(hidden) {}

    void run(std::size_t blocks, Body body) override {
        const Loop loop(blocks, body);
        loop.fork.release();
        hidden_.run(blocks, loop);
        if (kForgotten != Forget::join) { loop.join.acquire(); }
    }

private:
    struct Loop {
        Loop(std::size_t count, Body work) noexcept : blocks(count), body(work) {}
        void operator()(std::size_t block) const {
            if (kForgotten != Forget::fork) { fork.acquire(); }
            if (blocks > 1 && block < 2) { meeting.meet(); }
            body(block);
            join.release();
        }

        std::size_t blocks;
        Body body;
        Edge fork, join;
        mutable Meeting meeting;
    };

    Executor& hidden_;
};

/// A host that does not wait for its jobs: finish() returns at once, and threads end some time
/// later. CallbackExecutor promises to tolerate that.
class HastyHost {
public:
    HastyHost() = default;
    HastyHost(const HastyHost&) = delete;
    HastyHost& operator=(const HastyHost&) = delete;
    ~HastyHost() {
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    [[nodiscard]] Executor& executor() noexcept { return executor_; }

private:
    static void* enqueue(JobFunction job, std::size_t count, void* context, void* user) {
        auto& host = *static_cast<HastyHost*>(user);
        for (std::size_t i = 0; i < count; ++i) {
            host.threads_.emplace_back([=] { job(i, i + 1, context); });
        }
        return user;
    }
    static void finish(void*, void*) {}

    CallbackExecutor executor_{JobCallbacks{enqueue, finish, this, 4}};
    std::vector<std::thread> threads_;
};

/// The objects that all races start with.
struct Stage {
    TbbExecutor hidden;
    AnnotatedExecutor executor{hidden};
    scenes::Scene<2> scene = scenes::make_uniform<2>(kAgents);
    Agents<2> agents = scene.agents();
    RowGrid<2> grid, other;
    HierarchicalBitset set{1'000};
    std::size_t total = 0;

    Stage() {
        scenes::add_queries(scene, 20);
        if (!grid.update(agents, executor).ok() || !other.update(agents, executor).ok()) {
            std::abort();
        }
    }

    /// Runs two blocks at the same time.
    void run_two(Executor::Body body) {
        Meeting both;
        for (std::size_t attempt = 0; attempt < kRounds; ++attempt) {
            Meeting begin, end;
            executor.run(2, [&](std::size_t b) {
                if (!begin.meet()) { return; }
                body(b);
                end.meet();
                both.arrive();
            });
            if (both.wait(2, {})) { return; }
        }
    }

    /// Two threads of the host. The second begins after the first has finished its body, but
    /// without synchronisation. The first thread stays alive until the second is done, since the
    /// sanitizer reports no race with a thread that has ended.
    static void on_two_threads(FunctionRef<void(std::size_t)> body) {
        constexpr std::chrono::seconds kLimit(60);
        Meeting first, second;
        on_own_threads(2, [&](std::size_t i) {
            if (i == 0) {
                body(0);
                first.arrive();
                (void)second.wait(1, kLimit);
            } else {
                (void)first.wait(1, kLimit);
                body(1);
                second.arrive();
            }
        });
    }

    void update(RowGrid<2>& which) {
        if (!which.update(agents, executor).ok()) { std::abort(); }
    }

    template <Forget kForgotten>
    void update_on() {
        ForgetfulExecutor<kForgotten> forgetful(hidden);
        if (!grid.update(agents, forgetful).ok()) { std::abort(); }
    }

    template <Forget kForgotten>
    void count_on() {
        ForgetfulExecutor<kForgotten> forgetful(hidden);
        std::array<std::size_t, 2> counts{};
        forgetful.run(counts.size(),
                      [&](std::size_t b) { counts[b] = grid.count(scene.boxes[b]).count; });
        total += counts[0] + counts[1];
    }

    /// A loop on at most two threads.
    template <Forget kForgotten>
    void count_on_two() {
        ForgetfulExecutor<kForgotten> forgetful(hidden);
        std::array<std::size_t, 8> counts{};
        forgetful.run_on(2, counts.size(),
                         [&](std::size_t b) { counts[b] = grid.count(scene.boxes[b]).count; });
        for (const std::size_t count : counts) {
            total += count;
        }
    }

    /// One thread asks, and another changes, without synchronisation.
    static void query_beside(FunctionRef<void()> query, FunctionRef<void()> change) {
        on_two_threads([&](std::size_t i) { i == 0 ? query() : change(); });
    }

    [[nodiscard]] Crowd<2> crowd() {
        Crowd<2> crowd;
        if (!crowd.update(agents, executor).ok()) { std::abort(); }
        return crowd;
    }

    void batch(Hits& hits) const {
        if (!grid.query(std::span<const Ball<2>>(scene.balls), hits).ok()) { std::abort(); }
    }
};

void query_during_update(Stage& s) {
    Stage::on_two_threads([&](std::size_t i) {
        if (i == 0) {
            (void)s.grid.count(s.scene.world);
        } else {
            s.update(s.grid);
        }
    });
}

void query_during_insert(Stage& s) {
    Stage::on_two_threads([&](std::size_t i) {
        if (i == 0) {
            (void)s.grid.count(s.scene.world);
        } else {
            (void)s.grid.insert(Id{kAgents}, {s.scene.position_of(0)});
        }
    });
}

void query_during_pool_update(Stage& s) {
    EagerPool pool(4);
    Stage::query_beside([&] { (void)s.grid.count(s.scene.world); },
                        [&] {
                            if (!s.grid.update(s.agents, pool).ok()) { std::abort(); }
                        });
}

void query_during_reserve(Stage& s) {
    Crowd<2> crowd = s.crowd();
    Stage::query_beside([&] { (void)crowd.count(s.scene.boxes[0]); },
                        [&] {
                            if (!crowd.reserve(4 * kAgents).ok()) { std::abort(); }
                        });
}

void two_updates(Stage& s) {
    Stage::on_two_threads([&](std::size_t) { s.update(s.grid); });
}

void shared_hits(Stage& s) {
    Hits hits;
    Stage::on_two_threads([&](std::size_t) { s.batch(hits); });
}

void shared_total(Stage& s) {
    s.run_two([&](std::size_t b) {
        for (std::size_t round = 0; round < kRounds; ++round) {
            s.total += s.grid.count(s.scene.boxes[b]).count;
        }
    });
}

void shared_word(Stage& s) {
    s.run_two([&](std::size_t b) {
        for (std::size_t round = 0; round < kRounds; ++round) {
            s.set.set(b + 2 * round);
        }
    });
}

void early_summary(Stage& s) {
    s.run_two([&](std::size_t b) {
        for (std::size_t round = 0; round < kRounds; ++round) {
            if (b == 0) {
                s.set.set_concurrently(7 * round);
            } else {
                s.set.summarise();
            }
        }
    });
}

void no_fork(Stage& s) {
    for (std::size_t round = 0; round < kRounds; ++round) {
        s.update_on<Forget::fork>();
    }
}

void no_join(Stage& s) {
    for (std::size_t round = 0; round < kRounds; ++round) {
        s.count_on<Forget::join>();
    }
}

void no_join_of_few(Stage& s) {
    for (std::size_t round = 0; round < kRounds; ++round) {
        s.count_on_two<Forget::join>();
    }
}

void none(Stage& s) {
    std::array<Hits, 2> hits;
    std::array<std::size_t, 2> totals{};
    Stage::on_two_threads([&](std::size_t i) { s.update(i == 0 ? s.grid : s.other); });
    Stage::on_two_threads([&](std::size_t) { (void)s.grid.count(s.scene.world); });
    (void)s.grid.insert(Id{kAgents}, {s.scene.position_of(0)});
    Stage::on_two_threads([&](std::size_t i) { s.batch(hits[i]); });
    s.run_two([&](std::size_t b) { totals[b] = s.grid.count(s.scene.boxes[b]).count; });
    s.run_two([&](std::size_t b) { s.set.set_concurrently(b); });
    s.set.summarise();
    s.update_on<Forget::nothing>();
    s.count_on<Forget::nothing>();
    s.count_on_two<Forget::nothing>();
    EagerPool pool(4);
    if (!s.grid.update(s.agents, pool).ok()) { std::abort(); }
    Crowd<2> crowd = s.crowd();
    if (!crowd.reserve(4 * kAgents, pool).ok()) { std::abort(); }
    Stage::on_two_threads([&](std::size_t) { (void)crowd.count(s.scene.world); });
    // finish() does not wait, so chance decides which blocks run; the results of those are visible.
    HastyHost host;
    for (std::size_t round = 0; round < 20; ++round) {
        std::array<std::size_t, 8> counts{};
        host.executor().run_on(2, counts.size(), [&](std::size_t b) { counts[b] = b; });
        s.total += counts[0] + counts[7];
    }
}

struct Planted {
    std::string_view name;
    void (*race)(Stage&);
};

constexpr Planted kPlanted[] = {
    {"query_during_update", query_during_update},
    {"query_during_insert", query_during_insert},
    {"query_during_pool_update", query_during_pool_update},
    {"query_during_reserve", query_during_reserve},
    {"two_updates", two_updates},
    {"shared_hits", shared_hits},
    {"shared_total", shared_total},
    {"shared_word", shared_word},
    {"early_summary", early_summary},
    {"no_fork", no_fork},
    {"no_join", no_join},
    {"no_join_of_few", no_join_of_few},
    {"none", none},
};

} // namespace
} // namespace throng::test

int main(int argc, char** argv) {
    constexpr int kSkipped = 77; // ctest's SKIP_RETURN_CODE
    if (throng::active_isa() == throng::Isa::none) { return kSkipped; }
    const std::string_view name = argc == 2 ? argv[1] : "";
    for (const throng::test::Planted& planted : throng::test::kPlanted) {
        if (planted.name != name) { continue; }
        throng::test::with_tbb_threads(4, [&] {
            throng::test::Stage stage;
            planted.race(stage);
        });
        std::puts("came to its end");
        return EXIT_SUCCESS;
    }
    std::puts("no such race");
    return EXIT_FAILURE;
}
