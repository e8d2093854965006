// The options of the scaling program.
#pragma once

#include "team.hpp"

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
};

[[nodiscard]] const char* to_string(Scaling scaling) noexcept;

/// Fewer runs make no median.
inline constexpr std::size_t kFewestRuns = 5;

struct Options {
    std::vector<std::size_t> agents;
    std::vector<std::size_t> threads; ///< ascending
    std::vector<std::size_t> dims = {2, 3};
    std::vector<std::string> workloads;
    std::vector<Source> sources;
    std::vector<Scaling> scalings = {Scaling::strong, Scaling::weak, Scaling::overhead};
    std::size_t runs = 11;
    double seconds = 20.0;
    std::string csv = "scaling.csv";
    bool help = false;
    bool machine = false;
};

/// Throws std::invalid_argument with a sentence about the first option that makes no sense.
/// `processors` is the number that may be used.
[[nodiscard]] Options parse(std::span<const char* const> arguments, std::size_t processors);

[[nodiscard]] const char* usage() noexcept;

} // namespace throng::bench
