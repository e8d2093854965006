// Attributes and builtins that differ between compilers. No other public header names any.
#pragma once

// clang-cl, which is clang with Microsoft's runtime, takes clang's attribute here and ignores
// Microsoft's.
#if defined(_MSC_VER) && !defined(__clang__)
#define THRONG_INLINE [[msvc::forceinline]]
#else
#define THRONG_INLINE [[gnu::always_inline]]
#endif

#if defined(_MSC_VER)
#define THRONG_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]] // MSVC ignores the standard one
#define THRONG_VISIBLE
#define THRONG_KEPT // with MSVC an unused constant needs no attribute
#define THRONG_TRAP() __debugbreak()
#else
#define THRONG_NO_UNIQUE_ADDRESS [[no_unique_address]]
#define THRONG_VISIBLE __attribute__((visibility("default")))
#define THRONG_TRAP() __builtin_trap()
// `retain`: a linker that drops unused objects would drop the constant before it resolves the
// constant's reference to THRONG_LIBRARY.
#if defined(__ELF__) && __has_attribute(retain)
#define THRONG_KEPT [[gnu::used, gnu::retain]]
#else
#define THRONG_KEPT [[gnu::used]]
#endif
#endif
