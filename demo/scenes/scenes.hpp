// All scenes, each in a file of its own.
#pragma once

#include "scene.hpp"

#include <cstdint>
#include <memory>

namespace throng::demo {

[[nodiscard]] std::unique_ptr<Scene<2>> make_bounce(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<Scene<2>> make_boids(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<Scene<2>> make_evacuation(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<Scene<2>> make_dragons(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<Scene<2>> make_city(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<Scene<3>> make_smoke(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<Scene<2>> make_stress(std::uint64_t seed);

} // namespace throng::demo
