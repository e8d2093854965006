#include "studies.hpp"

#include "../measure/statistics.hpp"
#include "trial.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

/// The crowds of weak scaling are measured alternately, so all are in memory at once. Crowds that
/// do not fit into this number are left out.
constexpr std::size_t kMostAgentsTogether = 20'000'000;

/// Direct calls and Batch differ little, so they are compared more often.
constexpr std::size_t kOverheadRuns = 4;
constexpr std::size_t kHostsRuns = 2;

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

/// The first contender must be the serial team.
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
    Trial trial(make_workload(subject.workload, subject.setting), options.shortest_run);
    std::vector<Contender> contenders;
    for (const auto& team : teams) {
        contenders.push_back({&trial, team.get()});
    }
    compare_teams(subject, contenders, options, report);
}

void measure_weak(const Subject& subject, Teams teams, const Options& options, Report& report) {
    std::map<std::size_t, Trial> trials; // by number of threads
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
            trial = trials.try_emplace(threads, std::move(workload), options.shortest_run).first;
        }
        contenders.push_back({&trial->second, team.get()});
    }
    // With a single crowd, for one thread, this would be strong scaling.
    if (trials.size() > 1) { compare_teams(subject, contenders, options, report); }
}

void measure_overhead(const Subject& subject, Team& serial, const Options& options,
                      Report& report) {
    auto workload = make_workload(subject.workload, subject.setting);
    if (!workload->has_direct_form()) { return; }
    Trial trial(std::move(workload), options.shortest_run);
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

/// The crowds of two hosts.
class Pair {
public:
    Pair(const Subject& subject, double shortest_run)
        : trials_{Trial(make_workload(subject.workload, subject.setting), shortest_run),
                  Trial(make_workload(subject.workload, subject.setting), shortest_run)} {
        trials_[1].call_as_often_as(trials_[0]);
    }

    /// Nanoseconds per agent of both crowds; if they run at once, from the first begin to the last
    /// end.
    [[nodiscard]] Run run(Team& team, bool at_once) {
        std::array<Run, 2> runs{};
        const auto call = [&](std::size_t host) { runs[host] = trials_[host].run(&team); };
        if (at_once) {
            std::thread other(call, 1);
            call(0);
            other.join();
        } else {
            call(0);
            call(1);
        }
        const auto seconds = [](auto duration) {
            return std::chrono::duration<double>(duration).count();
        };
        Run both;
        both.right = runs[0].right && runs[1].right;
        both.ns_per_agent = (runs[0].ns_per_agent + runs[1].ns_per_agent) / 2;
        if (at_once) {
            const double whole = seconds(std::max(runs[0].end, runs[1].end) -
                                         std::min(runs[0].begin, runs[1].begin));
            const double apart =
                seconds(runs[0].end - runs[0].begin) + seconds(runs[1].end - runs[1].begin);
            both.ns_per_agent *= whole / apart;
        }
        return both;
    }
    [[nodiscard]] std::size_t agents() const noexcept { return trials_[0].agents(); }

private:
    std::array<Trial, 2> trials_;
};

void measure_hosts(const Subject& subject, Teams teams, const Options& options, Report& report) {
    Pair hosts(subject, options.shortest_run);
    for (const auto& team : teams) {
        if (team->source() == Source::serial) { continue; } // it has no threads to share
        std::array<Runs, 2> runs;                           // one after the other, and at once
        std::vector<double> ratios;
        for (std::size_t round = 0; round <= kHostsRuns * options.runs; ++round) {
            std::array<Run, 2> pair;
            for (std::size_t turn = 0; turn < 2; ++turn) {
                const std::size_t at_once = (round + turn) % 2; // each begins every other time
                pair[at_once] = hosts.run(*team, at_once == 1);
                runs[at_once].right = runs[at_once].right && pair[at_once].right;
            }
            if (round == 0) { continue; } // threads start late, and scratch grows
            for (std::size_t at_once = 0; at_once < 2; ++at_once) {
                runs[at_once].ns_per_agent.push_back(pair[at_once].ns_per_agent);
            }
            ratios.push_back(pair[0].ns_per_agent / pair[1].ns_per_agent);
        }
        std::array<Figure, 2> figures;
        for (std::size_t at_once = 0; at_once < 2; ++at_once) {
            figures[at_once] = {team->source(),
                                hosts.agents(),
                                team->threads(),
                                median(runs[at_once].ns_per_agent),
                                1.0,
                                ratios.size(),
                                runs[at_once].right};
        }
        figures[1].speedup = median(ratios);
        report.add_hosts(subject, figures[0], figures[1], ratios);
    }
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
    case Scaling::hosts:
        measure_hosts(subject, teams, options, report);
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
