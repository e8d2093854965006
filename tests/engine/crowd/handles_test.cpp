// Agents that come and go by handle, against the oracle and a list of living agents.
#include "../../family/questions.hpp"
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/crowd_change.hpp>

#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <map>
#include <vector>

namespace throng {
namespace {

using test::kNan;

Agent<2> some_agent(scenes::Random& random) {
    // Cells are 2 wide, so one agent in five is a giant.
    const float half = random.below(5) == 0 ? random.between(1.5f, 9.0f) : 0.25f;
    return {{{random.between(0.0f, 50.0f), random.between(0.0f, 50.0f)}},
            Point<2>{{half, 0.5f * half}},
            {}};
}

Crowd<2> empty_crowd() {
    Crowd<2> crowd;
    EXPECT_EQ(crowd.configure({Box<2>{{{0.0f, 0.0f}}, {{50.0f, 50.0f}}}, Point<2>{{1.0f, 2.0f}}},
                              {true, false, {}}),
              Status{});
    return crowd;
}

/// A crowd with handles, and its model.
class Living {
public:
    Living() { EXPECT_EQ(truth_.configure({true, false, {}}), Status{}); }

    void add(std::size_t count) {
        std::vector<Agent<2>> agents;
        for (std::size_t i = 0; i < count; ++i) {
            agents.push_back(some_agent(random_));
        }
        std::vector<Handle> handles(count);
        if (count == 1) {
            ASSERT_EQ(crowd_.add(agents[0], handles[0]), Status{});
        } else {
            ASSERT_EQ(crowd_.add(agents, handles), Status{});
        }
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(crowd_.check(handles[i]), Status{});
            ASSERT_EQ(crowd_.handle_of(handles[i].slot), handles[i]);
            ASSERT_TRUE(alive_.emplace(handles[i], agents[i]).second);
            ASSERT_EQ(truth_.insert(handles[i].slot, agents[i]), Status{});
        }
    }

    void remove(std::size_t count) {
        std::vector<Handle> handles;
        for (std::size_t i = 0; i < count && !alive_.empty(); ++i) {
            const Handle handle = random_handle();
            handles.push_back(handle);
            alive_.erase(handle);
            gone_.push_back(handle);
            ASSERT_EQ(truth_.erase(handle.slot), Status{});
        }
        if (handles.size() == 1) {
            ASSERT_EQ(crowd_.remove(handles[0]), Status{});
        } else {
            ASSERT_EQ(crowd_.remove(handles), Status{});
        }
    }

    void move() {
        if (alive_.empty()) { return; }
        const Handle handle = random_handle();
        const Point<2> to = some_agent(random_).position;
        ASSERT_EQ(crowd_.move(handle, to), Status{});
        ASSERT_EQ(truth_.move(handle.slot, to), Status{});
        alive_[handle].position = to;
    }

    /// Updates all agents at once, from arrays in which the values of dead slots mean nothing.
    void update() {
        std::array<std::vector<float>, 2> position, half;
        for (std::size_t a = 0; a < 2; ++a) {
            position[a].assign(crowd_.slots(), kNan);
            half[a].assign(crowd_.slots(), kNan);
        }
        for (auto& [handle, agent] : alive_) {
            agent = some_agent(random_);
            for (std::size_t a = 0; a < 2; ++a) {
                position[a][handle.slot] = agent.position[a];
                half[a][handle.slot] = (*agent.half_extent)[a];
            }
            ASSERT_EQ(truth_.erase(handle.slot), Status{});
            ASSERT_EQ(truth_.insert(handle.slot, agent), Status{});
        }
        Agents<2> agents;
        agents.positions =
            PointView<2>::separate({position[0].data(), position[1].data()}, crowd_.slots());
        agents.half_extents =
            PointView<2>::separate({half[0].data(), half[1].data()}, crowd_.slots());
        ASSERT_EQ(crowd_.update(agents), Status{});
    }

