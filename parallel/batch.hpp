// Questions of a whole crowd, asked at once on an executor.
#pragma once

#include "../engine/executor.hpp"
#include "../engine/named_grid.hpp"
#include "../engine/row_grid.hpp"
#include "../simd/export.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace throng {

template <std::size_t Dim>
class CrowdBatch;

/// In which order agents' answers come: as the index stores them, which is RowGrid::order() and the
/// fastest, or by id.
enum class Order : std::uint8_t { storage, ids };

/// Answers millions of questions in one call, in blocks that run on an executor. What comes out is
/// the same to the bit for every executor and any number of threads.
///
/// A batch keeps scratch memory from one call to the next, so that once a few frames have passed a
/// steady one allocates nothing. It serves one call at a time; the grid may be asked by anybody
/// else meanwhile. After anything but ok, or an exception (std::bad_alloc, or what the executor or
/// a visitor throws), the grid is as it was, Hits, NearHits and Pairs are empty, and what arrays of
/// the caller's hold is not to be read. A batch that was moved from may only be assigned to or
/// destroyed.
template <std::size_t Dim>
class THRONG_API Batch {
public:
    /// Receives a run of pairs, first[i] and second[i], of one slice of the crowd; returns false to
    /// stop.
    using PairVisitor =
        FunctionRef<bool(std::size_t slice, std::span<const Id> first, std::span<const Id> second)>;

    /// Borrows the executor for as long as it lives.
    explicit Batch(Executor& executor = serial_executor());
    ~Batch();
    Batch(Batch&&) noexcept;
    Batch& operator=(Batch&&) noexcept;

    /// The agents that each shape finds; see RowGrid::query(). Questions that jump about in a large
    /// crowd are sorted by place first; answers come in the order of the questions all the same.
    /// The filter is one for all, or FilterEach.
    template <ShapesIn<Dim> Shapes>
    Status query(const RowGrid<Dim>& grid, const Shapes& shapes, Hits& hits,
                 const Filters& filters = {}) {
        return query_all(grid, SpanOf<Shapes>(shapes), hits, filters);
    }

    /// The same into arrays of the caller's. Returns how many ids there are, which may exceed
    /// out.ids.size().
    template <ShapesIn<Dim> Shapes>
    Found query(const RowGrid<Dim>& grid, const Shapes& shapes, const HitsBuffer& out,
                const Filters& filters = {}) {
        return query_all(grid, SpanOf<Shapes>(shapes), out, filters);
    }

    /// How many agents each finds; `counts` has one place for each. Returns the sum.
    template <ShapesIn<Dim> Shapes>
    Found count(const RowGrid<Dim>& grid, const Shapes& shapes, std::span<std::uint32_t> counts,
                const Filters& filters = {}) {
        return count_all(grid, SpanOf<Shapes>(shapes), counts, filters);
    }

    /// 1 for each that finds anybody, 0 for the others.
    template <ShapesIn<Dim> Shapes>
    Found any(const RowGrid<Dim>& grid, const Shapes& shapes, std::span<std::uint32_t> counts,
              const Filters& filters = {}) {
        return any_all(grid, SpanOf<Shapes>(shapes), counts, filters);
    }

    /// Whom each path meets first, and when; kNoId for those who meet nobody. `meetings` has one
    /// place for each. Returns how many meet somebody.
    template <PathsIn<Dim> Paths>
    Found first(const RowGrid<Dim>& grid, const Paths& paths, std::span<Meeting> meetings,
                const Filters& filters = {}) {
        return first_all(grid, SpanOf<Paths>(paths), meetings, filters);
    }

