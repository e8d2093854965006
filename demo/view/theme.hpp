// The colours and sizes of the window.
#pragma once

#include <imgui.h>

#include <array>

namespace throng::demo {

[[nodiscard]] constexpr ImU32 colour(int red, int green, int blue, float opacity = 1.0f) noexcept {
    return IM_COL32(red, green, blue, static_cast<int>(opacity * 255.0f + 0.5f));
}

namespace theme {

inline constexpr ImU32 kText = colour(226, 232, 242);
inline constexpr ImU32 kFaint = colour(138, 150, 174);
inline constexpr ImU32 kAccent = colour(168, 246, 112); ///< hits of a brush, and chosen buttons
inline constexpr ImU32 kTrouble = colour(255, 122, 112);

/// Colours of the parts of a frame: move, update, query, collide.
inline constexpr std::array<ImU32, 4> kParts = {colour(84, 112, 198), colour(122, 92, 214),
                                                colour(72, 190, 200), colour(240, 170, 84)};

} // namespace theme

/// The colour with this fraction of its opacity.
[[nodiscard]] constexpr ImU32 fainter(ImU32 shade, float share) noexcept {
    const auto opacity = static_cast<float>((shade >> IM_COL32_A_SHIFT) & 0xFFu);
    return (shade & ~IM_COL32_A_MASK) |
           (static_cast<ImU32>(opacity * share + 0.5f) << IM_COL32_A_SHIFT);
}

/// Sets ImGui's colours and sizes.
void apply_theme();

} // namespace throng::demo
