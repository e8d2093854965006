// Periodic worlds: what owned agents find is what they find in one periodic Crowd, and is in the
// same order for any number of ranks.
#include "../support/random.hpp"

#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/thread_ranks.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

constexpr std::uint32_t kJobs[] = {1, 2, 3, 4, 8};

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
struct Answers {
    std::map<GlobalId, std::vector<GlobalId>> near, half; ///< as they are listed
    std::map<GlobalId, std::vector<GlobalId>> pairs;      ///< by first
    std::uint64_t count = 0;
    friend bool operator==(const Answers&, const Answers&) = default;
};

using NamePair = std::pair<GlobalId, GlobalId>;

std::multiset<NamePair> unordered(const std::map<GlobalId, std::vector<GlobalId>>& lists) {
    std::multiset<NamePair> pairs;
    for (const auto& [first, seconds] : lists) {
        for (const GlobalId second : seconds) {
            pairs.insert(std::minmax(first, second));
        }
    }
    return pairs;
}
std::map<GlobalId, std::multiset<GlobalId>>
as_sets(const std::map<GlobalId, std::vector<GlobalId>>& lists) {
    std::map<GlobalId, std::multiset<GlobalId>> sets;
    for (const auto& [first, seconds] : lists) {
        sets[first] = {seconds.begin(), seconds.end()};
    }
    return sets;
}

template <std::size_t Dim>
PointView<Dim> view_of(const std::vector<Point<Dim>>& points) {
    return PointView<Dim>::interleaved(reinterpret_cast<const float*>(points.data()),
                                       points.size());
}

/// The agents of a sky in one Crowd, in the order of names.
template <std::size_t Dim>
class Whole {
public:
    explicit Whole(const Sky<Dim>& sky) : sky_(sky), order_(sky.names.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::sort(order_.begin(), order_.end(),
                  [&](std::size_t a, std::size_t b) { return sky.names[a] < sky.names[b]; });
        CrowdSettings<Dim> settings;
        settings.bounds = sky.settings.bounds;
        settings.cell = sky.settings.cell;
        settings.periodic = sky.settings.periodic;
        EXPECT_EQ(crowd_.configure(settings, sky.settings.kind), Status{});
        EXPECT_EQ(crowd_.set_statics(sky.statics()), Status{});
    }

    Answers answer(const std::vector<Point<Dim>>& places) {
        std::vector<Point<Dim>> here, halves;
        for (const std::size_t i : order_) {
            here.push_back(places[i]);
            halves.push_back(sky_.halves[i]);
        }
        Agents<Dim> agents;
        agents.positions = view_of(here);
        agents.common_half_extent = sky_.settings.kind.common_half_extent;
        if (sky_.settings.kind.own_half_extents) { agents.half_extents = view_of(halves); }
        EXPECT_EQ(crowd_.update(agents), Status{});
        Answers all;
        Hits near;
        Pairs pairs;
        EXPECT_EQ(batch_.neighbours(crowd_, {sky_.settings.reach}, near, Order::ids), Status{});
        EXPECT_EQ(batch_.pairs({crowd_, PairSets::all}, pairs), Status{});
        for (std::size_t i = 0; i < here.size(); ++i) {
            auto& list = all.near[name(i)];
            for (const Id id : near.of(i)) {
                list.push_back(name(id));
            }
        }
        for (std::size_t i = 0; i < pairs.count; ++i) {
            all.pairs[name(pairs.first[i])].push_back(name(pairs.second[i]));
        }
        all.count = pairs.count;
        return all;
    }

private:
    [[nodiscard]] GlobalId name(std::size_t id) const {
        return is_static(id) ? global_static_id(static_index(id)) : sky_.names[order_[id]];
    }

