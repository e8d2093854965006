// Marks what a shared build of the library exports.
#pragma once

#include "compiler.hpp"
#include "same_library.hpp" // a user of anything exported must have the right library

#if defined(THRONG_SHARED)
#define THRONG_API THRONG_VISIBLE
#else
#define THRONG_API
#endif
