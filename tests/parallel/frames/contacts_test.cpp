// The pairs that begin, last and end, against sets and maps, over many frames.
#include <throng/parallel/frames/contacts.hpp>

#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/threads/executors.hpp"
#include "frames_model.hpp"

#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace throng {
namespace {

using test::answers_of;
using test::FrameAnswers;
using test::FrameKind;
using test::FramesModel;

template <class Dim>
class ContactsTest : public testing::Test {};
TYPED_TEST_SUITE(ContactsTest, test::Dims, test::DimNames);

/// Agents that walk about in a small world; every tenth is as large as a giant.
template <std::size_t Dim>
struct Walkers {
    static constexpr float kSide = Dim == 2 ? 24.0f : 8.0f;

    scenes::Random random;
    std::vector<Point<Dim>> at, half;
    std::vector<std::uint32_t> groups;

    explicit Walkers(std::size_t count, std::uint64_t seed = 3) : random(seed) {
        for (std::size_t i = 0; i < count; ++i) {
            at.push_back(anywhere());
            half.push_back(Point<Dim>::all(i % 10 == 3 ? 1.4f : 0.3f));
            groups.push_back(1u << i % 3);
        }
    }
    Point<Dim> anywhere() {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = random.between(0.0f, kSide);
        }
        return point;
    }
    void walk(float step = 0.1f) {
        for (Point<Dim>& point : at) {
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] = std::clamp(point[a] + random.between(-step, step), 0.0f, kSide);
            }
        }
    }
    [[nodiscard]] Agents<Dim> agents() const {
        Agents<Dim> all;
        all.positions =
            PointView<Dim>::interleaved(at[0].axis.data(), at.size(), sizeof(Point<Dim>));
        all.half_extents =
            PointView<Dim>::interleaved(half[0].axis.data(), at.size(), sizeof(Point<Dim>));
        all.groups.data = groups.data();
        all.groups.count = groups.size();
        return all;
    }
    static CrowdSettings<Dim> settings(bool periodic = false) {
        CrowdSettings<Dim> settings;
        settings.bounds = Box<Dim>{{}, Point<Dim>::all(kSide)};
        settings.cell = Point<Dim>::all(1.0f);
        settings.periodic.fill(periodic);
        return settings;
    }
};

/// The same contacts on every kind of executor; all must agree.
template <std::size_t Dim>
struct Everywhere {
    test::EagerPool two{2}, three{3}, eight{8};
    test::ShuffleExecutor shuffled{9};
    std::array<Contacts<Dim>, 5> all{Contacts<Dim>(), Contacts<Dim>(two), Contacts<Dim>(three),
                                     Contacts<Dim>(eight), Contacts<Dim>(shuffled)};
    FramesModel<Dim> model;

    void next(const FrameKind<Dim>& kind) {
        const FrameAnswers wanted = model.next(kind);
        for (std::size_t e = 0; e < all.size(); ++e) {
            ASSERT_EQ(kind.update(all[e]), Status{});
            ASSERT_TRUE(answers_of(all[e]) == wanted) << "executor " << e;
        }
    }
    [[nodiscard]] std::size_t began() const { return all[0].began().size(); }
    [[nodiscard]] std::size_t ended() const { return all[0].ended().size(); }
    [[nodiscard]] std::size_t pairs() const { return all[0].pairs().size(); }
};

