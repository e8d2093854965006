// CMake's throng_add_kernel() compiles several copies of a host's kernels; on_active_isa() chooses
// which copy runs. docs/fused.md has an example.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "../simd/isa/arch.hpp"
#include "../simd/isa/isa.hpp"

#include <type_traits>

namespace throng {

namespace detail {
#ifdef THRONG_KERNEL_ARCHS
using HostArchs = simd::ArchList<THRONG_KERNEL_ARCHS>; ///< best first
#else
using HostArchs = simd::ArchList<>;
#endif
} // namespace detail

/// Calls call(Arch{}) for active_isa(), and returns its result. Under Isa::none, which refuses
/// every update, it calls nothing and returns a default result.
template <class Call, class Archs = detail::HostArchs>
auto on_active_isa(const Call& call) {
    static_assert(!std::is_same_v<Archs, simd::ArchList<>>,
                  "only in targets that throng_add_kernel() has added kernels to");
    using Result = decltype(simd::dispatch_among(Archs{}, Isa::none, call));
    const Isa isa = active_isa();
    return isa == Isa::none ? Result() : simd::dispatch_among(Archs{}, isa, call);
}

} // namespace throng

#include "../simd/isa/names_end.hpp"
