#include "studies.hpp"

#include "../statistics.hpp"
#include "trial.hpp"

#include <map>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

/// The crowds of weak scaling take turns, so all are in memory at the same time. Those that would
/// not fit in there are left out.
constexpr std::size_t kMostAgentsTogether = 20'000'000;

/// Direct calls and Batch differ little, so they are compared more often.
constexpr std::size_t kOverheadRuns = 4;

using Teams = std::span<const std::unique_ptr<Team>>;

Figure figure_of(const Contender& contender, const Runs& runs) {
    Figure figure;
    figure.source = contender.team == nullptr ? Source::none : contender.team->source();
    figure.threads = contender.team == nullptr ? 1 : contender.team->threads();
    figure.agents = contender.trial->agents();
    figure.ns_per_agent = median(runs.ns_per_agent);
    figure.runs = runs.ns_per_agent.size();
    figure.right = runs.right;
    return figure;
}

/// The first contender is the serial one.
void compare_teams(const Subject& subject, std::span<const Contender> contenders,
                   const Options& options, Report& report) {
    const std::vector<Runs> runs = take_turns(contenders, {options.runs, options.seconds});
    std::vector<Figure> figures;
    for (std::size_t c = 0; c < contenders.size(); ++c) {
        figures.push_back(figure_of(contenders[c], runs[c]));
        figures[c].speedup = figures[0].ns_per_agent / figures[c].ns_per_agent;
    }
    report.add_scaling(subject, figures);
}

void measure_strong(const Subject& subject, Teams teams, const Options& options, Report& report) {
    Trial trial(make_workload(subject.workload, subject.setting));
    std::vector<Contender> contenders;
    for (const auto& team : teams) {
        contenders.push_back({&trial, team.get()});
    }
    compare_teams(subject, contenders, options, report);
}

void measure_weak(const Subject& subject, Teams teams, const Options& options, Report& report) {
    std::map<std::size_t, Trial> trials; // by threads
    std::size_t together = 0;
    std::vector<Contender> contenders;
    for (const auto& team : teams) {
        const std::size_t threads = team->threads();
        auto trial = trials.find(threads);
        if (trial == trials.end()) {
            Setting setting = subject.setting;
            setting.agents *= threads;
            if (threads > 1 && together + setting.agents > kMostAgentsTogether) { continue; }
            together += setting.agents;
            auto workload = make_workload(subject.workload, setting);
            trial = trials.try_emplace(threads, std::move(workload)).first;
        }
        contenders.push_back({&trial->second, team.get()});
    }
    // One crowd alone, for one thread, would be strong scaling.
    if (trials.size() > 1) { compare_teams(subject, contenders, options, report); }
}

void measure_overhead(const Subject& subject, Team& serial, const Options& options,
                      Report& report) {
    auto workload = make_workload(subject.workload, subject.setting);
    if (!workload->has_direct_form()) { return; }
    Trial trial(std::move(workload));
    const Contender contenders[] = {{&trial, nullptr}, {&trial, &serial}};
    const std::vector<Runs> runs =
        take_turns(contenders, {kOverheadRuns * options.runs, options.seconds});
    std::vector<double> ratios;
    for (std::size_t i = 0; i < runs[0].ns_per_agent.size(); ++i) {
        ratios.push_back(runs[1].ns_per_agent[i] / runs[0].ns_per_agent[i]);
    }
    Figure direct = figure_of(contenders[0], runs[0]);
    direct.speedup = 1.0;
    Figure batch = figure_of(contenders[1], runs[1]);
    batch.speedup = 1.0 / median(ratios);
    report.add_overhead(subject, direct, batch, ratios);
}

void measure(const Subject& subject, Teams teams, const Options& options, Report& report) {
    switch (subject.scaling) {
    case Scaling::strong:
        measure_strong(subject, teams, options, report);
        break;
    case Scaling::weak:
        measure_weak(subject, teams, options, report);
        break;
    case Scaling::overhead:
        measure_overhead(subject, *teams[0], options, report);
        break;
    }
}

} // namespace

void measure_all(const Options& options, Teams teams, Report& report) {
    for (const Scaling scaling : options.scalings) {
        report.begin(scaling);
        options.selection.for_each([&](const std::string& workload, const Setting& setting) {
            measure({scaling, workload, setting}, teams, options, report);
        });
    }
}

} // namespace throng::bench
