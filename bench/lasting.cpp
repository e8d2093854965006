// Lasting neighbour lists, over frames of a walking crowd.
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace throng::bench {

namespace {

/// 1.4 units per second at 60 frames per second.
constexpr float kStep = 1.4f / 60.0f;

/// Agents that walk straight on, and turn round at the border.
template <std::size_t Dim>
class Walk {
public:
    explicit Walk(const scenes::Scene<Dim>& scene) : scene_(scene) {
        scenes::Random random(41);
        const std::size_t count = scene_.position[0].size();
        for (std::size_t a = 0; a < Dim; ++a) {
            steps_[a].resize(count);
        }
        for (std::size_t i = 0; i < count; ++i) {
            Point<Dim> way;
            float length2 = 0.0f;
            while (length2 < 0.01f || length2 > 1.0f) {
                length2 = 0.0f;
                for (std::size_t a = 0; a < Dim; ++a) {
                    way[a] = random.between(-1.0f, 1.0f);
                    length2 += way[a] * way[a];
                }
            }
            for (std::size_t a = 0; a < Dim; ++a) {
                steps_[a][i] = kStep * way[a] / std::sqrt(length2);
            }
        }
    }

    void step() {
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t i = 0; i < steps_[a].size(); ++i) {
                float& x = scene_.position[a][i];
                if (x + steps_[a][i] < scene_.world.lo[a] ||
                    x + steps_[a][i] > scene_.world.hi[a]) {
                    steps_[a][i] = -steps_[a][i];
                }
                x += steps_[a][i];
            }
        }
    }
    [[nodiscard]] Agents<Dim> agents() { return scene_.agents(); }

private:
    scenes::Scene<Dim> scene_;
    std::array<std::vector<float>, Dim> steps_;
};

} // namespace

template <std::size_t Dim>
void lists_of_frames(benchmark::State& state, Crowd<Ball, Dim>& crowd, LastingWay way, float skin) {
    Walk<Dim> walk(crowd.scene());
    throng::Crowd<Dim> own;
    LastingNeighbours<Dim> lists({.neighbourhood = {.radius = kRadius}, .skin = skin});
    Batch<Dim> batch;
    Hits hits;
    Stopwatch watch;
    Status status;
    const auto frame = [&] {
        if (way != LastingWay::fresh) {
            status = lists.update(own, walk.agents());
            if (way == LastingWay::candidates || !status.ok()) { return; }
            status = lists.neighbours(walk.agents(), hits);
            return;
        }
        status = own.update(walk.agents());
        if (status.ok()) { status = batch.neighbours(own, {.radius = kRadius}, hits); }
    };
    frame();
    for (auto _ : state) {
        walk.step();
        watch.time(frame);
        watch.end_iteration(state);
        if (!status.ok()) { break; }
    }
    // Checks the last frame with a new crowd.
    throng::Crowd<Dim> again;
    bool right = status.ok() && again.update(walk.agents()).ok();
    if (way == LastingWay::candidates) {
        right = right && lists.neighbours(walk.agents(), hits).ok();
    }
    std::vector<std::uint32_t> counts(again.size());
    right =
        right && hits.total() == batch.count_neighbours(again, {.radius = kRadius}, counts).count;
    if (!right) { state.SkipWithError("the lists are not those of the frame"); }
    state.counters["made"] = static_cast<double>(lists.made());
    report(state, watch, {own.size(), hits.total(), lists.memory(), own.size()});
}

template void lists_of_frames(benchmark::State&, Crowd<Ball, 2>&, LastingWay, float);
template void lists_of_frames(benchmark::State&, Crowd<Ball, 3>&, LastingWay, float);

} // namespace throng::bench
