// The parts of an index as arrays, for drawings.
#pragma once

#include "arrays/block.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/id.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/sets.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace throng::python {

template <std::size_t Dim>
using Cells = std::vector<IndexCell<Dim>>;

/// All cells of an index, in the order in which it visits them.
template <std::size_t Dim, class Index>
[[nodiscard]] std::shared_ptr<Cells<Dim>> cells_of(const Index& index) {
    const auto cells = std::make_shared<Cells<Dim>>();
    index.visit_cells([&](const IndexCell<Dim>& cell) {
        cells->push_back(cell);
        return true;
    });
    return cells;
}

/// Blocks of low and high corners, depths, and counts of agents.
template <std::size_t Dim>
[[nodiscard]] py::tuple blocks_of(const std::shared_ptr<Cells<Dim>>& cells);

/// The agents of a crowd: small ones in canonical order, then giants by id, then statics.
template <std::size_t Dim>
struct AgentsOfCrowd {
    std::vector<Id> ids;
    std::vector<Point<Dim>> positions, half_extents;
    std::vector<std::uint32_t> groups; ///< all groups if agents have no masks

    AgentsOfCrowd(const Crowd<Dim>& crowd, Sets sets, Executor& executor);
};

extern template py::tuple blocks_of(const std::shared_ptr<Cells<2>>&);
extern template py::tuple blocks_of(const std::shared_ptr<Cells<3>>&);
extern template struct AgentsOfCrowd<2>;
extern template struct AgentsOfCrowd<3>;

} // namespace throng::python
