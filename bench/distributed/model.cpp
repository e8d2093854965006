#include "model.hpp"

#include "../measure/statistics.hpp"
#include "scaling.hpp"
#include "timing.hpp"

#include <throng/distributed/one_rank.hpp>
#include <throng/distributed/thread_ranks.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

namespace throng::bench {

namespace {

/// Agents of a brick.
constexpr std::array<std::size_t, 4> kSizes = {2'500, 20'000, 160'000, 1'000'000};
constexpr std::uint32_t kBricks = 4;
constexpr std::size_t kCrossings = 1; // index of the size at which crossings are counted
constexpr int kSteps = 7, kFirst = 2;
/// Bytes of an agent in the plane: an id, a place and a velocity.
constexpr double kBytes = 24.0;
/// Ranks within reach of a brick, if bricks are about square.
constexpr double kNeighbours = 8.0;

/// Seconds of a step for each size, without sending.
using Curve = std::array<double, kSizes.size()>;

/// Interpolates the time per agent linearly in the logarithm of the size; beyond the largest size,
/// the time per agent stays the same.
double at(const Curve& curve, double agents) {
    const auto a_agent = [&](std::size_t i) { return curve[i] / static_cast<double>(kSizes[i]); };
    std::size_t above = 0;
    while (above < kSizes.size() && static_cast<double>(kSizes[above]) < agents) {
        ++above;
    }
    if (above == 0) { return curve[0]; }
    if (above == kSizes.size()) { return agents * a_agent(above - 1); }
    const double below = std::log(static_cast<double>(kSizes[above - 1]));
    const double part =
        (std::log(agents) - below) / (std::log(static_cast<double>(kSizes[above])) - below);
    return agents * ((1.0 - part) * a_agent(above - 1) + part * a_agent(above));
}

/// Adds the times of a rank's steps, without its calls of the seam.
void time_brick(Ranks& job, std::size_t agents, std::vector<double>& seconds, double& movers) {
    Timed ranks(job);
    Walking walking(ranks, Walk(agents));
    Hits near;
    for (int step = 0; step < kSteps; ++step) {
        const double apart = ranks.seconds;
        const auto start = Clock::now();
        walking.update();
        double took = seconds_since(start) - (ranks.seconds - apart);
        const auto between = Clock::now();
        walking.find(near);
        took += seconds_since(between);
        if (step >= kFirst) {
            seconds.push_back(took);
            movers += static_cast<double>(walking.crowd.stats().left);
        }
        for (std::size_t i = 0; i < walking.mine.owned(); ++i) {
            for (std::size_t a = 0; a < 2; ++a) {
                walking.mine.positions[i][a] += walking.mine[walking.velocity][i][a];
            }
        }
    }
}

struct Costs {
    Curve alone{}, brick{};
    double crossings = 0.0; ///< agents per step and unit of border that cross it
};

Curve measure_alone() {
    Curve curve{};
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        std::vector<double> seconds;
        double movers = 0.0;
        OneRank self;
        time_brick(self, kSizes[i], seconds, movers);
        curve[i] = median(seconds);
    }
    return curve;
}

/// Measures bricks on the ranks of the job, or in this process without a job. In one process a
/// brick finds less in the caches than it would alone, because the other ranks run between its
/// calls.
Costs measure_bricks(Ranks* job) {
    Costs costs;
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        std::vector<double> seconds;
        double movers = 0.0;
        if (job != nullptr && job->size() > 1) {
            time_brick(*job, job->size() * kSizes[i], seconds, movers);
            const std::vector<double> all = gather_numbers(*job, median(seconds));
            costs.brick[i] = *std::max_element(all.begin(), all.end());
        }
        if (costs.brick[i] != 0.0 && i != kCrossings) { continue; }
        seconds.clear();
        movers = 0.0;
        ThreadRanks threads(kBricks);
        threads.run([&](Ranks& ranks) { time_brick(ranks, kBricks * kSizes[i], seconds, movers); });
        if (costs.brick[i] == 0.0) { costs.brick[i] = median(seconds); }
        // Each of the four squares shares two sides with others.
        const double sides =
            2.0 * kBricks * std::sqrt(static_cast<double>(kSizes[i])) * (kSteps - kFirst);
        if (i == kCrossings) { costs.crossings = movers / sides; }
    }
    return costs;
}

/// What sending costs: seconds a message and a byte, and how many ranks share a link.
struct Wire {
    const char* name = "";
    double message = 0.0, byte = 0.0;
    double ranks_a_link = 1.0;
};
/// Typical figures of two networks, not measured here.
constexpr Wire kNetworks[] = {{"10 GbE", 25e-6, 1.0 / 1.1e9, 16.0},
                              {"100 Gb/s", 2e-6, 1.0 / 11e9, 16.0}};

/// Measures messages between the ranks of this job. Collective.
Wire measure_wire(Ranks& ranks) {
    constexpr int kRounds = 200;
    constexpr std::size_t kLong = std::size_t{4} << 20;
    const std::uint32_t other = (ranks.rank() + 1) % ranks.size();
    const std::uint32_t from = (ranks.rank() + ranks.size() - 1) % ranks.size();
    const std::vector<std::byte> body(kLong);
    std::vector<Arrival> arrivals;
    const auto time = [&](std::size_t bytes, int rounds) {
        std::vector<double> seconds;
        for (int round = 0; round < rounds; ++round) {
            const Parcel parcel{other, {body.data(), bytes}};
            const auto start = Clock::now();
            expect_ok(ranks.begin_exchange({&parcel, 1}, {&from, 1}));
            expect_ok(ranks.finish_exchange(arrivals));
            seconds.push_back(seconds_since(start));
        }
        return median(seconds);
    };
    const double little = time(8, kRounds);
    const double much = time(kLong, 20);
    return {"this machine", little, (much - little) / static_cast<double>(kLong), 1.0};
}

struct Reckoned {
    double ghosts = 0.0; ///< divided by owned agents
    double work = 0.0, wire = 0.0;
    [[nodiscard]] double step() const { return work + wire; }
};

/// Predicts a step of a walk over ranks with square bricks.
Reckoned reckon(const Costs& costs, const Wire& wire, double ranks, double agents) {
    const double owned = agents / ranks, side = std::sqrt(owned), reach = double{Walk::kReach};
    Reckoned step;
    if (ranks < 2.0) {
        step.work = at(costs.alone, owned);
        return step;
    }
    const bool two = ranks < 3.0; // then there is one border, as long as the world is wide
    const double border = two ? std::sqrt(agents) : 4.0 * side;
    const double ghosts = border * reach + (two ? 0.0 : 4.0 * reach * reach);
    step.ghosts = ghosts / owned;
    // By chance one brick has more agents than the mean.
    const double most = owned + std::sqrt(2.0 * std::log(ranks) * owned);
    step.work = at(costs.brick, most);
    const double bytes = kBytes * (ghosts + border * costs.crossings);
    const double messages = two ? 1.0 : kNeighbours;
    step.wire = messages * wire.message + bytes * wire.byte * wire.ranks_a_link +
                2.0 * 2.0 * std::ceil(std::log2(ranks)) * wire.message;
    return step;
}

bool compare(const Costs& costs, const Wire& wire, double ranks, double agents,
             const StepTimes& measured) {
    const Reckoned step = reckon(costs, wire, ranks, agents);
    const double ratio = step.step() / measured.both();
    const bool fine = ratio > 0.8 && ratio < 1.2;
    std::printf(
        "%.0f ranks, %.0f agents: reckoned %.2f ms, measured %.2f ms: %.2f (0.80 to 1.20)%s\n",
        ranks, agents, 1e3 * step.step(), 1e3 * measured.both(), ratio, fine ? "" : ": TOO FAR");
    return fine;
}

void print_table(const Costs& costs) {
    std::printf("never run: ranks with a thread each, 16 of them on a link\n"
                "| network | ranks | agents | agents a rank | ghosts | step | of it the wire |\n"
                "|---|---|---|---|---|---|---|\n");
    for (const Wire& network : kNetworks) {
        for (const double ranks : {64.0, 1024.0, 4096.0}) {
            for (const double agents : {1e8, 1e9, 1e10}) {
                const Reckoned step = reckon(costs, network, ranks, agents);
                std::printf("| %s | %.0f | %.0e | %.0f | %.2f %% | %.1f ms | %.1f %% |\n",
                            network.name, ranks, agents, agents / ranks, 100.0 * step.ghosts,
                            1e3 * step.step(), 100.0 * step.wire / step.step());
            }
        }
    }
}

} // namespace

