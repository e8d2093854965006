// The options of the shootout.
#pragma once

#include "walkers.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace throng::shootout {

struct Options {
    std::vector<std::size_t> agents = {10'000, 100'000, 1'000'000, 10'000'000}; ///< ascending
    std::vector<std::size_t> dims = {2, 3};
    std::vector<SceneKind> scenes{kSceneKinds.begin(), kSceneKinds.end()};
    std::vector<std::string> subjects; ///< empty for all
    std::vector<std::string> work;
    std::vector<std::size_t> threads; ///< ascending
    std::size_t questions = 100'000;  ///< at most, of each kind
    double seconds_per_line = 0.1;
    double budget_minutes = 60.0;
    std::string csv = "shootout.csv";
    std::string command; ///< as typed
    bool list = false;
    bool help = false;

    [[nodiscard]] bool wants(const std::string& name) const;
    /// Boxes of growing size are asked only in the largest crowd of up to a million agents.
    [[nodiscard]] bool sweeps(std::size_t count) const;
    [[nodiscard]] bool does(const std::string& work_name) const;
};

/// Throws std::invalid_argument with a sentence about the first bad option. `known` are the names
/// of all contenders, `processors` is the number that may be used.
[[nodiscard]] Options parse(std::span<const char* const> arguments,
                            std::span<const std::string> known, std::size_t processors);

[[nodiscard]] const char* usage() noexcept;

} // namespace throng::shootout