    /// The neighbours of every agent. With Order::storage the k-th answer is that of the k-th agent
    /// of RowGrid::order(), and there are size() of them; with Order::ids that of agent k, and
    /// there are id_bound() of them, empty for ids that nobody has.
    Status neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood, Hits& hits,
                      Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return neighbours(Grids(&own, 1), Grids(&own, 1), neighbourhood, hits, order);
    }
    Found neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                     const HitsBuffer& out, Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return neighbours(Grids(&own, 1), Grids(&own, 1), neighbourhood, out, order);
    }
    Found count_neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                           std::span<std::uint32_t> counts, Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return count_neighbours(Grids(&own, 1), Grids(&own, 1), neighbourhood, counts, order);
    }

    /// Grids that are asked together, at most kMostGrids.
    using Grids = std::span<const NamedGrid<Dim>>;

    /// The same for every agent of `askers`, one grid after another: who of `others` is near, those
    /// of the first grid first, each grid's in canonical order. An asker's own grid may be among
    /// the others; only there is somebody left out for being the asker. Whom the answers name, and
    /// where they stand with Order::ids, goes by the grids' names: no two askers may have the same,
    /// and there are as many answers as the greatest name, and one. Refuses a grid with fewer names
    /// than ids.
    Status neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood, Hits& hits,
                      Order order = Order::storage);
    Found neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood,
                     const HitsBuffer& out, Order order = Order::storage);
    Found count_neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood,
                           std::span<std::uint32_t> counts, Order order = Order::storage);

    /// The nearest to each point, see RowGrid::nearest(); sorted first like other questions.
    Status nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                   const Nearest& nearest, NearHits& hits, const Filter& filter = {});
    Found nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                  const Nearest& nearest, const NearBuffer& out, const Filter& filter = {});

    /// The nearest to every agent, in the order of neighbours().
    Status nearest_neighbours(const RowGrid<Dim>& grid, const NearestNeighbours& nearest,
                              NearHits& hits, Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return nearest_neighbours(Grids(&own, 1), Grids(&own, 1), nearest, hits, order);
    }
    Found nearest_neighbours(const RowGrid<Dim>& grid, const NearestNeighbours& nearest,
                             const NearBuffer& out, Order order = Order::storage) {
        const NamedGrid<Dim> own(grid);
        return nearest_neighbours(Grids(&own, 1), Grids(&own, 1), nearest, out, order);
    }

    /// The nearest of all of `others` together to every agent of `askers`, as for neighbours(). Of
    /// several equally near, those of the first grid come first, and of one grid's that with the
    /// smallest id, whatever its name.
    Status nearest_neighbours(Grids askers, Grids others, const NearestNeighbours& nearest,
                              NearHits& hits, Order order = Order::storage);
    Found nearest_neighbours(Grids askers, Grids others, const NearestNeighbours& nearest,
                             const NearBuffer& out, Order order = Order::storage);

    /// All pairs of agents whose boxes overlap, each once; agents outside `groups` take part in
    /// none. Into arrays of the caller's, returns how many there are, which may exceed the room.
    Status pairs(const RowGrid<Dim>& grid, Pairs& pairs, std::uint32_t groups = kAllGroups);
    Found pairs(const RowGrid<Dim>& grid, const PairsBuffer& out,
                std::uint32_t groups = kAllGroups);
    Found count_pairs(const RowGrid<Dim>& grid, std::uint32_t groups = kAllGroups);
    /// Calls the visitor with runs of some thousand pairs at most: from several threads at once,
    /// the slices in any order, but the pairs of a slice in theirs and by one thread. Returns how
    /// many were visited.
    Found visit_pairs(const RowGrid<Dim>& grid, PairVisitor visitor,
                      std::uint32_t groups = kAllGroups);

    /// The same for pairs of an agent of `grid`, the first, and one of `others`.
    Status pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, Pairs& pairs,
                 std::uint32_t groups = kAllGroups);
    Found pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, const PairsBuffer& out,
                std::uint32_t groups = kAllGroups);
    Found visit_pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, PairVisitor visitor,
                      std::uint32_t groups = kAllGroups);

    /// Bytes of scratch.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives them back.
    void release() noexcept;

private:
    template <std::size_t>
    friend class CrowdBatch; // asks a whole crowd in the same ways

    struct State;
    struct Sorting;
    struct GridAlone;
    struct NearestAlone;
    struct Everyone;
    struct NearPlaces;
    struct JoiningPairs;
    template <class Source>
    struct Asking;
    template <class Source>
    struct AskingNearest;
    struct Among;
    struct Neighbours;
    struct NearestOfEveryone;

    // What arrays of any kind come down to.
    template <ShapeIn<Dim> Shape>
    Status query_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes, Hits& hits,
                     const Filters& filters);
    template <ShapeIn<Dim> Shape>
    Found query_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes, const HitsBuffer& out,
                    const Filters& filters);
    template <ShapeIn<Dim> Shape>
    Found count_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes,
                    std::span<std::uint32_t> counts, const Filters& filters);
    template <ShapeIn<Dim> Shape>
    Found any_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes,
                  std::span<std::uint32_t> counts, const Filters& filters);
    template <PathIn<Dim> Path>
    Found first_all(const RowGrid<Dim>& grid, std::span<const Path> paths,
                    std::span<Meeting> meetings, const Filters& filters);

    std::unique_ptr<State> state_;
};

extern template class Batch<2>;
extern template class Batch<3>;

} // namespace throng
