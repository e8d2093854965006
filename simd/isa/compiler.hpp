// What compilers say each in their own words: the only one of the headers for hosts that knows any.
#pragma once

// clang-cl, which is clang with Microsoft's runtime, takes clang's word here and ignores
// Microsoft's.
#if defined(_MSC_VER) && !defined(__clang__)
#define THRONG_INLINE [[msvc::forceinline]]
#else
#define THRONG_INLINE [[gnu::always_inline]]
#endif

#if defined(_MSC_VER)
#define THRONG_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]] // the standard one is ignored
#define THRONG_VISIBLE
#define THRONG_KEPT // a constant that is used nowhere needs no more there
#define THRONG_TRAP() __debugbreak()
#else
#define THRONG_NO_UNIQUE_ADDRESS [[no_unique_address]]
#define THRONG_VISIBLE __attribute__((visibility("default")))
#define THRONG_TRAP() __builtin_trap()
// Retained: a linker that drops unused objects would drop a reference first.
#if defined(__ELF__) && __has_attribute(retain)
#define THRONG_KEPT [[gnu::used, gnu::retain]]
#else
#define THRONG_KEPT [[gnu::used]]
#endif
#endif
