// Chooses, once per process, which compiled copy of the kernels runs.
#pragma once

#include "arch.hpp"
#include "isa.hpp"

#include <compiled_archs.hpp> // CMake writes it from THRONG_ISAS

#include <atomic>

namespace throng::simd {

/// The answer of active_isa(), once known. Stored because a single query is so short that calling
/// active_isa() each time would cost a noticeable part of its time.
inline std::atomic<Isa> g_known_isa{Isa::none};

/// Calls call(Arch{}) for active_isa(). Not xsimd::dispatch: it cannot be forced, so tests would
/// see one instruction set per machine, and in xsimd 8.1 its detection asks only the processor, not
/// the operating system, which must save the wide registers.
///
/// If active_isa() is Isa::none, calls nothing and returns an empty result: every index is empty
/// then, because updates and loads are refused.
template <class Call>
auto dispatch(const Call& call) {
    Isa isa = std::atomic_load_explicit(&g_known_isa, std::memory_order_relaxed);
    if (isa == Isa::none) [[unlikely]] {
        isa = active_isa();
        using Result = decltype(dispatch_among(CompiledArchs{}, isa, call));
        if (isa == Isa::none) { return Result(); }
        std::atomic_store_explicit(&g_known_isa, isa, std::memory_order_relaxed);
    }
    return dispatch_among(CompiledArchs{}, isa, call);
}

} // namespace throng::simd
