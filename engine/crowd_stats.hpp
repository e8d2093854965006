// What one question to a crowd cost, and by which way it was answered.
#pragma once

#include "status.hpp"

#include <cstdint>

namespace throng {

/// How small agents are looked for; docs/planner.md says when which way is taken.
enum class SearchPath : std::uint8_t {
    none,      ///< not at all: nobody is wanted, or there is nobody
    rows,      ///< row by row, each where it may have hits; cells wholly inside are copied
    tiles,     ///< the same, but only rows that have agents in the searched part of x
    everybody, ///< the shape holds all agents, none of whom is tested
};

[[nodiscard]] constexpr const char* to_string(SearchPath path) noexcept {
    switch (path) {
    case SearchPath::rows:
        return "rows";
    case SearchPath::tiles:
        return "tiles";
    case SearchPath::everybody:
        return "everybody";
    case SearchPath::none:
        break;
    }
    return "none";
}

/// The cost of a count(), and what it comes to.
struct CrowdStats {
    SearchPath path = SearchPath::none;
    std::uint64_t rows = 0;   ///< rows with small agents that were looked into
    std::uint64_t tested = 0; ///< small agents tested one by one
    std::uint64_t copied = 0; ///< and taken without a test
    std::uint64_t small = 0, giants = 0, statics = 0; ///< hits in each set
    /// What the planner thought that the search for small agents would take, on a processor of
    /// about 3 GHz with data in its second cache.
    double predicted_nanoseconds = 0.0;
    Status status{};

    [[nodiscard]] std::uint64_t hits() const noexcept { return small + giants + statics; }
};

} // namespace throng
