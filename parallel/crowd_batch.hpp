// Questions about a whole crowd of small and large, asked at once on an executor.
#pragma once

#include "../engine/crowd.hpp"
#include "../engine/crowd_sets.hpp"
#include "../engine/executor.hpp"
#include "../simd/export.hpp"
#include "batch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// What a Batch is to a RowGrid, for a Crowd: millions of answers in one call, in blocks that run
/// on an executor, the same to the bit for every executor and any number of threads.
///
/// Each call says which sets it is about. Small agents come first in an answer, in the grid's
/// canonical order, then giants, then statics, as Crowd::query() has them. Where a crowd has
/// neither giants nor statics that a question is about, it costs what a Batch costs on
/// Crowd::grid(). A crowd in a periodic world is asked itself, question by question, and for its
/// pairs on one thread.
///
/// Scratch memory, steady frames, failures, and who may ask meanwhile: as Batch says. The crowd may
/// not change during a call.
template <std::size_t Dim>
class THRONG_API CrowdBatch {
public:
    /// Receives a run of pairs, first[i] and second[i], of one block of the work; returns false to
    /// stop.
    using PairVisitor = typename Batch<Dim>::PairVisitor;

    /// Borrows the executor for as long as it lives.
    explicit CrowdBatch(Executor& executor = serial_executor());

    /// Whom each shape finds; see Crowd::query(). The filter is one for all, or FilterEach.
    template <ShapesIn<Dim> Shapes>
    Status query(const Crowd<Dim>& crowd, const Shapes& shapes, Hits& hits,
                 const Filters& filters = {}, Sets sets = Sets::all) {
        return query_all(crowd, SpanOf<Shapes>(shapes), hits, filters, sets);
    }

    /// The same into arrays of the caller's. Returns how many ids there are, which may exceed
    /// out.ids.size().
    template <ShapesIn<Dim> Shapes>
    Found query(const Crowd<Dim>& crowd, const Shapes& shapes, const HitsBuffer& out,
                const Filters& filters = {}, Sets sets = Sets::all) {
        return query_all(crowd, SpanOf<Shapes>(shapes), out, filters, sets);
    }

    /// How many each finds; `counts` has one place for each. Returns the sum.
    template <ShapesIn<Dim> Shapes>
    Found count(const Crowd<Dim>& crowd, const Shapes& shapes, std::span<std::uint32_t> counts,
                const Filters& filters = {}, Sets sets = Sets::all) {
        return count_all(crowd, SpanOf<Shapes>(shapes), counts, filters, sets);
    }

    /// 1 for each that finds anybody, 0 for the others.
    template <ShapesIn<Dim> Shapes>
    Found any(const Crowd<Dim>& crowd, const Shapes& shapes, std::span<std::uint32_t> counts,
              const Filters& filters = {}, Sets sets = Sets::all) {
        return any_all(crowd, SpanOf<Shapes>(shapes), counts, filters, sets);
    }

    /// Whom each path meets first, and when; kNoId for those who meet nobody. `meetings` has one
    /// place for each. Returns how many meet somebody.
    template <PathsIn<Dim> Paths>
    Found first(const Crowd<Dim>& crowd, const Paths& paths, std::span<Meeting> meetings,
                const Filters& filters = {}, Sets sets = Sets::all) {
        return first_all(crowd, SpanOf<Paths>(paths), meetings, filters, sets);
    }

