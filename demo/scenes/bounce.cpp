// Circles that bounce off each other and off the walls, the classic scene.
#include "contacts.hpp"
#include "scenes.hpp"
#include "wave.hpp"

namespace throng::demo {

namespace {

class Bounce final : public Scene<2> {
    static constexpr float kSpeed = 1.4f;
    static constexpr float kFrame = 1.0f / 30.0f;

public:
    using Scene::Scene;
    [[nodiscard]] const char* name() const noexcept override { return "bounce"; }

    void begin(std::size_t agents, People<2>& people) override {
        people.world = wide_world(agents, 1.0f);
        people.cell = 1.0f;
        people.radius = 2.0f;
        people.common_half = 0.25f;
        people.resize(agents);
        place_in_rows(people, random_);
        draw_together(people);
        for (std::size_t i = 0; i < agents; ++i) {
            const float turn = random_.unit(i, 3);
            const float speed = kSpeed * random_.between(0.5f, 1.5f, i, 4);
            people.go(i, {{speed * wave(turn + 0.25f), speed * wave(turn)}});
        }
    }

    void move(People<2>& people, std::size_t, Executor& executor) override {
        for_blocks(executor, people.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Point<2> change = people.touched.take(static_cast<Id>(i));
                for (std::size_t a = 0; a < 2; ++a) {
                    float& v = people.velocity[a][i];
                    // Limits the speed, because an agent between several others would gain too much
                    // energy.
                    v = std::clamp(v + change[a], -4.0f * kSpeed, 4.0f * kSpeed);
                    people.position[a][i] += v * kFrame;
                }
                turn_back(people, i);
            }
        });
    }

    Found collide(People<2>& people, Structure<2>& structure) override {
        return bounce_off(people, structure);
    }

    void forget(People<2>& people) override { people.touched.reset(people.size()); }
};

} // namespace

std::unique_ptr<Scene<2>> make_bounce(std::uint64_t seed) { return std::make_unique<Bounce>(seed); }

} // namespace throng::demo
