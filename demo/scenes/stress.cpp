// Hard cases for indexes, in turn: many agents on one spot, giants, full cells, some agents far
// outside the world.
#include "scenes.hpp"
#include "wave.hpp"

#include <algorithm>

namespace throng::demo {

namespace {

constexpr std::size_t kFramesEach = 8;
enum class Trouble : std::size_t { spots, giants, full_cells, outliers, count };

/// The number of agents that can share a spot, or a cell, with at most about eight million pairs.
std::size_t together(std::size_t agents) noexcept {
    constexpr std::size_t kMostPairs = std::size_t{1} << 23;
    return std::clamp<std::size_t>(2 * kMostPairs / agents, 16, agents < 16 ? 16 : agents);
}

class Stress final : public Scene<2> {
public:
    using Scene::Scene;
    [[nodiscard]] const char* name() const noexcept override { return "stress"; }

    void begin(std::size_t agents, People<2>& people) override {
        people.world = wide_world(agents, 1.0f);
        people.cell = 1.0f;
        people.radius = 1.0f;
        people.resize(agents);
        people.half.assign(agents, kUsual);
        for (std::size_t i = 0; i < agents; ++i) {
            set(people, i, 0);
        }
    }

    void move(People<2>& people, std::size_t frame, Executor& executor) override {
        for_blocks(executor, people.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                set(people, i, frame);
            }
        });
    }

private:
    static constexpr float kUsual = 0.25f;
    static constexpr std::size_t kOneIn = 1000; // one agent in this many is a giant, or an outlier

    /// The place and size of every agent follow from the frame alone.
    void set(People<2>& people, std::size_t i, std::size_t frame) const noexcept {
        const auto trouble =
            static_cast<Trouble>(frame / kFramesEach % static_cast<std::size_t>(Trouble::count));
        const auto step = static_cast<float>(frame % kFramesEach);
        Point<2> at = anywhere(people, i);
        float half = kUsual;
        switch (trouble) {
        case Trouble::spots:
            at = anywhere(people, i - i % together(people.size()));
            half = 0.1f;
            break;
        case Trouble::giants:
            if (i % kOneIn == 0) { half = people.side(1) * random_.between(0.01f, 0.04f, i, 3); }
            break;
        case Trouble::full_cells: {
            const Point<2> corner = anywhere(people, i - i % together(people.size()));
            for (std::size_t a = 0; a < 2; ++a) {
                at[a] = std::floor(corner[a]) + random_.unit(i, 4 + a);
            }
            half = 0.02f;
            break;
        }
        case Trouble::outliers:
            if (i % kOneIn == 0) {
                const float turn = random_.unit(i, 6);
                // From a thousand times the world's height up to distances whose squares just fit
                // into floats.
                const float far = people.side(1) * (i % (3 * kOneIn) == 0 ? 1e12f : 1e3f);
                at = {{far * wave(turn), far * wave(turn + 0.25f)}};
            }
            break;
        case Trouble::count:
            break;
        }
        for (std::size_t a = 0; a < 2; ++a) {
            at[a] += trouble == Trouble::spots ? 0.0f : 0.01f * step * random_.unit(i, 7 + a);
        }
        people.put(i, at);
        people.half[i] = half;
    }

    [[nodiscard]] Point<2> anywhere(const People<2>& people, std::size_t i) const noexcept {
        return {{random_.between(people.world.lo[0], people.world.hi[0], i, 1),
                 random_.between(people.world.lo[1], people.world.hi[1], i, 2)}};
    }
};

} // namespace

std::unique_ptr<Scene<2>> make_stress(std::uint64_t seed) { return std::make_unique<Stress>(seed); }

} // namespace throng::demo
