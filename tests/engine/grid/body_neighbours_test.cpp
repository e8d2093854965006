// Neighbours by bodies, and the nearest of them: on the rim exactly, of very different sizes, later
// ones only, more of them than a packet notes at once, and what is refused.
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace throng {
namespace {

using scenes::Scene;
using test::Ids;
using test::Lists;
using test::Truth;

constexpr Body kBodies[] = {Body::box, Body::disc};

template <class Dim>
class RowGridBodies : public testing::Test {};
TYPED_TEST_SUITE(RowGridBodies, test::Dims, test::DimNames);

/// Checks lists and counts of all slices, with all neighbours and with later ones alone.
template <std::size_t Dim>
void check(const RowGrid<Dim>& grid, const Truth<Dim>& truth, Neighbourhood asked) {
    SCOPED_TRACE(testing::Message()
                 << "radius " << asked.radius << ", body " << static_cast<unsigned>(asked.body));
    const test::CanonicalOrder order = truth.order(grid.shape());
    std::vector<Ids> by_id = truth.neighbours(asked);
    const Lists all = test::lists_of(test::in_storage_order(by_id, order));
    ASSERT_TRUE(test::neighbours_in(grid, asked, 0, grid.parts().slices()) == all);
    ASSERT_EQ(test::neighbour_counts_in(grid, asked, 0, grid.parts().slices()), all.counts());
    for (const Id id : order.ids()) {
        by_id[id] = order.from(id, by_id[id]);
    }
    const Lists later = test::lists_of(test::in_storage_order(by_id, order));
    asked.later_only = true;
    ASSERT_TRUE(test::neighbours_in(grid, asked, 0, grid.parts().slices()) == later);
    ASSERT_EQ(test::neighbour_counts_in(grid, asked, 0, grid.parts().slices()), later.counts());
}

/// Agents on a lattice of step 1 whose half extents are eighths: most gaps are exactly a radius.
template <std::size_t Dim>
Scene<Dim> lattice(std::size_t side, bool own) {
    Scene<Dim> scene;
    scene.world = {Point<Dim>::all(0.0f), Point<Dim>::all(static_cast<float>(side))};
    scene.cell = Point<Dim>::all(1.0f);
    std::size_t agents = 1;
    for (std::size_t a = 0; a < Dim; ++a) {
        agents *= side;
    }
    for (std::size_t i = 0; i < agents; ++i) {
        Point<Dim> point, half;
        std::size_t rest = i;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = static_cast<float>(rest % side);
            rest /= side;
            half[a] = 0.125f * static_cast<float>((i + a) % 4);
        }
        if (own) {
            scene.add(point, half);
        } else {
            scene.add(point);
        }
    }
    scene.common_half_extent = own ? Point<Dim>{} : Point<Dim>::all(0.25f);
    if (!own) { scene.common_half_extent[Dim - 1] = 0.375f; }
    return scene;
}

TYPED_TEST(RowGridBodies, OnTheRimAndOneFloatBeside) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool own : {false, true}) {
        auto scene = lattice<kDim>(kDim == 2 ? 14 : 6, own);
        scenes::add_groups(scene);
        Truth<kDim> truth;
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        const auto grid = test::grid_of(scene);
        for (const Body body : kBodies) {
            std::size_t found[3] = {}; // below the rim, on it and above
            for (const float rim : {0.25f, 0.5f, 0.75f, 1.0f, 1.5f}) {
                for (int step = -1; step <= 1; ++step) {
                    const float radius =
                        step == 0 ? rim : std::nextafter(rim, static_cast<float>(step) * 9.0f);
                    const Neighbourhood asked{radius, false, kAllGroups, false, body};
                    ASSERT_NO_FATAL_FAILURE(check(grid, truth, asked));
                    for (const Ids& ids : truth.neighbours(asked)) {
                        found[step + 1] += ids.size();
                    }
                }
            }
            EXPECT_LT(found[0], found[1]) << "none was on a rim";
            EXPECT_EQ(found[1], found[2]);
            ASSERT_NO_FATAL_FAILURE(
                check(grid, truth, Neighbourhood{0.5f, true, 0x5u, false, body}));
        }
    }
}

/// Most agents are small and flat, and some are thirty times as large.
template <std::size_t Dim>
void make_sizes_differ(scenes::Scene<Dim>& scene) {
    for (std::size_t a = 0; a < Dim; ++a) {
        scene.half_extent[a].assign(scene.size(), a == 0 ? 0.1f : 0.02f);
        for (std::size_t i = 0; i < scene.size(); i += 97) {
            scene.half_extent[a][i] = a == 0 ? 3.0f : 0.5f * static_cast<float>(i % 5);
        }
    }
}

