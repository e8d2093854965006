// A crowd over the processes of a job: every rank keeps the agents of its brick, and ghosts.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "../engine/agents/agents.hpp"
#include "../engine/agents/box.hpp"
#include "../engine/agents/found.hpp"
#include "../engine/agents/nearest.hpp"
#include "../engine/core/executor.hpp"
#include "../engine/core/status.hpp"
#include "../engine/crowd/sets.hpp"
#include "../engine/grid/named_grid.hpp"
#include "../engine/grid/row_grid.hpp"
#include "../engine/shapes/shapes_view.hpp"
#include "cuts.hpp"
#include "global_answers.hpp"
#include "ranks.hpp"
#include "share.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace throng {

/// Settings of a crowd; all ranks must give the same.
template <std::size_t Dim>
struct DistributedSettings {
    Box<Dim> bounds{}; ///< as in RowGrid::configure()
    Point<Dim> cell{};
    float reach = 0.0f; ///< the largest distance at which agents are neighbours
    CrowdKind<Dim> kind{};
    std::optional<Cuts<Dim>> cuts{}; ///< for the ranks of the job; by default Cuts::even()
    /// About the most bytes of questions that are on the way at a time from a rank, or to it;
    /// answers have the same limit. More questions take more rounds.
    std::size_t question_bytes = std::size_t{64} << 20;
    /// If more than 0, every kUpdatesToBalance-th update calls balance() if the largest work of a
    /// rank exceeds this many times the mean. At least 1.
    float imbalance = 0.0f;
    /// A limit for memory: balance() gives no rank more than this many times the mean number of
    /// agents, whatever their work, as far as cells allow that. At least 1.
    float most_agents = 2.0f;
    /// The axes on which the world wraps around, as in CrowdSettings: its bounds are their borders.
    std::array<bool, Dim> periodic{};
    static constexpr std::uint32_t kUpdatesToBalance = 16;
};

/// Results of the latest update of this rank.
struct DistributedStats {
    std::size_t owned = 0, ghosts = 0;
    std::size_t giants = 0;         ///< of the whole crowd
    std::size_t statics = 0;        ///< of the latest set_statics()
    std::size_t left = 0, came = 0; ///< agents that changed their owner
    std::size_t neighbours = 0;     ///< ranks that get a parcel in every update
    bool routed = false;            ///< on some rank, an agent went to a rank that is no neighbour
    bool laid_out = false;          ///< the local grid got cells that it did not have before
    /// Questions since the latest update: those that this rank asked, and those that it answered,
    /// its own included. A rank that answers more than others owns the place that most questions
    /// are about.
    std::uint64_t asked = 0, answered = 0;
    /// max/mean work of the ranks at the last balance(): with the bricks in use then, and with the
    /// bricks that the next update takes. 0 before the first balance().
    double imbalance = 0.0, next_imbalance = 0.0;
};

/// A crowd over all ranks of a job. Owned agents find owned agents and ghosts; within `reach` there
/// are no others. Answers are those of one Crowd whose first update took the whole crowd in the
/// order of global ids: the same agents in the same order, so also the same sums, to the bit, for
/// any number of ranks.
///
/// **Giants** are agents with a half extent of their own that is larger, on any axis, than half the
/// longest side of a cell, as in a Crowd. The rank of its centre owns a giant, and all other ranks
/// have a ghost of it. So memory and messages of each rank grow with the giants of the whole crowd,
/// and in updates each rank that owns giants sends a message to every other rank. **Statics**
/// are the same on all ranks. Answers have small agents first, then giants, then statics. A
/// question may be about some of these sets only; the rank that asks looks among giants and statics
/// itself.
///
/// **Periodic worlds**: agents near a border have ghosts beyond it, moved by whole periods in
/// floats, on all ranks within reach, their own too. Answers have the members that those of one
/// periodic Crowd have; docs/distributed.md has their order.
///
/// *Collective* calls are made by all ranks, in the same order. They succeed on all ranks or on
/// none, return the same status everywhere, and after any status but ok nothing has changed
/// anywhere. The refusal, with its index, is that of the lowest rank that has one, refused_by().
/// The index is a local id of an agent, for Cause::id_taken a global id, for columns the column's
/// number. If ranks make different calls, or give different settings, or shares with different
/// columns, all get Cause::ranks_differ. After Cause::rank_lost the job is over: some ranks may
/// have done what others have not. Collective calls throw only RankEnds; an exception of an
/// executor becomes Cause::executor_failed.
template <std::size_t Dim>
class THRONG_API DistributedGrid {
public:
    /// Borrows the ranks.
    explicit DistributedGrid(Ranks& ranks);
    ~DistributedGrid();
    DistributedGrid(DistributedGrid&&) noexcept;
    DistributedGrid& operator=(DistributedGrid&&) noexcept;

