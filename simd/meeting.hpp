// What kernels that meet everyone's neighbours are told. Free of xsimd.
#pragma once

#include "grid_view.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// How many agents come before each row in storage order, for rows that have any: a word for each
/// of those, and one for every 64 rows of the grid, so that empty space stays cheap.
struct RowStarts {
    const std::uint32_t* rank = nullptr;  ///< rows with agents before each word of their set
    const std::uint32_t* start = nullptr; ///< agents before each row with agents
};

/// Whom each agent is to meet.
struct Meeting {
    float radius;
    bool with_self;
    std::uint32_t groups; ///< of those to be met; all ones where the grid keeps no masks
    RowStarts starts;     ///< null where nobody asks for storage order
};

/// A grid with agents, some of whom are to be met.
template <std::size_t Dim>
struct MetGrid {
    const GridView<Dim>* view;
    std::uint32_t groups;       ///< of those to be met; all ones where the grid keeps no masks
    bool own;                   ///< whether it is that of the agents who meet them
    const std::uint32_t* names; ///< by id; null where ids are names
};

/// Whom each agent is to meet in several grids, one grid after another.
template <std::size_t Dim>
struct MeetingAmong {
    static constexpr std::size_t kMostGrids = 8;

    float radius;
    bool with_self;
    const std::uint32_t* names; ///< of the agents who meet, by id; null where ids are names
    std::size_t count;          ///< of the grids: the first
    MetGrid<Dim> grids[kMostGrids];
};

/// Agents next to each other in storage order.
struct MeetingStretch {
    Place at, end;
    std::uint64_t first; ///< how many come before; counts only where storage order is asked for
};

} // namespace throng::simd
