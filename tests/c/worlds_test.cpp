// Positions in doubles, of agents and of questions: exact far from zero, and around the border of a
// periodic world.
#include "../support/dims.hpp"
#include "../support/random.hpp"
#include "refusals.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/images.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace throng::test {
namespace {

/// A crowd of points with an origin far from zero, periodic in x.
template <std::size_t Dim>
class FarCrowd {
public:
    FarCrowd() {
        throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        settings.dimension = Dim;
        settings.given = THRONG_GIVEN_BOUNDS | THRONG_GIVEN_CELL;
        settings.periodic = 1;
        CrowdSettings<Dim> same;
        same.bounds = Box<Dim>{{}, Point<Dim>::all(16.0f)};
        same.cell = Point<Dim>::all(2.0f);
        same.periodic[0] = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            settings.hi[a] = 16.0f;
            settings.cell[a] = 2.0f;
            settings.origin[a] = same.origin[a] = origin(a);
        }
        ok(throng_crowd_create(&settings, &c));
        EXPECT_EQ(cpp.configure(same), Status{});
    }
    ~FarCrowd() { ok(throng_crowd_destroy(c)); }
    FarCrowd(const FarCrowd&) = delete;
    FarCrowd& operator=(const FarCrowd&) = delete;

    static double origin(std::size_t a) { return 1e9 * static_cast<double>(a + 1); }
    /// A place `x` along the first axis from the origin, and 1 on the others.
    static std::array<double, 3> place(double x) {
        return {origin(0) + x, origin(1) + 1, origin(2) + 1};
    }

    /// Whether one agent is exactly there, and none 1/64 beside it.
    [[nodiscard]] bool has_one_at(float x) const {
        std::uint64_t there = 0, beside = 0;
        std::vector<float> ball(Dim + 1, 1.0f);
        ball[Dim] = 0.0f;
        throng_questions question = THRONG_QUESTIONS_INIT;
        question.shape = THRONG_BALL2 - 2 + static_cast<std::uint32_t>(Dim);
        question.shapes = ball.data();
        question.count = 1;
        ball[0] = x;
        ok(throng_count_one(c, &question, &there));
        ball[0] = x + 0.015625f;
        ok(throng_count_one(c, &question, &beside));
        return there == 1 && beside == 0;
    }

    throng_crowd* c = nullptr;
    Crowd<Dim> cpp;
};

template <class Dim>
class CWorlds : public testing::Test {};
TYPED_TEST_SUITE(CWorlds, Dims, DimNames);

// More than ten million periods away: floats cannot represent such places.
constexpr double kFar = 10'000'001.0 * 16.0 + 0.5;

throng_world_edit edit_of(throng_edit_kind kind, std::uint32_t id,
                          const std::array<double, 3>& to) {
    throng_world_edit edit{};
    edit.kind = kind;
    edit.id = id;
    std::copy(to.begin(), to.end(), edit.position);
    return edit;
}

TYPED_TEST(CWorlds, TakeEditsInDoubles) {
    using Far = FarCrowd<TypeParam::value>;
    Far far;
    const throng_world_edit come = edit_of(THRONG_INSERT, 7, Far::place(3.25));
    ok(throng_crowd_edit_world(far.c, &come, 1, nullptr));
    EXPECT_TRUE(far.has_one_at(3.25f));
    const throng_world_edit move = edit_of(THRONG_MOVE, 7, Far::place(kFar));
    ok(throng_crowd_edit_world(far.c, &move, 1, nullptr));
    EXPECT_TRUE(far.has_one_at(0.5f));
    const throng_world_edit go[] = {edit_of(THRONG_ERASE, 7, {}), edit_of(THRONG_ERASE, 7, {})};
    EXPECT_EQ(text_of(throng_crowd_edit_world(far.c, go, 2, nullptr)),
              "the id of edits[1] is not in the index");
    EXPECT_TRUE(far.has_one_at(0.5f));
    ok(throng_crowd_edit_world(far.c, go, 1, nullptr));
    EXPECT_FALSE(far.has_one_at(0.5f));
}

TYPED_TEST(CWorlds, TakeHandlesInDoubles) {
    using Far = FarCrowd<TypeParam::value>;
    Far far;
    throng_agents agents = THRONG_AGENTS_INIT;
    agents.dimension = static_cast<std::uint32_t>(TypeParam::value);
    agents.doubles = 1;
    agents.count = 1;
    std::array<double, 3> place = Far::place(3.25);
    for (std::size_t a = 0; a < TypeParam::value; ++a) {
        agents.position[a] = &place[a];
    }
    throng_agent_handle handle{};
    ok(throng_crowd_add(far.c, &agents, &handle, 1, nullptr));
    EXPECT_TRUE(far.has_one_at(3.25f));
    place = Far::place(kFar);
    ok(throng_crowd_move(far.c, &handle, 1, &agents, nullptr));
    EXPECT_TRUE(far.has_one_at(0.5f));
}

