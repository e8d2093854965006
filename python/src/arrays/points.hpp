// Positions, and values that go with them, in arrays of Python's.
#pragma once

#include "array.hpp"

#include <throng/engine/agents/point.hpp>
#include <throng/engine/agents/view.hpp>
#include <throng/engine/core/id.hpp>
#include <throng/engine/core/status.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace throng::python {

/// Whether an argument may be in doubles, which are world coordinates: see CrowdSettings::origin.
enum class Doubles : std::uint8_t {
    never,     ///< directions and extents have no place in the world
    no_origin, ///< this crowd has none, and the message says so
    allowed,
};

/// Whether one point, as an array or a sequence of Dim numbers, is an array of one.
enum class One : std::uint8_t { refused, allowed };

/// Point i of a view.
template <class Float, std::size_t Dim>
[[nodiscard]] std::array<Float, Dim> at(const StridedPoints<Float, Dim>& view, std::size_t i) {
    std::array<Float, Dim> place;
    for (std::size_t a = 0; a < Dim; ++a) {
        place[a] = view.values(a)[i];
    }
    return place;
}

/// An array of shape (n, Dim), or a tuple of Dim arrays of one axis; any strides will do.
template <std::size_t Dim>
class Points {
public:
    Points(py::handle object, const char* argument, Doubles doubles = Doubles::never,
           One one = One::refused);

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] bool in_doubles() const noexcept { return element_ == Element::float64; }
    [[nodiscard]] PointView<Dim> floats() const noexcept { return view<float>(); }
    [[nodiscard]] WorldPointView<Dim> doubles() const noexcept { return view<double>(); }

private:
    void take_rows(py::handle object, const Expected& expected, Element wanted, One one);
    void take_axes(py::handle object, const Expected& expected, Element wanted);

    template <class Float>
    [[nodiscard]] StridedPoints<Float, Dim> view() const noexcept {
        StridedPoints<Float, Dim> points;
        for (std::size_t a = 0; a < Dim; ++a) {
            points.axis[a] = static_cast<const Float*>(axis_[a]);
        }
        points.stride = stride_;
        points.count = count_;
        return points;
    }

    std::vector<Array> arrays_;
    std::array<const void*, Dim> axis_{};
    std::array<std::ptrdiff_t, Dim> stride_{};
    std::size_t count_ = 0;
    Element element_ = Element::float32;
};

/// One value for each of `count` questions or agents, or one number for all. Without a count the
/// array has any length, and one number is refused. An array of another length is refused as the
/// library refuses it for `as`, if that is given, and else by its shape.
template <class T>
class Values {
public:
    Values(py::handle object, const char* argument, std::optional<std::size_t> count,
           Argument as = Argument::none);
    Values(const Values&) = delete; // the view may point into it
    Values& operator=(const Values&) = delete;
    ~Values() = default;

    [[nodiscard]] bool one_for_all() const noexcept { return !array_; }
    [[nodiscard]] T of_all() const noexcept { return value_; }
    [[nodiscard]] ValueView<T> view() const noexcept { return view_; }

private:
    std::optional<Array> array_;
    T value_{};
    ValueView<T> view_;
};

/// The extents of a crowd: none, one for all agents, or one for each, equal on all axes or not.
template <std::size_t Dim>
struct Extents {
    Extents(py::handle object, const char* argument);

    Point<Dim> common{};
    PointView<Dim> each{};
    bool of_each = false;

private:
    std::optional<Points<Dim>> points_;
    std::optional<Array> array_;
};

/// One place, or one size on each axis, given as a few numbers: (1.5, 2), or an array of them.
template <std::size_t Dim>
struct Numbers {
    Numbers(py::handle object, const char* argument);

    std::array<double, Dim> value{};
    bool in_doubles = true; ///< false for float32 arrays only: Python's own numbers are doubles

    [[nodiscard]] Point<Dim> point() const noexcept;
};

} // namespace throng::python
