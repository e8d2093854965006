// Smoke in space: particles rise in a swirl; they are brighter where they are dense.
#include "scenes.hpp"
#include "wave.hpp"

#include <algorithm>

namespace throng::demo {

namespace {

constexpr std::size_t kPlumes = 3;
constexpr float kFilled = 0.05f; // fraction of the world that smoke fills

class Smoke final : public Scene<3> {
    static constexpr float kFrame = 0.1f;

public:
    using Scene::Scene;
    [[nodiscard]] const char* name() const noexcept override { return "smoke"; }

    void begin(std::size_t agents, People<3>& people) override {
        // y is up, and z leads away from the viewer.
        const float volume = std::max(static_cast<float>(agents), 100.0f) / kFilled;
        height_ = std::cbrt(volume / (16.0f / 9.0f * 0.6f));
        people.world = {{}, {{height_ * (16.0f / 9.0f), height_, height_ * 0.6f}}};
        people.cell = 1.0f;
        people.radius = 1.25f;
        people.common_half = 0.1f;
        people.resize(agents);
        for (std::size_t i = 0; i < agents; ++i) {
            // Starts as if the smoke had been rising for a long time.
            const float risen = static_cast<float>(i) / static_cast<float>(agents);
            people.put(i, born(i, 0));
            people.position[1][i] = risen * height_;
            const float spread = 1.0f + 2.2f * risen;
            const float turn = 0.6f * risen;
            const Point<3> axis = axis_of(i, people.position[1][i]);
            const Point<3> base = axis_of(i, 0.0f);
            const float dx = (people.position[0][i] - base[0]) * spread;
            const float dz = (people.position[2][i] - base[2]) * spread;
            people.position[0][i] = axis[0] + dx * wave(turn + 0.25f) - dz * wave(turn);
            people.position[2][i] = axis[2] + dx * wave(turn) + dz * wave(turn + 0.25f);
        }
    }

    void move(People<3>& people, std::size_t frame, Executor& executor) override {
        for_blocks(executor, people.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                Point<3> at = people.at(i);
                const Point<3> v = wind(i, at, frame);
                for (std::size_t a = 0; a < 3; ++a) {
                    at[a] += v[a] * kFrame;
                }
                bool gone = false;
                for (std::size_t a = 0; a < 3; ++a) {
                    gone = gone || at[a] < people.world.lo[a] || at[a] > people.world.hi[a];
                }
                people.go(i, v);
                people.put(i, gone ? born(i, frame) : at);
            }
        });
    }

private:
    /// The middle of a plume at a height: plumes bend a little.
    [[nodiscard]] Point<3> axis_of(std::size_t i, float y) const noexcept {
        const auto plume = static_cast<float>(i % kPlumes);
        const float share = (plume + 0.5f) / static_cast<float>(kPlumes);
        const float sway = 0.05f * height_ * y / height_;
        return {{height_ * (16.0f / 9.0f) * (0.14f + 0.72f * share) +
                     sway * wave(1.1f * y / height_ + 0.37f * plume),
                 y, height_ * 0.3f + sway * wave(0.9f * y / height_ + 0.61f * plume)}};
    }

    /// A random place in the fire, where smoke starts.
    [[nodiscard]] Point<3> born(std::size_t i, std::size_t frame) const noexcept {
        const Point<3> axis = axis_of(i, 0.0f);
        const float turn = random_.unit(i, 8 * frame + 1);
        const float far = std::sqrt(random_.unit(i, 8 * frame + 2)) * height_ * 0.075f;
        return {{axis[0] + far * wave(turn), random_.unit(i, 8 * frame + 3) * height_ * 0.02f,
                 axis[2] + far * wave(turn + 0.25f)}};
    }

    [[nodiscard]] Point<3> wind(std::size_t i, const Point<3>& at,
                                std::size_t frame) const noexcept {
        const float up = height_ * 0.06f; // sixteen seconds to the top
        const float risen = at[1] / height_;
        const Point<3> axis = axis_of(i, at[1]);
        const float dx = at[0] - axis[0], dz = at[2] - axis[2];
        const float swirl = 0.35f / (1.0f + 8.0f * (dx * dx + dz * dz) / (height_ * height_));
        Point<3> v = {{-dz * swirl + 0.05f * dx, up, dx * swirl + 0.05f * dz}};
        // Eddies that neither gather nor thin out the smoke: the speed on each axis depends on the
        // two others (the flow of Arnold, Beltrami and Childress), and smaller eddies within them.
        const float now = static_cast<float>(frame % 65'536) * 0.002f;
        float size = height_ * 0.34f, strength = up * 0.75f * std::min(0.25f + 1.4f * risen, 1.0f);
        for (int octave = 0; octave < 3; ++octave) {
            const Point<3> p = {{at[0] / size, at[1] / size - now, at[2] / size}};
            v[0] += strength * (wave(p[2]) + wave(p[1] + 0.25f)) * 0.5f;
            v[1] += strength * (wave(p[0]) + wave(p[2] + 0.25f)) * 0.5f;
            v[2] += strength * (wave(p[1]) + wave(p[0] + 0.25f)) * 0.5f;
            size *= 0.43f;
            strength *= 0.62f;
        }
        v[1] = std::max(v[1], 0.2f * up);
        return v;
    }

    float height_ = 1.0f;
};

} // namespace

std::unique_ptr<Scene<3>> make_smoke(std::uint64_t seed) { return std::make_unique<Smoke>(seed); }

} // namespace throng::demo
