// Statics that are inserted, erased and moved one by one, against the oracle.
#include "../../support/apply_edit.hpp"
#include "../../support/dims.hpp"
#include "crowd_truth.hpp"

#include <throng/engine/crowd/crowd_change.hpp>
#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace throng {
namespace {

template <std::size_t Dim>
Box<Dim> castle_box(const Agent<Dim>& castle) {
    return Box<Dim>::around(castle.position, *castle.half_extent);
}

template <class Constant>
class StaticEdits : public test::CrowdOf400<Constant> {
protected:
    using test::CrowdOf400<Constant>::kAxes;
    using CastleEdit = Edit<kAxes>;

    Agent<kAxes> some_castle(bool groups) {
        Agent<kAxes> castle{{}, Point<kAxes>{}, {}};
        for (std::size_t a = 0; a < kAxes; ++a) {
            // Whole numbers, so that boxes touch each other.
            castle.position[a] =
                std::floor(random_.between(this->scene_.world.lo[a], this->scene_.world.hi[a]));
            (*castle.half_extent)[a] = static_cast<float>(random_.below(4));
        }
        if (groups) { castle.groups = random_.below(8); }
        return castle;
    }
    /// Ids with gaps, and the last one there is.
    Id some_id() {
        const std::uint32_t pick = random_.below(80);
        return pick == 79  ? static_id(kMostInCrowd - 1)
               : pick < 40 ? static_id(pick)
                           : static_id(std::size_t{pick} * 10'000'000);
    }
    CastleEdit some_edit(bool groups) {
        const Id id = some_id();
        if (!this->truth_.oracle.contains(id)) {
            return CastleEdit::insert(id, some_castle(groups));
        }
        return random_.below(3) == 0 ? CastleEdit::erase(id)
                                     : CastleEdit::move(id, some_castle(groups).position);
    }
    std::vector<std::byte> saved() const {
        std::vector<std::byte> bytes;
        EXPECT_EQ(save(this->truth_.crowd, bytes), Status{});
        return bytes;
    }

    scenes::Random random_{5};
};
TYPED_TEST_SUITE(StaticEdits, test::Dims, test::DimNames);

TYPED_TEST(StaticEdits, LeaveWhatBruteForceHas) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool groups : {false, true}) {
        ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i % 20 == 3; }));
        if (groups) {
            scenes::add_groups(this->still_, 3);
            this->truth_.set_statics(this->still_);
        }
        const test::Questions<kDim> questions(this->scene_, 2);
        for (std::size_t e = 0; e < 400; ++e) {
            ASSERT_EQ(this->truth_.apply(this->some_edit(groups)), Status{}) << e;
            if (e % 20 == 0) {
                const auto& box = questions.boxes[e / 20 % questions.boxes.size()];
                ASSERT_NO_FATAL_FAILURE(this->truth_.check(box, {0x3u}, Sets::all)) << e;
            }
            if (e % 30 == 0) {
                std::vector<Edit<kDim>> edits = {
                    Edit<kDim>::move(static_cast<Id>(e), this->some_castle(false).position)};
                for (std::size_t i = 0; i < 1 + e % 9; ++i) {
                    edits.push_back(this->some_edit(groups));
                }
                // A list that inserts a static twice is refused by both.
                (void)this->truth_.apply(edits);
            }
        }
        ASSERT_NO_FATAL_FAILURE(this->truth_.check_all(questions));
        const std::vector<std::byte> bytes = this->saved();
        Crowd<kDim> loaded;
        ASSERT_EQ(load(loaded, std::span<const std::byte>(bytes)), Status{});
        std::swap(loaded, this->truth_.crowd);
        ASSERT_NO_FATAL_FAILURE(this->truth_.check_all(questions));
        const auto members = this->truth_.oracle.members();
        for (const auto& member : members) {
            if (!is_static(member.name)) { continue; }
            ASSERT_EQ(this->truth_.apply(Edit<kDim>::erase(member.name)), Status{});
        }
        EXPECT_EQ(this->truth_.crowd.size(Sets::statics), 0u);
        // Without statics, the next one decides whether they have masks.
        for (Id i = 0; i < 100; ++i) {
            ASSERT_EQ(this->truth_.apply(
                          Edit<kDim>::insert(static_id(7 * i), this->some_castle(!groups))),
                      Status{});
        }
        ASSERT_NO_FATAL_FAILURE(this->truth_.check_all(questions));
    }
}

