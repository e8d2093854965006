// Agents that fly through a periodic world, over the ranks of a job.
#pragma once

#include "../support/random.hpp"

#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/thread_ranks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace throng::test {

/// A world, and agents that fly straight on.
template <std::size_t Dim>
struct Sky {
    DistributedSettings<Dim> settings;
    std::vector<GlobalId> names;
    std::vector<Point<Dim>> places, steps, halves;
    std::vector<Point<Dim>> walls, wall_halves; ///< statics

    /// With `exact`, all numbers are multiples of 1/64, so that moving by a period rounds nothing.
    /// With `large` there are giants, and statics; some are wider than half the world.
    Sky(std::array<bool, Dim> periodic, std::size_t agents, bool exact, bool large) {
        DistributedSettings<Dim>& s = settings;
        const float off = exact ? 0.0f : 0.1f;
        s.bounds.lo = Point<Dim>::all(-3.0f + off);
        s.bounds.hi = Point<Dim>::all(9.0f + 3.0f * off);
        s.cell = Point<Dim>::all(1.3f); // the last cell is a part of one
        s.cell[0] = 0.4f;
        s.reach = 1.25f;
        s.periodic = periodic;
        s.kind.own_half_extents = large;
        if (!large) { s.kind.common_half_extent = Point<Dim>::all(0.5f); }
        scenes::Random random(agents + 31 * (exact ? 1 : 0));
        const auto number = [&](float low, float high) {
            const float x = random.between(low, high);
            return exact ? std::round(64.0f * x) / 64.0f : x;
        };
        for (std::size_t i = 0; i < agents; ++i) {
            names.push_back(GlobalId{i} * 7919 % 10007 + 5);
            Point<Dim>&place = places.emplace_back(), &step = steps.emplace_back(),
            &half = halves.emplace_back();
            for (std::size_t a = 0; a < Dim; ++a) {
                place[a] = number(s.bounds.lo[a], s.bounds.hi[a]);
                step[a] = number(-1.0f, 1.0f);
                half[a] = number(0.0f, 0.6f);
                // Some are on the borders, beside them, and worlds away.
                const float period = s.bounds.hi[a] - s.bounds.lo[a];
                if ((i + a) % 5 == 0) { place[a] = i % 2 == 0 ? s.bounds.lo[a] : s.bounds.hi[a]; }
                if ((i + a) % 7 == 0) { place[a] = std::nextafter(s.bounds.hi[a], -99.0f); }
                if ((i + a) % 7 == 0 && exact) { place[a] = s.bounds.hi[a] - 1.0f / 64.0f; }
                if (i % 11 == 0) { place[a] += 3.0f * period; }
                if (i % 13 == 0) { place[a] -= 4.0f * period; }
                if (large && i % 17 == 3) { half[a] = number(0.0f, 7.0f); }
            }
            if (large && i % 9 == 0) {
                walls.push_back(place);
                wall_halves.push_back(half);
            }
        }
    }

    [[nodiscard]] Agents<Dim> statics() const {
        const auto view = [](const std::vector<Point<Dim>>& points) {
            return PointView<Dim>::interleaved(reinterpret_cast<const float*>(points.data()),
                                               points.size());
        };
        Agents<Dim> all;
        all.positions = view(walls);
        all.half_extents = view(wall_halves);
        return all;
    }
    /// Whether an agent is a giant: larger than half a cell's longest side.
    [[nodiscard]] bool is_giant(std::size_t i) const {
        return settings.kind.own_half_extents &&
               *std::max_element(halves[i].axis.begin(), halves[i].axis.end()) > 0.65f;
    }

    [[nodiscard]] std::size_t number_of(GlobalId name) const {
        const auto at = std::find(names.begin(), names.end(), name);
        return static_cast<std::size_t>(at - names.begin());
    }
};

/// The answers of all ranks, by names.
struct FlightAnswers {
    std::map<GlobalId, std::vector<GlobalId>> near, half; ///< as they are listed
    std::map<GlobalId, std::vector<GlobalId>> pairs;      ///< by first
    std::uint64_t count = 0;
    friend bool operator==(const FlightAnswers&, const FlightAnswers&) = default;
};

/// A rank's part of a sky.
template <std::size_t Dim>
struct Flight {
    Flight(Ranks& self, const Sky<Dim>& all) : ranks(self), sky(all), crowd(self) {
        for (std::size_t i = ranks.rank(); i < sky.names.size(); i += ranks.size()) {
            mine.ids.push_back(sky.names[i]);
            mine.positions.push_back(sky.places[i]);
            if (sky.settings.kind.own_half_extents) { mine.half_extents.push_back(sky.halves[i]); }
        }
    }

