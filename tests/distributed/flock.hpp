// A crowd that steers by its neighbours, in one Crowd or on the ranks of a job: each run yields one
// number to compare.
#pragma once

#include "../support/hash.hpp"
#include "../support/random.hpp"

#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/thread_ranks.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace throng::test {

/// Where agents are, and how they move.
enum class Scene : std::uint8_t {
    uniform,
    clustered,
    one_point,
    lattice, ///< on the edges of cells
    outside, ///< half of them are outside of the world
    corner,  ///< all on one rank
    teleport ///< each agent jumps anywhere, in every step
};
inline constexpr Scene kScenes[] = {Scene::uniform, Scene::clustered, Scene::one_point,
                                    Scene::lattice, Scene::outside,   Scene::corner,
                                    Scene::teleport};

/// A crowd and its world.
struct Plan {
    Scene scene = Scene::uniform;
    std::size_t agents = 300;
    int steps = 5;
    float origin = 0.0f;
    float side = 20.0f;
    float reach = 1.9f;
    bool own_half_extents = false; ///< up to half the reach; those too large for cells are giants
    float giants = 0.0f;           ///< more than 0: one in twenty is this many times larger
    bool sizes_change = false;     ///< in every other step giants are as small as the others
    std::size_t statics = 0;
    bool groups = false;
    bool births = false;    ///< one agent in ten is born later, and one in ten dies
    int balance_every = 0;  ///< how many steps apart; 0 for never
    float imbalance = 0.0f; ///< DistributedSettings::imbalance
};

template <std::size_t Dim>
DistributedSettings<Dim> settings_of(const Plan& plan) {
    DistributedSettings<Dim> settings;
    settings.bounds = {Point<Dim>::all(plan.origin), Point<Dim>::all(plan.origin + plan.side)};
    settings.cell = Point<Dim>::all(1.3f);
    settings.cell[0] = 0.4f;
    settings.reach = plan.reach;
    settings.kind.own_half_extents = plan.own_half_extents;
    settings.kind.groups = plan.groups;
    settings.imbalance = plan.imbalance;
    if (!plan.own_half_extents) { settings.kind.common_half_extent = Point<Dim>::all(0.4f); }
    return settings;
}

/// What an agent's name and the step alone decide.
template <std::size_t Dim>
struct Fate {
    const Plan& plan;

    /// Names are neither dense nor in the order of places.
    static GlobalId name(std::size_t i) { return i * 7919 + 5; }
    [[nodiscard]] bool lives(std::size_t i, int step) const {
        if (!plan.births) { return true; }
        if (i % 10 == 3) { return step >= static_cast<int>(i / 10 % 4); }
        if (i % 10 == 7) { return step < static_cast<int>(i / 10 % 4 + 1); }
        return true;
    }
    [[nodiscard]] Point<Dim> place(std::size_t i, int step) const {
        const int jump = plan.scene == Scene::teleport ? step : 0;
        scenes::Random random(i * 1000 + static_cast<std::uint64_t>(jump));
        Point<Dim> place;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float unit = random.unit();
            switch (plan.scene) {
            case Scene::uniform:
            case Scene::teleport:
                place[a] = plan.side * unit;
                break;
            case Scene::clustered:
                place[a] = plan.side * (0.3f + 0.4f * static_cast<float>(i % 2)) + 3.0f * unit;
                break;
            case Scene::one_point:
                place[a] = 0.5f * plan.side;
                break;
            case Scene::lattice:
                place[a] = (a == 0 ? 0.4f : 1.3f) * std::floor(10.0f * unit);
                if (i % 3 == 1) { place[a] = std::nextafter(place[a], 99.0f); }
                break;
            case Scene::outside:
                place[a] = plan.side * (2.0f * unit - 0.5f);
                break;
            case Scene::corner:
                place[a] = 1.5f * unit;
                break;
            }
            place[a] = plan.origin + place[a];
        }
        return place;
    }
    [[nodiscard]] Point<Dim> half_extent(std::size_t i, int step = 0) const {
        scenes::Random random(i + 77);
        const bool large =
            plan.giants > 0.0f && i % 20 == 7 && !(plan.sizes_change && step % 2 == 1);
        Point<Dim> half;
        for (std::size_t a = 0; a < Dim; ++a) {
            half[a] = 0.5f * plan.reach * random.unit();
            if (large) { half[a] *= plan.giants; }
        }
        return half;
    }
    [[nodiscard]] std::uint32_t mask(std::size_t i) const { return i % 5 == 0 ? 0u : 1u << i % 3; }
    [[nodiscard]] Point<Dim> speed(std::size_t i) const {
        scenes::Random random(i + 99);
        Point<Dim> speed;
        for (std::size_t a = 0; a < Dim; ++a) {
            speed[a] = random.between(-0.8f, 0.8f);
        }
        return speed;
    }
};

