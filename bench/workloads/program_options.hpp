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

    /// What makes sense in a program.
    struct Limits {
        std::size_t fewest_threads, most_threads, fewest_runs;
    };
    /// Whether the current option is one of these; then its value is taken. Throws
    /// std::invalid_argument if that makes no sense.
    bool take(Arguments& arguments, const Limits& limits);

protected:
    ProgramOptions(std::vector<std::size_t> usual_threads, std::size_t usual_runs,
                   std::string usual_csv);
};

/// A list of executors' names, of those that this was built with.
[[nodiscard]] std::vector<Source> sources_of(Arguments& arguments);

} // namespace throng::bench
