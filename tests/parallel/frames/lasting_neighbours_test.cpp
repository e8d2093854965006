// Lasting lists, compared with new lists of a crowd that is updated in every frame, and the oracle.
#include "../../support/dims.hpp"
#include "../../support/ids.hpp"
#include "../../support/long_run.hpp"
#include "../../support/random.hpp"
#include "../../support/threads/executors.hpp"
#include "../../support/truth.hpp"

#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace throng::test {
namespace {

constexpr float kSide = 30.0f;

/// A crowd with lasting lists whose agents move, and a second one that is updated in every frame.
template <std::size_t Dim>
struct Frames {
    Crowd<Dim> crowd, fresh;
    Truth<Dim> truth;
    std::array<std::vector<float>, Dim> position, half;
    std::vector<std::uint32_t> groups;
    scenes::Random random{11};

    explicit Frames(std::size_t count, bool giants = false, bool masks = false,
                    bool periodic = false) {
        CrowdSettings<Dim> settings;
        settings.bounds = Box<Dim>{{}, Point<Dim>::all(kSide)};
        settings.cell = Point<Dim>::all(1.0f);
        Periodic<Dim> around{};
        for (std::size_t a = 0; a < Dim; ++a) {
            settings.periodic[a] = periodic && a != 1;
        }
        around.bounds = *settings.bounds;
        around.axes = settings.periodic;
        truth = Truth<Dim>(around);
        EXPECT_EQ(crowd.configure(settings), Status{});
        EXPECT_EQ(fresh.configure(settings), Status{});
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                // Half of the agents stand on a lattice, so that pairs are exactly on the rim.
                const float at = random.between(0.0f, kSide);
                position[a].push_back(i % 2 == 0 ? std::floor(at * 4.0f) / 4.0f : at);
                if (giants) { half[a].push_back(i % 41 == 7 ? 2.0f : 0.25f); }
            }
            if (masks) { groups.push_back(1u << random.below(3)); }
        }
    }
    [[nodiscard]] std::size_t size() const { return position[0].size(); }
    [[nodiscard]] Agents<Dim> agents() const {
        Agents<Dim> all;
        all.positions = view(position);
        if (!half[0].empty()) { all.half_extents = view(half); }
        if (!groups.empty()) { all.groups = {groups.data(), sizeof(std::uint32_t), size()}; }
        return all;
    }
    [[nodiscard]] static PointView<Dim> view(const std::array<std::vector<float>, Dim>& of) {
        std::array<const float*, Dim> axes;
        for (std::size_t a = 0; a < Dim; ++a) {
            axes[a] = of[a].data();
        }
        return PointView<Dim>::separate(axes, of[0].size());
    }
    void stand(std::size_t statics) {
        Agents<Dim> walls;
        walls.positions = view(position);
        walls.positions.count = statics;
        EXPECT_EQ(crowd.set_statics(walls), Status{});
        EXPECT_EQ(fresh.set_statics(walls), Status{});
        EXPECT_EQ(truth.set_statics(walls), Status{});
    }
    void move(float most) {
        for (auto& axis : position) {
            for (float& x : axis) {
                if (random.below(4) != 0) { x += random.between(-most, most); }
            }
        }
    }
};

Ids sorted(std::span<const Id> ids) {
    Ids all(ids.begin(), ids.end());
    std::sort(all.begin(), all.end());
    return all;
}

/// The lists by agent's id. With half lists a pair goes to its smaller id, in whichever list it
/// was.
std::vector<Ids> by_id(std::span<const Id> order, const Hits& hits, std::size_t bound, bool half) {
    std::vector<Ids> lists(bound);
    for (std::size_t k = 0; k < order.size(); ++k) {
        for (const Id id : hits.of(k)) {
            const Id asker = order[k];
            lists[half ? std::min(asker, id) : asker].push_back(half ? std::max(asker, id) : id);
        }
    }
    for (Ids& list : lists) {
        std::sort(list.begin(), list.end());
    }
    return lists;
}

