// The options of the span program.
#pragma once

#include "../workloads/program_options.hpp"

#include <span>
#include <string>

namespace throng::bench {

struct Options : ProgramOptions {
    Options() : ProgramOptions({2, 4, 8, 16, 32, 64, 128}, 7, "span.csv") {}

    Source source = Source::pool;
    double bandwidth = 0.0; ///< bytes per second of all threads; zero for the measured one
    bool loops = false;
    bool check = false;
};

/// Throws std::invalid_argument with a sentence about the first bad option.
[[nodiscard]] Options parse(std::span<const char* const> arguments);

[[nodiscard]] std::string usage();

} // namespace throng::bench
