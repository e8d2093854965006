#include "x86_features.hpp"

#if defined(__x86_64__)

#include <cpuid.h>
#include <initializer_list>

namespace throng::simd {
namespace {

constexpr unsigned bits(std::initializer_list<int> places) {
    unsigned all = 0;
    for (const int place : places) {
        all |= 1u << place;
    }
    return all;
}
constexpr bool has(unsigned word, unsigned wanted) { return (word & wanted) == wanted; }

// CPUID leaf 1, register ECX.
constexpr unsigned kSse42 = bits({20, 23}); // SSE4.2, POPCNT
constexpr unsigned kSaved = bits({27});     // xgetbv says which registers the system saves
constexpr unsigned kAvx = bits({28});
// CPUID leaf 7, register EBX.
constexpr unsigned kAvx2 = bits({3, 5, 8});              // BMI, AVX2, BMI2
constexpr unsigned kAvx512 = bits({16, 17, 28, 30, 31}); // F, DQ, CD, BW, VL
// Bits of xgetbv: the registers that the system must save for AVX2, and for AVX-512.
constexpr unsigned kWide = bits({1, 2});
constexpr unsigned kWidest = bits({1, 2, 5, 6, 7});

} // namespace

X86Features x86_features() noexcept {
    X86Features found;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0) { return found; }
    found.sse42 = has(c, kSse42);
    if (!has(c, kSse42 | kSaved | kAvx)) { return found; }
    // A register that the system does not save holds another thread's value after the next switch.
    unsigned saved = 0;
    __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) { return found; }
    found.avx2 = has(b, kAvx2) && has(saved, kWide);
    found.avx512 = found.avx2 && has(b, kAvx512) && has(saved, kWidest);
    return found;
}

} // namespace throng::simd

#endif
