// Questions: one for every agent, or a few large ones; with checks of the answers.
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace throng::bench {

namespace {

/// The answers to one chunk, asked in any way.
struct Answers {
    Hits hits;                       // of a batch
    std::vector<Id> ids;             // of single queries, one after another
    std::vector<std::size_t> counts; // the number of ids of each
    bool sound = true;
};

template <template <std::size_t> class Shape, std::size_t Dim>
void ask_one_by_one(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,
                    Answers& answers) {
    std::size_t used = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        Found found = grid.query(shapes[i], std::span<Id>(answers.ids).subspan(used));
        answers.counts[i] = found.count;
        answers.sound = answers.sound && found.status.ok();
        used += found.count;
        if (used > answers.ids.size()) {
            // Makes room and asks again, like a caller; after the first chunks this is rare.
            used -= found.count;
            answers.ids.resize(2 * (used + found.count));
            --i;
        }
    }
}

template <template <std::size_t> class Shape, std::size_t Dim>
void ask_chunk(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes, Way way,
               Answers& answers) {
    switch (way) {
    case Way::batch:
        answers.sound = grid.query(shapes, answers.hits).ok();
        break;
    case Way::single:
        ask_one_by_one<Shape, Dim>(grid, shapes, answers);
        break;
    case Way::count:
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            answers.counts[i] = grid.count(shapes[i]).count;
        }
        break;
    case Way::any:
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            answers.counts[i] = grid.any(shapes[i]).count;
        }
        break;
    }
}

} // namespace

template <template <std::size_t> class Shape, std::size_t Dim>
void ask_everyone(benchmark::State& state, Crowd<Shape, Dim>& crowd, Way way, Order order) {
    if (!crowd.expected().has_value()) {
        state.SkipWithError("an answer differs from what looking at all agents finds");
        return;
    }
    const Checksum wanted = *crowd.expected();
    const std::vector<Id>& askers =
        order == Order::storage ? crowd.in_storage_order() : crowd.in_callers_order();
    std::vector<Shape<Dim>> shapes;
    Answers answers;
    answers.ids.resize(64 * kChunk);
    answers.counts.resize(kChunk);
    Stopwatch watch;
    for (auto _ : state) {
        Checksum sum;
        std::uint64_t total = 0;
        for (std::size_t begin = 0; begin < askers.size(); begin += kChunk) {
            const std::size_t count = std::min(kChunk, askers.size() - begin);
            shapes.resize(count);
            for (std::size_t i = 0; i < count; ++i) {
                shapes[i] = crowd.around(askers[begin + i]);
            }
            watch.time([&] { ask_chunk<Shape, Dim>(crowd.grid(), shapes, way, answers); });
            const Id* next = answers.ids.data();
            for (std::size_t i = 0; i < count; ++i) {
                if (way == Way::batch) {
                    sum.add(askers[begin + i], answers.hits.of(i));
                } else if (way == Way::single) {
                    sum.add(askers[begin + i], {next, answers.counts[i]});
                    next += answers.counts[i];
                } else {
                    total += answers.counts[i];
                }
            }
        }
        const bool right = way == Way::count ? total == wanted.hits()
                           // Every agent finds at least itself.
                           : way == Way::any ? total == askers.size()
                                             : sum == wanted;
        if (!right || !answers.sound) {
            state.SkipWithError("the answers are not what they were");
            break;
        }
        watch.end_iteration(state);
    }
    report(state, watch,
           {askers.size(), way == Way::any ? 0 : wanted.hits(), crowd.grid().memory().index(),
            crowd.grid().size()});
}

namespace {

/// Agents that follow each other in storage order.
struct Run {
    std::size_t begin, length;
};

/// The runs of an answer's agents.
std::vector<Run> runs_of(std::span<const Id> answer, std::span<const std::size_t> rank) {
    std::vector<Run> runs;
    for (const Id id : answer) {
        const bool goes_on = !runs.empty() && runs.back().begin + runs.back().length == rank[id];
        if (!goes_on) { runs.push_back({rank[id], 0}); }
        ++runs.back().length;
    }
    return runs;
}

} // namespace

