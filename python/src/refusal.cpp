#include "refusal.hpp"

#include <cstddef>
#include <iterator>
#include <string>

namespace throng::python {

namespace py = pybind11;

namespace {

/// In the order of Cause.
constexpr const char* kCauses[] = {
    "ok",           "not_finite",     "too_large",      "negative",
    "not_positive", "inverted",       "count_mismatch", "null_pointer",
    "too_many",     "id_taken",       "id_unknown",     "not_stored",
    "missing",      "not_configured", "no_such_isa",    "executor_failed",
    "no_room",      "out_of_range",   "no_direction",   "no_cosine",
    "not_convex",   "handle_stale",   "handle_foreign", "other_names",
    "wraps",        "over_memory",    "cancelled",      "io_failed",
    "not_an_index", "other_version",  "truncated",      "corrupted",
    "rank_lost",    "beyond_reach",   "ranks_differ",
};
static_assert(std::size(kCauses) == static_cast<std::size_t>(Cause::ranks_differ) + 1);

/// The argument, read from the beginning of the library's sentence: its name, and whether it has
/// elements.
struct Blamed {
    std::string name;
    bool one_of_several;
};

Blamed blamed(const Status& status) {
    const std::string sentence = to_string({Cause::negative, status.argument, status.index});
    const std::size_t end = sentence.find_first_of("[ ");
    return {sentence.substr(0, end), sentence[end] == '[' || status.argument == Argument::id};
}

} // namespace

void check(const Status& status, const std::string& radius) {
    if (status.ok()) { return; }
    std::string sentence = to_string(status);
    const auto number = static_cast<std::size_t>(status.cause);
    py::object argument = py::none();
    py::object index = py::none();
    if (status.argument != Argument::none) {
        Blamed one = blamed(status);
        if (status.argument == Argument::radius) {
            sentence.replace(0, one.name.size(), radius);
            one.name = radius;
        }
        argument = py::str(one.name);
        if (one.one_of_several) { index = py::int_(status.index); }
    }
    const py::object error = py::module_::import("throng.errors")
                                 .attr("error_for")(kCauses[number], argument, index, sentence);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw py::error_already_set();
}

py::tuple cause_names() {
    py::tuple names(std::size(kCauses));
    for (std::size_t i = 0; i < std::size(kCauses); ++i) {
        names[i] = py::str(kCauses[i]);
    }
    return names;
}

} // namespace throng::python
