// Questions on a way that the planner might not choose: for tests and benchmarks. Internal to the
// engine.
#pragma once

#include "crowd_stats.hpp"
#include "filter.hpp"
#include "found.hpp"
#include "row_grid.hpp"

#include <cstddef>
#include <span>

namespace throng {

/// The answer is the same on every way that is() says there is.
template <std::size_t Dim>
struct PathChoice {
    /// What the planner says, and what it expects of a count.
    struct Plan {
        SearchPath path;
        double nanoseconds;
    };
    template <class Shape>
    static Plan plan(const RowGrid<Dim>& grid, const Shape& shape, const Filter& filter) noexcept;

    /// Whether the grid is not likely to find anybody.
    template <class Shape>
    static bool is_sparse(const RowGrid<Dim>& grid, const Shape& shape) noexcept;

    template <class Shape>
    static bool is(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                   const Filter& filter) noexcept;

    template <class Shape>
    static Found query(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                       std::span<Id> out, const Filter& filter = {}) noexcept;
    template <class Shape>
    static Found count(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                       const Filter& filter = {}) noexcept;
};

} // namespace throng
