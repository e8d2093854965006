// What the demo can be told on the command line.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace throng::demo {

struct Options {
    std::size_t agents = 1'000'000;
    double seconds = 5.0;
    int threads = 1;
    std::size_t dim = 2;
    bool clustered = false;
    std::string image; ///< empty: none
    bool help = false;
};

/// Throws std::invalid_argument with a sentence about the first option that makes no sense.
[[nodiscard]] Options parse(std::span<const char* const> arguments);

[[nodiscard]] const char* usage() noexcept;

} // namespace throng::demo
