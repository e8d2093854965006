// Circles that bounce off each other and off the walls: the classic.
#include "contacts.hpp"
#include "scenes.hpp"
#include "wave.hpp"

namespace throng::demo {

namespace {

constexpr float kSpeed = 1.4f;
constexpr float kFrame = 1.0f / 30.0f;

class Bounce final : public Scene<2> {
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
        for (std::size_t i = 0; i < agents; ++i) {
            people.put(i, drawn_together(people, people.at(i)));
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
                    float& x = people.position[a][i];
                    float& v = people.velocity[a][i];
                    // Who is between several others would gain more than there is.
                    v = std::clamp(v + change[a], -4.0f * kSpeed, 4.0f * kSpeed);
                    const float low = people.world.lo[a] + people.common_half;
                    const float high = people.world.hi[a] - people.common_half;
                    x += v * kFrame;
                    if (x < low || x > high) {
                        v = x < low ? std::abs(v) : -std::abs(v);
                        x = std::clamp(x, low, high);
                    }
                }
            }
        });
    }

    Found collide(People<2>& people, Structure<2>& structure) override {
        return bounce_off(people, structure);
    }

private:
    /// Light at the bottom of a pool: an even crowd, moved by a few waves, is dense along lines.
    static Point<2> drawn_together(const People<2>& people, const Point<2>& at) noexcept {
        struct Wave {
            float x, y, phase; ///< crests in the height of the world, along each axis
        };
        constexpr Wave kWaves[] = {{1.2f, 0.7f, 0.1f},  {-0.9f, 1.3f, 0.6f}, {0.4f, -2.1f, 0.3f},
                                   {2.6f, 1.1f, 0.8f},  {-2.2f, 2.4f, 0.2f}, {3.9f, -1.7f, 0.5f},
                                   {-1.1f, -4.6f, 0.9f}};
        const float height = people.side(1);
        Point<2> moved = at;
        for (const Wave& w : kWaves) {
            const float crests = std::sqrt(w.x * w.x + w.y * w.y);
            const float turns = (at[0] * w.x + at[1] * w.y) / height + w.phase;
            const float by = wave(turns) * height * 0.045f / (crests * crests);
            moved[0] += w.x * by;
            moved[1] += w.y * by;
        }
        for (std::size_t a = 0; a < 2; ++a) {
            const float low = people.world.lo[a] + people.common_half;
            const float high = people.world.hi[a] - people.common_half;
            // Folded back in at the walls.
            moved[a] = moved[a] < low ? low + (low - moved[a]) : moved[a];
            moved[a] = moved[a] > high ? high - (moved[a] - high) : moved[a];
            moved[a] = std::clamp(moved[a], low, high);
        }
        return moved;
    }
};

} // namespace

std::unique_ptr<Scene<2>> make_bounce(std::uint64_t seed) { return std::make_unique<Bounce>(seed); }

} // namespace throng::demo