/// Half lists must be whole new lists without those before the asker in lists.order(). Of two
/// agents that are near across a border when lists are made, exactly one has the other.
template <std::size_t Dim>
void expect_half(Frames<Dim>& frames, LastingNeighbours<Dim>& lists, const Hits& kept) {
    const LastingSettings& wanted = lists.settings();
    Neighbourhood whole = wanted.neighbourhood;
    whole.later_only = false;
    Batch<Dim> batch;
    Hits all;
    ASSERT_EQ(batch.neighbours({frames.fresh, wanted.sets}, whole, all, Order::ids), Status{});
    std::vector<std::size_t> rank(frames.size());
    for (std::size_t k = 0; k < lists.order().size(); ++k) {
        rank[lists.order()[k]] = k;
    }
    const auto has = [](const auto& list, Id id) { return std::ranges::count(list, id) != 0; };
    for (std::size_t k = 0; k < lists.order().size(); ++k) {
        const Id asker = lists.order()[k];
        Ids later;
        for (const Id id : all.of(asker)) {
            const bool found = has(kept.of(k), id);
            const bool wraps = frames.crowd.wraps() && !is_static(id) && id != asker;
            if (wraps && has(all.of(id), asker)) {
                ASSERT_NE(has(kept.of(rank[id]), asker), found) << asker << " and " << id;
            }
            if (wraps ? found : is_static(id) || rank[id] >= k) { later.push_back(id); }
        }
        ASSERT_EQ(sorted(kept.of(k)), sorted(later)) << k;
    }
}

/// Expects lasting lists and new lists to be equal in this frame.
template <std::size_t Dim>
void expect_fresh(Frames<Dim>& frames, LastingNeighbours<Dim>& lists, bool oracle) {
    const LastingSettings& wanted = lists.settings();
    const std::size_t bound = frames.size();
    ASSERT_EQ(frames.fresh.update(frames.agents()), Status{});
    Batch<Dim> batch;
    Hits fresh, kept;
    ASSERT_EQ(batch.neighbours({frames.fresh, wanted.sets}, wanted.neighbourhood, fresh), Status{});
    ASSERT_EQ(lists.neighbours(frames.agents(), kept), Status{});
    Ids order(frames.fresh.size());
    (void)frames.fresh.order(order);
    const bool half = wanted.neighbourhood.later_only;
    if (half) {
        ASSERT_NO_FATAL_FAILURE(expect_half(frames, lists, kept));
        if (wanted.neighbourhood.groups == kAllGroups && !frames.crowd.wraps()) {
            // Half lists have the same pairs as new half lists.
            ASSERT_EQ(by_id(lists.order(), kept, bound, true), by_id(order, fresh, bound, true));
        }
    } else {
        ASSERT_EQ(by_id(lists.order(), kept, bound, false), by_id(order, fresh, bound, false));
    }
    // Neighbours come in the order of candidates.
    for (std::size_t k = 0; k < lists.order().size(); ++k) {
        const auto all = lists.candidates().of(k);
        auto at = all.begin();
        for (const Id id : kept.of(k)) {
            at = std::find(at, all.end(), id);
            ASSERT_NE(at, all.end());
        }
    }
    if (!oracle || half) { return; }
    ASSERT_EQ(frames.truth.update(frames.agents()), Status{});
    frames.truth.go_by(frames.fresh);
    const auto truth = frames.truth.neighbours(wanted.neighbourhood, wanted.sets);
    const auto mine = by_id(lists.order(), kept, bound, false);
    for (std::size_t i = 0; i < bound; ++i) {
        ASSERT_EQ(mine[i], sorted(truth[i])) << i;
    }
}

template <class Dim>
class LastingLists : public testing::Test {};
TYPED_TEST_SUITE(LastingLists, test::Dims, test::DimNames);

