// Cells for the centres of a crowd's giants. Internal to the engine.
#pragma once

#include "../../agents/grid_shape.hpp"
#include "../../agents/view.hpp"

namespace throng {

/// Cells for many valid centres: about one cell for each centre where most of them are. The cells
/// follow from the centres alone, and not from earlier cells, so that crowds with the same giants
/// answer in the same order. Bounds are rounded, so that from frame to frame cells mostly stay.
template <std::size_t Dim>
[[nodiscard]] OrStatus<GridShape<Dim>> shape_of_centres(const PointView<Dim>& centres) noexcept;

} // namespace throng
