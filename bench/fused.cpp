// Kernels without lists, against lists and a loop over them, on one thread.
#include "benchmarks.hpp"
#include "fused_kernels.hpp"
#include "measure/measure.hpp"

#include "../simd/isa/dispatch.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace throng::bench {

namespace {

constexpr Neighbourhood kNear{kRadius};

/// A crowd that keeps its arrays in storage order, so that ids are storage indices.
template <std::size_t Dim>
struct SortedCrowd {
    std::array<std::vector<float>, Dim> position;
    RowGrid<Dim> grid;

    explicit SortedCrowd(const Crowd<Ball, Dim>& crowd) {
        std::vector<Id> order(crowd.grid().size());
        (void)crowd.grid().order(order);
        std::array<const float*, Dim> axes{};
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a].reserve(order.size());
            for (const Id id : order) {
                position[a].push_back(crowd.scene().position[a][id]);
            }
            axes[a] = position[a].data();
        }
        Agents<Dim> agents;
        agents.positions = PointView<Dim>::separate(axes, order.size());
        agents.common_half_extent = crowd.scene().common_half_extent;
        (void)grid.use(crowd.grid().shape());
        (void)grid.update(agents);
    }
};

template <std::size_t Dim>
struct Sums {
    std::vector<std::uint32_t> count;
    std::array<std::vector<float>, Dim> sum;

    explicit Sums(std::size_t agents) : count(agents) {
        for (std::vector<float>& axis : sum) {
            axis.resize(agents);
        }
    }
    [[nodiscard]] OffsetSums<Dim> kernel() noexcept {
        OffsetSums<Dim> kernel{count.data(), {}};
        for (std::size_t a = 0; a < Dim; ++a) {
            kernel.sum[a] = sum[a].data();
        }
        return kernel;
    }
    friend bool operator==(const Sums&, const Sums&) = default;
};

template <std::size_t Dim, class Kernel>
Status run_kernel(NeighbourLoop<Dim>& loop, const RowGrid<Dim>& grid, const Kernel& kernel) {
    return simd::dispatch(
        [&](auto arch) { return run_kernel_on(arch, loop, grid, kNear, kernel); });
}

/// The usual loop over lists.
template <std::size_t Dim>
Status sum_lists(Batch<Dim>& batch, const SortedCrowd<Dim>& crowd, Hits& hits, Sums<Dim>& sums) {
    const Status status = batch.neighbours(crowd.grid, kNear, hits);
    if (!status.ok()) { return status; }
    for (std::size_t k = 0; k < sums.count.size(); ++k) {
        const std::span<const Id> near = hits.of(k);
        std::array<float, Dim> to{};
        for (const Id other : near) {
            for (std::size_t a = 0; a < Dim; ++a) {
                to[a] += crowd.position[a][other] - crowd.position[a][k];
            }
        }
        sums.count[k] = static_cast<std::uint32_t>(near.size());
        for (std::size_t a = 0; a < Dim; ++a) {
            sums.sum[a][k] = to[a];
        }
    }
    return {};
}

} // namespace

template <std::size_t Dim>
void fuse(benchmark::State& state, Crowd<Ball, Dim>& unsorted, Fused way) {
    const SortedCrowd<Dim> crowd(unsorted);
    const std::size_t agents = crowd.grid.size();
    Sums<Dim> wanted(agents), sums(agents);
    Batch<Dim> batch;
    Hits hits;
    NeighbourLoop<Dim> loop;
    std::array<std::vector<float>, Dim> steering;
    Flock<Dim> flock{{}, {}, 0.5f, 0.25f, 0.125f};
    for (std::size_t a = 0; a < Dim; ++a) {
        steering[a].resize(agents);
        flock.velocity[a] = crowd.position[a].data();
        flock.steering[a] = steering[a].data();
    }
    const auto run = [&] {
        switch (way) {
        case Fused::offsets:
            return run_kernel(loop, crowd.grid, sums.kernel());
        case Fused::offsets_by_lists:
            return sum_lists(batch, crowd, hits, sums);
        case Fused::count:
            return batch.count_neighbours(crowd.grid, kNear, sums.count).status;
        case Fused::flock:
            break;
        }
        return run_kernel(loop, crowd.grid, flock);
    };
    if (!sum_lists(batch, crowd, hits, wanted).ok() || !run().ok()) {
        state.SkipWithError("it was refused");
        return;
    }
    const std::uint64_t total = hits.total();
    Stopwatch watch;
    for (auto _ : state) {
        watch.time([&] { (void)run(); });
        // Flocks are not checked here: the tests compare them with plain loops.
        const bool right = way == Fused::flock ||
                           (way == Fused::count ? sums.count == wanted.count : sums == wanted);
        if (!right) {
            state.SkipWithError("an answer differs from what lists come to");
            return;
        }
        watch.end_iteration(state);
    }
    report(state, watch,
           {agents, total, crowd.grid.memory().index() + batch.memory() + loop.memory(), agents});
}

template void fuse(benchmark::State&, Crowd<Ball, 2>&, Fused);
template void fuse(benchmark::State&, Crowd<Ball, 3>&, Fused);

} // namespace throng::bench