    void step() {
        for (std::size_t i = 0; i < mine.owned(); ++i) {
            const Point<Dim>& by = sky.steps[sky.number_of(mine.ids[i])];
            for (std::size_t a = 0; a < Dim; ++a) {
                mine.positions[i][a] += by[a];
            }
        }
    }

    /// Adds this rank's answers to those of all.
    void answer(FlightAnswers& all) {
        Hits near, half;
        Pairs pairs;
        std::uint64_t count = 0;
        const float reach = sky.settings.reach;
        EXPECT_EQ(crowd.neighbours({reach}, near), Status{});
        EXPECT_EQ(crowd.neighbours({.radius = reach, .later_only = true}, half), Status{});
        EXPECT_EQ(crowd.pairs(pairs, serial_executor(), kAllGroups, PairSets::all), Status{});
        EXPECT_EQ(crowd.count_pairs(count, serial_executor(), kAllGroups, PairSets::all), Status{});
        const auto name = [&](Id id) {
            return is_static(id) ? global_static_id(static_index(id)) : mine.ids[id];
        };
        const auto is_small = [&](Id id) {
            return !is_static(id) && !sky.is_giant(sky.number_of(mine.ids[id]));
        };
        std::vector<std::uint32_t> counts(mine.owned()), halves(mine.owned());
        EXPECT_EQ(crowd.count_neighbours({reach}, counts), Status{});
        EXPECT_EQ(crowd.count_neighbours({.radius = reach, .later_only = true}, halves), Status{});
        const std::lock_guard lock(mutex());
        all.count = count;
        for (std::size_t i = 0; i < mine.owned(); ++i) {
            EXPECT_EQ(crowd.owner_of(mine.positions[i]), ranks.rank());
            EXPECT_EQ(counts[i], near.of(i).size());
            EXPECT_EQ(halves[i], half.of(i).size());
            // Whoever asks the local grid itself meets the small ones, and the asker.
            const auto small = std::count_if(near.of(i).begin(), near.of(i).end(), is_small);
            EXPECT_EQ(crowd.local().count(Ball<Dim>{mine.positions[i], reach}).count,
                      static_cast<std::size_t>(small) + (is_small(static_cast<Id>(i)) ? 1 : 0));
            EXPECT_TRUE(all.near.try_emplace(mine.ids[i]).second);
            for (const Id id : near.of(i)) {
                all.near[mine.ids[i]].push_back(name(id));
            }
            for (const Id id : half.of(i)) {
                all.half[mine.ids[i]].push_back(name(id));
            }
        }
        for (std::size_t i = 0; i < pairs.count; ++i) {
            EXPECT_LT(pairs.first[i], mine.owned());
            all.pairs[mine.ids[pairs.first[i]]].push_back(name(pairs.second[i]));
        }
    }

    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }

    Ranks& ranks;
    const Sky<Dim>& sky;
    Share<Dim> mine;
    DistributedGrid<Dim> crowd;
};

inline constexpr int kFlightSteps = 4;

/// The answers of each step.
template <std::size_t Dim>
std::vector<FlightAnswers> fly(const Sky<Dim>& sky, std::uint32_t ranks) {
    std::vector<FlightAnswers> all(kFlightSteps);
    ThreadRanks job(ranks, ranks);
    job.run([&](Ranks& self) {
        Flight<Dim> flight(self, sky);
        ASSERT_EQ(flight.crowd.configure(sky.settings), Status{});
        ASSERT_EQ(flight.crowd.set_statics(sky.statics()), Status{});
        for (int step = 0; step < kFlightSteps; ++step) {
            ASSERT_EQ(flight.crowd.update(flight.mine), Status{});
            ASSERT_STREQ(flight.crowd.local().validate(), nullptr);
            // Only agents that jump need a route, when they are dealt out and when bricks change;
            // and giants, which go everywhere.
            if (step % 2 == 1 && sky.walls.empty()) {
                EXPECT_FALSE(flight.crowd.stats().routed) << "step " << step;
            }
            flight.answer(all[static_cast<std::size_t>(step)]);
            if (step == 1) { ASSERT_EQ(flight.crowd.balance(), Status{}); }
            flight.step();
        }
    });
    return all;
}

template <std::size_t Dim>
std::vector<std::array<bool, Dim>> some_axes() {
    if constexpr (Dim == 2) { return {{true, false}, {false, true}, {true, true}}; }
    if constexpr (Dim == 3) {
        return {{true, false, false}, {false, false, true}, {true, true, true}};
    }
}

} // namespace throng::test
