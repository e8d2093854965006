#include "scenes.hpp"
#include "wave.hpp"

#include <stdexcept>
#include <string>

namespace throng::demo {

namespace {

template <std::size_t Dim>
struct Entry {
    std::string_view name;
    std::unique_ptr<Scene<Dim>> (*make)(std::uint64_t seed);
};

template <std::size_t Dim>
std::unique_ptr<Scene<Dim>> find_scene(std::span<const Entry<Dim>> scenes, std::string_view name,
                                       std::uint64_t seed) {
    for (const Entry<Dim>& scene : scenes) {
        if (scene.name == name) { return scene.make(seed); }
    }
    throw std::invalid_argument("there is no scene '" + std::string(name) + "'");
}

} // namespace

template <>
std::unique_ptr<Scene<2>> make_scene(std::string_view name, std::uint64_t seed) {
    constexpr Entry<2> kScenes[] = {{"bounce", make_bounce},         {"boids", make_boids},
                                    {"evacuation", make_evacuation}, {"city", make_city},
                                    {"dragons", make_dragons},       {"stress", make_stress}};
    return find_scene<2>(kScenes, name, seed);
}

template <>
std::unique_ptr<Scene<3>> make_scene(std::string_view name, std::uint64_t seed) {
    constexpr Entry<3> kScenes[] = {{"smoke", make_smoke}};
    return find_scene<3>(kScenes, name, seed);
}

void place_in_rows(People<2>& people, const Random& random) {
    const std::size_t agents = people.size();
    const float area = people.side(0) * people.side(1);
    const float step = std::sqrt(area / static_cast<float>(agents));
    const auto columns = static_cast<std::size_t>(std::ceil(people.side(0) / step));
    const std::size_t rows = (agents + columns - 1) / columns;
    const float across = people.side(0) / static_cast<float>(columns);
    const float along = people.side(1) / static_cast<float>(rows);
    for (std::size_t i = 0; i < agents; ++i) {
        people.put(
            i,
            {{people.world.lo[0] + (static_cast<float>(i % columns) + random.unit(i, 1)) * across,
              people.world.lo[1] + (static_cast<float>(i / columns) + random.unit(i, 2)) * along}});
    }
}

void draw_together(People<2>& people) {
    struct Wave {
        float x, y, phase; // waves over the height of the world, along each axis
    };
    constexpr Wave kWaves[] = {{1.2f, 0.7f, 0.1f},  {-0.9f, 1.3f, 0.6f}, {0.4f, -2.1f, 0.3f},
                               {2.6f, 1.1f, 0.8f},  {-2.2f, 2.4f, 0.2f}, {3.9f, -1.7f, 0.5f},
                               {-1.1f, -4.6f, 0.9f}};
    const float height = people.side(1);
    for (std::size_t i = 0; i < people.size(); ++i) {
        const Point<2> at = people.at(i);
        Point<2> by{};
        for (const Wave& w : kWaves) {
            const float turns = (at[0] * w.x + at[1] * w.y) / height + w.phase;
            const float push = wave(turns) * height * 0.045f / (w.x * w.x + w.y * w.y);
            by[0] += w.x * push;
            by[1] += w.y * push;
        }
        Point<2> moved = at;
        for (std::size_t a = 0; a < 2; ++a) {
            const float to_edge = std::min(at[a] - people.world.lo[a], people.world.hi[a] - at[a]);
            // Fades smoothly to zero towards the edge; otherwise no agents would be along it.
            const float t = std::min(to_edge / (0.25f * height), 1.0f);
            moved[a] += by[a] * t * t * (3.0f - 2.0f * t);
            moved[a] = std::clamp(moved[a], people.world.lo[a], people.world.hi[a]);
        }
        people.put(i, moved);
    }
}

void turn_back(People<2>& people, std::size_t agent) noexcept {
    const float half = people.half_of(agent);
    for (std::size_t a = 0; a < 2; ++a) {
        float& x = people.position[a][agent];
        float& v = people.velocity[a][agent];
        const float low = people.world.lo[a] + half, high = people.world.hi[a] - half;
        if (x < low || x > high) {
            v = x < low ? std::abs(v) : -std::abs(v);
            x = std::max(std::min(x, high), low);
        }
    }
}

} // namespace throng::demo
