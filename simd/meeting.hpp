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

/// Agents next to each other in storage order.
struct MeetingStretch {
    Place at, end;
    std::uint64_t first; ///< how many come before; counts only where storage order is asked for
};

} // namespace throng::simd
