#include "dispatch.hpp"

#include "kernel_isas.hpp"
#include "x86_features.hpp"

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
    case Isa::wasm: // a runtime without it refuses the module
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

template <class... Archs>
Isa choose(simd::ArchList<Archs...>) noexcept {
    const char* const forced = std::getenv("THRONG_FORCE_ISA");
    const bool any = forced == nullptr || *forced == '\0';
    for (const Isa isa : {simd::kIsaOf<Archs>...}) {
        if ((any || std::strcmp(forced, to_string(isa)) == 0) && can_run(isa)) { return isa; }
    }
    return Isa::none;
}

template <class... Archs>
std::string list(simd::ArchList<Archs...>) {
    std::string names;
    for (const Isa isa : {simd::kIsaOf<Archs>...}) {
        names += (names.empty() ? "" : ", ");
        names += to_string(isa);
    }
    return names;
}

} // namespace

std::string simd::kernel_isas() { return list(CompiledArchs{}); }

Isa active_isa() noexcept {
    static const Isa isa = choose(simd::CompiledArchs{});
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
