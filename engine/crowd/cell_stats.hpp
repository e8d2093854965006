// How well the cells of a crowd suit its agents.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include <cstdint>

namespace throng {

/// What Crowd::cell_stats() returns: docs/fit.md.
///
/// *Company* is how many others an agent has in its cell, on average. A search tests them all, so
/// twice the company is nearly twice the time of a search. A fitted crowd that is spread evenly has
/// one in the plane, and two in space.
struct CellStats {
    std::uint64_t rows = 0, cells = 0;           ///< of the grid
    std::uint64_t used_rows = 0, used_cells = 0; ///< those that have agents
    std::uint64_t agents = 0;                    ///< in the grid: all but giants
    std::uint64_t outside = 0; ///< agents of the grid beyond its cells: they are in border cells
    double company = 0.0;
    double company_afresh = 0.0; ///< the same in cells fitted to these agents now
};

} // namespace throng

#include "../../simd/isa/names_end.hpp"
