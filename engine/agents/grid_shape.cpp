#include "grid_shape.hpp"

#include "cell_map.hpp"
#include "validation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace throng {

namespace {

/// The height of rows and the width of cells, in mean distances between agents: measured best for
/// searches that find from 7 to 30 agents, because a span then fills one vector; see docs/fit.md.
constexpr float kRowHeight = 2.0f;
constexpr float kCellWidth = 0.5f;

/// With more cells for each agent than this, clearing the cells would cost more than the agents.
constexpr double kCellsPerAgent = 4.0;

/// A coarse grid of at most this many cells an axis shows how much of the world is inhabited. With
/// more cells than agents most cells would be empty in an even crowd too, so there are at least
/// eight agents a cell.
template <std::size_t Dim>
constexpr std::size_t kCoarse = Dim == 2 ? 64 : 16;
constexpr std::size_t kAgentsInCoarse = 8;

/// The number of coarse cells on each axis along which agents differ: a power of two.
template <std::size_t Dim>
std::size_t coarse_cells(std::size_t agents, const Box<Dim>& bounds) noexcept {
    for (std::size_t cells = kCoarse<Dim>;; cells /= 2) {
        std::size_t wanted = kAgentsInCoarse;
        for (std::size_t a = 0; a < Dim; ++a) {
            wanted *= bounds.hi[a] > bounds.lo[a] ? cells : 1;
        }
        if (cells == 1 || wanted <= agents) { return cells; }
    }
}

/// The bounds of nearly all agents. A few agents far away would make the cells too large for all
/// others, so they stay outside, in border cells, which reach to infinity.
template <std::size_t Dim>
Box<Dim> home_of(const PointView<Dim>& positions) noexcept {
    constexpr std::size_t kBins = 64;
    const std::size_t few = positions.count < kBins ? 0 : positions.count / 1024 + 1;
    Box<Dim> home = bounds_of(positions);
    // Each round cuts the bounds to at most a quarter on some axis, so there are few rounds.
    for (bool shrunk = few > 0; shrunk;) {
        shrunk = false;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float low = home.lo[a];
            const float width = (home.hi[a] - low) / static_cast<float>(kBins);
            if (!(width > 0.0f)) { continue; }
            const ValueView<float> values = positions.values(a);
            const auto bin_of = [&](std::size_t i) {
                const float bin = (values[i] - low) / width;
                const bool inside = bin >= 0.0f && bin <= static_cast<float>(kBins);
                return inside ? std::min(static_cast<std::size_t>(bin), kBins - 1) : kBins;
            };
            std::array<std::size_t, kBins + 1> agents{};
            for (std::size_t i = 0; i < positions.count; ++i) {
                ++agents[bin_of(i)];
            }
            std::size_t first = 0;
            for (std::size_t cut = agents[0]; cut <= few && first + 1 < kBins;) {
                cut += agents[++first];
            }
            std::size_t last = kBins - 1;
            for (std::size_t cut = agents[last]; cut <= few && last > first;) {
                cut += agents[--last];
            }
            if (last - first >= kBins / 4) { continue; }
            // The new bounds follow the agents, not the edges of bins: one agent far away makes
            // bins coarse.
            shrunk = true;
            std::swap(home.lo[a], home.hi[a]);
            for (std::size_t i = 0; i < positions.count; ++i) {
                const std::size_t bin = bin_of(i);
                if (bin < first || bin > last) { continue; }
                home.lo[a] = std::min(home.lo[a], values[i]);
                home.hi[a] = std::max(home.hi[a], values[i]);
            }
        }
    }
    return home;
}

