// What a kernel must not do: leave behind an inline function whose name no instruction set marks.
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
