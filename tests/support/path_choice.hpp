// Answers queries by a search plan that the planner may not choose.
#pragma once

#include "../../engine/grid/store/state.hpp"

#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <cstddef>
#include <span>

namespace throng {

/// is() says whether a query can be answered by a plan; all such plans give the same answer.
template <std::size_t Dim>
struct PathChoice {
    template <class Shape>
    static bool is(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                   const Filter& filter) noexcept {
        const auto& state = detail::state_of(grid);
        const SearchPath chosen = state.path(ShapesView<Dim>(shape), filter);
        return path == chosen || (chosen != SearchPath::none &&
                                  (path == SearchPath::rows ||
                                   (path == SearchPath::tiles && !state.store.tiles().empty())));
    }

    template <class Shape>
    static Found query(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                       std::span<Id> out, const Filter& filter = {}) noexcept {
        const Status status = check_shape(shape);
        if (!status.ok()) { return {0, status}; }
        return {detail::state_of(grid).query(ShapesView<Dim>(shape), out, filter, path), {}};
    }

    template <class Shape>
    static Found count(const RowGrid<Dim>& grid, SearchPath path, const Shape& shape,
                       const Filter& filter = {}) noexcept {
        const Status status = check_shape(shape);
        if (!status.ok()) { return {0, status}; }
        const auto& state = detail::state_of(grid);
        return {state.template tally<simd::Form::count>(ShapesView<Dim>(shape), filter, path), {}};
    }
};

} // namespace throng
