// A city: walkers have destinations, walk around houses, and make way for walkers that they see.
#include "contacts.hpp"
#include "scenes.hpp"
#include "town.hpp"
#include "walls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace throng::demo {

namespace {

constexpr float kMost = 2.2f;  // speed when making way
constexpr float kHurry = 2.0f; // fraction of the difference that walkers regain per second
constexpr float kThere = 1.2f; // a crossing is reached at this distance
constexpr std::size_t kHouses = 5000;

/// Has the interface of a kernel's lanes, for a single walker.
struct OneLane {
    using Floats = float;
    static float quotient(float a, float b) noexcept { return a / b; }
    static float smaller(float a, float b) noexcept { return a < b ? a : b; }
    static float larger(float a, float b) noexcept { return a > b ? a : b; }
};

class City final : public Scene<2> {
    static constexpr float kFrame = 1.0f / 20.0f;
    static constexpr float kSlowest = 1.0f, kFastest = 1.8f; // speeds that walkers prefer

public:
    using Scene::Scene;
    [[nodiscard]] const char* name() const noexcept override { return "city"; }

    void begin(std::size_t agents, People<2>& people) override {
        town_ = Town(std::clamp<std::size_t>(agents / 20, 2, kHouses), random_);
        people.world = town_.world();
        people.cell = 3.0f; // fused kernels are fastest with rows as high as the radius
        people.radius = 3.0f;
        people.common_half = 0.25f;
        people.resize(agents);
        for (std::vector<float>& axis : push_) {
            axis.assign(agents, 0.0f);
        }
        from_.resize(agents);
        to_.resize(agents);
        goal_.resize(agents);
        free_.assign(agents, 0.0f);
        add_walls(people);
        for (std::size_t i = 0; i < agents; ++i) {
            // Walkers are placed street after street, so that neighbours are near in memory too.
            from_[i] = static_cast<std::uint32_t>(i * town_.crossings() / agents);
            goal_[i] = other_goal(i, 0);
            to_[i] = next(i, 0);
            const Point<2> begin = town_.at(from_[i]), end = town_.lane(from_[i], to_[i]);
            const float share = random_.unit(i, 1), aside = random_.between(-0.8f, 0.8f, i, 2);
            const bool sideways = begin[1] == town_.at(to_[i])[1];
            people.put(i, {{begin[0] + share * (end[0] - begin[0]) + (sideways ? 0.0f : aside),
                            begin[1] + share * (end[1] - begin[1]) + (sideways ? aside : 0.0f)}});
        }
    }

    void move(People<2>& people, std::size_t frame, Executor& executor) override {
        for_blocks(executor, people.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Point<2> at = people.at(i);
                const Point<2> v = people.going(i), wanted = wish(i, at);
                Point<2> changed;
                for (std::size_t a = 0; a < 2; ++a) {
                    changed[a] = v[a] + ((wanted[a] - v[a]) * kHurry + push_[a][i]) * kFrame;
                }
                changed = shortened(changed, kMost);
                const Point<2> apart = shortened(people.touched.take(static_cast<Id>(i)), 0.1f);
                const Point<2> there = {{at[0] + changed[0] * kFrame + apart[0],
                                         at[1] + changed[1] * kFrame + apart[1]}};
                const Point<2> here = walls_.walk(at, there, people.common_half, free_[i]);
                people.put(i, here);
                // The speed is the distance actually walked, because walls stop the rest.
                people.go(i, shortened({{(here[0] - at[0] - apart[0]) / kFrame,
                                         (here[1] - at[1] - apart[1]) / kFrame}},
                                       kMost));
                arrive(i, here, frame);
            }
        });
    }

    /// One fused pass over all near pairs. After that, a walker that does not see all of its
    /// neighbours, because of walls, is pushed again only by those that it sees.
    Status look(People<2>& people, Structure<2>& structure, Executor&) override {
        const Walkers walkers = {{people.velocity[0].data(), people.velocity[1].data()},
                                 {push_[0].data(), push_[1].data()},
                                 people.neighbours.data(),
                                 std::max(people.radius, 0.01f),
                                 2.0f,
                                 0.7f};
        const auto fused = structure.steer(walkers, people.radius);
        if (fused && !fused->ok()) { return *fused; }
        return structure.visit_seen(walls_.obstacles(), people.radius,
                                    [&](Id agent, std::span<const Id> near) {
                                        if (fused && near.size() == people.neighbours[agent]) {
                                            return;
                                        }
                                        push_by_list(people, walkers, agent, near);
                                    });
    }

    Found collide(People<2>& people, Structure<2>& structure) override {
        return push_apart(people, structure);
    }

    void forget(People<2>& people) override { people.touched.reset(people.size()); }