TYPED_TEST(ContactsTest, OfAgentsThatWalk) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool periodic : {false, true}) {
        Walkers<kDim> walkers(900);
        Crowd<kDim> crowd;
        ASSERT_EQ(crowd.configure(Walkers<kDim>::settings(periodic), {true, true, {}}), Status{});
        Walkers<kDim> standing(80, 11);
        ASSERT_EQ(crowd.set_statics(standing.agents()), Status{});
        Everywhere<kDim> contacts;
        constexpr PairSets kSets[] = {PairSets::agents, PairSets::all, PairSets::all,
                                      PairSets::statics, PairSets::small_small};
        std::size_t some_last = 0;
        for (std::size_t frame = 0; frame < 24; ++frame) {
            walkers.walk();
            ASSERT_EQ(crowd.update(walkers.agents()), Status{});
            FrameKind<kDim> kind{&crowd};
            if (frame >= 8) { // sets, groups and kinds of bodies change
                kind.sets = kSets[frame % 5];
                kind.groups = frame % 4 == 0 ? 0x3u : kAllGroups;
                if (frame % 3 == 0) { kind.radius = 0.7f; }
            }
            SCOPED_TRACE(frame);
            ASSERT_NO_FATAL_FAILURE(contacts.next(kind));
            some_last += contacts.pairs() > contacts.began() && contacts.ended() != 0;
        }
        EXPECT_GT(some_last, 10u) << "the test is about pairs that last";
    }
}

/// Overlapping discs, and bodies within a distance: some frames of one kind, then another kind in
/// each frame.
TYPED_TEST(ContactsTest, OfBodies) {
    constexpr std::size_t kDim = TypeParam::value;
    struct Kind {
        std::optional<float> radius;
        Body body;
    };
    constexpr Kind kKinds[] = {{{}, Body::disc},
                               {{}, Body::box},
                               {0.2f, Body::box},
                               {0.2f, Body::disc},
                               {0.6f, Body::centre}};
    for (const bool periodic : {false, true}) {
        Walkers<kDim> walkers(700);
        Crowd<kDim> crowd;
        ASSERT_EQ(crowd.configure(Walkers<kDim>::settings(periodic), {true, true, {}}), Status{});
        Walkers<kDim> standing(60, 11);
        ASSERT_EQ(crowd.set_statics(standing.agents()), Status{});
        Everywhere<kDim> contacts, of_grid;
        std::size_t some_last = 0;
        for (std::size_t frame = 0; frame < 20; ++frame) {
            walkers.walk();
            ASSERT_EQ(crowd.update(walkers.agents()), Status{});
            const Kind& kind = kKinds[(frame < 15 ? frame / 3 : frame) % std::size(kKinds)];
            SCOPED_TRACE(frame);
            ASSERT_NO_FATAL_FAILURE(contacts.next(
                {&crowd, nullptr, kind.radius, PairSets::all, kAllGroups, kind.body, kind.body}));
            some_last += contacts.pairs() > contacts.began() && contacts.ended() != 0;
            ASSERT_NO_FATAL_FAILURE(
                of_grid.next({nullptr, &crowd.grid(), kind.radius, PairSets::agents, kAllGroups,
                              kind.body, kind.body}));
        }
        EXPECT_GT(some_last, 8u) << "the test is about pairs that last";
    }
}

TYPED_TEST(ContactsTest, OfAGrid) {
    constexpr std::size_t kDim = TypeParam::value;
    Walkers<kDim> walkers(700);
    walkers.half.assign(700, Point<kDim>::all(0.4f));
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(Box<kDim>{{}, Point<kDim>::all(Walkers<kDim>::kSide)},
                             Point<kDim>::all(1.0f), {true, true, {}}),
              Status{});
    Everywhere<kDim> contacts;
    for (std::size_t frame = 0; frame < 8; ++frame) {
        walkers.walk();
        ASSERT_EQ(grid.update(walkers.agents()), Status{});
        FrameKind<kDim> kind{nullptr, &grid};
        if (frame % 4 == 3) { kind.radius = 0.6f; }
        ASSERT_NO_FATAL_FAILURE(contacts.next(kind));
    }
}

