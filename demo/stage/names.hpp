// Names of structures and scenes on the command line, in the window and in the table.
#pragma once

#include "stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace throng::demo {

/// The structures that one can choose by name, in the order of StructureKind.
inline constexpr std::array<const char*, 7> kStructureNames = {
    "crowd",        "row_grid",   "double_grid", "tight_quadtree",
    "nested_index", "loose_tree", "brute_force"};

[[nodiscard]] constexpr const char* name_of(StructureKind kind) noexcept {
    return kind == StructureKind::ranks ? "ranks" : kStructureNames[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr std::optional<StructureKind> structure_of(std::string_view name) noexcept {
    for (std::size_t k = 0; k < kStructureNames.size(); ++k) {
        if (name == kStructureNames[k]) { return static_cast<StructureKind>(k); }
    }
    return std::nullopt;
}

/// Whether the structure can keep agents of this dimension.
[[nodiscard]] constexpr bool has_dimension(StructureKind kind, std::size_t dim) noexcept {
    const bool plane_only =
        kind == StructureKind::tight_quadtree || kind == StructureKind::nested_index;
    return dim == 2 || !plane_only;
}

/// With more agents, brute force would take minutes per frame: it tests all against all.
inline constexpr std::size_t kMostForBruteForce = 50'000;

[[nodiscard]] constexpr bool can_keep(StructureKind kind, std::size_t dim,
                                      std::size_t agents) noexcept {
    return has_dimension(kind, dim) &&
           (kind != StructureKind::brute_force || agents <= kMostForBruteForce);
}

/// The most ranks whose colours can be told apart.
inline constexpr std::uint32_t kMostRanks = 64;

/// Whether some agents are so large that ranks cannot keep them.
[[nodiscard]] constexpr bool has_giants(std::string_view scene) noexcept {
    return scene == "dragons" || scene == "stress";
}

inline constexpr std::array<const char*, 7> kSceneNames = {"bounce",  "boids", "evacuation", "city",
                                                           "dragons", "smoke", "stress"};

[[nodiscard]] constexpr std::size_t dimension_of(std::string_view scene) noexcept {
    return scene == "smoke" ? 3 : 2;
}

} // namespace throng::demo
