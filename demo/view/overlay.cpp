#include "overlay.hpp"

#include "text.hpp"
#include "theme.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/crowd/sets.hpp>

#include <algorithm>
#include <cmath>

namespace throng::demo {

namespace {

constexpr float kLeastSquare = 1.2f;           // pixels: smaller agents are dots among others
constexpr float kLeastDisc = 3.0f;             // pixels: smaller agents are squares
constexpr std::size_t kMostLines = 64;         // most lines from a brush to the nearest
constexpr ImU32 kGlow = colour(255, 214, 120); // cells met just now
constexpr ImU32 kOutline = colour(255, 255, 255, 0.9f);

ImVec2 at(const Pixel& pixel) noexcept { return {pixel.x, pixel.y}; }
ImVec2 upper_left(const ScreenArea& area) noexcept { return {area.left, area.top}; }
ImVec2 lower_right(const ScreenArea& area) noexcept { return {area.right, area.bottom}; }

/// Turns smoothing off: thin straight lines do not need it, and take far fewer triangles without
/// it.
class PlainLines {
public:
    explicit PlainLines(ImDrawList& list) : list_(list), flags_(list.Flags) {
        list.Flags &= ~(ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill);
    }
    ~PlainLines() { list_.Flags = flags_; }
    PlainLines(const PlainLines&) = delete;
    PlainLines& operator=(const PlainLines&) = delete;

private:
    ImDrawList& list_;
    ImDrawListFlags flags_;
};

/// A world may be far larger than the screen, so this cuts off a box so far outside that the cut
/// edges are invisible.
ScreenArea on_screen(const Box<2>& box, const ViewCamera& camera) noexcept {
    ScreenArea area = camera.to_screen(box);
    area.left = std::max(area.left, -8.0f);
    area.top = std::max(area.top, -8.0f);
    area.right = std::min(area.right, camera.width() + 8.0f);
    area.bottom = std::min(area.bottom, camera.height() + 8.0f);
    return area;
}

/// Calls call(place, half), in pixels, for each hit in view.
template <class Call>
void for_each_seen(const ViewState& state, const Sight& sight, const Call& call) {
    const Box<2> visible = state.camera.visible();
    for (const Id id : state.brushed.ids) {
        if (is_static(id)) { continue; }
        const Point<2> place = {{sight.x[id], sight.y[id]}};
        const float half = sight.half_of(id);
        if (!is_seen(Box<2>::around(place, Point<2>::all(half)), visible)) { continue; }
        call(state.camera.to_screen(place), half * state.camera.scale());
    }
}

void draw_wall(ImDrawList& list, const ViewCamera& camera, const Sight& sight, std::size_t wall) {
    const Box<2> box = Box<2>::around({{sight.wall_x[wall], sight.wall_y[wall]}},
                                      {{sight.wall_half_x[wall], sight.wall_half_y[wall]}});
    if (!is_seen(box, camera.visible())) { return; }
    const ScreenArea area = on_screen(box, camera);
    list.AddRectFilled(upper_left(area), lower_right(area), fainter(theme::kAccent, 0.35f));
    list.AddRect(upper_left(area), lower_right(area), theme::kAccent);
}

/// Draws a line with a shadow, to be visible over light and dark.
void stroke(ImDrawList& list, ImDrawFlags flags) {
    list.AddPolyline(list._Path.Data, list._Path.Size, colour(0, 0, 0, 0.45f), flags, 4.0f);
    list.PathStroke(kOutline, flags, 1.6f);
}

/// The distance from the brush to the farthest of the nearest, in pixels.
float furthest_of(const ViewState& state, const Sight& sight, const Pixel& centre) {
    float furthest = 0.0f;
    for_each_seen(state, sight, [&](const Pixel& place, float) {
        furthest = std::max(furthest, std::hypot(place.x - centre.x, place.y - centre.y));
    });
    return furthest;
}

} // namespace

void draw_world(ImDrawList& list, const Box<2>& world, const ViewCamera& camera) {
    const ScreenArea area = on_screen(world, camera);
    list.AddRect({area.left - 1.0f, area.top - 1.0f}, {area.right + 1.0f, area.bottom + 1.0f},
                 fainter(theme::kFaint, 0.35f));
}

void draw_cells(ImDrawList& list, const ShownCells& cells, const ViewCamera& camera) {
    const PlainLines plain(list);
    const auto deepest = static_cast<float>(std::max(cells.deepest(), 1u));
    for (const IndexCell<2>& cell : cells.cells()) {
        // Outer nodes are blue, inner ones green; the colour is stronger with more agents.
        const float depth = cells.deepest() == 0 ? 0.4f : static_cast<float>(cell.depth) / deepest;
        const auto mix = [&](float from, float to) {
            return static_cast<int>(from + (to - from) * depth);
        };
        const float opacity = cell.count == 0 ? 0.16f : 0.3f;
        const ScreenArea area = on_screen(cell.box, camera);
        // Small cells are fainter, because many of them would cover the agents.
        const float size = std::max(area.width(), area.height());
        const float share = std::clamp((size - 2.0f) / 14.0f, 0.2f, 1.0f);
        list.AddRect(upper_left(area), lower_right(area),
                     colour(mix(118, 120), mix(140, 226), mix(255, 200), opacity * share));
    }
}

void draw_glow(ImDrawList& list, std::span<const Glow::Cell> cells, const ViewState& state) {
    const PlainLines plain(list);
    const Box<2> visible = state.camera.visible();
    for (const Glow::Cell& cell : cells) {
        if (!is_seen(cell.box, visible)) { continue; }
        const ScreenArea whole = state.camera.to_screen(cell.box);
        const float size = std::max(whole.width(), whole.height());
        const float large = std::max(size / (1.5f * state.hand.size), 1.0f);
        const float light = cell.light * cell.light;
        const ScreenArea area = on_screen(cell.box, state.camera);
        list.AddRectFilled(upper_left(area), lower_right(area),
                           fainter(kGlow, 0.14f * light / (large * large)));
        if (std::min(area.width(), area.height()) >= ShownCells::kSmallest) {
            list.AddRect(upper_left(area), lower_right(area), fainter(kGlow, 0.38f * light));
        }
    }
}

void draw_hits(ImDrawList& list, const ViewState& state, const Sight& sight, Dots& dots) {
    for (const Id id : state.brushed.ids) {
        if (is_static(id)) { draw_wall(list, state.camera, sight, static_index(id)); }
    }
    dots.begin(state.camera.width(), state.camera.height());
    for_each_seen(state, sight, [&](const Pixel& place, float half) {
        if (half < kLeastSquare) {
            dots.set(place);
        } else if (half < kLeastDisc) {
            list.AddRectFilled({place.x - half, place.y - half}, {place.x + half, place.y + half},
                               fainter(theme::kAccent, 0.9f));
        } else {
            list.AddCircleFilled(at(place), half, fainter(theme::kAccent, 0.55f));
            list.AddCircle(at(place), half + 0.5f, theme::kAccent, 0, 1.5f);
        }
    });
    const PlainLines plain(list);
    dots.for_each_run([&](const ScreenArea& run) {
        list.AddRectFilled(upper_left(run), lower_right(run), fainter(theme::kAccent, 0.6f));
    });
}

void draw_brush(ImDrawList& list, const ViewState& state, const Sight& sight) {
    const Brush brush = state.hand.brush(state.camera);
    const Pixel centre = state.camera.to_screen(brush.at);
    const float reach = brush.size * state.camera.scale();
    // The y axis of screens points down.
    const float angle = std::atan2(-brush.towards[1], brush.towards[0]);
    float below = reach; // offset of the text below the centre
    switch (brush.kind) {
    case BrushKind::box:
        list.PathRect({centre.x - reach, centre.y - reach}, {centre.x + reach, centre.y + reach});
        stroke(list, ImDrawFlags_Closed);
        break;
    case BrushKind::circle:
        list.PathArcTo(at(centre), reach, 0.0f, 6.2831853f, 64);
        stroke(list, ImDrawFlags_Closed);
        break;
    case BrushKind::ray: {
        const ImVec2 end = {centre.x + brush.towards[0] * reach,
                            centre.y - brush.towards[1] * reach};
        list.PathLineTo(at(centre));
        list.PathLineTo(end);
        stroke(list, 0);
        for (const float side : {2.6f, -2.6f}) {
            list.PathLineTo(end);
            list.PathLineTo(
                {end.x + std::cos(angle + side) * 11.0f, end.y + std::sin(angle + side) * 11.0f});
            stroke(list, 0);
        }
        list.AddCircleFilled(at(centre), 3.5f, kOutline);
        below = 6.0f;
        break;
    }
    case BrushKind::nearest: {
        std::size_t lines = 0;
        for_each_seen(state, sight, [&](const Pixel& place, float) {
            if (++lines > kMostLines) { return; }
            list.AddLine(at(centre), at(place), fainter(theme::kAccent, 0.7f), 1.2f);
        });
        below = std::max(furthest_of(state, sight, centre), 6.0f);
        list.PathArcTo(at(centre), below, 0.0f, 6.2831853f, 64);
        stroke(list, ImDrawFlags_Closed);
        list.AddCircleFilled(at(centre), 3.5f, kOutline);
        break;
    }
    case BrushKind::view: {
        const float half = brush.view_angle * 0.5f;
        list.PathLineTo(at(centre));
        list.PathArcTo(at(centre), reach, angle - half, angle + half, 48);
        stroke(list, ImDrawFlags_Closed);
        list.AddCircleFilled(at(centre), 3.5f, kOutline);
        // The lowest point is on an edge, unless straight down is within the view.
        const float lowest = std::max(std::sin(angle - half), std::sin(angle + half));
        below = std::cos(half) < std::sin(angle) ? reach : std::max(reach * lowest, 6.0f);
        break;
    }
    }

    const std::string words = grouped(state.brushed.ids.size()) + " found \xC2\xB7 " +
                              duration(state.brushed.nanoseconds);
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    const float width = state.camera.width(), height = state.camera.height();
    ImVec2 corner = {centre.x - size.x * 0.5f, centre.y + below + 12.0f};
    corner.x = std::clamp(corner.x, 12.0f, std::max(width - size.x - 12.0f, 12.0f));
    corner.y = std::clamp(corner.y, 12.0f, std::max(height - size.y - 12.0f, 12.0f));
    list.AddRectFilled({corner.x - 8.0f, corner.y - 4.0f},
                       {corner.x + size.x + 8.0f, corner.y + size.y + 4.0f},
                       colour(10, 13, 20, 0.82f), 5.0f);
    list.AddText(corner, theme::kText, words.c_str());
}

} // namespace throng::demo
