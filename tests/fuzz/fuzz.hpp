// The function that every target defines.
#pragma once

#include "input.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::fuzz {

/// Does what the bytes say. A failed assertion of GoogleTest ends the program, so that the fuzzer
/// keeps the input as a reproducer.
void run(Input& input);

} // namespace throng::fuzz
