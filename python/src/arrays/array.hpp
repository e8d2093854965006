// Python's arrays, read or written in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <pybind11/pybind11.h>

namespace throng::python {

namespace py = pybind11;

enum class Element : std::uint8_t { float32, float64, uint32, uint64, boolean, other };

/// The name of an argument and its expected form, for messages. Both outlive the objects that refer
/// to them.
struct Expected {
    const char* argument;
    std::string what; ///< for example "a float32 array of shape (n, 2)"
};

/// Raises the error for a wrong argument: "positions: expected ..., got ...".
[[noreturn]] void refuse_type(const Expected& expected, py::handle given);
[[noreturn]] void refuse_shape(const Expected& expected, py::handle given);
[[noreturn]] void refuse_value(const char* argument, const std::string& why);

/// Clears Python's exception if it is of this kind, because the caller raises a better one; raises
/// any other, such as KeyboardInterrupt. `kind` may be a tuple of kinds.
void forget(py::handle kind);

/// The memory of an object with the buffer protocol: a NumPy array, a memoryview, an array.array.
/// While an Array lives, this memory is neither moved nor resized. Make and destroy it with the GIL
/// held; reading and writing need no GIL.
class Array {
public:
    enum class Access : std::uint8_t { read, write };

    /// Refuses objects that are not arrays, arrays with a mask, and write access to read-only
    /// arrays.
    Array(py::handle object, const Expected& expected, Access access = Access::read);
    Array(Array&& other) noexcept;
    Array& operator=(Array&&) = delete;
    ~Array();

    [[nodiscard]] Element element() const noexcept { return element_; }
    [[nodiscard]] std::size_t dimensions() const noexcept {
        return static_cast<std::size_t>(view_.ndim);
    }
    [[nodiscard]] std::size_t extent(std::size_t dimension) const noexcept {
        return static_cast<std::size_t>(view_.shape[dimension]);
    }
    /// The stride of an axis in bytes.
    [[nodiscard]] std::ptrdiff_t stride(std::size_t dimension) const noexcept {
        return view_.strides[dimension];
    }
    template <class T>
    [[nodiscard]] const T* data() const noexcept {
        return static_cast<const T*>(view_.buf);
    }
    /// All of the memory if it is contiguous, otherwise nothing.
    [[nodiscard]] std::optional<std::span<const std::byte>> in_one_piece() const noexcept;
    template <class T>
    [[nodiscard]] std::span<T> written() const noexcept {
        return {static_cast<T*>(view_.buf), extent(0)};
    }

private:
    Py_buffer view_{};
    Element element_ = Element::other;
};

/// An array with elements of type `wanted` or `other`: the given one, or a copy with `wanted`
/// elements if throng.conversion can make one.
[[nodiscard]] Array fitting(py::handle object, const Expected& expected, Element wanted,
                            Element other);
[[nodiscard]] inline Array fitting(py::handle object, const Expected& expected, Element wanted) {
    return fitting(object, expected, wanted, wanted);
}

/// An output array, which must have one axis, be contiguous and aligned, have this element type,
/// and be at least `least` long.
[[nodiscard]] Array out_array(py::handle object, const char* argument, Element element,
                              std::size_t least);
/// Refuses two output arrays that share memory.
void check_apart(const Array& one, const Array& other);

/// Reads one number.
[[nodiscard]] float float_from(py::handle object, const char* argument);
[[nodiscard]] double double_from(py::handle object, const char* argument);
[[nodiscard]] std::uint64_t whole_from(py::handle object, const char* argument, std::uint64_t most);
[[nodiscard]] std::uint32_t uint32_from(py::handle object, const char* argument);
[[nodiscard]] bool truth_of(py::handle object);
/// Whether it is one number, and not an array.
[[nodiscard]] bool is_number(py::handle object) noexcept;

/// A double rounded to a float; infinite if no float can hold it.
[[nodiscard]] float rounded(double value) noexcept;

} // namespace throng::python