TYPED_TEST(StaticEdits, AreRefusedAndChangeNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i % 10 == 0; }));
    auto& truth = this->truth_;
    ASSERT_EQ(truth.apply(Change::erase(static_id(4))), Status{});
    const Agent<kDim> castle{Point<kDim>::all(3.0f), Point<kDim>::all(2.0f), {}};
    Agent<kDim> flat = castle, masked = castle, inverted = castle;
    flat.half_extent.reset();
    masked.groups = 1u;
    inverted.half_extent->axis[0] = -1.0f;
    const Point<kDim> nowhere = Point<kDim>::all(std::numeric_limits<float>::infinity());
    const std::pair<Change, Status> wrong[] = {
        {Change::insert(static_id(3), castle), {Cause::id_taken, Argument::id, static_id(3)}},
        {Change::insert(static_id(4), flat), {Cause::missing, Argument::half_extents}},
        {Change::insert(static_id(4), masked), {Cause::not_stored, Argument::groups}},
        {Change::insert(static_id(4), inverted), {Cause::negative, Argument::half_extents}},
        {Change::insert(kNoId, castle), {Cause::too_many, Argument::id, kNoId}},
        {Change::insert(static_id(kMostInCrowd - 1) + 1, castle),
         {Cause::too_many, Argument::id, static_id(kMostInCrowd - 1) + 1}},
        {Change::erase(static_id(4)), {Cause::id_unknown, Argument::id, static_id(4)}},
        {Change::erase(kNoId), {Cause::id_unknown, Argument::id, kNoId}},
        {Change::move(static_id(4), {}), {Cause::id_unknown, Argument::id, static_id(4)}},
        {Change::move(static_id(5), nowhere), {Cause::not_finite, Argument::positions}}};
    const std::vector<std::byte> before = this->saved();
    for (const auto& [edit, status] : wrong) {
        EXPECT_EQ(truth.apply(edit), status);
        const std::vector<Change> one = {edit};
        EXPECT_EQ(truth.apply(one), (Status{status.cause, Argument::edits, 0}));
        const std::vector<Change> many = {Change::erase(static_id(1)), Change::erase(7),
                                          Change::erase(10), edit, Change::erase(9999)};
        EXPECT_EQ(truth.apply(many), (Status{status.cause, Argument::edits, 3}));
    }
    // A static that comes in a list may go in it.
    const std::vector<Change> late = {Change::insert(static_id(4), castle),
                                      Change::erase(static_id(4)), Change::erase(9999)};
    EXPECT_EQ(truth.apply(late), (Status{Cause::id_unknown, Argument::edits, 2}));
    EXPECT_EQ(this->saved(), before);
    ASSERT_NO_FATAL_FAILURE(truth.check_all(test::Questions<kDim>(this->scene_, 2)));
}