    /// Collective. Lays out the cells and divides them among the ranks; forgets all agents and
    /// statics. Refuses what shape_over() refuses, a reach that is negative or no number, a common
    /// half extent of more than half the reach (Cause::beyond_reach), cuts for another grid or
    /// another number of ranks (Cause::count_mismatch), a period that a Crowd refuses, and a
    /// periodic world that is not wider than twice the reach (Cause::wraps).
    Status configure(const DistributedSettings<Dim>& settings);

    /// Collective. Names the agents beyond the end of `ids`, which have no name yet: they get the
    /// numbers after the largest name of the whole crowd, in the order of ranks. Refuses more names
    /// than agents (Cause::count_mismatch), and numbers that run out (Cause::too_many).
    Status name(Share<Dim>& mine);

    /// Collective. Takes new positions: sends each agent to its owner, wherever that is, sends
    /// ghosts of it to all ranks within the reach, and replaces the agents of local(). In a
    /// periodic world it moves places outside of the world into it, also those in the share. Ids of
    /// agents are unique in the whole crowd. The first update checks this over all ranks and
    /// refuses two equal ids (Cause::id_taken); later updates check each rank's agents only.
    ///
    /// Refuses what RowGrid::update() refuses; ids from kFirstGlobalStatic on
    /// (Cause::out_of_range); arrays of another length than ids (Cause::count_mismatch; of columns,
    /// the index is the column); half extents of more than half the reach, except of giants; more
    /// agents and ghosts on one rank than it can number; a parcel whose length is not what its head
    /// says (Cause::count_mismatch of Argument::arrays; the index is the rank that sent it).
    Status update(Share<Dim>& mine, Executor& executor = serial_executor());

    /// Collective. Cuts bricks anew, so that all ranks have about the same work. The next update
    /// sends agents to their new owners; until then nothing changes. Bricks stay if new ones would
    /// lower the largest work of a rank by less than a twentieth. Answers never depend on bricks.
    ///
    /// An agent's work is its number of neighbours within the reach plus 36, or its element of
    /// `work`. `work` has one element for each owned agent (else Cause::count_mismatch), in any
    /// unit in which the total is below 2^63.
    Status balance(Executor& executor = serial_executor(),
                   std::span<const std::uint32_t> work = {});

    /// Collective. Replaces the statics. Every rank gives all of them, and the same ones, else all
    /// get Cause::ranks_differ. Refuses what Crowd::set_statics() refuses. Checkpoints do not
    /// contain statics.
    Status set_statics(const Agents<Dim>& statics, Executor& executor = serial_executor());

    /// The grid of owned agents and ghosts without giants, by local id: for fused kernels, batches,
    /// range calls. Its answers are complete for owned agents and up to the reach only.
    [[nodiscard]] const RowGrid<Dim>& local() const noexcept;
    /// Three grids, as Crowd::grids() of this rank: local(), the centres of giants by local id, and
    /// the centres of statics by static_id(). Valid until the next change.
    [[nodiscard]] std::array<NamedGrid<Dim>, 3> grids() const noexcept;

    // Questions of all owned agents at once, giants too; not collective. Ids are local ids, and
    // static_id() of statics. They refuse what Batch refuses, and a radius of more than the reach
    // (Cause::beyond_reach). They throw what Batch throws.

    /// The neighbours of each owned agent, by its local id.
    Status neighbours(const Neighbourhood& neighbourhood, Hits& hits,
                      Executor& executor = serial_executor(), Sets sets = Sets::all);
    /// The number of neighbours; `counts` has an element for each owned agent.
    Status count_neighbours(const Neighbourhood& neighbourhood, std::span<std::uint32_t> counts,
                            Executor& executor = serial_executor(), Sets sets = Sets::all);
    /// The pairs of agents, or of agents and statics, that overlap as in Batch::pairs() and whose
    /// first agent is owned: over all ranks, each pair once. Small agents with small agents come
    /// first, in canonical order; then small agents with giants, giants with giants, small agents
    /// with statics, giants with statics, each by first and second.
    Status pairs(Pairs& pairs, Executor& executor = serial_executor(),
                 std::uint32_t groups = kAllGroups, PairSets sets = PairSets::agents,
                 Body body = Body::box);

    /// Collective, for bindings: a rank with arguments that are not valid makes this call in place
    /// of the call that the others make. All get Cause::ranks_differ, and no rank waits.
    Status abstain();