/// Ids are erased and inserted again: without handles, the same id is the same agent.
TYPED_TEST(ContactsTest, OfAgentsThatComeAndGoById) {
    constexpr std::size_t kDim = TypeParam::value;
    Walkers<kDim> walkers(500);
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(Walkers<kDim>::settings(), {true, false, {}}), Status{});
    Everywhere<kDim> contacts;
    for (std::size_t frame = 0; frame < 40; ++frame) {
        for (int edit = 0; edit < 60; ++edit) {
            // Some giants have much larger ids than all others.
            const std::uint32_t i = walkers.random.below(500);
            const Id id = i % 10 == 3 && i % 4 == 1 ? kFirstStatic - 1'000 - i : i;
            if (!crowd.contains(id)) {
                ASSERT_EQ(crowd.insert(id, {walkers.anywhere(), walkers.half[i], {}}), Status{});
            } else if (edit % 3 == 0) {
                ASSERT_EQ(crowd.erase(id), Status{});
            } else {
                ASSERT_EQ(crowd.move(id, walkers.anywhere()), Status{});
            }
        }
        if (frame == 30) { crowd.clear(); }
        SCOPED_TRACE(frame);
        ASSERT_NO_FATAL_FAILURE(contacts.next({&crowd}));
        if (frame == 30) {
            EXPECT_EQ(contacts.pairs(), 0u);
            EXPECT_GT(contacts.ended(), 0u);
        }
    }
}

/// An agent in a reused slot is another agent, even if it has the box of the old one.
TYPED_TEST(ContactsTest, OfAgentsWithHandles) {
    constexpr std::size_t kDim = TypeParam::value;
    Walkers<kDim> walkers(400);
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(Walkers<kDim>::settings(), {true, false, {}}), Status{});
    Walkers<kDim> standing(60, 11);
    Agents<kDim> statics = standing.agents();
    statics.groups = {};
    ASSERT_EQ(crowd.set_statics(statics), Status{});
    std::vector<Handle> handles(400);
    std::vector<Point<kDim>> at = walkers.at;
    const auto agent = [&](std::size_t i) { return Agent<kDim>{at[i], walkers.half[i], {}}; };
    for (std::size_t i = 0; i < 400; ++i) {
        ASSERT_EQ(crowd.add(agent(i), handles[i]), Status{});
    }
    Everywhere<kDim> contacts;
    std::size_t swapped = 0;
    for (std::size_t frame = 0; frame < 30; ++frame) {
        SCOPED_TRACE(frame);
        ASSERT_NO_FATAL_FAILURE(contacts.next({&crowd, nullptr, {}, PairSets::all}));
        if (frame % 5 == 1) {
            EXPECT_EQ(contacts.began() + contacts.ended(), 0u) << "nothing has changed";
        }
        if (frame % 5 == 2) { swapped += contacts.began(); }
        switch (frame % 5) {
        case 0:
            break;
        case 1: // an agent leaves, another takes its slot and place
            for (std::size_t i = frame; i < 400; i += 50) {
                ASSERT_EQ(crowd.remove(handles[i]), Status{});
                ASSERT_EQ(crowd.add(agent(i), handles[i]), Status{});
            }
            break;
        case 2:
            for (std::size_t i = frame; i < 400; i += 7) {
                at[i] = walkers.anywhere();
                ASSERT_EQ(crowd.move(handles[i], at[i]), Status{});
            }
            break;
        case 3:
            for (std::size_t i = frame; i < 400; i += 9) {
                ASSERT_EQ(crowd.remove(handles[i]), Status{});
            }
            break;
        default: // agents return in other slots
            for (std::size_t i = 400; i-- != 0;) {
                if (!crowd.check(handles[i]).ok()) {
                    ASSERT_EQ(crowd.add(agent(i), handles[i]), Status{});
                }
            }
        }
    }
    EXPECT_GT(swapped, 20u);

    // Handles of another crowd: no agent is the same.
    Crowd<kDim> other;
    ASSERT_EQ(other.configure(Walkers<kDim>::settings(), {true, false, {}}), Status{});
    for (std::size_t i = 0; i < 400; ++i) {
        ASSERT_EQ(other.add(agent(i), handles[i]), Status{});
    }
    ASSERT_NO_FATAL_FAILURE(contacts.next({&other}));
    EXPECT_EQ(contacts.began(), contacts.pairs());
    // Ids instead of handles: again no agent is the same.
    Crowd<kDim> by_id;
    ASSERT_EQ(by_id.update(walkers.agents()), Status{});
    ASSERT_NO_FATAL_FAILURE(contacts.next({&by_id}));
    EXPECT_EQ(contacts.began(), contacts.pairs());
    EXPECT_GT(contacts.ended(), 0u);
}

