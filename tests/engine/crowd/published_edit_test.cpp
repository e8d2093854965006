// Frames that are made by edits of the frame before, beside a crowd with the same edits, and the
// oracle.
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "crowd_truth.hpp"

#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace throng {
namespace {

/// A frame, and what it has to be until it is let go.
template <std::size_t Dim>
struct HeldFrame {
    Snapshot<Crowd<Dim>> frame;
    std::vector<std::byte> bytes;
};

template <std::size_t Dim>
std::vector<std::byte> frozen(const Crowd<Dim>& crowd) {
    std::vector<std::byte> bytes;
    EXPECT_EQ(save(crowd, bytes), Status{});
    return bytes;
}

template <class Constant>
class EditedFrames : public test::CrowdOf400<Constant> {
protected:
    using test::CrowdOf400<Constant>::kAxes;
    using EditOf = Edit<kAxes>;

    void SetUp() override {
        ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i % 20 == 7; }));
        ASSERT_EQ(frames_.configure(this->truth_.crowd.settings(), this->truth_.crowd.kind()),
                  Status{});
        ASSERT_EQ(frames_.set_statics(this->still_.agents()), Status{});
        ASSERT_EQ(frames_.update(this->scene_.agents()), Status{});
    }

    void apply(const std::vector<EditOf>& edits) {
        const std::uint64_t before = frames_.acquire().frame();
        const Status status = frames_.edit(edits);
        ASSERT_EQ(this->truth_.apply(edits), status);
        const auto frame = frames_.acquire();
        ASSERT_EQ(frame.frame(), before + (status.ok() ? 1 : 0));
        ASSERT_EQ(frozen(*frame) == frozen(this->truth_.crowd), true);
    }
    Agent<kAxes> some_agent() {
        Agent<kAxes> agent{{}, Point<kAxes>::all(random_.below(20) == 0 ? 8.0f : 0.25f), {}};
        const Box<kAxes>& world = this->scene_.world;
        for (std::size_t a = 0; a < kAxes; ++a) {
            agent.position[a] = random_.between(world.lo[a], world.hi[a]);
        }
        return agent;
    }
    /// Edits of different agents and statics.
    std::vector<EditOf> some_edits(std::size_t count) {
        std::vector<EditOf> edits;
        for (std::size_t i = 0; i < count; ++i) {
            const Agent<kAxes> agent = some_agent();
            const auto number =
                static_cast<Id>(i) * 9 + random_.below(9); // no two edits of one agent
            const Id id = random_.below(9) == 0 ? static_id(number % 40) : number;
            if (std::any_of(edits.begin(), edits.end(),
                            [&](const EditOf& edit) { return edit.id == id; })) {
                continue;
            }
            edits.push_back(!this->truth_.oracle.contains(id) ? EditOf::insert(id, agent)
                            : random_.below(4) == 0           ? EditOf::erase(id)
                                                              : EditOf::move(id, agent.position));
        }
        return edits;
    }

    scenes::Random random_{11};
    PublishedCrowd<kAxes> frames_;
};
TYPED_TEST_SUITE(EditedFrames, test::Dims, test::DimNames);

TYPED_TEST(EditedFrames, AreThoseOfOneCrowdHoweverLongFramesAreHeld) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<HeldFrame<kDim>> held;
    for (std::size_t e = 0; e < 80; ++e) {
        SCOPED_TRACE(testing::Message() << "list " << e);
        // Some lists are so long that the log forgets all others.
        ASSERT_NO_FATAL_FAILURE(this->apply(this->some_edits(e % 10 == 9 ? 42 : e % 6)));
        const auto frame = this->frames_.acquire();
        if (e % 3 == 0) { held.push_back({frame, frozen(*frame)}); }
        if (held.size() > 4) { held.erase(held.begin() + (e % 2 == 0 ? 0 : 3)); }
        if (e % 20 == 13) {
            ASSERT_EQ(this->frames_.update(this->scene_.agents()), Status{});
            ASSERT_EQ(this->truth_.update(this->scene_), Status{});
        }
        for (const HeldFrame<kDim>& one : held) {
            ASSERT_EQ(frozen(*one.frame) == one.bytes, true);
        }
    }
    ASSERT_LE(this->frames_.frames(), 7u);
    ASSERT_NO_FATAL_FAILURE(this->truth_.check_all(test::Questions<kDim>(this->scene_, 2)));
}

