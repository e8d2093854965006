#include "picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace throng::demo {

namespace {

constexpr Colour kLines = {0.60f, 0.74f, 0.96f};
constexpr Colour kFrame = {0.93f, 0.95f, 1.0f};

void draw_cells(const Stage& stage, const Camera& camera, const Painter& painter, Image& image) {
    const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
    const Point<2> low = camera.world_of(0.0f, height, image);
    const Point<2> high = camera.world_of(width, 0.0f, image);
    const float least = 3.0f * camera.units_per_pixel; // smaller ones would be invisible
    std::vector<Box<2>> boxes;
    stage.visit_cells([&](const IndexCell<2>& cell) {
        const Box<2>& box = cell.box;
        if (box.hi[0] - box.lo[0] > least && box.hi[1] - box.lo[1] > least && box.hi[0] >= low[0] &&
            box.lo[0] <= high[0] && box.hi[1] >= low[1] && box.lo[1] <= high[1]) {
            boxes.push_back(box);
        }
        return true;
    });
    // In space many boxes have the same outline, which is drawn once.
    std::sort(boxes.begin(), boxes.end(), [](const Box<2>& a, const Box<2>& b) {
        return std::pair(a.lo.axis, a.hi.axis) < std::pair(b.lo.axis, b.hi.axis);
    });
    boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
    painter.outline(boxes, camera, kLines, 0.4f, image);
}

/// The middle agent of the place with the most neighbours, among some hundred places.
Point<2> busiest_place(const Stage& stage) {
    constexpr std::array<std::size_t, 2> kPlaces = {32, 18};
    const Box<2> world = stage.world();
    const Sight sight = stage.sight();
    const auto places = [&](Id id) {
        std::array<float, 2> at = {sight.x[id], sight.y[id]};
        for (std::size_t a = 0; a < 2; ++a) {
            const float share = (at[a] - world.lo[a]) / (world.hi[a] - world.lo[a]);
            at[a] = std::clamp(share, 0.0f, 0.999f) * static_cast<float>(kPlaces[a]);
        }
        return at;
    };
    const auto number_of = [&](const std::array<float, 2>& at) {
        return static_cast<std::size_t>(at[1]) * kPlaces[0] + static_cast<std::size_t>(at[0]);
    };
    std::vector<double> busy(kPlaces[0] * kPlaces[1]);
    const Id agents = static_cast<Id>(sight.x.size());
    for (Id id = 0; id < agents; ++id) {
        busy[number_of(places(id))] += 1.0 + sight.neighbours[id];
    }
    const auto most =
        static_cast<std::size_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
    Id middle = 0;
    float least = 2.0f;
    for (Id id = 0; id < agents; ++id) {
        const std::array<float, 2> at = places(id);
        if (number_of(at) != most) { continue; }
        const float off =
            std::abs(at[0] - std::floor(at[0]) - 0.5f) + std::abs(at[1] - std::floor(at[1]) - 0.5f);
        if (off < least) {
            least = off;
            middle = id;
        }
    }
    return {{sight.x[middle], sight.y[middle]}};
}

/// Copies a smaller image into a larger one.
void lay_over(const Image& part, std::size_t left, std::size_t top, Image& image) {
    for (std::size_t y = 0; y < part.height; ++y) {
        std::copy_n(part.row(y), part.width * 4, image.row(top + y) + left * 4);
    }
}

/// Draws the busiest place enlarged, in the lower corner that is farther from it.
void draw_lens(const Stage& stage, bool overlay, const Camera& camera, Painter& painter,
               Image& image) {
    const Sight sight = stage.sight();
    Image lens(image.width * 3 / 10, image.height * 4 / 10);
    Camera near;
    near.centre = busiest_place(stage);
    // A body's radius is five pixels, or less if neighbours would otherwise be outside.
    near.units_per_pixel = std::max(painter.usual_half(sight) / 5.0f,
                                    4.0f * stage.radius() / static_cast<float>(lens.width));
    painter.paint(sight, near, lens);
    if (overlay) { draw_cells(stage, near, painter, lens); }

    const Point<2> seen = camera.pixel_of(near.centre, image);
    const std::size_t gap = image.height / 50;
    const bool on_left = seen[0] > static_cast<float>(image.width) * 0.5f;
    const std::size_t left = on_left ? gap : image.width - lens.width - gap;
    const std::size_t top = image.height - lens.height - gap;
    lay_over(lens, left, top, image);

    const auto as_box = [&](float x0, float y0, float x1, float y1) {
        const Point<2> low = camera.world_of(x0, y1, image), high = camera.world_of(x1, y0, image);
        return Box<2>{low, high};
    };
    const float ratio = near.units_per_pixel / camera.units_per_pixel;
    const float half_x = std::max(static_cast<float>(lens.width) * ratio * 0.5f, 9.0f);
    const float half_y = std::max(static_cast<float>(lens.height) * ratio * 0.5f, 9.0f);
    const auto x = static_cast<float>(left), y = static_cast<float>(top);
    const Box<2> frames[] = {
        as_box(seen[0] - half_x, seen[1] - half_y, seen[0] + half_x, seen[1] + half_y),
        as_box(x - 1.0f, y - 1.0f, x + static_cast<float>(lens.width) + 1.0f,
               y + static_cast<float>(lens.height) + 1.0f)};
    painter.outline(frames, camera, kFrame, 0.95f, image);
}

} // namespace

void draw_picture(const Stage& stage, bool overlay, Painter& painter, Image& image) {
    const Camera camera = Camera::over(stage.world(), image.width, image.height);
    painter.paint(stage.sight(), camera, image);
    if (overlay) { draw_cells(stage, camera, painter, image); }
    const float radius = painter.usual_half(stage.sight()) / camera.units_per_pixel;
    if (radius < 1.5f) { draw_lens(stage, overlay, camera, painter, image); }
}

} // namespace throng::demo
