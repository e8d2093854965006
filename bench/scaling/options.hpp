// The options of the scaling program.
#pragma once

#include "../workloads/program_options.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng::bench {

/// What a measurement varies.
enum class Scaling : std::uint8_t {
    strong,   ///< more threads, the same crowd
    weak,     ///< more threads, with as many agents for each
    overhead, ///< one thread, with and without Batch
    hosts,    ///< two hosts with a crowd each, at once and one after the other
};

[[nodiscard]] const char* to_string(Scaling scaling) noexcept;

/// A median needs at least this many runs.
inline constexpr std::size_t kFewestRuns = 5;

struct Options : ProgramOptions {
    explicit Options(std::vector<std::size_t> usual_threads = {})
        : ProgramOptions(std::move(usual_threads), 11, "scaling.csv") {}

    std::vector<Source> sources;
    std::vector<Scaling> scalings = {Scaling::strong, Scaling::weak};
    double seconds = 4.0;
    double shortest_run = 0.01; ///< seconds, to be measurable
    bool pin = false;
};

/// Throws std::invalid_argument with a sentence about the first bad option. `processors` is the
/// number that may be used.
[[nodiscard]] Options parse(std::span<const char* const> arguments, std::size_t processors);

[[nodiscard]] std::string usage();

} // namespace throng::bench
