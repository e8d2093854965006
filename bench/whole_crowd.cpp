// Questions about a whole crowd in one call, on one thread, with checks of the answers.
#include "../engine/grid/grid_parts.hpp"
#include "benchmarks.hpp"
#include "measure/fingerprint.hpp"
#include "measure/measure.hpp"
#include "measure/truth.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kAnswersChecked = 100;
constexpr const char* kDiffers = "an answer differs from what looking at all agents finds";
constexpr const char* kChanged = "the answers are not what they were";

Checksum sum_of(std::span<const Id> askers, const Hits& hits) {
    Checksum sum;
    for (std::size_t k = 0; k < askers.size(); ++k) {
        sum.add(askers[k], hits.of(k));
    }
    return sum;
}

/// The checksum of the neighbours of all agents, asked in chunks and without Batch.
template <std::size_t Dim>
std::optional<Checksum> neighbours_by_chunks(const Crowd<Ball, Dim>& crowd,
                                             std::span<const Id> askers) {
    Checksum sum;
    std::vector<Ball<Dim>> balls;
    std::vector<Id> others;
    Hits found;
    for (std::size_t begin = 0; begin < askers.size(); begin += kChunk) {
        const std::span<const Id> some =
            askers.subspan(begin, std::min(kChunk, askers.size() - begin));
        balls.clear();
        for (const Id id : some) {
            balls.push_back(crowd.around(id));
        }
        const std::span<const Ball<Dim>> questions(balls);
        if (!crowd.grid().query(questions, found).ok()) { return std::nullopt; }
        for (std::size_t k = 0; k < some.size(); ++k) {
            const std::span<const Id> answer = found.of(k);
            others.clear();
            std::remove_copy(answer.begin(), answer.end(), std::back_inserter(others), some[k]);
            sum.add(some[k], others);
        }
    }
    return sum;
}

/// Times call(), which returns a Status, until the benchmark has enough runs; is_right() checks
/// each run. The first run does not count, because arrays grow.
template <class Call, class IsRight>
void time_calls(benchmark::State& state, Stopwatch& watch, const Call& call,
                const IsRight& is_right) {
    if (!call().ok()) {
        state.SkipWithError("it was refused");
        return;
    }
    for (auto _ : state) {
        Status status;
        watch.time([&] { status = call(); });
        if (!status.ok() || !is_right()) {
            state.SkipWithError(kChanged);
            return;
        }
        watch.end_iteration(state);
    }
}

} // namespace

template <std::size_t Dim>
void ask_at_once(benchmark::State& state, Crowd<Ball, Dim>& crowd, Way way, Order order) {
    if (!crowd.expected().has_value()) {
        state.SkipWithError(kDiffers);
        return;
    }
    const Checksum wanted = *crowd.expected();
    const std::vector<Id>& askers =
        order == Order::storage ? crowd.in_storage_order() : crowd.in_callers_order();
    std::vector<Ball<Dim>> balls;
    balls.reserve(askers.size());
    for (const Id id : askers) {
        balls.push_back(crowd.around(id));
    }
    const std::span<const Ball<Dim>> questions(balls);
    Batch<Dim> batch;
    Stopwatch watch;
    if (way == Way::count) {
        std::vector<std::uint32_t> counts(askers.size());
        time_calls(
            state, watch, [&] { return batch.count(crowd.grid(), questions, counts).status; },
            [&] {
                std::uint64_t sum = 0;
                for (const std::uint32_t count : counts) {
                    sum += count;
                }
                return sum == wanted.hits();
            });
    } else {
        Hits hits;
        time_calls(
            state, watch, [&] { return batch.query(crowd.grid(), questions, hits); },
            [&] { return sum_of(askers, hits) == wanted; });
    }
    report(state, watch,
           {askers.size(), wanted.hits(), crowd.grid().memory().index() + batch.memory(),
            crowd.grid().size()});
}

template <std::size_t Dim>
void neighbours_of_all(benchmark::State& state, Crowd<Ball, Dim>& crowd, throng::Order order) {
    std::vector<Id> askers(crowd.grid().size());
    (void)crowd.grid().order(askers);
    if (order == throng::Order::ids) { std::sort(askers.begin(), askers.end()); }
    const std::optional<Checksum> wanted = neighbours_by_chunks(crowd, askers);
    Batch<Dim> batch;
    Hits hits;
    const Neighbourhood neighbourhood{kRadius};
    if (!wanted.has_value() || !batch.neighbours(crowd.grid(), neighbourhood, hits, order).ok() ||
        !balls_are_right(crowd, askers, hits, kAnswersChecked, Self::left_out)) {
        state.SkipWithError(kDiffers);
        return;
    }
    Stopwatch watch;
    time_calls(
        state, watch, [&] { return batch.neighbours(crowd.grid(), neighbourhood, hits, order); },
        [&] { return sum_of(askers, hits) == *wanted; });
    report(state, watch,
           {askers.size(), wanted->hits(), crowd.grid().memory().index() + batch.memory(),
            crowd.grid().size()});
}

