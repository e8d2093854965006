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

/// Collective. Saves the agents of all ranks as they are in the shares now, births included: their
/// names, places, half extents, masks and columns. Ghosts, grids and cuts are not saved. Each rank
/// writes its own file into the folder; all ranks must see the folder, and its name is UTF-8, on
/// Windows too. Then the first rank writes a new file `crowd`, which names these files, beside the
/// old one, and renames it over the old one. So the folder always has one whole checkpoint,
/// whenever a process ends; files of other checkpoints are removed. docs/distributed.md has the
/// format.
///
/// Refuses a crowd that is not configured, arrays of another length than ids, and files that cannot
/// be written (Cause::io_failed of Argument::file). The old checkpoint then stays valid.
template <std::size_t Dim>
THRONG_API Status save(DistributedGrid<Dim>& crowd, const Share<Dim>& mine, const char* folder);

/// Collective. Configures the crowd as the saved one was, with even cuts, and updates it with the
/// saved agents. A configured crowd keeps its own question_bytes, imbalance and most_agents. More
/// or fewer ranks may load than saved. A run that goes on from there gets the same bits as the run
/// that was saved.
///
/// `mine` must have no agents (Cause::count_mismatch of Argument::positions), and the saved
/// columns, in the same order (Cause::count_mismatch of Argument::columns). Refuses files as load()
/// of an index does (archive/freezable.hpp), with Cause::ranks_differ where ranks see different
/// files; two agents of one name (Cause::id_taken); and what configure() and update() refuse. After
/// any status but ok the crowd is unchanged, and `mine` has no agents.
template <std::size_t Dim>
THRONG_API Status load(DistributedGrid<Dim>& crowd, Share<Dim>& mine, const char* folder,
                       Executor& executor = serial_executor());

} // namespace throng

#include "../simd/isa/names_end.hpp"