// A body's side may be near although its centre is far, so windows must be wide enough; and discs
// may be wider than boxes.
TYPED_TEST(RowGridBodies, OfVeryDifferentSizes) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(700);
    make_sizes_differ(scene);
    Truth<kDim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    for (const float cell : {0.7f, 3.0f, 50.0f}) {
        RowGrid<kDim> grid;
        ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(cell)), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        for (const Body body : kBodies) {
            for (const float radius : {0.0f, 0.3f, 2.0f}) {
                ASSERT_NO_FATAL_FAILURE(
                    check(grid, truth, Neighbourhood{radius, false, kAllGroups, false, body}));
            }
        }
    }
}

// Agents with more neighbours than are noted at once, and agents at one place.
TYPED_TEST(RowGridBodies, OfDenseCrowds) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const char* name : {"coincident", "uniform"}) {
        auto scene = scenes::make<kDim>(name, 1150);
        Truth<kDim> truth;
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        const auto grid = test::grid_of(scene);
        for (const Body body : kBodies) {
            ASSERT_NO_FATAL_FAILURE(
                check(grid, truth, Neighbourhood{25.0f, false, kAllGroups, false, body}));
        }
    }
}

// Lists are cut off where the room ends, whatever comes before them, and offsets stay right.
TYPED_TEST(RowGridBodies, InEveryRoom) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = lattice<kDim>(kDim == 2 ? 8 : 4, true);
    const auto grid = test::grid_of(scene);
    const Neighbourhood asked{0.5f, false, kAllGroups, false, Body::box};
    const Lists all = test::neighbours_in(grid, asked, 0, grid.parts().slices());
    const test::Scratch<kDim> scratch;
    for (std::size_t room = 0; room <= all.ids.size() + 40; ++room) {
        const test::Guarded<Id> ids(room + 3);
        std::fill(ids.begin(), ids.end(), test::kCanary);
        std::vector<std::uint64_t> offsets(scene.size() + 1);
        const Found found =
            grid.parts().neighbours(asked, 0, grid.parts().slices(), scratch.words(),
                                    {offsets, {ids.begin(), room + 3}, 3});
        ASSERT_EQ(found.count, all.ids.size());
        ASSERT_EQ(std::count(ids.begin(), ids.begin() + 3, test::kCanary), 3);
        ASSERT_TRUE(
            std::equal(ids.begin() + 3,
                       ids.begin() + 3 +
                           std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(room),
                                                    static_cast<std::ptrdiff_t>(all.ids.size())),
                       all.ids.begin()))
            << "room for " << room;
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            ASSERT_EQ(offsets[i], all.offsets[i] + 3);
        }
    }
}

/// The nearest of all agents, against the oracle.
template <std::size_t Dim>
void check_nearest(const RowGrid<Dim>& grid, const Truth<Dim>& truth,
                   const NearestNeighbours& asked) {
    SCOPED_TRACE(testing::Message()
                 << "k " << asked.k << ", radius " << asked.radius << ", least " << asked.least
                 << ", body " << static_cast<unsigned>(asked.body));
    const Ids order = truth.order(grid.shape()).ids();
    std::vector<Near> nearest(order.size() * asked.k);
    std::vector<std::uint32_t> counts(order.size()), scratch(GridParts<Dim>::nearest_scratch());
    const Found found = grid.parts().nearest_neighbours(asked, 0, grid.parts().slices(), scratch,
                                                        {nearest, counts});
    ASSERT_EQ(found.status, Status{});
    std::size_t sum = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<Near> wanted = truth.nearest_to(order[i], asked);
        ASSERT_EQ(counts[i], wanted.size()) << "agent " << order[i];
        sum += wanted.size();
        wanted.resize(asked.k);
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), nearest.data() + i * asked.k))
            << "agent " << order[i];
    }
    ASSERT_EQ(found.count, sum);
}

