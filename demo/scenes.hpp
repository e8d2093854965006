// All scenes, each in a file of its own.
#pragma once

#include "scene.hpp"

#include <cstdint>
#include <memory>

namespace throng::demo {

[[nodiscard]] std::unique_ptr<Scene<2>> make_bounce(std::uint64_t seed);

} // namespace throng::demo
