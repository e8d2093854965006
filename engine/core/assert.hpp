// Preconditions. Checked in debug builds, or wherever THRONG_ENABLE_ASSERTS is defined.
#pragma once

#include "../../simd/isa/export.hpp"

namespace throng {

/// Returns true to break into the debugger, false to carry on. The default prints to stderr and
/// returns true. May be called on any thread, and on many at once.
using AssertHandler = bool (*)(const char* expression, const char* file, int line);

/// Replaces the handler, at any time and from any thread; null brings the default back. Returns the
/// previous one.
THRONG_API AssertHandler set_assert_handler(AssertHandler handler) noexcept;

namespace detail {
THRONG_API bool assert_failed(const char* expression, const char* file, int line);
} // namespace detail

} // namespace throng

#if defined(THRONG_ENABLE_ASSERTS) || !defined(NDEBUG)
#define THRONG_ASSERT(expression)                                                                  \
    ((expression) || !::throng::detail::assert_failed(#expression, __FILE__, __LINE__)             \
         ? void(0)                                                                                 \
         : THRONG_TRAP())
#else
#define THRONG_ASSERT(expression) (void(sizeof(!(expression))))
#endif
