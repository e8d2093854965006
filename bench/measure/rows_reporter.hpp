// Shows benchmarks on the console, and writes a row of CSV for each.
#pragma once

#include "csv.hpp"

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>
#include <vector>

namespace throng::bench {

/// Google Benchmark's own CSV has a column for each counter of the first benchmark, and ends the
/// program where a later one has another counter. Here counters are one column of name=value.
class RowsReporter final : public benchmark::ConsoleReporter {
public:
    explicit RowsReporter(const std::string& path) : file_(path) {
        file_ << "name,iterations,real_time,cpu_time,time_unit,counters,error\n";
    }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            std::string counters;
            for (const auto& [name, counter] : run.counters) {
                counters +=
                    (counters.empty() ? "" : " ") + name + '=' + std::to_string(counter.value);
            }
            file_ << quoted(run.benchmark_name()) << ',' << run.iterations << ','
                  << run.GetAdjustedRealTime() << ',' << run.GetAdjustedCPUTime() << ','
                  << benchmark::GetTimeUnitString(run.time_unit) << ',' << quoted(counters) << ','
                  << quoted(error_of(run)) << std::endl;
        }
        ConsoleReporter::ReportRuns(runs);
    }

    [[nodiscard]] bool wrote_all() const { return file_.good(); }

private:
    /// Why a benchmark failed: in two members before version 1.8, in others since.
    template <class Any>
    [[nodiscard]] static std::string error_of(const Any& run) {
        if constexpr (requires { run.error_message; }) {
            return run.error_message;
        } else {
            return run.skip_message;
        }
    }

    std::ofstream file_;
};

} // namespace throng::bench
