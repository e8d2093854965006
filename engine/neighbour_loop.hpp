// The way into a grid for kernels that are compiled outside of the library: fused/ builds on it.
#pragma once

#include "../simd/export.hpp"
#include "../simd/isa.hpp"
#include "../simd/meeting.hpp"
#include "executor.hpp"
#include "function_ref.hpp"
#include "named_grid.hpp"
#include "neighbourhood.hpp"
#include "row_grid.hpp"
#include "status.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace throng {

/// Runs a kernel over everyone in a grid, a slice at a time, on an executor. It only hands out the
/// work; for_each_neighbour(), in fused/for_each_neighbour.hpp, does it.
///
/// A loop keeps scratch memory from one call to the next, and serves one call at a time; the grid
/// may be asked by anybody else meanwhile. One that was moved from may only be assigned to or
/// destroyed.
template <std::size_t Dim>
class THRONG_API NeighbourLoop {
public:
    /// Meets the neighbours of a stretch of agents; called from several threads at once.
    using Body = FunctionRef<void(const simd::GridView<Dim>&, const simd::Meeting&,
                                  const simd::MeetingStretch&)>;
    /// The same where they meet those of several grids.
    using BodyAmong = FunctionRef<void(const simd::GridView<Dim>&, const simd::MeetingAmong<Dim>&,
                                       const simd::MeetingStretch&)>;

    /// Which order of agents a kernel goes by, besides their ids.
    enum class Places : bool {
        none,
        storage, ///< a word for each row with agents, and one for 64 others, is worked out first
    };

    /// Borrows the executor for as long as it lives.
    explicit NeighbourLoop(Executor& executor = serial_executor());
    ~NeighbourLoop();
    NeighbourLoop(NeighbourLoop&&) noexcept;
    NeighbourLoop& operator=(NeighbourLoop&&) noexcept;

    /// Calls the body for each slice of the grid, each once. Refuses what neighbours_range() does,
    /// and `isa` with Cause::no_such_isa if this processor lacks it: then nothing has run. What the
    /// body or the executor throws passes through; an executor that leaves slices out is
    /// Cause::executor_failed.
    Status run(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood, Isa isa, Places places,
               Body body);

    /// Calls the body for each slice of the askers' grid, which is to meet all of `others`: in this
    /// order, and the askers' own among them if it is there. Refuses more than kMostGrids, and
    /// names that are fewer than the ids of their grid, too.
    Status run_among(const NamedGrid<Dim>& askers, std::span<const NamedGrid<Dim>> others,
                     const Neighbourhood& neighbourhood, Isa isa, BodyAmong body);

    /// Bytes of scratch.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives them back.
    void release() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

extern template class NeighbourLoop<2>;
extern template class NeighbourLoop<3>;

} // namespace throng