TYPED_TEST(LastingLists, EqualFreshOnes) {
    constexpr std::size_t kDim = TypeParam::value;
    ShuffleExecutor shuffled(3);
    EagerPool two(2), three(3), eight(8);
    Executor* const executors[] = {&serial_executor(), &shuffled, &two, &three, &eight};
    std::size_t e = 0;
    for (const bool giants : {false, true}) {
        for (const bool periodic : {false, true}) {
            for (const bool half : {false, true}) {
                SCOPED_TRACE(testing::Message() << giants << periodic << half);
                Frames<kDim> frames(test::large_run() ? 1'300 : 400, giants, giants, periodic);
                if (giants) { frames.stand(120); }
                LastingSettings wanted;
                wanted.neighbourhood = {1.5f, giants, giants ? 5u : kAllGroups, half};
                wanted.skin = 0.5f;
                LastingNeighbours<kDim> lists(wanted, *executors[e++ % 5]);
                std::uint64_t kept = 0;
                for (int frame = 0; frame < 16; ++frame) {
                    ASSERT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
                    ASSERT_NO_FATAL_FAILURE(expect_fresh(frames, lists, frame % 5 == 0));
                    kept += lists.lasted() > 0 ? 1u : 0u;
                    frames.move(0.06f);
                }
                EXPECT_GE(kept, 6u);
                EXPECT_GE(lists.made(), 3u);
            }
        }
    }
}

TYPED_TEST(LastingLists, AreTheSameForEveryExecutor) {
    constexpr std::size_t kDim = TypeParam::value;
    ShuffleExecutor shuffled(5);
    EagerPool two(2), three(3), eight(8);
    Executor* const executors[] = {&shuffled, &two, &three, &eight};
    const LastingSettings wanted{{1.2f}, 0.4f};
    for (Executor* const executor : executors) {
        Frames<kDim> one(3'000), other(3'000);
        LastingNeighbours<kDim> alone(wanted), together(wanted, *executor);
        for (int frame = 0; frame < 8; ++frame) {
            ASSERT_EQ(alone.update(one.crowd, one.agents()), Status{});
            ASSERT_EQ(together.update(other.crowd, other.agents()), Status{});
            Hits a, b;
            ASSERT_EQ(alone.neighbours(one.agents(), a), Status{});
            ASSERT_EQ(together.neighbours(other.agents(), b), Status{});
            ASSERT_EQ(a.offsets, b.offsets);
            for (std::size_t k = 0; k + 1 < a.offsets.size(); ++k) {
                ASSERT_TRUE(std::ranges::equal(a.of(k), b.of(k)));
            }
            ASSERT_EQ(alone.moved(), together.moved());
            ASSERT_EQ(alone.lasted(), together.lasted());
            std::atomic<std::uint64_t> visited = 0, askers = 0;
            ASSERT_EQ(together.visit(other.agents(),
                                     [&](Id, std::span<const Id> ids) {
                                         visited += ids.size();
                                         ++askers;
                                     }),
                      Status{});
            ASSERT_EQ(visited, a.total());
            ASSERT_EQ(askers, one.size());
            one.move(0.05f);
            other.move(0.05f);
        }
    }
}

/// Two agents in the plane.
struct OnePair {
    Crowd<2> crowd;
    std::array<float, 2> x, y{0.0f, 0.0f};
    [[nodiscard]] Agents<2> agents() const {
        Agents<2> all;
        all.positions = PointView<2>::separate({x.data(), y.data()}, 2);
        return all;
    }
};

TEST(LastingListsOnTheRim, LoseNoNeighbourToRounding) {
    // Two agents approach each other, each as far as lists allow, until they are on the rim.
    scenes::Random random(23);
    std::size_t on_rim = 0, lasted = 0;
    for (const float scale : {1e-30f, 1e-19f, 1e-9f, 1.0f, 1e6f, 1e15f, 4e17f}) {
        for (const float far : {0.0f, 1.0f, 1e3f}) {
            for (int round = 0; round < 400; ++round) {
                const float radius = scale * random.between(0.1f, 1.0f);
                const float skin = radius * (round % 3 == 0 ? 1e-6f : random.between(0.0f, 0.5f));
                const float at = std::min(far * scale, 4e17f) * random.unit();
                LastingSettings wanted{{radius}, skin};
                LastingNeighbours<2> lists(wanted);
                OnePair pair;
                // The final positions: as far apart as the exact test allows.
                const float end0 = at + skin / 2.0f;
                float end1 = end0 + radius;
                while (contains(Ball<2>{{end0, 0.0f}, radius}, Point<2>{{end1, 0.0f}})) {
                    end1 = std::nextafter(end1, kLargest);
                    if (end1 > end0 + 1.001f * radius) { break; }
                }
                end1 = std::nextafter(end1, end0);
                float begin1 = end1 + skin / 2.0f;
                if (!(begin1 <= kLargest)) { continue; }
                pair.x = {at, begin1};
                ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
                pair.x = {end0, end1};
                ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
                Hits hits;
                ASSERT_EQ(lists.neighbours(pair.agents(), hits), Status{});
                const bool near = contains(Ball<2>{{end0, 0.0f}, radius}, Point<2>{{end1, 0.0f}});
                ASSERT_EQ(hits.total(), near ? 2u : 0u) << radius << ' ' << skin << ' ' << at;
                on_rim += near ? 1 : 0;
                lasted += lists.lasted();
            }
        }
    }
    EXPECT_GT(on_rim, 4'000u);
    EXPECT_GT(lasted, 2'000u);
}

TEST(LastingListsOnTheRim, LastUntilHalfTheSkin) {
    OnePair pair;
    pair.x = {0.0f, 1.0f};
    LastingNeighbours<2> lists({{2.0f}, 1.0f});
    ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
    pair.x[1] = 1.5f; // exactly half the skin
    ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
    EXPECT_EQ(lists.lasted(), 1u);
    EXPECT_EQ(lists.moved(), 0.5f);
    pair.x[1] = std::nextafter(1.5f, 2.0f);
    Hits hits;
    EXPECT_EQ(lists.neighbours(pair.agents(), hits),
              (Status{Cause::out_of_range, Argument::positions, 1}));
    ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
    EXPECT_EQ(lists.lasted(), 0u);
    EXPECT_EQ(lists.made(), 2u);
}

TEST(LastingListsOnTheRim, WithoutASkinLastWhileNothingMoves) {
    OnePair pair;
    pair.x = {0.0f, 1.0f};
    LastingNeighbours<2> lists({{2.0f}, 0.0f});
    ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
    ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
    EXPECT_EQ(lists.lasted(), 1u);
    pair.x[0] = 1e-30f; // so small that its square is zero
    ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
    EXPECT_EQ(lists.made(), 2u);
}

TEST(LastingListsOfPeriodicWorlds, FollowAgentsAcrossTheBorder) {
    OnePair pair;
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{10.0f, 10.0f}}};
    settings.periodic = {true, false};
    ASSERT_EQ(pair.crowd.configure(settings), Status{});
    pair.x = {9.9f, 0.9f};
    LastingNeighbours<2> lists({{1.0f}, 0.5f});
    ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
    pair.x = {10.1f, 0.9f};
    ASSERT_EQ(lists.update(pair.crowd, pair.agents()), Status{});
    EXPECT_EQ(lists.lasted(), 1u);
    EXPECT_NEAR(lists.moved(), 0.2f, 1e-5f);
    Hits hits;
    ASSERT_EQ(lists.neighbours(pair.agents(), hits), Status{});
    EXPECT_EQ(hits.total(), 2u);
}

TEST(LastingListsEnd, WhenAnythingElseChanges) {
    Frames<2> frames(400, true, true);
    LastingNeighbours<2> lists({{1.5f}, 0.5f});
    const auto makes_new = [&] {
        const std::uint64_t before = lists.made();
        EXPECT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
        const bool made = lists.made() != before;
        EXPECT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
        EXPECT_EQ(lists.made(), before + (made ? 1u : 0u)) << "once is enough";
        return made;
    };
    EXPECT_TRUE(makes_new());
    EXPECT_FALSE(makes_new());
    frames.groups[17] ^= 1u;
    EXPECT_TRUE(makes_new());
    frames.half[1][5] = 3.0f;
    EXPECT_TRUE(makes_new());
    ASSERT_EQ(frames.crowd.move(3, Point<2>{{1.0f, 1.0f}}), Status{});
    EXPECT_TRUE(makes_new());
    ASSERT_EQ(frames.crowd.move(7, Point<2>{{1.0f, 1.0f}}), Status{}); // this agent is a giant
    EXPECT_TRUE(makes_new());
    frames.stand(10);
    EXPECT_TRUE(makes_new());
    ASSERT_EQ(frames.crowd.update(frames.agents()), Status{});
    EXPECT_TRUE(makes_new());
    ASSERT_EQ(frames.crowd.erase(9), Status{});
    EXPECT_TRUE(makes_new());
    frames.position[0].pop_back();
    frames.position[1].pop_back();
    frames.half[0].pop_back();
    frames.half[1].pop_back();
    frames.groups.pop_back();
    EXPECT_TRUE(makes_new());
    ASSERT_NO_FATAL_FAILURE(expect_fresh(frames, lists, true));
    EXPECT_EQ(lists.update(frames.fresh, frames.agents()), Status{});
    EXPECT_EQ(lists.lasted(), 0u) << "another crowd";
}

TEST(LastingListsEnd, WhenASlotIsAnotherAgents) {
    Crowd<2> crowd;
    std::array<std::vector<float>, 2> at;
    std::vector<Handle> handles(100);
    std::vector<Agent<2>> born;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        at[0].push_back(static_cast<float>(i % 10));
        at[1].push_back(static_cast<float>(i) * 0.1f);
        born.push_back({{{at[0][i], at[1][i]}}, {}, {}});
    }
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{10.0f, 10.0f}}};
    settings.cell = Point<2>{{1.0f, 1.0f}};
    ASSERT_EQ(crowd.configure(settings), Status{});
    ASSERT_EQ(crowd.add(born, handles), Status{});
    ASSERT_EQ(crowd.remove(handles[40]), Status{});
    at[0][40] = std::numeric_limits<float>::quiet_NaN(); // must not be read
    Agents<2> all;
    all.positions = PointView<2>::separate({at[0].data(), at[1].data()}, 100);
    LastingNeighbours<2> lists({{1.0f}, 0.5f});
    ASSERT_EQ(lists.update(crowd, all), Status{});
    ASSERT_EQ(lists.update(crowd, all), Status{});
    EXPECT_EQ(lists.lasted(), 1u);
    Hits hits;
    ASSERT_EQ(lists.neighbours(all, hits), Status{});
    EXPECT_EQ(lists.order().size(), 99u);
    Agents<2> few = all; // one element for each agent
    few.positions.count = 99;
    EXPECT_EQ(lists.neighbours(few, hits),
              (Status{Cause::count_mismatch, Argument::positions, 100}));
    Handle again;
    at[0][40] = 0.0f;
    ASSERT_EQ(crowd.add({{{0.0f, 4.0f}}, {}, {}}, again), Status{});
    ASSERT_EQ(again.slot, 40u);
    ASSERT_EQ(lists.update(crowd, all), Status{});
    EXPECT_EQ(lists.made(), 2u);
    EXPECT_EQ(lists.order().size(), 100u);
}

