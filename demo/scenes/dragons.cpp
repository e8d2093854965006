// Hobbits flee from dragons, which are twenty to fifty times as large.
#include "contacts.hpp"
#include "scenes.hpp"
#include "wave.hpp"

#include <vector>

namespace throng::demo {

namespace {

constexpr float kHobbit = 0.2f; // half extent of a hobbit
constexpr float kStroll = 0.5f, kFlight = 4.5f, kDragonSpeed = 5.0f;
constexpr float kFearReach = 2.6f; // in half extents of a dragon
constexpr std::size_t kHobbitsADragon = 4000;

class Dragons final : public Scene<2> {
    static constexpr float kFrame = 0.1f;

public:
    using Scene::Scene;
    [[nodiscard]] const char* name() const noexcept override { return "dragons"; }

    void begin(std::size_t agents, People<2>& people) override {
        people.world = wide_world(agents, 1.0f);
        people.cell = 1.0f; // for hobbits: a crowd keeps dragons elsewhere
        people.radius = 2.0f;
        people.common_half = kHobbit;
        people.resize(agents);
        place_in_rows(people, random_);
        draw_together(people);
        people.half.assign(agents, kHobbit);
        const std::size_t dragons = std::min(agents / kHobbitsADragon + 2, (agents + 1) / 2);
        for (std::size_t d = 0; d < dragons; ++d) {
            dragons_.push_back(static_cast<Id>(d * agents / dragons));
        }
        for (const Id dragon : dragons_) {
            people.half[dragon] = kHobbit * random_.between(20.0f, 50.0f, dragon, 3);
            for (std::size_t a = 0; a < 2; ++a) {
                people.position[a][dragon] =
                    random_.between(people.world.lo[a], people.world.hi[a], dragon, 4 + a);
            }
        }
        for (std::size_t i = 0; i < agents; ++i) {
            const float turn = random_.unit(i, 6);
            const float speed = people.half[i] > kHobbit ? kDragonSpeed : kStroll;
            people.go(i, {{speed * wave(turn + 0.25f), speed * wave(turn)}});
        }
    }

    void move(People<2>& people, std::size_t frame, Executor& executor) override {
        for_blocks(executor, people.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Id agent = static_cast<Id>(i);
                const Point<2> pushed = people.touched.take(agent), fear = fear_.take(agent);
                Point<2> v = people.going(i);
                if (people.half[i] > kHobbit) {
                    v = turned(v, 0.012f * wave(static_cast<float>(frame % 4096) / 128.0f +
                                                random_.unit(i, 7)));
                } else {
                    // Fear fades, but a hobbit always strolls on.
                    const float calm = std::max(length(v) * 0.9f, kStroll);
                    v = shortened({{v[0] + 2.0f * fear[0], v[1] + 2.0f * fear[1]}},
                                  length(fear) > 0.01f ? kFlight : calm);
                }
                people.go(i, v);
                // No agent is thrown further in a frame than a body's width.
                const Point<2> push = shortened(pushed, 2.0f * kHobbit);
                people.put(i, {{people.position[0][i] + v[0] * kFrame + push[0],
                                people.position[1][i] + v[1] * kFrame + push[1]}});
                turn_back(people, i);
            }
        });
    }

    Status look(People<2>& people, Structure<2>& structure, Executor& executor) override {
        if (const Status status = structure.count_neighbours(people.radius, people.neighbours);
            !status.ok()) {
            return status;
        }
        // One ball around each dragon, in proportion to its size: hobbits in the ball see the
        // dragon.
        balls_.clear();
        for (const Id dragon : dragons_) {
            balls_.push_back({people.at(dragon), kFearReach * people.half[dragon]});
        }
        if (const Status status = structure.find(balls_, seen_); !status.ok()) { return status; }
        executor.run(balls_.size(), [&](std::size_t d) {
            for (const Id hobbit : seen_.of(d)) {
                const Point<2> at = people.at(hobbit);
                const Point<2> away = {{at[0] - balls_[d].centre[0], at[1] - balls_[d].centre[1]}};
                const float distance = std::max(length(away), 1e-3f);
                const float fright = (1.0f - distance / balls_[d].radius) / distance;
                fear_.add(hobbit, {{away[0] * fright, away[1] * fright}});
            }
        });
        return {};
    }

    Found collide(People<2>& people, Structure<2>& structure) override {
        return push_apart(people, structure);
    }

    void forget(People<2>& people) override {
        people.touched.reset(people.size());
        fear_.reset(people.size());
    }

private:
    static Point<2> turned(const Point<2>& v, float turns) noexcept {
        const float s = wave(turns), c = wave(turns + 0.25f);
        const Point<2> way = {{v[0] * c - v[1] * s, v[0] * s + v[1] * c}};
        const float share = kDragonSpeed / std::max(length(way), 1e-3f);
        return {{way[0] * share, way[1] * share}};
    }

    std::vector<Id> dragons_;
    std::vector<Ball<2>> balls_;
    Hits seen_;
    Sums fear_;
};

} // namespace

std::unique_ptr<Scene<2>> make_dragons(std::uint64_t seed) {
    return std::make_unique<Dragons>(seed);
}

} // namespace throng::demo