TYPED_TEST(ContactsTest, OfFramesThatArePublished) {
    constexpr std::size_t kDim = TypeParam::value;
    Walkers<kDim> walkers(600);
    PublishedCrowd<kDim> crowd;
    Everywhere<kDim> contacts;
    for (std::size_t frame = 0; frame < 6; ++frame) {
        walkers.walk();
        ASSERT_EQ(crowd.update(walkers.agents()), Status{});
        const auto snapshot = crowd.acquire();
        ASSERT_NO_FATAL_FAILURE(contacts.next({.crowd = &*snapshot, .overlapping = Body::disc}));
        if (frame != 0) { EXPECT_LT(contacts.began(), contacts.pairs()); }
    }
}

/// Crowds of all sizes as consecutive frames.
TYPED_TEST(ContactsTest, OfCrowdsThatReplaceEachOther) {
    constexpr std::size_t kDim = TypeParam::value;
    Everywhere<kDim> contacts;
    for (const std::size_t count : {0u, 1u, 700u, 40u, 1'500u, 0u, 0u, 1'500u, 9u, 5'000u, 700u}) {
        Crowd<kDim> crowd;
        Walkers<kDim> walkers(std::max<std::size_t>(count, 1));
        if (count != 0) { ASSERT_EQ(crowd.update(walkers.agents()), Status{}); }
        SCOPED_TRACE(count);
        ASSERT_NO_FATAL_FAILURE(contacts.next({&crowd}));
    }
}

/// A giant that overlaps all others, and agents that all overlap each other.
TYPED_TEST(ContactsTest, OfAgentsWithVeryManyPairs) {
    constexpr std::size_t kDim = TypeParam::value;
    Everywhere<kDim> contacts;
    Walkers<kDim> walkers(120);
    for (const Id giant : {0u, 60u, 119u}) {
        for (Point<kDim>& point : walkers.at) {
            point = Point<kDim>::all(walkers.random.between(0.0f, 0.5f));
        }
        walkers.half[giant] = Point<kDim>::all(100.0f);
        Crowd<kDim> crowd;
        ASSERT_EQ(crowd.update(walkers.agents()), Status{});
        ASSERT_NO_FATAL_FAILURE(contacts.next({&crowd}));
        EXPECT_EQ(contacts.pairs(), 120u * 119 / 2);
    }
}

TYPED_TEST(ContactsTest, BeginAnewAfterClear) {
    constexpr std::size_t kDim = TypeParam::value;
    Walkers<kDim> walkers(600);
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.update(walkers.agents()), Status{});
    Contacts<kDim> contacts;
    EXPECT_TRUE(contacts.pairs().empty());
    EXPECT_TRUE(contacts.ended().empty());
    ASSERT_EQ(contacts.update(crowd), Status{});
    ASSERT_EQ(contacts.update(crowd), Status{});
    EXPECT_TRUE(contacts.began().empty());
    EXPECT_FALSE(contacts.pairs().empty());
    const std::size_t count = contacts.pairs().size();

    const FrameAnswers before = answers_of(contacts);
    const std::size_t bytes = contacts.memory();
    contacts.release();
    EXPECT_LT(contacts.memory(), bytes);
    EXPECT_TRUE(answers_of(contacts) == before) << "answers are no scratch";
    ASSERT_EQ(contacts.update(crowd), Status{});
    EXPECT_TRUE(contacts.began().empty());

    contacts.clear();
    EXPECT_TRUE(answers_of(contacts) == FrameAnswers{});
    ASSERT_EQ(contacts.update(crowd), Status{});
    EXPECT_EQ(contacts.began().size(), count);
    EXPECT_TRUE(contacts.ended().empty());

    Contacts<kDim> moved(std::move(contacts));
    EXPECT_EQ(moved.pairs().size(), count);
    contacts = std::move(moved);
    ASSERT_EQ(contacts.update(crowd), Status{});
    EXPECT_TRUE(contacts.began().empty());
}