/// The statics of a plan.
template <std::size_t Dim>
class Walls {
public:
    explicit Walls(const Plan& plan) {
        scenes::Random random(4711);
        for (std::size_t i = 0; i < plan.statics; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                centres_.push_back(plan.origin + plan.side * random.unit());
                halves_.push_back(3.0f * random.unit());
            }
            masks_.push_back(1u << i % 3);
        }
        agents_.positions = PointView<Dim>::interleaved(centres_.data(), plan.statics);
        agents_.half_extents = PointView<Dim>::interleaved(halves_.data(), plan.statics);
        agents_.groups = {masks_.data(), sizeof masks_[0], masks_.size()};
    }
    [[nodiscard]] const Agents<Dim>& agents() const noexcept { return agents_; }
    /// Moves one of the statics.
    void move_one() { centres_[0] += 1.0f; }

private:
    std::vector<float> centres_, halves_;
    std::vector<std::uint32_t> masks_;
    Agents<Dim> agents_;
};

/// A sum over agents that does not depend on their order.
struct Sum {
    std::uint64_t value = 0;
    void add(const Hash& hash) { value += hash.value(); }
};

/// One step for the first `owned` of the agents with local ids. Their answers go into `sum`; they
/// steer by sums of floats over their neighbours, in the order of the lists.
template <std::size_t Dim>
void steer(std::size_t owned, const std::vector<GlobalId>& names, const Hits& near,
           const Pairs& pairs, std::vector<Point<Dim>>& places, std::vector<Point<Dim>>& speeds,
           bool teleport, Sum& sum) {
    const auto name = [&](Id id) {
        return is_static(id) ? global_static_id(static_index(id)) : names[id];
    };
    std::vector<Point<Dim>> next(owned);
    for (std::size_t i = 0; i < owned; ++i) {
        Hash hash;
        hash.add(names[i]);
        Point<Dim> steering;
        for (const Id other : near.of(i)) {
            hash.add(name(other));
            for (std::size_t a = 0; a < Dim && !is_static(other); ++a) {
                steering[a] = steering[a] + (places[other][a] - places[i][a]) * 0.125f +
                              speeds[other][a] * 0.3f;
            }
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            next[i][a] = 0.7f * speeds[i][a] + 0.01f * steering[a];
            hash.add(std::bit_cast<std::uint32_t>(next[i][a]));
            hash.add(std::bit_cast<std::uint32_t>(places[i][a]));
        }
        sum.add(hash);
    }
    std::map<GlobalId, Hash> of_first; // by first; seconds in their order
    for (std::size_t i = 0; i < pairs.count; ++i) {
        of_first[names[pairs.first[i]]].add(name(pairs.second[i]));
    }
    for (auto& [first, hash] : of_first) {
        hash.add(first);
        sum.add(hash);
    }
    for (std::size_t i = 0; i < owned; ++i) {
        speeds[i] = next[i];
        for (std::size_t a = 0; a < Dim && !teleport; ++a) {
            places[i][a] = places[i][a] + next[i][a];
        }
    }
}

/// Sorts pairs with giants and statics by sets, first and second, the order that ranks have.
template <std::size_t Dim>
void sort_large(const Crowd<Dim>& crowd, Pairs& pairs) {
    std::vector<std::tuple<bool, bool, Id, Id>> large;
    std::size_t small = 0;
    for (std::size_t i = 0; i < pairs.count; ++i) {
        const Id first = pairs.first[i], second = pairs.second[i];
        if (is_static(second) || crowd.contains(second, Sets::giants)) {
            large.push_back(
                {is_static(second), crowd.contains(first, Sets::giants), first, second});
        } else {
            EXPECT_EQ(small++, i) << "small agents with small ones come first";
        }
    }
    std::sort(large.begin(), large.end());
    for (std::size_t i = 0; i < large.size(); ++i) {
        pairs.first[small + i] = std::get<2>(large[i]);
        pairs.second[small + i] = std::get<3>(large[i]);
    }
}