TYPED_TEST(EditedFrames, ARefusedListPublishesNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    const Point<kDim> nowhere = Point<kDim>::all(std::numeric_limits<float>::infinity());
    const Agent<kDim> agent = this->some_agent();
    const std::pair<Edit<kDim>, Cause> wrong[] = {
        {Edit<kDim>::insert(5, agent), Cause::id_taken},
        {Edit<kDim>::erase(1000), Cause::id_unknown},
        {Edit<kDim>::move(6, nowhere), Cause::not_finite},
        {Edit<kDim>::erase(static_id(99)), Cause::id_unknown}};
    const std::vector<Edit<kDim>> beyond = {Edit<kDim>::erase(1),
                                            Edit<kDim>::insert(Id{kMostInCrowd}, agent)};
    EXPECT_EQ(this->frames_.edit(beyond), (Status{Cause::too_many, Argument::edits, 1}));
    for (const auto& [edit, cause] : wrong) {
        const std::vector<Edit<kDim>> edits = {Edit<kDim>::erase(1), Edit<kDim>::erase(7),
                                               Edit<kDim>::erase(static_id(3)), edit,
                                               Edit<kDim>::erase(8)};
        EXPECT_EQ(this->frames_.edit(edits), (Status{cause, Argument::edits, 3}));
        ASSERT_NO_FATAL_FAILURE(this->apply(edits)); // refused by all
        ASSERT_NO_FATAL_FAILURE(this->apply(this->some_edits(3)));
    }
}

TYPED_TEST(EditedFrames, BeginWithNoAgentsAfterConfigure) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto before = this->frames_.acquire();
    const std::vector<std::byte> bytes = frozen(*before);
    const Agent<kDim> agent = this->some_agent();
    const std::vector<Edit<kDim>> first = {Edit<kDim>::insert(3, agent)};
    ASSERT_EQ(this->frames_.configure({}), Status{});
    EXPECT_EQ(this->frames_.edit(first), (Status{Cause::not_stored, Argument::edits, 0}));
    EXPECT_EQ(this->frames_.acquire().frame(), before.frame());
    ASSERT_EQ(this->frames_.configure({}, {true, false, {}}), Status{});
    ASSERT_EQ(this->frames_.edit(first), Status{});
    EXPECT_EQ(this->frames_.acquire()->size(Sets::all), 1u);
    // The same settings as before, and another kind.
    const CrowdKind<kDim> kind{true, true, {}};
    ASSERT_EQ(this->frames_.configure(before->settings(), kind), Status{});
    EXPECT_EQ(this->frames_.edit(first), (Status{Cause::missing, Argument::edits, 0}));
    Agent<kDim> masked = agent;
    masked.groups = 1u;
    for (Id id = 3; id < 6; ++id) {
        const std::vector<Edit<kDim>> one = {Edit<kDim>::insert(id, masked)};
        ASSERT_EQ(this->frames_.edit(one), Status{});
        const auto frame = this->frames_.acquire();
        EXPECT_EQ(frame->size(Sets::all), id - 2);
        EXPECT_EQ(frame->kind(), kind);
    }
    EXPECT_EQ(frozen(*before) == bytes, true);
}

// The same settings and cells again: the agents of before must not come back.
TYPED_TEST(EditedFrames, ForgetAgentsOfBeforeConfigure) {
    constexpr std::size_t kDim = TypeParam::value;
    ASSERT_NO_FATAL_FAILURE(this->apply({Edit<kDim>::erase(1)}));
    const auto settings = this->frames_.acquire()->settings();
    ASSERT_EQ(this->frames_.configure(settings, this->truth_.crowd.kind()), Status{});
    const std::vector<Edit<kDim>> wall = {
        Edit<kDim>::insert(static_id(1), {{}, Point<kDim>::all(1.0f), {}})};
    for (Id id = 0; id < 4; ++id) {
        ASSERT_EQ(this->frames_.edit(wall).cause, id == 0 ? Cause::ok : Cause::id_taken);
        const std::vector<Edit<kDim>> one = {Edit<kDim>::insert(id, this->some_agent())};
        ASSERT_EQ(this->frames_.edit(one), Status{});
        EXPECT_EQ(this->frames_.acquire()->size(), id + 1);
    }
}

