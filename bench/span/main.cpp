// Estimates how updates and questions of a whole crowd would scale with more threads than the
// machine has.
#include "../machine/bandwidth.hpp"
#include "../machine/disturbance.hpp"
#include "../machine/machine.hpp"
#include "../machine/team.hpp"
#include "../measure/statistics.hpp"
#include "options.hpp"
#include "report.hpp"
#include "study.hpp"
#include "wake_ups.hpp"

#include <throng/simd/isa/isa.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace throng::bench;

constexpr int kBadUsage = 2;
constexpr int kNoSuchIsa = 77;

void reckon_all(const Options& options, const Conditions& conditions, Report& report) {
    options.selection.for_each([&](const std::string& workload, const Setting& setting) {
        Subject subject(workload, setting, options.runs);
        const Profile& one = subject.profile(1);
        report.begin(workload, setting, one, subject.workload().phases());
        report.add(one, 1, subject.reckoned(one, 1, conditions));
        for (const std::size_t threads : options.threads) {
            const Profile& profile = subject.profile(threads);
            report.add(profile, threads, subject.reckoned(profile, threads, conditions));
        }
    });
}

/// One thread, a profile and two threads are timed alternately, so that a disturbance slows all of
/// them.
void check_all(const Options& options, const Conditions& conditions, const Report& report) {
    constexpr std::size_t kThreads = 2;
    const std::unique_ptr<Team> serial = make_serial_team();
    const std::unique_ptr<Team> team = make_team(options.source, kThreads, kThreads);
    options.selection.for_each([&](const std::string& workload, const Setting& setting) {
        Subject subject(workload, setting, options.runs);
        std::vector<Profile> profiles;
        std::vector<double> one, two;
        for (std::size_t run = 0; run <= options.runs; ++run) {
            const double alone = subject.seconds_of(*serial);
            Profile profile = subject.profile_once(kThreads);
            const double together = subject.seconds_of(*team);
            if (run == 0) { continue; } // threads start late, and scratch grows
            one.push_back(alone);
            profiles.push_back(std::move(profile));
            two.push_back(together);
        }
        const Reckoning reckoning = subject.reckoned(typical(profiles), kThreads, conditions);
        report.compare(workload, setting, median(one), reckoning.seconds, median(two));
    });
}

int run(const Options& options) {
    if (throng::active_isa() == throng::Isa::none) {
        std::fprintf(stderr, "throng_span: this machine has no set of the build, or not the one in "
                             "THRONG_FORCE_ISA\n");
        return kNoSuchIsa;
    }
    const Disturbance disturbance;
    Conditions conditions{this_machine(), {}, {}};
    if (options.bandwidth > 0.0) {
        conditions.bandwidth.add(1, options.bandwidth);
    } else {
        conditions.bandwidth = measure_bandwidth(conditions.machine);
    }
    conditions.costs = measure_wake_ups(options.source, conditions.machine);
    Report report(conditions, throng::to_string(throng::active_isa()), options);
    if (options.check) {
        check_all(options, conditions, report);
    } else {
        reckon_all(options, conditions, report);
    }
    disturbance.print();
    return EXIT_SUCCESS;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    try {
        options = parse(std::span<const char* const>(argv + 1, static_cast<std::size_t>(argc - 1)));
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "throng_span: %s\n%s", error.what(), usage().c_str());
        return kBadUsage;
    }
    if (options.help || options.machine) {
        std::printf("%s", options.help ? usage().c_str() : (this_machine().name + "\n").c_str());
        return EXIT_SUCCESS;
    }
    try {
        return run(options);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "throng_span: there is not enough memory\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng_span: %s\n", error.what());
    }
    return EXIT_FAILURE;
}
