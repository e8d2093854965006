// Crowds of all sizes against the oracle: each element is found once, in whatever set it is.
#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"
#include "crowd_truth.hpp"

#include <utility>

namespace throng {
namespace {

template <class Constant>
class CrowdAnswers : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Constant::value;
    using Scene = scenes::Scene<kAxes>;
    using Truth = test::CrowdTruth<kAxes>;

    static Scene statics(scenes::Groups groups = scenes::Groups::none) {
        return scenes::make<kAxes>("mixed_sizes", 40, groups);
    }

    static void check(Scene& scene, const char* what) {
        SCOPED_TRACE(what);
        Truth truth;
        Scene still = statics();
        truth.set_statics(still);
        ASSERT_EQ(truth.crowd.configure({scene.world, scene.cell}, kind_of(scene)), Status{});
        truth.set_statics(still);
        ASSERT_EQ(truth.update(scene), Status{});
        ASSERT_NO_FATAL_FAILURE(truth.check_all(test::Questions<kAxes>(scene, 6)));
    }
    static CrowdKind<kAxes> kind_of(Scene& scene) {
        return {scene.has_own_half_extents(), !scene.groups.empty(), scene.common_half_extent};
    }
};
TYPED_TEST_SUITE(CrowdAnswers, test::Dims, test::DimNames);

TYPED_TEST(CrowdAnswers, AreThoseOfBruteForceInEverySetOfAnyCrowd) {
    constexpr std::size_t kDim = TypeParam::value;
    using scenes::Groups;
    const auto some = [](std::size_t i) { return i % 20 == 3; };
    for (const Groups groups : {Groups::none, Groups::masks}) {
        auto mixed = test::with_giants<kDim>(160, some, 32.0f, groups);
        this->check(mixed, "giants");
        auto varied = mixed;
        for (std::size_t i = 0; i < varied.size(); ++i) {
            varied.half_extent[i % kDim][i] *= 0.5f + 0.01f * static_cast<float>(i % 50);
        }
        this->check(varied, "giants and sizes that vary");
        auto same = scenes::make<kDim>("uniform", 120, groups);
        this->check(same, "one size for all");
        auto alike = test::with_giants<kDim>(
            200, [](std::size_t) { return false; }, 1.0f, groups);
        this->check(alike, "sizes of their own, all alike");
        auto giants = test::with_giants<kDim>(
            60, [](std::size_t) { return true; }, 32.0f, groups);
        this->check(giants, "giants alone");
    }
    Crowd<kDim> empty;
    auto none = this->statics();
    ASSERT_EQ(empty.set_statics(none.agents()), Status{});
    EXPECT_EQ(empty.count(test::CrowdTruth<kDim>::everywhere()).count, none.size());
    EXPECT_EQ(empty.size(), 0u);
}

TYPED_TEST(CrowdAnswers, AreRightBeforeThereAreAnyAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    auto still = this->statics(scenes::Groups::masks);
    auto questions = test::Questions<kDim>(still, 6);
    test::CrowdTruth<kDim> truth; // not configured
    truth.set_statics(still);
    for (std::size_t i = 0; i < questions.boxes.size(); ++i) {
        ASSERT_NO_FATAL_FAILURE(truth.check_nearest(still.position_of(i), {7}, {}, Sets::all));
        EXPECT_EQ(truth.crowd.count(questions.boxes[i]).count,
                  truth.oracle.count(questions.boxes[i]).count);
    }
    Hits hits, wanted;
    ASSERT_EQ(truth.crowd.query(questions.boxes, hits), Status{});
    ASSERT_EQ(truth.oracle.query(questions.boxes, wanted), Status{});
    EXPECT_EQ(hits.offsets, wanted.offsets);
    EXPECT_EQ(truth.crowd.visit_pairs(PairSets::all, [](auto, auto) { return true; }).count, 0u);
    // An empty frame does not choose cells; configure() forgets statics too.
    ASSERT_EQ(truth.crowd.update({}), Status{});
    EXPECT_EQ(truth.crowd.reserve(10).cause, Cause::not_configured);
    EXPECT_EQ(truth.crowd.erase(0).cause, Cause::id_unknown);
    ASSERT_EQ(truth.crowd.configure({still.world, {}}), Status{});
    EXPECT_EQ(truth.crowd.size(Sets::statics), 0u);
}

// A giant is larger, on any axis, than half the longest side of a cell.
TYPED_TEST(CrowdAnswers, TellGiantsByTheCell) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = test::with_giants<kDim>(3000, [](std::size_t) { return false; });
    scenes::Random random(3);
    const Point<kDim> cell = Point<kDim>::all(2.0f);
    std::vector<bool> is_giant(scene.size());
    for (std::size_t i = 0; i < scene.size(); ++i) {
        float largest = 0.0f;
        for (std::vector<float>& axis : scene.half_extent) {
            axis[i] = random.below(40) == 0 ? random.between(0.9f, 1.1f) : random.unit();
            if (random.below(50) == 0) { axis[i] = 1.0f; }
            if (random.below(50) == 0) { axis[i] = -0.0f; }
            largest = std::max(largest, axis[i]);
        }
        is_giant[i] = largest > 1.0f;
    }
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure({scene.world, cell}, {true, false, {}}), Status{});
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    std::size_t giants = 0;
    for (Id id = 0; id < scene.size(); ++id) {
        ASSERT_EQ(crowd.contains(id, Sets::giants), is_giant[id]) << id;
        ASSERT_EQ(crowd.grid().contains(id), !is_giant[id]) << id;
        giants += is_giant[id] ? 1 : 0;
    }
    EXPECT_EQ(crowd.size(Sets::giants), giants);
    EXPECT_GT(giants, 20u);
    EXPECT_FALSE(crowd.contains(static_id(0), Sets::giants));
    EXPECT_FALSE(crowd.contains(kNoId, Sets::giants));
}

