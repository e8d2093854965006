#include "report.hpp"

#include "../measure/csv.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>

namespace throng::bench {

namespace {

constexpr double kMilli = 1e3, kMicro = 1e6;

std::string counted(std::size_t count, const char* noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void print_subject(std::string_view workload, const Setting& setting) {
    std::printf("%-15.*s %-5s %-9s %zud %9zu", static_cast<int>(workload.size()), workload.data(),
                to_string(setting.index), to_string(setting.population), setting.dim,
                setting.agents);
}

double percent(double part, double whole) noexcept {
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

} // namespace

Report::Report(const Conditions& conditions, std::string_view isa, const Options& options)
    : machine_(to_string(conditions.machine) + "; memory " + to_string(conditions.bandwidth)),
      isa_(isa), executor_(to_string(options.source)), path_(options.csv), loops_(options.loops),
      runs_(options.runs) {
    std::printf("%s; %s\n", machine_.c_str(), isa_.c_str());
    for (const std::size_t threads : options.threads) {
        const LoopCost cost = conditions.costs.at(threads);
        std::printf(
            "a loop on %zu threads of %s: %.1f us until all are there, %.1f us at the end\n",
            threads, executor_.c_str(), kMicro * cost.start, kMicro * cost.end);
    }
    if (options.check) {
        std::printf("\nfor 2 threads                             one, ms  reckoned  measured    "
                    "measured / reckoned\n");
        return;
    }
    file_.open(path_);
    file_ << "machine,isa,executor,workload,index,scene,dim,agents,threads,ms,speedup,efficiency,"
             "limit,lost_serial_ms,lost_blocks_ms,lost_wake_ups_ms,lost_memory_ms,loops,blocks,"
             "longest_block_ms,serial_ms,runs\n";
    check_file();
}

void Report::begin(std::string_view workload, const Setting& setting, const Profile& one,
                   const std::vector<Phase>& phases) {
    one_ = one.whole();
    subject_ = std::string(workload) + "," + to_string(setting.index) + "," +
               to_string(setting.population) + "," + std::to_string(setting.dim) + "," +
               std::to_string(setting.agents);
    std::printf("\n");
    print_subject(workload, setting);
    std::printf(": %.2f ms on one thread, %.2f ns an agent; %s, %s, the longest %.2f %%; serial "
                "part %.2f %%\n",
                kMilli * one_, 1e9 * one_ / static_cast<double>(setting.agents),
                counted(one.loops.size(), "loop").c_str(), counted(one.blocks(), "block").c_str(),
                percent(one.longest_block(), one_), percent(one.serial, one_));
    for (std::size_t l = 0; loops_ && l < one.loops.size(); ++l) {
        const std::vector<double>& loop = one.loops[l];
        const std::string_view name = phases[std::min(l, phases.size() - 1)].name;
        std::printf("    loop %zu, %.*s: %s, %.3f ms, the longest %.3f ms\n", l + 1,
                    static_cast<int>(name.size()), name.data(),
                    counted(loop.size(), "block").c_str(),
                    kMilli * std::accumulate(loop.begin(), loop.end(), 0.0),
                    kMilli * *std::max_element(loop.begin(), loop.end()));
    }
}

void Report::add(const Profile& profile, std::size_t threads, const Reckoning& reckoning) {
    const double speedup = reckoning.seconds > 0.0 ? one_ / reckoning.seconds : 0.0;
    const double efficiency = speedup / static_cast<double>(threads);
    const char* const limit = to_string(reckoning.limit());
    if (threads > 1) {
        std::printf("%8zu threads %10.3f ms %8.2f times %6.1f %%", threads,
                    kMilli * reckoning.seconds, speedup, 100.0 * efficiency);
        if (reckoning.limit() != Limit::none) { std::printf("   %s", limit); }
        // Machines with more threads have faster memory too, so the figure without this limit is
        // shown.
        if (reckoning.limit() == Limit::memory) {
            std::printf(", without it %.2f times",
                        one_ / (reckoning.seconds - reckoning.lost_memory));
        }
        std::printf("\n");
    }
    char numbers[320];
    std::snprintf(numbers, sizeof(numbers),
                  "%zu,%.5f,%.4f,%.4f,%s,%.5f,%.5f,%.5f,%.5f,%zu,%zu,%.5f,%.5f,%zu\n", threads,
                  kMilli * reckoning.seconds, speedup, efficiency, limit,
                  kMilli * reckoning.lost_serial, kMilli * reckoning.lost_blocks,
                  kMilli * reckoning.lost_wake_ups, kMilli * reckoning.lost_memory,
                  profile.loops.size(), profile.blocks(), kMilli * profile.longest_block(),
                  kMilli * profile.serial, runs_);
    file_ << quoted(machine_) << ',' << isa_ << ',' << executor_ << ',' << subject_ << ','
          << numbers;
    check_file();
}

void Report::compare(std::string_view workload, const Setting& setting, double one, double reckoned,
                     double measured) const {
    print_subject(workload, setting);
    std::printf(" %10.3f %9.3f %9.3f %9.2f\n", kMilli * one, kMilli * reckoned, kMilli * measured,
                measured / reckoned);
    std::fflush(stdout);
}

void Report::check_file() {
    file_.flush();
    std::fflush(stdout);
    if (!file_) { throw std::runtime_error("cannot write " + path_); }
}

} // namespace throng::bench
