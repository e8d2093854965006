#include "../cell_stats.hpp"

#include "../crowd.hpp"
#include "cell_fit.hpp"
#include "state.hpp"

#include <array>
#include <cstdint>

namespace throng {

namespace {

/// The rows, cells and company of the agents in a grid.
template <std::size_t Dim>
CellStats stats_of(const RowStore<Dim>& store, std::size_t agents) noexcept {
    CellStats stats;
    stats.rows = store.shape().rows();
    stats.cells = stats.rows * store.shape().cells[0];
    stats.agents = agents;
    std::uint64_t others = 0;
    store.occupied().for_each([&](std::size_t r) {
        const simd::Row& row = store.rows()[r];
        ++stats.used_rows;
        for (std::uint32_t slot = 0; slot < row.count;) {
            const std::uint32_t first = slot, cell = store.cell_of(row, first);
            while (slot < row.count && store.cell_of(row, slot) == cell) {
                ++slot;
            }
            const std::uint64_t in_cell = slot - first;
            ++stats.used_cells;
            others += in_cell * (in_cell - 1);
        }
    });
    if (agents != 0) { stats.company = static_cast<double>(others) / static_cast<double>(agents); }
    return stats;
}

template <std::size_t Dim>
bool is_in(const Box<Dim>& box, const Point<Dim>& point) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!(box.lo[a] <= point[a] && point[a] <= box.hi[a])) { return false; }
    }
    return true;
}

} // namespace

template <std::size_t Dim>
CellStats Crowd<Dim>::cell_stats() const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const auto& grid = detail::state_of(state.grid);
    CellStats stats = stats_of(grid.store, grid.count);
    if (grid.count == 0) { return stats; }
    // The agents as an update would bring them, but in the order of the grid.
    std::array<Vector<float>, Dim> position, half;
    const Box<Dim> cells = world_of(grid.store.shape());
    state.for_each_small(0, grid.slices.count(), [&](const SmallAgent<Dim>& agent) {
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a].push_back(agent.position[a]);
            half[a].push_back(agent.half_extent[a]);
        }
        stats.outside += is_in(cells, agent.position) ? 0 : 1;
    });
    Agents<Dim> agents;
    agents.positions = view_of(position, grid.count);
    agents.half_extents = view_of(half, grid.count);
    stats.company_afresh = stats.company;
    const auto [shape, status] = refitted_shape(state.settings, agents, grid.store.shape());
    if (!status.ok() || shape == grid.store.shape()) { return stats; }
    RowGrid<Dim> afresh;
    agents.half_extents = {};
    if (afresh.use(shape, {}).ok() && afresh.update(agents).ok()) {
        stats.company_afresh = stats_of(detail::state_of(afresh).store, grid.count).company;
    }
    return stats;
}

template CellStats Crowd<2>::cell_stats() const;
template CellStats Crowd<3>::cell_stats() const;

} // namespace throng