/// The result of a plain Crowd.
template <std::size_t Dim>
std::uint64_t plain_hash(const Plan& plan) {
    const Fate<Dim> fate{plan};
    const auto settings = settings_of<Dim>(plan);
    Batch<Dim> batch;
    const Walls<Dim> walls(plan);
    std::vector<Point<Dim>> places(plan.agents), speeds(plan.agents);
    std::vector<bool> there(plan.agents, false);
    Sum sum;
    for (int step = 0; step < plan.steps; ++step) {
        std::vector<std::size_t> who;
        for (std::size_t i = 0; i < plan.agents; ++i) {
            if (!fate.lives(i, step)) { continue; }
            if (!there[i]) {
                places[i] = fate.place(i, step);
                speeds[i] = fate.speed(i);
                there[i] = true;
            }
            if (plan.scene == Scene::teleport) { places[i] = fate.place(i, step); }
            who.push_back(i);
        }
        std::vector<GlobalId> names;
        std::vector<Point<Dim>> here, going, half;
        std::vector<std::uint32_t> masks;
        for (const std::size_t i : who) {
            names.push_back(fate.name(i));
            here.push_back(places[i]);
            going.push_back(speeds[i]);
            half.push_back(fate.half_extent(i, step));
            masks.push_back(fate.mask(i));
        }
        Agents<Dim> agents;
        const auto view = [](const std::vector<Point<Dim>>& points) {
            return PointView<Dim>::interleaved(reinterpret_cast<const float*>(points.data()),
                                               points.size());
        };
        agents.positions = view(here);
        if (plan.own_half_extents) {
            agents.half_extents = view(half);
        } else {
            agents.common_half_extent = Point<Dim>::all(0.4f);
        }
        if (plan.groups) { agents.groups = {masks.data(), sizeof masks[0], masks.size()}; }
        Crowd<Dim> crowd; // new each time, so that giants are stored as after a first update
        EXPECT_EQ(crowd.configure({settings.bounds, settings.cell}, settings.kind), Status{});
        EXPECT_EQ(crowd.set_statics(walls.agents()), Status{});
        EXPECT_EQ(crowd.update(agents), Status{});
        Hits near;
        Pairs pairs;
        EXPECT_EQ(batch.neighbours(crowd, {plan.reach}, near, Order::ids), Status{});
        EXPECT_EQ(batch.pairs({crowd, PairSets::all}, pairs), Status{});
        sort_large(crowd, pairs);
        steer(who.size(), names, near, pairs, here, going, plan.scene == Scene::teleport, sum);
        sum.value += pairs.count + who.size();
        for (std::size_t k = 0; k < who.size(); ++k) {
            places[who[k]] = here[k];
            speeds[who[k]] = going[k];
        }
    }
    return sum.value;
}

/// The share of one rank, and its part of the result.
template <std::size_t Dim>
class Flock {
public:
    Flock(Ranks& ranks, const Plan& plan) : ranks_(ranks), plan_(plan), crowd(ranks) {
        speed = mine.template column<Point<Dim>>(Travels::with_ghosts);
        age = mine.template column<std::uint32_t>(Travels::with_owner);
    }

    /// Adds the agents that are born by this step, dealt out to ranks regardless of places, and
    /// removes those that die. Every rank takes its part.
    void live_and_die(int step) {
        const Fate<Dim> fate{plan_};
        std::vector<Id> kept;
        for (std::size_t i = 0; i < mine.owned(); ++i) {
            const std::size_t agent = (mine.ids[i] - 5) / 7919;
            if (fate.lives(agent, step)) { kept.push_back(static_cast<Id>(i)); }
            if (plan_.scene == Scene::teleport) { mine.positions[i] = fate.place(agent, step); }
            if (plan_.sizes_change) { mine.half_extents[i] = fate.half_extent(agent, step); }
        }
        if (kept.size() < mine.owned()) { mine.keep_only(kept); }
        for (std::size_t i = ranks_.rank(); i < plan_.agents; i += ranks_.size()) {
            if (!fate.lives(i, step) || (step > 0 && fate.lives(i, step - 1))) { continue; }
            mine.ids.push_back(fate.name(i));
            mine.positions.push_back(fate.place(i, step));
            if (plan_.own_half_extents) { mine.half_extents.push_back(fate.half_extent(i, step)); }
            if (plan_.groups) { mine.groups.push_back(fate.mask(i)); }
            mine[speed].push_back(fate.speed(i));
            mine[age].push_back(static_cast<std::uint32_t>(1000 * i));
        }
    }

