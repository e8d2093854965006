// What one query to a crowd cost, and which path its search took.
#pragma once

#include "../core/status.hpp"

#include <cstdint>

namespace throng {

/// What one query cost.
struct QueryStats {
    std::uint64_t rows = 0;   ///< rows with agents that were looked into
    std::uint64_t tested = 0; ///< nodes tested one by one
    std::uint64_t copied = 0; ///< nodes taken without a test: their cells lie wholly inside
    std::uint64_t hits = 0;
    Status status{};
};

/// How small agents are searched for; docs/planner.md says when which path is taken.
enum class SearchPath : std::uint8_t {
    none,  ///< no search: the query wants no group, or there are no agents
    rows,  ///< row by row, each where it may have hits; cells wholly inside are copied
    tiles, ///< the same, but only rows that have agents in the searched part of x
    all,   ///< the shape holds all agents, so none of them is tested
};

[[nodiscard]] constexpr const char* to_string(SearchPath path) noexcept {
    switch (path) {
    case SearchPath::rows:
        return "rows";
    case SearchPath::tiles:
        return "tiles";
    case SearchPath::all:
        return "all";
    case SearchPath::none:
        break;
    }
    return "none";
}

/// The cost of a count(), and its result.
struct CrowdStats {
    SearchPath path = SearchPath::none;
    std::uint64_t rows = 0;   ///< rows with small agents that were looked into
    std::uint64_t tested = 0; ///< small agents tested one by one
    std::uint64_t copied = 0; ///< small agents counted without a test
    std::uint64_t small = 0, giants = 0, statics = 0; ///< hits in each set
    /// The planner's estimate for the search for small agents, on a processor of about 3 GHz with
    /// data in its second cache.
    double predicted_nanoseconds = 0.0;
    Status status{};

    [[nodiscard]] std::uint64_t hits() const noexcept { return small + giants + statics; }
};

} // namespace throng
