// Borrowed arrays in any layout of the caller's: a pointer and a stride in bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace throng {

/// One value for each agent, `stride` bytes apart. Strides may be negative, zero, or leave the
/// values unaligned.
template <class T>
struct ValueView {
    static_assert(std::is_trivially_copyable_v<T>);

    const void* data = nullptr;
    std::ptrdiff_t stride = sizeof(T);
    std::size_t count = 0;

    [[nodiscard]] T operator[](std::size_t index) const noexcept {
        T value;
        std::memcpy(&value,
                    static_cast<const char*>(data) + static_cast<std::ptrdiff_t>(index) * stride,
                    sizeof value);
        return value;
    }
};

/// One pointer and one stride for each axis, so that separate arrays, arrays of structures and any
/// two axes of a 3D position are all read where they lie.
template <class Float, std::size_t Dim>
struct StridedPoints {
    std::array<const Float*, Dim> axis{};
    std::array<std::ptrdiff_t, Dim> stride{}; ///< in bytes
    std::size_t count = 0;

    /// The values of one axis.
    [[nodiscard]] ValueView<Float> values(std::size_t a) const noexcept {
        return {axis[a], stride[a], count};
    }

    /// A view of points with a separate array for each axis.
    [[nodiscard]] static StridedPoints separate(const std::array<const Float*, Dim>& axes,
                                                std::size_t count) noexcept {
        StridedPoints view;
        view.axis = axes;
        view.stride.fill(sizeof(Float));
        view.count = count;
        return view;
    }

    /// Points whose coordinates lie side by side, a point every `stride` bytes: for example float3
    /// arrays, of which a 2D view takes the first two coordinates.
    [[nodiscard]] static StridedPoints interleaved(const Float* first, std::size_t count,
                                                   std::ptrdiff_t stride = Dim *
                                                                           sizeof(Float)) noexcept {
        StridedPoints view;
        for (std::size_t a = 0; a < Dim; ++a) {
            // A null array has no second coordinate to point at.
            view.axis[a] = first == nullptr ? nullptr : first + a;
        }
        view.stride.fill(stride);
        view.count = count;
        return view;
    }
};

template <std::size_t Dim>
using PointView = StridedPoints<float, Dim>;
/// For positions of large worlds: see WorldAgents.
template <std::size_t Dim>
using WorldPointView = StridedPoints<double, Dim>;

} // namespace throng
