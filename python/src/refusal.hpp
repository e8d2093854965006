// Statuses of the library as exceptions of Python.
#pragma once

#include <throng/engine/core/status.hpp>

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace throng::python {

/// What the caller calls one of the library's arguments.
struct Called {
    Argument argument = Argument::none;
    std::string_view name{};
};

/// Raises throng.Error, or the subclass that fits, unless the status is ok. The GIL must be held.
void check(const Status& status, const Called& called = {});

/// Raises it for an array that has no room for `needed` elements.
[[noreturn]] void refuse_room(const std::string& array, std::size_t needed);

/// The names of all causes, in their order: for the tests.
[[nodiscard]] pybind11::tuple cause_names();

} // namespace throng::python
