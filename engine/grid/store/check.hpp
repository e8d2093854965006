// The invariants of a row grid, built or read from an archive. Internal to the engine.
#pragma once

#include "state.hpp"

#include <cstddef>

namespace throng {

/// What a check of a grid has found: the first invariant that does not hold, or null; and if all
/// hold, the bounds of all centres.
template <std::size_t Dim>
struct GridChecked {
    const char* fault = nullptr;
    Box<Dim> bounds;
};

/// Goes over the agents of a grid, row after row, and over the table of ids, and checks all that
/// queries, edits and kernels rely on. Each block must have as many words as its row and its table
/// tell. Allocates a bit for every id below the bound; may throw std::bad_alloc.
template <std::size_t Dim>
[[nodiscard]] GridChecked<Dim> check_grid(const RowStore<Dim>& store, const RowOfId& row_of,
                                          const Point<Dim>& max_half_extent, std::size_t agents);

extern template GridChecked<2> check_grid(const RowStore<2>&, const RowOfId&, const Point<2>&,
                                          std::size_t);
extern template GridChecked<3> check_grid(const RowStore<3>&, const RowOfId&, const Point<3>&,
                                          std::size_t);

} // namespace throng
