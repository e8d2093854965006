// The settings by which a thread computes with floats.
#pragma once

#include <cfenv>

#if defined(_WIN32) && defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace throng {

/// A thread's rounding mode and, on the processors that we know, its treatment of denormals.
class FloatControls {
public:
    /// Notes the controls of this thread.
    FloatControls() noexcept { std::fegetenv(&mode_); }
    /// Sets this thread's controls to these.
    void restore() const noexcept {
        std::fesetenv(&mode_);
#if defined(_WIN32) && defined(__x86_64__)
        _mm_setcsr(sse_);
#endif
    }

private:
    std::fenv_t mode_{};
#if defined(_WIN32) && defined(__x86_64__)
    // On Windows <cfenv> may cover only the x87 unit, which nothing here computes with.
    unsigned sse_ = _mm_getcsr();
#endif
};

} // namespace throng
