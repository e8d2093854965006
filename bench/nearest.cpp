// The nearest to all agents or to many points, on one thread, with checks of the answers.
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include <throng/engine/family/brute_force.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kAnswersChecked = 20;
/// In larger crowds only this many points ask: answers of 64 each need much memory.
constexpr std::size_t kMostPoints = 1'000'000;

/// Whether every agent asks. The conditions are: farther than three units, or at most two units
/// lower or higher.
constexpr bool by_agents(NearestWay way) noexcept {
    return way != NearestWay::points && way != NearestWay::single;
}
template <std::size_t Dim>
NearestNeighbours asked_by_agents(NearestWay way, std::uint32_t k) noexcept {
    NearestNeighbours nearest{k};
    if (way == NearestWay::beyond) { nearest.least = 3.0f; }
    if (way == NearestWay::in_band) { nearest.band = {Dim - 1, 2.0f, 2.0f}; }
    return nearest;
}

/// Compares some answers with brute force. Agents that ask are not in their own answers.
template <std::size_t Dim>
bool are_right(Crowd<Ball, Dim>& crowd, std::span<const Id> askers,
               std::span<const Point<Dim>> points, const NearHits& hits, NearestWay way) {
    BruteForce<Dim> truth;
    if (!truth.update(crowd.scene().agents()).ok()) { return false; }
    std::vector<Near> wanted(hits.k);
    const NearestNeighbours asked = asked_by_agents<Dim>(way, hits.k);
    for (std::size_t i = 0; i < kAnswersChecked; ++i) {
        const std::size_t q = i * (askers.size() - 1) / kAnswersChecked;
        const Found found =
            truth.nearest(points[q], {asked.k, asked.radius, asked.least, asked.band}, wanted,
                          {asked.groups, by_agents(way) ? askers[q] : kNoId});
        const std::span<const Near> answer = hits.of(q);
        if (!found.status.ok() ||
            !std::equal(answer.begin(), answer.end(), wanted.begin(),
                        wanted.begin() + static_cast<std::ptrdiff_t>(found.count))) {
            return false;
        }
    }
    return true;
}

} // namespace

template <std::size_t Dim>
void nearest_of_all(benchmark::State& state, Crowd<Ball, Dim>& crowd, NearestWay way,
                    std::uint32_t k) {
    const RowGrid<Dim>& grid = crowd.grid();
    std::vector<Id> askers = crowd.in_callers_order();
    if (by_agents(way)) {
        askers.resize(grid.size());
        (void)grid.order(askers);
    }
    if (askers.size() > kMostPoints && !by_agents(way)) { askers.resize(kMostPoints); }
    // Points beside agents: exactly on an agent, the nearest would be found too easily.
    std::vector<Point<Dim>> points;
    points.reserve(askers.size());
    for (const Id id : askers) {
        points.push_back(crowd.position_of(id));
        if (!by_agents(way)) { points.back()[0] += 0.3f; }
    }
    Batch<Dim> batch;
    NearHits hits;
    const auto ask = [&]() -> Status {
        switch (way) {
        case NearestWay::everyone:
        case NearestWay::beyond:
        case NearestWay::in_band:
            return batch.nearest_neighbours(grid, asked_by_agents<Dim>(way, k), hits);
        case NearestWay::points:
            return batch.nearest(grid, std::span<const Point<Dim>>(points), {k}, hits);
        case NearestWay::single:
            break;
        }
        hits.k = k;
        hits.nearest.resize(points.size() * k);
        hits.counts.resize(points.size());
        for (std::size_t q = 0; q < points.size(); ++q) {
            const Found found =
                grid.nearest(points[q], {k}, std::span(hits.nearest).subspan(q * k, k));
            if (!found.status.ok()) { return found.status; }
            hits.counts[q] = static_cast<std::uint32_t>(found.count);
        }
        return {};
    };
    if (!ask().ok() || !are_right<Dim>(crowd, askers, points, hits, way)) {
        state.SkipWithError("an answer differs from what looking at all agents finds");
        return;
    }
    const std::vector<Near> wanted = hits.nearest;
    Stopwatch watch;
    for (auto _ : state) {
        Status status;
        watch.time([&] { status = ask(); });
        if (!status.ok() || hits.nearest != wanted) {
            state.SkipWithError("the answers are not what they were");
            return;
        }
        watch.end_iteration(state);
    }
    const std::uint64_t found =
        std::accumulate(hits.counts.begin(), hits.counts.end(), std::uint64_t{0});
    report(state, watch,
           {askers.size(), found, grid.memory().index() + batch.memory(), grid.size()});
}

template void nearest_of_all(benchmark::State&, Crowd<Ball, 2>&, NearestWay, std::uint32_t);
template void nearest_of_all(benchmark::State&, Crowd<Ball, 3>&, NearestWay, std::uint32_t);

} // namespace throng::bench