template <std::size_t Dim>
void later_neighbours_of_all(benchmark::State& state, Crowd<Ball, Dim>& crowd, HalfLists form) {
    std::vector<Id> askers(crowd.grid().size());
    (void)crowd.grid().order(askers);
    Batch<Dim> batch;
    Hits all, later;
    Pairs pairs;
    const Neighbourhood neighbourhood{.radius = kRadius, .later_only = true};
    // Each list must be the end of the agent's whole list, and all lists half as long in total.
    const auto is_end = [&](std::size_t k) {
        const std::span<const Id> whole = all.of(k), half = later.of(k);
        return half.size() <= whole.size() && std::ranges::equal(half, whole.last(half.size()));
    };
    bool right = batch.neighbours(crowd.grid(), {kRadius}, all).ok() &&
                 batch.neighbours(crowd.grid(), neighbourhood, later).ok() &&
                 batch.pairs_within(crowd.grid(), kRadius, pairs).ok() &&
                 balls_are_right(crowd, askers, all, kAnswersChecked, Self::left_out) &&
                 2 * later.total() == all.total() && pairs.count == later.total();
    for (std::size_t k = 0; right && k < askers.size(); ++k) {
        right = is_end(k);
    }
    right = right &&
            std::equal(pairs.second.data(), pairs.second.data() + pairs.count, later.ids.data());
    for (std::size_t k = 0; right && k < askers.size(); ++k) {
        const auto firsts =
            std::span<const Id>(pairs.first).subspan(later.offsets[k], later.of(k).size());
        right = std::ranges::count(firsts, askers[k]) == std::ssize(firsts);
    }
    if (!right) {
        state.SkipWithError(kDiffers);
        return;
    }
    const Checksum wanted = sum_of(askers, later);
    Stopwatch watch;
    if (form == HalfLists::lists) {
        time_calls(
            state, watch, [&] { return batch.neighbours(crowd.grid(), neighbourhood, later); },
            [&] { return sum_of(askers, later) == wanted; });
    } else {
        time_calls(
            state, watch, [&] { return batch.pairs_within(crowd.grid(), kRadius, pairs); },
            [&] { return pairs.count == later.total(); });
    }
    report(state, watch,
           {askers.size(), later.total(), crowd.grid().memory().index() + batch.memory(),
            crowd.grid().size()});
}

template <std::size_t Dim>
void pairs_of_all(benchmark::State& state, Crowd<Box, Dim>& crowd, PairsWay way) {
    Batch<Dim> batch;
    Pairs pairs;
    if (!batch.pairs(crowd.grid(), pairs).ok() ||
        crowd.grid().parts().count_pairs(0, crowd.grid().parts().slices()).count != pairs.count ||
        !pairs_are_right(crowd, pairs, kAnswersChecked)) {
        state.SkipWithError(kDiffers);
        return;
    }
    const std::uint64_t total = pairs.count;
    const auto fingerprint = [&] {
        Fingerprint print;
        print.add(std::span<const Id>(pairs.first).first(pairs.count));
        print.add(std::span<const Id>(pairs.second).first(pairs.count));
        return print.value();
    };
    const std::uint64_t wanted = fingerprint();
    Stopwatch watch;
    if (way == PairsWay::list) {
        time_calls(
            state, watch, [&] { return batch.pairs(crowd.grid(), pairs); },
            [&] { return pairs.count == total && fingerprint() == wanted; });
    } else {
        Found found;
        const auto count = [&] {
            found = batch.count_pairs(crowd.grid());
            return found.status;
        };
        time_calls(state, watch, count, [&] { return found.count == total; });
    }
    report(state, watch,
           {crowd.grid().size(), total, crowd.grid().memory().index() + batch.memory(),
            crowd.grid().size()});
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void ask_at_once(benchmark::State&, Crowd<Ball, Dim>&, Way, Order);                   \
    template void neighbours_of_all(benchmark::State&, Crowd<Ball, Dim>&, throng::Order);          \
    template void later_neighbours_of_all(benchmark::State&, Crowd<Ball, Dim>&, HalfLists);        \
    template void pairs_of_all(benchmark::State&, Crowd<Box, Dim>&, PairsWay);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::bench
