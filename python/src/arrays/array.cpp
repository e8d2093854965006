#include "array.hpp"

#include "../refusal.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

namespace throng::python {

namespace {

/// The element type that a format of the buffer protocol names, in this machine's byte order.
Element element_of(const char* format, Py_ssize_t size) noexcept {
    std::string_view text = format == nullptr ? "B" : format;
    constexpr char kOwnOrder = std::endian::native == std::endian::little ? '<' : '>';
    if (!text.empty() && (text[0] == '@' || text[0] == '=' || text[0] == kOwnOrder)) {
        text.remove_prefix(1);
    }
    if (text == "f" && size == 4) { return Element::float32; }
    if (text == "d" && size == 8) { return Element::float64; }
    if (text == "?" && size == 1) { return Element::boolean; }
    if (text == "I" || text == "L" || text == "Q" || text == "N") {
        if (size == 4) { return Element::uint32; }
        if (size == 8) { return Element::uint64; }
    }
    return Element::other;
}

const char* name_of(Element element) noexcept {
    constexpr const char* kNames[] = {"float32", "float64", "uint32",
                                      "uint64",  "bool",    "another type"};
    return kNames[static_cast<std::size_t>(element)];
}

/// Describes an object in messages: its type, and for arrays the element type and the shape.
std::string described(py::handle object) {
    std::string text = Py_TYPE(object.ptr())->tp_name;
    if (PyMemoryView_Check(object.ptr()) != 0) {
        text += " of " + std::string(py::str(object.attr("format")));
    } else if (py::hasattr(object, "dtype")) {
        text += " of " + std::string(py::str(object.attr("dtype")));
    }
    if (py::hasattr(object, "shape")) {
        text += " and shape " + std::string(py::str(object.attr("shape")));
    } else if (PySequence_Check(object.ptr()) != 0) {
        const Py_ssize_t length = PySequence_Size(object.ptr());
        if (length < 0) {
            PyErr_Clear();
        } else {
            text += " of length " + std::to_string(length);
        }
    }
    return text;
}

/// Whether it may be an array of numpy.ma; plain arrays are recognised by their type.
bool has_mask(py::handle object) noexcept {
    return std::string_view(Py_TYPE(object.ptr())->tp_name) != "numpy.ndarray" &&
           PyObject_HasAttrString(object.ptr(), "mask") != 0 &&
           PyObject_HasAttrString(object.ptr(), "filled") != 0;
}

std::string status_text(const Expected& expected, py::handle given) {
    return std::string(expected.argument) + ": expected " + expected.what + ", got " +
           described(given);
}

} // namespace

void refuse_type(const Expected& expected, py::handle given) {
    const bool array = expected.what.find("array") != std::string::npos;
    throw py::type_error(status_text(expected, given) +
                         (array ? "; numpy.asarray(..., dtype=...) makes a copy that fits" : ""));
}

void refuse_shape(const Expected& expected, py::handle given) {
    throw py::value_error(status_text(expected, given));
}

void refuse_value(const char* argument, const std::string& why) {
    throw py::value_error(std::string(argument) + ": " + why);
}

void forget(py::handle kind) {
    if (PyErr_ExceptionMatches(kind.ptr()) == 0) { throw py::error_already_set(); }
    PyErr_Clear();
}

Array::Array(py::handle object, const Expected& expected, Access access) {
    if (PyObject_CheckBuffer(object.ptr()) == 0) { refuse_type(expected, object); }
    if (has_mask(object)) {
        throw py::type_error(std::string(expected.argument) +
                             ": a masked array, whose mask would be ignored: give the elements "
                             "that are to be taken, as of compressed()");
    }
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_RECORDS_RO) != 0) {
        // Objects, dates and other elements whose memory cannot be read here.
        forget(py::make_tuple(py::handle(PyExc_BufferError), py::handle(PyExc_ValueError),
                              py::handle(PyExc_TypeError)));
        refuse_type(expected, object);
    }
    element_ = element_of(view_.format, view_.itemsize);
    if (access == Access::write && view_.readonly != 0) {
        PyBuffer_Release(&view_);
        refuse_value(expected.argument, "is read-only, and answers are written to it");
    }
}

Array::Array(Array&& other) noexcept
    : view_(std::exchange(other.view_, Py_buffer{})), element_(other.element_) {
    // Arrays with one axis may have pointers to the view's own members; these must follow the move.
    if (view_.shape == &other.view_.len) { view_.shape = &view_.len; }
    if (view_.strides == &other.view_.itemsize) { view_.strides = &view_.itemsize; }
}

