// The kernels that find the agents of a grid that are nearest to each point.
#pragma once

#include "../../isa/slack.hpp"
#include "../../views/body.hpp"
#include "../../views/grid_view.hpp"
#include "../../views/query_block.hpp"
#include "neighbours.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// An answer is a list of records, the nearest first, ties by id. A record is the squared distance,
/// a float, and the id.
inline constexpr std::size_t kNearBytes = 8;

/// Conditions that agents must meet besides being within the radius.
struct NearestConditions {
    float least2 = 0.0f; ///< squared; no agent nearer than this is found
    /// Only agents that come after this squared distance and id, in the order of answers, are
    /// found. after2 below zero: all agents.
    float after2 = -1.0f;
    std::uint32_t after_id = ~0u;
    /// The axis of a band of heights, 1 or 2, and how far below and above a point it goes; 0: none.
    std::uint32_t up = 0;
    float below = 0.0f, above = 0.0f;
};

/// What every query asks, and room for its candidates.
struct NearestAsk {
    std::uint32_t k; ///< at least 1
    float radius;    ///< no agent farther away is found
    /// Two arrays of `room` candidates and kSlack more each; `room` is above k + 2 * kSlack.
    std::uint32_t* candidates;
    std::uint32_t room;
    /// About the square of the distance to the k-th agent in the queries before; below zero: not
    /// known. A starting point only: it changes no answer.
    float guess2 = -1.0f;
    const NearestConditions* conditions = nullptr; ///< null: none
    Body body = Body::centre;                      ///< distances are measured to these bodies
    GoingApart apart = {};                         ///< only kernels use this
};

/// Where answers go: k records a query. Records beyond a query's count have an infinite distance
/// and an id of all ones.
struct NearestOutput {
    unsigned char* near;
    std::uint32_t* counts;
};

/// Answers queries 0 ... count - 1 around the centres of a block, and overwrites the block's radii.
template <std::size_t Dim>
void nearest_batch(const GridView<Dim>& grid, BallBlock<Dim>& queries, std::size_t count,
                   const KernelFilter& kernel_filter, NearestAsk& ask,
                   const NearestOutput& out) noexcept;

/// Answers for the agents from `at` on and before `end`, in storage order. The radius is
/// `ask.radius`; that of `query` is not used.
template <std::size_t Dim>
void nearest_neighbours(const GridView<Dim>& grid, const NeighbourQuery& query, RowSlot at,
                        RowSlot end, NearestAsk& ask, const NearestOutput& out) noexcept;

/// Balls around the bodies of agents that ask for the nearest bodies: distances are between the two
/// bodies. `box` and `disc` say what bodies are, as in a BodyBallBlock.
template <std::size_t Dim>
struct AskingBodies : BodyBallBlock<Dim> {
    QueryFloats<kBlockQueries> own[Dim]; ///< half extents of the agents that ask
    HalfExtents<Dim> agents;             ///< of the grid's agents
    std::uint32_t ids; ///< all ids of the grid are below this, if `agents` has by_id
};

/// Like nearest_batch(), but also reads the elements of `queries` beyond `count`.
template <std::size_t Dim>
void nearest_to_bodies(const GridView<Dim>& grid, AskingBodies<Dim>& queries, std::size_t count,
                       const KernelFilter& kernel_filter, NearestAsk& ask,
                       const NearestOutput& out) noexcept;

/// The same on one instruction set; each is compiled from nearest.kernel.cpp.
template <class Arch, std::size_t Dim>
void nearest_batch_on(Arch, const GridView<Dim>& grid, BallBlock<Dim>& queries, std::size_t count,
                      const KernelFilter& kernel_filter, NearestAsk& ask,
                      const NearestOutput& out) noexcept;
template <class Arch, std::size_t Dim>
void nearest_neighbours_on(Arch, const GridView<Dim>& grid, const NeighbourQuery& query, RowSlot at,
                           RowSlot end, NearestAsk& ask, const NearestOutput& out) noexcept;
template <class Arch, std::size_t Dim>
void nearest_to_bodies_on(Arch, const GridView<Dim>& grid, AskingBodies<Dim>& queries,
                          std::size_t count, const KernelFilter& kernel_filter, NearestAsk& ask,
                          const NearestOutput& out) noexcept;

} // namespace throng::simd