template <std::size_t Dim>
void ask_large_boxes(benchmark::State& state, Crowd<Box, Dim>& crowd, Large large) {
    constexpr std::size_t kBoxes = 64;
    constexpr std::size_t kLookedAt = 4; // few, since boxes and crowds are large
    const Box<Dim> world = crowd.scene().world;
    const float side = world.hi[0] - world.lo[0];
    const float half = 0.5f * side * (Dim == 2 ? std::sqrt(0.1f) : std::cbrt(0.1f));
    scenes::Random random(23);
    std::vector<Box<Dim>> boxes(kBoxes);
    for (Box<Dim>& box : boxes) {
        Point<Dim> centre;
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = random.between(world.lo[a] + half, world.hi[a] - half);
        }
        box = Box<Dim>::around(centre, Point<Dim>::all(half));
    }

    const RowGrid<Dim>& grid = crowd.grid();
    std::vector<Id> ids(grid.size()), order(grid.size());
    (void)grid.order(order);
    std::vector<std::size_t> rank(grid.id_bound());
    for (std::size_t k = 0; k < order.size(); ++k) {
        rank[order[k]] = k;
    }
    std::vector<std::vector<Run>> runs;
    Checksum wanted;
    for (std::size_t q = 0; q < kBoxes; ++q) {
        const Found found = grid.query(boxes[q], std::span<Id>(ids));
        const std::span<const Id> answer(ids.data(), found.count);
        wanted.add(static_cast<Id>(q), answer);
        runs.push_back(runs_of(answer, rank));
        if (q >= kLookedAt) { continue; }
        const std::vector<Id> truth = crowd.look_at_all(boxes[q]);
        if (!std::equal(truth.begin(), truth.end(), answer.begin(), answer.end())) {
            state.SkipWithError("an answer differs from what looking at all agents finds");
            return;
        }
    }
    const auto copy_runs = [&](std::size_t q) {
        Id* to = ids.data();
        for (const Run& run : runs[q]) {
            std::memcpy(to, order.data() + run.begin, run.length * sizeof(Id));
            to += run.length;
        }
        return Found{static_cast<std::size_t>(to - ids.data())};
    };

    Batch<Dim> batch;
    Hits hits;
    Stopwatch watch;
    for (auto _ : state) {
        Checksum sum;
        std::uint64_t total = 0;
        if (large == Large::batch) {
            watch.time([&] { (void)batch.query(grid, boxes, hits); }); // checked below
            total = hits.total();
            for (std::size_t q = 0; q < kBoxes; ++q) {
                sum.add(static_cast<Id>(q), hits.of(q));
            }
        }
        for (std::size_t q = 0; large != Large::batch && q < kBoxes; ++q) {
            Found found;
            watch.time([&] {
                found = large == Large::ids    ? grid.query(boxes[q], std::span<Id>(ids))
                        : large == Large::copy ? copy_runs(q)
                                               : grid.count(boxes[q]);
            });
            total += found.count;
            if (large != Large::count) { sum.add(static_cast<Id>(q), {ids.data(), found.count}); }
        }
        if (total != wanted.hits() || (large != Large::count && sum != wanted)) {
            state.SkipWithError("the answers are not what they were");
            break;
        }
        watch.end_iteration(state);
    }
    report(state, watch, {kBoxes, wanted.hits(), grid.memory().index(), grid.size()});
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void ask_everyone(benchmark::State&, Crowd<Box, Dim>&, Way, Order);                   \
    template void ask_everyone(benchmark::State&, Crowd<Ball, Dim>&, Way, Order);                  \
    template void ask_large_boxes(benchmark::State&, Crowd<Box, Dim>&, Large);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::bench