/// A list leaves what single calls leave, down to the order of answers and to the bytes of a file,
/// whatever was refused, given back or shared in between, and however few or many statics it edits.
TYPED_TEST(StaticEdits, InAListAreAsSingleOnes) {
    constexpr std::size_t kDim = TypeParam::value;
    ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i % 10 == 0; }));
    auto& singles = this->truth_;
    Crowd<kDim> lists;
    ASSERT_EQ(lists.configure({this->scene_.world, this->scene_.cell}, {true, false, {}}),
              Status{});
    ASSERT_EQ(singles.crowd.configure(lists.settings(), {true, false, {}}), Status{});
    const auto begin = [&] {
        ASSERT_EQ(lists.update(this->scene_.agents()), Status{});
        ASSERT_EQ(lists.set_statics(this->still_.agents()), Status{});
        ASSERT_EQ(singles.update(this->scene_), Status{});
        singles.set_statics(this->still_);
    };
    begin();
    for (std::size_t round = 0; round < 200; ++round) {
        std::vector<Edit<kDim>> edits;
        for (std::size_t e = 0; e < (round % 29 == 7 ? 40 : 2 + round % 6); ++e) {
            edits.push_back(this->some_edit(false));
            ASSERT_EQ(singles.apply(edits.back()), Status{});
        }
        if (round % 5 == 1) {
            std::vector<Edit<kDim>> refused = edits;
            refused.push_back(Edit<kDim>::erase(9999));
            ASSERT_EQ(lists.edit(refused),
                      (Status{Cause::id_unknown, Argument::edits, edits.size()}));
        }
        if (round % 11 == 3) { lists.release_staging(); }
        ASSERT_EQ(lists.edit(edits), Status{});
        if (round % 13 == 5) {
            const Edit<kDim> alone = this->some_edit(false);
            ASSERT_EQ(singles.apply(alone), Status{});
            ASSERT_EQ(test::apply_to(lists, alone), Status{});
        }
        if (round == 100) { ASSERT_NO_FATAL_FAILURE(begin()); }
        std::vector<std::byte> of_lists;
        ASSERT_EQ(save(lists, of_lists), Status{});
        ASSERT_EQ(of_lists == this->saved(), true) << round;
    }
    EXPECT_STREQ(lists.validate(), nullptr);
}

TYPED_TEST(StaticEdits, NeedAWorldForTheFirst) {
    constexpr std::size_t kDim = TypeParam::value;
    const Agent<kDim> castle{Point<kDim>::all(3.0f), Point<kDim>::all(2.0f), {}};
    Crowd<kDim> crowd;
    EXPECT_EQ(crowd.insert(static_id(0), castle), Status{Cause::not_configured});
    const Edit<kDim> edits[] = {Edit<kDim>::insert(static_id(0), castle),
                                Edit<kDim>::insert(static_id(1), castle)};
    EXPECT_EQ(crowd.edit(edits), Status{Cause::not_configured});
    EXPECT_EQ(crowd.erase(static_id(0)).cause, Cause::id_unknown);
    CrowdSettings<kDim> settings;
    settings.bounds = Box<kDim>{{}, Point<kDim>::all(9.0f)};
    ASSERT_EQ(crowd.configure(settings), Status{});
    ASSERT_EQ(crowd.edit(edits), Status{});
    EXPECT_EQ(test::visited(crowd, castle_box(castle)), (test::Ids{static_id(0), static_id(1)}));
    EXPECT_STREQ(crowd.validate(), nullptr);
    // A crowd whose statics came at once knows where they lie.
    Crowd<kDim> other;
    auto scene = scenes::make<kDim>("uniform", 10);
    ASSERT_EQ(other.set_statics(scene.agents()), Status{});
    for (Id i = 0; i < 10; ++i) {
        ASSERT_EQ(other.erase(static_id(i)), Status{});
    }
    ASSERT_EQ(other.insert(static_id(5), {castle.position, castle.half_extent, 2u}), Status{});
    EXPECT_EQ(test::visited(other, castle_box(castle)), test::Ids{static_id(5)});
    EXPECT_STREQ(other.validate(), nullptr);
}

/// A list whose agents lay the first cells may begin with statics, which a single call may not.
TYPED_TEST(StaticEdits, ComeBeforeTheAgentsThatLayCells) {
    constexpr std::size_t kDim = TypeParam::value;
    const Agent<kDim> castle{Point<kDim>::all(3.0f), Point<kDim>::all(2.0f), {}};
    const Agent<kDim> agent{Point<kDim>::all(4.0f), {}, {}};
    const Agent<kDim> nowhere{Point<kDim>::all(std::numeric_limits<float>::quiet_NaN()), {}, {}};
    Crowd<kDim> crowd;
    EXPECT_EQ(crowd.insert(static_id(0), castle), Status{Cause::not_configured});
    const Edit<kDim> refused[] = {Edit<kDim>::insert(static_id(0), castle),
                                  Edit<kDim>::insert(0, agent), Edit<kDim>::insert(1, nowhere)};
    EXPECT_EQ(crowd.edit(refused), (Status{Cause::not_finite, Argument::edits, 2}));
    EXPECT_EQ(crowd.size(), 0u);
    EXPECT_EQ(crowd.insert(static_id(0), castle), Status{Cause::not_configured});
    ASSERT_EQ(crowd.edit(std::span(refused).first(2)), Status{});
    EXPECT_EQ(test::visited(crowd, castle_box(castle)), (test::Ids{0, static_id(0)}));
    EXPECT_STREQ(crowd.validate(), nullptr);
}