    /// The neighbours of every agent, giants too, of those in `sets`. With Order::storage the k-th
    /// answer is that of the k-th agent of Crowd::order(), and there are size() of them; with
    /// Order::ids that of agent k, and there are id_bound() of them, empty for ids that nobody has.
    Status neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood, Hits& hits,
                      Order order = Order::storage, Sets sets = Sets::all);
    Found neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                     const HitsBuffer& out, Order order = Order::storage, Sets sets = Sets::all);
    Found count_neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                           std::span<std::uint32_t> counts, Order order = Order::storage,
                           Sets sets = Sets::all);

    /// The nearest to each point, see Crowd::nearest().
    Status nearest(const Crowd<Dim>& crowd, std::span<const Point<Dim>> points,
                   const Nearest& nearest, NearHits& hits, const Filter& filter = {},
                   Sets sets = Sets::all);
    Found nearest(const Crowd<Dim>& crowd, std::span<const Point<Dim>> points,
                  const Nearest& nearest, const NearBuffer& out, const Filter& filter = {},
                  Sets sets = Sets::all);

    /// The nearest to every agent, in the order of neighbours().
    Status nearest_neighbours(const Crowd<Dim>& crowd, const NearestNeighbours& nearest,
                              NearHits& hits, Order order = Order::storage, Sets sets = Sets::all);
    Found nearest_neighbours(const Crowd<Dim>& crowd, const NearestNeighbours& nearest,
                             const NearBuffer& out, Order order = Order::storage,
                             Sets sets = Sets::all);

    /// All pairs whose boxes overlap, each once, of two agents or of whichever sets; those outside
    /// `groups` take part in none. Of two sets, the small agent comes first in a pair, and the
    /// static last. Pairs of small agents come first, as a Batch has them, then small agents with
    /// giants, giants with giants, small agents with statics, giants with statics. Into arrays of
    /// the caller's, returns how many there are, which may exceed the room.
    Status pairs(const Crowd<Dim>& crowd, Pairs& pairs, PairSets sets = PairSets::agents,
                 std::uint32_t groups = kAllGroups);
    Found pairs(const Crowd<Dim>& crowd, const PairsBuffer& out, PairSets sets = PairSets::agents,
                std::uint32_t groups = kAllGroups);
    Found count_pairs(const Crowd<Dim>& crowd, PairSets sets = PairSets::agents,
                      std::uint32_t groups = kAllGroups);
    /// Calls the visitor with runs of some thousand pairs at most: from several threads at once,
    /// the blocks in any order, but the pairs of a block in theirs and by one thread. Returns how
    /// many were visited.
    Found visit_pairs(const Crowd<Dim>& crowd, PairVisitor visitor,
                      PairSets sets = PairSets::agents, std::uint32_t groups = kAllGroups);
    /// All block numbers that a visitor is told are smaller than this.
    [[nodiscard]] static std::size_t pair_blocks(const Crowd<Dim>& crowd,
                                                 PairSets sets = PairSets::agents) noexcept;

    /// Bytes of scratch.
    [[nodiscard]] std::size_t memory() const noexcept { return batch_.memory(); }
    /// Gives them back.
    void release() noexcept { batch_.release(); }

private:
    struct OneByOne;
    struct Together;
    struct Asked;
    struct PairBlocks;
    struct Pairing;
    template <class Source>
    struct Everyone;
    template <class Source>
    struct Neighbours;
    template <class Source>
    using Asking = typename Batch<Dim>::template Asking<Source>;
    template <class Source>
    using AskingNearest = typename Batch<Dim>::template AskingNearest<Source>;
    using NearPlaces = typename Batch<Dim>::NearPlaces;

    // What arrays of any kind come down to.
    template <ShapeIn<Dim> Shape>
    Status query_all(const Crowd<Dim>& crowd, std::span<const Shape> shapes, Hits& hits,
                     const Filters& filters, Sets sets);
    template <ShapeIn<Dim> Shape>
    Found query_all(const Crowd<Dim>& crowd, std::span<const Shape> shapes, const HitsBuffer& out,
                    const Filters& filters, Sets sets);
    template <ShapeIn<Dim> Shape>
    Found count_all(const Crowd<Dim>& crowd, std::span<const Shape> shapes,
                    std::span<std::uint32_t> counts, const Filters& filters, Sets sets);
    template <ShapeIn<Dim> Shape>
    Found any_all(const Crowd<Dim>& crowd, std::span<const Shape> shapes,
                  std::span<std::uint32_t> counts, const Filters& filters, Sets sets);
    template <PathIn<Dim> Path>
    Found first_all(const Crowd<Dim>& crowd, std::span<const Path> paths,
                    std::span<Meeting> meetings, const Filters& filters, Sets sets);

    Batch<Dim> batch_; // asks the grid, and lends its loops and its scratch memory
};

extern template class CrowdBatch<2>;
extern template class CrowdBatch<3>;

} // namespace throng
