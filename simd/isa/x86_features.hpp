// The features that an x86-64 processor has and its system lets programs use.
#pragma once

namespace throng::simd {

/// Each flag stands for all features that the kernels of that name need.
struct X86Features {
    bool sse42 = false;
    bool avx2 = false;
    bool avx512 = false;
};

/// Asks the processor itself: __builtin_cpu_supports() of clang-cl needs a library that programs on
/// Windows do not link.
X86Features x86_features() noexcept;

} // namespace throng::simd
