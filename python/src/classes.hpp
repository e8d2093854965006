// The classes of the module. Each of these makes some known to Python, those of both dimensions.
#pragma once

#include <pybind11/pybind11.h>

namespace throng::python {

void define_block(pybind11::module_& module);
void define_asked(pybind11::module_& module);
void define_own_crowd(pybind11::module_& module);
void define_published(pybind11::module_& module);
void define_contacts(pybind11::module_& module);
void define_obstacles(pybind11::module_& module);
void define_lasting(pybind11::module_& module);
/// The ranks of a job, which other modules derive from.
void define_ranks(pybind11::module_& module);
void define_share(pybind11::module_& module);
void define_distributed(pybind11::module_& module);

// The structures of throng::family.
void define_brute_force(pybind11::module_& module);
void define_double_grid(pybind11::module_& module);
void define_loose_tree(pybind11::module_& module);
void define_nested_index(pybind11::module_& module);
void define_tight_quadtree(pybind11::module_& module);

} // namespace throng::python
