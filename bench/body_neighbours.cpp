// Neighbours by centres and by bodies of equal range, on one thread: lists, counts and kernels.
#include "benchmarks.hpp"
#include "fused_kernels.hpp"
#include "measure/measure.hpp"

#include "../simd/isa/dispatch.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kAnswersChecked = 50;

/// A crowd with a common half extent, or with own ones that are no larger.
template <std::size_t Dim>
struct SizedCrowd {
    const scenes::Scene<Dim>& scene;
    std::array<std::vector<float>, Dim> half;
    RowGrid<Dim> grid;

    SizedCrowd(const Crowd<Ball, Dim>& crowd, bool own) : scene(crowd.scene()) {
        Agents<Dim> agents;
        std::array<const float*, Dim> positions{}, halves{};
        const float largest = scene.common_half_extent[0];
        scenes::Random random(17);
        for (std::size_t a = 0; a < Dim; ++a) {
            positions[a] = scene.position[a].data();
            half[a].assign(scene.size(), largest);
            if (!own) { continue; }
            for (float& h : half[a]) {
                h = random.between(0.4f * largest, largest);
            }
            halves[a] = half[a].data();
        }
        agents.positions = PointView<Dim>::separate(positions, scene.size());
        if (own) {
            agents.half_extents = PointView<Dim>::separate(halves, scene.size());
        } else {
            agents.common_half_extent = scene.common_half_extent;
        }
        (void)grid.use(crowd.grid().shape());
        (void)grid.update(agents);
    }

    [[nodiscard]] bool is_near(const Neighbourhood& asked, Id one, Id other) const {
        Point<Dim> offset, sum;
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = scene.position[a][other] - scene.position[a][one];
            sum[a] = half[a][one] + half[a][other];
        }
        return body_distance2(asked.body, offset, sum) <= asked.radius * asked.radius;
    }
    /// Whether some lists are right, by a test of all agents.
    [[nodiscard]] bool are_right(const Neighbourhood& asked, const Hits& hits) const {
        std::vector<Id> order(scene.size());
        (void)grid.order(order);
        for (std::size_t k = 0; k < kAnswersChecked; ++k) {
            const std::size_t asker = k * (order.size() / kAnswersChecked);
            std::vector<Id> wanted;
            for (const Id other : order) {
                if (other != order[asker] && is_near(asked, order[asker], other)) {
                    wanted.push_back(other);
                }
            }
            if (!std::ranges::equal(hits.of(asker), wanted)) { return false; }
        }
        return true;
    }
};

} // namespace

template <std::size_t Dim>
void neighbours_by_body(benchmark::State& state, Crowd<Ball, Dim>& plain, BodyWay way, Body body,
                        bool own) {
    const SizedCrowd<Dim> crowd(plain, own);
    const std::size_t agents = crowd.grid.size();
    // The radius and two half extents together are equal to the radius between centres.
    const float radius =
        body == Body::centre ? kRadius : kRadius - 2.0f * crowd.scene.common_half_extent[0];
    const Neighbourhood asked{.radius = radius, .body = body};
    Batch<Dim> batch;
    NeighbourLoop<Dim> loop;
    Hits hits;
    std::vector<std::uint32_t> counts(agents);
    std::array<std::vector<float>, Dim> sums;
    OffsetSums<Dim> kernel{counts.data(), {}};
    for (std::size_t a = 0; a < Dim; ++a) {
        sums[a].resize(agents);
        kernel.sum[a] = sums[a].data();
    }
    std::uint64_t total = 0;
    const auto run = [&]() -> Status {
        switch (way) {
        case BodyWay::lists:
            return batch.neighbours(crowd.grid, asked, hits);
        case BodyWay::counts:
            return batch.count_neighbours(crowd.grid, asked, counts).status;
        case BodyWay::fused:
            break;
        }
        return simd::dispatch(
            [&](auto arch) { return run_kernel_on(arch, loop, crowd.grid, asked, kernel); });
    };
    bool right = batch.neighbours(crowd.grid, asked, hits).ok() && run().ok() &&
                 crowd.are_right(asked, hits);
    total = hits.total();
    Stopwatch watch;
    for (auto _ : state) {
        watch.time([&] { right = run().ok() && right; });
        for (std::size_t k = 0; k < agents && way != BodyWay::lists; ++k) {
            right = right && counts[k] == hits.of(k).size();
        }
        if (!right || hits.total() != total) {
            state.SkipWithError("an answer differs from what looking at all agents finds");
            return;
        }
        watch.end_iteration(state);
    }
    report(state, watch,
           {agents, total, crowd.grid.memory().index() + batch.memory() + loop.memory(), agents});
}

template void neighbours_by_body(benchmark::State&, Crowd<Ball, 2>&, BodyWay, Body, bool);
template void neighbours_by_body(benchmark::State&, Crowd<Ball, 3>&, BodyWay, Body, bool);

} // namespace throng::bench
