// What arrays hold where nothing may be written.
#pragma once

#include <throng/engine/core/id.hpp>

namespace throng::test {

inline constexpr Id kCanary = 0xC0FF'EE00u;

} // namespace throng::test
