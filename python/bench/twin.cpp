// The same calls as overhead.py makes, straight through the C++ API: a library that it loads into
// its own process, so that both run on the same core, with the same allocator.
#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace throng;

struct Work {
    float extent, radius;
    std::uint32_t k;
};

template <std::size_t Dim>
class Twin {
public:
    Twin(std::vector<float> numbers, std::size_t threads, const Work& work)
        : pool_(threads), numbers_(std::move(numbers)), work_(work) {
        const std::size_t count = numbers_.size() / Dim;
        agents_.positions = PointView<Dim>::interleaved(numbers_.data(), count);
        agents_.common_half_extent = Point<Dim>::all(work.extent);
        for (std::size_t i = 0; i < count; ++i) {
            Point<Dim> point;
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] = numbers_[i * Dim + a];
            }
            points_.push_back(point);
            balls_.push_back({point, work.radius});
        }
        if (!crowd_.update(agents_, pool_).ok()) { std::exit(1); }
    }

    /// The number of hits of a call; an update finds all agents.
    std::uint64_t run(const std::string& call) {
        bool ok = true;
        std::uint64_t found = 0;
        if (call == "update") {
            ok = crowd_.update(agents_, pool_).ok();
            found = crowd_.size();
        } else if (call == "query_balls") {
            ok = batch_.query(crowd_, balls_, hits_).ok();
            found = hits_.total();
        } else if (call == "neighbours") {
            ok = batch_.neighbours(crowd_, {work_.radius}, hits_, Order::ids).ok();
            found = hits_.total();
        } else if (call == "pairs") {
            ok = batch_.pairs(crowd_, pairs_).ok();
            found = pairs_.count;
        } else if (call == "nearest") {
            ok = batch_.nearest(crowd_, points_, {work_.k}, near_).ok();
            found = near_.counts.size() * work_.k;
        } else {
            ok = false;
        }
        if (!ok) { std::exit(1); }
        return found;
    }

private:
    ThreadPool pool_;
    std::vector<float> numbers_;
    Work work_;
    Agents<Dim> agents_;
    std::vector<Point<Dim>> points_;
    std::vector<Ball<Dim>> balls_;
    Crowd<Dim> crowd_;
    Batch<Dim> batch_{pool_};
    Hits hits_;
    Pairs pairs_;
    NearHits near_;
};

/// The twin that was made last; overhead.py makes one.
std::function<std::uint64_t(const char*)> g_run;

template <std::size_t Dim>
void make(std::vector<float> numbers, std::size_t threads, const Work& work) {
    const auto twin = std::make_shared<Twin<Dim>>(std::move(numbers), threads, work);
    g_run = [twin](const char* call) { return twin->run(call); };
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) void twin_make(const float* numbers, std::uint64_t agents,
                                                      std::uint64_t dim, std::uint64_t threads,
                                                      float extent, float radius, std::uint32_t k) {
    std::vector<float> copy(numbers, numbers + agents * dim);
    (dim == 3 ? make<3> : make<2>)(std::move(copy), threads, {extent, radius, k});
}

__attribute__((visibility("default"))) void twin_end() { g_run = nullptr; }

/// Nanoseconds that the call took; writes its number of hits.
__attribute__((visibility("default"))) std::int64_t twin_run(const char* call,
                                                             std::uint64_t* found) {
    const auto begin = std::chrono::steady_clock::now();
    *found = g_run(call);
    return std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
}

} // extern "C"
