// Preconditions and their handler.
#ifndef THRONG_ENABLE_ASSERTS
#define THRONG_ENABLE_ASSERTS
#endif
#include <throng/engine/core/assert.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace throng {
namespace {

struct Failure {
    std::string expression, file;
    int line = 0;
    int count = 0;
};

Failure g_last;
std::atomic<int> g_ones = 0, g_twos = 0;

bool record(const char* expression, const char* file, int line) {
    g_last = {expression, file, line, g_last.count + 1};
    return false;
}

bool add_one(const char*, const char*, int) {
    ++g_ones;
    return false;
}

bool add_two(const char*, const char*, int) {
    ++g_twos;
    return false;
}

class Assert : public ::testing::Test {
protected:
    void SetUp() override {
        g_last = {};
        before_ = set_assert_handler(record);
    }
    void TearDown() override { (void)set_assert_handler(before_); }

private:
    AssertHandler before_ = nullptr;
};

using AssertDeath = Assert;

TEST_F(Assert, TellsTheHandlerWhatFailedAndWhere) {
    const int two = 2;
    const int line = __LINE__ + 1;
    THRONG_ASSERT(two == 3);
    EXPECT_EQ(g_last.count, 1);
    EXPECT_EQ(g_last.expression, "two == 3");
    EXPECT_EQ(g_last.line, line);
    EXPECT_NE(g_last.file.find("assert_test.cpp"), std::string::npos);
}

TEST_F(Assert, EvaluatesOnceAndIsSilentWhenAllIsWell) {
    int evaluated = 0;
    THRONG_ASSERT(++evaluated == 1);
    EXPECT_EQ(evaluated, 1);
    EXPECT_EQ(g_last.count, 0);
}

TEST_F(Assert, GivesBackTheHandlerItReplaces) {
    EXPECT_EQ(set_assert_handler(add_one), &record);
    EXPECT_EQ(set_assert_handler(record), &add_one);
}

TEST_F(AssertDeath, BreaksWhenTheHandlerSaysSo) {
    EXPECT_DEATH(
        {
            (void)set_assert_handler([](const char*, const char*, int) { return true; });
            THRONG_ASSERT(false);
        },
        "");
}

TEST_F(AssertDeath, TheDefaultPrintsAndNullBringsItBack) {
    EXPECT_DEATH(
        {
            (void)set_assert_handler(nullptr);
            THRONG_ASSERT(1 + 1 == 3);
        },
        "assert_test.cpp:[0-9]+: THRONG_ASSERT.1 . 1 == 3. failed");
}

TEST_F(Assert, TheHandlerMayBeReplacedWhileOthersFail) {
    g_ones = g_twos = 0;
    (void)set_assert_handler(add_one);
    constexpr int kFailures = 20'000;
    std::thread failing([] {
        for (int i = 0; i < kFailures; ++i) {
            THRONG_ASSERT(i < 0);
        }
    });
    for (int i = 0; i < 1'000; ++i) {
        (void)set_assert_handler(i % 2 == 0 ? add_two : add_one);
    }
    failing.join();
    EXPECT_EQ(g_ones + g_twos, kFailures);
}

} // namespace
} // namespace throng
