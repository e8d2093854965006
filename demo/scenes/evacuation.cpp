// A crowd finds its way out of a building with walls and doors; agents are in each other's way.
#include "building.hpp"
#include "contacts.hpp"
#include "scenes.hpp"
#include "walls.hpp"

#include <algorithm>
#include <vector>

namespace throng::demo {

namespace {

constexpr float kComfort = 0.75f; // agents nearer than this are too near
constexpr float kJam = 26.0f;     // with this many neighbours agents hardly move
constexpr float kOutside = 10.0f; // width of the world around the building

class Evacuation final : public Scene<2> {
    static constexpr float kFrame = 0.1f;
    static constexpr float kSpeed = 1.4f; // walking speed

public:
    using Scene::Scene;
    [[nodiscard]] const char* name() const noexcept override { return "evacuation"; }

    void begin(std::size_t agents, People<2>& people) override {
        people.world = wide_world(agents, 0.75f);
        Box<2> area = people.world;
        for (std::size_t a = 0; a < 2; ++a) {
            people.world.lo[a] -= kOutside;
            people.world.hi[a] += kOutside;
        }
        const float side = std::clamp(people.side(1) / 5.0f, 12.0f, 44.0f);
        building_ = Building(area, side, random_);
        people.cell = 1.0f;
        people.radius = 1.5f;
        people.common_half = 0.25f;
        people.resize(agents);
        building_.add_walls(people);
        std::vector<Box<2>> boxes;
        for (std::size_t w = 0; w < people.wall[0].size(); ++w) {
            boxes.push_back(Box<2>::around({{people.wall[0][w], people.wall[1][w]}},
                                           {{people.wall_half[0][w], people.wall_half[1][w]}}));
        }
        ObstacleArrays<2> arrays;
        arrays.boxes = {boxes.data(), sizeof(Box<2>), boxes.size()};
        walls_.build(arrays);
        free_.assign(agents, 0.0f);
        for (std::size_t i = 0; i < agents; ++i) {
            // Agents are placed room after room, so that neighbours are near in memory too.
            people.put(i, building_.place_in(i * building_.rooms() / agents,
                                             {{random_.unit(i, 1), random_.unit(i, 2)}}));
        }
    }

    void move(People<2>& people, std::size_t frame, Executor& executor) override {
        for_blocks(executor, people.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Id agent = static_cast<Id>(i);
                const Point<2> pushed = shortened(people.touched.take(agent), 0.25f);
                const Point<2> aside = aside_.take(agent);
                const Point<2> at = people.at(i);
                // The more neighbours, the slower an agent walks.
                const auto near = static_cast<float>(people.neighbours[i]);
                const float pace = std::clamp(1.0f - near / kJam, 0.1f, 1.0f);
                const Point<2> wanted = wish(people, at);
                Point<2> v = people.going(i);
                for (std::size_t a = 0; a < 2; ++a) {
                    v[a] += (wanted[a] * pace + aside[a] - v[a]) * 0.5f;
                }
                v = shortened(v, kSpeed);
                people.go(i, v);
                const Point<2> to = {
                    {at[0] + v[0] * kFrame + pushed[0], at[1] + v[1] * kFrame + pushed[1]}};
                people.put(i, walls_.walk(at, to, people.common_half, free_[i]));
                if (has_left(people, i)) { come_in(people, i, frame); }
            }
        });
    }

    Status look(People<2>& people, Structure<2>& structure, Executor&) override {
        return structure.visit_neighbours(people.radius, [&](Id agent, std::span<const Id> near) {
            people.neighbours[agent] = static_cast<std::uint32_t>(near.size());
            const Point<2> at = people.at(agent);
            for (const Id other : near) {
                const Point<2> there = people.at(other);
                const Point<2> away = {{at[0] - there[0], at[1] - there[1]}};
                const float distance = length(away);
                if (distance >= kComfort || distance < 1e-4f) { continue; }
                const float push = 1.2f * (1.0f - distance / kComfort) / distance;
                aside_.add(agent, {{away[0] * push, away[1] * push}});
            }
        });
    }

    Found collide(People<2>& people, Structure<2>& structure) override {
        return push_apart(people, structure);
    }

    void forget(People<2>& people) override {
        people.touched.reset(people.size());
        aside_.reset(people.size());
    }

private:
    /// The wanted direction: to the next door, or away from the building.
    [[nodiscard]] Point<2> wish(const People<2>& people, const Point<2>& at) const noexcept {
        if (const auto door = building_.next_from(at)) {
            const Point<2> way = {{(*door)[0] - at[0], (*door)[1] - at[1]}};
            const float share = kSpeed / std::max(length(way), 1e-3f);
            return {{way[0] * share, way[1] * share}};
        }
        Point<2> away{};
        float nearest = kLargest;
        for (std::size_t a = 0; a < 2; ++a) {
            const float below = at[a] - people.world.lo[a], above = people.world.hi[a] - at[a];
            if (std::min(below, above) < nearest) {
                nearest = std::min(below, above);
                away = {};
                away[a] = below < above ? -kSpeed : kSpeed;
            }
        }
        return away;
    }

    [[nodiscard]] static bool has_left(const People<2>& people, std::size_t i) noexcept {
        bool left = false;
        for (std::size_t a = 0; a < 2; ++a) {
            const float x = people.position[a][i];
            left = left || x < people.world.lo[a] + people.common_half ||
                   x > people.world.hi[a] - people.common_half;
        }
        return left;
    }

    /// An agent that has left starts again in some room, so that the scene never ends.
    void come_in(People<2>& people, std::size_t i, std::size_t frame) noexcept {
        const std::size_t room = random_.bits(i, 16 * frame + 3) % building_.rooms();
        people.put(i, building_.place_in(room, {{random_.unit(i, 16 * frame + 4),
                                                 random_.unit(i, 16 * frame + 5)}}));
        people.go(i, {});
        free_[i] = 0.0f;
    }

    Building building_;
    Walls walls_;
    std::vector<float> free_; // distance free of walls ahead of each agent
    Sums aside_;              // integers, since structures list neighbours in different orders
};

} // namespace

std::unique_ptr<Scene<2>> make_evacuation(std::uint64_t seed) {
    return std::make_unique<Evacuation>(seed);
}

} // namespace throng::demo