bool print_model(Job& job, std::size_t agents, int steps) {
    Costs costs = measure_bricks(job.ranks());
    StepTimes one;
    job.alone([&] {
        costs.alone = measure_alone();
        OneRank self;
        one = time_steps(self, agents, steps, serial_executor());
    });
    bool fine = true;
    if (job.first()) {
        for (std::size_t i = 0; i < kSizes.size(); ++i) {
            std::printf("%zu agents: alone %.1f ns an agent, as a brick %.1f ns\n", kSizes[i],
                        1e9 * costs.alone[i] / static_cast<double>(kSizes[i]),
                        1e9 * costs.brick[i] / static_cast<double>(kSizes[i]));
        }
        std::printf("%.3f agents cross a unit of a border in a step\n", costs.crossings);
        fine = compare(costs, {}, 1.0, static_cast<double>(agents), one);
    }
    if (job.ranks() != nullptr && job.ranks()->size() > 1) {
        const Wire wire = measure_wire(*job.ranks());
        const std::size_t all = agents * job.ranks()->size();
        const StepTimes together = time_steps(*job.ranks(), all, steps, serial_executor());
        if (job.first()) {
            std::printf("a message: %.1f us, a mebibyte: %.0f us\n", 1e6 * wire.message,
                        1e6 * wire.byte * 0x1p20);
            fine = compare(costs, wire, job.ranks()->size(), static_cast<double>(all), together) &&
                   fine;
        }
    }
    if (job.first()) { print_table(costs); }
    return fine;
}

} // namespace throng::bench
