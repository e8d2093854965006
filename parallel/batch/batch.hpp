// Millions of questions about a grid, several grids or a crowd, asked in one call on an executor.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../engine/core/executor.hpp"
#include "../../engine/crowd/crowd.hpp"
#include "../../engine/crowd/sets.hpp"
#include "../../engine/grid/named_grid.hpp"
#include "../../engine/grid/row_grid.hpp"
#include "../../engine/shapes/shapes_view.hpp"
#include "../../simd/isa/export.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace throng {

/// The order of answers when agents ask. `storage` is the order of RowGrid::order() or
/// Crowd::order(), and the fastest; `ids` is by id.
enum class Order : std::uint8_t { storage, ids };

/// Answers millions of questions in one call, in blocks that run on an executor. Results are the
/// same bit for bit for every executor and any number of threads.
///
/// The first argument of a call is its target: a grid, several grids or a crowd. Calls on a crowd
/// also name its sets. An answer has small agents first, in the grid's canonical order, then
/// giants, then statics, as in Crowd::query(). A crowd without giants and statics in these sets
/// costs as much as its grid alone. A crowd in a periodic world is slower: it answers question by
/// question, and finds pairs that overlap on one thread.
///
/// For many long paths a batch packs small agents into a tree and asks the tree; the answers are
/// the same. This begins at some thousand paths a frame, or once calls about an unchanged crowd add
/// up to as many. docs/planner.md says when, and how much memory the tree takes.
///
/// A batch keeps scratch memory from one call to the next, so a steady load allocates nothing after
/// a few frames. It serves one call at a time. Meanwhile other threads may ask the same index, and
/// none may change it. After anything but ok, or an exception (std::bad_alloc, or what the executor
/// or a visitor throws), the index is as it was, Hits, NearHits and Pairs are empty, and the
/// caller's arrays must not be read. A batch that was moved from may only be assigned to or
/// destroyed.
template <std::size_t Dim>
class THRONG_API Batch {
public:
    /// Receives a run of pairs, first[i] and second[i], of one block of the work; returns false to
    /// stop. The blocks of a grid are its slices.
    using PairVisitor =
        FunctionRef<bool(std::size_t block, std::span<const Id> first, std::span<const Id> second)>;
    /// Grids that are asked together, at most kMostGrids.
    using Grids = std::span<const NamedGrid<Dim>>;

    /// Borrows the executor, which must outlive the batch.
    explicit Batch(Executor& executor = serial_executor());
    ~Batch();
    Batch(Batch&&) noexcept;
    Batch& operator=(Batch&&) noexcept;

    /// The agents that each shape finds; see RowGrid::query() and Crowd::query(). Questions that
    /// jump about in a large crowd are sorted by place first; answers still come in the order of
    /// the questions. The filter is one for all questions, or FilterEach.
    template <ManyShapesIn<Dim> Shapes>
    Status query(const RowGrid<Dim>& grid, const Shapes& shapes, Hits& hits,
                 const Filters& filters = {}) {
        return query_all({&grid}, ShapesView<Dim>(shapes), hits, filters);
    }
    template <ManyShapesIn<Dim> Shapes>
    Status query(const Crowd<Dim>& crowd, const Shapes& shapes, Hits& hits,
                 const Filters& filters = {}, Sets sets = Sets::all) {
        return query_all({nullptr, &crowd, sets}, ShapesView<Dim>(shapes), hits, filters);
    }
    /// The same into the caller's arrays. Returns how many ids there are, which may exceed
    /// out.ids.size().
    template <ManyShapesIn<Dim> Shapes>
    Found query(const RowGrid<Dim>& grid, const Shapes& shapes, const HitsBuffer& out,
                const Filters& filters = {}) {
        return query_all({&grid}, ShapesView<Dim>(shapes), out, filters);
    }
    template <ManyShapesIn<Dim> Shapes>
    Found query(const Crowd<Dim>& crowd, const Shapes& shapes, const HitsBuffer& out,
                const Filters& filters = {}, Sets sets = Sets::all) {
        return query_all({nullptr, &crowd, sets}, ShapesView<Dim>(shapes), out, filters);
    }

