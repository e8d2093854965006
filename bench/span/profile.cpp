#include "profile.hpp"

#include "../measure/statistics.hpp"

#include <algorithm>
#include <numeric>

namespace throng::bench {

double Profile::in_blocks() const noexcept {
    double sum = 0.0;
    for (const std::vector<double>& loop : loops) {
        sum = std::accumulate(loop.begin(), loop.end(), sum);
    }
    return sum;
}

std::size_t Profile::blocks() const noexcept {
    std::size_t count = 0;
    for (const std::vector<double>& loop : loops) {
        count += loop.size();
    }
    return count;
}

double Profile::longest_block() const noexcept {
    double longest = 0.0;
    for (const std::vector<double>& loop : loops) {
        for (const double block : loop) {
            longest = std::max(longest, block);
        }
    }
    return longest;
}

std::size_t Profile::threads_of(std::size_t loop, std::size_t threads) const noexcept {
    const std::size_t most = loop < most_threads.size() ? most_threads[loop] : threads;
    return std::min({threads, most, loops[loop].size()});
}

bool Profile::is_cut_like(const Profile& other) const noexcept {
    return most_threads == other.most_threads &&
           std::equal(loops.begin(), loops.end(), other.loops.begin(), other.loops.end(),
                      [](const auto& a, const auto& b) { return a.size() == b.size(); });
}

Profile typical(std::span<const Profile> runs) {
    if (runs.empty()) { return {}; }
    const bool alike = std::all_of(runs.begin(), runs.end(),
                                   [&](const Profile& run) { return run.is_cut_like(runs[0]); });
    if (!alike) {
        std::vector<const Profile*> order;
        for (const Profile& run : runs) {
            order.push_back(&run);
        }
        const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
        std::nth_element(
            order.begin(), middle, order.end(),
            [](const Profile* a, const Profile* b) { return a->whole() < b->whole(); });
        return **middle;
    }
    const auto median_of = [&](const auto& time_in) {
        std::vector<double> times;
        for (const Profile& run : runs) {
            times.push_back(time_in(run));
        }
        return median(std::move(times));
    };
    Profile profile = runs[0];
    profile.serial = median_of([](const Profile& run) { return run.serial; });
    for (std::size_t l = 0; l < profile.loops.size(); ++l) {
        for (std::size_t b = 0; b < profile.loops[l].size(); ++b) {
            profile.loops[l][b] = median_of([&](const Profile& run) { return run.loops[l][b]; });
        }
    }
    return profile;
}

} // namespace throng::bench
