// A crowd that avoids itself and walls, in the six steps of docs/tutorial.md. It teaches a frame:
// update the crowd, ask for the neighbours of all, and for the wall that is nearest to each.
#include <throng/throng.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program if a call was refused, and says why.
void demand(const throng::Status& status) {
    if (status.ok()) { return; }
    std::printf("%s\n", throng::to_string(status).c_str());
    std::exit(1);
}

constexpr float kRadius = 0.4f; // of a walker, who is a disc

// Where the walkers are, and how far each goes in a frame: arrays of yours, in any layout.
struct Walkers {
    std::vector<throng::Point<2>> at, step;
    Walkers() {
        for (int i = 0; i < 1'500; ++i) { // rows of 50, a metre apart
            at.push_back({{5.0f + static_cast<float>(i % 50), 5.0f + static_cast<float>(i / 50)}});
            step.push_back({{i % 2 == 0 ? 0.05f : -0.05f, i % 3 == 0 ? 0.03f : -0.03f}});
        }
    }
    throng::Agents<2> agents() const {
        throng::Agents<2> all;
        all.positions = throng::PointView<2>::interleaved(at[0].axis.data(), at.size());
        all.common_half_extent = {kRadius, kRadius};
        return all;
    }
};

// Moves walker i off what it touches, along the normal, and turns it away from there.
void move_off(Walkers& walkers, std::size_t i, const throng::Point<2>& normal, float by) {
    throng::Point<2>& step = walkers.step[i];
    const float into = std::min(0.0f, step[0] * normal[0] + step[1] * normal[1]);
    for (std::size_t a = 0; a < 2; ++a) {
        walkers.at[i][a] += normal[a] * by;
        step[a] -= 2.0f * into * normal[a];
    }
}

// Discs that overlap move apart, each by half of what is too much. Returns the least distance.
float push_apart(Walkers& walkers, const throng::Hits& near) {
    const std::vector<throng::Point<2>> at = walkers.at; // all see the same frame
    float nearest = 2.0f * kRadius;
    for (std::size_t i = 0; i < at.size(); ++i) {
        for (const throng::Id other : near.of(i)) {
            const float dx = at[i][0] - at[other][0] + (i < other ? 1e-3f : -1e-3f); // never 0
            const float dy = at[i][1] - at[other][1];
            const float distance = std::sqrt(dx * dx + dy * dy);
            move_off(walkers, i, {{dx / distance, dy / distance}}, kRadius - distance / 2.0f);
            nearest = std::min(nearest, distance);
        }
    }
    return nearest;
}

// A hall with two pillars. Obstacles keep their true shapes; you ask them beside the crowd.
throng::Obstacles<2> hall() {
    const throng::Point<2> a{{0, 0}}, b{{60, 0}}, c{{60, 40}}, d{{0, 40}};
    const throng::Wall walls[] = {{a, b, 1.0f}, {b, c, 1.0f}, {c, d, 1.0f}, {d, a, 1.0f}};
    const throng::Box<2> pillars[] = {{{19, 15}, {21, 25}}, {{39, 15}, {41, 25}}};
    throng::ObstacleArrays<2> arrays;
    arrays.walls = {walls, sizeof walls[0], 4};
    arrays.boxes = {pillars, sizeof pillars[0], 2};
    throng::Obstacles<2> obstacles;
    demand(obstacles.set(arrays));
    return obstacles;
}

// Who touches a wall is put back. Inside of a wall the distance is below zero.
void keep_out(Walkers& walkers, const std::vector<throng::ObstacleNear<2>>& walls) {
    for (std::size_t i = 0; i < walls.size(); ++i) {
        const float by = kRadius - walls[i].distance;
        if (by > 0.0f) { move_off(walkers, i, walls[i].normal, by); } // the normal points away
    }
}

int main() {
    Walkers walkers;
    std::printf("%zu walkers\n", walkers.at.size());

    throng::Crowd<2> crowd;
    demand(crowd.update(walkers.agents()));
    std::printf("%zu in the middle\n", crowd.count(throng::Ball<2>{{30, 20}, 3}).count);

    throng::Executor& threads = throng::default_executor(); // or your job system
    throng::Batch<2> batch(threads);
    throng::Hits near; // keep it: it allocates nothing once it has grown
    demand(batch.neighbours(crowd, {.radius = 1.0f}, near, throng::Order::ids));
    std::printf("%zu times one is near another\n", static_cast<std::size_t>(near.total()));

    const throng::Obstacles<2> obstacles = hall();
    std::vector<throng::ObstacleNear<2>> walls(walkers.at.size());
    demand(obstacles.nearest(walkers.at, walls, threads).status);
    std::printf("%.1f from the first to a wall\n", static_cast<double>(walls[0].distance));

    float apart = 0.0f;
    for (int frame = 0; frame < 300; ++frame) {
        for (std::size_t i = 0; i < walkers.at.size(); ++i) {
            walkers.at[i][0] += walkers.step[i][0];
            walkers.at[i][1] += walkers.step[i][1];
        }
        demand(crowd.update(walkers.agents(), threads));
        demand(batch.neighbours(crowd, {.radius = 2.0f * kRadius}, near, throng::Order::ids));
        apart = push_apart(walkers, near);
        demand(obstacles.nearest(walkers.at, walls, threads).status);
        keep_out(walkers, walls);
    }
    const float room = std::ranges::min(walls, {}, &throng::ObstacleNear<2>::distance).distance;
    std::printf("in the end %.1f from one to the next, %.1f to a wall\n",
                static_cast<double>(apart), static_cast<double>(room));
    return apart > 0.6f && room > 0.3f ? 0 : 1; // nearly twice the radius, and once
}
