#include "wake_ups.hpp"

#include "../machine/rendezvous.hpp"
#include "../measure/statistics.hpp"
#include "span_executor.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kLoops = 300;

LoopCost measure(Team& team) {
    constexpr std::chrono::milliseconds kPatience{20};
    const SteadySeconds clock;
    std::vector<double> starts, ends;
    std::vector<double> arrived(team.threads());
    team.call([&](Executor& executor) {
        for (std::size_t loop = 0; loop < kLoops; ++loop) {
            Rendezvous all(team.threads());
            std::atomic<bool> all_came = true;
            const double begin = clock();
            executor.run(team.threads(), [&](std::size_t block) {
                arrived[block] = clock();
                if (!all.meet(kPatience)) { all_came = false; }
            });
            const double end = clock();
            // If a thread got no processor, the loop shows nothing about wake-ups.
            if (!all_came) { continue; }
            const double last = *std::max_element(arrived.begin(), arrived.end());
            starts.push_back(last - begin);
            ends.push_back(end - last);
        }
    });
    return {median(starts), median(ends)};
}

} // namespace

LoopCosts measure_wake_ups(Source source, const Machine& machine) {
    const std::size_t most = std::max<std::size_t>(machine.processors, 2);
    std::set<std::size_t> counts{most};
    for (std::size_t threads = 2; threads < most; threads *= 2) {
        counts.insert(threads);
    }
    LoopCosts costs;
    for (const std::size_t threads : counts) {
        costs.add(threads, measure(*make_team(source, threads, most)));
    }
    return costs;
}

} // namespace throng::bench
