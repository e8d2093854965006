// The instruction sets the library is compiled for, and the one that runs. Free of xsimd.
#pragma once

#include "export.hpp"

#include <cstdint>

namespace throng {

/// In ascending order of preference on its own kind of machine.
enum class Isa : std::uint8_t {
    none, ///< this machine has no set that the build has, or not the one that THRONG_FORCE_ISA
          ///< names
    scalar,
    sse2, ///< and scalar: only where CMake's THRONG_ISAS names them there are kernels for them
    sse42,
    avx2,
    avx512,
    neon,
    wasm, ///< WebAssembly's, of 128 bits
};

/// The best set that the library has kernels for (CMake's THRONG_ISAS) and that this processor
/// *and* its operating system support, or the one of them that the environment variable
/// THRONG_FORCE_ISA names (scalar, sse2, sse4.2, avx2, avx512, neon, wasm). Decided at the first
/// call. While it is Isa::none, updates that need kernels say Cause::no_such_isa.
[[nodiscard]] THRONG_API Isa active_isa() noexcept;

/// Whether this processor *and* its operating system support a set, forced or not: for programs
/// with kernels of their own for several sets.
[[nodiscard]] THRONG_API bool can_run(Isa isa) noexcept;

/// As THRONG_FORCE_ISA spells it.
[[nodiscard]] THRONG_API const char* to_string(Isa isa) noexcept;

} // namespace throng
