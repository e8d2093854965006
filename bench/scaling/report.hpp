// Writes the figures: a file for programs, and a table to read.
#pragma once

#include "../machine/bandwidth.hpp"
#include "../machine/machine.hpp"
#include "../machine/team.hpp"
#include "options.hpp"

#include <cstddef>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace throng::bench {

/// The figures of one team.
struct Figure {
    Source source = Source::serial;
    std::size_t agents = 0, threads = 1;
    double ns_per_agent = 0.0; ///< the median
    double speedup = 0.0;
    std::size_t runs = 0;
    bool right = true;

    [[nodiscard]] double efficiency() const noexcept {
        return speedup / static_cast<double>(threads);
    }
};

/// The conditions of a measurement.
struct Subject {
    Scaling scaling;
    std::string_view workload;
    Setting setting; ///< with agents per thread for weak scaling
};

class Report {
public:
    /// Throws std::runtime_error if the file cannot be written.
    Report(const Machine& machine, const Bandwidth& bandwidth, std::string_view isa,
           const Options& options);

    /// Begins a table.
    void begin(Scaling scaling) const;
    /// Adds a line for each source with all its figures; the first figure is that of the serial
    /// team.
    void add_scaling(const Subject& subject, std::span<const Figure> figures);
    /// Adds a line: RowGrid directly, and through Batch. `ratios` has one ratio for each round.
    void add_overhead(const Subject& subject, const Figure& direct, const Figure& batch,
                      const std::vector<double>& ratios);

    /// Adds a line: two hosts one after the other, and at once. `ratios` has one ratio for each
    /// round.
    void add_hosts(const Subject& subject, const Figure& apart, const Figure& together,
                   const std::vector<double>& ratios);

    /// Throws std::runtime_error if something could not be written.
    void finish();
    [[nodiscard]] bool all_right() const noexcept { return all_right_; }

private:
    void write(const Subject& subject, const Figure& figure);

    std::string path_, machine_, bandwidth_, isa_;
    std::ofstream file_;
    std::vector<std::size_t> threads_;
    bool pinned_;
    bool all_right_ = true;
};

} // namespace throng::bench