// Giants change from frame to frame, and so do the arrays that the crowd keeps.
TYPED_TEST(CrowdAnswers, FollowSizesThatChange) {
    constexpr std::size_t kDim = TypeParam::value;
    test::CrowdTruth<kDim> truth;
    auto still = this->statics();
    truth.set_statics(still);
    scenes::Random random(9);
    for (int frame = 0; frame < 14; ++frame) {
        SCOPED_TRACE(testing::Message() << "frame " << frame);
        const auto groups = frame % 3 == 1 ? scenes::Groups::masks : scenes::Groups::none;
        const std::uint32_t one_in = frame % 4 == 0 ? 8u : frame % 4 == 1 ? 40u : 1000u;
        auto scene = test::with_giants<kDim>(
            120 + 20 * (static_cast<std::size_t>(frame) % 5),
            [&](std::size_t) { return random.below(one_in) == 0; }, 32.0f, groups);
        if (frame % 5 == 3) {
            for (auto& axis : scene.half_extent) {
                axis.clear();
            }
        }
        if (frame % 7 == 6) { scene.half_extent[0].assign(scene.size(), 300.0f); }
        if (frame % 7 == 6 && scene.half_extent[1].empty()) { scene.half_extent[0].clear(); }
        ASSERT_EQ(truth.update(scene), Status{});
        ASSERT_NO_FATAL_FAILURE(truth.check_all(test::Questions<kDim>(scene, 3)));
        // Agents added later join sets that keep the same arrays as this frame.
        Agent<kDim> huge{Point<kDim>::all(5.0f), {}, {}};
        if (truth.oracle.kind().own_half_extents) { huge.half_extent = Point<kDim>::all(90.0f); }
        if (truth.oracle.kind().groups) { huge.groups = 2u; }
        ASSERT_EQ(truth.apply(Edit<kDim>::insert(700, huge)), Status{});
        ASSERT_EQ(truth.crowd.contains(700, Sets::giants), truth.oracle.kind().own_half_extents);
        ASSERT_NO_FATAL_FAILURE(truth.check(scene.boxes[0], {0x2u}, Sets::all));
        ASSERT_NO_FATAL_FAILURE(truth.check_pairs(PairSets::all, 0x2u));
        if (frame % 3 == 0) { truth.crowd.release_staging(); }
        if (frame % 5 == 4) {
            truth.crowd.clear();
            truth.oracle.clear();
            ASSERT_EQ(truth.apply(Edit<kDim>::insert(3, huge)), Status{});
            ASSERT_NO_FATAL_FAILURE(truth.check(scene.boxes[0], {}, Sets::all));
            ASSERT_STREQ(truth.crowd.validate(), nullptr);
        }
    }
}