TYPED_TEST(EditedFrames, AreCopiedAfterManyListsWithoutAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto held = this->frames_.acquire();
    for (int i = 0; i < 100; ++i) {
        ASSERT_NO_FATAL_FAILURE(this->apply({}));
    }
    ASSERT_NO_FATAL_FAILURE(this->apply({Edit<kDim>::erase(2)}));
    EXPECT_TRUE(held->contains(2));
}

TYPED_TEST(EditedFrames, StaticsOfAListStayForTheFramesToCome) {
    constexpr std::size_t kDim = TypeParam::value;
    const std::vector<Edit<kDim>> edits = {Edit<kDim>::erase(static_id(2)), Edit<kDim>::erase(9)};
    ASSERT_NO_FATAL_FAILURE(this->apply(edits));
    ASSERT_EQ(this->frames_.update(this->scene_.agents()), Status{});
    const auto frame = this->frames_.acquire();
    EXPECT_FALSE(frame->contains(static_id(2)));
    EXPECT_TRUE(frame->contains(9));
    const std::vector<Edit<kDim>> later = {Edit<kDim>::erase(static_id(5))};
    ASSERT_EQ(this->frames_.edit_statics(later), Status{});
    ASSERT_EQ(this->frames_.edit({}), Status{});
    EXPECT_FALSE(this->frames_.acquire()->contains(static_id(5)));
    EXPECT_TRUE(frame->contains(static_id(5)));
}

// The frame that is written to has missed a list, or all of them, or must be made first, because
// a reader holds it.
TYPED_TEST(EditedFrames, StayAsTheyAreWithoutMemory) {
    constexpr std::size_t kDim = TypeParam::value;
    struct Subject {
        PublishedCrowd<kDim> frames;
        Snapshot<Crowd<kDim>> held;
    };
    const test::AllocationsFail somewhere;
    const auto say = [](const std::unique_ptr<Subject>& subject) {
        const auto frame = subject->frames.acquire();
        EXPECT_STREQ(frame->validate(), nullptr);
        std::vector<std::byte> said = frozen(*frame);
        said.push_back(static_cast<std::byte>(frame.frame()));
        if (subject->held) {
            const std::vector<std::byte> old = frozen(*subject->held);
            said.insert(said.end(), old.begin(), old.end());
        }
        return said;
    };
    const std::vector<Edit<kDim>> few = {Edit<kDim>::insert(500, this->some_agent()),
                                         Edit<kDim>::erase(7), Edit<kDim>::erase(static_id(3))};
    std::vector<Edit<kDim>> many;
    for (Id id = 40; id < 140; ++id) {
        many.push_back(Edit<kDim>::move(id, this->some_agent().position));
    }
    const std::vector<Edit<kDim>> before[] = {{}, {Edit<kDim>::erase(1)}, many};
    for (const bool holds : {false, true}) {
        for (const std::vector<Edit<kDim>>& first : before) {
            const auto make = [&] {
                auto subject = std::make_unique<Subject>();
                PublishedCrowd<kDim>& frames = subject->frames;
                const Crowd<kDim>& like = this->truth_.crowd;
                EXPECT_EQ(frames.configure(like.settings(), like.kind()), Status{});
                EXPECT_EQ(frames.set_statics(this->still_.agents()), Status{});
                EXPECT_EQ(frames.update(this->scene_.agents()), Status{});
                EXPECT_EQ(frames.update(this->scene_.agents()), Status{});
                if (holds) { subject->held = frames.acquire(); }
                EXPECT_EQ(frames.edit(first), Status{});
                return subject;
            };
            for (const std::vector<Edit<kDim>>& edits : {few, many}) {
                ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(
                    make,
                    [&](const std::unique_ptr<Subject>& subject) {
                        return subject->frames.edit(edits);
                    },
                    say));
            }
        }
    }
}

} // namespace
} // namespace throng
