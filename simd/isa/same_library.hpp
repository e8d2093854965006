// Makes sure that a host program and the library agree on the layout of public types.
#pragma once

#include "compiler.hpp"
#include "version.hpp"

#include <cstddef> // tells which standard library this is

// The layout of public types may differ between versions of this library. As they contain standard
// containers, it also differs between standard libraries and their checked modes. The names that a
// linker compares do not tell such layouts apart.
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
// other library the host does not link; or it does not start, if the loader finds another shared
// library. The linker's message says which library was meant.
extern "C" {
extern
#if defined(THRONG_SHARED)
    THRONG_VISIBLE
#endif
    const char THRONG_LIBRARY;
}

namespace throng::detail {

THRONG_KEPT static constexpr const char* kLibrary = &THRONG_LIBRARY;

} // namespace throng::detail
