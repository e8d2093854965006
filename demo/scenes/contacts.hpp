// What bodies do to each other when they touch.
#pragma once

#include "../structures/people.hpp"
#include "../structures/structure.hpp"

#include <throng/engine/agents/found.hpp>

namespace throng::demo {

/// Bodies are discs. Those that overlap and come closer exchange their momentum along the line
/// between them; `touched` is the change of velocity. Heavier ones change less.
Found bounce_off(People<2>& people, Structure<2>& structure);

/// Those that overlap are pushed apart, the lighter one further; `touched` is by how far.
Found push_apart(People<2>& people, Structure<2>& structure);

} // namespace throng::demo
