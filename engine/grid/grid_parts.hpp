// A grid and its questions, a part at a time.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/body.hpp"
#include "../agents/buffers.hpp"
#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../agents/nearest.hpp"
#include "../agents/point.hpp"
#include "../answers/visitors.hpp"
#include "../core/id.hpp"
#include "../shapes/shapes_view.hpp"
#include "row_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// A whole crowd or batch, a part at a time: the calls that a Batch, in parallel/batch/batch.hpp,
/// makes for all parts on an executor. A job system that would rather cut the work itself makes
/// these calls from as many jobs as it likes. They need little stack and allocate nothing. Their
/// other memory is `scratch`, which no other call may use meanwhile.
///
/// Borrows the grid, and is valid as long as the grid is.
template <std::size_t Dim>
class THRONG_API GridParts {
public:
    /// The least room for a run of pairs.
    static constexpr std::size_t kLeastRun = 64;

    explicit GridParts(const RowGrid<Dim>& grid) noexcept : grid_(&grid) {}

    /// The words of scratch that calls need.
    [[nodiscard]] static std::size_t scratch() noexcept;

    /// Answers queries begin ... end - 1 of a batch; offsets[0] becomes out.used. Returns how many
    /// hits they have together, which may exceed the room behind out.used. The filter is one for
    /// all queries, or one for each: as fast where filters differ only in the agent that they leave
    /// out, and nearly as fast where they differ in groups.
    Found query(const ShapesView<Dim>& shapes, std::size_t begin, std::size_t end,
                std::span<std::uint32_t> scratch, const HitsBuffer& out,
                const Filters& filters = {}) const;

    /// Writes how many agents each of queries begin ... end - 1 finds. Returns the sum.
    Found count(const ShapesView<Dim>& shapes, std::size_t begin, std::size_t end,
                std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                const Filters& filters = {}) const;

    /// The same, but writes 1 for each query that finds an agent, and 0 for the others.
    Found any(const ShapesView<Dim>& shapes, std::size_t begin, std::size_t end,
              std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
              const Filters& filters = {}) const;

    /// The number of slices: parts of the crowd in canonical order, of some thousand agents each.
    /// Slices change with every update and edit; the answers of all slices together do not depend
    /// on where they are cut.
    [[nodiscard]] std::size_t slices() const noexcept;
    /// How many agents are in slices begin ... end - 1, which must exist.
    [[nodiscard]] std::size_t agents_in(std::size_t begin, std::size_t end) const noexcept;
    /// Writes RowGrid::order() of slices begin ... end - 1. Returns agents_in(begin, end).
    [[nodiscard]] std::size_t order(std::size_t begin, std::size_t end,
                                    std::span<Id> out) const noexcept;
    /// The same with positions: the agents' centres. Also returns agents_in(begin, end).
    [[nodiscard]] std::size_t positions(std::size_t begin, std::size_t end,
                                        std::span<Point<Dim>> out) const noexcept;

    /// Writes the neighbours of the agents of slices begin ... end - 1, in canonical order; or only
    /// each agent's count. Returns the sum.
    Found neighbours(const Neighbourhood& neighbourhood, std::size_t begin, std::size_t end,
                     std::span<std::uint32_t> scratch, const HitsBuffer& out) const;
    Found count_neighbours(const Neighbourhood& neighbourhood, std::size_t begin, std::size_t end,
                           std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts) const;

    /// The words of scratch that the next two calls need.
    [[nodiscard]] static std::size_t nearest_scratch() noexcept;
    /// Writes the agents nearest to points begin ... end - 1, or nearest to the agents of slices
    /// begin ... end - 1 in canonical order. Returns how many are found together.
    Found nearest(std::span<const Point<Dim>> points, const Nearest& nearest, std::size_t begin,
                  std::size_t end, std::span<std::uint32_t> scratch, const NearBuffer& out,
                  const Filter& filter = {}) const;
    Found nearest_neighbours(const NearestNeighbours& nearest, std::size_t begin, std::size_t end,
                             std::span<std::uint32_t> scratch, const NearBuffer& out) const;

    /// Writes the pairs of agents whose boxes overlap, if the first agent of a pair is in slices
    /// begin ... end - 1; agents outside `groups` take part in none. Returns how many there are,
    /// which may exceed the room in `out`. With Body::disc the discs overlap, touching ones
    /// included: discs_overlap() of body.hpp is the definition. Body::centre is refused, since
    /// points do not overlap.
    Found pairs(std::size_t begin, std::size_t end, std::span<std::uint32_t> scratch,
                const PairsBuffer& out, std::uint32_t groups = kAllGroups,
                Body body = Body::box) const;
    Found count_pairs(std::size_t begin, std::size_t end, std::uint32_t groups = kAllGroups,
                      Body body = Body::box) const;

    /// Hands these pairs to a visitor, a run at a time. `run` is where they are written: arrays
    /// with room for at least kLeastRun pairs, and better for thousands. Returns how many pairs the
    /// visitor was handed.
    Found visit_pairs(std::size_t begin, std::size_t end, std::span<std::uint32_t> scratch,
                      const PairsBuffer& run, IndexPairVisitor visitor,
                      std::uint32_t groups = kAllGroups, Body body = Body::box) const;

    /// The pairs of an agent of this crowd, in those slices, and an agent of `others`.
    Found pairs(const RowGrid<Dim>& others, std::size_t begin, std::size_t end,
                std::span<std::uint32_t> scratch, const PairsBuffer& out,
                std::uint32_t groups = kAllGroups, Body body = Body::box) const;
    Found visit_pairs(const RowGrid<Dim>& others, std::size_t begin, std::size_t end,
                      std::span<std::uint32_t> scratch, const PairsBuffer& run,
                      IndexPairVisitor visitor, std::uint32_t groups = kAllGroups,
                      Body body = Body::box) const;

private:
    const RowGrid<Dim>* grid_;
};

template <std::size_t Dim>
GridParts<Dim> RowGrid<Dim>::parts() const noexcept {
    return GridParts<Dim>(*this);
}

extern template class GridParts<2>;
extern template class GridParts<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