TYPED_TEST(CWorlds, RefuseEditsWithTheirIndex) {
    constexpr std::size_t kDim = TypeParam::value;
    struct Said {
        const char* text;
        void (*spoil)(throng_world_edit&);
    };
    const Said all[] = {
        {"edits[1] is NaN or infinite", [](throng_world_edit& edit) { edit.position[1] = kNan; }},
        {"edits[1] is beyond 1e18, the largest value allowed",
         [](throng_world_edit& edit) { edit.position[1] = -1e300; }},
        {"edits[1] is or has a value that it cannot have",
         [](throng_world_edit& edit) { edit.kind = 3; }},
        {"edits[1] is or has a value that it cannot have",
         [](throng_world_edit& edit) { edit.kept = 4; }},
        {"edits[1] is or has a value that it cannot have",
         [](throng_world_edit& edit) { edit.reserved = 1; }},
        {"the id of edits[1] is taken already", [](throng_world_edit& edit) { edit.id = 1; }},
    };
    for (const Said& said : all) {
        FarCrowd<kDim> far;
        throng_world_edit edits[] = {edit_of(THRONG_INSERT, 1, far.place(1.0)),
                                     edit_of(THRONG_INSERT, 2, far.place(2.0))};
        said.spoil(edits[1]);
        EXPECT_EQ(text_of(throng_crowd_edit_world(far.c, edits, 2, nullptr)), said.text);
        EXPECT_FALSE(far.has_one_at(1.0f));
    }
    FarCrowd<kDim> far;
    EXPECT_EQ(text_of(throng_crowd_edit_world(far.c, nullptr, 1, nullptr)),
              "edits is a null pointer");
    EXPECT_EQ(text_of(throng_crowd_edit_world(far.c, nullptr, kHuge, nullptr)),
              "edits is a null pointer");
}

TYPED_TEST(CWorlds, TurnPointsIntoThoseOfShapesAndBack) {
    constexpr std::size_t kDim = TypeParam::value, kCount = 50;
    FarCrowd<kDim> far;
    scenes::Random random(3);
    std::vector<double> world, world_again(kCount * kDim + 1, -1.0);
    std::vector<float> local(kCount * kDim + 1, -1.0f);
    for (std::size_t i = 0; i < kCount * kDim; ++i) {
        world.push_back(far.origin(i % kDim) + 1000.0 * random.between(-1.0f, 1.0f));
    }
    world[0] = kFar;
    world[kDim] = kNan;
    world[2 * kDim] = 1e300;
    ok(throng_crowd_local(far.c, world.data(), kCount, local.data(), kCount * kDim));
    EXPECT_EQ(local.back(), -1.0f);
    ok(throng_crowd_world(far.c, local.data(), kCount, world_again.data(), kCount * kDim));
    EXPECT_EQ(world_again.back(), -1.0);
    for (std::size_t i = 0; i < kCount; ++i) {
        WorldPoint<kDim> point({});
        std::copy_n(&world[i * kDim], kDim, point.axis.begin());
        const Point<kDim> wanted = far.cpp.local(point);
        const WorldPoint<kDim> back = far.cpp.world(wanted);
        for (std::size_t a = 0; a < kDim; ++a) {
            const bool is_nan = i == 1 && a == 0;
            EXPECT_TRUE(is_nan || local[i * kDim + a] == wanted[a]);
            EXPECT_TRUE(is_nan || world_again[i * kDim + a] == back[a]);
        }
    }
    EXPECT_EQ(text_of(throng_crowd_local(far.c, world.data(), kCount, local.data(), 1)),
              "local is too short: there must be room for " + std::to_string(kCount * kDim));
    EXPECT_EQ(text_of(throng_crowd_world(far.c, nullptr, 1, world_again.data(), kDim)),
              "local is a null pointer");
    ok(throng_crowd_local(far.c, nullptr, 0, nullptr, 0));
}

/// Points of two hosts' arrays, in floats and in doubles, in a world that is periodic on x.
template <std::size_t Dim>
struct ImageWorld {
    throng_crowd* c = nullptr;
    Crowd<Dim> cpp;
    std::vector<float> points, positions;
    std::vector<double> far_points, far_positions;

