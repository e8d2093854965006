// The agents near the borders of a periodic world once more, behind the opposite borders: for
// kernels, which go from grid to grid and know nothing of borders.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/nearest.hpp"
#include "../core/executor.hpp"
#include "../core/state_pointer.hpp"
#include "../core/status.hpp"
#include "../grid/named_grid.hpp"
#include "crowd.hpp"
#include "sets.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace throng {

/// The grids in which an agent finds its neighbours.
template <std::size_t Dim>
struct GhostGrids {
    std::array<NamedGrid<Dim>, 6> grid;
    std::size_t count = 0;

    [[nodiscard]] std::span<const NamedGrid<Dim>> span() const noexcept {
        return std::span(grid).first(count);
    }
};

/// Ghosts of the agents and statics that come within reach of the borders of a crowd's periodic
/// world. A ghost has the name, the groups and the extents of its agent, and stands as many periods
/// away as bring it near the world: a position that is rounded once. Who searches the grids of the
/// crowd and of its ghosts meets every neighbour across a border where it seems to be.
///
/// Keeps its memory, and its ghosts while neither the crowd nor the question changes. Serves one
/// call at a time.
template <std::size_t Dim>
class THRONG_API Ghosts {
public:
    Ghosts();

    /// Makes the ghosts that agents find by this neighbourhood. With `later_only` an agent at a
    /// lower border finds the ghosts of those at the upper one, as decided on the highest axis, and
    /// not the other way round, so that of two agents one finds the other. Does little if the world
    /// is not periodic.
    ///
    /// Refuses what Batch::neighbours() refuses, and, with Cause::wraps, a world that is not wider
    /// than twice the reach: there an agent would find another one several times.
    Status make(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                Executor& executor = serial_executor());

    /// Where small agents, or giants, find those of `sets`, in this order: small agents and their
    /// ghosts, giants and theirs, statics and theirs; empty grids are left out, and all grids
    /// before make() or after it has failed. Valid until the crowd changes or make() is called.
    [[nodiscard]] GhostGrids<Dim> for_small(Sets sets = Sets::all) const noexcept;
    [[nodiscard]] GhostGrids<Dim> for_giants(Sets sets = Sets::all) const noexcept;

    /// How many ghosts there are; none before make() or after it has failed.
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct State;
    detail::StatePointer<State> state_;
};

extern template class Ghosts<2>;
extern template class Ghosts<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