/// The fraction of the bounds that has agents, measured in cells of a coarse grid.
template <std::size_t Dim>
double inhabited_share(const PointView<Dim>& positions, const Box<Dim>& bounds) noexcept {
    constexpr std::size_t kCells =
        Dim == 2 ? kCoarse<2> * kCoarse<2> : kCoarse<3> * kCoarse<3> * kCoarse<3>;
    std::array<bool, kCells> inhabited{};
    std::array<float, Dim> scale{};
    const std::size_t coarse = coarse_cells(positions.count, bounds);
    std::size_t all = 1;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float extent = bounds.hi[a] - bounds.lo[a];
        scale[a] = extent > 0.0f ? static_cast<float>(coarse) / extent : 0.0f;
        all *= extent > 0.0f ? coarse : 1;
    }
    for (std::size_t i = 0; i < positions.count; ++i) {
        std::size_t cell = 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float x = (positions.values(a)[i] - bounds.lo[a]) * scale[a];
            // Clamped before the cast: over a tiny extent the scale may be infinite.
            const auto last = static_cast<float>(coarse - 1);
            cell = cell * coarse + static_cast<std::size_t>(x > 0.0f ? std::min(x, last) : 0.0f);
        }
        inhabited[cell] = true;
    }
    const auto used = static_cast<double>(std::count(inhabited.begin(), inhabited.end(), true));
    return used / static_cast<double>(all);
}

/// The mean distance between neighbours if agents filled the inhabited part evenly.
template <std::size_t Dim>
double spacing_of(const PointView<Dim>& positions, const Box<Dim>& bounds) noexcept {
    double volume = inhabited_share(positions, bounds);
    int axes = 0;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double extent = double{bounds.hi[a]} - double{bounds.lo[a]};
        if (extent > 0.0) {
            volume *= extent;
            ++axes;
        }
    }
    const double each = volume / static_cast<double>(positions.count);
    // The shape decides the order of results, so every machine must round alike. All machines
    // round square roots alike. The cube root is found by Newton's method, from a power of two.
    if (axes == 0) { return 0.0; }
    if (axes == 1) { return each; }
    if (axes == 2) { return std::sqrt(each); }
    double root = std::ldexp(1.0, std::ilogb(each) / 3);
    for (int step = 0; step < 8; ++step) {
        root = (2.0 * root + each / (root * root)) / 3.0;
    }
    return root;
}

template <std::size_t Dim>
double cell_count(const Box<Dim>& bounds, const Point<Dim>& cell) noexcept {
    double cells = 1.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        cells *= std::floor((double{bounds.hi[a]} - double{bounds.lo[a]}) / double{cell[a]}) + 1.0;
    }
    return cells;
}

template <std::size_t Dim>
Status check_layout(const Box<Dim>& bounds, const Point<Dim>& cell) noexcept {
    if (const Status status = check_bounds(bounds); !status.ok()) { return status; }
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!std::isfinite(cell[a])) { return {Cause::not_finite, Argument::cell, a}; }
        if (!(cell[a] > 0.0f)) { return {Cause::not_positive, Argument::cell, a}; }
        if (cell[a] > kLargest) { return {Cause::too_large, Argument::cell, a}; }
        // One over the size must be a finite float, and so must its product with any coordinate.
        if (cell[a] < 1.0f / kLargest) { return {Cause::not_positive, Argument::cell, a}; }
    }
    return {};
}

} // namespace

template <std::size_t Dim>
OrStatus<GridShape<Dim>> shape_over(const Box<Dim>& bounds, const Point<Dim>& cell) noexcept {
    const Status status = check_layout(bounds, cell);
    if (!status.ok()) { return {{}, status}; }
    GridShape<Dim> shape;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double extent = double{bounds.hi[a]} - double{bounds.lo[a]};
        const double cells = std::max(1.0, std::ceil(extent / double{cell[a]}));
        if (cells > GridShape<Dim>::kMaxCellsPerAxis) {
            return {{}, {Cause::too_many, Argument::cell, a}};
        }
        shape.origin[a] = bounds.lo[a];
        shape.inverse_cell[a] = 1.0f / cell[a];
        shape.cells[a] = static_cast<std::uint32_t>(cells);
    }
    const Status made = check_shape(shape);
    if (!made.ok()) { return {{}, made}; }
    return {shape, {}};
}

template <std::size_t Dim>
OrStatus<GridShape<Dim>> window_in(const GridShape<Dim>& whole,
                                   const std::array<std::uint32_t, Dim>& first,
                                   const std::array<std::uint32_t, Dim>& cells) noexcept {
    if (const Status status = check_shape(whole); !status.ok()) { return {{}, status}; }
    GridShape<Dim> window = whole;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (cells[a] == 0) { return {{}, {Cause::not_positive, Argument::range, a}}; }
        if (first[a] >= whole.cells[a] || cells[a] > whole.cells[a] - first[a]) {
            return {{}, {Cause::out_of_range, Argument::range, a}};
        }
        window.first[a] += first[a];
        window.cells[a] = cells[a];
    }
    return {window, {}};
}

