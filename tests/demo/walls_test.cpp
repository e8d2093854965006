// No agent is pushed through a wall: over thousands of frames no centre is in a wall or crosses
// one. The geometry of this test uses nothing of the library.
#include "../../demo/command/make_stage.hpp"

#include <throng/engine/core/executor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using namespace throng::demo;

struct Place {
    double x, y;
};

/// Whether a segment has a point inside of a box.
bool crosses(const Place& from, const Place& to, const Place& middle, const Place& half) {
    double enter = 0.0, exit = 1.0;
    const auto cut = [&](double at, double way, double low, double high) {
        if (way == 0.0) {
            if (at <= low || at >= high) { exit = -1.0; }
            return;
        }
        const double one = (low - at) / way, other = (high - at) / way;
        enter = std::max(enter, std::min(one, other));
        exit = std::min(exit, std::max(one, other));
    };
    cut(from.x, to.x - from.x, middle.x - half.x, middle.x + half.x);
    cut(from.y, to.y - from.y, middle.y - half.y, middle.y + half.y);
    return enter < exit;
}

/// How many steps of a scene cross a wall.
std::size_t crossings(const char* scene, std::size_t agents, std::size_t frames) {
    Options options;
    options.scene = scene;
    options.agents = agents;
    const auto stage = make_stage(options, throng::serial_executor());
    const auto places = [&] {
        const Sight sight = stage->sight();
        std::vector<Place> all;
        for (std::size_t i = 0; i < sight.x.size(); ++i) {
            all.push_back({sight.x[i], sight.y[i]});
        }
        return all;
    };
    std::vector<Place> before = places();
    std::size_t through = 0, walked = 0, anew = 0;
    FrameTimes times;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        if (!stage->step(times).ok()) { return ~std::size_t{0}; }
        const std::vector<Place> now = places();
        const Sight sight = stage->sight();
        for (std::size_t i = 0; i < now.size(); ++i) {
            // Agents that leave the world begin again elsewhere; no real step is as long as 2.
            const bool jumps = std::hypot(now[i].x - before[i].x, now[i].y - before[i].y) > 2.0;
            anew += jumps ? 1 : 0;
            walked += jumps || (now[i].x == before[i].x && now[i].y == before[i].y) ? 0 : 1;
            const Place from = jumps ? now[i] : before[i];
            for (std::size_t w = 0; w < sight.wall_x.size(); ++w) {
                const Place middle = {sight.wall_x[w], sight.wall_y[w]};
                const Place half = {sight.wall_half_x[w], sight.wall_half_y[w]};
                through += crosses(from, now[i], middle, half) ? 1 : 0;
            }
        }
        before = now;
    }
    std::printf("%s: %zu of %zu steps go through walls; %zu agents have begun anew\n", scene,
                through, walked, anew);
    const bool alive = walked > agents * frames / 2;
    if (!alive) { std::printf("%s: most agents stand still\n", scene); }
    return alive ? through : ~std::size_t{0};
}

} // namespace

int main() {
    const bool evacuation = crossings("evacuation", 300, 10'000) == 0;
    const bool city = crossings("city", 300, 3'000) == 0;
    return evacuation && city ? 0 : 1;
}
