// The questions to kernels that visit the neighbours of all agents. Free of xsimd.
#pragma once

#include "body.hpp"
#include "grid_view.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// The number of agents before each row in storage order, for rows that have agents. Memory: a word
/// for each such row and one for every 64 rows of the grid, so empty space stays cheap.
struct RowStarts {
    const std::uint32_t* rank = nullptr;  ///< for each 64 rows: rows with agents before them
    const std::uint32_t* start = nullptr; ///< for each row with agents: agents before it
};

/// Which neighbours each agent is to find: agents within `radius`.
struct NeighbourQuery {
    float radius;
    bool with_self;
    std::uint32_t groups;  ///< groups of the neighbours; all ones where the grid keeps no masks
    RowStarts starts = {}; ///< null where storage order is not needed
    bool later_only = false;
    Body body = Body::centre; ///< distances are measured between these bodies of both agents
};

/// The half extents of a grid's agents; questions about centres do not read them.
template <std::size_t Dim>
struct HalfExtents {
    const float* by_id[Dim] = {}; ///< null: the grid keeps half extents, or all are `largest`
    float largest[Dim] = {};
};

/// The copies of agents that look for neighbours across the borders of a periodic world: an agent
/// near a border looks once more from a period away, where what is behind the border is near it.
/// The world is wider than twice the reach of an agent.
template <std::size_t Dim>
struct AskerCopies {
    /// Agents between these coordinates have no copies; on an axis without borders, all agents.
    float low[Dim], high[Dim];
    float period[Dim];
};

/// A grid whose agents may be neighbours.
template <std::size_t Dim>
struct NeighbourGrid {
    const GridView<Dim>* view;
    std::uint32_t groups;       ///< groups of neighbours; all ones where the grid keeps no masks
    bool own;                   ///< whether it is the grid of the agents that look for neighbours
    const std::uint32_t* names; ///< what answers call each agent, by id; null: by its id
    HalfExtents<Dim> half_extents = {};
};

/// Which neighbours each agent is to find in several grids, one grid after another.
template <std::size_t Dim>
struct NeighbourQueryAcross {
    static constexpr std::size_t kMostGrids = 8;

    float radius;
    bool with_self;
    bool later_only;            ///< applies only in the grid of the agents that look for neighbours
    const std::uint32_t* names; ///< names of the agents that look, by id; null: ids are names
    std::size_t count;          ///< the first `count` of `grids` are in use
    NeighbourGrid<Dim> grids[kMostGrids];
    Body body = Body::centre;                 ///< of both agents
    HalfExtents<Dim> half_extents = {};       ///< of the agents that look
    const AskerCopies<Dim>* copies = nullptr; ///< of these; null: they have none
};

/// Agents next to each other in storage order.
struct AgentRange {
    RowSlot at, end;
    std::uint64_t first; ///< number of agents before `at`; only used for storage order
};

} // namespace throng::simd
