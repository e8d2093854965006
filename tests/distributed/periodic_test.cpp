// Periodic worlds: what owned agents find is what they find in one periodic Crowd, and is in the
// same order for any number of ranks.
#include "../support/threads/executors.hpp"
#include "sky.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

constexpr std::uint32_t kJobs[] = {1, 2, 3, 4, 8};

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

    FlightAnswers answer(const std::vector<Point<Dim>>& places) {
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
        FlightAnswers all;
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
    /// The nearest of each agent, where answer() has put them.
    [[nodiscard]] std::map<GlobalId, std::vector<GlobalNear>> nearest(std::uint32_t k) {
        NearHits hits;
        EXPECT_EQ(batch_.nearest_neighbours(crowd_, {.k = k}, hits, Order::ids), Status{});
        std::map<GlobalId, std::vector<GlobalNear>> all;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            for (const Near& near : hits.of(i)) {
                all[name(i)].push_back({near.distance2, name(near.id)});
            }
        }
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
            const std::vector<FlightAnswers> alone = fly(sky, 1);
            std::vector<Point<kDim>> places = sky.places;
            for (std::size_t step = 0; step < alone.size(); ++step) {
                const FlightAnswers wanted = whole.answer(places);
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

/// Lists that reach across borders are made in blocks: the same on threads, and if blocks are left
/// out, the old ones stay.
TYPED_TEST(PeriodicJob, ListsOnThreads) {
    constexpr std::size_t kDim = TypeParam::value;
    const Sky<kDim> sky(some_axes<kDim>().back(), 1500, true, true);
    ThreadRanks job(2, 1);
    job.run([&](Ranks& self) {
        Flight<kDim> flight(self, sky);
        ASSERT_EQ(flight.crowd.configure(sky.settings), Status{});
        ASSERT_EQ(flight.crowd.set_statics(sky.statics()), Status{});
        ASSERT_EQ(flight.crowd.update(flight.mine), Status{});
        EagerPool pool(3);
        Hits hits;
        for (const bool later_only : {false, true}) {
            const Neighbourhood asked{.radius = sky.settings.reach, .later_only = later_only};
            Hits wanted;
            ASSERT_EQ(flight.crowd.neighbours(asked, wanted), Status{});
            bool failed = true;
            int refusals = 0;
            for (std::size_t run = 0; failed; ++run) {
                const Hits before = hits;
                FaultyExecutor faulty(Fault::drop, run);
                const Status status = flight.crowd.neighbours(asked, hits, faulty);
                failed = faulty.failed();
                // Blocks that only write what is counted run in any case.
                refusals += status.ok() ? 0 : 1;
                if (!status.ok()) { ASSERT_EQ(status.cause, Cause::executor_failed); }
                const Hits& now = status.ok() ? wanted : before;
                ASSERT_EQ(hits.offsets, now.offsets);
                ASSERT_EQ(hits.ids, now.ids);
            }
            EXPECT_GE(refusals, 2);
            ASSERT_EQ(flight.crowd.neighbours(asked, hits, pool), Status{});
            ASSERT_EQ(hits.offsets, wanted.offsets);
            ASSERT_EQ(hits.ids, wanted.ids);
        }
    });
}

/// Groups say which agents half lists have, and not who asks.
TYPED_TEST(PeriodicJob, HalvesListsOfGroups) {
    constexpr std::size_t kDim = TypeParam::value;
    Sky<kDim> sky(some_axes<kDim>().back(), 900, true, true);
    sky.settings.kind.groups = true;
    ThreadRanks job(3, 1);
    job.run([&](Ranks& self) {
        Flight<kDim> flight(self, sky);
        for (const GlobalId name : flight.mine.ids) {
            flight.mine.groups.push_back(name % 3 == 0 ? 2u : 1u);
        }
        ASSERT_EQ(flight.crowd.configure(sky.settings), Status{});
        ASSERT_EQ(flight.crowd.set_statics(sky.statics()), Status{});
        ASSERT_EQ(flight.crowd.update(flight.mine), Status{});
        const Neighbourhood asked{.radius = sky.settings.reach, .later_only = true};
        Neighbourhood of_group = asked;
        of_group.groups = 2;
        Hits all, some;
        ASSERT_EQ(flight.crowd.neighbours(asked, all), Status{});
        ASSERT_EQ(flight.crowd.neighbours(of_group, some), Status{});
        for (std::size_t i = 0; i < flight.mine.owned(); ++i) {
            std::vector<Id> wanted;
            std::copy_if(all.of(i).begin(), all.of(i).end(), std::back_inserter(wanted),
                         [&](Id id) { return is_static(id) || flight.mine.groups[id] == 2; });
            ASSERT_EQ(std::vector<Id>(some.of(i).begin(), some.of(i).end()), wanted);
        }
    });
}

/// Where moving by a period rounds, the asker is the one that is moved.
TYPED_TEST(PeriodicJob, MeasuresTheNearestAsOnePeriodicCrowdDoes) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& axes : some_axes<kDim>()) {
        const Sky<kDim> sky(axes, 1500, false, false);
        Whole<kDim> whole(sky);
        (void)whole.answer(sky.places);
        const auto wanted = whole.nearest(3);
        for (const std::uint32_t ranks : {1u, 3u}) {
            std::map<GlobalId, std::vector<GlobalNear>> found;
            std::mutex mutex;
            ThreadRanks job(ranks, 1);
            job.run([&](Ranks& self) {
                Flight<kDim> flight(self, sky);
                ASSERT_EQ(flight.crowd.configure(sky.settings), Status{});
                ASSERT_EQ(flight.crowd.update(flight.mine), Status{});
                GlobalNearHits hits;
                ASSERT_EQ(flight.crowd.nearest_neighbours({.k = 3}, hits), Status{});
                const std::lock_guard lock(mutex);
                for (std::size_t i = 0; i < flight.mine.owned(); ++i) {
                    found[flight.mine.ids[i]].assign(hits.of(i).begin(), hits.of(i).end());
                }
            });
            EXPECT_EQ(found, wanted) << ranks << " ranks";
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
            FlightAnswers own;
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
