#include "schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace throng::bench {

double makespan(std::span<const double> blocks, std::span<const double> ready) {
    std::priority_queue<double, std::vector<double>, std::greater<>> free(ready.begin(),
                                                                          ready.end());
    double end = 0.0;
    for (const double block : blocks) {
        const double done = free.top() + block;
        free.pop();
        free.push(done);
        end = std::max(end, done);
    }
    return end;
}

double makespan(std::span<const double> blocks, std::size_t threads) {
    return makespan(blocks, std::vector<double>(threads));
}

LoopCost LoopCosts::at(std::size_t threads) const noexcept {
    if (threads < 2 || measured_.empty()) { return {}; }
    const auto above = measured_.upper_bound(threads);
    const auto& [of, cost] = above == measured_.begin() ? *above : *std::prev(above);
    const double ratio =
        std::log2(static_cast<double>(threads)) / std::log2(static_cast<double>(of));
    return {cost.start * ratio, cost.end * ratio};
}

std::vector<double> LoopCosts::ready(std::size_t threads) const {
    std::vector<double> times;
    for (std::size_t thread = 1; thread <= threads; ++thread) {
        times.push_back(at(thread).start);
    }
    return times;
}

const char* to_string(Limit limit) noexcept {
    switch (limit) {
    case Limit::none:
        return "none";
    case Limit::serial:
        return "serial part";
    case Limit::blocks:
        return "longest block";
    case Limit::wake_ups:
        return "wake-ups";
    case Limit::memory:
        break;
    }
    return "memory";
}

Limit Reckoning::limit() const noexcept {
    constexpr double kWorthANote = 0.05;
    if (lost() <= kWorthANote * seconds) { return Limit::none; }
    const std::array<std::pair<double, Limit>, 4> losses{{{lost_serial, Limit::serial},
                                                          {lost_blocks, Limit::blocks},
                                                          {lost_wake_ups, Limit::wake_ups},
                                                          {lost_memory, Limit::memory}}};
    return std::max_element(losses.begin(), losses.end(),
                            [](const auto& a, const auto& b) { return a.first < b.first; })
        ->second;
}

Reckoning reckon(const Profile& profile, std::size_t threads, const LoopCosts& costs,
                 std::span<const double> floors) {
    Reckoning reckoning;
    reckoning.seconds = profile.whole();
    if (threads < 2) { return reckoning; }
    const auto share = static_cast<double>(threads);
    reckoning.lost_serial = profile.serial * (1.0 - 1.0 / share);
    // Loops with a common floor are compared with it together.
    std::vector<double> phases(
        std::min(profile.loops.size(), std::max<std::size_t>(floors.size(), 1)));
    for (std::size_t l = 0; l < profile.loops.size(); ++l) {
        const std::vector<double>& loop = profile.loops[l];
        if (loop.empty()) { continue; }
        const std::size_t awake = profile.threads_of(l, threads);
        const double undelayed = makespan(loop, awake);
        const double delayed = makespan(loop, costs.ready(awake)) + costs.at(awake).end;
        reckoning.lost_blocks += undelayed - std::accumulate(loop.begin(), loop.end(), 0.0) / share;
        reckoning.lost_wake_ups += delayed - undelayed;
        phases[std::min(l, phases.size() - 1)] += delayed;
    }
    for (std::size_t p = 0; p < phases.size(); ++p) {
        double floor = p < floors.size() ? floors[p] : 0.0;
        for (std::size_t rest = phases.size(); p + 1 == phases.size() && rest < floors.size();
             ++rest) {
            floor += floors[rest];
        }
        reckoning.lost_memory += std::max(0.0, floor - phases[p]);
    }
    reckoning.seconds = profile.whole() / share + reckoning.lost();
    return reckoning;
}

} // namespace throng::bench
