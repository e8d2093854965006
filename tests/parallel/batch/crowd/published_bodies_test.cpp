// Questions about bodies to frames of a PublishedCrowd, also to frames that are held for long.
#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include "../../../support/dims.hpp"
#include "../../../support/scenes/scenes.hpp"
#include "../../../support/truth.hpp"
#include "../../../support/visited.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

namespace throng {
namespace {

using test::Ids;

constexpr Body kBodies[] = {Body::box, Body::disc};

Ids sorted(std::span<const Id> ids) { return test::in_order({ids.begin(), ids.end()}); }

/// Small agents and giants, flat or high; other agents in every frame.
template <std::size_t Dim>
scenes::Scene<Dim> make_agents(std::uint64_t frame) {
    auto scene = scenes::make_uniform<Dim>(200, frame + 1);
    scenes::add_groups(scene);
    for (std::size_t a = 0; a < Dim; ++a) {
        for (std::size_t i = 0; i < scene.size(); ++i) {
            const float half = i % 20 == frame ? 3.0f * scene.cell[a] : 0.25f;
            scene.half_extent[a].push_back(a == i % Dim ? 0.125f * half : half);
        }
    }
    return scene;
}

/// A frame that is held, and an oracle with the same agents.
template <std::size_t Dim>
struct Held {
    scenes::Scene<Dim> scene;
    test::Truth<Dim> truth;
    Snapshot<Crowd<Dim>> frame;

    Held(PublishedCrowd<Dim>& crowd, const test::Periodic<Dim>& world, scenes::Scene<Dim>& statics,
         std::uint64_t number)
        : scene(make_agents<Dim>(number)), truth(world) {
        EXPECT_EQ(crowd.update(scene.agents()), Status{});
        frame = crowd.acquire();
        truth.go_by(*frame);
        EXPECT_EQ(truth.update(scene.agents()), Status{});
        EXPECT_EQ(truth.set_statics(statics.agents()), Status{});
        EXPECT_GT(frame->size(Sets::giants), 0u);
    }

    void check_points() const {
        std::vector<BodyBall<Dim>> balls;
        std::vector<Near> room(9);
        for (Id id = 0; id < scene.size(); id += 11) {
            const Point<Dim> point = truth[id].position;
            const Body body = kBodies[id % 2];
            balls.push_back({{point, scene.cell[0]}, body});
            const Ids wanted = truth.ids_in(balls.back());
            ASSERT_EQ(frame->count(balls.back()).count, wanted.size());
            const Nearest nearest{.k = 9, .radius = 4.0f * scene.cell[0], .body = body};
            const Found found = frame->nearest(point, nearest, room, {0x3u, id});
            ASSERT_EQ(std::vector<Near>(room.begin(), room.begin() + std::ptrdiff_t(found.count)),
                      truth.nearest_to(point, nearest, {0x3u, id}));
        }
        Batch<Dim> batch;
        Hits hits;
        ASSERT_EQ(batch.query(*frame, std::span<const BodyBall<Dim>>(balls), hits), Status{});
        for (std::size_t q = 0; q < balls.size(); ++q) {
            ASSERT_EQ(sorted(hits.of(q)), truth.ids_in(balls[q]));
        }
    }

    void check_everyone() const {
        Batch<Dim> batch;
        for (const Body body : kBodies) {
            const Neighbourhood asked{0.5f * scene.cell[0], false, 0x3u, false, body};
            Hits hits;
            ASSERT_EQ(batch.neighbours(*frame, asked, hits, Order::ids), Status{});
            const NearestNeighbours nearest{.k = 5, .body = body};
            NearHits near;
            ASSERT_EQ(batch.nearest_neighbours(*frame, nearest, near, Order::ids), Status{});
            for (Id id = 0; id < scene.size(); ++id) {
                ASSERT_EQ(sorted(hits.of(id)), truth.bodies_near(truth[id], asked));
                ASSERT_TRUE(std::ranges::equal(near.of(id), truth.nearest_to(id, nearest)));
            }
        }
    }
};

template <class>
class PublishedBodies : public testing::Test {};
TYPED_TEST_SUITE(PublishedBodies, test::Dims, test::DimNames);

TYPED_TEST(PublishedBodies, AreAskedInEveryFrameThatIsHeld) {
    constexpr std::size_t kDim = TypeParam::value;
    auto statics = scenes::make_uniform<kDim>(40, 77);
    statics.common_half_extent = Point<kDim>::all(1.5f);
    for (const bool wraps : {false, true}) {
        SCOPED_TRACE(wraps);
        CrowdSettings<kDim> settings;
        settings.bounds = statics.world;
        settings.cell = statics.cell;
        settings.periodic.fill(wraps);
        const test::Periodic<kDim> world{statics.world, settings.periodic};
        std::vector<std::unique_ptr<Held<kDim>>> all; // a Truth has a reference to its frame
        {
            PublishedCrowd<kDim> crowd;
            ASSERT_EQ(crowd.configure(settings, {true, true, {}}), Status{});
            ASSERT_EQ(crowd.set_statics(statics.agents()), Status{});
            for (std::uint64_t number = 0; number < 3; ++number) {
                all.push_back(std::make_unique<Held<kDim>>(crowd, world, statics, number));
                ASSERT_NO_FATAL_FAILURE(all.back()->check_points());
            }
        }
        for (const auto& held : all) {
            SCOPED_TRACE(held->frame.frame());
            ASSERT_NO_FATAL_FAILURE(held->check_points());
            ASSERT_NO_FATAL_FAILURE(held->check_everyone());
        }
    }
}

} // namespace
} // namespace throng
