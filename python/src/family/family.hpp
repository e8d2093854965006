// The structures of throng::family.
#pragma once

#include <pybind11/pybind11.h>

namespace throng::python {

// Each function defines one structure's classes in Python.
void define_brute_force(pybind11::module_& module);
void define_double_grid(pybind11::module_& module);
void define_loose_tree(pybind11::module_& module);
void define_nested_index(pybind11::module_& module);
void define_tight_quadtree(pybind11::module_& module);

} // namespace throng::python
