// Insertions, erasures and moves in crowds with giants, and refusals.
#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"
#include "crowd_truth.hpp"

#include <throng/engine/frozen/frozen.hpp>

#include <limits>
#include <utility>
#include <vector>

namespace throng {
namespace {

template <class Constant>
class CrowdEdits : public test::CrowdOf400<Constant> {
protected:
    using test::CrowdOf400<Constant>::kAxes;
    using OneEdit = Edit<kAxes>;

    /// An agent anywhere in the world, of the common size, a little larger, or a giant.
    Agent<kAxes> random_agent() {
        Agent<kAxes> agent;
        for (std::size_t a = 0; a < kAxes; ++a) {
            agent.position[a] = random_.between(this->scene_.world.lo[a], this->scene_.world.hi[a]);
        }
        const std::uint32_t pick = random_.below(10);
        agent.half_extent = Point<kAxes>::all(pick < 7   ? 0.25f
                                              : pick < 9 ? random_.between(0.1f, 0.6f)
                                                         : 8.0f);
        if (this->truth_.oracle.kind().groups) { agent.groups = random_.below(8); }
        return agent;
    }
    OneEdit some_edit(Id ids) {
        const Id id = random_.below(ids);
        if (!this->truth_.oracle.contains(id)) { return OneEdit::insert(id, random_agent()); }
        return random_.below(4) == 0 ? OneEdit::erase(id)
                                     : OneEdit::move(id, random_agent().position);
    }

    scenes::Random random_{77};
};
TYPED_TEST_SUITE(CrowdEdits, test::Dims, test::DimNames);

TYPED_TEST(CrowdEdits, LeaveWhatBruteForceHas) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    const std::function<bool(std::size_t)> crowds[] = {
        [](std::size_t i) { return i % 20 == 3; }, [](std::size_t) { return false; },
        [](std::size_t i) { return i % 2 == 0; }, [](std::size_t) { return true; }};
    for (std::size_t c = 0; c < 4; ++c) {
        SCOPED_TRACE(testing::Message() << "crowd " << c);
        ASSERT_NO_FATAL_FAILURE(
            this->take(crowds[c], c % 2 == 0 ? scenes::Groups::masks : scenes::Groups::none));
        const test::Questions<kDim> questions(this->scene_, 2);
        for (std::size_t e = 0; e < 1000; ++e) {
            ASSERT_EQ(this->truth_.apply(this->some_edit(600)), Status{}) << e;
            if (e % 40 == 0) {
                const auto& box = questions.boxes[e / 40 % questions.boxes.size()];
                ASSERT_NO_FATAL_FAILURE(this->truth_.check(box, {0x3u}, Sets::all)) << e;
            }
            if (e % 60 == 0) {
                // Many edits in one list.
                std::vector<Change> batch;
                for (std::size_t i = 0; i < 1 + e % 50; ++i) {
                    const Id id = this->random_.below(600);
                    const bool known = this->truth_.crowd.contains(id);
                    const auto body = this->random_agent();
                    if (known && i % 3 == 0) { batch.push_back(Change::erase(id)); }
                    if (known && i % 3 == 1) { batch.push_back(Change::move(id, body.position)); }
                    if (!known || i % 3 == 0) { batch.push_back(Change::insert(id, body)); }
                    if (!known && i % 4 == 0) { batch.push_back(Change::erase(id)); }
                }
                // Some lists name an agent twice, and crowd and oracle both refuse them.
                (void)this->truth_.apply(batch);
                ASSERT_EQ(this->truth_.crowd.size(), this->truth_.oracle.size()) << e;
            }
        }
        ASSERT_NO_FATAL_FAILURE(this->truth_.check_all(questions));
        for (Id id = 0; id < 600; ++id) {
            (void)this->truth_.apply(Change::erase(id));
        }
        EXPECT_EQ(this->truth_.crowd.size(), 0u);
        ASSERT_NO_FATAL_FAILURE(this->truth_.check_all(questions));
    }
}

TYPED_TEST(CrowdEdits, PutWhoComesIntoTheSetThatTheHeaderSays) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto of_size = [](float half) {
        return Agent<kDim>{Point<kDim>::all(3.0f), Point<kDim>::all(half), {}};
    };
    // All small agents have one size; agents of other sizes count as giants until the next update.
    ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i == 7; }));
    Crowd<kDim>& crowd = this->truth_.crowd;
    ASSERT_EQ(crowd.insert(1000, of_size(0.25f)), Status{});
    ASSERT_EQ(crowd.insert(1001, of_size(0.125f)), Status{});
    ASSERT_EQ(crowd.insert(1002, of_size(50.0f)), Status{});
    EXPECT_FALSE(crowd.contains(1000, Sets::giants));
    EXPECT_TRUE(crowd.contains(1001, Sets::giants));
    EXPECT_TRUE(crowd.contains(1002, Sets::giants));
    EXPECT_EQ(crowd.id_bound(), 1003u);
    // With extents of their own, only agents that are too large are giants.
    this->scene_.half_extent[0][5] = 0.3f;
    ASSERT_EQ(crowd.update(this->scene_.agents()), Status{});
    ASSERT_EQ(crowd.insert(1001, of_size(0.125f)), Status{});
    ASSERT_EQ(crowd.insert(1002, of_size(50.0f)), Status{});
    EXPECT_FALSE(crowd.contains(1001, Sets::giants));
    EXPECT_TRUE(crowd.contains(1002, Sets::giants));
}