    /// Collective. The number of pairs in the whole crowd.
    Status count_pairs(std::uint64_t& pairs, Executor& executor = serial_executor(),
                       std::uint32_t groups = kAllGroups, PairSets sets = PairSets::agents,
                       Body body = Body::box);
    /// Collective. The number of agents in the whole crowd.
    Status size(std::uint64_t& agents);

    // Collective: questions of any size at any place, about the whole crowd. Each rank brings any
    // number of questions, or none, and gets the answers to its own. Answers have global ids, and
    // global_static_id() of statics. Filters are one for all questions of a rank, or one for each
    // question; without filters all agents are found. They refuse what one RowGrid refuses, and
    // another number of filters (Cause::count_mismatch). They allocate.

    /// The agents that each shape finds, in canonical order: as RowGrid::query() lists them.
    Status query(const ShapesView<Dim>& shapes, GlobalHits& hits,
                 std::span<const GlobalFilter> filters = {}, Executor& executor = serial_executor(),
                 Sets sets = Sets::all);
    /// The number of agents that each shape finds; `counts` has one element for each shape.
    Status count(const ShapesView<Dim>& shapes, std::span<std::uint64_t> counts,
                 std::span<const GlobalFilter> filters = {}, Executor& executor = serial_executor(),
                 Sets sets = Sets::all) {
        return count_all(shapes, false, counts, filters, executor, sets);
    }
    /// 1 for each shape that finds an agent, 0 for the others.
    Status any(const ShapesView<Dim>& shapes, std::span<std::uint64_t> found,
               std::span<const GlobalFilter> filters = {}, Executor& executor = serial_executor(),
               Sets sets = Sets::all) {
        return count_all(shapes, true, found, filters, executor, sets);
    }
    /// The agents nearest to each point, as RowGrid::nearest(). Of equally near agents those with
    /// the smallest global ids are taken. Ranks may ask for different numbers. In periodic worlds
    /// an agent's distance is that to the nearest copy of the point, also for `least` and `after`.
    Status nearest(std::span<const Point<Dim>> points, const GlobalNearest& nearest,
                   GlobalNearHits& hits, std::span<const GlobalFilter> filters = {},
                   Executor& executor = serial_executor(), Sets sets = Sets::all);
    /// What each path meets first, and when: as RowGrid::first(). `first` gets one element for each
    /// path.
    Status first(const ShapesView<Dim>& paths, std::vector<GlobalMeeting>& first,
                 std::span<const GlobalFilter> filters = {}, Executor& executor = serial_executor(),
                 Sets sets = Sets::all);
    /// All agents that each path meets: as RowGrid::hits().
    Status meetings(const ShapesView<Dim>& paths, GlobalMeetings& meetings,
                    std::span<const GlobalFilter> filters = {},
                    Executor& executor = serial_executor(), Sets sets = Sets::all);
    /// The agents nearest to each owned agent, by its local id: as Batch::nearest_neighbours(), at
    /// any distance. Other ranks are asked only about agents whose neighbours may be out of reach,
    /// or whose last neighbour ties with agents of other ranks. Bodies are refused
    /// (Cause::beyond_reach).
    Status nearest_neighbours(const NearestNeighbours& nearest, GlobalNearHits& hits,
                              Executor& executor = serial_executor(), Sets sets = Sets::all);

    /// The rank whose brick has this place, wrapped if the world is. The place must not be NaN. The
    /// grid must be configured, as also for the next three functions.
    [[nodiscard]] std::uint32_t owner_of(const Point<Dim>& point) const noexcept;
    /// The cells of this rank.
    [[nodiscard]] Brick<Dim> brick() const noexcept;
    [[nodiscard]] const GridShape<Dim>& shape() const noexcept; ///< of the whole grid
    [[nodiscard]] const Cuts<Dim>& cuts() const noexcept;

    [[nodiscard]] const DistributedStats& stats() const noexcept;
    /// The rank whose refusal the latest collective call returned.
    [[nodiscard]] std::uint32_t refused_by() const noexcept;
    /// Bytes of the local grid and of the memory that updates keep, without shares.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    template <std::size_t>
    friend class ShareUpdate;
    template <std::size_t>
    friend class Checkpoint;
    template <std::size_t>
    friend class QuestionCall;
    template <std::size_t>
    friend class Balance;

    Status count_all(const ShapesView<Dim>& shapes, bool any, std::span<std::uint64_t> counts,
                     std::span<const GlobalFilter> filters, Executor& executor, Sets sets);

    struct State;
    std::unique_ptr<State> state_;
};

extern template class DistributedGrid<2>;
extern template class DistributedGrid<3>;

} // namespace throng

#include "../simd/isa/names_end.hpp"
