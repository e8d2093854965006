// Memory of answers, which NumPy takes over without a copy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

namespace throng::python {

namespace py = pybind11;

/// An object that speaks the buffer protocol, and keeps the owner of the memory. numpy.asarray()
/// makes an array of it, which keeps the object.
class Block {
public:
    Block(std::shared_ptr<const void> owner, void* data, const char* format, std::size_t size,
          std::span<const std::size_t> shape, std::span<const std::size_t> strides);

    [[nodiscard]] py::buffer_info info() const;

private:
    std::shared_ptr<const void> owner_;
    void* data_;
    const char* format_;
    std::size_t size_;
    std::size_t dimensions_;
    std::array<std::size_t, 2> shape_{}, strides_{};
};

template <class T>
constexpr const char* kFormat = nullptr;
template <>
inline constexpr const char* kFormat<float> = "f";
template <>
inline constexpr const char* kFormat<std::uint32_t> = "I";
template <>
inline constexpr const char* kFormat<std::uint64_t> = "L";
static_assert(sizeof(unsigned int) == 4 && sizeof(unsigned long) == 8);
template <>
inline constexpr const char* kFormat<bool> = "?";

/// `count` values, `stride` bytes apart; or rows of them.
template <class T>
[[nodiscard]] py::object block_of(std::shared_ptr<const void> owner, T* data, std::size_t count,
                                  std::size_t stride = sizeof(T)) {
    return py::cast(Block(std::move(owner), data, kFormat<T>, sizeof(T), {{count}}, {{stride}}));
}
template <class T>
[[nodiscard]] py::object block_of(std::shared_ptr<const void> owner, std::vector<T>& values) {
    return block_of(std::move(owner), values.data(), values.size());
}
/// One member of each element.
template <auto Member, class T>
[[nodiscard]] py::object block_of_each(std::shared_ptr<const void> owner, std::vector<T>& all) {
    auto* const first = all.empty() ? nullptr : &(all.front().*Member);
    return block_of(std::move(owner), first, all.size(), sizeof(T));
}
template <class T>
[[nodiscard]] py::object block_of_rows(std::shared_ptr<const void> owner, T* data, std::size_t rows,
                                       std::size_t columns, std::size_t stride) {
    return py::cast(Block(std::move(owner), data, kFormat<T>, sizeof(T), {{rows, columns}},
                          {{stride * columns, stride}}));
}

} // namespace throng::python
