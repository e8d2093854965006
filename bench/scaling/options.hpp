// The options of the scaling program.
#pragma once

#include "../machine/team.hpp"
#include "../workloads/selection.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace throng::bench {

/// What varies, and what stays the same.
enum class Scaling : std::uint8_t {
    strong,   ///< more threads, the same crowd
    weak,     ///< more threads, and as many agents for each
    overhead, ///< one thread, with Batch and without
    hosts,    ///< two hosts at once, a crowd each, and one after the other
};

[[nodiscard]] const char* to_string(Scaling scaling) noexcept;

/// Fewer runs make no median.
inline constexpr std::size_t kFewestRuns = 5;

struct Options {
    Selection selection;
    std::vector<std::size_t> threads; ///< ascending
    std::vector<Source> sources;
    std::vector<Scaling> scalings = {Scaling::strong, Scaling::weak};
    std::size_t runs = 11;
    double seconds = 4.0;
    bool pin = false;
    std::string csv = "scaling.csv";
    bool help = false;
    bool machine = false;
};

/// Throws std::invalid_argument with a sentence about the first option that makes no sense.
/// `processors` is the number that may be used.
[[nodiscard]] Options parse(std::span<const char* const> arguments, std::size_t processors);

[[nodiscard]] std::string usage();

} // namespace throng::bench