private:
    void add_walls(People<2>& people) {
        const std::vector<Wall>& walls = town_.walls();
        for (const Wall& wall : walls) {
            for (std::size_t a = 0; a < 2; ++a) {
                people.wall[a].push_back((wall.from[a] + wall.to[a]) * 0.5f);
                const float half = std::abs(wall.to[a] - wall.from[a]) * 0.5f;
                // Without the round ends of the wall, which are inside the walls around the corner.
                people.wall_half[a].push_back(std::max(half, wall.thickness * 0.5f));
            }
        }
        ObstacleArrays<2> arrays;
        arrays.walls = {walls.data(), sizeof(Wall), walls.size()};
        walls_.build(arrays);
    }

    /// Does the kernel's work for one walker, over a list.
    void push_by_list(People<2>& people, const Walkers& walkers, Id agent,
                      std::span<const Id> near) {
        // Sums of floats depend on the order, so ids are sorted, whatever order the structure has.
        thread_local std::vector<Id> sorted;
        sorted.assign(near.begin(), near.end());
        std::sort(sorted.begin(), sorted.end());
        const Point<2> at = people.at(agent), own = people.going(agent);
        float sum[2] = {};
        for (const Id other : sorted) {
            const Point<2> there = people.at(other), its = people.going(other);
            const float offset[2] = {there[0] - at[0], there[1] - at[1]};
            const float way[2] = {its[0] - own[0], its[1] - own[1]};
            const float distance2 = offset[0] * offset[0] + offset[1] * offset[1];
            const auto push = Walkers::push_of<OneLane>(walkers, offset, way, distance2);
            for (std::size_t a = 0; a < 2; ++a) {
                sum[a] += push.by[a];
            }
        }
        for (std::size_t a = 0; a < 2; ++a) {
            push_[a][agent] = 0.0f - sum[a];
        }
        people.neighbours[agent] = static_cast<std::uint32_t>(near.size());
    }

    [[nodiscard]] Point<2> wish(std::size_t i, const Point<2>& at) const noexcept {
        const Point<2> target = town_.lane(from_[i], to_[i]);
        const Point<2> way = {{target[0] - at[0], target[1] - at[1]}};
        const float share =
            random_.between(kSlowest, kFastest, i, 3) / std::max(length(way), 1e-3f);
        return {{way[0] * share, way[1] * share}};
    }

    /// At a crossing, chooses the next crossing; at the goal, a new goal too.
    void arrive(std::size_t i, const Point<2>& at, std::size_t frame) noexcept {
        const Point<2> target = town_.lane(from_[i], to_[i]);
        if (length({{target[0] - at[0], target[1] - at[1]}}) > kThere) { return; }
        from_[i] = to_[i];
        if (from_[i] == goal_[i]) { goal_[i] = other_goal(i, frame); }
        to_[i] = next(i, frame);
    }
    [[nodiscard]] std::uint32_t next(std::size_t i, std::size_t frame) const noexcept {
        return static_cast<std::uint32_t>(
            town_.next(from_[i], goal_[i], random_.bits(i, 8 * frame + 5)));
    }
    [[nodiscard]] std::uint32_t other_goal(std::size_t i, std::size_t frame) const noexcept {
        const std::uint64_t count = town_.crossings();
        const std::uint64_t chance = random_.bits(i, 8 * frame + 6) % (count - 1);
        return static_cast<std::uint32_t>((from_[i] + 1 + chance) % count);
    }

    Town town_;
    Walls walls_;
    std::array<std::vector<float>, 2> push_;
    std::vector<float> free_;                     // distance free of walls ahead of each agent
    std::vector<std::uint32_t> from_, to_, goal_; // crossings of each agent
};

} // namespace

std::unique_ptr<Scene<2>> make_city(std::uint64_t seed) { return std::make_unique<City>(seed); }

} // namespace throng::demo
