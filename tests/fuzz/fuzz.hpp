// The form of every target.
#pragma once

#include "input.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::fuzz {

/// Does what the bytes say. GoogleTest's assertions end the program when they fail: then there is a
/// reproducer.
void run(Input& input);

} // namespace throng::fuzz
