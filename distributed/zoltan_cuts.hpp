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

/// Bricks of about as much work for each rank, as Cuts::by_work() makes them, by the recursive
/// coordinate bisection of Zoltan, a part of Trilinos: of throng::zoltan, and not in
/// <throng/distributed.hpp>. Zoltan is told the work of tiles, which are cells or boxes of cells
/// where there are too many of these, and its planes are moved to the nearest cell.
///
/// Not collective: every rank does it for itself, and all come to the same cuts where they are told
/// the same work. Between MPI_Init() and MPI_Finalize(), on a thread that may call MPI; else it
/// refuses (Cause::rank_lost), as where Zoltan fails. The shape, the ranks and the work are as in
/// Cuts::by_work(). Writes `cuts` only where it succeeds. Throws std::bad_alloc.
template <std::size_t Dim>
THRONG_API Status zoltan_cuts(const GridShape<Dim>& shape, std::uint32_t ranks,
                              typename Cuts<Dim>::WorkOfLines work, Cuts<Dim>& cuts);

} // namespace throng

#include "../simd/isa/names_end.hpp"
