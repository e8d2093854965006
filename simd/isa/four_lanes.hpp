// Vectors of four lanes on WebAssembly, which xsimd 8.1 does not know; they read like xsimd's. For
// *.kernel.cpp files only.
#pragma once

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// A mask of four lanes of T, each all ones or all zeros.
template <class Arch, class T>
struct LaneMask {
    v128_t data;

    LaneMask() = default;
    LaneMask(v128_t bits) noexcept : data(bits) {}
    explicit LaneMask(bool all) noexcept : data(wasm_i32x4_splat(all ? -1 : 0)) {}

    friend LaneMask operator&(LaneMask a, LaneMask b) noexcept {
        return wasm_v128_and(a.data, b.data);
    }
    friend LaneMask operator|(LaneMask a, LaneMask b) noexcept {
        return wasm_v128_or(a.data, b.data);
    }
    friend LaneMask operator^(LaneMask a, LaneMask b) noexcept {
        return wasm_v128_xor(a.data, b.data);
    }
    friend LaneMask operator&&(LaneMask a, LaneMask b) noexcept { return a & b; }
    friend LaneMask operator||(LaneMask a, LaneMask b) noexcept { return a | b; }
    friend LaneMask operator~(LaneMask a) noexcept { return wasm_v128_not(a.data); }
    friend LaneMask operator!(LaneMask a) noexcept { return ~a; }
    LaneMask& operator&=(LaneMask b) noexcept { return *this = *this & b; }
    LaneMask& operator|=(LaneMask b) noexcept { return *this = *this | b; }
};

template <class Arch>
struct FourFloats {
    static constexpr std::size_t size = 4;
    using Mask = LaneMask<Arch, float>;
    v128_t data;

    FourFloats() = default;
    FourFloats(v128_t lanes) noexcept : data(lanes) {}
    explicit FourFloats(float all) noexcept : data(wasm_f32x4_splat(all)) {}
    static FourFloats load_unaligned(const float* from) noexcept { return wasm_v128_load(from); }
    void store_unaligned(float* to) const noexcept { wasm_v128_store(to, data); }

    friend FourFloats operator+(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_add(a.data, b.data);
    }
    friend FourFloats operator-(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_sub(a.data, b.data);
    }
    friend FourFloats operator*(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_mul(a.data, b.data);
    }
    friend FourFloats operator/(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_div(a.data, b.data);
    }
    friend FourFloats operator-(FourFloats a) noexcept { return wasm_f32x4_neg(a.data); }
    FourFloats& operator+=(FourFloats b) noexcept { return *this = *this + b; }
    FourFloats& operator-=(FourFloats b) noexcept { return *this = *this - b; }
    FourFloats& operator*=(FourFloats b) noexcept { return *this = *this * b; }
    FourFloats& operator/=(FourFloats b) noexcept { return *this = *this / b; }
    friend Mask operator<(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_lt(a.data, b.data);
    }
    friend Mask operator>(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_gt(a.data, b.data);
    }
    friend Mask operator<=(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_le(a.data, b.data);
    }
    friend Mask operator>=(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_ge(a.data, b.data);
    }
    friend Mask operator==(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_eq(a.data, b.data);
    }
    friend Mask operator!=(FourFloats a, FourFloats b) noexcept {
        return wasm_f32x4_ne(a.data, b.data);
    }
    friend FourFloats abs(FourFloats a) noexcept { return wasm_f32x4_abs(a.data); }
    friend FourFloats sqrt(FourFloats a) noexcept { return wasm_f32x4_sqrt(a.data); }
    friend FourFloats select(Mask mask, FourFloats a, FourFloats b) noexcept {
        return wasm_v128_bitselect(a.data, b.data, mask.data);
    }
};

template <class Arch>
struct FourWords {
    static constexpr std::size_t size = 4;
    using Mask = LaneMask<Arch, std::uint32_t>;
    v128_t data;

    FourWords() = default;
    FourWords(v128_t lanes) noexcept : data(lanes) {}
    explicit FourWords(std::uint32_t all) noexcept : data(wasm_u32x4_splat(all)) {}
    static FourWords load_unaligned(const std::uint32_t* from) noexcept {
        return wasm_v128_load(from);
    }
    void store_unaligned(std::uint32_t* to) const noexcept { wasm_v128_store(to, data); }

    friend FourWords operator+(FourWords a, FourWords b) noexcept {
        return wasm_i32x4_add(a.data, b.data);
    }
    friend FourWords operator-(FourWords a, FourWords b) noexcept {
        return wasm_i32x4_sub(a.data, b.data);
    }
    friend FourWords operator*(FourWords a, FourWords b) noexcept {
        return wasm_i32x4_mul(a.data, b.data);
    }
    friend FourWords operator&(FourWords a, FourWords b) noexcept {
        return wasm_v128_and(a.data, b.data);
    }
    friend FourWords operator|(FourWords a, FourWords b) noexcept {
        return wasm_v128_or(a.data, b.data);
    }
    friend FourWords operator^(FourWords a, FourWords b) noexcept {
        return wasm_v128_xor(a.data, b.data);
    }
    friend FourWords operator<<(FourWords a, int by) noexcept {
        return wasm_i32x4_shl(a.data, static_cast<std::uint32_t>(by));
    }
    friend FourWords operator>>(FourWords a, int by) noexcept {
        return wasm_u32x4_shr(a.data, static_cast<std::uint32_t>(by));
    }
    FourWords& operator+=(FourWords b) noexcept { return *this = *this + b; }
    FourWords& operator-=(FourWords b) noexcept { return *this = *this - b; }
    FourWords& operator*=(FourWords b) noexcept { return *this = *this * b; }
    friend Mask operator<(FourWords a, FourWords b) noexcept {
        return wasm_u32x4_lt(a.data, b.data);
    }
    friend Mask operator>(FourWords a, FourWords b) noexcept {
        return wasm_u32x4_gt(a.data, b.data);
    }
    friend Mask operator<=(FourWords a, FourWords b) noexcept {
        return wasm_u32x4_le(a.data, b.data);
    }
    friend Mask operator>=(FourWords a, FourWords b) noexcept {
        return wasm_u32x4_ge(a.data, b.data);
    }
    friend Mask operator==(FourWords a, FourWords b) noexcept {
        return wasm_i32x4_eq(a.data, b.data);
    }
    friend Mask operator!=(FourWords a, FourWords b) noexcept {
        return wasm_i32x4_ne(a.data, b.data);
    }
    friend FourWords min(FourWords a, FourWords b) noexcept {
        return wasm_u32x4_min(a.data, b.data);
    }
    friend FourWords max(FourWords a, FourWords b) noexcept {
        return wasm_u32x4_max(a.data, b.data);
    }
    friend FourWords select(Mask mask, FourWords a, FourWords b) noexcept {
        return wasm_v128_bitselect(a.data, b.data, mask.data);
    }
};

} // namespace throng::simd

#endif
