#include "balance.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace throng::bench {

namespace {

/// Processor seconds of this thread: ranks run one at a time, so elapsed time would include the
/// others.
double seconds_of_thread() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The results of balancing, each the largest of all ranks.
struct Balanced {
    double by_heads = 0.0, by_work = 0.0; ///< the largest work, divided by the mean
    double most_agents = 0.0;             ///< the largest number, divided by the mean
    double weighed = 0.0, cut = 0.0;      ///< seconds
};

void balance(Walking& walking, std::span<const std::uint32_t> work, double& seconds) {
    const double start = seconds_of_thread();
    expect_ok(walking.crowd.balance(serial_executor(), work));
    seconds = std::max(seconds, seconds_of_thread() - start);
    walking.update();
}

} // namespace

bool print_balance(std::uint32_t ranks, const Walk& world, std::uint64_t seed) {
    Balanced all;
    ThreadRanks job(ranks, seed);
    job.run([&](Ranks& self) {
        Walking walking(self, world);
        walking.update();
        std::vector<std::uint32_t> heads(walking.mine.owned(), 1);
        double ignored = 0.0;
        balance(walking, heads, ignored);
        balance(walking, {}, all.weighed);
        all.by_heads = walking.crowd.stats().imbalance;
        all.by_work = walking.crowd.stats().next_imbalance;
        // Times the cuts alone, without counting neighbours: balances again, by one unit for each
        // agent.
        heads.assign(walking.mine.owned(), 1);
        balance(walking, heads, all.cut);
        const auto mean = static_cast<double>(world.agents) / ranks;
        all.most_agents =
            std::max(all.most_agents, static_cast<double>(walking.mine.owned()) / mean);
    });
    std::printf("largest work of a rank over the mean: %.3f by heads (more than 1.5), %.3f by work "
                "(at most 1.15)\n",
                all.by_heads, all.by_work);
    std::printf("a rank needs %.2f ms for cuts (at most 20), %.2f ms with neighbours to count\n",
                1e3 * all.cut, 1e3 * all.weighed);
    return all.by_heads > 1.5 && all.by_work <= 1.15 && all.cut <= 0.020;
}

} // namespace throng::bench