// Most distances are equal to many others, to the radius, or to the least distance.
TYPED_TEST(RowGridBodies, TheNearestOnTheRim) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool own : {false, true}) {
        auto scene = lattice<kDim>(kDim == 2 ? 14 : 6, own);
        scenes::add_groups(scene);
        Truth<kDim> truth;
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        const auto grid = test::grid_of(scene);
        for (const Body body : kBodies) {
            for (const float rim : {0.0f, 0.25f, 0.5f, 1.5f}) {
                for (const float radius :
                     {rim, std::nextafter(rim, 0.0f), std::nextafter(rim, 9.0f)}) {
                    for (const std::uint32_t k : {1u, 5u, 40u}) {
                        ASSERT_NO_FATAL_FAILURE(
                            check_nearest(grid, truth, {.k = k, .radius = radius, .body = body}));
                    }
                    ASSERT_NO_FATAL_FAILURE(
                        check_nearest(grid, truth, {.k = 6, .least = radius, .body = body}));
                }
            }
            ASSERT_NO_FATAL_FAILURE(check_nearest(
                grid, truth, {.k = 7, .with_self = true, .groups = 0x5u, .body = body}));
            ASSERT_NO_FATAL_FAILURE(check_nearest(
                grid, truth,
                {.k = 7, .least = 0.5f, .band = {kDim - 1, 1.0f, 0.0f}, .body = body}));
        }
    }
}

// The nearest by their bodies may be far by their centres, and the other way round.
TYPED_TEST(RowGridBodies, TheNearestOfVeryDifferentSizes) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const char* name : {"uniform", "clustered", "coincident"}) {
        auto scene = scenes::make<kDim>(name, 500);
        make_sizes_differ(scene);
        Truth<kDim> truth;
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        for (const float cell : {0.7f, 3.0f, 50.0f}) {
            RowGrid<kDim> grid;
            ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(cell)), Status{});
            ASSERT_EQ(grid.update(scene.agents()), Status{});
            for (const Body body : kBodies) {
                for (const std::uint32_t k : {1u, 9u, 300u}) {
                    ASSERT_NO_FATAL_FAILURE(check_nearest(grid, truth, {.k = k, .body = body}));
                }
                ASSERT_NO_FATAL_FAILURE(check_nearest(
                    grid, truth, {.k = 4, .radius = 2.5f, .least = 0.5f, .body = body}));
            }
        }
    }
}

TYPED_TEST(RowGridBodies, RefuseWhatIsNone) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = lattice<kDim>(3, true);
    const auto grid = test::grid_of(scene);
    const test::Scratch<kDim> scratch;
    std::vector<std::uint64_t> offsets(scene.size() + 1, 7);
    std::vector<std::uint32_t> counts(scene.size(), 7);
    const auto refused = [&](const Neighbourhood& asked) {
        const Status listed =
            grid.parts()
                .neighbours(asked, 0, grid.parts().slices(), scratch.words(), {offsets, {}})
                .status;
        EXPECT_EQ(grid.parts()
                      .count_neighbours(asked, 0, grid.parts().slices(), scratch.words(), counts)
                      .status,
                  listed);
        return listed;
    };
    EXPECT_EQ(refused({1.0f, false, kAllGroups, false, Body{3}}),
              (Status{Cause::out_of_range, Argument::body}));
    EXPECT_EQ(
        refused({std::numeric_limits<float>::quiet_NaN(), false, kAllGroups, false, Body::disc}),
        (Status{Cause::not_finite, Argument::radius}));
    EXPECT_EQ(offsets, std::vector<std::uint64_t>(scene.size() + 1, 7));
    EXPECT_EQ(counts, std::vector<std::uint32_t>(scene.size(), 7));

    std::vector<Near> nearest(2 * scene.size(), Near{7.0f, 7});
    std::vector<std::uint32_t> words(GridParts<kDim>::nearest_scratch());
    const auto refused_nearest = [&](const NearestNeighbours& asked, const NearBuffer& out) {
        return grid.parts().nearest_neighbours(asked, 0, grid.parts().slices(), words, out).status;
    };
    for (const auto body : {3u, ~0u}) {
        EXPECT_EQ(refused_nearest({.k = 2, .body = static_cast<Body>(body)}, {nearest, counts}),
                  (Status{Cause::out_of_range, Argument::body}));
    }
    for (const Body body : kBodies) {
        EXPECT_EQ(refused_nearest({.k = 2, .least = -1.0f, .body = body}, {nearest, counts}),
                  (Status{Cause::negative, Argument::least}));
        EXPECT_EQ(refused_nearest({.k = 3, .body = body}, {nearest, counts}),
                  (Status{Cause::no_room, Argument::nearest}));
        EXPECT_EQ(grid.parts()
                      .nearest_neighbours({.k = 2, .body = body}, 0, grid.parts().slices() + 1,
                                          words, {nearest, counts})
                      .status,
                  (Status{Cause::out_of_range, Argument::range}));
    }
    EXPECT_EQ(nearest, std::vector<Near>(2 * scene.size(), Near{7.0f, 7}));
    EXPECT_EQ(counts, std::vector<std::uint32_t>(scene.size(), 7));
}

} // namespace
} // namespace throng
