// What an index is made of, in arrays, for drawings.
#pragma once

#include "arrays/block.hpp"

#include <throng/engine/answers/spatial_index.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace throng::python {

template <std::size_t Dim>
using Cells = std::vector<IndexCell<Dim>>;

/// All cells of an index, as it visits them.
template <std::size_t Dim, class Index>
[[nodiscard]] std::shared_ptr<Cells<Dim>> cells_of(const Index& index) {
    const auto cells = std::make_shared<Cells<Dim>>();
    index.visit_cells([&](const IndexCell<Dim>& cell) {
        cells->push_back(cell);
        return true;
    });
    return cells;
}

/// Low and high corners, depths, and counts of agents.
template <std::size_t Dim>
[[nodiscard]] py::tuple blocks_of(const std::shared_ptr<Cells<Dim>>& cells);

} // namespace throng::python