TYPED_TEST(CrowdAnswers, KnowTheNearestWithTiesAcrossSets) {
    constexpr std::size_t kDim = TypeParam::value;
    // A lattice: most distances come many times, in each set.
    scenes::Scene<kDim> scene, still;
    for (std::size_t i = 0; i < 500; ++i) {
        Point<kDim> point{};
        point[0] = static_cast<float>(i % 7);
        point[1] = static_cast<float>(i / 7 % 5);
        const float half = i % 4 == 1 ? 20.0f : 0.125f;
        scene.add(point, Point<kDim>::all(half));
        if (i < 150) { still.add(point, Point<kDim>::all(half)); }
    }
    test::CrowdTruth<kDim> truth;
    const Box<kDim> world{{}, Point<kDim>::all(8.0f)};
    ASSERT_EQ(truth.crowd.configure({world, Point<kDim>::all(1.0f)}, {true, false, {}}), Status{});
    truth.set_statics(still);
    ASSERT_EQ(truth.update(scene), Status{});
    const auto check = [&] {
        for (const std::uint32_t k : {1u, 2u, 3u, 8u, 31u, 100u, 200u, 640u, kMostNearest}) {
            for (const Sets sets : test::kSomeSets) {
                const Point<kDim> middle = Point<kDim>::all(2.0f);
                ASSERT_NO_FATAL_FAILURE(truth.check_nearest(middle, {k}, {}, sets));
                ASSERT_NO_FATAL_FAILURE(
                    truth.check_nearest(middle, {k, 1.0f}, {kAllGroups, 37}, sets));
                const Point<kDim> far = Point<kDim>::all(-1e18f);
                ASSERT_NO_FATAL_FAILURE(truth.check_nearest(far, {k}, {}, sets));
            }
        }
    };
    ASSERT_NO_FATAL_FAILURE(check());
    // Edits of giants change where giants are stored.
    scenes::Random random(8);
    for (std::size_t e = 0; e < 300; ++e) {
        const Id id = random.below(500);
        if (!truth.crowd.contains(id, Sets::giants) && truth.crowd.contains(id)) { continue; }
        Point<kDim> to{};
        to[0] = static_cast<float>(random.below(7));
        to[1] = static_cast<float>(random.below(5));
        using Change = Edit<kDim>;
        if (!truth.crowd.contains(id)) {
            ASSERT_EQ(truth.apply(Change::insert(id, {to, Point<kDim>::all(20.0f), {}})), Status{});
        } else {
            ASSERT_EQ(truth.apply(e % 3 == 0 ? Change::move(id, to) : Change::erase(id)), Status{});
        }
    }
    ASSERT_NO_FATAL_FAILURE(check());
    // Invalid questions are refused, even by an empty crowd.
    std::vector<Near> out(kMostNearest + 1);
    for (const Sets sets : {Sets::none, Sets::giants, Sets::all}) {
        EXPECT_FALSE(truth.crowd.nearest({}, {kMostNearest + 1}, out, {}, sets).status.ok());
        EXPECT_FALSE(truth.crowd.nearest({}, {3, -1.0f}, out, {}, sets).status.ok());
        EXPECT_FALSE(
            truth.crowd.nearest({}, {9}, std::span<Near>(out).first(8), {}, sets).status.ok());
        EXPECT_EQ(truth.crowd.nearest({}, {0}, {}, {}, sets).count, 0u);
    }
}

