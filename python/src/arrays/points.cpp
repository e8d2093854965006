#include "points.hpp"

#include "../refusal.hpp"

#include <string>
#include <type_traits>

namespace throng::python {

namespace {

template <class T>
constexpr Element kElement = std::is_same_v<T, float> ? Element::float32 : Element::uint32;

template <std::size_t Dim>
std::string points_expected(Doubles doubles) {
    const std::string dim = std::to_string(Dim);
    std::string text = "a float32 array of shape (n, " + dim + "), or a tuple of " + dim +
                       " float32 arrays of shape (n,)";
    if (doubles == Doubles::allowed) { text += ", or the same of float64"; }
    if (doubles == Doubles::no_origin) { text += " (float64 only where the crowd has an origin)"; }
    return text;
}

} // namespace

template <std::size_t Dim>
Points<Dim>::Points(py::handle object, const char* argument, Doubles doubles, One one) {
    const Expected expected = {argument, points_expected<Dim>(doubles)};
    // If doubles are allowed, converted values become doubles, since Python's own numbers are
    // doubles.
    const Element wanted = doubles == Doubles::allowed ? Element::float64 : Element::float32;
    const bool axes = PyTuple_Check(object.ptr()) != 0 &&
                      (one == One::refused || PyTuple_GET_SIZE(object.ptr()) == 0 ||
                       !is_number(PyTuple_GET_ITEM(object.ptr(), 0)));
    if (axes) {
        take_axes(object, expected, wanted);
    } else {
        take_rows(object, expected, wanted, one);
    }
}

template <std::size_t Dim>
void Points<Dim>::take_rows(py::handle object, const Expected& expected, Element wanted, One one) {
    arrays_.push_back(fitting(object, expected, wanted, Element::float32));
    const Array& array = arrays_.front();
    element_ = array.element();
    if (array.dimensions() == 1 && array.extent(0) == 0) { return; } // an empty list
    const bool single = one == One::allowed && array.dimensions() == 1 && array.extent(0) == Dim;
    if (!single && (array.dimensions() != 2 || array.extent(1) != Dim)) {
        refuse_shape(expected, object);
    }
    count_ = single ? 1 : array.extent(0);
    for (std::size_t a = 0; a < Dim; ++a) {
        axis_[a] =
            array.data<char>() + static_cast<std::ptrdiff_t>(a) * array.stride(single ? 0 : 1);
        stride_[a] = array.stride(0);
    }
}

template <std::size_t Dim>
void Points<Dim>::take_axes(py::handle object, const Expected& expected, Element wanted) {
    if (PyTuple_GET_SIZE(object.ptr()) != static_cast<Py_ssize_t>(Dim)) {
        refuse_shape(expected, object);
    }
    arrays_.reserve(Dim);
    for (std::size_t a = 0; a < Dim; ++a) {
        const py::handle of_axis = PyTuple_GET_ITEM(object.ptr(), static_cast<Py_ssize_t>(a));
        arrays_.push_back(fitting(of_axis, expected, wanted, Element::float32));
        const Array& array = arrays_.back();
        if (array.element() != arrays_.front().element()) { refuse_type(expected, of_axis); }
        if (array.dimensions() != 1) { refuse_shape(expected, of_axis); }
        if (array.extent(0) != arrays_.front().extent(0)) {
            refuse_value(expected.argument, "the arrays of its axes have different lengths: " +
                                                std::to_string(arrays_.front().extent(0)) +
                                                " and " + std::to_string(array.extent(0)));
        }
        axis_[a] = array.data<void>();
        stride_[a] = array.stride(0);
    }
    element_ = arrays_.front().element();
    count_ = arrays_.front().extent(0);
}

template class Points<2>;
template class Points<3>;

template <class T>
Values<T>::Values(py::handle object, const char* argument, std::optional<std::size_t> count,
                  Argument as) {
    if (count && is_number(object)) {
        if constexpr (std::is_same_v<T, float>) {
            value_ = float_from(object, argument);
        } else {
            value_ = uint32_from(object, argument);
        }
        view_ = {&value_, 0, *count};
        return;
    }
    const std::string type = std::is_same_v<T, float> ? "float32" : "uint32";
    const Expected expected = {argument, count ? "a number, or a " + type + " array of shape (" +
                                                     std::to_string(*count) + ",)"
                                               : "a " + type + " array of shape (n,)"};
    array_.emplace(fitting(object, expected, kElement<T>));
    const bool fits = array_->dimensions() == 1 && (!count || array_->extent(0) == *count);
    if (!fits && array_->dimensions() == 1 && as != Argument::none) {
        check({Cause::count_mismatch, as}, {as, argument});
    }
    if (!fits) { refuse_shape(expected, object); }
    view_ = {array_->template data<void>(), array_->stride(0), array_->extent(0)};
}

template class Values<float>;
template class Values<std::uint32_t>;

template <std::size_t Dim>
Extents<Dim>::Extents(py::handle object, const char* argument) {
    if (object.is_none()) { return; }
    if (is_number(object)) {
        common = Point<Dim>::all(float_from(object, argument));
        return;
    }
    const bool tuple = PyTuple_Check(object.ptr()) != 0;
    if (tuple && PyTuple_GET_SIZE(object.ptr()) > 0 &&
        is_number(PyTuple_GET_ITEM(object.ptr(), 0))) {
        common = Numbers<Dim>(object, argument).point();
        return;
    }
    const std::string dim = std::to_string(Dim);
    const Expected expected = {argument, "None, a number, a tuple of " + dim +
                                             " numbers, or a float32 array of shape (n,) or (n, " +
                                             dim + "), or a tuple of " + dim + " of shape (n,)"};
    if (!tuple) {
        array_.emplace(fitting(object, expected, Element::float32));
        if (array_->dimensions() == 1) {
            // One array serves all axes.
            each.axis.fill(array_->template data<float>());
            each.stride.fill(array_->stride(0));
            each.count = array_->extent(0);
            of_each = true;
            return;
        }
        if (array_->dimensions() != 2 || array_->extent(1) != Dim) {
            refuse_shape(expected, object);
        }
    }
    points_.emplace(object, argument);
    each = points_->floats();
    of_each = true;
}

template struct Extents<2>;
template struct Extents<3>;

template <std::size_t Dim>
Numbers<Dim>::Numbers(py::handle object, const char* argument) {
    const Expected expected = {argument, std::to_string(Dim) + " numbers"};
    const py::object items =
        py::reinterpret_steal<py::object>(PySequence_Fast(object.ptr(), "no sequence"));
    if (!items) {
        forget(PyExc_TypeError);
        refuse_type(expected, object);
    }
    if (PySequence_Fast_GET_SIZE(items.ptr()) != static_cast<Py_ssize_t>(Dim)) {
        refuse_shape(expected, object);
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        const py::handle item = PySequence_Fast_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(a));
        if (!is_number(item)) { refuse_type(expected, object); }
        value[a] = double_from(item, argument);
    }
    if (PyObject_CheckBuffer(object.ptr()) != 0) {
        in_doubles = Array(object, expected).element() != Element::float32;
    }
}

template <std::size_t Dim>
Point<Dim> Numbers<Dim>::point() const noexcept {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = rounded(value[a]);
    }
    return point;
}

template struct Numbers<2>;
template struct Numbers<3>;

} // namespace throng::python
