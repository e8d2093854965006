// Floating-point modes that a host may have its threads in.
#pragma once

#include <cfenv>
#include <cstdint>
#include <ostream>

namespace throng::test {

/// Which way to round, and whether to take denormals for zeros, wherever they come from.
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

/// Modes in which a - b is -(b - a), which bounds of balls and of agents rely on.
inline constexpr FloatMode kEvenModes[] = {
    {FE_TONEAREST, true}, {FE_TOWARDZERO, false}, {FE_TOWARDZERO, true}};
/// Modes in which it is not.
inline constexpr FloatMode kUnevenModes[] = {
    {FE_UPWARD, false}, {FE_DOWNWARD, false}, {FE_UPWARD, true}};

/// Puts this thread in a mode while it lives.
class FloatModeScope {
public:
    explicit FloatModeScope(const FloatMode& mode) {
        std::fegetenv(&before_);
        std::fesetround(mode.rounding);
        if (!mode.flush) { return; }
        std::fenv_t with;
        std::fegetenv(&with);
#if defined(__x86_64__)
        with.__mxcsr |= 0x8040u;
#elif defined(__aarch64__)
        with.__fpcr |= 1u << 24;
#endif
        std::fesetenv(&with);
    }
    ~FloatModeScope() { std::fesetenv(&before_); }
    FloatModeScope(const FloatModeScope&) = delete;
    FloatModeScope& operator=(const FloatModeScope&) = delete;

private:
    std::fenv_t before_{};
};

/// All settings that decide how this thread computes, without the flags that computing sets.
inline std::uint64_t float_controls() {
    std::fenv_t mode = {}; // the memory sanitizer does not see what fegetenv() writes
    std::fegetenv(&mode);
#if defined(__x86_64__)
    constexpr std::uint32_t kTraces = 0x3F;
    return (std::uint64_t{mode.__control_word} << 32) | (mode.__mxcsr & ~kTraces);
#elif defined(__aarch64__)
    return mode.__fpcr;
#else
    return static_cast<std::uint64_t>(std::fegetround());
#endif
}

} // namespace throng::test