// Giants at the ends of a view, a tile or a block of agents, and a block full of giants.
TYPED_TEST(CrowdAnswers, LeaveGiantsOutOfTheGridWhereverTheyAre) {
    constexpr std::size_t kDim = TypeParam::value;
    const std::size_t borders[] = {0,     1,     1022,  1023,  1024,  1025, 2047,
                                   16383, 16384, 16385, 32767, 32768, 39999};
    const auto at_borders = [&](std::size_t i) {
        return std::count(std::begin(borders), std::end(borders), i) != 0;
    };
    const auto a_block = [](std::size_t i) { return i >= 16384 && i < 32768; };
    const auto all_but_one = [](std::size_t i) { return i != 20000; };
    for (const auto layout : {scenes::Layout::separate, scenes::Layout::unaligned}) {
        for (const std::function<bool(std::size_t)>& is_giant :
             {std::function<bool(std::size_t)>(at_borders), {a_block}, {all_but_one}}) {
            auto scene = test::with_giants<kDim>(40'000, is_giant, 4.5f);
            scene.layout = layout;
            Crowd<kDim> crowd;
            ASSERT_EQ(crowd.configure({scene.world, Point<kDim>::all(1.5f)}, {true, false, {}}),
                      Status{});
            ASSERT_EQ(crowd.update(scene.agents()), Status{});
            for (Id id = 0; id < scene.size(); ++id) {
                ASSERT_EQ(crowd.contains(id, Sets::giants), is_giant(id)) << id;
                ASSERT_EQ(crowd.grid().contains(id), !is_giant(id)) << id;
            }
            ASSERT_STREQ(crowd.validate(), nullptr);
            EXPECT_EQ(crowd.size(), scene.size());
            test::Ids all(crowd.size());
            ASSERT_EQ(crowd.order(all), all.size());
            std::sort(all.begin(), all.end());
            for (Id id = 0; id < all.size(); ++id) {
                ASSERT_EQ(all[id], id);
            }
            // All elements are where they should be.
            for (Id id = 0; id < scene.size(); id += 97) {
                const auto box = Box<kDim>::around(scene.position_of(id), Point<kDim>{});
                EXPECT_EQ(crowd.any(box).count, 1u);
                EXPECT_EQ(crowd.count(box, {}, Sets::giants).count +
                              crowd.count(box, {}, Sets::small).count,
                          crowd.count(box).count);
            }
        }
    }
}

TYPED_TEST(CrowdAnswers, AreTheSameOnEveryExecutor) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = test::with_giants<kDim>(
        40'000, [](std::size_t i) { return i % 37 == 5; }, 9.0f);
    test::ShuffleExecutor shuffle(4);
    test::EagerPool pool(3);
    std::vector<test::Ids> answers;
    for (Executor* executor :
         {&serial_executor(), static_cast<Executor*>(&shuffle), static_cast<Executor*>(&pool)}) {
        Crowd<kDim> crowd;
        for (int frame = 0; frame < 2; ++frame) {
            ASSERT_EQ(crowd.update(scene.agents(), *executor), Status{});
            ASSERT_EQ(crowd.set_statics(scene.agents(), *executor), Status{});
        }
        std::vector<Edit<kDim>> edits;
        for (Id id = 0; id < 4000; id += 3) {
            edits.push_back(Edit<kDim>::move(id, scene.position_of(id + 1)));
        }
        ASSERT_EQ(crowd.edit(edits, *executor), Status{});
        auto said = test::visited(crowd, test::CrowdTruth<kDim>::everywhere());
        for (const Box<kDim>& box : scene.boxes) {
            const auto more = test::visited(crowd, box);
            said.insert(said.end(), more.begin(), more.end());
        }
        (void)crowd.visit_pairs([&](std::span<const Id> a, std::span<const Id> b) {
            said.insert(said.end(), a.begin(), a.end());
            said.insert(said.end(), b.begin(), b.end());
            return said.size() < 300'000;
        });
        answers.push_back(std::move(said));
    }
    EXPECT_TRUE(answers[0] == answers[1]);
    EXPECT_TRUE(answers[0] == answers[2]);
}

TYPED_TEST(CrowdAnswers, HoldGiantsAtTheEndsOfTheWorldAndBeyond) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = test::with_giants<kDim>(90, [](std::size_t i) { return i % 9 == 0; });
    const auto place = [&](std::size_t i, float at, float half) {
        for (std::size_t a = 0; a < kDim; ++a) {
            scene.position[a][i] = at;
            scene.half_extent[a][i] = half;
        }
    };
    place(0, kLargest, kLargest);
    place(1, -kLargest, kLargest);
    place(2, -kLargest, 0.0f);
    place(3, kLargest, -0.0f);
    place(9, 1e6f, 1e5f);
    place(18, 0.0f, kLargest);
    place(27, 5.0f, 1e-38f);
    test::CrowdTruth<kDim> truth, fitted;
    ASSERT_EQ(truth.crowd.configure({scene.world, scene.cell}, {true, false, {}}), Status{});
    auto still = scene;
    truth.set_statics(still);
    fitted.set_statics(still);
    ASSERT_EQ(truth.update(scene), Status{});
    ASSERT_NO_FATAL_FAILURE(truth.check_all(test::Questions<kDim>(scene, 6)));
    ASSERT_EQ(fitted.update(scene), Status{}); // with cells that it chooses itself
    ASSERT_NO_FATAL_FAILURE(fitted.check_all(test::Questions<kDim>(scene, 6)));
    // All agents in one place, then one of them far away.
    for (std::vector<float>& axis : scene.position) {
        axis.assign(scene.size(), 3.0f);
    }
    ASSERT_EQ(truth.update(scene), Status{});
    scene.position[1][9] = 1000.0f;
    ASSERT_EQ(truth.update(scene), Status{});
    ASSERT_NO_FATAL_FAILURE(truth.check_all(test::Questions<kDim>(scene, 2)));
}

TYPED_TEST(CrowdAnswers, MoveWithTheCrowd) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = test::with_giants<kDim>(200, [](std::size_t i) { return i % 9 == 0; });
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    ASSERT_EQ(crowd.set_statics(scene.agents()), Status{});
    const auto everywhere = test::CrowdTruth<kDim>::everywhere();
    const test::Ids before = test::visited(crowd, everywhere);
    Crowd<kDim> other(std::move(crowd));
    EXPECT_EQ(test::visited(other, everywhere), before);
    crowd = std::move(other);
    EXPECT_EQ(test::visited(crowd, everywhere), before);
    crowd.clear();
    EXPECT_EQ(crowd.count(everywhere).count, 200u);
    EXPECT_EQ(crowd.size(Sets::statics), 200u);
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    EXPECT_EQ(test::visited(crowd, everywhere), before);
}

} // namespace
} // namespace throng
