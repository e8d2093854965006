// Neighbourhoods that are difficult for a scene.
#pragma once

#include "../../support/scenes/scenes.hpp"

#include <throng/engine/agents/nearest.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace throng::test {

/// Radii that find no agent, an agent exactly on the rim, or all agents; several groups.
template <std::size_t Dim>
[[nodiscard]] std::vector<Neighbourhood> neighbourhoods_for(const scenes::Scene<Dim>& scene) {
    const float cell = scene.cell[0];
    float apart = 1.0f;
    if (scene.size() > 1) {
        const Point<Dim> p = scene.position_of(0), q = scene.position_of(scene.size() / 2);
        float sum = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            sum += (p[a] - q[a]) * (p[a] - q[a]);
        }
        apart = std::min(std::sqrt(sum), kLargest);
    }
    return {{cell, false, kAllGroups},
            {2.5f * cell, false, 0x8000'0002u},
            {0.0f, true, kAllGroups},
            {10.0f, true, kAllGroups - 1}, // the rims of triangles with whole sides
            {apart, false, kAllGroups},
            {cell, true, 0x3u},
            {kLargest, false, kAllGroups},
            {0.0f, false, kAllGroups},
            {cell, true, 0u}};
}

} // namespace throng::test
