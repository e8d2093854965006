// The effects of touching bodies on each other.
#pragma once

#include "../structures/people.hpp"
#include "../structures/structure.hpp"

#include <throng/engine/agents/found.hpp>

namespace throng::demo {

/// Bodies are discs. Overlapping discs that approach exchange momentum along the line between them;
/// `touched` is the change of velocity. Heavier discs change less.
Found bounce_off(People<2>& people, Structure<2>& structure);

/// Pushes overlapping discs apart, the lighter one further; `touched` is the displacement.
Found push_apart(People<2>& people, Structure<2>& structure);

} // namespace throng::demo
