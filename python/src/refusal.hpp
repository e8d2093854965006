// Turns statuses of the library into exceptions of Python.
#pragma once

#include <throng/engine/core/status.hpp>

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace throng::python {

/// The caller's name for one of the library's arguments.
struct Called {
    Argument argument = Argument::none;
    std::string_view name{};
};

/// Raises throng.Error, or a suitable subclass, unless the status is ok. The GIL must be held.
void check(const Status& status, const Called& called = {});

/// Raises the error about an array without room for `needed` elements.
[[noreturn]] void refuse_room(const std::string& array, std::size_t needed);

/// The names of all causes in their order, for tests.
[[nodiscard]] pybind11::tuple cause_names();

} // namespace throng::python
