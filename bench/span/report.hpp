// Writes the estimates: a file for programs, and a table to read.
#pragma once

#include "options.hpp"
#include "study.hpp"

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace throng::bench {

class Report {
public:
    /// Prints the conditions, and begins the file unless the options have --check. Throws
    /// std::runtime_error if the file cannot be written.
    Report(const Conditions& conditions, std::string_view isa, const Options& options);

    /// Begins the lines of a workload with its profile on one thread.
    void begin(std::string_view workload, const Setting& setting, const Profile& one,
               const std::vector<Phase>& phases);
    /// Adds a line; a line for one thread goes only into the file.
    void add(const Profile& profile, std::size_t threads, const Reckoning& reckoning);

    /// Prints a line for --check; all times are in seconds.
    void compare(std::string_view workload, const Setting& setting, double one, double reckoned,
                 double measured) const;

private:
    void check_file();

    std::string machine_, isa_, executor_, path_;
    std::ofstream file_;
    bool loops_;
    std::size_t runs_;

    // Values of the current workload:
    std::string subject_;
    double one_ = 0.0;
};

} // namespace throng::bench
