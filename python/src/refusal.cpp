#include "refusal.hpp"

#include <cstddef>
#include <iterator>
#include <string>

namespace throng::python {

namespace py = pybind11;

namespace {

/// The names of causes, in the order of Cause.
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

/// The argument at the beginning of the library's sentence: its name, and whether an element of it
/// is meant.
struct Blamed {
    std::string name;
    bool one_of_several;
};

Blamed blamed(const Status& status) {
    const std::string sentence = to_string({Cause::negative, status.argument, status.index});
    const std::size_t end = sentence.find_first_of("[ ");
    return {sentence.substr(0, end), sentence[end] == '[' || status.argument == Argument::id};
}

[[noreturn]] void raise(Cause cause, const py::object& argument, const py::object& index,
                        const std::string& sentence) {
    const py::object error =
        py::module_::import("throng.errors")
            .attr("error_for")(kCauses[static_cast<std::size_t>(cause)], argument, index, sentence);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw py::error_already_set();
}

} // namespace

void check(const Status& status, const Called& called) {
    if (status.ok()) { return; }
    std::string sentence = to_string(status);
    if (status.argument == Argument::none) {
        raise(status.cause, py::none(), py::none(), sentence);
    }
    Blamed one = blamed(status);
    if (status.argument == called.argument) {
        // Not every sentence begins with the argument.
        if (sentence.starts_with(one.name)) { sentence.replace(0, one.name.size(), called.name); }
        one.name = called.name;
    }
    raise(status.cause, py::str(one.name),
          one.one_of_several ? py::object(py::int_(status.index)) : py::none(), sentence);
}

void refuse_room(const std::string& array, std::size_t needed) {
    const std::string sentence = to_string({Cause::no_room, Argument::counts});
    raise(Cause::no_room, py::str(array), py::int_(needed),
          array + sentence.substr(blamed({Cause::no_room, Argument::counts}).name.size()) +
              ": there must be room for " + std::to_string(needed));
}

py::tuple cause_names() {
    py::tuple names(std::size(kCauses));
    for (std::size_t i = 0; i < std::size(kCauses); ++i) {
        names[i] = py::str(kCauses[i]);
    }
    return names;
}

} // namespace throng::python
