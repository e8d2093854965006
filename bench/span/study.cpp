#include "study.hpp"

#include "span_executor.hpp"

#include <algorithm>
#include <stdexcept>

namespace throng::bench {

Subject::Subject(const std::string& workload, const Setting& setting, std::size_t runs)
    : workload_(make_workload(workload, setting)), runs_(runs),
      reading_(clock_cost(SteadySeconds{})) {
    for (int time = 0; time < 2; ++time) {
        workload_->ask(serial_executor());
    }
    if (!workload_->is_right()) { throw std::runtime_error("wrong answers of " + workload); }
}

Profile Subject::profile_once(std::size_t threads) {
    SpanExecutor<> executor(threads, reading_);
    return executor.profile([&](Executor& on) { workload_->ask(on); });
}

const Profile& Subject::profile(std::size_t threads) {
    std::vector<Profile> runs{profile_once(threads)};
    const auto known = std::find_if(known_.begin(), known_.end(), [&](const Profile& profile) {
        return profile.is_cut_like(runs[0]);
    });
    if (known != known_.end()) { return *known; }
    // The first profile may have included growing arrays, so it is not used.
    runs.clear();
    while (runs.size() < runs_) {
        runs.push_back(profile_once(threads));
    }
    return known_.emplace_back(typical(runs));
}

double Subject::seconds_of(Team& team) {
    const SteadySeconds clock;
    double seconds = 0.0;
    team.call([&](Executor& executor) {
        const double begin = clock();
        workload_->ask(executor);
        seconds = clock() - begin;
    });
    return seconds;
}

Reckoning Subject::reckoned(const Profile& profile, std::size_t threads,
                            const Conditions& conditions) const {
    std::vector<double> floors;
    if (workload_->working_set() > static_cast<double>(conditions.machine.last_cache)) {
        for (const Phase& phase : workload_->phases()) {
            floors.push_back(phase.bytes / conditions.bandwidth.at(threads));
        }
    }
    return reckon(profile, threads, conditions.costs, floors);
}

} // namespace throng::bench
