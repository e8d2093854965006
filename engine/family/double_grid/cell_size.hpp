// The best size of the cells of a double grid. Internal to the engine.
#pragma once

#include "../../agents/agents.hpp"
#include "../../agents/box.hpp"
#include "../../agents/point.hpp"

#include <cstddef>

namespace throng {

/// The size of cells for a sound crowd with these bounds: for about twelve agents each, but at
/// least the mean half extent.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> cell_size_for(const Agents<Dim>& agents, const Box<Dim>& bounds) noexcept;

} // namespace throng
