// The sentences of statuses, for people.
#include <throng/engine/core/status.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace throng {
namespace {

const std::vector<Cause> kCauses = {
    Cause::ok,
    Cause::not_finite,
    Cause::too_large,
    Cause::negative,
    Cause::not_positive,
    Cause::inverted,
    Cause::count_mismatch,
    Cause::null_pointer,
    Cause::too_many,
    Cause::id_taken,
    Cause::id_unknown,
    Cause::not_stored,
    Cause::missing,
    Cause::not_configured,
    Cause::no_such_isa,
    Cause::executor_failed,
    Cause::no_room,
    Cause::out_of_range,
    Cause::handle_stale,
    Cause::handle_foreign,
    Cause::over_memory,
    Cause::cancelled,
    Cause::io_failed,
    Cause::not_an_index,
    Cause::other_version,
    Cause::truncated,
    Cause::corrupted,
    Cause::rank_lost,
    Cause::beyond_reach,
    Cause::ranks_differ,
    Cause::other_names,
    Cause::wraps,
};

const std::map<Argument, std::string> kArguments = {
    {Argument::positions, "positions"},
    {Argument::half_extents, "half_extents"},
    {Argument::groups, "groups"},
    {Argument::bounds, "bounds"},
    {Argument::cell, "cell"},
    {Argument::id, "id"},
    {Argument::box, "box"},
    {Argument::ball, "ball"},
    {Argument::executor, "executor"},
    {Argument::environment, "environment"},
    {Argument::edits, "edits"},
    {Argument::radius, "radius"},
    {Argument::range, "range"},
    {Argument::scratch, "scratch"},
    {Argument::offsets, "offsets"},
    {Argument::counts, "counts"},
    {Argument::run, "run"},
    {Argument::points, "points"},
    {Argument::nearest, "nearest"},
    {Argument::k, "k"},
    {Argument::filters, "filters"},
    {Argument::handle, "handle"},
    {Argument::memory, "memory"},
    {Argument::progress, "progress"},
    {Argument::file, "file"},
    {Argument::origin, "origin"},
    {Argument::period, "period"},
    {Argument::statics, "statics"},
    {Argument::askers, "askers"},
    {Argument::others, "others"},
    {Argument::shapes, "shapes"},
};

bool mentions(const std::string& sentence, const std::string& part) {
    return sentence.find(part) != std::string::npos;
}

TEST(Status, SaysWhichElement) {
    EXPECT_EQ(to_string({Cause::not_finite, Argument::positions, 17}),
              "positions[17] is NaN or infinite");
    EXPECT_EQ(to_string({Cause::negative, Argument::half_extents, 3}),
              "half_extents[3] is negative");
    EXPECT_EQ(to_string({Cause::id_taken, Argument::id, 4'294'967'231}),
              "id 4294967231 is taken already");
}

TEST(Status, SaysWhichEdit) {
    EXPECT_EQ(to_string({Cause::not_finite, Argument::edits, 17}), "edits[17] is NaN or infinite");
    EXPECT_EQ(to_string({Cause::id_taken, Argument::edits, 3}),
              "the id of edits[3] is taken already");
    EXPECT_EQ(to_string({Cause::id_unknown, Argument::edits, 0}),
              "the id of edits[0] is not in the index");
    EXPECT_EQ(to_string({Cause::not_stored, Argument::edits, 1}),
              "edits[1] gives an extent or mask that this crowd does not keep");
    EXPECT_EQ(to_string({Cause::missing, Argument::edits, 2}),
              "edits[2] lacks an extent or mask that this crowd keeps");
    EXPECT_EQ(to_string({Cause::too_many, Argument::edits, 4}),
              "edits[4] asks for more than the index can number");
}

TEST(Status, SaysWhatIsWrongWithNearest) {
    EXPECT_EQ(to_string({Cause::not_finite, Argument::points, 17}),
              "points[17] is NaN or infinite");
    EXPECT_EQ(to_string({Cause::too_many, Argument::k}),
              "k is more than 1024, the most there may be");
    EXPECT_EQ(to_string({Cause::no_room, Argument::nearest}), "nearest is too short");
}

TEST(Status, SaysHowManyAreWantedWhereThereAreHandles) {
    EXPECT_EQ(to_string({Cause::count_mismatch, Argument::positions, 3}),
              "positions has another count than 3, one for each slot of a handle");
    EXPECT_EQ(to_string({Cause::count_mismatch, Argument::positions}),
              "positions has another count than there are agents");
    EXPECT_EQ(to_string({Cause::count_mismatch, Argument::handle}),
              "handle has another count than positions");
}

TEST(Status, SaysWhatIsTooLongForAPeriodicWorld) {
    EXPECT_EQ(to_string({Cause::wraps, Argument::ray, 2}),
              "ray[2] is too long for this periodic world: a question may have 4096 copies there, "
              "an obstacle be one period wide");
    EXPECT_EQ(to_string({Cause::wraps, Argument::period}),
              "period is not the same for the crowd and the obstacles");
}

TEST(Status, LeavesOutTheIndexWhereThereIsNone) {
    EXPECT_EQ(to_string({Cause::not_positive, Argument::cell, 0}), "cell is not greater than zero");
    EXPECT_EQ(to_string({Cause::not_finite, Argument::bounds, 0}), "bounds is NaN or infinite");
    EXPECT_EQ(to_string({Cause::null_pointer, Argument::positions, 0}),
              "positions is a null pointer");
}

TEST(Status, EveryCauseHasItsOwnSentence) {
    for (const auto& [argument, name] : kArguments) {
        std::map<std::string, Cause> seen;
        for (const Cause cause : kCauses) {
            const std::string sentence = to_string({cause, argument, 5});
            EXPECT_FALSE(sentence.empty());
            EXPECT_FALSE(mentions(sentence, "unknown cause")) << sentence;
            EXPECT_TRUE(seen.emplace(sentence, cause).second) << sentence;
        }
        EXPECT_EQ(seen.size(), kCauses.size());
    }
}

TEST(Status, NamesTheArgument) {
    for (const auto& [argument, name] : kArguments) {
        for (const Cause cause : {Cause::not_finite, Cause::too_large, Cause::count_mismatch,
                                  Cause::not_stored, Cause::missing, Cause::too_many}) {
            const std::string sentence = to_string({cause, argument, 5});
            EXPECT_EQ(sentence.substr(0, name.size()), name);
        }
    }
    EXPECT_EQ(to_string({Cause::not_finite, Argument::none, 0}), "an argument is NaN or infinite");
}

TEST(Status, SaysWhatToDo) {
    EXPECT_TRUE(
        mentions(to_string({Cause::no_such_isa, Argument::environment}), "THRONG_FORCE_ISA"));
    EXPECT_TRUE(mentions(to_string({Cause::executor_failed, Argument::executor, 12}), "block 12"));
    EXPECT_TRUE(mentions(to_string({Cause::not_configured}), "settings"));
}

TEST(Status, SpeaksOfCausesThatItDoesNotKnow) {
    EXPECT_EQ(to_string({static_cast<Cause>(200), Argument::box, 1}),
              "unknown cause 200 of box[1]");
}

} // namespace
} // namespace throng
