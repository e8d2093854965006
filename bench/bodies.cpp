// The cost of bodies in questions: balls, and the nearest to points and to all agents, alternately
// by centres and by bodies. Prints nanoseconds per question, and the ratio to centres:
// docs/bodies.md.
#include "../tests/support/random.hpp"

#include <throng/throng.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace throng::bench {

namespace {

constexpr Body kBodies[] = {Body::centre, Body::box, Body::disc};

/// Evenly spread agents, one for each unit of area or volume, and a question at each agent.
template <std::size_t Dim>
class Scene {
public:
    Scene(std::size_t count, bool own) : count_(count) {
        scenes::Random random(3);
        const float side = std::pow(static_cast<float>(count), 1.0f / static_cast<float>(Dim));
        for (std::size_t i = 0; i < count * Dim; ++i) {
            positions_.push_back(random.between(0.0f, side));
            half_.push_back(kRadius * random.between(0.05f, 0.15f));
        }
        Agents<Dim> agents;
        agents.positions = PointView<Dim>::interleaved(positions_.data(), count);
        agents.common_half_extent = Point<Dim>::all(0.1f * kRadius);
        if (own) { agents.half_extents = PointView<Dim>::interleaved(half_.data(), count); }
        std::vector<Id> order(count);
        if (!crowd_.update(agents).ok() || crowd_.order(order) != count) { std::abort(); }
        for (const Id id : order) {
            Point<Dim> point;
            std::copy_n(positions_.begin() + static_cast<std::ptrdiff_t>(id * Dim), Dim,
                        point.axis.begin());
            points_.push_back(point);
            balls_.push_back({point, kRadius});
        }
    }

    void measure(int rounds, const char* name) {
        compare(rounds, name, "ids of balls", [&](auto& batch, const auto& balls, Body) {
            return batch.query(crowd_, balls, hits_);
        });
        compare(rounds, name, "counts of balls", [&](auto& batch, const auto& balls, Body) {
            counts_.resize(count_);
            return batch.count(crowd_, balls, counts_).status;
        });
        for (const std::uint32_t k : {1u, 8u}) {
            compare(rounds, name, k == 1 ? "the nearest" : "the 8 nearest",
                    [&](auto& batch, const auto&, Body body) {
                        return batch.nearest(crowd_, points_, {.k = k, .body = body}, near_);
                    });
        }
        for (const std::uint32_t k : {1u, 8u}) {
            compare(rounds, name, k == 1 ? "each agent's nearest" : "each agent's 8 nearest",
                    [&](auto& batch, const auto&, Body body) {
                        return batch.nearest_neighbours(crowd_, {.k = k, .body = body}, near_);
                    });
        }
    }

private:
    static constexpr float kRadius = Dim == 2 ? 1.8f : 1.35f; // about ten agents

    /// Calls ask(batch, balls, body) for centres with plain balls, then for bodies.
    template <class Ask>
    void compare(int rounds, const char* name, const char* what, const Ask& ask) {
        Batch<Dim> batch(serial_executor());
        double best[4] = {1e30, 1e30, 1e30, 1e30};
        const auto time = [&](std::size_t i, const auto& balls, Body body) {
            const auto start = std::chrono::steady_clock::now();
            if (!ask(batch, balls, body).ok()) { std::abort(); }
            const std::chrono::duration<double, std::nano> took =
                std::chrono::steady_clock::now() - start;
            best[i] = std::min(best[i], took.count() / static_cast<double>(count_));
        };
        std::vector<BodyBall<Dim>> seeing(balls_.size());
        for (int round = 0; round < rounds; ++round) {
            time(0, balls_, Body::centre);
            for (const Body body : kBodies) {
                std::transform(balls_.begin(), balls_.end(), seeing.begin(),
                               [&](const Ball<Dim>& ball) {
                                   return BodyBall<Dim>{ball, body};
                               });
                time(1 + static_cast<std::size_t>(body), seeing, body);
            }
        }
        std::printf("| %s | %s | %.0f | %.2f | %.2f | %.2f |\n", name, what, best[0],
                    best[1] / best[0], best[2] / best[0], best[3] / best[0]);
        std::fflush(stdout);
    }

    std::size_t count_;
    std::vector<float> positions_, half_;
    Crowd<Dim> crowd_;
    std::vector<Point<Dim>> points_;
    std::vector<Ball<Dim>> balls_;
    Hits hits_;
    NearHits near_;
    std::vector<std::uint32_t> counts_;
};

} // namespace

} // namespace throng::bench

int main(int count, char** arguments) {
    using throng::bench::Scene;
    const bool quick = count > 1 && std::string_view(arguments[1]) == "--quick";
    const std::size_t agents = quick ? 2'000 : 1'000'000;
    const int rounds = quick ? 1 : 3;
    std::printf("| agents | question | by centres, ns | centre | box | disc |\n"
                "|---|---|---|---|---|---|\n");
    Scene<2>(agents, false).measure(rounds, "2D, one half extent");
    Scene<2>(agents, true).measure(rounds, "2D, their own");
    Scene<3>(agents, false).measure(rounds, "3D, one half extent");
    Scene<3>(agents, true).measure(rounds, "3D, their own");
    return 0;
}
