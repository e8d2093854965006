// Millions of questions about a grid, several grids or a crowd, asked in one call on an executor.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../engine/agents/body.hpp"
#include "../../engine/agents/filter.hpp"
#include "../../engine/core/executor.hpp"
#include "../../engine/core/function_ref.hpp"
#include "../../engine/core/state_pointer.hpp"
#include "../../engine/shapes/shapes_view.hpp"
#include "../../simd/isa/export.hpp"
#include "asked.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// The order of answers when agents ask. `storage` is the order of RowGrid::order() or
/// Crowd::order(), and the fastest; `ids` is by id.
enum class Order : std::uint8_t { storage, ids };

/// Answers millions of questions in one call, in blocks that run on an executor. Results are the
/// same bit for bit for every executor and any number of threads.
///
/// The first argument of a call is what it asks: a grid, a crowd or some of its sets, or several
/// grids (asked.hpp). A crowd's answer has small agents first, in the grid's canonical order, then
/// giants, then statics, as in Crowd::query(). A crowd without giants and statics in these sets
/// costs as much as its grid alone. In a periodic world, where questions come near a border, their
/// copies are asked too, in a second block: docs/worlds.md has what that costs.
///
/// `out` says where the answers go. Hits, NearHits and Pairs grow. Into the caller's arrays of ids
/// or pairs a call writes as many as fit, and returns how many there are; all other arrays must
/// have a place for each answer, or the call is refused.
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

    /// Borrows the executor, which must outlive the batch.
    explicit Batch(Executor& executor = serial_executor());

    /// The agents that each shape finds; see RowGrid::query() and Crowd::query(). Questions that
    /// jump about in a large crowd are sorted by place first; answers still come in the order of
    /// the questions. The filter is one for all questions, or one for each. Returns how many ids
    /// there are, which may exceed the room in the caller's arrays.
    Found query(const Asked<Dim>& asked, const ShapesView<Dim>& shapes, const HitsOutput& out,
                const Filters& filters = {});

    /// How many agents each shape finds; `counts` has one element for each shape. Returns the sum.
    Found count(const Asked<Dim>& asked, const ShapesView<Dim>& shapes,
                std::span<std::uint32_t> counts, const Filters& filters = {});

    /// 1 for each shape that finds an agent, 0 for the others. Returns the sum.
    Found any(const Asked<Dim>& asked, const ShapesView<Dim>& shapes,
              std::span<std::uint32_t> counts, const Filters& filters = {});

    /// The first hit of each path and its time; kNoId for a path that hits nothing. `path_hits` has
    /// one element for each path. Returns how many paths hit something.
    Found first(const Asked<Dim>& asked, const ShapesView<Dim>& paths, std::span<PathHit> path_hits,
                const Filters& filters = {});

    /// The agents nearest to each point, see RowGrid::nearest() and Crowd::nearest(). Points are
    /// sorted by place first, like other questions. Returns the total number of hits.
    Found nearest(const Asked<Dim>& asked, std::span<const Point<Dim>> points,
                  const Nearest& nearest, const NearOutput& out, const Filter& filter = {});

    /// How many answers there are when every agent asks.
    [[nodiscard]] static std::size_t answers(const Asked<Dim>& all, Order order) noexcept;

    /// The neighbours of every agent; giants of a crowd ask too, whatever the sets. With
    /// Order::storage there are size() answers, and answer k belongs to the k-th agent of order().
    /// With Order::ids there are id_bound() answers, and answer k belongs to agent k; it is empty
    /// if no agent has this id. Returns how many ids there are, which may exceed the room in the
    /// caller's arrays.
    Found neighbours(const Asking<Dim>& asking, const Neighbourhood& neighbourhood,
                     const HitsOutput& out, Order order = Order::storage);
    /// How many neighbours each agent has, in the order of neighbours(). Returns the sum.
    Found count_neighbours(const Asking<Dim>& asking, const Neighbourhood& neighbourhood,
                           std::span<std::uint32_t> counts, Order order = Order::storage);

    /// The agents nearest to every agent, in the order of neighbours(). Returns the total number of
    /// hits.
    Found nearest_neighbours(const Asking<Dim>& asking, const NearestNeighbours& nearest,
                             const NearOutput& out, Order order = Order::storage);

    /// All pairs of agents whose boxes overlap, each once; with Body::disc, whose discs do,
    /// touching ones included. Agents outside `groups` take part in no pair. The order within a
    /// pair, and the order of the pairs, are those of RowGrid::visit_pairs() and
    /// Crowd::visit_pairs(). Returns how many pairs there are, which may exceed the room in the
    /// caller's arrays. Body::centre is refused. Of two grids: the pairs of an agent of the first,
    /// which comes first, and one of the second, in the order of the first; a grid given twice has
    /// each pair both ways round, and each agent with itself.
    Found pairs(const PairsOf<Dim>& all, const PairsOutput& out, std::uint32_t groups = kAllGroups,
                Body body = Body::box);
    Found count_pairs(const PairsOf<Dim>& all, std::uint32_t groups = kAllGroups,
                      Body body = Body::box);
    /// Calls the visitor with runs of at most some thousand pairs, from several threads at once.
    /// Blocks come in any order; the pairs of one block come in their order and on one thread.
    /// Returns how many pairs were visited.
    Found visit_pairs(const PairsOf<Dim>& all, PairVisitor visitor,
                      std::uint32_t groups = kAllGroups, Body body = Body::box);

    /// All block numbers that a visitor of the pairs gets are smaller than this.
    [[nodiscard]] static std::size_t pair_blocks(const PairsOf<Dim>& all) noexcept;

    /// All pairs of agents that are within `radius` of each other, each once: those that
    /// neighbours() finds with `later_only` and the same body. With Body::disc and a radius of zero
    /// these are the discs that overlap, which pairs() finds faster. The first of a pair is the one
    /// that finds the other, and the pairs are sorted by its place in order(), then as neighbours()
    /// lists them. Agents outside `groups` take part in no pair. Pairs without room in the caller's
    /// arrays are only counted. Refuses two grids.
    Found pairs_within(const PairsOf<Dim>& all, float radius, const PairsOutput& out,
                       std::uint32_t groups = kAllGroups, Body body = Body::centre);

    /// Bytes of scratch.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives the scratch back.
    void release() noexcept;

private:
    struct State;
    detail::StatePointer<State> state_;
};

extern template class Batch<2>;
extern template class Batch<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
