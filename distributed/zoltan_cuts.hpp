// Cuts made by Zoltan.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "../engine/agents/grid_shape.hpp"
#include "../engine/core/status.hpp"
#include "../simd/isa/export.hpp"
#include "cuts.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// Bricks of about equal work, as of Cuts::by_work(), but by the recursive coordinate bisection of
/// Zoltan, a part of Trilinos. Part of throng::zoltan, and not in <throng/distributed.hpp>. Zoltan
/// is told the work of tiles: cells, or boxes of cells if there are too many cells. Its planes are
/// moved to the nearest cell.
///
/// Not collective: every rank computes the cuts itself, and the same work gives all ranks the same
/// cuts. Call it between MPI_Init() and MPI_Finalize(), on a thread that may call MPI; else it
/// refuses with Cause::rank_lost, as it does if Zoltan fails. The shape, the ranks and the work are
/// as in Cuts::by_work(). Writes `cuts` only on success. Throws std::bad_alloc.
template <std::size_t Dim>
THRONG_API Status zoltan_cuts(const GridShape<Dim>& shape, std::uint32_t ranks,
                              typename Cuts<Dim>::WorkOfLines work, Cuts<Dim>& cuts);

} // namespace throng

#include "../simd/isa/names_end.hpp"
