// A mistake that a kernel must not make: an inline function whose name shows no instruction set.
#include "../../../simd/isa/arch.hpp"

namespace throng::simd {

// NOLINTNEXTLINE(misc-definitions-in-headers)
[[gnu::noinline]] inline int planted_inline(int value) { return value + 1; }

template <class Arch>
int planted(Arch, int value) {
    return planted_inline(value);
}

template int planted(THRONG_KERNEL_ARCH, int);

} // namespace throng::simd
