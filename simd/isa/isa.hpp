// The instruction sets the library is compiled for, and the one that runs. Free of xsimd.
#pragma once

#include "export.hpp"

#include <cstdint>

namespace throng {

/// The sets of each kind of machine are in ascending order of preference.
enum class Isa : std::uint8_t {
    none, ///< this machine runs no set of the build, or not the one that THRONG_FORCE_ISA names
    scalar,
    sse2, ///< like scalar, it has kernels only if CMake's THRONG_ISAS names it
    sse42,
    avx2,
    avx512,
    neon,
    wasm, ///< the 128-bit vectors of WebAssembly
};

/// The best set that the library has kernels for (CMake's THRONG_ISAS) and that this processor
/// *and* its operating system support; or, of these sets, the one that the environment variable
/// THRONG_FORCE_ISA names (scalar, sse2, sse4.2, avx2, avx512, neon, wasm). Decided at the first
/// call. If the answer is Isa::none, updates that need kernels fail with Cause::no_such_isa.
[[nodiscard]] THRONG_API Isa active_isa() noexcept;

/// Whether this processor *and* its operating system support a set, forced or not: for programs
/// with kernels of their own for several sets.
[[nodiscard]] THRONG_API bool can_run(Isa isa) noexcept;

/// The name of a set, as THRONG_FORCE_ISA spells it.
[[nodiscard]] THRONG_API const char* to_string(Isa isa) noexcept;

} // namespace throng
