// Which agents see each other past obstacles.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../engine/agents/filter.hpp"
#include "../../engine/agents/found.hpp"
#include "../../engine/agents/nearest.hpp"
#include "../../engine/core/executor.hpp"
#include "../../engine/core/state_pointer.hpp"
#include "../../engine/core/status.hpp"
#include "../../engine/crowd/crowd.hpp"
#include "../../engine/crowd/sets.hpp"
#include "../../engine/grid/row_grid.hpp"
#include "../../engine/obstacles/obstacles.hpp"
#include "../../engine/shapes/shapes_view.hpp"
#include "../../simd/isa/export.hpp"
#include "../batch/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Answers like a Batch, but leaves out the agents that obstacles hide. So agents get the
/// neighbours that they see, and fields of view end at walls.
///
/// Two points see each other if no obstacle has a point in common with the segment between them, as
/// in Obstacles::sight(); the segment goes from the one with the smaller coordinates to the other,
/// so both see each other or neither does. Agents count as their centres. An agent that is inside
/// an obstacle, or touches it, sees no agent and is seen by none, itself included.
///
/// Results are the same bit for bit for every executor and any number of threads: the answers of a
/// batch, in its order, without hidden agents. Only obstacles that `looks` finds hide anything:
/// those in its groups, except the obstacle that it leaves out.
///
/// In a periodic world agents see each other across borders, and copies of obstacles hide them: the
/// segment goes to the copy that is nearest on every axis, as Images has it, and a centre outside
/// of the world looks from where the crowd would keep an agent. The obstacles must be in a world
/// with the same borders (Obstacles::configure()), else Cause::wraps says that they are not.
/// Otherwise a call refuses what a Batch refuses, with the same status. An object keeps its
/// scratch, so a steady load allocates nothing after a few frames. It serves one call at a time.
/// Meanwhile other threads may ask the same crowd and the same obstacles, and none may change them.
/// After anything but ok, or an exception (std::bad_alloc, or what the executor throws), crowd and
/// obstacles are as they were, Hits are empty, and counts must not be read. An object that was
/// moved from may only be assigned to or destroyed.
template <std::size_t Dim>
class THRONG_API InSight {
public:
    /// Borrows the executor, which must outlive this object.
    explicit InSight(Executor& executor = serial_executor());

    /// For every agent, the neighbours that it sees: lists of Batch::neighbours(), without hidden
    /// agents.
    Found neighbours(const Asked<Dim>& all, const Obstacles<Dim>& obstacles,
                     const Neighbourhood& neighbourhood, Hits& hits, Order order = Order::storage,
                     const Filter& looks = {});
    /// How many neighbours each agent sees; returns the sum. Makes the lists all the same, as
    /// scratch.
    Found count_neighbours(const Asked<Dim>& all, const Obstacles<Dim>& obstacles,
                           const Neighbourhood& neighbourhood, std::span<std::uint32_t> counts,
                           Order order = Order::storage, const Filter& looks = {});

    /// Fields of view: the agents in each Sector or Ball that its centre sees. Other shapes are
    /// refused. After a change of the crowd, the first call copies all agents' positions, some
    /// nanoseconds each; later calls use the copies.
    Found query(const Asked<Dim>& asked, const Obstacles<Dim>& obstacles,
                const ShapesView<Dim>& shapes, Hits& hits, const Filters& filters = {},
                const Filter& looks = {});
    /// How many agents the centre of each shape sees; returns the sum.
    Found count(const Asked<Dim>& asked, const Obstacles<Dim>& obstacles,
                const ShapesView<Dim>& shapes, std::span<std::uint32_t> counts,
                const Filters& filters = {}, const Filter& looks = {});

    /// Bytes of scratch.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives the scratch back.
    void release() noexcept;

private:
    struct State;
    detail::StatePointer<State> state_;
};

extern template class InSight<2>;
extern template class InSight<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
