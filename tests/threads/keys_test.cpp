// Several threads turn their answers into keys at once.
#include "crews.hpp"

#include "../support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kKeyed = 12'000;

std::uint64_t key_number(std::size_t i) { return (i + 1) * 0x9E37'79B9'7F4A'7C15u; }

/// The keys of what each ball finds. Each thread asks, and turns its own lists.
std::vector<std::uint64_t> heard_keys(const Crowd<2>& crowd, std::span<const Ball<2>> balls,
                                      Executor& executor) {
    Hits hits;
    KeyHits keys;
    EXPECT_EQ(crowd.query(balls, hits).status, Status{});
    EXPECT_EQ(crowd.keys(hits, keys, executor), Status{});
    std::vector<std::uint64_t> heard(hits.total());
    EXPECT_EQ(crowd.keys(std::span<const Id>(hits.ids).first(heard.size()), heard, executor),
              Status{});
    for (std::size_t i = 0; i < heard.size(); ++i) {
        EXPECT_EQ(keys.keys[i], heard[i]);
    }
    return heard;
}

void expect_keys_agree(Executor& executor) {
    scenes::Random random(3);
    std::vector<Agent<2>> agents(kKeyed);
    std::vector<std::uint64_t> keys(kKeyed);
    for (std::size_t i = 0; i < kKeyed; ++i) {
        agents[i].position = {random.between(0.0f, 100.0f), random.between(0.0f, 100.0f)};
        keys[i] = key_number(i);
    }
    std::vector<Ball<2>> balls;
    for (std::size_t i = 0; i < kKeyed; i += 40) {
        balls.push_back({agents[i].position, 4.0f});
    }
    Crowd<2> crowd;
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{0, 0}, {100, 100}};
    EXPECT_EQ(crowd.configure(settings), Status{});
    std::vector<Handle> handles(kKeyed);
    ASSERT_EQ(crowd.add(agents, handles, keys, executor), Status{});
    for (int round = 0; round < 2; ++round) {
        const auto expected = heard_keys(crowd, balls, serial_executor());
        EXPECT_GT(expected.size(), 8'192u) << "lists for one thread";
        // One uses the executor: oneTBB gives memory from thread to thread, which the sanitizer
        // does not see, and these threads end soon.
        std::array<std::vector<std::uint64_t>, 3> heard;
        on_own_threads(heard.size(), [&](std::size_t i) {
            heard[i] = heard_keys(crowd, balls, i == 0 ? executor : serial_executor());
        });
        for (const std::vector<std::uint64_t>& numbers : heard) {
            EXPECT_TRUE(numbers == expected);
        }
        // Between two rounds, other agents get the slots of some, and others get their keys.
        const std::span<Handle> some(handles.data(), kKeyed / 4);
        ASSERT_EQ(crowd.remove(some, executor), Status{});
        ASSERT_EQ(crowd.add(std::span<const Agent<2>>(agents).first(some.size()), some,
                            std::span(keys).last(some.size()), executor),
                  Status{});
    }
}

class ThreadedKeys : public ::testing::TestWithParam<Crew> {};

TEST_P(ThreadedKeys, AreThoseOfAllAnswers) { GetParam().call(expect_keys_agree); }

INSTANTIATE_TEST_SUITE_P(, ThreadedKeys, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace throng::test
