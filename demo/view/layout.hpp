// Where the panels are on the screen.
#pragma once

#include "camera.hpp"

#include <algorithm>

namespace throng::demo {

namespace layout {

inline constexpr float kGap = 12.0f; ///< pixels, as for all values below
inline constexpr float kSideWidth = 288.0f;
inline constexpr float kPlotHeight = 150.0f;
inline constexpr float kLeast = 100.0f; ///< least space for the world beside the panels

} // namespace layout

/// The area of the side panel, along the left edge.
[[nodiscard]] inline ScreenArea side_panel(float height) noexcept {
    return {layout::kGap, layout::kGap, layout::kGap + layout::kSideWidth, height - layout::kGap};
}

/// The area of the plot, along the lower edge beside the side panel.
[[nodiscard]] inline ScreenArea plot_panel(float width, float height) noexcept {
    const float left = layout::kSideWidth + 2.0f * layout::kGap;
    return {left, height - layout::kPlotHeight - layout::kGap,
            std::max(width - layout::kGap, left + 2.0f * layout::kLeast), height - layout::kGap};
}

/// The area that the panels leave free. If the window is too small for that, the whole window,
/// whose panels then cover the world.
[[nodiscard]] inline ScreenArea free_area(float width, float height, bool panels) noexcept {
    const ScreenArea beside = {layout::kSideWidth + 2.0f * layout::kGap, layout::kGap,
                               width - layout::kGap,
                               height - layout::kPlotHeight - 2.0f * layout::kGap};
    const bool fits = beside.width() > layout::kLeast && beside.height() > layout::kLeast;
    return panels && fits ? beside : ScreenArea{0.0f, 0.0f, width, height};
}

[[nodiscard]] inline bool holds(const ScreenArea& area, const Pixel& pixel) noexcept {
    return pixel.x >= area.left && pixel.x < area.right && pixel.y >= area.top &&
           pixel.y < area.bottom;
}

} // namespace throng::demo
