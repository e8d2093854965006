// For containers that would grow beyond what they can number.
#pragma once

#include "../../simd/isa/export.hpp"

namespace throng {

/// Throw std::length_error and std::bad_array_new_length: in the library, so that hosts that are
/// compiled without exceptions can use containers.
[[noreturn]] THRONG_API void throw_too_long(const char* what);
[[noreturn]] THRONG_API void throw_no_such_length();

} // namespace throng
