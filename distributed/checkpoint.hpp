// The agents of a whole job in files, for any number of ranks.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "../engine/core/executor.hpp"
#include "../engine/core/status.hpp"
#include "../simd/isa/export.hpp"
#include "distributed_grid.hpp"
#include "share.hpp"

#include <cstddef>

namespace throng {

/// Collective. Saves the agents of all ranks, as they are in the shares now, births included: their
/// names, places, half extents, masks and columns. Ghosts are not saved, nor grids and cuts. Each
/// rank writes a file of its own into the folder, which all ranks must see and whose name is UTF-8,
/// on Windows too; then the first rank writes the file `crowd`, which names them, beside the old
/// one, and puts it in its place. So the folder always has one whole checkpoint, whenever a process
/// ends; what is left of others is removed. docs/distributed.md has the format.
///
/// Refuses a crowd that is not configured, arrays of another length than ids, and files that cannot
/// be written (Cause::io_failed of Argument::file): then the checkpoint is the one before.
template <std::size_t Dim>
THRONG_API Status save(DistributedGrid<Dim>& crowd, const Share<Dim>& mine, const char* folder);

/// Collective. Configures the crowd as the saved one was, with even cuts and what it says itself of
/// questions, and updates it with the agents that were saved, by however many ranks. A run that
/// goes on from there comes to the bits of the one that was saved.
///
/// `mine` must have no agents (Cause::count_mismatch of Argument::positions), and the columns that
/// were saved, in the same order (Cause::count_mismatch of Argument::columns). Refuses files as
/// load() of an index does (archive/freezable.hpp), with Cause::ranks_differ where ranks see other
/// files; two agents of one name (Cause::id_taken); and what configure() and update() refuse. After
/// anything but ok the crowd is as it was, and `mine` has no agents.
template <std::size_t Dim>
THRONG_API Status load(DistributedGrid<Dim>& crowd, Share<Dim>& mine, const char* folder,
                       Executor& executor = serial_executor());

} // namespace throng

#include "../simd/isa/names_end.hpp"