    /// How many agents each shape finds; `counts` has one element for each shape. Returns the sum.
    template <ManyShapesIn<Dim> Shapes>
    Found count(const RowGrid<Dim>& grid, const Shapes& shapes, std::span<std::uint32_t> counts,
                const Filters& filters = {}) {
        return count_all({&grid}, ShapesView<Dim>(shapes), counts, filters);
    }
    template <ManyShapesIn<Dim> Shapes>
    Found count(const Crowd<Dim>& crowd, const Shapes& shapes, std::span<std::uint32_t> counts,
                const Filters& filters = {}, Sets sets = Sets::all) {
        return count_all({nullptr, &crowd, sets}, ShapesView<Dim>(shapes), counts, filters);
    }

    /// 1 for each shape that finds an agent, 0 for the others. Returns the sum.
    template <ManyShapesIn<Dim> Shapes>
    Found any(const RowGrid<Dim>& grid, const Shapes& shapes, std::span<std::uint32_t> counts,
              const Filters& filters = {}) {
        return any_all({&grid}, ShapesView<Dim>(shapes), counts, filters);
    }
    template <ManyShapesIn<Dim> Shapes>
    Found any(const Crowd<Dim>& crowd, const Shapes& shapes, std::span<std::uint32_t> counts,
              const Filters& filters = {}, Sets sets = Sets::all) {
        return any_all({nullptr, &crowd, sets}, ShapesView<Dim>(shapes), counts, filters);
    }

    /// The first hit of each path and its time; kNoId for a path that hits nothing. `path_hits` has
    /// one element for each path. Returns how many paths hit something.
    template <ManyPathsIn<Dim> Paths>
    Found first(const RowGrid<Dim>& grid, const Paths& paths, std::span<PathHit> path_hits,
                const Filters& filters = {}) {
        return first_all({&grid}, ShapesView<Dim>(paths), path_hits, filters);
    }
    template <ManyPathsIn<Dim> Paths>
    Found first(const Crowd<Dim>& crowd, const Paths& paths, std::span<PathHit> path_hits,
                const Filters& filters = {}, Sets sets = Sets::all) {
        return first_all({nullptr, &crowd, sets}, ShapesView<Dim>(paths), path_hits, filters);
    }

