// A picture of a crowd.
#pragma once

#include "canvas.hpp"
#include "crowd.hpp"

namespace throng::demo {

/// Seen from above, coloured by how many others each agent sees: on the left all of the world, on
/// the right the fullest part of it with the rows of the grid, a query, and what it finds. In space
/// that part is a slice.
template <std::size_t Dim>
[[nodiscard]] Canvas draw(const Crowd<Dim>& crowd);

extern template Canvas draw(const Crowd<2>&);
extern template Canvas draw(const Crowd<3>&);

} // namespace throng::demo
