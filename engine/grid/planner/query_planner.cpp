#include "query_planner.hpp"

#include "planner_costs.hpp"

#include <array>
#include <bit>

namespace throng {

namespace {

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

/// The rows `begin` ... `end` - 1, as bits of the tile that begins with row `first`.
std::uint64_t rows_between(std::size_t first, std::size_t begin, std::size_t end) noexcept {
    std::uint64_t rows = ~std::uint64_t{0};
    if (first < begin) { rows &= ~std::uint64_t{0} << (begin - first); }
    if (first + 64 > end) { rows &= ~std::uint64_t{0} >> (first + 64 - end); }
    return rows;
}

/// Adds the rows that tiles leave to a search, and the work of finding these rows with the
/// OccupiedRows of the kernels.
template <std::size_t Dim>
void add_tiles(SearchWork& work, const RowStore<Dim>& store, const Range& x, std::size_t begin,
               std::size_t end) noexcept {
    const OccupancyTiles& tiles = store.tiles();
    const std::uint64_t* const occupied = store.occupied().levels()[0];
    const std::uint32_t first = x.first >> tiles.shift(), last = x.last >> tiles.shift();
    for (std::size_t tile = begin / 64; tile <= (end - 1) / 64; ++tile) {
        std::uint64_t rows = occupied[tile] & rows_between(tile * 64, begin, end);
        if (simd::tile_pays(tiles.columns(), last - first + 1,
                            static_cast<std::uint32_t>(std::popcount(rows)))) {
            std::uint64_t some = 0;
            for (std::uint32_t s = first; s <= last; ++s) {
                some |= tiles.words()[tile * tiles.columns() + s];
            }
            rows &= some;
            work.words += last - first + 1.0;
        }
        work.rows += std::popcount(rows);
        work.tiles += 1.0;
    }
}

} // namespace

template <std::size_t Dim>
SearchWork work_of(SearchPath path, const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept {
    SearchWork work;
    if (path == SearchPath::none) { return work; }
    if (path == SearchPath::all) {
        work.alls = 1.0;
        return work;
    }
    work.calls = 1.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!(bounds.lo[a] <= bounds.hi[a])) { return work; } // finds nothing
    }
    const RowStore<Dim>& store = facts.store;
    const std::array<Range, Dim> ranges = ranges_of(bounds, facts);
    for_each_run(ranges, store.shape(), [&](std::size_t begin, std::size_t end) {
        if (path == SearchPath::tiles) {
            add_tiles(work, store, ranges[0], begin, end);
        } else {
            work.rows += static_cast<double>(store.occupied().count(begin, end));
        }
    });
    const auto rows = static_cast<double>(std::max<std::size_t>(store.occupied().count(), 1));
    const double in_row =
        static_cast<double>(facts.agents) / rows * ranges[0].cells() / store.shape().cells[0];
    // In long rows, except at the rim of the search, only the ends are tested: about 24 nodes.
    // kLong is the figure of AVX-512.
    constexpr double kLong = 256.0;
    double inner = 1.0;
    for (std::size_t a = 1; a < Dim; ++a) {
        inner *= std::max(ranges[a].cells() - 2.0, 0.0) / ranges[a].cells();
    }
    work.nodes = work.rows * (in_row * (1.0 - inner) + (in_row < kLong ? in_row : 24.0) * inner);
    return work;
}

template <std::size_t Dim>
double predict(SearchPath path, const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept {
    using namespace planner_costs;
    const SearchWork work = work_of(path, bounds, facts);
    return kCall * work.calls + kRow * work.rows + kNode * work.nodes + kTile * work.tiles +
           kTileWord * work.words + kAllAgents * work.alls;
}

template <std::size_t Dim>
PathCosts predict_all(SearchPath chosen, const ShapesView<Dim>& one,
                      const GridFacts<Dim>& facts) noexcept {
    PathCosts costs;
    if (chosen == SearchPath::none) { return costs; }
    const Box<Dim> bounds = bounds_of(one);
    costs.rows = predict(SearchPath::rows, bounds, facts);
    if (!facts.store.tiles().empty()) { costs.tiles = predict(SearchPath::tiles, bounds, facts); }
    if (chosen == SearchPath::all) { costs.all = predict(SearchPath::all, bounds, facts); }
    return costs;
}

template <std::size_t Dim>
float share_of(ShapeKind kind, const Box<Dim>& bounds, const Point<Dim>& half,
               const Box<Dim>& world) noexcept {
    // Empty bounds are inverted, so a side may be negative. On an axis on which the world has no
    // width, elements count as wide as the world.
    constexpr double kLeast = 1e-30;
    double found = 1.0, swept = 0.0, all = 1.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double width = std::max(double{world.hi[a]} - world.lo[a], kLeast);
        const double side = std::max(double{bounds.hi[a]} - bounds.lo[a] + 2.0 * half[a],
                                     width == kLeast ? kLeast : 0.0);
        all *= width;
        found *= std::min(side, width);
    }
    if (is_path(kind)) {
        // The volume that an element's box sweeps along the path: its own volume, and for each axis
        // the path's length on that axis times the box's cross section.
        double own = 1.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            double part = std::max(double{bounds.hi[a]} - bounds.lo[a], 0.0);
            for (std::size_t b = 0; b < Dim; ++b) {
                if (b != a) { part *= 2.0 * half[b]; }
            }
            swept += part;
            own *= 2.0 * half[a];
        }
        found = std::min(found, swept + own);
    }
    return static_cast<float>(found / all); // doubles, since worlds may be large or flat
}

