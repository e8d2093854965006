// The structures of the library throng::family; docs/structures.md says what each is for.
#pragma once

#include "engine/answers/spatial_index.hpp"
#include "engine/family/brute_force.hpp"
#include "engine/family/double_grid/double_grid.hpp"
#include "engine/family/nested_quadtree/nested_index.hpp"
#include "engine/family/nested_quadtree/nested_quadtree.hpp"
#include "engine/family/occupancy_pyramid.hpp"
#include "engine/family/tight_quadtree/tight_quadtree.hpp"
#include "engine/loose_tree/loose_tree.hpp"
#include "engine/memory/hierarchical_bitset.hpp"
