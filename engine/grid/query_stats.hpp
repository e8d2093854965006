// What one query to a crowd cost, and how the grid was searched for it.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../core/status.hpp"

#include <cstdint>

namespace throng {

/// How small agents are searched for; docs/planner.md says when which path is taken.
enum class SearchPath : std::uint8_t {
    none,  ///< no search: the query wants no group, or there are no agents
    rows,  ///< row by row, only the cells that may have hits; cells wholly inside are copied
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

/// Why a search takes its SearchPath.
enum class PathReason : std::uint8_t {
    no_search,  ///< there is nothing to search
    only_way,   ///< the grid has no tiles, and the shape may miss an agent or the filter leaves one
                ///< out
    skips_rows, ///< the grid has tiles, which skip rows; each tile is used where that pays
    holds_all,  ///< the shape's test holds at the bounds of all agents, and none is left out
};

[[nodiscard]] constexpr const char* to_string(PathReason reason) noexcept {
    switch (reason) {
    case PathReason::only_way:
        return "only_way";
    case PathReason::skips_rows:
        return "skips_rows";
    case PathReason::holds_all:
        return "holds_all";
    case PathReason::no_search:
        break;
    }
    return "no_search";
}

/// What the planner expects a count() of small agents to take with each SearchPath, in nanoseconds,
/// on the processor where its constants were measured with data in the second cache. Negative if
/// this SearchPath is not possible.
struct PathCosts {
    double rows = -1.0, tiles = -1.0, all = -1.0;

    [[nodiscard]] constexpr double of(SearchPath path) const noexcept {
        return path == SearchPath::rows    ? rows
               : path == SearchPath::tiles ? tiles
               : path == SearchPath::all   ? all
                                           : 0.0;
    }
};

/// The cost of one query to a grid.
struct QueryStats {
    std::uint64_t rows = 0;   ///< rows with agents that were looked into
    std::uint64_t tested = 0; ///< nodes tested one by one
    std::uint64_t copied = 0; ///< nodes taken without a test: their cells lie wholly inside
    std::uint64_t hits = 0;
    SearchPath path = SearchPath::none;
    PathReason reason = PathReason::no_search;
    PathCosts predicted{};
    Status status{};
};

/// The cost of a count(), and its result.
struct CrowdStats {
    SearchPath path = SearchPath::none;
    PathReason reason = PathReason::no_search;
    std::uint64_t rows = 0;   ///< rows with small agents that were looked into
    std::uint64_t tested = 0; ///< small agents tested one by one
    std::uint64_t copied = 0; ///< small agents counted without a test
    std::uint64_t small = 0, giants = 0, statics = 0; ///< hits in each set
    /// Whether any() asks giants and statics before small agents.
    bool large_first = false;
    PathCosts predicted{};
    double predicted_nanoseconds = 0.0; ///< the one of `predicted` that is for `path`
    Status status{};

    [[nodiscard]] std::uint64_t hits() const noexcept { return small + giants + statics; }
};

} // namespace throng

#include "../../simd/isa/names_end.hpp"