template <std::size_t Dim>
bool is_sparse_for(const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept {
    return static_cast<float>(facts.agents) *
               share_of(ShapeKind::box, bounds, facts.max_half_extent, facts.bounds) <
           0.5f;
}

template <std::size_t Dim>
bool asks_large_first(ShapeKind kind, const Box<Dim>& bounds, float large_hits,
                      const GridFacts<Dim>& facts) noexcept {
    using namespace planner_costs;
    const GridShape<Dim>& shape = facts.store.shape();
    const bool path = is_path(kind), tiled = !facts.store.tiles().empty();
    const float hits = static_cast<float>(facts.agents) *
                       share_of(kind, bounds, facts.max_half_extent, facts.bounds);
    float rows = 1.0f, plane = 0.0f;
    for (std::size_t a = 1; a < Dim; ++a) {
        const float side = bounds.hi[a] - bounds.lo[a] + 2.0f * facts.max_half_extent[a];
        const float across =
            std::clamp(side * shape.inverse_cell[a], 0.0f, static_cast<float>(shape.cells[a] - 1));
        rows = path ? rows + across : rows * (1.0f + across);
        if (a == 1) { plane = 1.0f + across; }
    }
    // The rows searched before the one with the first hit. With tiles the search does not start in
    // the middle, and the first plane of a ball in space is searched nearly in vain: it touches the
    // ball in a point. The part of a long path outside the world is searched in vain, too.
    float ahead = hits > 1.0f ? rows / hits : rows;
    if (Dim == 3 && tiled && kind == ShapeKind::ball) { ahead += 0.5f * plane; }
    if (path) { ahead += 0.1f * rows; }
    const double grid = (path    ? kAnyPath
                         : tiled ? kAnyTiled
                                 : kAny) +
                        (tiled ? kAnyTiledRow : kRow) * static_cast<double>(ahead);
    // Chances of a hit. Finding a hit among large elements takes about two thirds of the time of
    // finding none.
    const auto chance = [](double expected) { return expected / (1.0 + expected); };
    const double of_large = chance(static_cast<double>(large_hits));
    const double large = (path ? kAnyLargePath : kAnyLarge) * (1.0 - 0.35 * of_large);
    // If neither the grid nor the large elements have a hit, both are asked. So the set with less
    // time per chance of a hit is asked first.
    return grid * of_large > large * chance(static_cast<double>(hits));
}

template <std::size_t Dim>
bool is_sparse_for(const ShapesView<Dim>& one, const GridFacts<Dim>& facts) noexcept {
    return is_sparse_for(bounds_of(one), facts);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template SearchWork work_of(SearchPath, const Box<Dim>&, const GridFacts<Dim>&) noexcept;      \
    template double predict(SearchPath, const Box<Dim>&, const GridFacts<Dim>&) noexcept;          \
    template PathCosts predict_all(SearchPath, const ShapesView<Dim>&,                             \
                                   const GridFacts<Dim>&) noexcept;                                \
    template float share_of(ShapeKind, const Box<Dim>&, const Point<Dim>&,                         \
                            const Box<Dim>&) noexcept;                                             \
    template bool asks_large_first(ShapeKind, const Box<Dim>&, float,                              \
                                   const GridFacts<Dim>&) noexcept;                                \
    template bool is_sparse_for(const ShapesView<Dim>&, const GridFacts<Dim>&) noexcept;           \
    template bool is_sparse_for(const Box<Dim>&, const GridFacts<Dim>&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