    const Sky<Dim>& sky_;
    std::vector<std::size_t> order_; // by id
    Crowd<Dim> crowd_;
    Batch<Dim> batch_;
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
    void answer(Answers& all) {
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

constexpr int kSteps = 4;

/// The answers of each step.
template <std::size_t Dim>
std::vector<Answers> fly(const Sky<Dim>& sky, std::uint32_t ranks) {
    std::vector<Answers> all(kSteps);
    ThreadRanks job(ranks, ranks);
    job.run([&](Ranks& self) {
        Flight<Dim> flight(self, sky);
        ASSERT_EQ(flight.crowd.configure(sky.settings), Status{});
        ASSERT_EQ(flight.crowd.set_statics(sky.statics()), Status{});
        for (int step = 0; step < kSteps; ++step) {
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

template <class Dimension>
class PeriodicJob : public testing::Test {};
using Dimensions =
    testing::Types<std::integral_constant<std::size_t, 2>, std::integral_constant<std::size_t, 3>>;
TYPED_TEST_SUITE(PeriodicJob, Dimensions);

TYPED_TEST(PeriodicJob, FindsWhatOnePeriodicCrowdFinds) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& axes : some_axes<kDim>()) {
        for (const bool large : {false, true}) {
            const Sky<kDim> sky(axes, 260, true, large);
            Whole<kDim> whole(sky);
            const std::vector<Answers> alone = fly(sky, 1);
            std::vector<Point<kDim>> places = sky.places;
            for (std::size_t step = 0; step < alone.size(); ++step) {
                const Answers wanted = whole.answer(places);
                EXPECT_EQ(as_sets(alone[step].near), as_sets(wanted.near)) << "step " << step;
                EXPECT_EQ(unordered(alone[step].pairs), unordered(wanted.pairs));
                EXPECT_EQ(alone[step].count, wanted.count);
                // Each pair of neighbours is in half of the lists; statics have none.
                std::multiset<NamePair> twice;
                for (const NamePair& pair : unordered(alone[step].half)) {
                    twice.insert(pair);
                    if (pair.second < kFirstGlobalStatic) { twice.insert(pair); }
                }
                EXPECT_EQ(twice, unordered(wanted.near)) << "step " << step;
                for (std::size_t i = 0; i < places.size(); ++i) {
                    for (std::size_t a = 0; a < kDim; ++a) {
                        places[i][a] += sky.steps[i][a];
                    }
                }
            }
            for (const std::uint32_t ranks : kJobs) {
                EXPECT_EQ(fly(sky, ranks), alone) << ranks << " ranks";
            }
        }
    }
}

/// Where moving by a period rounds, the ghost is the one that is moved: by brute force.
TYPED_TEST(PeriodicJob, MeetsGhostsWhereTheySeemToBe) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& axes : some_axes<kDim>()) {
        const Sky<kDim> sky(axes, 200, false, false);
        std::map<GlobalId, std::multiset<GlobalId>> wanted;
        std::mutex mutex;
        std::map<GlobalId, Point<kDim>> kept; // as ranks keep them
        std::map<GlobalId, std::multiset<GlobalId>> found;
        ThreadRanks job(3, 1);
        job.run([&](Ranks& self) {
            Flight<kDim> flight(self, sky);
            ASSERT_EQ(flight.crowd.configure(sky.settings), Status{});
            ASSERT_EQ(flight.crowd.update(flight.mine), Status{});
            Answers own;
            flight.answer(own);
            const std::lock_guard lock(mutex);
            found.merge(as_sets(own.near));
            for (std::size_t i = 0; i < flight.mine.owned(); ++i) {
                kept[flight.mine.ids[i]] = flight.mine.positions[i];
            }
        });
        const auto& [lo, hi] = sky.settings.bounds;
        const float reach = sky.settings.reach;
        for (const auto& [asker, at] : kept) {
            std::multiset<GlobalId>& list = wanted[asker];
            for (const auto& [other, place] : kept) {
                for (int copy = 0; copy < (kDim == 2 ? 9 : 27); ++copy) {
                    Point<kDim> there = place;
                    bool is_there = other != asker || copy != 0;
                    float distance2 = 0.0f;
                    for (std::size_t a = 0, digits = static_cast<std::size_t>(copy); a < kDim;
                         ++a, digits /= 3) {
                        is_there = is_there && (axes[a] || digits % 3 == 0);
                        const float period = hi[a] - lo[a];
                        if (digits % 3 == 1) { there[a] += period; }
                        if (digits % 3 == 2) { there[a] -= period; }
                        const float off = there[a] - at[a];
                        distance2 += off * off;
                    }
                    if (is_there && distance2 <= reach * reach) { list.insert(other); }
                }
            }
        }
        for (const auto& [name, at] : kept) {
            for (std::size_t a = 0; a < kDim && axes[0] && axes[kDim - 1]; ++a) {
                EXPECT_LE(lo[a], at[a]) << name;
                EXPECT_LT(at[a], hi[a]) << name;
            }
        }
        EXPECT_EQ(found, wanted);
    }
}

} // namespace
} // namespace throng::test
