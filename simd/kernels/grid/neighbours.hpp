// The kernels that list or count the neighbours of a grid's agents.
#pragma once

#include "../../views/grid_view.hpp"
#include "../../views/neighbour_query.hpp"
#include "../../views/query_block.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Answers for the agents from `at` on and before `end`, in storage order, appending ids until an
/// answer does not fit. Returns how many agents it answered, and moves `at` behind them.
template <std::size_t Dim>
std::size_t list_neighbours(const GridView<Dim>& grid, const NeighbourQuery& query, RowSlot& at,
                            RowSlot end, BatchOutput& out) noexcept;

/// Counts the neighbours of each of these agents, in the same order. Goes on at least while
/// kBlockQueries of the `room` elements of `counts` are left. Returns how many counts it wrote, and
/// moves `at` behind those agents.
template <std::size_t Dim>
std::size_t count_neighbours(const GridView<Dim>& grid, const NeighbourQuery& query, RowSlot& at,
                             RowSlot end, std::uint32_t* counts, std::size_t room) noexcept;

/// The same for questions about bodies, across several grids: the query's body is a box or a disc.
/// Lists are cut off at `capacity`, and nothing is written beyond: the last agents answered may
/// have incomplete lists, while out.used and the offsets give the full lengths. Returns only when
/// lists do not fit, or after the last agent.
template <std::size_t Dim>
std::size_t list_neighbours_across(const GridView<Dim>& grid,
                                   const NeighbourQueryAcross<Dim>& query, RowSlot& at, RowSlot end,
                                   BatchOutput& out) noexcept;
template <std::size_t Dim>
std::size_t count_neighbours_across(const GridView<Dim>& grid,
                                    const NeighbourQueryAcross<Dim>& query, RowSlot& at,
                                    RowSlot end, std::uint32_t* counts, std::size_t room) noexcept;

/// The same on one instruction set; each is compiled from neighbours.kernel.cpp.
template <class Arch, std::size_t Dim>
std::size_t list_neighbours_on(Arch, const GridView<Dim>& grid, const NeighbourQuery& query,
                               RowSlot& at, RowSlot end, BatchOutput& out) noexcept;
template <class Arch, std::size_t Dim>
std::size_t count_neighbours_on(Arch, const GridView<Dim>& grid, const NeighbourQuery& query,
                                RowSlot& at, RowSlot end, std::uint32_t* counts,
                                std::size_t room) noexcept;
template <class Arch, std::size_t Dim>
std::size_t list_neighbours_across_on(Arch, const GridView<Dim>& grid,
                                      const NeighbourQueryAcross<Dim>& query, RowSlot& at,
                                      RowSlot end, BatchOutput& out) noexcept;
template <class Arch, std::size_t Dim>
std::size_t count_neighbours_across_on(Arch, const GridView<Dim>& grid,
                                       const NeighbourQueryAcross<Dim>& query, RowSlot& at,
                                       RowSlot end, std::uint32_t* counts,
                                       std::size_t room) noexcept;

} // namespace throng::simd
