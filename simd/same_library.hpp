// Sees to it that a host and the library mean the same by each type.
#pragma once

#include "version.hpp"

#include <cstddef> // says which standard library this is

// Versions may differ in the layout of any type, and so do standard libraries, checked containers
// included, of which public types are made. None of that is in the names that are linked.
#if defined(_LIBCPP_VERSION)
#define THRONG_LIBRARY_NAME(major, minor) throng_library_##major##_##minor##_for_libcxx
#elif defined(_GLIBCXX_DEBUG)
#define THRONG_LIBRARY_NAME(major, minor) throng_library_##major##_##minor##_for_glibcxx_debug
#else
#define THRONG_LIBRARY_NAME(major, minor) throng_library_##major##_##minor##_for_libstdcxx
#endif
#define THRONG_LIBRARY_OF(major, minor) THRONG_LIBRARY_NAME(major, minor)
#define THRONG_LIBRARY THRONG_LIBRARY_OF(THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR)

// Every file that includes this refers to an object that only the right library defines. With any
// other the host does not link, or, where another shared library is found in its place, does not
// start, and the linker says which one was meant.
extern "C" {
extern
#if defined(THRONG_SHARED)
    __attribute__((visibility("default")))
#endif
    const char THRONG_LIBRARY;
}

namespace throng::detail {

// Retained: a linker that drops what nobody uses would drop the reference first.
#if __has_attribute(retain)
[[gnu::used, gnu::retain]]
#else
[[gnu::used]]
#endif
static constexpr const char* kLibrary = &THRONG_LIBRARY;

} // namespace throng::detail