Array::~Array() {
    if (view_.obj != nullptr) { PyBuffer_Release(&view_); }
}

std::optional<std::span<const std::byte>> Array::in_one_piece() const noexcept {
    if (PyBuffer_IsContiguous(&view_, 'C') == 0) { return {}; }
    return {{static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)}};
}

Array fitting(py::handle object, const Expected& expected, Element wanted, Element other) {
    if (PyObject_CheckBuffer(object.ptr()) != 0) {
        Array array(object, expected);
        if (array.element() == wanted || array.element() == other) { return array; }
    }
    const py::object copy = py::module_::import("throng.conversion")
                                .attr("converted")(object, expected.argument, name_of(wanted));
    if (copy.is_none()) { refuse_type(expected, object); }
    return {copy, expected};
}

Array out_array(py::handle object, const char* argument, Element element, std::size_t least) {
    const Expected expected = {argument, std::string("a contiguous, writable ") + name_of(element) +
                                             " array of one axis, " + std::to_string(least) +
                                             " or longer"};
    Array array(object, expected, Array::Access::write);
    if (array.element() != element) { refuse_type(expected, object); }
    if (array.dimensions() != 1) { refuse_shape(expected, object); }
    if (array.extent(0) < least) { refuse_room(argument, least); }
    const std::ptrdiff_t size = element == Element::uint32 ? 4 : element == Element::uint64 ? 8 : 1;
    if (array.extent(0) > 1 && array.stride(0) != size) {
        refuse_value(argument, "expected " + expected.what + ", got one with a stride of " +
                                   std::to_string(array.stride(0)) + " bytes");
    }
    const auto place = reinterpret_cast<std::uintptr_t>(array.data<void>());
    if (array.extent(0) != 0 && place % static_cast<std::uintptr_t>(size) != 0) {
        refuse_value(argument, "is not aligned: it begins at no multiple of " +
                                   std::to_string(size) + " bytes");
    }
    return array;
}

void check_apart(const Array& one, const Array& other) {
    const auto a = one.in_one_piece(), b = other.in_one_piece();
    const std::less<> before;
    if (a && b && !a->empty() && !b->empty() && before(a->data(), b->data() + b->size()) &&
        before(b->data(), a->data() + a->size())) {
        refuse_value("out", "its two arrays share memory, and both are written to");
    }
}

bool is_number(py::handle object) noexcept {
    if (PyFloat_Check(object.ptr()) != 0 || PyLong_Check(object.ptr()) != 0) { return true; }
    if (PyNumber_Check(object.ptr()) == 0) { return false; }
    // NumPy's scalars are numbers, and so are its arrays without dimensions, which have no length.
    if (PyObject_Size(object.ptr()) >= 0) { return false; }
    PyErr_Clear();
    return true;
}

double double_from(py::handle object, const char* argument) {
    const double value = PyFloat_AsDouble(object.ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError) != 0) {
            PyErr_Clear();
            refuse_value(argument, "is larger than any float");
        }
        forget(PyExc_TypeError);
        refuse_type({argument, "a number"}, object);
    }
    return value;
}

float rounded(double value) noexcept {
    constexpr double kMost = std::numeric_limits<float>::max();
    // A cast to float is undefined for a double that no float can hold.
    if (std::isfinite(value) && std::abs(value) > kMost) {
        return std::copysign(std::numeric_limits<float>::infinity(),
                             static_cast<float>(value > 0 ? 1 : -1));
    }
    return static_cast<float>(value);
}

bool truth_of(py::handle object) {
    const int truth = PyObject_IsTrue(object.ptr());
    if (truth < 0) { throw py::error_already_set(); }
    return truth != 0;
}

float float_from(py::handle object, const char* argument) {
    return rounded(double_from(object, argument));
}

std::uint64_t whole_from(py::handle object, const char* argument, std::uint64_t most) {
    const Expected expected = {argument, "a whole number from 0 to " + std::to_string(most)};
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    if (!number) {
        forget(PyExc_TypeError);
        refuse_type(expected, object);
    }
    const std::uint64_t value = PyLong_AsUnsignedLongLong(number.ptr());
    if (PyErr_Occurred() != nullptr || value > most) {
        PyErr_Clear();
        refuse_value(argument,
                     "expected " + expected.what + ", got " + std::string(py::str(number)));
    }
    return value;
}

std::uint32_t uint32_from(py::handle object, const char* argument) {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(whole_from(object, argument, kMost));
}

} // namespace throng::python
