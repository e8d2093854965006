// Chooses, once per process, which compiled copy of the kernels runs.
#pragma once

#include "arch.hpp"
#include "isa.hpp"

#include <atomic>

namespace throng::simd {

/// What active_isa() said, once it was asked: a single query takes so little that a call more is
/// felt.
inline std::atomic<Isa> g_known_isa{Isa::none};

/// Calls body(Arch{}) for active_isa(). Not xsimd::dispatch: it cannot be forced, so tests would
/// see one instruction set per machine, and in xsimd 8.1 its detection asks only the processor, not
/// the operating system, which must save the wide registers.
///
/// Isa::none runs the scalar copy: there the index is empty, because every update is refused. With
/// THRONG_KERNELS_WASM alone, for a module that must be small, there is no scalar copy.
template <class Body>
decltype(auto) dispatch(const Body& body) {
#if defined(THRONG_KERNELS_WASM)
    return body(Wasm{});
#else
    Isa isa = std::atomic_load_explicit(&g_known_isa, std::memory_order_relaxed);
    if (isa == Isa::none) [[unlikely]] {
        isa = active_isa();
        std::atomic_store_explicit(&g_known_isa, isa, std::memory_order_relaxed);
    }
    switch (isa) {
#if defined(__x86_64__)
    case Isa::avx512:
        return body(Avx512{});
    case Isa::avx2:
        return body(Avx2{});
    case Isa::sse42:
        return body(Sse42{});
#if defined(THRONG_KERNELS_SSE2)
    case Isa::sse2:
        return body(Sse2{});
#endif
#elif defined(__aarch64__)
    case Isa::neon:
        return body(Neon{});
#elif defined(__wasm_simd128__)
    case Isa::wasm:
        return body(Wasm{});
#endif
    default:
        return body(Scalar{});
    }
#endif
}

} // namespace throng::simd