/// A list whose agents are unknown blames them, not a static before them, also where cells are
/// still to come.
TYPED_TEST(StaticEdits, BesideUnknownAgentsAreNotBlamed) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    CrowdSettings<kDim> settings;
    settings.bounds = this->scene_.world;
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
    const Agent<kDim> castle{{}, Point<kDim>::all(0.5f), {}};
    for (const Change& unknown : {Change::move(31, {}), Change::erase(31)}) {
        const Change list[] = {Change::insert(static_id(4), castle), unknown};
        EXPECT_EQ(crowd.edit(list), (Status{Cause::id_unknown, Argument::edits, 1}));
        EXPECT_EQ(crowd.size(Sets::statics), 0u);
        EXPECT_STREQ(crowd.validate(), nullptr);
    }
}

TYPED_TEST(StaticEdits, GoByIdsWhereAgentsHaveHandles) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    const Agent<kDim> castle{Point<kDim>::all(3.0f), Point<kDim>::all(2.0f), {}};
    const CrowdSettings<kDim> settings{Box<kDim>{{}, Point<kDim>::all(9.0f)},
                                       Point<kDim>::all(1.0f)};
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    Handle handle;
    ASSERT_EQ(crowd.add({Point<kDim>::all(3.0f), {}, {}}, handle), Status{});
    ASSERT_EQ(crowd.insert(static_id(9), castle), Status{});
    ASSERT_EQ(crowd.move(static_id(9), Point<kDim>::all(4.0f)), Status{});
    const Change edits[] = {Change::insert(static_id(2), castle), Change::erase(static_id(9))};
    ASSERT_EQ(crowd.edit(edits), Status{});
    CrowdChange<kDim> change;
    const Change in_steps[] = {Change::insert(static_id(3), castle)};
    ASSERT_EQ(change.edit(crowd, in_steps), Status{});
    EXPECT_EQ(test::visited(crowd, castle_box(castle)),
              (test::Ids{handle.slot, static_id(2), static_id(3)}));
    const Change of_both[] = {Change::erase(static_id(2)), Change::erase(handle.slot)};
    EXPECT_EQ(crowd.edit(of_both), (Status{Cause::other_names, Argument::edits}));
    EXPECT_EQ(crowd.erase(handle.slot).cause, Cause::other_names);
    EXPECT_STREQ(crowd.validate(), nullptr);
}

