// A crowd in the plane that steers by its neighbours, on one grid or on the ranks of a job.
#pragma once

#include "../../tests/support/hash.hpp"
#include "../../tests/support/random.hpp"

#include <throng/distributed.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace throng::bench {

inline void expect_ok(const Status& status) {
    if (!status.ok()) { throw std::runtime_error(to_string(status)); }
}

/// About one agent for each unit of area, with five neighbours. Half of the agents of a clustered
/// crowd are in four places, 200 times as dense as the rest: about 90 neighbours each, while the
/// others have hardly any.
struct Walk {
    std::size_t agents;
    float side;
    bool clustered;
    static constexpr float kReach = 1.25f;

    explicit Walk(std::size_t count, bool in_clusters = false)
        : agents(count), side(std::sqrt(static_cast<float>(count) * (in_clusters ? 5.5f : 1.0f))),
          clustered(in_clusters) {}

    [[nodiscard]] DistributedSettings<2> settings() const {
        DistributedSettings<2> settings;
        settings.bounds = {{}, Point<2>::all(side)};
        settings.cell = {{0.5f, 2.0f}};
        settings.reach = kReach;
        settings.kind.common_half_extent = Point<2>::all(0.25f);
        return settings;
    }
    [[nodiscard]] Point<2> place(std::size_t agent) const {
        scenes::Random random(agent);
        if (clustered && agent % 2 == 0) {
            constexpr float kAt[4][2] = {
                {0.13f, 0.22f}, {0.41f, 0.77f}, {0.66f, 0.35f}, {0.9f, 0.6f}};
            const float wide = side * 0.0354f; // 1/800 of the area
            const auto& at = kAt[agent / 2 % 4];
            return {{side * at[0] + random.between(0.0f, wide),
                     side * at[1] + random.between(0.0f, wide)}};
        }
        return {{random.between(0.0f, side), random.between(0.0f, side)}};
    }
    static Point<2> velocity(std::size_t agent) {
        scenes::Random random(~agent);
        return {{random.between(-0.1f, 0.1f), random.between(-0.1f, 0.1f)}};
    }
};

/// The agents of a grid, or of a rank's share.
struct Walkers {
    const std::vector<GlobalId>& ids;
    std::vector<Point<2>>& places;
    std::vector<Point<2>>& velocities;
    std::size_t owned;
};

/// Makes one step of the owned agents. Returns a hash of their moves and neighbours; its sum over
/// ranks does not depend on who owns which agent. `hashes`, if given, gets the hash of each agent.
inline std::uint64_t walk(const Walkers& all, const Hits& near,
                          std::vector<std::uint64_t>* hashes = nullptr) {
    std::uint64_t sum = 0;
    if (hashes != nullptr) { hashes->clear(); }
    std::vector<Point<2>> next(all.owned);
    for (std::size_t i = 0; i < all.owned; ++i) {
        test::Hash hash;
        hash.add(all.ids[i]);
        Point<2> steering;
        for (const Id other : near.of(i)) {
            hash.add(all.ids[other]);
            for (std::size_t a = 0; a < 2; ++a) {
                steering[a] = steering[a] + (all.places[i][a] - all.places[other][a]) * 0.01f +
                              all.velocities[other][a] * 0.02f;
            }
        }
        for (std::size_t a = 0; a < 2; ++a) {
            next[i][a] = 0.9f * all.velocities[i][a] + steering[a];
            hash.add(std::bit_cast<std::uint32_t>(next[i][a]));
        }
        sum += hash.value();
        if (hashes != nullptr) { hashes->push_back(hash.value()); }
    }
    for (std::size_t i = 0; i < all.owned; ++i) {
        all.velocities[i] = next[i];
        for (std::size_t a = 0; a < 2; ++a) {
            all.places[i][a] = all.places[i][a] + next[i][a];
        }
    }
    return sum;
}

[[nodiscard]] inline Agents<2> agents_of(const std::vector<Point<2>>& places) {
    Agents<2> agents;
    agents.positions =
        PointView<2>::interleaved(reinterpret_cast<const float*>(places.data()), places.size());
    agents.common_half_extent = Point<2>::all(0.25f);
    return agents;
}

/// A rank's share of a walk.
class Walking {
public:
    /// Without agents at first; begin() or a checkpoint provides them.
    explicit Walking(Ranks& job) : ranks(job), crowd(job) {
        velocity = mine.column<Point<2>>(Travels::with_ghosts);
    }
    Walking(Ranks& job, const Walk& walk) : Walking(job) { begin(walk); }

    void begin(const Walk& walk) {
        expect_ok(crowd.configure(walk.settings()));
        for (std::size_t i = ranks.rank(); i < walk.agents; i += ranks.size()) {
            mine.ids.push_back(i);
            mine.positions.push_back(walk.place(i));
            mine[velocity].push_back(Walk::velocity(i));
        }
    }
    void update(Executor& executor = serial_executor()) { expect_ok(crowd.update(mine, executor)); }
    void find(Hits& near, Executor& executor = serial_executor()) {
        expect_ok(crowd.neighbours({Walk::kReach}, near, executor));
    }
    void walk_on(const Hits& near, std::vector<std::uint64_t>* hashes = nullptr) {
        hash += walk({mine.ids, mine.positions, mine[velocity], mine.owned()}, near, hashes);
    }
    void step(std::vector<std::uint64_t>* hashes = nullptr) {
        Hits near;
        find(near);
        walk_on(near, hashes);
    }

    Ranks& ranks;
    Share<2> mine;
    Column<Point<2>> velocity;
    DistributedGrid<2> crowd;
    std::uint64_t hash = 0;
};

} // namespace throng::bench
