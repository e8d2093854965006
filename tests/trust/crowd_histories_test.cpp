// Crowds with more giants than are found quickly wherever they are, in worlds that shrink and grow:
// frames that readers held, and saving and loading, must leave no trace in answers.
#include "../support/long_run.hpp"
#include "../support/random.hpp"
#include "../support/scenes/scenes.hpp"
#include "history.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

using scenes::Random;
constexpr float kWorld = 25.0f;

std::uint64_t lives() { return test::long_run() ? 2'000 : test::emulated() ? 4 : 40; }

template <std::size_t Dim>
Agent<Dim> any_agent(Random& random, float spread, bool giant) {
    Agent<Dim> agent{{}, Point<Dim>{}, random.below(8)};
    for (std::size_t a = 0; a < Dim; ++a) {
        agent.position[a] = random.unit() * spread * kWorld;
        (*agent.half_extent)[a] = giant ? random.between(1.0f, 3.0f) : random.between(0.0f, 0.4f);
    }
    return agent;
}

/// The agents of a frame: some hundreds; none, a few or many of them are giants. They are in a part
/// of the world or far beyond it.
template <std::size_t Dim>
scenes::Scene<Dim> any_frame(Random& random, std::size_t agents) {
    constexpr std::array kSpreads = {1.0f, 0.6f, 0.2f, 2.0f, 0.01f};
    constexpr std::array<std::size_t, 9> kGiants = {0, 3, 40, 63, 64, 65, 100, 130, 300};
    scenes::Scene<Dim> scene;
    const float spread = kSpreads[random.below(kSpreads.size())];
    const std::size_t giants = kGiants[random.below(kGiants.size())];
    const bool own = random.below(8) != 0, masks = random.below(2) == 0;
    for (std::size_t i = 0; i < agents; ++i) {
        const Agent<Dim> agent = any_agent<Dim>(random, spread, i * 7 % agents < giants);
        if (own) {
            scene.add(agent.position, *agent.half_extent);
        } else {
            scene.add(agent.position);
        }
    }
    scene.common_half_extent = Point<Dim>::all(0.25f);
    if (masks) { scenes::add_groups(scene, random.next()); }
    return scene;
}

template <std::size_t Dim>
CrowdSettings<Dim> any_settings(Random& random, bool cells) {
    CrowdSettings<Dim> settings;
    settings.bounds = Box<Dim>{{}, Point<Dim>::all(kWorld)};
    if (cells) { settings.cell = Point<Dim>::all(1.0f); }
    settings.periodic[0] = random.below(4) == 0;
    return settings;
}

/// Answers of batches and of single calls, in the crowd's own order.
template <std::size_t Dim>
test::Ids answers_of(const Crowd<Dim>& crowd, std::uint64_t seed) {
    test::Ids answers;
    const auto add = [&](std::span<const Id> ids) {
        answers.push_back(static_cast<Id>(ids.size()));
        answers.insert(answers.end(), ids.begin(), ids.end());
    };
    Batch<Dim> batch;
    Hits hits;
    for (const Order order : {Order::ids, Order::storage}) {
        EXPECT_EQ(batch.neighbours(crowd, {.radius = 3.0f}, hits, order), Status{});
        add(std::span<const Id>(hits.ids).first(hits.total()));
    }
    Pairs pairs;
    EXPECT_EQ(batch.pairs(crowd, pairs), Status{});
    add(std::span<const Id>(pairs.first).first(pairs.count));
    add(std::span<const Id>(pairs.second).first(pairs.count));
    Random random(seed);
    for (int i = 0; i < 20; ++i) {
        Point<Dim> at;
        for (float& x : at.axis) {
            x = random.between(-2.0f, kWorld + 2.0f);
        }
        add(test::visited(crowd, Ball<Dim>{at, random.between(0.0f, 9.0f)}));
        add(test::visited(crowd,
                          Box<Dim>::around(at, Point<Dim>::all(random.between(0.0f, 9.0f)))));
        std::array<Near, 40> near;
        const Found found = crowd.nearest(at, {40}, near);
        for (const Near& one : std::span(near).first(found.count)) {
            answers.push_back(one.id);
        }
    }
    return answers;
}

#define ASSERT_SAME_CROWDS(one, other, seed)                                                       \
    ASSERT_EQ(test::bytes_of(one) == test::bytes_of(other), true);                                 \
    ASSERT_EQ(answers_of(one, seed) == answers_of(other, seed), true)

template <class D>
class CrowdHistories : public testing::Test {};
using Dims =
    testing::Types<std::integral_constant<std::size_t, 2>, std::integral_constant<std::size_t, 3>>;
TYPED_TEST_SUITE(CrowdHistories, Dims);

/// Edits of agents with ids below 400, and of some statics; a few of most lists may be refused.
template <std::size_t Dim>
std::vector<Edit<Dim>> any_edits(Random& random, const Crowd<Dim>& of) {
    std::vector<Edit<Dim>> edits(random.below(8) == 0 ? random.below(200) : random.below(12));
    std::vector<bool> is_there(400), is_static_there(20);
    for (Id id = 0; id < 400; ++id) {
        is_there[id] = of.contains(id);
    }
    for (Id id = 0; id < 20; ++id) {
        is_static_there[id] = of.contains(static_id(id));
    }
    for (Edit<Dim>& edit : edits) {
        const bool of_static = random.below(10) == 0;
        const Id number = random.below(of_static ? 20 : 400);
        auto there = of_static ? is_static_there[number] : is_there[number];
        const Id id = of_static ? static_id(number) : number;
        Agent<Dim> agent = any_agent<Dim>(random, 1.0f, random.below(20) == 0);
        if (!of_static && !of.kind().own_half_extents) { agent.half_extent.reset(); }
        if (of_static || !of.kind().groups) { agent.groups.reset(); }
        if (random.below(300) == 0) { agent.position[0] = 1e30f; }
        edit = !there                 ? Edit<Dim>::insert(id, agent)
               : random.below(3) == 0 ? Edit<Dim>::erase(id)
                                      : Edit<Dim>::move(id, agent.position);
        there = edit.kind != Edit<Dim>::Kind::erase;
    }
    return edits;
}

/// Two crowds publish the same frames; only one has readers, which hold frames for a while. A crowd
/// without frames has the same changes.
TYPED_TEST(CrowdHistories, FramesDoNotDependOnReaders) {
    constexpr std::size_t kDim = TypeParam::value;
    for (std::uint64_t seed = 0; seed < lives(); ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        const bool cells = random.below(2) == 0;
        const CrowdSettings<kDim> settings = any_settings<kDim>(random, cells);
        PublishedCrowd<kDim> quiet, busy;
        Crowd<kDim> plain;
        ASSERT_EQ(quiet.configure(settings), Status{});
        ASSERT_EQ(busy.configure(settings), Status{});
        ASSERT_EQ(plain.configure(settings), Status{});
        std::vector<Snapshot<Crowd<kDim>>> held;
        for (std::uint64_t frame = 0; frame < 24; ++frame) {
            SCOPED_TRACE(testing::Message() << "frame " << frame);
            if (random.below(12) == 0) {
                auto statics = any_frame<kDim>(random, 20);
                ASSERT_EQ(quiet.set_statics(statics.agents()), Status{});
                ASSERT_EQ(busy.set_statics(statics.agents()), Status{});
                ASSERT_EQ(plain.set_statics(statics.agents()), Status{});
            }
            Status status;
            if (random.below(3) == 0) {
                auto scene = any_frame<kDim>(random, 200 + random.below(200));
                if (random.below(16) == 0) { scene.position[0][0] = 1e30f; }
                status = quiet.update(scene.agents());
                ASSERT_EQ(busy.update(scene.agents()), status);
                ASSERT_EQ(plain.update(scene.agents()), status);
            } else {
                const auto edits = any_edits(random, plain);
                status = quiet.edit(edits);
                ASSERT_EQ(busy.edit(edits), status);
                ASSERT_EQ(plain.edit(edits), status);
            }
            const auto now = quiet.acquire(), also = busy.acquire();
            ASSERT_EQ(static_cast<bool>(now), static_cast<bool>(also));
            if (!now) { continue; }
            ASSERT_SAME_CROWDS(*now, *also, seed);
            // Statics that were set have no frame yet, if the change was refused.
            if (status.ok()) { ASSERT_SAME_CROWDS(*now, plain, seed); }
            if (random.below(2) == 0) { held.push_back(also); }
            if (random.below(3) == 0 && !held.empty()) {
                held.erase(held.begin() + random.below(static_cast<std::uint32_t>(held.size())));
            }
            if (random.below(8) == 0) { busy.shrink(); }
            if (random.below(8) == 0) {
                // Edits of statics alone, or none, make a frame without cells.
                const Status reserved = busy.reserve(300);
                ASSERT_TRUE(reserved.ok() || reserved.cause == Cause::not_configured);
            }
        }
    }
}

/// Two crowds with the same calls. Sometimes the second is replaced by a loaded copy, and frees its
/// scratch memory.
template <std::size_t Dim>
class Twins {
public:
    explicit Twins(std::uint64_t seed) : random_(seed), by_handles_(random_.below(2) == 0) {
        const CrowdSettings<Dim> settings = any_settings<Dim>(random_, true);
        masks_ = random_.below(2) == 0;
        for (Crowd<Dim>* crowd : both()) {
            EXPECT_EQ(crowd->configure(settings, {true, masks_, {}}), Status{});
        }
    }

    [[nodiscard]] const Crowd<Dim>& one() const noexcept { return one_; }
    [[nodiscard]] const Crowd<Dim>& other() const noexcept { return other_; }

    void step() {
        if (random_.below(3) == 0) { other_ = test::loaded_copy_of(other_); }
        if (random_.below(8) == 0) { other_.release_staging(); }
        if (random_.below(8) == 0) { ASSERT_EQ(other_.reserve(500), Status{}); }
        switch (random_.below(16)) {
        case 0:
            return one_.size() > 300 ? clear() : several();
        case 1:
        case 2:
            return statics();
        case 3:
        case 4:
        case 5:
        case 6:
            return update();
        case 7:
        case 8:
        case 9:
            return several();
        default:
            for (std::uint32_t left = 1 + random_.below(30); left != 0; --left) {
                ASSERT_NO_FATAL_FAILURE(by_handles_ ? single_by_handle() : single_by_id());
            }
        }
    }

private:
    [[nodiscard]] std::array<Crowd<Dim>*, 2> both() noexcept { return {&one_, &other_}; }

    /// Expects both crowds to return the same status.
    template <class Call>
    Status same(const Call& call) {
        const Status status = call(one_);
        EXPECT_EQ(call(other_), status);
        return status;
    }

    Agent<Dim> newcomer() {
        Agent<Dim> agent = any_agent<Dim>(random_, 1.0f, random_.below(3) == 0);
        if (!one_.kind().own_half_extents) { agent.half_extent.reset(); }
        if (!one_.kind().groups) { agent.groups.reset(); }
        return agent;
    }
    Point<Dim> place() { return any_agent<Dim>(random_, 1.5f, false).position; }

    void clear() {
        for (Crowd<Dim>* crowd : both()) {
            crowd->clear();
        }
    }

    void statics() {
        auto scene = any_frame<Dim>(random_, 50 + random_.below(100));
        (void)same([&](Crowd<Dim>& crowd) { return crowd.set_statics(scene.agents()); });
    }

    void update() {
        const std::size_t slots = by_handles_ ? one_.slots() : 200 + random_.below(200);
        auto scene = any_frame<Dim>(random_, slots);
        if (slots != 0 && random_.below(16) == 0) { scene.position[0][slots / 2] = 1e30f; }
        (void)same([&](Crowd<Dim>& crowd) { return crowd.update(scene.agents()); });
    }

    Id any_id() { return random_.below(420); }

    void single_by_id() {
        const Id id = any_id();
        switch (random_.below(3)) {
        case 0: {
            const Agent<Dim> agent = newcomer();
            (void)same([&](Crowd<Dim>& crowd) { return crowd.insert(id, agent); });
            return;
        }
        case 1:
            (void)same([&](Crowd<Dim>& crowd) { return crowd.erase(id); });
            return;
        default:
            const Point<Dim> to = place();
            (void)same([&](Crowd<Dim>& crowd) { return crowd.move(id, to); });
        }
    }

    void single_by_handle() {
        const Id slot = random_.below(static_cast<std::uint32_t>(one_.slots() + 1));
        switch (random_.below(4)) {
        case 0:
        case 1: {
            const Agent<Dim> agent = newcomer();
            Handle got[2];
            ASSERT_EQ(one_.add(agent, got[0]), Status{});
            ASSERT_EQ(other_.add(agent, got[1]), Status{});
            ASSERT_EQ(got[0].slot, got[1].slot);
            ASSERT_EQ(got[0].generation, got[1].generation);
            return;
        }
        case 2:
            (void)same([&](Crowd<Dim>& crowd) { return crowd.remove(crowd.handle_of(slot)); });
            return;
        default:
            const Point<Dim> to = place();
            (void)same([&](Crowd<Dim>& crowd) { return crowd.move(crowd.handle_of(slot), to); });
        }
    }

    /// Makes a list of edits, or adds several agents.
    void several() {
        const std::size_t count = random_.below(80);
        if (by_handles_) {
            std::vector<Agent<Dim>> agents;
            while (agents.size() < count) {
                agents.push_back(newcomer());
            }
            (void)same([&](Crowd<Dim>& crowd) {
                std::vector<Handle> handles(count);
                return crowd.add(agents, handles);
            });
            return;
        }
        std::vector<Edit<Dim>> edits;
        while (edits.size() < count) {
            const Id id = any_id();
            if (!one_.contains(id)) {
                edits.push_back(Edit<Dim>::insert(id, newcomer()));
            } else if (random_.below(2) == 0) {
                edits.push_back(Edit<Dim>::move(id, place()));
            } else {
                edits.push_back(Edit<Dim>::erase(id));
            }
            // Mostly one edit for each agent; if an agent comes twice, the list may be refused.
        }
        (void)same([&](Crowd<Dim>& crowd) { return crowd.edit(edits); });
    }

    Random random_;
    bool by_handles_, masks_ = false;
    Crowd<Dim> one_, other_;
};

TYPED_TEST(CrowdHistories, LoadedCopiesTakeTheSameCalls) {
    constexpr std::size_t kDim = TypeParam::value;
    for (std::uint64_t seed = 0; seed < lives(); ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Twins<kDim> twins(seed);
        for (int step = 0; step < 25; ++step) {
            SCOPED_TRACE(testing::Message() << "step " << step);
            ASSERT_NO_FATAL_FAILURE(twins.step());
            ASSERT_SAME_CROWDS(twins.one(), twins.other(), seed);
        }
    }
}

} // namespace
} // namespace throng