    ImageWorld() {
        throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        settings.dimension = static_cast<std::uint32_t>(Dim);
        settings.given = THRONG_GIVEN_BOUNDS;
        settings.periodic = 1;
        CrowdSettings<Dim> same;
        same.bounds = Box<Dim>{Point<Dim>::all(-4.0f), Point<Dim>::all(4.0f)};
        same.periodic[0] = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            settings.lo[a] = -4.0f;
            settings.hi[a] = 4.0f;
            settings.origin[a] = same.origin[a] = 1e9;
        }
        ok(throng_crowd_create(&settings, &c));
        ok(cpp.configure(same));
        scenes::Random random(6);
        for (std::size_t i = 0; i < 40 * Dim; ++i) {
            points.push_back(random.between(-20.0f, 20.0f));
            positions.push_back(random.between(-4.0f, 4.0f));
            far_points.push_back(1e9 + static_cast<double>(points.back()));
            far_positions.push_back(1e9 + static_cast<double>(positions.back()));
        }
    }
    ~ImageWorld() { ok(throng_crowd_destroy(c)); }
    ImageWorld(const ImageWorld&) = delete;
    ImageWorld& operator=(const ImageWorld&) = delete;

    template <class Float>
    static throng_agents agents(const std::vector<Float>& from) {
        throng_agents all = THRONG_AGENTS_INIT;
        all.dimension = static_cast<std::uint32_t>(Dim);
        all.doubles = sizeof(Float) == sizeof(double) ? 1 : 0;
        all.count = from.size() / Dim;
        for (std::size_t a = 0; a < Dim; ++a) {
            all.position[a] = from.data() + a;
            all.position_stride[a] = Dim * sizeof(Float);
        }
        return all;
    }
    static void ok(const Status& status) { EXPECT_EQ(status, Status{}); }
    static void ok(const throng_status& status) { test::ok(status); }
};

TYPED_TEST(CWorlds, SayWhichImageIsSeen) {
    constexpr std::size_t kDim = TypeParam::value;
    ImageWorld<kDim> world;
    const Images<kDim> images(world.cpp);
    const auto check = [&](const auto& points, const auto& positions) {
        using Any =
            std::conditional_t<sizeof points[0] == sizeof(double), WorldPoint<kDim>, Point<kDim>>;
        const auto at = [&](const auto& from, std::size_t i) {
            Any point{std::array<std::remove_cvref_t<decltype(from[0])>, kDim>{}};
            std::copy_n(&from[i * kDim], kDim, point.axis.begin());
            return point;
        };
        std::vector<std::int8_t> out(positions.size() + 1, 77);
        throng_agents of_points = world.agents(points);
        const throng_agents of_positions = world.agents(positions);
        ok(throng_crowd_images(world.c, &of_points, &of_positions, out.data(), positions.size()));
        EXPECT_EQ(out.back(), 77);
        std::size_t across = 0;
        for (std::size_t i = 0; i < positions.size() / kDim; ++i) {
            const Image<kDim> wanted = images.of(at(points, i), at(positions, i));
            EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), &out[i * kDim]));
            across += wanted[0] != 0;
        }
        EXPECT_GT(across, 0u);
        of_points.count = 1; // sees all
        ok(throng_crowd_images(world.c, &of_points, &of_positions, out.data(), positions.size()));
        for (std::size_t i = 0; i < positions.size() / kDim; ++i) {
            const Image<kDim> wanted = images.of(at(points, 0), at(positions, i));
            EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), &out[i * kDim]));
        }
    };
    check(world.points, world.positions);
    check(world.far_points, world.far_positions);
}

TYPED_TEST(CWorlds, RefuseImagesOfWhatNoCrowdTakes) {
    constexpr std::size_t kDim = TypeParam::value;
    struct Said {
        const char* text;
        void (*spoil)(ImageWorld<kDim>&, throng_agents& points, throng_agents& positions);
    };
    static constexpr Said kSaid[] = {
        {"points[3] is NaN or infinite",
         [](auto& world, auto&, auto&) { world.points[3 * kDim + 1] = kNan; }},
        {"positions[4] is beyond 1e18, the largest value allowed",
         [](auto& world, auto&, auto&) { world.positions[4 * kDim] = 2e18f; }},
        {"points has another count than positions",
         [](auto&, auto& points, auto&) { --points.count; }},
        {"points is a null pointer", [](auto&, auto& points, auto&) { points.position[1] = {}; }},
        {"points.dimension is of another dimension than what is asked",
         [](auto&, auto& points, auto&) { points.dimension = 5 - points.dimension; }},
        {"positions.doubles is or has a value that it cannot have",
         [](auto& world, auto&, auto& positions) {
             positions = world.agents(world.far_positions);
         }},
    };
    std::vector<std::int8_t> out(40 * kDim, 77);
    for (const Said& said : kSaid) {
        ImageWorld<kDim> world;
        throng_agents points = world.agents(world.points);
        throng_agents positions = world.agents(world.positions);
        said.spoil(world, points, positions);
        EXPECT_EQ(
            text_of(throng_crowd_images(world.c, &points, &positions, out.data(), out.size())),
            said.text);
    }
    ImageWorld<kDim> world;
    const throng_agents points = world.agents(world.points);
    EXPECT_EQ(text_of(throng_crowd_images(world.c, &points, &points, out.data(), out.size() - 1)),
              "images is too short: there must be room for " + std::to_string(out.size()));
    EXPECT_EQ(text_of(throng_crowd_images(world.c, &points, &points, nullptr, out.size())),
              "images is a null pointer");
    EXPECT_EQ(text_of(throng_crowd_images(world.c, nullptr, &points, out.data(), out.size())),
              "points is a null pointer");
    EXPECT_EQ(out, std::vector<std::int8_t>(40 * kDim, 77));
}

} // namespace
} // namespace throng::test
