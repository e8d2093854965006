// Texts of statuses, cut to the host's room.
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace throng::test {
namespace {

throng_status status_of(int code, const char* argument, std::uint64_t index = 0) {
    return {code, 0, argument, index};
}

TEST(CStatusText, TakesNoMoreRoomThanThereIs) {
    const throng_status status = status_of(THRONG_NOT_FINITE, "positions", 17);
    const std::string whole = "positions[17] is NaN or infinite";
    EXPECT_EQ(throng_status_text(status, nullptr, 0), whole.size());
    EXPECT_EQ(throng_status_text(status, nullptr, 9), whole.size());
    for (std::size_t room = 0; room <= whole.size() + 2; ++room) {
        std::string text(whole.size() + 3, '#');
        EXPECT_EQ(throng_status_text(status, text.data(), room), whole.size());
        if (room != 0) { EXPECT_EQ(text.c_str(), whole.substr(0, room - 1)); }
        EXPECT_EQ(text.substr(room), std::string(text.size() - room, '#')) << "behind the room";
    }
}

TEST(CStatusText, SaysHowMuchRoomIsNeededWhereItIsKnown) {
    EXPECT_EQ(text_of(status_of(THRONG_NO_ROOM, "out.counts", 12)),
              "out.counts is too short: there must be room for 12");
    EXPECT_EQ(text_of(status_of(THRONG_NO_ROOM, "out.counts")), "out.counts is too short");
}

TEST(CStatusText, TakesNothingForGranted) {
    EXPECT_EQ(text_of(status_of(THRONG_NEGATIVE, nullptr)), "an argument is negative");
    EXPECT_EQ(text_of(status_of(99, "crowd")), "unknown code 99 of crowd");
    EXPECT_EQ(text_of(status_of(-1, nullptr)), "unknown code -1 of an argument");
}

} // namespace
} // namespace throng::test