/// A list that edits few of the giants leaves what single calls leave, down to the order of answers
/// and to the bytes of a file, whatever was refused or given back in between.
TYPED_TEST(CrowdEdits, OfFewGiantsInAListAreAsSingleOnes) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = test::with_giants<kDim>(400, [](std::size_t i) { return i % 4 == 0; });
    auto broken = scene;
    broken.position[0][1] = std::numeric_limits<float>::infinity();
    Crowd<kDim> lists, singles;
    ASSERT_EQ(lists.update(scene.agents()), Status{});
    ASSERT_EQ(singles.update(scene.agents()), Status{});
    const auto both = [&](const auto& call) {
        call(lists);
        call(singles);
    };
    for (std::size_t round = 0; round < 300; ++round) {
        std::vector<Edit<kDim>> edits;
        for (std::size_t e = 0; e < 1 + round % 6; ++e) {
            const Id id = this->random_.below(120) * 4;
            Agent<kDim> giant = this->random_agent();
            giant.half_extent = Point<kDim>::all(8.0f);
            const bool known = singles.contains(id);
            const Edit<kDim> edit = !known ? Edit<kDim>::insert(id, giant)
                                    : this->random_.below(3) == 0
                                        ? Edit<kDim>::erase(id)
                                        : Edit<kDim>::move(id, giant.position);
            ASSERT_EQ(test::apply_to(singles, edit), Status{});
            edits.push_back(edit);
        }
        if (round % 5 == 1) {
            std::vector<Edit<kDim>> refused = edits;
            refused.push_back(Edit<kDim>::erase(9999));
            ASSERT_EQ(lists.edit(refused),
                      (Status{Cause::id_unknown, Argument::edits, edits.size()}));
        }
        if (round % 7 == 2) {
            ASSERT_EQ(lists.update(broken.agents()),
                      (Status{Cause::not_finite, Argument::positions, 1}));
        }
        if (round % 11 == 3) { lists.release_staging(); }
        ASSERT_EQ(lists.edit(edits), Status{});
        if (round % 13 == 5) {
            const Point<kDim> to = Point<kDim>::all(static_cast<float>(round));
            both([&](Crowd<kDim>& crowd) { (void)crowd.move(0, to); });
        }
        if (round == 150) {
            both([&](Crowd<kDim>& crowd) { ASSERT_EQ(crowd.update(scene.agents()), Status{}); });
        }
        std::vector<std::byte> of_lists, of_singles;
        ASSERT_EQ(save(lists, of_lists), Status{});
        ASSERT_EQ(save(singles, of_singles), Status{});
        ASSERT_EQ(of_lists == of_singles, true) << round;
        ASSERT_EQ(test::pairs_of(lists), test::pairs_of(singles));
    }
    EXPECT_STREQ(lists.validate(), nullptr);
}

