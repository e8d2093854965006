// The example of docs/distributed.md, on three ranks and on one.
#include <throng/distributed.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

namespace {

/// Every rank gets a part of twenty by twenty agents, wherever they stand.
void read_part(std::uint32_t rank, std::uint32_t ranks, std::vector<throng::GlobalId>& ids,
               std::vector<throng::Point<2>>& positions,
               std::vector<throng::Point<2>>& velocities) {
    for (std::uint32_t agent = rank; agent < 400; agent += ranks) {
        ids.push_back(agent);
        positions.push_back(
            {{static_cast<float>(agent % 20) + 0.5f, static_cast<float>(agent / 20) + 0.5f}});
        velocities.push_back({{agent % 2 == 0 ? 0.25f : -0.25f, 0.0f}});
    }
}

/// Along with the neighbours.
void steer(throng::Share<2>& mine, throng::Column<throng::Point<2>> velocity, std::size_t agent,
           std::span<const throng::Id> near) {
    float sum = mine[velocity][agent][0];
    for (const throng::Id other : near) {
        sum += mine[velocity][other][0];
    }
    mine.positions[agent][0] += sum / static_cast<float>(near.size() + 1);
}

} // namespace

throng::Status simulate(throng::Ranks& ranks, const throng::Box<2>& world, int steps,
                        std::uint64_t& pairs) {
    throng::ThreadPool pool; // the threads of this process
    throng::Share<2> mine;   // what this process has of the crowd
    const auto velocity = mine.column<throng::Point<2>>(throng::Travels::with_ghosts);
    // Any part of the crowd, in any order.
    read_part(ranks.rank(), ranks.size(), mine.ids, mine.positions, mine[velocity]);

    throng::DistributedGrid<2> crowd(ranks);
    throng::Status s = crowd.configure({.bounds = world,
                                        .cell = {{0.5f, 2.0f}},
                                        .reach = 2.0f,
                                        .kind = {.common_half_extent = {{0.55f, 0.55f}}}});
    throng::Hits near;
    for (int step = 0; step < steps && s.ok(); ++step) {
        s = crowd.update(mine, pool); // all go to their owners, and ghosts come
        if (s.ok()) { s = crowd.neighbours({.radius = 2.0f}, near, pool); }
        for (std::size_t i = 0; i < mine.owned() && s.ok(); ++i) {
            steer(mine, velocity, i, near.of(i)); // whose ids are places in the arrays of `mine`
        }
    }
    if (s.ok()) { s = crowd.count_pairs(pairs, pool); } // of the whole crowd
    return s;                                           // the same on every rank
}

int main() {
    const throng::Box<2> world = {{{0.0f, 0.0f}}, {{20.0f, 20.0f}}};
    std::uint64_t apart = 0, together = 0;
    throng::ThreadRanks job(3);
    job.run([&](throng::Ranks& ranks) {
        std::uint64_t pairs = 0;
        if (simulate(ranks, world, 5, pairs).ok() && ranks.rank() == 2) { apart = pairs; }
    });
    throng::OneRank one;
    if (!simulate(one, world, 5, together).ok()) { return 1; }
    std::printf("%llu pairs, alike: %s\n", static_cast<unsigned long long>(apart),
                apart == together ? "yes" : "no");
    return 0;
}
