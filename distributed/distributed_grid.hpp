// A RowGrid over the processes of a job: every rank keeps the agents of its brick, and ghosts.
#pragma once

#include "../engine/agents/agents.hpp"
#include "../engine/agents/box.hpp"
#include "../engine/agents/found.hpp"
#include "../engine/agents/nearest.hpp"
#include "../engine/core/executor.hpp"
#include "../engine/core/status.hpp"
#include "../engine/grid/row_grid.hpp"
#include "cuts.hpp"
#include "ranks.hpp"
#include "share.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace throng {

/// What all ranks agree on. Each must give the same.
template <std::size_t Dim>
struct DistributedSettings {
    Box<Dim> bounds{}; ///< as in RowGrid::configure()
    Point<Dim> cell{};
    float reach = 0.0f; ///< how far agents ask about each other: no neighbour is farther away
    CrowdKind<Dim> kind{};
    std::optional<Cuts<Dim>> cuts{}; ///< for as many ranks as there are; else Cuts::even()
};

/// What the latest update of this rank came to.
struct DistributedStats {
    std::size_t owned = 0, ghosts = 0;
    std::size_t left = 0, came = 0; ///< agents that changed their owner
    std::size_t neighbours = 0;     ///< ranks that get a parcel each time
    bool routed = false;            ///< somebody's agents went to ranks that are no neighbours
    bool laid_out = false;          ///< the local grid got cells that it did not have before
};

/// A crowd over all ranks of a job. Owned agents find owned agents and ghosts; up to `reach` away
/// those are all that there are. Answers are those of one RowGrid with the whole crowd, whose ids
/// are in the order of global ids: the same agents, in the same order, so also the same sums, to
/// the bit, for any number of ranks.
///
/// *Collective* calls are made by all ranks, in the same order. They succeed on all ranks or on
/// none, return the same status everywhere, and after anything but ok nothing has changed anywhere:
/// the refusal is that of the lowest rank that has one, refused_by(), and its index is the
/// one there: of an agent its local id, of Cause::id_taken the global one, of a column its number.
/// Where ranks make different calls, or give different settings, or shares with different columns,
/// all get Cause::ranks_differ. After Cause::rank_lost the job is over: some ranks may have done
/// what others have not. No collective call throws anything but RankEnds; what an executor throws
/// there is Cause::executor_failed.
template <std::size_t Dim>
class THRONG_API DistributedGrid {
public:
    /// Borrows the ranks.
    explicit DistributedGrid(Ranks& ranks);
    ~DistributedGrid();
    DistributedGrid(DistributedGrid&&) noexcept;
    DistributedGrid& operator=(DistributedGrid&&) noexcept;

    /// Collective. Lays out cells and deals them out; forgets all agents. Refuses what shape_over()
    /// refuses, a reach that is negative or no number, a common half extent of more than half the
    /// reach (Cause::beyond_reach), and cuts for another grid or another number of ranks
    /// (Cause::count_mismatch).
    Status configure(const DistributedSettings<Dim>& settings);

    /// Collective. Gives names to the agents that have none, those behind the last of `ids`: the
    /// numbers that follow the largest in the whole crowd, by rank. Refuses more names than agents
    /// (Cause::count_mismatch), and numbers that run out (Cause::too_many).
    Status name(Share<Dim>& mine);

    /// Collective. Everything has moved: sends each agent to its owner, wherever it was, and ghosts
    /// to all ranks that it is within reach of, and replaces the agents of local(). Ids of agents
    /// are unique in the whole crowd: the first update looks whether they are, and refuses two that
    /// are the same (Cause::id_taken); later ones notice it of two agents of one rank only.
    ///
    /// Refuses what RowGrid::update() refuses; arrays of another length than ids
    /// (Cause::count_mismatch; of columns, the index is the column); half extents of more than half
    /// the reach; more agents and ghosts on one rank than it can number; a parcel that is not as
    /// long as it says (Cause::count_mismatch of Argument::arrays; the index is the rank that sent
    /// it).
    Status update(Share<Dim>& mine, Executor& executor = serial_executor());

    /// The grid of the owned and the ghosts, by local id: for fused kernels, batches, range calls.
    /// What it answers is the whole truth about owned agents up to the reach, and of no others.
    [[nodiscard]] const RowGrid<Dim>& local() const noexcept;

    // Questions of all agents at once, for owned agents only; not collective. Ids are local ids.
    // They refuse what Batch refuses, and a radius of more than the reach (Cause::beyond_reach).
    // Exceptions are those of Batch.

    /// The neighbours of each owned agent, by its local id.
    Status neighbours(const Neighbourhood& neighbourhood, Hits& hits,
                      Executor& executor = serial_executor());
    /// How many there are; `counts` has an element for each owned agent.
    Status count_neighbours(const Neighbourhood& neighbourhood, std::span<std::uint32_t> counts,
                            Executor& executor = serial_executor());
    /// The pairs of agents whose boxes overlap, if their first is owned: over all ranks, each pair
    /// once. In canonical order.
    Status pairs(Pairs& pairs, Executor& executor = serial_executor(),
                 std::uint32_t groups = kAllGroups);

    /// Collective. The number of pairs in the whole crowd.
    Status count_pairs(std::uint64_t& pairs, Executor& executor = serial_executor(),
                       std::uint32_t groups = kAllGroups);
    /// Collective. The number of agents in the whole crowd.
    Status size(std::uint64_t& agents);

    /// The rank whose brick has this place, which must not be NaN. The grid must be configured,
    /// here and in the next three.
    [[nodiscard]] std::uint32_t owner_of(const Point<Dim>& point) const noexcept;
    /// The cells of this rank.
    [[nodiscard]] Brick<Dim> brick() const noexcept;
    [[nodiscard]] const GridShape<Dim>& shape() const noexcept; ///< of the whole
    [[nodiscard]] const Cuts<Dim>& cuts() const noexcept;

    [[nodiscard]] const DistributedStats& stats() const noexcept;
    /// The rank whose refusal the latest collective call returned.
    [[nodiscard]] std::uint32_t refused_by() const noexcept;
    /// Bytes of the local grid and of what updates keep; shares come on top.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    template <std::size_t>
    friend class ShareUpdate;
    template <std::size_t>
    friend class Checkpoint;

    struct State;
    std::unique_ptr<State> state_;
};

extern template class DistributedGrid<2>;
extern template class DistributedGrid<3>;

} // namespace throng
