#include "scaling.hpp"

#include "../measure/statistics.hpp"
#include "timing.hpp"

#include <throng/distributed/one_rank.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>

namespace throng::bench {

namespace {

constexpr int kTurns = 3;   // for each variant, alternately
constexpr int kGrowing = 2; // in the first steps arrays grow

/// Times of one crowd on one rank and on several; medians of all turns.
struct Turns {
    std::vector<double> alone, together;
    std::vector<StepTimes> all;

    void print(const char* what, const char* other, double least, bool& fine) const {
        const double one = median(alone), several = median(together);
        const double ratio = one / several;
        std::printf("%s: %.2f ms; %s: %.2f ms; %.3f (at least %.2f)%s\n", what, 1e3 * one, other,
                    1e3 * several, ratio, least, ratio >= least ? "" : ": TOO SLOW");
        fine = ratio >= least;
    }
};

bool print_turns(Job& job, std::size_t agents, std::size_t agents_together, int steps,
                 Executor& alone_on, const char* what, const char* other, double least) {
    Turns turns;
    StepTimes one, several;
    for (int turn = 0; turn < kTurns; ++turn) {
        job.alone([&] {
            OneRank self;
            one = time_steps(self, agents, steps, alone_on);
            turns.alone.push_back(one.both());
        });
        several = time_steps(*job.ranks(), agents_together, steps, serial_executor());
        turns.together.push_back(several.both());
        if (!job.first()) { continue; }
        std::printf("%s: update %.2f ms, neighbours %.2f ms; %s: %.2f and %.2f ms\n", what,
                    1e3 * one.update, 1e3 * one.neighbours, other, 1e3 * several.update,
                    1e3 * several.neighbours);
    }
    bool fine = true;
    if (job.first()) { turns.print(what, other, least, fine); }
    return fine;
}

} // namespace

std::vector<double> gather_numbers(Ranks& ranks, double own) {
    const auto word = std::bit_cast<std::uint64_t>(own);
    std::vector<std::uint64_t> all(ranks.size());
    expect_ok(ranks.gather({&word, 1}, all));
    std::vector<double> numbers;
    for (const std::uint64_t of_rank : all) {
        numbers.push_back(std::bit_cast<double>(of_rank));
    }
    return numbers;
}

StepTimes time_steps(Ranks& ranks, std::size_t agents, int steps, Executor& executor) {
    Walking walking(ranks, Walk(agents));
    std::vector<double> updates, lists;
    Hits near;
    for (int step = 0; step < steps + kGrowing; ++step) {
        gather_numbers(ranks, 0.0); // so that all begin together
        const auto start = Clock::now();
        walking.update(executor);
        const double update = seconds_since(start);
        walking.find(near, executor);
        const double both = seconds_since(start);
        if (step >= kGrowing) {
            updates.push_back(update);
            lists.push_back(both - update);
        }
        walking.walk_on(near);
    }
    const std::vector<double> update = gather_numbers(ranks, median(updates));
    const std::vector<double> list = gather_numbers(ranks, median(lists));
    return {*std::max_element(update.begin(), update.end()),
            *std::max_element(list.begin(), list.end())};
}

bool print_weak(Job& job, std::size_t agents, int steps) {
    // The limit of the machine: independent processes that only share the machine.
    OneRank self;
    const double apart = time_steps(self, agents, steps, serial_executor()).both();
    const std::vector<double> all = gather_numbers(*job.ranks(), apart);
    if (job.first()) {
        std::printf("as many processes that know nothing of each other: %.2f ms\n",
                    1e3 * *std::max_element(all.begin(), all.end()));
    }
    return print_turns(job, agents, agents * job.ranks()->size(), steps, serial_executor(),
                       "one rank", "all ranks, as many agents each", 0.9);
}

bool print_threads(Job& job, std::size_t agents, int steps) {
    ThreadPool pool(job.first() ? job.ranks()->size() : 1);
    return print_turns(job, agents, agents, steps, pool, "one rank with as many threads",
                       "all ranks, a thread each", 0.9);
}

} // namespace throng::bench
