#include "query_planner.hpp"

#include "../shapes/bounds.hpp"

#include <array>
#include <bit>

namespace throng {

namespace {

// Nanoseconds, from the sweep in bench/planner.cpp on one thread of an EPYC with AVX-512 at about
// 3 GHz; docs/planner.md has the table.

/// A query that finds nothing: the call, its bounds, one row.
constexpr double kCall = 90.0;
/// A row that is looked into: its table, and a branch that is guessed wrong.
constexpr double kRow = 16.0;
/// Words of a tile taken together, and the jump to the next.
constexpr double kTileWord = 0.8;
constexpr double kTile = 8.0;
/// A node that is tested, sixteen at a time.
constexpr double kNode = 0.12;
/// The answer that all agents are hits.
constexpr double kAllAgents = 5.0;

/// Cells that a search touches on one axis.
struct Range {
    std::uint32_t first, last;
    [[nodiscard]] double cells() const noexcept { return last - first + 1.0; }
};

template <std::size_t Dim>
std::array<Range, Dim> ranges_of(const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept {
    const GridShape<Dim>& shape = facts.store.shape();
    std::array<Range, Dim> ranges;
    for (std::size_t a = 0; a < Dim; ++a) {
        ranges[a].first = shape.cell_on(a, bounds.lo[a] - facts.max_half_extent[a]);
        ranges[a].last =
            std::max(ranges[a].first, shape.cell_on(a, bounds.hi[a] + facts.max_half_extent[a]));
    }
    return ranges;
}

/// Calls visit(begin, end) for the rows of each plane.
template <std::size_t Dim, class Visit>
void for_each_run(const std::array<Range, Dim>& ranges, const GridShape<Dim>& shape,
                  const Visit& visit) noexcept {
    const Range planes = Dim == 3 ? ranges[Dim - 1] : Range{0, 0};
    for (std::uint32_t z = planes.first; z <= planes.last; ++z) {
        const std::size_t plane = std::size_t{z} * shape.cells[1];
        visit(plane + ranges[1].first, plane + ranges[1].last + 1);
    }
}

/// The rows that tiles leave for a search to look into, and what finding them costs.
struct Left {
    double rows = 0.0, nanoseconds = 0.0;
};

Left left_by_tiles(const OccupancyTiles& tiles, const Range& x, std::size_t begin,
                   std::size_t end) noexcept {
    const std::uint32_t first = x.first >> tiles.shift();
    const std::uint32_t last = x.last >> tiles.shift();
    Left left;
    for (std::size_t tile = begin / 64; tile <= (end - 1) / 64; ++tile) {
        std::uint64_t rows = 0;
        for (std::uint32_t s = first; s <= last; ++s) {
            rows |= tiles.words()[tile * tiles.columns() + s];
        }
        if (tile == begin / 64) { rows &= ~std::uint64_t{0} << begin % 64; }
        if (tile == (end - 1) / 64) { rows &= ~std::uint64_t{0} >> (63 - (end - 1) % 64); }
        left.rows += std::popcount(rows);
        left.nanoseconds += kTile + kTileWord * (last - first + 1.0);
    }
    return left;
}

} // namespace

template <std::size_t Dim>
double predict(SearchPath path, const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept {
    if (path == SearchPath::none) { return 0.0; }
    if (path == SearchPath::all) { return kAllAgents; }
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!(bounds.lo[a] <= bounds.hi[a])) { return kCall; } // finds nothing
    }
    const RowStore<Dim>& store = facts.store;
    const std::array<Range, Dim> ranges = ranges_of(bounds, facts);
    Left left;
    for_each_run(ranges, store.shape(), [&](std::size_t begin, std::size_t end) {
        if (path == SearchPath::tiles) {
            const Left some = left_by_tiles(store.tiles(), ranges[0], begin, end);
            left.rows += some.rows;
            left.nanoseconds += some.nanoseconds;
        } else {
            left.rows += static_cast<double>(store.occupied().count(begin, end));
        }
    });
    const auto rows = static_cast<double>(std::max<std::size_t>(store.occupied().count(), 1));
    const double in_row =
        static_cast<double>(facts.agents) / rows * ranges[0].cells() / store.shape().cells[0];
    // In rows that are not at the rim of the search only the ends are tested: at most 24 nodes.
    double inner = 1.0;
    for (std::size_t a = 1; a < Dim; ++a) {
        inner *= std::max(ranges[a].cells() - 2.0, 0.0) / ranges[a].cells();
    }
    const double tested = in_row * (1.0 - inner) + std::min(in_row, 24.0) * inner;
    return kCall + left.nanoseconds + left.rows * (kRow + kNode * tested);
}

template <std::size_t Dim>
bool is_sparse_for(const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept {
    auto expected = static_cast<float>(facts.agents);
    for (std::size_t a = 0; a < Dim; ++a) {
        const float world = facts.bounds.hi[a] - facts.bounds.lo[a];
        // Empty bounds are inside out, so a side may come out negative.
        const float side =
            std::max(bounds.hi[a] - bounds.lo[a] + 2.0f * facts.max_half_extent[a], 0.0f);
        expected *= side < world ? side / world : 1.0f;
    }
    return expected < 0.5f;
}

template <std::size_t Dim>
SearchPlan plan(SearchPath path, const ShapesView<Dim>& one, const GridFacts<Dim>& facts) noexcept {
    return {path, predict(path, gate_of(one).bounds(), facts)};
}

template <std::size_t Dim>
bool is_sparse_for(const ShapesView<Dim>& one, const GridFacts<Dim>& facts) noexcept {
    return is_sparse_for(gate_of(one).bounds(), facts);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template SearchPlan plan(SearchPath, const ShapesView<Dim>&, const GridFacts<Dim>&) noexcept;  \
    template bool is_sparse_for(const ShapesView<Dim>&, const GridFacts<Dim>&) noexcept;           \
    template double predict(SearchPath, const Box<Dim>&, const GridFacts<Dim>&) noexcept;          \
    template bool is_sparse_for(const Box<Dim>&, const GridFacts<Dim>&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
