// Flocks: every boid steers by all others that it sees, in one fused pass without lists.
#include "../structures/flock.hpp"
#include "scenes.hpp"
#include "wave.hpp"

#include <algorithm>
#include <array>

namespace throng::demo {

namespace {

constexpr float kCohesion = 2.2f, kAlignment = 3.0f, kSeparation = 2.4f, kShy = 0.7f;

/// Does the kernel's work for structures without fused kernels: the same sums, over lists.
void steer_by_list(const People<2>& people, const Flock& flock, Id boid,
                   std::span<const Id> near) noexcept {
    const Point<2> at = people.at(boid), own = people.going(boid);
    Point<2> to{}, along{}, from{};
    for (const Id other : near) {
        const Point<2> there = people.at(other), its = people.going(other);
        const Point<2> offset = {{there[0] - at[0], there[1] - at[1]}};
        const float distance2 = offset[0] * offset[0] + offset[1] * offset[1];
        const float push = distance2 < flock.shy2 ? 1.0f / std::max(distance2, 0.01f) : 0.0f;
        for (std::size_t a = 0; a < 2; ++a) {
            to[a] += offset[a];
            along[a] += its[a];
            from[a] += offset[a] * push;
        }
    }
    const float mean = 1.0f / static_cast<float>(std::max<std::size_t>(near.size(), 1));
    for (std::size_t a = 0; a < 2; ++a) {
        const float way = to[a] * mean * flock.cohesion +
                          (along[a] * mean - own[a]) * flock.alignment - from[a] * flock.separation;
        flock.steering[a][boid] = near.empty() ? 0.0f : way;
    }
    flock.neighbours[boid] = static_cast<std::uint32_t>(near.size());
}

class Boids final : public Scene<2> {
    static constexpr float kSlowest = 3.0f, kFastest = 6.0f;
    static constexpr float kFrame = 1.0f / 30.0f;

public:
    using Scene::Scene;
    [[nodiscard]] const char* name() const noexcept override { return "boids"; }

    void begin(std::size_t agents, People<2>& people) override {
        people.world = wide_world(agents, 1.0f);
        people.cell = 2.0f; // fused kernels are fastest with rows as high as the radius
        people.radius = 2.0f;
        people.common_half = 0.15f;
        people.resize(agents);
        place_in_rows(people, random_);
        draw_together(people);
        const float size = std::min(people.side(1), 120.0f);
        for (std::size_t i = 0; i < agents; ++i) {
            // At first all boids of a region fly in one direction.
            const Point<2> at = people.at(i);
            const float x = at[0] / size, y = at[1] / size;
            const float turn = 0.3f * (wave(0.83f * x + 0.29f * y) + wave(0.41f * y - 0.67f * x) +
                                       wave(0.23f * x + 0.91f * y) + wave(1.37f * x - 0.53f * y)) +
                               random_.between(-0.1f, 0.1f, i, 3);
            people.go(i, {{kFastest * wave(turn + 0.25f), kFastest * wave(turn)}});
        }
        for (std::vector<float>& axis : steering_) {
            axis.assign(agents, 0.0f);
        }
    }

    void move(People<2>& people, std::size_t, Executor& executor) override {
        for_blocks(executor, people.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                Point<2> v = people.going(i);
                for (std::size_t a = 0; a < 2; ++a) {
                    v[a] += steering_[a][i] * kFrame + away_from_edges(people, a, i);
                }
                const float speed = std::max(length(v), 1e-3f);
                const float share = std::clamp(speed, kSlowest, kFastest) / speed;
                v = {{v[0] * share, v[1] * share}};
                people.go(i, v);
                people.put(i, {{people.position[0][i] + v[0] * kFrame,
                                people.position[1][i] + v[1] * kFrame}});
                turn_back(people, i);
            }
        });
    }

    Status look(People<2>& people, Structure<2>& structure, Executor&) override {
        const Flock flock = {{people.velocity[0].data(), people.velocity[1].data()},
                             {steering_[0].data(), steering_[1].data()},
                             people.neighbours.data(),
                             kCohesion,
                             kAlignment,
                             kSeparation,
                             kShy * kShy};
        if (const auto fused = structure.steer(flock, people.radius)) { return *fused; }
        return structure.visit_neighbours(people.radius, [&](Id boid, std::span<const Id> near) {
            steer_by_list(people, flock, boid, near);
        });
    }

private:
    /// Makes flocks turn before they reach the wall.
    static float away_from_edges(const People<2>& people, std::size_t a, std::size_t i) noexcept {
        constexpr float kNear = 6.0f, kTurn = 0.4f;
        const float below = people.position[a][i] - people.world.lo[a];
        const float above = people.world.hi[a] - people.position[a][i];
        return kTurn *
               (std::max(1.0f - below / kNear, 0.0f) - std::max(1.0f - above / kNear, 0.0f));
    }

    std::array<std::vector<float>, 2> steering_;
};

} // namespace

std::unique_ptr<Scene<2>> make_boids(std::uint64_t seed) { return std::make_unique<Boids>(seed); }

} // namespace throng::demo
