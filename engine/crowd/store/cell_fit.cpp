#include "cell_fit.hpp"

#include "../../agents/validation.hpp"
#include "size_split.hpp"
#include "state.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace throng {

namespace {

/// A cell as wide as another within this factor is as good: docs/fit.md has the measurement.
constexpr float kMuchWider = 1.2f;
/// Agents are outside if they lie farther from the cells than this part of a side of their bounds.
constexpr float kOutside = 1.0f / 16.0f;
/// Room beyond the agents that have left the cells, as a part of a side of their bounds.
constexpr float kRoom = 0.08f;
static_assert(1.0f + 2.0f * kRoom < kMuchWider, "cells with room suit those they were laid for");

/// More rows than these are too many: clearing them would take longer than updating the agents.
template <std::size_t Dim>
bool has_too_many_rows(const GridShape<Dim>& shape, std::size_t agents) noexcept {
    constexpr std::size_t kFree = 4096;
    return shape.rows() > kFree + agents;
}

template <std::size_t Dim>
Point<Dim> cell_of(const GridShape<Dim>& shape) noexcept {
    Point<Dim> cell;
    for (std::size_t a = 0; a < Dim; ++a) {
        cell[a] = 1.0f / shape.inverse_cell[a];
    }
    return cell;
}

/// Cells for agents of the common size, over most of their own bounds.
template <std::size_t Dim>
OrStatus<GridShape<Dim>> shape_for_common(const Agents<Dim>& agents) {
    if (const Status status = check_agents(agents); !status.ok()) { return {{}, status}; }
    Agents<Dim> alike = agents;
    if (kind_of(agents).own_half_extents) {
        alike.half_extents = {};
        alike.common_half_extent = typical_half_extent(agents, {});
    }
    return shape_for(alike);
}

/// The fitted cells, over other bounds if that is possible.
template <std::size_t Dim>
OrStatus<GridShape<Dim>> laid_over(const Box<Dim>& bounds, const GridShape<Dim>& fitted,
                                   std::size_t agents) noexcept {
    const OrStatus<GridShape<Dim>> over = shape_over(bounds, cell_of(fitted));
    const bool fits = over.status.ok() && !has_too_many_rows(over.value, agents);
    return fits ? over : OrStatus<GridShape<Dim>>{fitted, {}};
}

/// As many cells as fitted ones that lie over `home`, stretched over larger bounds. With more, a
/// small crowd would stand in half as many rows again, and would soon have too few agents for them.
template <std::size_t Dim>
GridShape<Dim> stretched(const GridShape<Dim>& fitted, const Box<Dim>& home,
                         const Box<Dim>& over) noexcept {
    GridShape<Dim> shape = fitted;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (over.lo[a] == home.lo[a] && over.hi[a] == home.hi[a]) { continue; }
        shape.origin[a] = over.lo[a];
        shape.inverse_cell[a] *= (home.hi[a] - home.lo[a]) / (over.hi[a] - over.lo[a]);
    }
    return check_shape(shape).ok() ? shape : fitted;
}

} // namespace

template <std::size_t Dim>
float company_of(const RowStore<Dim>& store, std::size_t agents) noexcept {
    const std::size_t step =
        std::max<std::size_t>(agents / std::max<std::size_t>(CellFit::samples_of(agents), 1), 1);
    std::size_t next = step / 2, past = 0; // the next to look at, and the end of the row
    std::uint64_t looked_at = 0, others = 0;
    store.occupied().for_each([&](std::size_t r) {
        const simd::Row& row = store.rows()[r];
        const std::size_t begin = past;
        for (past += row.count; next < past; next += step) {
            const std::uint32_t cell = store.cell_of(row, static_cast<std::uint32_t>(next - begin));
            // An entry of the table covers several cells where there are more cells than agents.
            const auto [first, end] = store.entry_span(row, cell);
            const bool alone = RowStore<Dim>::form(row).trim.shift == 0;
            std::uint32_t same = end - first;
            if (!alone) {
                same = 0;
                for (std::uint32_t slot = first; slot < end; ++slot) {
                    same += store.cell_of(row, slot) == cell ? 1 : 0;
                }
            }
            others += same - 1;
            ++looked_at;
        }
    });
    return static_cast<float>(others) / static_cast<float>(std::max<std::uint64_t>(looked_at, 1));
}

