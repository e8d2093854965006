// Marks what a shared build of the library exports.
#pragma once

#include "same_library.hpp" // a user of anything exported must have the right library

#if defined(THRONG_SHARED)
#define THRONG_API __attribute__((visibility("default")))
#else
#define THRONG_API
#endif
