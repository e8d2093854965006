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

/// What all ranks agree on. Each must give the same.
template <std::size_t Dim>
struct DistributedSettings {
    Box<Dim> bounds{}; ///< as in RowGrid::configure()
    Point<Dim> cell{};
    float reach = 0.0f; ///< how far agents ask about each other: no neighbour is farther away
    CrowdKind<Dim> kind{};
    std::optional<Cuts<Dim>> cuts{}; ///< for as many ranks as there are; else Cuts::even()
    /// About so many bytes of questions, and as many of answers, are on the way from a rank, or to
    /// it, at a time. Questions that are more take more rounds.
    std::size_t question_bytes = std::size_t{64} << 20;
    /// More than 0: every kUpdatesToBalance updates look whether the work of the rank that has most
    /// is more than so many times the mean, and if so call balance(). At least 1.
    float imbalance = 0.0f;
    /// What memory allows: balance() gives no rank more agents than so many times the mean, as far
    /// as cells allow that, whatever their work is. At least 1.
    float most_agents = 2.0f;
    static constexpr std::uint32_t kUpdatesToBalance = 16;
};

/// What the latest update of this rank came to.
struct DistributedStats {
    std::size_t owned = 0, ghosts = 0;
    std::size_t giants = 0;         ///< of the whole crowd
    std::size_t statics = 0;        ///< of the latest set_statics()
    std::size_t left = 0, came = 0; ///< agents that changed their owner
    std::size_t neighbours = 0;     ///< ranks that get a parcel each time
    bool routed = false;            ///< somebody's agents went to ranks that are no neighbours
    bool laid_out = false;          ///< the local grid got cells that it did not have before
    /// Questions since then: those of this rank, and those that it has answered, of its own and
    /// of other ranks. A rank that answers more than others is where everybody asks.
    std::uint64_t asked = 0, answered = 0;
    /// The work of the rank that has most, in means, when balance() last looked: as bricks were,
    /// and as they are from the update on that follows. 0 if it never has.
    double imbalance = 0.0, next_imbalance = 0.0;
};