    Status step(int number, Executor& executor = serial_executor()) {
        live_and_die(number);
        if (const Status status = crowd.update(mine, executor); !status.ok()) { return status; }
        if (plan_.balance_every != 0 && number % plan_.balance_every == 0) {
            if (const Status status = crowd.balance(executor); !status.ok()) { return status; }
        }
        return answer(executor);
    }

    Status answer(Executor& executor = serial_executor()) {
        for (const NamedGrid<Dim>& set : crowd.grids()) {
            EXPECT_STREQ(set.grid->validate(), nullptr);
        }
        EXPECT_TRUE(std::is_sorted(mine.ids.begin(),
                                   mine.ids.begin() + static_cast<std::ptrdiff_t>(mine.owned())));
        for (std::size_t i = 0; i < mine.owned(); ++i) {
            EXPECT_EQ(crowd.owner_of(mine.positions[i]), ranks_.rank());
            ++mine[age][i];
        }
        Hits near;
        Pairs pairs;
        EXPECT_EQ(crowd.neighbours({plan_.reach}, near, executor), Status{});
        EXPECT_EQ(crowd.pairs(pairs, executor, kAllGroups, PairSets::all), Status{});
        std::vector<std::uint32_t> counts(mine.owned());
        EXPECT_EQ(crowd.count_neighbours({plan_.reach}, counts, executor), Status{});
        for (std::size_t i = 0; i < counts.size(); ++i) {
            EXPECT_EQ(counts[i], near.of(i).size());
        }
        steer(mine.owned(), mine.ids, near, pairs, mine.positions, mine[speed],
              plan_.scene == Scene::teleport, sum);
        std::uint64_t all_pairs = 0, all_agents = 0;
        Status status = crowd.count_pairs(all_pairs, executor, kAllGroups, PairSets::all);
        if (status.ok()) { status = crowd.size(all_agents); }
        if (ranks_.rank() == 0) { sum.value += all_pairs + all_agents; }
        return status;
    }

private:
    Ranks& ranks_;
    const Plan plan_;

public:
    Share<Dim> mine;
    Column<Point<Dim>> speed;
    Column<std::uint32_t> age;
    DistributedGrid<Dim> crowd;
    Sum sum;
};

/// The result of a job of this many ranks.
template <std::size_t Dim>
std::uint64_t distributed_hash(const Plan& plan, std::uint32_t ranks, std::uint64_t seed,
                               const std::function<Executor&()>& executor = serial_executor,
                               const std::optional<Cuts<Dim>>& cuts = {}) {
    auto settings = settings_of<Dim>(plan);
    settings.cuts = cuts;
    Sum all;
    std::mutex mutex;
    ThreadRanks job(ranks, seed);
    job.run([&](Ranks& self) {
        Flock<Dim> flock(self, plan);
        ASSERT_EQ(flock.crowd.configure(settings), Status{});
        ASSERT_EQ(flock.crowd.set_statics(Walls<Dim>(plan).agents()), Status{});
        for (int step = 0; step < plan.steps; ++step) {
            ASSERT_EQ(flock.step(step, executor()), Status{});
        }
        // Ages travel with the owner, not with ghosts, so each agent must still have its own age.
        for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
            const std::size_t agent = (flock.mine.ids[i] - 5) / 7919;
            const auto born = static_cast<std::uint32_t>(1000 * agent);
            const std::uint32_t age = flock.mine[flock.age][i] - born;
            ASSERT_GE(age, 1u);
            ASSERT_LE(age, static_cast<std::uint32_t>(plan.steps));
            if (!plan.births) { ASSERT_EQ(age, static_cast<std::uint32_t>(plan.steps)); }
        }
        const std::lock_guard lock(mutex);
        all.value += flock.sum.value;
    });
    return all.value;
}

} // namespace throng::test
