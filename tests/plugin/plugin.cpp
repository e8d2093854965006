// A plug-in whose crowd is made when it is loaded and destroyed when it is unloaded, without
// main().
#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng {
namespace {

class World {
public:
    World() {
        std::vector<float> x, y;
        for (std::size_t i = 0; i < kSide * kSide; ++i) {
            x.push_back(static_cast<float>(i % kSide));
            y.push_back(static_cast<float>(i / kSide));
            balls_.push_back({{x.back(), y.back()}, 1.0f});
        }
        Agents<2> agents;
        agents.positions = PointView<2>::separate({x.data(), y.data()}, x.size());
        sound_ = crowd_.update(agents, pool_).ok();
    }

    [[nodiscard]] std::uint64_t neighbours() {
        Hits hits;
        const auto balls = std::span<const Ball<2>>(balls_);
        return sound_ && batch_.query(crowd_, balls, hits).ok() ? hits.total() : 0;
    }

private:
    static constexpr std::size_t kSide = 60;

    ThreadPool pool_{3};
    Crowd<2> crowd_;
    Batch<2> batch_{pool_};
    std::vector<Ball<2>> balls_;
    bool sound_ = false;
} world;

} // namespace
} // namespace throng

extern "C" __attribute__((visibility("default"))) std::uint64_t neighbours_in_plugin() {
    return throng::world.neighbours();
}