/// A crowd over all ranks of a job. Owned agents find owned agents and ghosts; up to `reach` away
/// those are all that there are. Answers are those of one Crowd that takes the whole crowd, in the
/// order of global ids, as its first: the same agents, in the same order, so also the same sums, to
/// the bit, for any number of ranks.
///
/// **Giants** are agents with a half extent of their own that is larger, on any axis, than half the
/// longest side of a cell, as in a Crowd. One rank owns each, by its centre, and all others have a
/// ghost of it, wherever they are: so memory and messages of each rank grow with the giants of the
/// whole crowd, and updates with giants take a message from each rank that owns some to every
/// other. **Statics** are on all ranks alike. Answers have small agents first, then giants, then
/// statics. A question may be about some of these sets; the rank that asks looks among giants and
/// statics itself.
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

    /// Collective. Lays out cells and deals them out; forgets all agents and statics. Refuses what
    /// shape_over() refuses, a reach that is negative or no number, a common half extent of more
    /// than half the reach (Cause::beyond_reach), and cuts for another grid or another number of
    /// ranks (Cause::count_mismatch).
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
    /// Refuses what RowGrid::update() refuses; ids from kFirstGlobalStatic on
    /// (Cause::out_of_range); arrays of another length than ids (Cause::count_mismatch; of columns,
    /// the index is the column); half extents of more than half the reach, but of giants; more
    /// agents and ghosts on one rank than it can number; a parcel that is not as long as it says
    /// (Cause::count_mismatch of Argument::arrays; the index is the rank that sent it).
    Status update(Share<Dim>& mine, Executor& executor = serial_executor());

    /// Collective. Cuts bricks anew, so that all ranks have about as much work; the next update
    /// sends agents where they then belong, and until then all is as it was. Bricks stay if that
    /// takes less than a twentieth off the work of the rank that has most. Answers never depend on
    /// bricks.
    ///
    /// An agent's work is its number of neighbours within the reach and 36, or what `work` says for
    /// each owned agent, in any unit in which all of it is below 2^63 (another number of them is
    /// Cause::count_mismatch).
    Status balance(Executor& executor = serial_executor(),
                   std::span<const std::uint32_t> work = {});

    /// Collective. Replaces the statics, of which every rank gives all: the same, or all get
    /// Cause::ranks_differ. Refuses what Crowd::set_statics() refuses. No checkpoint has them.
    Status set_statics(const Agents<Dim>& statics, Executor& executor = serial_executor());

    /// The grid of the owned and the ghosts, but for giants, by local id: for fused kernels,
    /// batches, range calls. What it answers is the whole truth about owned agents up to the reach,
    /// and of no others.
    [[nodiscard]] const RowGrid<Dim>& local() const noexcept;
    /// That grid, and the centres of giants by local id and of statics by static_id():
    /// Crowd::grids() of this rank. Valid until the next change.
    [[nodiscard]] std::array<NamedGrid<Dim>, 3> grids() const noexcept;

    // Questions of all agents at once, for owned agents only, giants too; not collective. Ids are
    // local ids, and static_id() of statics.
    // They refuse what Batch refuses, and a radius of more than the reach (Cause::beyond_reach).
    // Exceptions are those of Batch.

    /// The neighbours of each owned agent, by its local id.
    Status neighbours(const Neighbourhood& neighbourhood, Hits& hits,
                      Executor& executor = serial_executor(), Sets sets = Sets::all);
    /// How many there are; `counts` has an element for each owned agent.
    Status count_neighbours(const Neighbourhood& neighbourhood, std::span<std::uint32_t> counts,
                            Executor& executor = serial_executor(), Sets sets = Sets::all);
    /// The pairs of agents, or of agents and statics, that overlap as in Batch::pairs(), if their
    /// first is owned:
    /// over all ranks, each pair once. Small agents with small agents come first, in canonical
    /// order, then small agents with giants, giants with giants, small agents with statics, giants
    /// with statics, each by first and second.
    Status pairs(Pairs& pairs, Executor& executor = serial_executor(),
                 std::uint32_t groups = kAllGroups, PairSets sets = PairSets::agents,
                 Body body = Body::box);

    /// Collective, for bindings: this rank cannot make the call that the others make now, since
    /// what it was given is none. All get Cause::ranks_differ, and so no rank waits.
    Status abstain();

    /// Collective. The number of pairs in the whole crowd.
    Status count_pairs(std::uint64_t& pairs, Executor& executor = serial_executor(),
                       std::uint32_t groups = kAllGroups, PairSets sets = PairSets::agents,
                       Body body = Body::box);
    /// Collective. The number of agents in the whole crowd.
    Status size(std::uint64_t& agents);

    // Collective: questions of any size at any place, about the whole crowd. Each rank brings its
    // own, as many as it likes, or none, and gets their answers, which have global ids, and
    // global_static_id() of statics. A filter is one for all questions of a rank, or one each; none
    // finds all agents. What one RowGrid would refuse is refused, also another number of filters
    // (Cause::count_mismatch). They allocate.

    /// The agents that each shape finds, in canonical order: as RowGrid::query() lists them.
    template <ManyShapesIn<Dim> Shapes>
    Status query(const Shapes& shapes, GlobalHits& hits, std::span<const GlobalFilter> filters = {},
                 Executor& executor = serial_executor(), Sets sets = Sets::all) {
        return query_all(ShapesView<Dim>(shapes), hits, filters, executor, sets);
    }
    /// How many agents each shape finds; `counts` has one element for each shape.
    template <ManyShapesIn<Dim> Shapes>
    Status count(const Shapes& shapes, std::span<std::uint64_t> counts,
                 std::span<const GlobalFilter> filters = {}, Executor& executor = serial_executor(),
                 Sets sets = Sets::all) {
        return count_all(ShapesView<Dim>(shapes), false, counts, filters, executor, sets);
    }
    /// 1 for each shape that finds an agent, 0 for the others.
    template <ManyShapesIn<Dim> Shapes>
    Status any(const Shapes& shapes, std::span<std::uint64_t> found,
               std::span<const GlobalFilter> filters = {}, Executor& executor = serial_executor(),
               Sets sets = Sets::all) {
        return count_all(ShapesView<Dim>(shapes), true, found, filters, executor, sets);
    }
    /// The agents nearest to each point: as RowGrid::nearest(), of several equally near those with
    /// the smallest global ids. Ranks may ask for different numbers.
    Status nearest(std::span<const Point<Dim>> points, const GlobalNearest& nearest,
                   GlobalNearHits& hits, std::span<const GlobalFilter> filters = {},
                   Executor& executor = serial_executor(), Sets sets = Sets::all);
    /// What each path meets first, and when: as RowGrid::first(). `first` gets one element for each
    /// path.
    template <ManyPathsIn<Dim> Paths>
    Status first(const Paths& paths, std::vector<GlobalMeeting>& first,
                 std::span<const GlobalFilter> filters = {}, Executor& executor = serial_executor(),
                 Sets sets = Sets::all) {
        return first_all(ShapesView<Dim>(paths), first, filters, executor, sets);
    }
    /// All that each path meets: as RowGrid::hits().
    template <ManyPathsIn<Dim> Paths>
    Status meetings(const Paths& paths, GlobalMeetings& meetings,
                    std::span<const GlobalFilter> filters = {},
                    Executor& executor = serial_executor(), Sets sets = Sets::all) {
        return meetings_all(ShapesView<Dim>(paths), meetings, filters, executor, sets);
    }
    /// The agents nearest to each owned agent, by its local id: as Batch::nearest_neighbours(), at
    /// any distance. Only agents whose neighbours may be out of reach, or as near as others of
    /// several ranks, are asked about elsewhere. Bodies are refused (Cause::beyond_reach).
    Status nearest_neighbours(const NearestNeighbours& nearest, GlobalNearHits& hits,
                              Executor& executor = serial_executor(), Sets sets = Sets::all);

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
    template <std::size_t>
    friend class QuestionCall;
    template <std::size_t>
    friend class Balance;

    Status query_all(const ShapesView<Dim>& shapes, GlobalHits& hits,
                     std::span<const GlobalFilter> filters, Executor& executor, Sets sets);
    Status count_all(const ShapesView<Dim>& shapes, bool any, std::span<std::uint64_t> counts,
                     std::span<const GlobalFilter> filters, Executor& executor, Sets sets);
    Status first_all(const ShapesView<Dim>& paths, std::vector<GlobalMeeting>& first,
                     std::span<const GlobalFilter> filters, Executor& executor, Sets sets);
    Status meetings_all(const ShapesView<Dim>& paths, GlobalMeetings& meetings,
                        std::span<const GlobalFilter> filters, Executor& executor, Sets sets);

    struct State;
    std::unique_ptr<State> state_;
};

extern template class DistributedGrid<2>;
extern template class DistributedGrid<3>;

} // namespace throng

#include "../simd/isa/names_end.hpp"
