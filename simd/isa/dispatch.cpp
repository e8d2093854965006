#include "dispatch.hpp"

#include "x86_features.hpp"

#include <array>
#include <cstdlib>
#include <cstring>

namespace throng {

bool can_run(Isa isa) noexcept {
    switch (isa) {
#if defined(__x86_64__)
    case Isa::scalar:
    case Isa::sse2: // part of x86-64 itself
        return true;
    case Isa::sse42:
        return simd::x86_features().sse42;
    case Isa::avx2:
        return simd::x86_features().avx2;
    case Isa::avx512:
        return simd::x86_features().avx512;
#elif defined(__aarch64__)
    case Isa::scalar:
    case Isa::neon: // part of 64-bit Arm itself
        return true;
#elif defined(__wasm_simd128__)
    case Isa::scalar:
    case Isa::wasm: // a module that has it is refused where it cannot run
        return true;
#else
    case Isa::scalar:
        return true;
#endif
    default:
        return false;
    }
}

namespace {

/// The sets that kernels are compiled for and those of other machines, best first.
constexpr std::array kBestFirst = {
    Isa::wasm,   Isa::neon, Isa::avx512, Isa::avx2, Isa::sse42,
#if defined(THRONG_KERNELS_SSE2)
    Isa::sse2,
#endif
    Isa::scalar,
};

Isa choose() noexcept {
    const char* const forced = std::getenv("THRONG_FORCE_ISA");
    const bool any = forced == nullptr || *forced == '\0';
    for (const Isa isa : kBestFirst) {
        if ((any || std::strcmp(forced, to_string(isa)) == 0) && can_run(isa)) { return isa; }
    }
    return Isa::none;
}

} // namespace

Isa active_isa() noexcept {
    static const Isa isa = choose();
    return isa;
}

const char* to_string(Isa isa) noexcept {
    switch (isa) {
    case Isa::none:
        break;
    case Isa::scalar:
        return "scalar";
    case Isa::sse2:
        return "sse2";
    case Isa::sse42:
        return "sse4.2";
    case Isa::avx2:
        return "avx2";
    case Isa::avx512:
        return "avx512";
    case Isa::neon:
        return "neon";
    case Isa::wasm:
        return "wasm";
    }
    return "none";
}

} // namespace throng
