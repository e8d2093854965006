#include "drawing.hpp"

#include "../../engine/grid/grid_parts.hpp"
#include "asked.hpp"

#include <throng/engine/crowd/store/state.hpp>

#include <optional>

namespace throng::python {

namespace {

/// A block with Dim numbers for each element.
template <std::size_t Dim, class Element>
py::object block_of_points(const std::shared_ptr<std::vector<Element>>& owner, float* first) {
    return py::cast(Block(owner, first, kFormat<float>, sizeof(float), {{owner->size(), Dim}},
                          {{sizeof(Element), sizeof(float)}}));
}

/// The agents of a crowd: small ones in canonical order, giants by id, statics.
template <std::size_t Dim>
struct AgentsOfCrowd {
    std::vector<Id> ids;
    std::vector<Point<Dim>> positions, half_extents;
    std::vector<std::uint32_t> groups; ///< all of them where agents have none of their own

    AgentsOfCrowd(const Crowd<Dim>& crowd, Sets sets, Executor& executor);
};

template <std::size_t Dim>
AgentsOfCrowd<Dim>::AgentsOfCrowd(const Crowd<Dim>& crowd, Sets sets, Executor& executor) {
    const auto& state = detail::state_of(crowd);
    const RowGrid<Dim>& grid = crowd.grid();
    const std::size_t small = has(sets, Sets::small) ? grid.size() : 0;
    const std::size_t giants = has(sets, Sets::giants) ? crowd.size(Sets::giants) : 0;
    const std::size_t statics = has(sets, Sets::statics) ? crowd.size(Sets::statics) : 0;
    const std::size_t all = small + giants + statics;
    ids.resize(all);
    positions.resize(all);
    half_extents.resize(all);
    groups.resize(all);
    const auto put = [&](std::size_t i, const auto& large, Id id) {
        const Agent<Dim> agent = large.agent(id);
        ids[i] = id;
        positions[i] = agent.position;
        half_extents[i] = *agent.half_extent;
        groups[i] = agent.groups.value_or(kAllGroups);
    };
    if (small != 0) {
        executor.run(grid.parts().slices(), [&](std::size_t slice) {
            std::size_t i = grid.parts().agents_in(0, slice);
            state.for_each_small(slice, slice + 1, [&](const auto& agent) {
                ids[i] = agent.id;
                positions[i] = agent.position;
                half_extents[i] = agent.half_extent;
                groups[i] = agent.groups;
                ++i;
            });
        });
    }
    std::vector<Id> names(giants);
    state.giants.names(names);
    for (std::size_t g = 0; g < giants; ++g) {
        put(small + g, state.giants, names[g]);
    }
    names.resize(statics);
    state.statics->names(names);
    for (std::size_t s = 0; s < statics; ++s) {
        put(small + giants + s, *state.statics, names[s]);
    }
}

} // namespace

template <std::size_t Dim>
py::tuple blocks_of(const std::shared_ptr<Cells<Dim>>& cells) {
    IndexCell<Dim>* const first = cells->data();
    const auto corners = [&](float* of_first) { return block_of_points<Dim>(cells, of_first); };
    return py::make_tuple(corners(cells->empty() ? nullptr : first->box.lo.axis.data()),
                          corners(cells->empty() ? nullptr : first->box.hi.axis.data()),
                          block_of_each<&IndexCell<Dim>::depth>(cells, *cells),
                          block_of_each<&IndexCell<Dim>::count>(cells, *cells));
}

template <std::size_t Dim>
py::tuple Asked<Dim>::cells() {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        std::shared_ptr<Cells<Dim>> cells;
        std::size_t of_grid = 0;
        run([&](Batch<Dim>&) {
            cells = cells_of<Dim>(crowd);
            crowd.grid().visit_cells([&](const IndexCell<Dim>&) { return ++of_grid != 0; });
        });
        const py::tuple blocks = blocks_of(cells);
        return py::make_tuple(blocks[0], blocks[1], blocks[2], blocks[3], of_grid);
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::agents(py::handle sets) {
    const Sets wanted = sets_from(sets);
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const std::shared_ptr<AgentsOfCrowd<Dim>> agents = run([&](Batch<Dim>&) {
            return std::make_shared<AgentsOfCrowd<Dim>>(crowd, wanted, tools.executor);
        });
        const std::size_t count = agents->ids.size();
        const auto points = [&](std::vector<Point<Dim>>& of) {
            float* const first = count == 0 ? nullptr : of[0].axis.data();
            return block_of_rows(agents, first, count, Dim, sizeof(float));
        };
        return py::make_tuple(block_of(agents, agents->ids.data(), count),
                              points(agents->positions), points(agents->half_extents),
                              block_of(agents, agents->groups.data(), count));
    });
}

template py::tuple blocks_of(const std::shared_ptr<Cells<2>>&);
template py::tuple blocks_of(const std::shared_ptr<Cells<3>>&);
template py::tuple Asked<2>::cells();
template py::tuple Asked<3>::cells();
template py::tuple Asked<2>::agents(py::handle);
template py::tuple Asked<3>::agents(py::handle);

} // namespace throng::python
