// Floating-point modes that a host may set on its threads.
#pragma once

#include <cfenv>
#include <cstdint>
#include <ostream>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace throng::test {

/// A rounding mode, and whether denormals count as zeros in operands and results.
struct FloatMode {
    int rounding;
    bool flush;

    friend std::ostream& operator<<(std::ostream& out, const FloatMode& mode) {
        const char* const way = mode.rounding == FE_UPWARD       ? "up"
                                : mode.rounding == FE_DOWNWARD   ? "down"
                                : mode.rounding == FE_TOWARDZERO ? "towards zero"
                                                                 : "to the nearest";
        return out << "rounding " << way << (mode.flush ? ", flushing denormals" : "");
    }
};

/// Modes in which a - b equals -(b - a); bounds of balls and of agents rely on that.
inline constexpr FloatMode kEvenModes[] = {
    {FE_TONEAREST, true}, {FE_TOWARDZERO, false}, {FE_TOWARDZERO, true}};
/// Modes in which a - b may differ from -(b - a).
inline constexpr FloatMode kUnevenModes[] = {
    {FE_UPWARD, false}, {FE_DOWNWARD, false}, {FE_UPWARD, true}};

/// Sets this thread's mode while the object lives.
class FloatModeScope {
public:
    explicit FloatModeScope(const FloatMode& mode) {
        std::fesetround(mode.rounding);
        if (!mode.flush) { return; }
#if defined(__SSE__)
        _mm_setcsr(_mm_getcsr() | 0x8040u);
#elif defined(__aarch64__)
        std::fenv_t with;
        std::fegetenv(&with);
        with.__fpcr |= 1u << 24;
        std::fesetenv(&with);
#endif
    }
    ~FloatModeScope() {
        std::fesetenv(&before_);
#if defined(__SSE__)
        _mm_setcsr(before_of_sse_);
#endif
    }
    FloatModeScope(const FloatModeScope&) = delete;
    FloatModeScope& operator=(const FloatModeScope&) = delete;

private:
    static std::fenv_t mode_of_caller() {
        std::fenv_t mode{}; // the memory sanitizer does not see what fegetenv() writes
        std::fegetenv(&mode);
        return mode;
    }
    const std::fenv_t before_ = mode_of_caller();
#if defined(__SSE__)
    const unsigned before_of_sse_ = _mm_getcsr(); // fenv_t does not contain it everywhere
#endif
};

/// All settings that decide how this thread computes, without the flags that record exceptions.
inline std::uint64_t float_controls() {
#if defined(__SSE__)
    constexpr unsigned kTraces = 0x3F;
    const auto rounding = static_cast<std::uint64_t>(std::fegetround());
    return (rounding << 32) | (_mm_getcsr() & ~kTraces);
#elif defined(__aarch64__)
    std::fenv_t mode{};
    std::fegetenv(&mode);
    return mode.__fpcr;
#else
    return static_cast<std::uint64_t>(std::fegetround());
#endif
}

} // namespace throng::test
