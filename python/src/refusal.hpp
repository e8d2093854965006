// Statuses of the library as exceptions of Python.
#pragma once

#include <throng/engine/core/status.hpp>

#include <pybind11/pybind11.h>

#include <string>

namespace throng::python {

/// Raises throng.Error, or the subclass that fits, unless the status is ok. The GIL must be held.
/// `radius` is what the caller calls Argument::radius.
void check(const Status& status, const std::string& radius = "radius");

/// The names of all causes, in their order: for the tests.
[[nodiscard]] pybind11::tuple cause_names();

} // namespace throng::python
