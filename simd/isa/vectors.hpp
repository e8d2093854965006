// The vector types of each instruction set. For *.kernel.cpp files only.
#pragma once

#include "arch.hpp"
#include "four_lanes.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace throng::simd {

/// The vector types of a kernel on `Arch`.
template <class Arch>
struct Vectors {
#if defined(__wasm_simd128__)
    using Floats = FourFloats<Arch>;
    using Words = FourWords<Arch>;
    using FloatMask = typename Floats::Mask;
    using WordMask = typename Words::Mask;
#elif !defined(__wasm__)
    using Floats = xsimd::batch<float, Arch>;
    using Words = xsimd::batch<std::uint32_t, Arch>;
    using FloatMask = xsimd::batch_bool<float, Arch>;
    using WordMask = xsimd::batch_bool<std::uint32_t, Arch>;
#endif
};

/// One lane of T that reads like an xsimd batch, so that kernels are written once.
template <class Arch, class T>
struct OneLane {
    static constexpr std::size_t size = 1;
    T value;

    OneLane() = default;
    explicit OneLane(T v) noexcept : value(v) {}
    static OneLane load_unaligned(const T* from) noexcept { return OneLane(*from); }
    void store_unaligned(T* to) const noexcept { *to = value; }

    friend OneLane operator+(OneLane a, OneLane b) noexcept { return OneLane(a.value + b.value); }
    friend OneLane operator-(OneLane a, OneLane b) noexcept { return OneLane(a.value - b.value); }
    friend OneLane operator*(OneLane a, OneLane b) noexcept { return OneLane(a.value * b.value); }
    friend OneLane operator/(OneLane a, OneLane b) noexcept { return OneLane(a.value / b.value); }
    OneLane& operator+=(OneLane b) noexcept { return *this = *this + b; }
    OneLane& operator-=(OneLane b) noexcept { return *this = *this - b; }
    OneLane& operator*=(OneLane b) noexcept { return *this = *this * b; }
    OneLane& operator/=(OneLane b) noexcept { return *this = *this / b; }
    friend OneLane operator&(OneLane a, OneLane b) noexcept { return OneLane(a.value & b.value); }
    friend OneLane operator|(OneLane a, OneLane b) noexcept { return OneLane(a.value | b.value); }
    friend OneLane operator^(OneLane a, OneLane b) noexcept { return OneLane(a.value ^ b.value); }
    friend OneLane operator<<(OneLane a, int by) noexcept { return OneLane(a.value << by); }
    friend OneLane operator>>(OneLane a, int by) noexcept { return OneLane(a.value >> by); }
    friend bool operator<(OneLane a, OneLane b) noexcept { return a.value < b.value; }
    friend bool operator>(OneLane a, OneLane b) noexcept { return a.value > b.value; }
    friend bool operator<=(OneLane a, OneLane b) noexcept { return a.value <= b.value; }
    friend bool operator>=(OneLane a, OneLane b) noexcept { return a.value >= b.value; }
    friend bool operator==(OneLane a, OneLane b) noexcept { return a.value == b.value; }
    friend bool operator!=(OneLane a, OneLane b) noexcept { return a.value != b.value; }
    friend OneLane min(OneLane a, OneLane b) noexcept { return a.value < b.value ? a : b; }
    friend OneLane max(OneLane a, OneLane b) noexcept { return a.value > b.value ? a : b; }
    friend OneLane abs(OneLane a) noexcept {
        return OneLane(a.value < T(0) ? T(0) - a.value : a.value);
    }
    friend OneLane sqrt(OneLane a) noexcept { return OneLane(__builtin_sqrtf(a.value)); }
};

template <>
struct Vectors<Scalar> {
    using Floats = OneLane<Scalar, float>;
    using Words = OneLane<Scalar, std::uint32_t>;
    using FloatMask = bool;
    using WordMask = bool;
};

template <class Arch>
using Floats = typename Vectors<Arch>::Floats;
template <class Arch>
using Words = typename Vectors<Arch>::Words;
template <class Arch>
using FloatMask = typename Vectors<Arch>::FloatMask;
template <class Arch>
using WordMask = typename Vectors<Arch>::WordMask;
template <class Arch>
inline constexpr std::size_t kLanes = Floats<Arch>::size;

#if defined(__x86_64__)
template <class Arch>
inline constexpr bool kIsX86 = !std::is_same_v<Arch, Scalar>;
template <class Arch>
inline constexpr bool kHasSse42 = std::is_base_of_v<xsimd::sse4_2, Arch>;
template <class Arch>
inline constexpr bool kHasAvx2 = std::is_base_of_v<xsimd::avx2, Arch>;
template <class Arch>
inline constexpr bool kHasAvx512 = std::is_base_of_v<xsimd::avx512f, Arch>;
#endif

} // namespace throng::simd
