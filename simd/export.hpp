// Marks what a shared build of the library exports.
#pragma once

#if defined(THRONG_SHARED)
#define THRONG_API __attribute__((visibility("default")))
#else
#define THRONG_API
#endif
