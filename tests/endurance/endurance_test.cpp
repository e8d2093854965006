// Structures under wear: all agents in one place, agents as large as the world, and one agent that
// comes and goes very often. It takes long, so it runs only on the best instruction set.
#include "../family/indexes.hpp"
#include "../family/questions.hpp"

#include <throng/engine/agents/validation.hpp>

#include <chrono>
#include <cstdio>

namespace throng {
namespace {

template <class Entry>
class Endurance : public testing::Test {};
TYPED_TEST_SUITE(Endurance, test::Indexes, test::IndexNames);

template <class Call>
double seconds_of(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <std::size_t Dim>
scenes::Scene<Dim> crowd_at_one_place(std::size_t count) {
    auto scene = scenes::make_uniform<Dim>(count);
    for (std::vector<float>& axis : scene.position) {
        std::fill(axis.begin(), axis.end(), 0.3f * scene.world.hi[0]);
    }
    return scene;
}

TYPED_TEST(Endurance, AMillionAgentsAtOnePlace) {
    constexpr std::size_t kDim = TypeParam::kDim;
    constexpr std::size_t kAgents = 1'000'000;
    auto spread = scenes::make_uniform<kDim>(kAgents);
    auto scene = crowd_at_one_place<kDim>(kAgents);
    const Point<kDim> place = scene.position_of(0);
    typename TypeParam::Index index;
    ASSERT_EQ(TypeParam::lay_out(index, scene, kind_of(scene.agents())), Status{});
    const double usual = seconds_of([&] { ASSERT_EQ(index.update(spread.agents()), Status{}); });
    const std::size_t memory = index.memory().total();

    // Moves all agents to one place and keeps them there for some frames.
    double slowest = 0.0;
    for (int frame = 0; frame < 3; ++frame) {
        slowest = std::max(slowest, seconds_of([&] {
                               ASSERT_EQ(index.update(scene.agents()), Status{});
                               TypeParam::tidy(index);
                           }));
    }
    EXPECT_LT(seconds_of([&] { ASSERT_STREQ(index.validate(), nullptr); }), 5.0);
    EXPECT_LT(slowest, 10.0 * usual + 1.0);
    EXPECT_LE(index.memory().total(), 3 * memory + (std::size_t{1} << 20));
    EXPECT_EQ(index.count(Box<kDim>::at(place)).count, kAgents);
    EXPECT_EQ(index.any(Ball<kDim>{place, 1.0f}).count, 1u);
    const Ball<kDim> elsewhere{Point<kDim>::all(0.9f * scene.world.hi[0]), 1.0f};
    EXPECT_EQ(index.count(elsewhere).count, 0u);
    std::size_t pairs = 0; // all would be half a billion thousand; a few are enough
    (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id>) {
        pairs += first.size();
        return pairs < 1'000'000;
    });
    EXPECT_GE(pairs, 1'000'000u);

    // Single agents are also erased and inserted at that place.
    const double edits = seconds_of([&] {
        for (Id id = 0; id < 100; ++id) {
            ASSERT_EQ(index.erase(id * 9973), Status{});
            ASSERT_EQ(index.insert(id * 9973, {place, {}, {}}), Status{});
        }
    });
    EXPECT_LT(edits, 5.0);
    EXPECT_EQ(index.count(Box<kDim>::at(place)).count, kAgents);

    // Moves all agents back.
    ASSERT_EQ(index.update(spread.agents()), Status{});
    TypeParam::tidy(index);
    ASSERT_STREQ(index.validate(), nullptr);
    EXPECT_EQ(index.size(), kAgents);
}

TYPED_TEST(Endurance, GiantsAsLargeAsTheWorld) {
    constexpr std::size_t kDim = TypeParam::kDim;
    auto scene = scenes::make_uniform<kDim>(20'000);
    const float size = scene.world.hi[0];
    for (std::vector<float>& axis : scene.half_extent) {
        axis.assign(scene.size(), 0.25f);
    }
    typename TypeParam::Index index;
    ASSERT_EQ(TypeParam::lay_out(index, scene, kind_of(scene.agents())), Status{});
    ASSERT_EQ(index.update(scene.agents()), Status{});
    const std::size_t memory = index.memory().total();
    const Ball<kDim> somewhere{Point<kDim>::all(0.5f * size), 3.0f};
    const std::size_t near = index.count(somewhere).count;

    constexpr Id kGiants = 20;
    for (Id id = 0; id < kGiants; ++id) {
        const Agent<kDim> giant{
            Point<kDim>::all(0.01f * size * static_cast<float>(id)), Point<kDim>::all(size), {}};
        ASSERT_EQ(index.insert(20'000 + id, giant), Status{});
    }
    TypeParam::tidy(index);
    ASSERT_STREQ(index.validate(), nullptr);
    EXPECT_LE(index.memory().total(), 2 * memory + (std::size_t{1} << 20));
    // A place far outside the world that half of the giants reach.
    EXPECT_EQ(index.count(Box<kDim>::at(Point<kDim>::all(-0.905f * size))).count, kGiants / 2);
    EXPECT_EQ(index.count(somewhere).count, near);
    std::size_t pairs = 0;
    (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id>) {
        pairs += first.size();
        return true;
    });
    EXPECT_GE(pairs, 20'000u * kGiants); // each giant with all agents

    for (Id id = 0; id < kGiants; ++id) {
        ASSERT_EQ(index.erase(20'000 + id), Status{});
    }
    TypeParam::tidy(index);
    ASSERT_STREQ(index.validate(), nullptr);
    EXPECT_EQ(index.size(), 20'000u);
}

TYPED_TEST(Endurance, OneAgentComesAndGoesForEver) {
    constexpr std::size_t kDim = TypeParam::kDim;
    constexpr std::size_t kRounds = kDim == 2 ? 10'000'000 : 1'000'000;
    auto scene = scenes::make_uniform<kDim>(200);
    typename TypeParam::Index index;
    ASSERT_EQ(TypeParam::lay_out(index, scene, kind_of(scene.agents())), Status{});
    ASSERT_EQ(index.update(scene.agents()), Status{});
    // On borders of cells and nodes, and elsewhere.
    const Point<kDim> places[] = {Point<kDim>::all(0.5f * scene.world.hi[0]),
                                  Point<kDim>::all(1.0f), Point<kDim>::all(3.3f)};
    std::size_t memory = 0;
    double first = 0.0; // seconds of the first 1/1000 of all rounds
    bool sound = true;
    const double all = seconds_of([&] {
        const auto go_round = [&](std::size_t rounds) {
            for (std::size_t r = 0; r < rounds; ++r) {
                sound = index.insert(777, {places[r % 3], {}, {}}).ok() && sound;
                sound = index.erase(777).ok() && sound;
            }
        };
        first = seconds_of([&] { go_round(kRounds / 1000); });
        memory = index.memory().total();
        go_round(kRounds - kRounds / 1000);
    });
    EXPECT_TRUE(sound);
    EXPECT_LT(all, 1000.0 * first * 5.0 + 5.0);
    EXPECT_LE(index.memory().total(), memory);
    ASSERT_STREQ(index.validate(), nullptr);
    EXPECT_EQ(index.size(), 200u);
    std::printf("%.0f ns a round\n", all / kRounds * 1e9);
}

} // namespace
} // namespace throng
