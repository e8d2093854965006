// Whether agents have extents of their own. For *.kernel.cpp files only.
#pragma once

#include <cstdint>

namespace throng::simd {

/// Whether all agents of a grid have the same extents, each its own, or either: the grid says
/// which, for shapes that are asked too seldom to be compiled twice.
enum class Extents : std::uint8_t { common, own, either };

/// Whether they have their own: known to the compiler, or not.
template <Extents extents>
struct OwnExtents {
    [[gnu::always_inline]] constexpr explicit OwnExtents(bool) noexcept {}
    [[gnu::always_inline]] constexpr operator bool() const noexcept {
        return extents == Extents::own;
    }
};
template <>
struct OwnExtents<Extents::either> {
    bool value;
    [[gnu::always_inline]] constexpr explicit OwnExtents(bool own) noexcept : value(own) {}
    [[gnu::always_inline]] constexpr operator bool() const noexcept { return value; }
};

} // namespace throng::simd
