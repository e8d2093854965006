// Runs your own kernel over all agents and all their neighbours, without making a list. A kernel
// says what one neighbour does to one agent: docs/fused.md tells how to write one.
//
// The one public header with xsimd in it: link throng::fused, which brings the include path and the
// compiler flags. throng.hpp leaves it out.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "../engine/agents/nearest.hpp"
#include "../engine/core/executor.hpp"
#include "../engine/core/status.hpp"
#include "../engine/crowd/asker_copies.hpp"
#include "../engine/crowd/crowd.hpp"
#include "../engine/grid/named_grid.hpp"
#include "../engine/grid/neighbour_loop.hpp"
#include "../engine/grid/row_grid.hpp"
#include "../simd/isa/arch.hpp"
#include "../simd/search/neighbour_walk.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ == 1)
#error "fused kernels are not to be compiled with -ffast-math: neighbours on the rim would be lost"
#endif

namespace throng {

/// The best instruction set that this file is compiled for.
using NativeArch = simd::Native;

/// A kernel whose arrays are in storage order says so: static constexpr bool kInStorageOrder =
/// true.
template <class Kernel>
concept GoesByStorageOrder = requires {
    requires Kernel::kInStorageOrder;
};

/// Runs the kernel over the neighbours of all agents on the loop's executor. For each vector of
/// agents, it makes a Kernel::Lanes<V>(kernel, agents). On that object it calls visit(kernel,
/// other), in canonical order, for every agent that is near one of them; unless
/// Kernel::kMeetsNearOnly is true, also for some that are near none. At the end it calls
/// finish(kernel, agents). V is simd::NeighbourVectors, see simd/search/neighbour_lanes.hpp.
///
/// All threads share the kernel. What Lanes computes is the same to the bit for every instruction
/// set, executor and number of threads, if each lane keeps to itself.
///
/// Status and exceptions are those of NeighbourLoop::run(). After any status but ok, do not read
/// the kernel's output.
template <class Arch = NativeArch, std::size_t Dim, class Kernel>
Status for_each_neighbour(NeighbourLoop<Dim>& loop, const RowGrid<Dim>& grid,
                          const Neighbourhood& neighbourhood, const Kernel& kernel) {
    constexpr bool kInOrder = GoesByStorageOrder<Kernel>;
    using AgentOrder = typename NeighbourLoop<Dim>::AgentOrder;
    return loop.run(
        grid, neighbourhood, simd::kIsaOf<Arch>, kInOrder ? AgentOrder::storage : AgentOrder::none,
        [&kernel](const simd::GridView<Dim>& view, const simd::NeighbourQuery& query,
                  const simd::AgentRange& range) {
            constexpr std::uint64_t kAll = ~std::uint64_t{0};
            simd::AgentRange rest = range;
            if (query.body == Body::centre) {
                (void)simd::walk_neighbours<Arch, kInOrder, false>(view, query, rest, kernel, kAll);
            } else {
                (void)simd::walk_neighbours<Arch, kInOrder, true>(view, query, rest, kernel, kAll);
            }
        });
}

/// for_each_neighbour() with a loop of its own, which allocates a byte for each slice, and more for
/// kernels in storage order.
template <class Arch = NativeArch, std::size_t Dim, class Kernel>
Status for_each_neighbour(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                          const Kernel& kernel, Executor& executor = serial_executor()) {
    NeighbourLoop<Dim> loop(executor);
    return for_each_neighbour<Arch>(loop, grid, neighbourhood, kernel);
}

/// Runs the kernel over the neighbours that the agents of `askers` have in each grid of `others`,
/// grid by grid, with one Lanes for all grids. Include the agents' own grid in `others` if its
/// agents are wanted too; with `later_only` an agent finds only later agents of its own grid, and
/// all agents of the other grids. Arrays by id are indexed by the grids' names. With `copies`
/// neighbours across the borders of a periodic world follow.
///
/// Not for kernels in storage order, which belongs to a single grid. Refuses what the other calls
/// refuse, and more than kMostGrids grids, and fewer names than a grid has ids.
template <class Arch = NativeArch, std::size_t Dim, class Kernel>
Status for_each_neighbour(NeighbourLoop<Dim>& loop,
                          const std::type_identity_t<NamedGrid<Dim>>& askers,
                          std::type_identity_t<std::span<const NamedGrid<Dim>>> others,
                          const Neighbourhood& neighbourhood, const Kernel& kernel,
                          const std::type_identity_t<simd::AskerCopies<Dim>>* copies = nullptr) {
    static_assert(!GoesByStorageOrder<Kernel>, "a place in storage order is one of a single grid");
    return loop.run_among(
        askers, others, neighbourhood, simd::kIsaOf<Arch>,
        [&kernel](const simd::GridView<Dim>& view, const simd::NeighbourQueryAcross<Dim>& query,
                  const simd::AgentRange& range) {
            constexpr std::uint64_t kAll = ~std::uint64_t{0};
            simd::AgentRange rest = range;
            if (query.body == Body::centre) {
                (void)simd::walk_neighbours_across<Arch, false, true>(view, query, rest, kernel,
                                                                      kAll);
            } else {
                (void)simd::walk_neighbours_across<Arch, true, true>(view, query, rest, kernel,
                                                                     kAll);
            }
        },
        copies);
}

/// Runs the kernel for every agent of a crowd, giants too, over its neighbours in `sets`: small
/// agents first, then giants, then statics. The kernel's arrays by id need room for id_bound()
/// agents. Of statics, whose ids are static_id(i), the kernel may use only the values in `other`.
///
/// In a periodic world an agent near a border then meets its neighbours across it, copy by copy:
/// `other` has the offset from where the agent seems to be, moved by whole periods and rounded
/// once. See asker_copies() for what is refused.
///
/// Not for kernels in storage order.
template <class Arch = NativeArch, std::size_t Dim, class Kernel>
Status for_each_neighbour(NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                          const Neighbourhood& neighbourhood, const Kernel& kernel,
                          Sets sets = Sets::all) {
    const auto copies = asker_copies(crowd, neighbourhood);
    if (!copies.status.ok()) { return copies.status; }
    const simd::AskerCopies<Dim>* const across = crowd.wraps() ? &copies.value : nullptr;
    const std::array<NamedGrid<Dim>, 3> grids = crowd.grids();
    constexpr Sets kSetOf[] = {Sets::small, Sets::giants, Sets::statics};
    std::array<NamedGrid<Dim>, 3> wanted = grids;
    std::size_t count = 0;
    for (std::size_t g = 0; g < grids.size(); ++g) {
        if (has(sets, kSetOf[g]) && grids[g].grid->size() != 0) { wanted[count++] = grids[g]; }
    }
    const std::span<const NamedGrid<Dim>> others(wanted.data(), count);
    const Status status =
        for_each_neighbour<Arch>(loop, grids[0], others, neighbourhood, kernel, across);
    if (!status.ok() || crowd.size(Sets::giants) == 0) { return status; }
    const bool past_small =
        neighbourhood.later_only && count != 0 && wanted[0].grid == grids[0].grid;
    return for_each_neighbour<Arch>(loop, grids[1], others.subspan(past_small ? 1 : 0),
                                    neighbourhood, kernel, across);
}

} // namespace throng

#include "../simd/isa/names_end.hpp"