    /// The agents nearest to each point, see RowGrid::nearest() and Crowd::nearest(). Points are
    /// sorted by place first, like other questions.
    Status nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                   const Nearest& nearest, NearHits& hits, const Filter& filter = {}) {
        return nearest_all({&grid}, points, nearest, hits, filter);
    }
    Status nearest(const Crowd<Dim>& crowd, std::span<const Point<Dim>> points,
                   const Nearest& nearest, NearHits& hits, const Filter& filter = {},
                   Sets sets = Sets::all) {
        return nearest_all({nullptr, &crowd, sets}, points, nearest, hits, filter);
    }
    Found nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                  const Nearest& nearest, const NearBuffer& out, const Filter& filter = {}) {
        return nearest_all({&grid}, points, nearest, out, filter);
    }
    Found nearest(const Crowd<Dim>& crowd, std::span<const Point<Dim>> points,
                  const Nearest& nearest, const NearBuffer& out, const Filter& filter = {},
                  Sets sets = Sets::all) {
        return nearest_all({nullptr, &crowd, sets}, points, nearest, out, filter);
    }

    /// How many answers there are when every agent of a crowd asks.
    [[nodiscard]] static std::size_t answers(const Crowd<Dim>& crowd, Order order) noexcept {
        return order == Order::storage ? crowd.size() : crowd.id_bound();
    }

    /// The neighbours of every agent; giants of a crowd ask too, whatever the sets. With
    /// Order::storage there are size() answers, and answer k belongs to the k-th agent of order().
    /// With Order::ids there are id_bound() answers, and answer k belongs to agent k; it is empty
    /// if no agent has this id.
    Status neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood, Hits& hits,
                      Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return neighbours_of({{&own, 1}, {&own, 1}, order}, neighbourhood, hits);
    }
    Status neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood, Hits& hits,
                      Order order = Order::storage, Sets sets = Sets::all) {
        return neighbours_of({{}, {}, order, &crowd, sets}, neighbourhood, hits);
    }
    Found neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                     const HitsBuffer& out, Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return neighbours_of({{&own, 1}, {&own, 1}, order}, neighbourhood, out);
    }
    Found neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                     const HitsBuffer& out, Order order = Order::storage, Sets sets = Sets::all) {
        return neighbours_of({{}, {}, order, &crowd, sets}, neighbourhood, out);
    }
    Found count_neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                           std::span<std::uint32_t> counts, Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return count_neighbours_of({{&own, 1}, {&own, 1}, order}, neighbourhood, counts);
    }
    Found count_neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                           std::span<std::uint32_t> counts, Order order = Order::storage,
                           Sets sets = Sets::all) {
        return count_neighbours_of({{}, {}, order, &crowd, sets}, neighbourhood, counts);
    }

    /// The same for every agent of `askers`, one grid after another: which agents of `others` are
    /// near. An answer has the agents of the first grid first, and each grid's in canonical order.
    /// An asker's own grid may be among the others; only there is the asker itself left out. Ids in
    /// answers are the grids' names, and with Order::ids an answer's index is its asker's name, so
    /// no two askers may have the same name. The number of answers is then the largest of these:
    /// id_bound() of each grid of askers whose ids are its names, and one more than the largest
    /// name in any other grid of askers. Refuses a grid with fewer names than ids.
    Status neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood, Hits& hits,
                      Order order = Order::storage) {
        return neighbours_of({askers, others, order}, neighbourhood, hits);
    }
    Found neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood,
                     const HitsBuffer& out, Order order = Order::storage) {
        return neighbours_of({askers, others, order}, neighbourhood, out);
    }
    Found count_neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood,
                           std::span<std::uint32_t> counts, Order order = Order::storage) {
        return count_neighbours_of({askers, others, order}, neighbourhood, counts);
    }

    /// The agents nearest to every agent, in the order of neighbours().
    Status nearest_neighbours(const RowGrid<Dim>& grid, const NearestNeighbours& nearest,
                              NearHits& hits, Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return nearest_neighbours_of({{&own, 1}, {&own, 1}, order}, nearest, hits);
    }
    Status nearest_neighbours(const Crowd<Dim>& crowd, const NearestNeighbours& nearest,
                              NearHits& hits, Order order = Order::storage, Sets sets = Sets::all) {
        return nearest_neighbours_of({{}, {}, order, &crowd, sets}, nearest, hits);
    }
    Found nearest_neighbours(const RowGrid<Dim>& grid, const NearestNeighbours& nearest,
                             const NearBuffer& out, Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return nearest_neighbours_of({{&own, 1}, {&own, 1}, order}, nearest, out);
    }
    Found nearest_neighbours(const Crowd<Dim>& crowd, const NearestNeighbours& nearest,
                             const NearBuffer& out, Order order = Order::storage,
                             Sets sets = Sets::all) {
        return nearest_neighbours_of({{}, {}, order, &crowd, sets}, nearest, out);
    }

    /// For every agent of `askers` the nearest agents of all of `others` together, as for
    /// neighbours(). Of several equally near, agents of the first grid come first, and within one
    /// grid the agent with the smallest id, whatever its name.
    Status nearest_neighbours(Grids askers, Grids others, const NearestNeighbours& nearest,
                              NearHits& hits, Order order = Order::storage) {
        return nearest_neighbours_of({askers, others, order}, nearest, hits);
    }
    Found nearest_neighbours(Grids askers, Grids others, const NearestNeighbours& nearest,
                             const NearBuffer& out, Order order = Order::storage) {
        return nearest_neighbours_of({askers, others, order}, nearest, out);
    }

    /// All pairs of agents whose boxes overlap, each once; with Body::disc, whose discs do,
    /// touching ones included. Of a crowd, the pairs of `sets`. Agents outside `groups` take part
    /// in no pair. The order within a pair, and the order of the pairs, are those of
    /// RowGrid::visit_pairs() and Crowd::visit_pairs(). With the caller's arrays, returns how many
    /// pairs there are, which may exceed the room. Body::centre is refused.
    Status pairs(const RowGrid<Dim>& grid, Pairs& pairs, std::uint32_t groups = kAllGroups,
                 Body body = Body::box) {
        return pairs_of({.grid = &grid, .groups = groups, .body = body}, pairs);
    }
    Status pairs(const Crowd<Dim>& crowd, Pairs& pairs, PairSets sets = PairSets::agents,
                 std::uint32_t groups = kAllGroups, Body body = Body::box) {
        return pairs_of({.groups = groups, .crowd = &crowd, .sets = sets, .body = body}, pairs);
    }
    Found pairs(const RowGrid<Dim>& grid, const PairsBuffer& out, std::uint32_t groups = kAllGroups,
                Body body = Body::box) {
        return pairs_of({.grid = &grid, .groups = groups, .body = body}, out);
    }
    Found pairs(const Crowd<Dim>& crowd, const PairsBuffer& out, PairSets sets = PairSets::agents,
                std::uint32_t groups = kAllGroups, Body body = Body::box) {
        return pairs_of({.groups = groups, .crowd = &crowd, .sets = sets, .body = body}, out);
    }
    Found count_pairs(const RowGrid<Dim>& grid, std::uint32_t groups = kAllGroups,
                      Body body = Body::box) {
        return count_pairs_of({.grid = &grid, .groups = groups, .body = body});
    }
    Found count_pairs(const Crowd<Dim>& crowd, PairSets sets = PairSets::agents,
                      std::uint32_t groups = kAllGroups, Body body = Body::box) {
        return count_pairs_of({.groups = groups, .crowd = &crowd, .sets = sets, .body = body});
    }
    /// Calls the visitor with runs of at most some thousand pairs, from several threads at once.
    /// Blocks come in any order; the pairs of one block come in their order and on one thread.
    /// Returns how many pairs were visited.
    Found visit_pairs(const RowGrid<Dim>& grid, PairVisitor visitor,
                      std::uint32_t groups = kAllGroups, Body body = Body::box) {
        return visit_pairs_of({.grid = &grid, .groups = groups, .body = body}, visitor);
    }
    Found visit_pairs(const Crowd<Dim>& crowd, PairVisitor visitor,
                      PairSets sets = PairSets::agents, std::uint32_t groups = kAllGroups,
                      Body body = Body::box) {
        return visit_pairs_of({.groups = groups, .crowd = &crowd, .sets = sets, .body = body},
                              visitor);
    }
    /// All block numbers that a visitor of a crowd's pairs gets are smaller than this.
    [[nodiscard]] static std::size_t pair_blocks(const Crowd<Dim>& crowd,
                                                 PairSets sets = PairSets::agents) noexcept;

    /// The same for pairs of an agent of `grid`, which comes first, and an agent of `others`.
    Status pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, Pairs& pairs,
                 std::uint32_t groups = kAllGroups, Body body = Body::box) {
        return pairs_of({.grid = &grid, .others = &others, .groups = groups, .body = body}, pairs);
    }
    Found pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, const PairsBuffer& out,
                std::uint32_t groups = kAllGroups, Body body = Body::box) {
        return pairs_of({.grid = &grid, .others = &others, .groups = groups, .body = body}, out);
    }
    Found visit_pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, PairVisitor visitor,
                      std::uint32_t groups = kAllGroups, Body body = Body::box) {
        return visit_pairs_of({.grid = &grid, .others = &others, .groups = groups, .body = body},
                              visitor);
    }

    /// All pairs of agents that are within `radius` of each other, each once: those that
    /// neighbours() finds with `later_only` and the same body. With Body::disc and a radius of zero
    /// these are the discs that overlap, which pairs() finds faster. The first of a pair is the one
    /// that finds the other, and the pairs are sorted by its place in order(), then as neighbours()
    /// lists them. Agents outside `groups` take part in no pair. Pairs without room in the caller's
    /// arrays are only counted.
    Status pairs_within(const RowGrid<Dim>& grid, float radius, Pairs& pairs,
                        std::uint32_t groups = kAllGroups, Body body = Body::centre) {
        return pairs_within_of({.grid = &grid, .groups = groups, .body = body}, radius, pairs);
    }
    Status pairs_within(const Crowd<Dim>& crowd, float radius, Pairs& pairs,
                        PairSets sets = PairSets::agents, std::uint32_t groups = kAllGroups,
                        Body body = Body::centre) {
        return pairs_within_of({.groups = groups, .crowd = &crowd, .sets = sets, .body = body},
                               radius, pairs);
    }
    Found pairs_within(const RowGrid<Dim>& grid, float radius, const PairsBuffer& out,
                       std::uint32_t groups = kAllGroups, Body body = Body::centre) {
        return pairs_within_of({.grid = &grid, .groups = groups, .body = body}, radius, out);
    }
    Found pairs_within(const Crowd<Dim>& crowd, float radius, const PairsBuffer& out,
                       PairSets sets = PairSets::agents, std::uint32_t groups = kAllGroups,
                       Body body = Body::centre) {
        return pairs_within_of({.groups = groups, .crowd = &crowd, .sets = sets, .body = body},
                               radius, out);
    }

    /// Bytes of scratch.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives the scratch back.
    void release() noexcept;