/// Long lists of moves are looked at and made in blocks, which run at any time: what comes out is
/// what the same edits in their order leave, down to the bytes of a file.
TYPED_TEST(CrowdEdits, OfLongListsMayBeMadeInAnyOrder) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    test::ShuffleExecutor shuffled(3);
    test::EagerPool pool(3);
    for (std::size_t c = 0; c < 6; ++c) {
        SCOPED_TRACE(testing::Message() << "crowd " << c);
        const std::size_t giants[] = {0, 100, 3};
        const std::size_t every = giants[c % 3]; // one in so many is a giant
        auto scene = test::with_giants<kDim>(
            4000, [&](std::size_t i) { return every != 0 && i % every == 1; }, 12.0f);
        Crowd<kDim> together, in_order;
        CrowdSettings<kDim> settings;
        settings.bounds = scene.world;
        settings.periodic.fill(c >= 3);
        for (Crowd<kDim>* const each : {&together, &in_order}) {
            ASSERT_EQ(each->configure(settings), Status{});
            ASSERT_EQ(each->update(scene.agents()), Status{});
        }
        const auto place = [&] {
            Point<kDim> point;
            for (std::size_t a = 0; a < kDim; ++a) {
                point[a] = this->random_.between(scene.world.lo[a], scene.world.hi[a]);
            }
            if (c >= 3) { point[0] += 300.0f; } // far outside
            return point;
        };
        std::vector<Change> once, twice, mixed;
        for (std::size_t i = 0; i < scene.size(); ++i) {
            once.push_back(Change::move(static_cast<Id>(i * 1234577 % scene.size()), place()));
        }
        twice = once;
        for (Change edit : once) {
            edit.agent.position = place();
            twice.insert(twice.begin(), edit);
        }
        mixed = once;
        const Agent<kDim> grown{place(), Point<kDim>::all(3.0f), {}};
        mixed.push_back(Change::erase(7));
        mixed.push_back(Change::move(9, place()));
        mixed.push_back(Change::insert(7, grown)); // it is a giant now
        mixed.push_back(Change::move(7, place()));
        for (const std::vector<Change>& edits : {once, twice, mixed}) {
            for (Executor* const executor :
                 {static_cast<Executor*>(&shuffled), static_cast<Executor*>(&pool)}) {
                std::vector<std::byte> before, after, wanted;
                ASSERT_EQ(save(together, before), Status{});
                for (const auto& [cause, bad] :
                     {std::pair{Cause::id_unknown, Change::move(9999, place())},
                      std::pair{Cause::not_finite,
                                Change::move(5, Point<kDim>::all(
                                                    std::numeric_limits<float>::infinity()))}}) {
                    std::vector<Change> refused = edits;
                    refused[3500] = Change::move(8888, place());
                    refused[1700] = bad;
                    ASSERT_EQ(together.edit(refused, *executor),
                              (Status{cause, Argument::edits, 1700}));
                }
                ASSERT_EQ(save(together, after), Status{});
                ASSERT_TRUE(before == after);
                ASSERT_EQ(together.edit(edits, *executor), Status{});
                ASSERT_EQ(in_order.edit(edits), Status{});
                ASSERT_EQ(save(together, after), Status{});
                ASSERT_EQ(save(in_order, wanted), Status{});
                ASSERT_TRUE(after == wanted);
                // Back, so that the next list has something to move.
                ASSERT_EQ(together.update(scene.agents()), Status{});
                ASSERT_EQ(in_order.update(scene.agents()), Status{});
            }
        }
        EXPECT_STREQ(together.validate(), nullptr);
    }
}

