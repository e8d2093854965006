// The program of docs/sight.md.
#include <throng/throng.hpp>

#include <cstdio>
#include <vector>

int main() {
    // A wall from north to south, with agents on both sides of it and one beyond its end.
    const throng::Wall walls[] = {{{0.0f, -5.0f}, {0.0f, 5.0f}, 0.2f}};
    throng::ObstacleArrays<2> arrays;
    arrays.walls = {walls, sizeof walls[0], 1};
    throng::Obstacles<2> obstacles;

    const float x[] = {-2.0f, -3.0f, 2.0f, 0.0f};
    const float y[] = {0.0f, 1.0f, 0.0f, 8.0f};
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x, y}, 4);
    throng::Crowd<2> crowd;
    if (!obstacles.set(arrays).ok() || !crowd.update(agents).ok()) { return 1; }

    // Each agent's neighbours within 20 that it sees; answer k is agent k's.
    throng::InSight<2> in_sight;
    throng::Hits hits;
    if (!in_sight.neighbours(crowd, obstacles, {20.0f}, hits, throng::Order::ids).ok()) {
        return 1;
    }
    for (throng::Id id = 0; id < 4; ++id) {
        std::printf("%u sees %zu\n", id, hits.of(id).size());
    }
    // What agent 0 has in front of it, to the east: half of a disc, as far as the wall allows.
    const std::vector<throng::Sector<2>> views = {{{-2.0f, 0.0f}, 20.0f, {1.0f, 0.0f}, 0.0f}};
    if (!in_sight.query(crowd, obstacles, views, hits, throng::Filter{throng::kAllGroups, 0})
             .ok()) {
        return 1;
    }
    std::printf("in front of 0: %zu, the first is %u\n", hits.of(0).size(), hits.of(0)[0]);

    // The nearest that it sees: any condition goes with nearest_where().
    const auto sees = [&](throng::Id id) {
        return obstacles.sight(throng::Segment<2>{{x[0], y[0]}, {x[id], y[id]}}).count == 1;
    };
    const throng::Filter others = {throng::kAllGroups, 0};
    throng::Near near[1];
    if (nearest_where(crowd, throng::Point<2>{x[2], y[2]}, {.k = 1}, near, sees, others).count ==
        1) {
        std::printf("of those that 0 sees, %u is nearest to 2\n", near[0].id);
    }
}