TEST(LastingListsRefuse, WhatMakesNoSense) {
    Frames<2> frames(300);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto refused = [&](float radius, float skin, Body body = Body::centre) {
        LastingNeighbours<2> lists({{.radius = radius, .body = body}, skin});
        const Status status = lists.update(frames.crowd, frames.agents());
        EXPECT_EQ(frames.crowd.size(), 0u);
        EXPECT_TRUE(lists.order().empty());
        return status;
    };
    EXPECT_EQ(refused(-1.0f, 1.0f), (Status{Cause::negative, Argument::radius}));
    EXPECT_EQ(refused(nan, 1.0f), (Status{Cause::not_finite, Argument::radius}));
    EXPECT_EQ(refused(1.0f, -1.0f), (Status{Cause::negative, Argument::skin}));
    EXPECT_EQ(refused(1.0f, nan), (Status{Cause::not_finite, Argument::skin}));
    EXPECT_EQ(refused(8e17f, 8e17f), (Status{Cause::too_large, Argument::radius}));
    EXPECT_EQ(refused(1.0f, 1.0f, Body::disc), (Status{Cause::out_of_range, Argument::body}));

    LastingNeighbours<2> lists({{1.0f}, 0.5f});
    Hits hits;
    EXPECT_EQ(lists.neighbours(frames.agents(), hits),
              (Status{Cause::count_mismatch, Argument::positions}));
    ASSERT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
    const auto sound = frames.position;
    for (const float wrong : {nan, -nan, std::numeric_limits<float>::infinity(), 2e18f}) {
        frames.position = sound;
        frames.position[1][211] = wrong;
        const Cause cause = wrong == 2e18f ? Cause::too_large : Cause::not_finite;
        EXPECT_EQ(lists.update(frames.crowd, frames.agents()),
                  (Status{cause, Argument::positions, 211}));
        EXPECT_EQ(lists.neighbours(frames.agents(), hits),
                  (Status{cause, Argument::positions, 211}));
        frames.position = sound;
        ASSERT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
        EXPECT_EQ(lists.made(), 1u);
    }
    // The skin is so large that even positions beyond a crowd's limit are within it.
    LastingNeighbours<2> loose({{1.0f}, 8e17f});
    Crowd<2> crowd;
    std::array<float, 2> x{9e17f, 0.0f}, y{};
    Agents<2> two;
    two.positions = PointView<2>::separate({x.data(), y.data()}, 2);
    ASSERT_EQ(loose.update(crowd, two), Status{});
    x[0] = 1.1e18f;
    EXPECT_EQ(loose.update(crowd, two), (Status{Cause::too_large, Argument::positions, 0}));
}