template <std::size_t Dim>
Spread spread_of(const RowStore<Dim>& store, std::size_t agents) noexcept {
    constexpr std::size_t kStep = 32, kMost = 64;
    const std::size_t step = std::max(agents / kMost, kStep);
    const Box<Dim> cells = world_of(store.shape());
    std::size_t next = step / 2, past = 0; // the next to look at, and the end of the row
    std::uint64_t looked_at = 0, outside = 0, in_rows = 0;
    store.occupied().for_each([&](std::size_t r) {
        const simd::Row& row = store.rows()[r];
        const std::size_t begin = past;
        in_rows += std::uint64_t{row.count} * row.count;
        past += row.count;
        if (next >= past) { return; }
        const std::uint32_t* const first = store.field(row, 0);
        for (; next < past; next += step) {
            bool inside = true;
            for (std::size_t a = 0; a < Dim; ++a) {
                const auto x = std::bit_cast<float>(first[a * store.capacity(row) + next - begin]);
                inside = inside && cells.lo[a] <= x && x <= cells.hi[a];
            }
            outside += inside ? 0 : 1;
            ++looked_at;
        }
    });
    const auto all = static_cast<float>(std::max<std::size_t>(agents, 1));
    const auto glances = static_cast<float>(std::max<std::uint64_t>(looked_at, 1));
    return {static_cast<float>(in_rows) / all, static_cast<float>(outside) / glances, glances};
}

template <std::size_t Dim>
OrStatus<GridShape<Dim>> fitted_shape(const CrowdSettings<Dim>& settings,
                                      const Agents<Dim>& agents) {
    const OrStatus<GridShape<Dim>> fitted = shape_for_common(agents);
    if (!fitted.status.ok() || !settings.bounds) { return fitted; }
    return laid_over(*settings.bounds, fitted.value, agents.positions.count);
}

template <std::size_t Dim>
OrStatus<GridShape<Dim>> refitted_shape(const CrowdSettings<Dim>& settings,
                                        const Agents<Dim>& agents, const GridShape<Dim>& present) {
    const OrStatus<GridShape<Dim>> fitted = shape_for_common(agents);
    if (!fitted.status.ok()) { return fitted; }
    const Box<Dim> home = world_of(fitted.value), cells = world_of(present);
    Box<Dim> over = settings.bounds.value_or(home);
    bool suits = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float wider = fitted.value.inverse_cell[a] / present.inverse_cell[a];
        suits = suits && wider < kMuchWider && 1.0f < kMuchWider * wider;
        if (settings.periodic[a]) { continue; } // no agent is outside the bounds
        const float side = home.hi[a] - home.lo[a];
        if (home.lo[a] < cells.lo[a] - kOutside * side) {
            suits = false;
            over.lo[a] = std::min(over.lo[a], std::max(home.lo[a] - kRoom * side, -kLargest));
        }
        if (home.hi[a] > cells.hi[a] + kOutside * side) {
            suits = false;
            over.hi[a] = std::max(over.hi[a], std::min(home.hi[a] + kRoom * side, kLargest));
        }
    }
    if (suits) { return {present, {}}; }
    if (!settings.bounds) { return {stretched(fitted.value, home, over), {}}; }
    return laid_over(over, fitted.value, agents.positions.count);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template float company_of(const RowStore<Dim>&, std::size_t) noexcept;                         \
    template Spread spread_of(const RowStore<Dim>&, std::size_t) noexcept;                         \
    template OrStatus<GridShape<Dim>> fitted_shape(const CrowdSettings<Dim>&, const Agents<Dim>&); \
    template OrStatus<GridShape<Dim>> refitted_shape(const CrowdSettings<Dim>&,                    \
                                                     const Agents<Dim>&, const GridShape<Dim>&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
