// What decides how a thread computes with floats.
#pragma once

#include <cfenv>

#if defined(_WIN32) && defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace throng {

/// Which way a thread rounds, and, on the processors that we know, what it does with denormals.
class FloatControls {
public:
    /// This thread's.
    FloatControls() noexcept { std::fegetenv(&mode_); }
    /// Puts this thread into them.
    void restore() const noexcept {
        std::fesetenv(&mode_);
#if defined(_WIN32) && defined(__x86_64__)
        _mm_setcsr(sse_);
#endif
    }

private:
    std::fenv_t mode_{};
#if defined(_WIN32) && defined(__x86_64__)
    // There <cfenv> may know of the old unit's settings alone, by which nothing here computes.
    unsigned sse_ = _mm_getcsr();
#endif
};

} // namespace throng