TEST(LastingListsOfNothing, AreEmpty) {
    Crowd<3> crowd;
    LastingNeighbours<3> lists({{1.0f}, 0.5f});
    Hits hits;
    for (int frame = 0; frame < 3; ++frame) {
        ASSERT_EQ(lists.update(crowd, Agents<3>{}), Status{});
        ASSERT_EQ(lists.neighbours(Agents<3>{}, hits), Status{});
        EXPECT_EQ(hits.total(), 0u);
    }
    EXPECT_EQ(lists.lasted(), 2u);
}

TEST(LastingListsInDoubles, AreThoseOfFloats) {
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{kSide, kSide}}};
    settings.origin = {4.5e9, -1e7};
    Crowd<2> crowd, local;
    ASSERT_EQ(crowd.configure(settings), Status{});
    settings.origin = {};
    ASSERT_EQ(local.configure(settings), Status{});
    Frames<2> frames(500);
    LastingNeighbours<2> far({{1.5f}, 0.5f}), near({{1.5f}, 0.5f});
    for (int frame = 0; frame < 8; ++frame) {
        std::array<std::vector<double>, 2> x;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            for (std::size_t a = 0; a < 2; ++a) {
                // Doubles that are exact so far from zero.
                const double at = (a == 0 ? 4.5e9 : -1e7) + double{frames.position[a][i]};
                x[a].push_back(at);
                frames.position[a][i] = static_cast<float>(at - (a == 0 ? 4.5e9 : -1e7));
            }
        }
        const WorldAgents<2> world(
            WorldPointView<2>::separate({x[0].data(), x[1].data()}, frames.size()));
        ASSERT_EQ(far.update(crowd, world), Status{});
        ASSERT_EQ(near.update(local, frames.agents()), Status{});
        Hits a, b;
        ASSERT_EQ(far.neighbours(world, a), Status{});
        ASSERT_EQ(near.neighbours(frames.agents(), b), Status{});
        EXPECT_EQ(a.offsets, b.offsets);
        EXPECT_EQ(far.lasted(), near.lasted());
        frames.move(0.05f);
    }
}

