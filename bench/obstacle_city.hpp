// A city of walls, for all programs that measure obstacles.
#pragma once

#include "../tests/support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/obstacles/moving.hpp>
#include <throng/engine/obstacles/obstacle_shapes.hpp>
#include <throng/engine/shapes/ball.hpp>
#include <throng/engine/shapes/capsule.hpp>
#include <throng/engine/shapes/oriented_box.hpp>
#include <throng/engine/shapes/segment.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::bench {

/// Walls of length 1 to 20, along the streets or in any direction; and agents in the storage order
/// of a crowd.
struct City {
    static constexpr float kSide = 1000.0f;
    static constexpr std::size_t kWalls = 20'000;
    static constexpr std::size_t kAgents = 1'000'000;

    std::vector<Wall> walls;
    std::vector<Point<2>> agents;
    std::vector<Ball<2>> balls;                ///< around the agents, with a radius of 3
    std::vector<Segment<2>> looks;             ///< lines of sight up to 10 long
    std::vector<Capsule<2>> steps;             ///< up to 1 long
    std::vector<Moving<2, OrientedBox>> carts; ///< turned boxes, 0.8 by 0.4, on the same steps
    std::vector<Moving<2, Capsule>> bodies;    ///< as long and wide as the carts
    std::vector<Point<2>> scattered;           ///< agents in random order
    std::vector<Segment<2>> scattered_looks;

    explicit City(bool straight, float thickness = 0.2f) {
        scenes::Random random(5);
        const auto turned = [&](float length) {
            float c = random.between(-1.0f, 1.0f), s = random.between(-1.0f, 1.0f);
            const float by = length / std::sqrt(c * c + s * s + 1e-6f);
            if (straight) {
                (random.below(2) == 0 ? c : s) = 0.0f;
                return Point<2>{{c == 0.0f ? 0.0f : length, s == 0.0f ? 0.0f : length}};
            }
            return Point<2>{{c * by, s * by}};
        };
        for (std::size_t i = 0; i < kWalls; ++i) {
            const Point<2> from = {{random.between(0, kSide), random.between(0, kSide)}};
            const Point<2> way = turned(random.between(1.0f, 20.0f));
            walls.push_back({from, {{from[0] + way[0], from[1] + way[1]}}, thickness});
        }
        std::vector<Point<2>> anywhere(kAgents);
        for (Point<2>& point : anywhere) {
            point = {{random.between(0, kSide), random.between(0, kSide)}};
        }
        throng::Crowd<2> crowd;
        Agents<2> all;
        all.positions = PointView<2>::interleaved(anywhere[0].axis.data(), kAgents);
        std::vector<Id> order(kAgents);
        if (crowd.update(all).ok()) { (void)crowd.order(order); }
        for (const Id id : order) {
            const Point<2>& from = anywhere[id];
            const auto near = [&](float most) {
                return Point<2>{{from[0] + most * 0.7f * random.between(-1.0f, 1.0f),
                                 from[1] + most * 0.7f * random.between(-1.0f, 1.0f)}};
            };
            agents.push_back(from);
            balls.push_back({from, 3.0f});
            looks.push_back({from, near(10.0f)});
            steps.push_back({from, near(1.0f), 0.3f});
            add_movers();
        }
        for (std::size_t i = 0; i < kAgents; ++i) {
            const std::uint32_t agent = random.below(kAgents);
            scattered.push_back(agents[agent]);
            scattered_looks.push_back(looks[agent]);
        }
    }

    [[nodiscard]] ObstacleArrays<2> arrays() const {
        ObstacleArrays<2> made;
        made.walls = {walls.data(), sizeof(Wall), walls.size()};
        return made;
    }

    static const City& get(bool straight) {
        static const City cities[] = {City(false), City(true)};
        return cities[straight ? 1 : 0];
    }

private:
    /// Adds a cart and a body that move along the last step.
    void add_movers() {
        const Point<2>& from = steps.back().from;
        const Point<2>& to = steps.back().to;
        const Point<2> way = {{to[0] - from[0], to[1] - from[1]}};
        const float by = 0.4f / std::sqrt(way[0] * way[0] + way[1] * way[1] + 1e-6f);
        const Point<2> ahead = {{by * way[0], by * way[1]}};
        const Point<2> left = {{-0.5f * ahead[1], 0.5f * ahead[0]}};
        carts.push_back({{from, {ahead, left}}, way});
        const Point<2> half = {{0.5f * ahead[0], 0.5f * ahead[1]}};
        bodies.push_back({{{{from[0] - half[0], from[1] - half[1]}},
                           {{from[0] + half[0], from[1] + half[1]}},
                           0.2f},
                          way});
    }
};

} // namespace throng::bench
