// The amount that is sent, compared with the movers and ghosts that brute force finds.
#include "../support/dims.hpp"
#include "../support/numbers.hpp"
#include "flock.hpp"

#include <limits>

namespace throng::test {
namespace {

template <class Dim>
class Bytes : public testing::Test {};
TYPED_TEST_SUITE(Bytes, Dims, DimNames);

/// The borders of a brick; those of the world's border cells are infinite.
template <std::size_t Dim>
struct Region {
    std::array<double, Dim> low{}, high{};
    bool empty = false;

    Region(const GridShape<Dim>& shape, const Brick<Dim>& brick) : empty(brick.empty()) {
        for (std::size_t a = 0; a < Dim; ++a) {
            const double size = 1.0 / double{shape.inverse_cell[a]};
            const std::uint32_t past = brick.first[a] + brick.cells[a];
            low[a] = brick.first[a] == 0 ? -kInfinity : shape.origin[a] + size * brick.first[a];
            high[a] = past == shape.cells[a] ? kInfinity : shape.origin[a] + size * past;
        }
    }
    /// The distance from a place to the brick, on the axis where it is largest.
    [[nodiscard]] double distance(const Point<Dim>& place) const {
        double far = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            far = std::max({far, low[a] - place[a], place[a] - high[a]});
        }
        return empty ? std::numeric_limits<double>::infinity() : far;
    }
};

struct Tally {
    std::uint64_t movers = 0, ghosts = 0;
};

/// An agent, as a rank has it before an update.
template <std::size_t Dim>
struct Held {
    Point<Dim> place;
    std::uint32_t by;
};

template <std::size_t Dim>
Tally by_brute_force(const std::vector<Held<Dim>>& all, const DistributedGrid<Dim>& crowd,
                     std::uint32_t ranks, double reach) {
    std::vector<Region<Dim>> regions;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        regions.emplace_back(crowd.shape(), crowd.cuts().brick_of(rank));
    }
    Tally tally;
    for (const Held<Dim>& agent : all) {
        const std::uint32_t owner = crowd.owner_of(agent.place);
        tally.movers += owner != agent.by ? 1 : 0;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            // A rank that owned the agent before keeps it as a ghost, so nothing is sent.
            if (rank == owner || rank == agent.by) { continue; }
            tally.ghosts += regions[rank].distance(agent.place) <= reach ? 1 : 0;
        }
    }
    return tally;
}

TYPED_TEST(Bytes, AreThoseOfMoversAndGhosts) {
    constexpr std::size_t kDim = TypeParam::value;
    Plan plan;
    plan.agents = 3000;
    plan.side = kDim == 2 ? 60.0f : 14.0f;
    plan.reach = 1.5f;
    constexpr std::uint32_t kTallied = 16;
    std::vector<Held<kDim>> all;
    std::vector<std::uint64_t> neighbours(kTallied);
    ThreadRanks job(kTallied, 7);
    std::uint64_t came = 0;
    RankTraffic before;
    job.run([&](Ranks& ranks) {
        const std::uint32_t rank = ranks.rank();
        Flock<kDim> flock(ranks, plan);
        ASSERT_EQ(flock.crowd.configure(settings_of<kDim>(plan)), Status{});
        std::uint64_t number = 0;
        const auto sum_of_traffic = [&] {
            RankTraffic sum;
            for (const RankTraffic& of_rank : job.traffic()) {
                sum.bytes += of_rank.bytes;
                sum.messages += of_rank.messages;
                sum.routes += of_rank.routes;
                sum.agreements += of_rank.agreements;
                sum.gatherings += of_rank.gatherings;
            }
            return sum;
        };
        for (int step = 0; step < 4; ++step) {
            flock.live_and_die(step);
            if (step == 0) {
                ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
                ASSERT_EQ(flock.answer(), Status{});
                continue;
            }
            // Between these two calls every rank waits; size() itself counts nothing but its own
            // traffic.
            ASSERT_EQ(flock.crowd.size(number), Status{});
            if (rank == 0) {
                all.clear();
                came = 0;
            }
            ASSERT_EQ(flock.crowd.size(number), Status{});
            for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
                all.push_back({flock.mine.positions[i], rank});
            }
            neighbours[rank] = flock.crowd.stats().neighbours;
            const RankTraffic own = job.traffic()[rank];
            ASSERT_EQ(flock.crowd.size(number), Status{});
            if (rank == 0) { before = sum_of_traffic(); }
            ASSERT_EQ(flock.crowd.size(number), Status{});
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            came += flock.crowd.stats().came;
            EXPECT_FALSE(flock.crowd.stats().routed);
            const RankTraffic& now = job.traffic()[rank];
            // The update took two agreements and a message to each neighbour; the calls of size()
            // two agreements.
            EXPECT_EQ(now.agreements - own.agreements, 2u + 2u);
            EXPECT_EQ(now.messages - own.messages, neighbours[rank]);
            EXPECT_EQ(now.routes, own.routes);
            ASSERT_EQ(flock.crowd.size(number), Status{});
            if (rank == 0) {
                const RankTraffic after = sum_of_traffic();
                const Tally tally = by_brute_force(all, flock.crowd, kTallied, plan.reach);
                const std::uint64_t ghost = 8 + 4 * kDim + 4 * kDim;
                const std::uint64_t mover = ghost + 4;
                const std::uint64_t wanted = tally.movers * mover + tally.ghosts * ghost;
                const std::uint64_t sent = after.bytes - before.bytes;
                EXPECT_EQ(came, tally.movers);
                EXPECT_GT(tally.movers, 50u);
                EXPECT_GE(sent, wanted);
                EXPECT_LE(static_cast<double>(sent),
                          1.02 * static_cast<double>(wanted) +
                              64.0 * static_cast<double>(after.messages - before.messages));
            }
            ASSERT_EQ(flock.answer(), Status{});
        }
    });
}

} // namespace
} // namespace throng::test
