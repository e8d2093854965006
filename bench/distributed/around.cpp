#include "around.hpp"

#include "../measure/statistics.hpp"
#include "timing.hpp"
#include "walk.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <numeric>

namespace throng::bench {

namespace {

constexpr float kReach = 2.0f;
constexpr const char* kCalls[] = {"updates", "lists", "half lists", "counts", "pairs", "nearest"};
constexpr std::size_t kCallCount = std::size(kCalls);
/// How much each call finds.
using Finds = std::array<std::uint64_t, kCallCount>;

/// A crowd of one rank, an agent in each unit of area or volume.
template <std::size_t Dim>
class World {
public:
    World(std::size_t agents, std::uint32_t nearest, bool periodic) : k_(nearest) {
        settings_.bounds = {
            {}, Point<Dim>::all(std::pow(static_cast<float>(agents), 1.0f / float{Dim}))};
        settings_.cell = Point<Dim>::all(kReach);
        settings_.cell[0] = 0.25f * kReach;
        settings_.reach = kReach;
        settings_.kind.common_half_extent = Point<Dim>::all(0.4f);
        settings_.periodic.fill(periodic);
        expect_ok(crowd_.configure(settings_));
        scenes::Random random(3);
        mine_.positions.resize(agents);
        for (Point<Dim>& place : mine_.positions) {
            for (std::size_t a = 0; a < Dim; ++a) {
                place[a] = random.between(0.0f, settings_.bounds.hi[a]);
            }
        }
        expect_ok(crowd_.name(mine_));
        counts_.resize(agents);
    }

    /// Makes each call once.
    void step() {
        const auto timed = [&](std::size_t call, const auto& ask) {
            const auto start = Clock::now();
            expect_ok(ask());
            times_[call].push_back(seconds_since(start));
        };
        timed(0, [&] { return crowd_.update(mine_); });
        timed(1, [&] { return crowd_.neighbours({kReach}, hits_); });
        finds_[1] = hits_.total();
        timed(2, [&] { return crowd_.neighbours({kReach, false, kAllGroups, true}, hits_); });
        finds_[2] = hits_.total();
        timed(3, [&] { return crowd_.count_neighbours({kReach}, counts_); });
        finds_[3] = 0;
        for (std::size_t i = 0; i < mine_.owned(); ++i) {
            finds_[3] += counts_[i];
        }
        timed(4, [&] { return crowd_.pairs(pairs_); });
        finds_[4] = pairs_.count;
        timed(5, [&] { return crowd_.nearest_neighbours({.k = k_}, nearest_); });
        finds_[5] =
            std::accumulate(nearest_.counts.begin(), nearest_.counts.end(), std::uint64_t{0});
        finds_[0] = mine_.owned();
    }

    /// What the calls find in a Crowd with the same agents.
    [[nodiscard]] Finds wanted() const {
        throng::Crowd<Dim> crowd;
        CrowdSettings<Dim> settings;
        settings.bounds = settings_.bounds;
        settings.periodic = settings_.periodic;
        expect_ok(crowd.configure(settings, settings_.kind));
        Agents<Dim> agents;
        agents.positions =
            PointView<Dim>::interleaved(mine_.positions.data()->axis.data(), mine_.owned());
        agents.common_half_extent = settings_.kind.common_half_extent;
        expect_ok(crowd.update(agents));
        Batch<Dim> batch;
        Hits hits;
        expect_ok(batch.neighbours(crowd, {kReach}, hits));
        Pairs pairs;
        expect_ok(batch.pairs({crowd, PairSets::all}, pairs));
        return {mine_.owned(), hits.total(), hits.total() / 2,
                hits.total(),  pairs.count,  k_ * mine_.owned()};
    }

    [[nodiscard]] const Finds& finds() const noexcept { return finds_; }
    [[nodiscard]] double nanoseconds_an_agent(std::size_t call) const {
        return 1e9 * median(times_[call]) / static_cast<double>(mine_.owned());
    }

private:
    std::uint32_t k_;
    OneRank rank_;
    DistributedSettings<Dim> settings_;
    DistributedGrid<Dim> crowd_{rank_};
    Share<Dim> mine_;
    Hits hits_;
    Pairs pairs_;
    GlobalNearHits nearest_;
    std::vector<std::uint32_t> counts_;
    std::array<std::vector<double>, kCallCount> times_;
    Finds finds_{};
};

template <std::size_t Dim>
bool print_in(std::size_t agents, std::uint32_t nearest, int steps) {
    World<Dim> plain(agents, nearest, false), periodic(agents, nearest, true);
    std::printf("%zu axes, %zu agents, the %u nearest:\n", Dim, agents, nearest);
    for (int step = 0; step < steps; ++step) {
        plain.step();
        periodic.step();
    }
    for (std::size_t call = 0; call < kCallCount; ++call) {
        const double with_borders = plain.nanoseconds_an_agent(call);
        const double around = periodic.nanoseconds_an_agent(call);
        std::printf("  %s: %.1f ns an agent, periodic %.1f, %.2f times as long\n", kCalls[call],
                    with_borders, around, around / with_borders);
    }
    const bool right = plain.finds() == plain.wanted() && periodic.finds() == periodic.wanted();
    if (!right) { std::printf("  the answers are not those of a Crowd\n"); }
    return right;
}

} // namespace

bool print_around(std::size_t agents, int steps) {
    bool right = print_in<2>(agents, 8, steps) && print_in<3>(agents, 8, steps);
    // As many as nearly all agents: then the nearest are found by asking about all.
    for (const std::uint32_t nearest : {200u, 399u}) {
        right = print_in<2>(400, nearest, steps) && print_in<3>(400, nearest, steps) && right;
    }
    return right;
}

} // namespace throng::bench