TEST(LastingListsAfterFailures, AreAsBefore) {
    for (const Fault fault : {Fault::drop, Fault::repeat_for_drop, Fault::nothing,
                              Fault::throw_before, Fault::throw_after}) {
        for (std::size_t run = 0; run < 24; ++run) {
            Frames<2> frames(1'500);
            SwitchExecutor executor;
            LastingNeighbours<2> lists({{1.5f}, 0.5f}, executor);
            ASSERT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
            Hits before, after;
            const Frames<2>& old = frames;
            const auto positions = old.position;
            ASSERT_EQ(lists.neighbours(frames.agents(), before), Status{});
            frames.move(1.0f);
            FaultyExecutor faulty(fault, run);
            executor.executor = &faulty;
            bool failed = false;
            try {
                failed = !lists.update(frames.crowd, frames.agents()).ok();
            } catch (const ExecutorError&) { failed = true; }
            executor.executor = &serial_executor();
            if (failed) {
                EXPECT_EQ(lists.made(), 1u);
                const auto moved = frames.position;
                frames.position = positions;
                ASSERT_EQ(lists.neighbours(frames.agents(), after), Status{});
                EXPECT_EQ(before.offsets, after.offsets);
                EXPECT_EQ(before.ids, after.ids);
                frames.position = moved;
            }
            ASSERT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
            ASSERT_NO_FATAL_FAILURE(expect_fresh(frames, lists, false));
        }
    }
}

TEST(LastingListsAfterFailures, AreFilteredAsBefore) {
    for (const Fault fault : {Fault::drop, Fault::repeat_for_drop, Fault::nothing,
                              Fault::throw_before, Fault::throw_after}) {
        for (std::size_t run = 0; run < 8; ++run) {
            Frames<2> frames(1'500);
            SwitchExecutor executor;
            LastingNeighbours<2> lists({{1.5f}, 0.5f}, executor);
            ASSERT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
            FaultyExecutor faulty(fault, run);
            executor.executor = &faulty;
            Hits hits;
            try {
                const Status status = lists.neighbours(frames.agents(), hits);
                EXPECT_EQ(hits.offsets.empty(), !status.ok());
            } catch (const ExecutorError&) { EXPECT_TRUE(hits.offsets.empty()); }
            executor.executor = &serial_executor();
            ASSERT_NO_FATAL_FAILURE(expect_fresh(frames, lists, false));
        }
    }
}

TEST(LastingListsOfFewOrMany, AreFilteredInFullAndInEmptyWindows) {
    // From lists without candidates to lists with more places than a filter's window.
    for (const float radius : {0.0f, 0.01f, 0.3f, 3.0f, 9.0f, 40.0f}) {
        for (const bool periodic : {false, true}) {
            Frames<2> frames(700, true, true, periodic);
            frames.stand(90);
            LastingNeighbours<2> lists({{radius, radius == 3.0f}, 0.5f});
            ASSERT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
            ASSERT_NO_FATAL_FAILURE(expect_fresh(frames, lists, true));
            frames.move(0.15f);
            ASSERT_EQ(lists.update(frames.crowd, frames.agents()), Status{});
            EXPECT_EQ(lists.lasted(), 1u);
            ASSERT_NO_FATAL_FAILURE(expect_fresh(frames, lists, true));
        }
    }
}

} // namespace
} // namespace throng::test