TYPED_TEST(StaticEdits, AreWrappedInPeriodicWorlds) {
    constexpr std::size_t kDim = TypeParam::value;
    CrowdSettings<kDim> settings{Box<kDim>{{}, Point<kDim>::all(8.0f)}, Point<kDim>::all(1.0f)};
    settings.periodic.fill(true);
    settings.origin.fill(100.0);
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    const Agent<kDim> castle{Point<kDim>::all(8.0f), Point<kDim>::all(1.0f), {}};
    ASSERT_EQ(crowd.insert(static_id(1), castle), Status{}); // on the border, so at zero
    std::array<double, kDim> far;
    far.fill(100.0 + 3.0 * 8.0);
    const WorldAgent<kDim> beyond{WorldPoint<kDim>(far), castle.half_extent, {}};
    ASSERT_EQ(crowd.insert(static_id(8), beyond), Status{});
    const Point<kDim> corner = Point<kDim>::all(7.0f); // where the box of the copy begins
    EXPECT_EQ(test::visited(crowd, Box<kDim>{corner, corner}),
              (test::Ids{static_id(1), static_id(8)}));
    ASSERT_EQ(crowd.move(static_id(1), Point<kDim>::all(-4.0f)), Status{});
    EXPECT_EQ(test::visited(crowd, Box<kDim>{corner, corner}), test::Ids{static_id(8)});
    const Point<kDim> middle = Point<kDim>::all(4.0f);
    EXPECT_EQ(test::visited(crowd, Box<kDim>{middle, middle}), test::Ids{static_id(1)});
    const Edit<kDim> edits[] = {Edit<kDim>::move(static_id(1), Point<kDim>::all(16.0f)),
                                Edit<kDim>::erase(static_id(8))};
    ASSERT_EQ(crowd.edit(edits), Status{});
    EXPECT_EQ(test::visited(crowd, Box<kDim>{corner, corner}), test::Ids{static_id(1)});
    EXPECT_STREQ(crowd.validate(), nullptr);
}

/// Frames that readers hold have the statics that they had. Answers, their order included, and
/// files are those of a crowd that shares nothing.
TYPED_TEST(StaticEdits, DoNotReachFramesThatAreHeld) {
    constexpr std::size_t kDim = TypeParam::value;
    ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i % 20 == 3; }));
    const test::Questions<kDim> questions(this->scene_, 2);
    const auto answers_of = [&](const Crowd<kDim>& crowd) {
        test::Ids answers;
        for (const auto& box : questions.boxes) {
            const test::Ids ids = test::visited(crowd, box);
            answers.insert(answers.end(), ids.begin(), ids.end());
        }
        for (const auto& ball : questions.balls) {
            const test::Ids ids = test::visited(crowd, ball);
            answers.insert(answers.end(), ids.begin(), ids.end());
        }
        return answers;
    };
    std::array<PublishedCrowd<kDim>, 2> both;
    std::vector<Snapshot<Crowd<kDim>>> held;
    std::vector<test::Ids> answers;
    for (std::size_t frame = 0; frame < 12; ++frame) {
        std::vector<std::vector<Edit<kDim>>> edits; // each alone, or all in lists of three
        for (std::size_t e = 0; e < frame; ++e) {
            if (frame % 2 == 0 || e % 3 == 0) { edits.emplace_back(); }
            edits.back().push_back(this->some_edit(false));
            ASSERT_EQ(this->truth_.apply(edits.back().back()), Status{});
        }
        std::array<std::vector<std::byte>, 2> bytes;
        for (std::size_t p = 0; p < 2; ++p) {
            if (frame == 0) {
                ASSERT_EQ(
                    both[p].configure({this->scene_.world, this->scene_.cell}, {true, false, {}}),
                    Status{});
                ASSERT_EQ(both[p].set_statics(this->still_.agents()), Status{});
            }
            for (const auto& edit : edits) {
                ASSERT_EQ(both[p].edit_statics(edit), Status{});
            }
            const Edit<kDim> of_agent[] = {Edit<kDim>::erase(static_id(0)), Edit<kDim>::erase(0)};
            ASSERT_EQ(both[p].edit_statics(of_agent),
                      (Status{Cause::out_of_range, Argument::edits, 1}));
            ASSERT_EQ(both[p].update(this->scene_.agents()), Status{});
            ASSERT_EQ(save(*both[p].acquire(), bytes[p]), Status{});
        }
        held.push_back(both[0].acquire());
        answers.push_back(answers_of(this->truth_.crowd));
        ASSERT_EQ(this->truth_.update(this->scene_), Status{});
        EXPECT_EQ(bytes[0] == bytes[1], true) << frame;
        EXPECT_EQ(bytes[0] == this->saved(), true) << frame;
    }
    for (std::size_t frame = 0; frame < held.size(); ++frame) {
        EXPECT_EQ(answers_of(*held[frame]), answers[frame]) << frame;
        EXPECT_STREQ(held[frame]->validate(), nullptr);
    }
}

} // namespace
} // namespace throng
