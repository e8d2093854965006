// Gives kernels that are compiled outside of the library a way into a grid: fused/ builds on it.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../../simd/isa/isa.hpp"
#include "../../simd/views/neighbour_query.hpp"
#include "../agents/nearest.hpp"
#include "../core/executor.hpp"
#include "../core/function_ref.hpp"
#include "../core/state_pointer.hpp"
#include "../core/status.hpp"
#include "named_grid.hpp"
#include "row_grid.hpp"

#include <cstddef>
#include <span>

namespace throng {

/// Runs a kernel over all agents of a grid, a slice at a time, on an executor. The loop only hands
/// out the work; for_each_neighbour(), in fused/for_each_neighbour.hpp, does it.
///
/// A loop keeps scratch memory from one call to the next, and serves one call at a time; other
/// callers may query the grid meanwhile. A loop that was moved from may only be assigned to or
/// destroyed.
template <std::size_t Dim>
class THRONG_API NeighbourLoop {
public:
    /// Visits the neighbours of a range of agents; called from several threads at once.
    using Body = FunctionRef<void(const simd::GridView<Dim>&, const simd::NeighbourQuery&,
                                  const simd::AgentRange&)>;
    /// The same where the neighbours are in several grids.
    using BodyAmong =
        FunctionRef<void(const simd::GridView<Dim>&, const simd::NeighbourQueryAcross<Dim>&,
                         const simd::AgentRange&)>;

    /// Whether a kernel needs the places of agents in storage order, besides their ids.
    enum class AgentOrder : bool {
        none,
        storage, ///< it does: run() first computes a word for each row with agents, and for 64 rows
    };

    /// Borrows the executor for the loop's lifetime.
    explicit NeighbourLoop(Executor& executor = serial_executor());

    /// Calls the body for each slice of the grid, once. Refuses what GridParts::neighbours() does,
    /// and refuses `isa` with Cause::no_such_isa if this processor lacks it: then nothing has run.
    /// Passes on what the body or the executor throws. If the executor leaves slices out, the
    /// status is Cause::executor_failed.
    Status run(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood, Isa isa,
               AgentOrder order, Body body);

    /// Calls the body for each slice of `askers`, to visit the neighbours in all of `others`, in
    /// their order; the grid of `askers` is searched only if it is among them. With `copies` they
    /// are visited across the borders of a periodic world, too. Also refuses more than kMostGrids
    /// grids, and a grid with fewer names than ids.
    Status run_among(const NamedGrid<Dim>& askers, std::span<const NamedGrid<Dim>> others,
                     const Neighbourhood& neighbourhood, Isa isa, BodyAmong body,
                     const simd::AskerCopies<Dim>* copies = nullptr);

    /// The executor that the loop was made with.
    [[nodiscard]] Executor& executor() const noexcept;

    /// Bytes of scratch.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives the scratch back.
    void release() noexcept;

private:
    struct State;
    detail::StatePointer<State> state_;
};

extern template class NeighbourLoop<2>;
extern template class NeighbourLoop<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
