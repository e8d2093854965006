// Whether agents have extents of their own. For *.kernel.cpp files only.
#pragma once

#include <cstdint>

namespace throng::simd {

/// Whether all agents of a grid have the same extents (common) or extents of their own (own).
/// either: only the grid says which, for shapes that are too rare to be compiled twice.
enum class Extents : std::uint8_t { common, own, either };

/// Whether agents have extents of their own: a constant, or for Extents::either a stored value.
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