    void check() {
        ASSERT_STREQ(crowd_.validate(), nullptr);
        ASSERT_EQ(crowd_.size(), alive_.size());
        const Box<2> all{Point<2>::all(-kLargest), Point<2>::all(kLargest)};
        ASSERT_EQ(test::in_order(test::visited(crowd_, all)), test::visited(truth_, all));
        const Box<2> some = Box<2>::around({{25.0f, 25.0f}}, {{5.0f, 9.0f}});
        ASSERT_EQ(test::in_order(test::visited(crowd_, some)), test::visited(truth_, some));
        ASSERT_EQ(test::pairs_of(crowd_), test::pairs_of(truth_));
        for (const Handle& handle : gone_) {
            ASSERT_EQ(crowd_.check(handle).cause, Cause::handle_stale);
        }
    }

    [[nodiscard]] scenes::Random& random() { return random_; }

private:
    Handle random_handle() {
        auto at = alive_.begin();
        std::advance(at, random_.below(static_cast<std::uint32_t>(alive_.size())));
        return at->first;
    }

    Crowd<2> crowd_ = empty_crowd();
    test::Truth<2> truth_;
    std::map<Handle, Agent<2>> alive_;
    std::vector<Handle> gone_;
    scenes::Random random_{5};
};

TEST(CrowdHandles, AreThoseOfWhoLives) {
    Living living;
    for (int step = 0; step < 400; ++step) {
        switch (living.random().below(6)) {
        case 0:
            ASSERT_NO_FATAL_FAILURE(living.add(living.random().below(12)));
            break;
        case 1:
            ASSERT_NO_FATAL_FAILURE(living.add(1));
            break;
        case 2:
            ASSERT_NO_FATAL_FAILURE(living.remove(living.random().below(8)));
            break;
        case 3:
            ASSERT_NO_FATAL_FAILURE(living.remove(1));
            break;
        case 4:
            ASSERT_NO_FATAL_FAILURE(living.move());
            break;
        default:
            if (step % 5 == 0) { ASSERT_NO_FATAL_FAILURE(living.update()); }
        }
        if (step % 10 == 0) { ASSERT_NO_FATAL_FAILURE(living.check()); }
    }
    ASSERT_NO_FATAL_FAILURE(living.check());
}

TEST(CrowdHandles, StaleAndForeignOnesAreRefused) {
    Crowd<2> crowd = empty_crowd(), other = empty_crowd();
    const Agent<2> agent{{{1.0f, 1.0f}}, Point<2>{{0.25f, 0.25f}}, {}};
    std::vector<Handle> handles(3);
    ASSERT_EQ(crowd.add(std::vector<Agent<2>>(3, agent), handles), Status{});
    Handle foreign;
    ASSERT_EQ(other.add(agent, foreign), Status{});
    ASSERT_EQ(crowd.remove(handles[1]), Status{});

    const Status stale{Cause::handle_stale, Argument::handle};
    const Status strange{Cause::handle_foreign, Argument::handle};
    EXPECT_EQ(crowd.remove(handles[1]), stale);
    EXPECT_EQ(crowd.move(handles[1], {}), stale);
    EXPECT_EQ(crowd.remove(foreign), strange);
    EXPECT_EQ(crowd.move(foreign, {}), strange);
    EXPECT_EQ(crowd.check(Handle{}), strange);
    // All are removed or none; the status names the first wrong handle.
    const std::vector<Handle> mixed = {handles[0], handles[2], handles[1]};
    EXPECT_EQ(crowd.remove(mixed), (Status{Cause::handle_stale, Argument::handle, 2}));
    const std::vector<Handle> twice = {handles[0], handles[2], handles[0]};
    EXPECT_EQ(crowd.remove(twice), (Status{Cause::handle_stale, Argument::handle, 2}));
    EXPECT_EQ(crowd.size(), 2u);
    EXPECT_EQ(crowd.check(handles[0]), Status{});
    // The slot has a new agent, which the old handle does not name.
    Handle next;
    ASSERT_EQ(crowd.add(agent, next), Status{});
    EXPECT_EQ(next.slot, handles[1].slot);
    EXPECT_EQ(crowd.check(handles[1]), stale);
    EXPECT_STREQ(crowd.validate(), nullptr);
}

TEST(CrowdHandles, WhoIsRefusedCostsNoGeneration) {
    Crowd<2> crowd = empty_crowd(), like = empty_crowd();
    const Agent<2> agent{{{1.0f, 1.0f}}, Point<2>{{0.25f, 0.25f}}, {}};
    const Agent<2> nowhere{{{kNan, 1.0f}}, Point<2>{{0.25f, 0.25f}}, {}};
    Handle handle, wanted;
    EXPECT_EQ(crowd.add(nowhere, handle), (Status{Cause::not_finite, Argument::positions}));
    std::vector<Handle> two(2);
    EXPECT_EQ(crowd.add(std::vector<Agent<2>>{agent, nowhere}, two),
              (Status{Cause::not_finite, Argument::edits, 1}));
    EXPECT_EQ(two, std::vector<Handle>(2));
    EXPECT_EQ(crowd.size(), 0u);
    ASSERT_EQ(crowd.add(agent, handle), Status{});
    ASSERT_EQ(like.add(agent, wanted), Status{});
    EXPECT_EQ(handle.slot, wanted.slot);
    EXPECT_EQ(handle.generation, wanted.generation);
}

TEST(CrowdHandles, NamesAreOfOneKind) {
    Crowd<2> crowd = empty_crowd();
    const Agent<2> agent{{{1.0f, 1.0f}}, Point<2>{{0.25f, 0.25f}}, {}};
    Handle handle;
    ASSERT_EQ(crowd.insert(7, agent), Status{});
    EXPECT_EQ(crowd.add(agent, handle), (Status{Cause::other_names, Argument::handle}));
    EXPECT_TRUE(handle.is_null());
    crowd.clear();
    ASSERT_EQ(crowd.add(agent, handle), Status{});
    EXPECT_EQ(crowd.insert(7, agent), (Status{Cause::other_names, Argument::id, 7}));
    const Status by_id = {Cause::other_names, Argument::id, handle.slot};
    EXPECT_EQ(crowd.erase(handle.slot), by_id);
    EXPECT_EQ(crowd.move(handle.slot, Point<2>{{9.0f, 9.0f}}), by_id);
    EXPECT_EQ(crowd.move(handle.slot, WorldPoint<2>{{9.0, 9.0}}), by_id);
    const WorldAgent<2> far{WorldPoint<2>{{9.0, 9.0}}, agent.half_extent, {}};
    EXPECT_EQ(crowd.insert(handle.slot, far), by_id);
    // Edits of every kind are refused, also in steps.
    CrowdChange<2> change;
    for (const Edit<2>& edit :
         {Edit<2>::erase(handle.slot), Edit<2>::move(handle.slot, {{9.0f, 9.0f}}),
          Edit<2>::insert(7, agent)}) {
        EXPECT_EQ(crowd.edit({&edit, 1}), (Status{Cause::other_names, Argument::edits}));
        EXPECT_EQ(change.edit(crowd, {&edit, 1}), (Status{Cause::other_names, Argument::edits}));
    }
    EXPECT_EQ(crowd.update({}), (Status{Cause::count_mismatch, Argument::positions, 1}));
    EXPECT_EQ(crowd.size(), 1u);
    EXPECT_EQ(crowd.count(Ball<2>{{{1.0f, 1.0f}}, 0.0f}).count, 1u);
    crowd.clear();
    EXPECT_EQ(crowd.check(handle).cause, Cause::handle_stale);
    EXPECT_EQ(crowd.insert(7, agent), Status{});
}

} // namespace
} // namespace throng