private:
    struct State;

    // The target of a call: the crowd if there is one, else the grid.
    struct Target {
        const RowGrid<Dim>* grid;
        const Crowd<Dim>* crowd = nullptr;
        Sets sets = Sets::all;
    };
    struct Parties {
        Grids askers, others;
        Order order;
        const Crowd<Dim>* crowd = nullptr;
        Sets sets = Sets::all;
    };
    struct Pairing {
        const RowGrid<Dim>* grid = nullptr;
        const RowGrid<Dim>* others = nullptr; ///< null: pairs within the grid
        std::uint32_t groups = kAllGroups;
        const Crowd<Dim>* crowd = nullptr;
        PairSets sets = PairSets::all;
        Body body = Body::box;
    };

    Status query_all(const Target& target, const ShapesView<Dim>& questions, Hits& hits,
                     const Filters& filters);
    Found query_all(const Target& target, const ShapesView<Dim>& questions, const HitsBuffer& out,
                    const Filters& filters);
    Found count_all(const Target& target, const ShapesView<Dim>& questions,
                    std::span<std::uint32_t> counts, const Filters& filters);
    Found any_all(const Target& target, const ShapesView<Dim>& questions,
                  std::span<std::uint32_t> counts, const Filters& filters);
    Found first_all(const Target& target, const ShapesView<Dim>& paths,
                    std::span<PathHit> path_hits, const Filters& filters);
    Status nearest_all(const Target& target, std::span<const Point<Dim>> points,
                       const Nearest& nearest, NearHits& hits, const Filter& filter);
    Found nearest_all(const Target& target, std::span<const Point<Dim>> points,
                      const Nearest& nearest, const NearBuffer& out, const Filter& filter);
    Status neighbours_of(const Parties& parties, const Neighbourhood& neighbourhood, Hits& hits);
    Found neighbours_of(const Parties& parties, const Neighbourhood& neighbourhood,
                        const HitsBuffer& out);
    Found count_neighbours_of(const Parties& parties, const Neighbourhood& neighbourhood,
                              std::span<std::uint32_t> counts);
    Status nearest_neighbours_of(const Parties& parties, const NearestNeighbours& nearest,
                                 NearHits& hits);
    Found nearest_neighbours_of(const Parties& parties, const NearestNeighbours& nearest,
                                const NearBuffer& out);
    Status pairs_of(const Pairing& pairing, Pairs& pairs);
    Found pairs_of(const Pairing& pairing, const PairsBuffer& out);
    Found count_pairs_of(const Pairing& pairing);
    Found visit_pairs_of(const Pairing& pairing, PairVisitor visitor);
    Status pairs_within_of(const Pairing& pairing, float radius, Pairs& pairs);
    Found pairs_within_of(const Pairing& pairing, float radius, const PairsBuffer& out);

    std::unique_ptr<State> state_;
};

extern template class Batch<2>;
extern template class Batch<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