TYPED_TEST(CrowdEdits, AreAllRefusedWhereOneIsAndNamed) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i % 10 == 0; }));
    auto& truth = this->truth_;
    const test::Questions<kDim> questions(this->scene_, 2);
    const Agent<kDim> small{Point<kDim>::all(3.0f), Point<kDim>::all(0.25f), {}};
    const Agent<kDim> giant{Point<kDim>::all(3.0f), Point<kDim>::all(25.0f), {}};
    Agent<kDim> wrong = giant;
    wrong.half_extent->axis[0] = std::numeric_limits<float>::quiet_NaN();
    const Point<kDim> nowhere = Point<kDim>::all(std::numeric_limits<float>::infinity());
    const Change sound[] = {Change::insert(1000, small), Change::insert(1001, giant),
                            Change::move(0, small.position), Change::erase(10), Change::erase(11)};
    const Change unsound[] = {Change::insert(1000, small),
                              Change::insert(1001, small),
                              Change::insert(20, small),
                              Change::insert(21, giant),
                              Change::insert(1002, wrong),
                              Change::erase(10),
                              Change::erase(11),
                              Change::move(10, {}),
                              Change::move(0, nowhere),
                              Change::move(1, nowhere),
                              Change::move(static_id(30), {}),
                              Change::erase(static_id(33)),
                              Change::insert(1003, {{}, {}, {}})};
    for (const Change& bad : unsound) {
        std::vector<Change> edits(std::begin(sound), std::end(sound));
        edits.push_back(bad);
        edits.push_back(Change::erase(2000));
        const Status status = truth.apply(edits);
        EXPECT_EQ(status.argument, Argument::edits);
        EXPECT_EQ(status.index, 5u);
        ASSERT_EQ(truth.crowd.size(), 400u);
    }
    // Some ids are nobody's.
    for (const Id id :
         {Id{kMostInCrowd}, kFirstStatic - 1, kFirstStatic + Id{kMostInCrowd}, kNoId}) {
        const std::vector<Change> edits{sound[0], sound[1], Change::insert(id, small)};
        EXPECT_EQ(truth.crowd.edit(edits), (Status{Cause::too_many, Argument::edits, 2}));
        EXPECT_EQ(truth.crowd.insert(id, giant), (Status{Cause::too_many, Argument::id, id}));
        EXPECT_EQ(truth.crowd.erase(id).cause, Cause::id_unknown);
        EXPECT_EQ(truth.crowd.move(id, {}).cause, Cause::id_unknown);
    }
    EXPECT_TRUE(truth.crowd.contains(static_id(29)));
    EXPECT_FALSE(truth.crowd.contains(static_id(30)));
    ASSERT_NO_FATAL_FAILURE(truth.check_all(questions));

    // The same in a crowd whose agents have one size: the first wrong edit is named.
    for (auto& axis : this->scene_.half_extent) {
        axis.clear();
    }
    ASSERT_EQ(truth.update(this->scene_), Status{});
    const Agent<kDim> plain{Point<kDim>::all(1.0f), {}, {}};
    const std::vector<Change> late{Change::insert(1000, plain), Change::erase(3000),
                                   Change::insert(Id{kMostInCrowd}, plain)};
    EXPECT_EQ(truth.crowd.edit(late), (Status{Cause::id_unknown, Argument::edits, 1}));
    const std::vector<Change> later{Change::insert(1000, plain), Change::erase(300),
                                    Change::insert(static_id(0), plain)};
    EXPECT_EQ(truth.crowd.edit(later), (Status{Cause::missing, Argument::edits, 2}));
    ASSERT_NO_FATAL_FAILURE(truth.check_all(questions));
}

} // namespace
} // namespace throng
