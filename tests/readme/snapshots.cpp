// The programs of docs/snapshots.md.
#include <throng/throng.hpp>

#include <cstdio>
#include <span>
#include <thread>
#include <vector>

// What readers may keep: the index, and whatever else belongs to the same frame.
struct World {
    throng::RowGrid<2> grid;
    std::vector<float> health;
};

// The simulation, once a frame. Readers go on with the last frame until publish().
throng::Status build(throng::Snapshots<World>& worlds, const throng::Agents<2>& agents,
                     const std::vector<float>& health) {
    World& next = worlds.next(); // holds an old frame: everything is written anew
    const throng::Status status = next.grid.update(agents);
    if (!status.ok()) { return status; } // readers have seen nothing
    next.health = health;
    worlds.publish();
    return {};
}

// Tools, sound, the network: at any time, on any thread.
double health_near(const throng::Snapshots<World>& worlds, const throng::Ball<2>& ball) {
    const throng::Snapshot<World> world = worlds.acquire();
    if (!world) { return 0.0; } // nothing has been published yet
    double sum = 0.0;
    const auto add = [&](std::span<const throng::Id> near) {
        for (const throng::Id id : near) {
            sum += world->health[id]; // of the very frame that the grid is of
        }
        return true;
    };
    (void)world->grid.visit(ball, add);
    return sum;
}

int main() {
    const std::vector<float> x = {0.0f, 1.0f, 5.0f}, y = {0.0f, 1.0f, 5.0f};
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());
    throng::Snapshots<World> worlds;
    if (!build(worlds, agents, {0.5f, 0.25f, 1.0f}).ok()) { return 1; }
    double heard = 0.0;
    std::thread reader([&] { heard = health_near(worlds, {{0.0f, 0.0f}, 2.0f}); });
    for (int frame = 0; frame < 100; ++frame) {
        if (!build(worlds, agents, {0.5f, 0.25f, 1.0f}).ok()) { return 1; }
    }
    reader.join();
    std::printf("%g, and %d frames\n", heard, static_cast<int>(worlds.acquire().frame()));
}
