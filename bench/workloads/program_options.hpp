// Options that both programs for whole crowds have.
#pragma once

#include "selection.hpp"

#include "../machine/team.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace throng::bench {

struct ProgramOptions {
    Selection selection;
    std::vector<std::size_t> threads; ///< ascending
    std::size_t runs = 0;
    std::string csv;
    bool help = false;
    bool machine = false;

    /// The smallest and largest values that a program accepts.
    struct Limits {
        std::size_t fewest_threads, most_threads, fewest_runs;
    };
    /// Whether the current option is one of these; then also takes its value. Throws
    /// std::invalid_argument for a bad value.
    bool take(Arguments& arguments, const Limits& limits);

protected:
    ProgramOptions(std::vector<std::size_t> usual_threads, std::size_t usual_runs,
                   std::string usual_csv);
};

/// Reads a list of executors' names; only those of this build are allowed.
[[nodiscard]] std::vector<Source> sources_of(Arguments& arguments);

} // namespace throng::bench
