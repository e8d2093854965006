// The program of docs/nearest.md.
#include <throng/throng.hpp>

#include <cstdio>
#include <vector>

int main() {
    // A house with four storeys: on each floor an agent in each of ten rooms in a row.
    std::vector<float> x, y;
    for (int i = 0; i < 40; ++i) {
        x.push_back(static_cast<float>(i % 10));
        y.push_back(static_cast<float>(i / 10 * 3));
    }
    const std::vector<bool> taken = {true, true, false,
                                     true}; // of the ground floor; others are free
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());
    throng::Crowd<2> crowd;
    if (!crowd.update(agents).ok()) { return 1; }
    const throng::Point<2> here = {0.0f, 0.0f};
    throng::Near near[3];
    const auto tell = [&](const char* what, std::size_t count) {
        std::printf("%s:", what);
        for (std::size_t i = 0; i < count; ++i) {
            std::printf(" %u", near[i].id);
        }
        std::printf("\n");
    };

    tell("nearest", crowd.nearest(here, {.k = 3}, near).count);
    // The next three: those that come after the last one.
    const throng::Near last = near[2];
    tell("then", crowd.nearest(here, {.k = 3, .after = last}, near).count);
    // No nearer than 2, and on this floor: at most half a storey below or above.
    const throng::HeightBand floor = {.up = 1, .below = 1.5f, .above = 1.5f};
    tell("down the hall", crowd.nearest(here, {.k = 3, .least = 2.0f, .band = floor}, near).count);
    // Whatever else counts is a predicate.
    const auto is_free = [&](throng::Id id) { return id >= taken.size() || !taken[id]; };
    tell("free", throng::nearest_where(crowd, here, {.k = 3}, near, is_free).count);
}
