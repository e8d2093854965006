// The options of the span program.
#pragma once

#include "../machine/team.hpp"
#include "../workloads/selection.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace throng::bench {

struct Options {
    Selection selection;
    std::vector<std::size_t> threads = {2, 4, 8, 16, 32, 64, 128}; ///< ascending
    Source source = Source::pool;
    std::size_t runs = 7;
    double bandwidth = 0.0; ///< bytes a second on all threads; zero: as measured
    bool loops = false;
    bool check = false;
    std::string csv = "span.csv";
    bool help = false;
    bool machine = false;
};

/// Throws std::invalid_argument with a sentence about the first option that makes no sense.
[[nodiscard]] Options parse(std::span<const char* const> arguments);

[[nodiscard]] std::string usage();

} // namespace throng::bench
