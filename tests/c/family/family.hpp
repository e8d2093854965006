// Helpers of the tests of throng_family.h.
#pragma once

#include "../../support/scenes/scenes.hpp"
#include "../../support/visited.hpp"

#include <throng/throng_family.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {

/// All structures of a dimension.
inline std::vector<std::uint32_t> structures_of(std::size_t dimension) {
    std::vector<std::uint32_t> all = {THRONG_BRUTE_FORCE, THRONG_DOUBLE_GRID, THRONG_LOOSE_TREE};
    if (dimension == 2) { all.insert(all.end(), {THRONG_NESTED_QUADTREE, THRONG_TIGHT_QUADTREE}); }
    return all;
}

/// Visitors that append what they are shown to Ids and IdPairs.
inline std::int32_t gather(const std::uint32_t* ids, std::size_t count, void* user) {
    auto& all = *static_cast<Ids*>(user);
    all.insert(all.end(), ids, ids + count);
    return 1;
}
inline std::int32_t gather_pairs(const std::uint32_t* first, const std::uint32_t* second,
                                 std::size_t count, void* user) {
    for (std::size_t i = 0; i < count; ++i) {
        static_cast<IdPairs*>(user)->push_back(std::minmax(first[i], second[i]));
    }
    return 1;
}

/// Settings with bounds, and with cells for structures that have them; agents have their own
/// extents and groups.
template <std::size_t Dim>
throng_index_settings settings_for(std::uint32_t structure, const scenes::Scene<Dim>& scene) {
    throng_index_settings settings = THRONG_INDEX_SETTINGS_INIT;
    settings.structure = structure;
    settings.dimension = Dim;
    settings.given = THRONG_GIVEN_BOUNDS;
    if (structure == THRONG_DOUBLE_GRID) { settings.given |= THRONG_GIVEN_CELL; }
    settings.kept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    for (std::size_t a = 0; a < Dim; ++a) {
        settings.lo[a] = scene.world.lo[a];
        settings.hi[a] = scene.world.hi[a];
        settings.cell[a] = structure == THRONG_DOUBLE_GRID ? scene.cell[a] : 0.0f;
    }
    return settings;
}

} // namespace throng::test