TYPED_TEST(ContactsTest, AreKeptWhereACallIsRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    Walkers<kDim> walkers(600);
    Crowd<kDim> crowd;
    Contacts<kDim> contacts;
    FramesModel<kDim> model;
    ASSERT_EQ(crowd.update(walkers.agents()), Status{});
    ASSERT_EQ(contacts.update(crowd), Status{});
    (void)model.next({&crowd});
    const FrameAnswers before = answers_of(contacts);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(contacts.update_within(crowd, nan), (Status{Cause::not_finite, Argument::radius}));
    EXPECT_EQ(contacts.update_within(crowd, -1.0f), (Status{Cause::negative, Argument::radius}));
    EXPECT_EQ(contacts.update_within(crowd.grid(), nan).argument, Argument::radius);
    const PairsOf<kDim> of_two(crowd.grid(), crowd.grid());
    const Status refused = {Cause::out_of_range, Argument::others};
    EXPECT_EQ(contacts.update(of_two), refused);
    EXPECT_EQ(contacts.update_within(of_two, 1.0f), refused);
    const Status no_body{Cause::out_of_range, Argument::body};
    EXPECT_EQ(contacts.update({crowd, PairSets::all}, kAllGroups, Body::centre), no_body);
    EXPECT_EQ(contacts.update(crowd.grid(), kAllGroups, static_cast<Body>(3)), no_body);
    EXPECT_EQ(
        contacts.update_within({crowd, PairSets::all}, 1.0f, kAllGroups, static_cast<Body>(3)),
        no_body);
    EXPECT_TRUE(answers_of(contacts) == before);
    walkers.walk();
    ASSERT_EQ(crowd.update(walkers.agents()), Status{});
    ASSERT_EQ(contacts.update(crowd), Status{});
    EXPECT_TRUE(answers_of(contacts) == model.next({&crowd}));
}

/// An executor that leaves blocks out, repeats them or throws, at every loop of an update.
TYPED_TEST(ContactsTest, AreKeptWhereAnExecutorFails) {
    constexpr std::size_t kDim = TypeParam::value;
    Walkers<kDim> walkers(1'300);
    Crowd<kDim> first, second;
    ASSERT_EQ(first.update(walkers.agents()), Status{});
    walkers.walk();
    ASSERT_EQ(second.update(walkers.agents()), Status{});
    std::size_t failures = 0;
    for (const bool near : {false, true}) {
        FramesModel<kDim> model;
        FrameKind<kDim> kind{&first};
        if (near) { kind.radius = 0.7f; }
        const FrameAnswers before = model.next(kind);
        kind.crowd = &second;
        const FrameAnswers after = model.next(kind);
        for (const test::Fault fault : test::kEveryFault) {
            bool failed = true;
            for (std::size_t run = 0; failed; ++run) {
                ASSERT_LT(run, 20u);
                test::SwitchExecutor executor;
                Contacts<kDim> contacts(executor);
                kind.crowd = &first;
                ASSERT_EQ(kind.update(contacts), Status{});
                test::FaultyExecutor faulty(fault, run);
                executor.executor = &faulty;
                kind.crowd = &second;
                Status status;
                bool thrown = false;
                try {
                    status = kind.update(contacts);
                } catch (const test::ExecutorError&) { thrown = true; }
                failed = faulty.failed();
                if (thrown || !status.ok()) {
                    ++failures;
                    if (!thrown) { ASSERT_EQ(status.cause, Cause::executor_failed); }
                    ASSERT_TRUE(answers_of(contacts) == before);
                    executor.executor = &serial_executor();
                    ASSERT_EQ(kind.update(contacts), Status{});
                }
                ASSERT_TRUE(answers_of(contacts) == after);
            }
        }
    }
    EXPECT_GT(failures, 10u);
}

} // namespace
} // namespace throng
