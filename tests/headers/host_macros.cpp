// Includes every header of the library after macros that have names of the library, as windows.h,
// X11, Qt, Unreal and macOS define them. It is enough that this file compiles.

// Standard headers and other packages come first, because they would break on these macros.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <compare>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// windows.h, without NOMINMAX and WIN32_LEAN_AND_MEAN
#define near
#define far
#define small char
#define interface struct
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define ERROR 0
#define NO_ERROR 0
#define TRANSPARENT 1
#define OPAQUE 2
#define DELETE 0x00010000L
#define INFINITE 0xFFFFFFFF
#define THIS void
#define cdecl
#define pascal
#define ABSOLUTE 1
#define RELATIVE 2
#define DIFFERENCE 11
#define STRICT 1
#define PASSTHROUGH 19
#define CreateFile CreateFileW
#define GetObject GetObjectW
#define Polygon Polygon_

// Xlib.h and X.h
#define Status int
#define None 0L
#define Bool int
#define True 1
#define False 0
#define Always 2
#define Success 0
#define Above 0
#define Below 1
#define Unsorted 0
#define Complex 0
#define Convex 2
#define Nonconvex 1
#define CursorShape 0
#define FocusIn 9
#define Expose 12
#define KeyPress 2
#define GrayScale 1

// Qt
#define slots
#define signals public
#define emit
#define foreach(a, b) for (a : b)
#define forever for (;;)

// Unreal, and macOS' AssertMacros.h
#define check(expression)                                                                          \
    {}
#define verify(expression)                                                                         \
    {}
#define ensure(expression) (!!(expression))
#define require(a, b)
#define nil 0
#define YES 1
#define NO 0
#define TEXT(x) L##x
#define PI (3.1415926535897932f)
#define FORCEINLINE inline
#define INDEX_NONE -1
#define DELTA 0.00001f
#define SMALL_NUMBER 1e-8f
#define unimplemented()                                                                            \
    {}

// complex.h and sys/sysmacros.h
#define I _Complex_I
#define major(x) x
#define minor(x) x
#define B0 0

#include <throng/distributed.hpp>
#include <throng/family.hpp>
#include <throng/fused/for_each_neighbour.hpp>
#include <throng/throng.h>
#include <throng/throng.hpp>
#include <throng/throng_distributed.h>
#include <throng/throng_family.h>

// The macros must be unchanged after the library's headers.
static_assert(max(2, 3) == 3 && min(2, 3) == 2 && Convex == 2);
#if !defined(near) || !defined(far) || !defined(slots) || !defined(check)
#error "a header has taken a macro away"
#endif
Status throng_has_a_function_of_this_kind(small letter);
