#include "brush.hpp"

namespace throng::demo {

namespace {

/// Whether the way from `at` meets the cell: on each axis it is inside from one time to another.
bool meets_way(const Brush& brush, const Box<2>& cell) noexcept {
    float enters = 0.0f, leaves = brush.size;
    for (std::size_t a = 0; a < 2; ++a) {
        const float low = cell.lo[a] - brush.at[a], high = cell.hi[a] - brush.at[a];
        const float way = brush.towards[a];
        if (way == 0.0f) {
            if (low > 0.0f || high < 0.0f) { return false; }
            continue;
        }
        enters = std::max(enters, std::min(low / way, high / way));
        leaves = std::min(leaves, std::max(low / way, high / way));
    }
    return enters <= leaves;
}

/// Whether all of the cell lies beyond one of the two edges of a view. One of more than half a turn
/// has no such side.
bool is_looked_past(const Brush& brush, const Box<2>& cell) noexcept {
    const float sine = std::sin(brush.view_angle * 0.5f),
                cosine = std::cos(brush.view_angle * 0.5f);
    if (cosine <= 0.0f) { return false; }
    const Point<2> left = {{-brush.towards[1], brush.towards[0]}};
    for (const float side : {1.0f, -1.0f}) {
        float nearest = 0.0f; // of the cell, along the normal of the edge
        for (std::size_t a = 0; a < 2; ++a) {
            const float away = side * cosine * left[a] - sine * brush.towards[a];
            nearest +=
                std::min(away * (cell.lo[a] - brush.at[a]), away * (cell.hi[a] - brush.at[a]));
        }
        if (nearest > 0.0f) { return true; }
    }
    return false;
}

} // namespace

bool touches(const Brush& brush, float reach, const Box<2>& cell) noexcept {
    if (brush.kind == BrushKind::ray) { return meets_way(brush, cell); }
    if (brush.kind == BrushKind::view && is_looked_past(brush, cell)) { return false; }
    float distance2 = 0.0f, furthest = 0.0f;
    for (std::size_t a = 0; a < 2; ++a) {
        const float outside = std::max({cell.lo[a] - brush.at[a], brush.at[a] - cell.hi[a], 0.0f});
        distance2 += outside * outside;
        furthest = std::max(furthest, outside);
    }
    return brush.kind == BrushKind::box ? furthest <= reach : distance2 <= reach * reach;
}

} // namespace throng::demo