template <std::size_t Dim>
Status check_shape(const GridShape<Dim>& shape) noexcept {
    std::uint64_t rows = 1;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!std::isfinite(shape.origin[a])) { return {Cause::not_finite, Argument::bounds, a}; }
        if (std::abs(shape.origin[a]) > kLargest) {
            return {Cause::too_large, Argument::bounds, a};
        }
        // One over a size is rounded, so it may exceed the limits a little.
        const float inverse = shape.inverse_cell[a];
        if (!std::isfinite(inverse)) { return {Cause::not_finite, Argument::cell, a}; }
        if (!(inverse > 0.0f) || inverse > 2.0f * kLargest) {
            return {Cause::not_positive, Argument::cell, a};
        }
        if (inverse < 0.5f / kLargest) { return {Cause::too_large, Argument::cell, a}; }
        if (shape.cells[a] == 0) { return {Cause::not_positive, Argument::cell, a}; }
        if (std::uint64_t{shape.first[a]} + shape.cells[a] > GridShape<Dim>::kMaxCellsPerAxis) {
            return {Cause::too_many, Argument::cell, a};
        }
        if (a > 0) { rows *= shape.cells[a]; }
    }
    if (rows > GridShape<Dim>::kMaxRows ||
        rows * std::bit_ceil(shape.cells[0]) > GridShape<Dim>::kMaxCells) {
        return {Cause::too_many, Argument::cell, Dim - 1};
    }
    return {};
}

template <std::size_t Dim>
OrStatus<GridShape<Dim>> shape_for(const Agents<Dim>& agents) noexcept {
    const Status status = check_agents(agents);
    if (!status.ok()) { return {{}, status}; }
    const PointView<Dim>& positions = agents.positions;
    if (positions.count == 0) { return shape_over(Box<Dim>{}, Point<Dim>::all(1.0f)); }
    const Box<Dim> bounds = home_of(positions);
    const auto spacing = static_cast<float>(spacing_of(positions, bounds));
    Point<Dim> cell;
    for (std::size_t a = 0; a < Dim; ++a) {
        cell[a] = spacing * (a == 0 ? kCellWidth : kRowHeight);
        // Rows lower than the box of an agent would only add rows to every search.
        if (a > 0) { cell[a] = std::max(cell[a], 2.0f * agents.common_half_extent[a]); }
        // Far from zero, where floats are coarse, a cell still spans at least a thousand floats.
        const float far = std::max(std::abs(bounds.lo[a]), std::abs(bounds.hi[a]));
        cell[a] = std::clamp(std::max(cell[a], far * 0x1p-13f), 1e-9f, kLargest);
        if (!(bounds.hi[a] > bounds.lo[a]) && spacing == 0.0f) {
            cell[a] = std::max(cell[a], 1.0f);
        }
    }
    const double most = kCellsPerAgent * static_cast<double>(positions.count) + 64.0;
    while (cell_count(bounds, cell) > most) {
        for (std::size_t a = 0; a < Dim; ++a) {
            cell[a] = std::min(cell[a] * 2.0f, kLargest);
        }
    }
    return shape_over(bounds, cell);
}

template OrStatus<GridShape<2>> shape_over(const Box<2>&, const Point<2>&) noexcept;
template OrStatus<GridShape<3>> shape_over(const Box<3>&, const Point<3>&) noexcept;
template OrStatus<GridShape<2>> window_in(const GridShape<2>&, const std::array<std::uint32_t, 2>&,
                                          const std::array<std::uint32_t, 2>&) noexcept;
template OrStatus<GridShape<3>> window_in(const GridShape<3>&, const std::array<std::uint32_t, 3>&,
                                          const std::array<std::uint32_t, 3>&) noexcept;
template Status check_shape(const GridShape<2>&) noexcept;
template Status check_shape(const GridShape<3>&) noexcept;
template OrStatus<GridShape<2>> shape_for(const Agents<2>&) noexcept;
template OrStatus<GridShape<3>> shape_for(const Agents<3>&) noexcept;

} // namespace throng
