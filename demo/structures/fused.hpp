// Runs the demo's own kernels over all neighbours, on the active instruction set.
#pragma once

#include "flock.hpp"
#include "walkers.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/neighbour_loop.hpp>
#include <throng/engine/grid/row_grid.hpp>

namespace throng::demo {

Status run_fused(NeighbourLoop<2>& loop, const throng::Crowd<2>& crowd, float radius,
                 const Flock& flock);
Status run_fused(NeighbourLoop<2>& loop, const RowGrid<2>& grid, float radius, const Flock& flock);
Status run_fused(NeighbourLoop<2>& loop, const throng::Crowd<2>& crowd, float radius,
                 const Walkers& walkers);
Status run_fused(NeighbourLoop<2>& loop, const RowGrid<2>& grid, float radius,
                 const Walkers& walkers);

} // namespace throng::demo
