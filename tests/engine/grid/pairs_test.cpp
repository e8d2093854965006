// Pairs that touch and pairs that are near, on every scene, in very different grids, against the
// oracle; and crowds that the search of a few neighbours at once is not made for.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <tuple>

namespace throng {
namespace {

using scenes::Scene;
using test::Ids;
using test::Lists;
using test::PairLists;
using test::Truth;

constexpr std::uint32_t kGroups[] = {kAllGroups, 0x1u, 0x8000'0006u, 0u};
constexpr Body kBodyForms[] = {Body::box, Body::disc};
constexpr Neighbourhood kNeighbourhoods[] = {{0.0f, true, kAllGroups},
                                             {0.0f, false, kAllGroups},
                                             {1.5f, false, kAllGroups},
                                             {1.5f, true, 0x3u},
                                             {1.5f, false, 0x3u},
                                             {1.5f, true, 0u},
                                             {1e18f, false, kAllGroups},
                                             {0.5f, false, kAllGroups, false, Body::box},
                                             {0.5f, false, kAllGroups, false, Body::disc},
                                             {1.5f, true, 0x3u, false, Body::box},
                                             {0.0f, false, kAllGroups, false, Body::box},
                                             {0.0f, true, 0x3u, false, Body::disc},
                                             {1e18f, false, kAllGroups, false, Body::disc}};

/// A crowd with everything that the oracle says of it, for grids of any shape.
template <std::size_t Dim>
struct Expected {
    Truth<Dim> truth;
    std::vector<std::vector<Ids>> touching, neighbours; // by groups and body, by neighbourhood

    explicit Expected(Scene<Dim>& scene) {
        EXPECT_EQ(truth.update(scene.agents()), Status{});
        for (const std::uint32_t groups : kGroups) {
            for (const Body body : kBodyForms) {
                touching.push_back(truth.touching(truth, groups, body));
            }
        }
    }
    void ask_neighbours() {
        for (const Neighbourhood& asked : kNeighbourhoods) {
            neighbours.push_back(truth.neighbours(asked));
        }
    }
};

/// The pairs of the whole crowd, of each slice, and how many; for all groups and some, of boxes and
/// of discs.
template <std::size_t Dim>
void check_pairs(const RowGrid<Dim>& grid, const Expected<Dim>& expected) {
    const test::CanonicalOrder order = expected.truth.order(grid.shape());
    const std::size_t slices = grid.parts().slices();
    for (std::size_t g = 0; g < expected.touching.size(); ++g) {
        const std::uint32_t groups = kGroups[g / std::size(kBodyForms)];
        const Body body = kBodyForms[g % std::size(kBodyForms)];
        SCOPED_TRACE(testing::Message()
                     << "groups " << groups << ", body " << static_cast<unsigned>(body));
        const PairLists wanted = test::lists_of(test::pairs_within(expected.touching[g], order));
        ASSERT_TRUE(test::pairs_in(grid, 0, slices, groups, body) == wanted);
        ASSERT_EQ(grid.parts().count_pairs(0, slices, groups, body).count, wanted.first.size());
        PairLists parts;
        std::size_t sum = 0;
        for (std::size_t s = 0; s < slices; ++s) {
            parts.append(test::pairs_in(grid, s, s + 1, groups, body));
            sum += grid.parts().count_pairs(s, s + 1, groups, body).count;
        }
        ASSERT_TRUE(parts == wanted);
        ASSERT_EQ(sum, wanted.first.size());
    }
}

template <std::size_t Dim>
void check_neighbours(const RowGrid<Dim>& grid, const Expected<Dim>& expected, std::size_t turn) {
    const test::CanonicalOrder order = expected.truth.order(grid.shape());
    // To save time, each grid is asked only every third question.
    for (std::size_t i = turn % 3; i < std::size(kNeighbourhoods); i += 3) {
        const Neighbourhood& asked = kNeighbourhoods[i];
        SCOPED_TRACE(testing::Message() << "radius " << asked.radius << ", with self "
                                        << asked.with_self << ", groups " << asked.groups
                                        << ", body " << static_cast<unsigned>(asked.body));
        const Lists wanted = test::lists_of(test::in_storage_order(expected.neighbours[i], order));
        ASSERT_TRUE(test::neighbours_in(grid, asked, 0, grid.parts().slices()) == wanted);
        ASSERT_TRUE(test::neighbour_counts_in(grid, asked, 0, grid.parts().slices()) ==
                    wanted.counts());
        Lists parts;
        for (std::size_t s = 0; s < grid.parts().slices(); ++s) {
            parts.append(test::neighbours_in(grid, asked, s, s + 1));
        }
        ASSERT_TRUE(parts == wanted);
    }
}

template <std::size_t Dim>
void check_scene(Scene<Dim>& scene, std::size_t others_every) {
    Expected<Dim> expected(scene);
    expected.ask_neighbours();

    // A second crowd with some of the same agents: each touches its double, and others.
    Scene<Dim> some;
    for (std::size_t i = 0; i < scene.size(); i += others_every) {
        if (scene.has_own_half_extents()) {
            some.add(scene.position_of(i), scene.half_extent_of(i));
        } else {
            some.add(scene.position_of(i));
        }
        if (!scene.groups.empty()) { some.groups.push_back(scene.groups[i]); }
    }
    some.common_half_extent = scene.common_half_extent;
    Truth<Dim> truth_of_some;
    ASSERT_EQ(truth_of_some.update(some.agents()), Status{});
    const auto shapes = scenes::shapes_for(scene);
    for (std::size_t s = 0; s < shapes.size(); ++s) {
        SCOPED_TRACE(testing::Message() << scene.name << ", shape " << s);
        RowGrid<Dim> grid, others;
        ASSERT_EQ(grid.use(shapes[s]), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_NO_FATAL_FAILURE(check_pairs(grid, expected));
        ASSERT_NO_FATAL_FAILURE(check_neighbours(grid, expected, s));

        if (s % 2 == 1) { continue; } // with others in half of the shapes, to save time
        const GridShape<Dim>& shape = shapes[(s + 1) % shapes.size()];
        ASSERT_EQ(others.use(shape), Status{});
        ASSERT_EQ(others.update(some.agents()), Status{});
        for (std::size_t g = 0; g < expected.touching.size(); ++g) {
            const std::uint32_t groups = kGroups[g / std::size(kBodyForms)];
            const Body body = kBodyForms[g % std::size(kBodyForms)];
            PairLists parts;
            const PairLists wanted = test::lists_of(
                test::pairs_between(expected.truth.touching(truth_of_some, groups, body),
                                    expected.truth.order(shapes[s]), truth_of_some.order(shape)));
            ASSERT_TRUE(test::pairs_with(grid, others, 0, grid.parts().slices(), groups, body) ==
                        wanted);
            for (std::size_t part = 0; part < grid.parts().slices(); ++part) {
                parts.append(test::pairs_with(grid, others, part, part + 1, groups, body));
            }
            ASSERT_TRUE(parts == wanted);
        }
    }
}

class RowGridPairs : public testing::TestWithParam<test::SceneCase> {};

TEST_P(RowGridPairs, AnswerLikeBruteForce) {
    const std::string_view name = std::get<1>(GetParam());
    // Dense crowds have very many pairs; other crowds are large enough for two slices.
    constexpr std::string_view kDense[] = {"coincident", "one_cell",
                                           "giant",      "lattice_of_tenths",
                                           "far_corner", "zeros_and_denormals"};
    const bool dense = std::find(std::begin(kDense), std::end(kDense), name) != std::end(kDense);
    const bool emulated = std::getenv("THRONG_TEST_EMULATED") != nullptr;
    const std::size_t count = dense || emulated ? 150 : 540;
    test::with_scene(GetParam(), count, [](auto& scene) { check_scene(scene, 5); });
}

INSTANTIATE_TEST_SUITE_P(Scenes, RowGridPairs, test::all_scene_cases(), test::scene_case_name);

template <class Dim>
class RowGridPairsOf : public testing::Test {};
TYPED_TEST_SUITE(RowGridPairsOf, test::Dims, test::DimNames);

/// Checks the same crowd with a common extent, with own extents, and each of these with masks.
template <std::size_t Dim>
void check_crowd(Scene<Dim> scene, const Point<Dim>& cell) {
    for (int kind = 0; kind < 4; ++kind) {
        SCOPED_TRACE(testing::Message() << "kind " << kind);
        if (kind % 2 == 1) { scenes::add_groups(scene); }
        if (kind == 2) {
            scene.groups.clear();
            for (std::size_t a = 0; a < Dim; ++a) {
                scene.half_extent[a].assign(scene.size(), scene.common_half_extent[a]);
            }
        }
        const Expected<Dim> expected(scene);
        RowGrid<Dim> grid;
        ASSERT_EQ(grid.configure(scene.world, cell), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_NO_FATAL_FAILURE(check_pairs(grid, expected));
    }
}

template <std::size_t Dim>
Scene<Dim> scene_in(float side, float half) {
    Scene<Dim> scene;
    scene.world = {Point<Dim>::all(0.0f), Point<Dim>::all(side)};
    scene.common_half_extent = Point<Dim>::all(half);
    return scene;
}
template <std::size_t Dim>
void scatter(Scene<Dim>& scene, std::size_t count, const Box<Dim>& box, std::uint64_t seed = 3) {
    scenes::Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = random.between(box.lo[a], box.hi[a]);
        }
        scene.add(point);
    }
}

// As many agents follow each agent in its row as one word has bits, or as a packet looks at; one
// more or less, and many more.
TYPED_TEST(RowGridPairsOf, CrowdedCells) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t count :
         {1u,  2u,  15u, 16u,  17u,  32u,  33u,  34u,  35u,  48u,  63u,  64u, 65u,
          66u, 96u, 97u, 128u, 129u, 130u, 131u, 144u, 160u, 161u, 162u, 200u}) {
        SCOPED_TRACE(count);
        auto scene = scene_in<kDim>(8.0f, 0.1f);
        scatter(scene, count, {Point<kDim>::all(3.1f), Point<kDim>::all(3.9f)});
        check_crowd(scene, Point<kDim>::all(1.0f));
    }
}

// The rows beside have as many agents as are gathered at once, a few more or less, and many more.
TYPED_TEST(RowGridPairsOf, CrowdedRowsBeside) {
    constexpr std::size_t kDim = TypeParam::value;
    for (std::size_t count = 0; count <= 180; count += count < 110 || count > 140 ? 13 : 1) {
        SCOPED_TRACE(count);
        auto scene = scene_in<kDim>(16.0f, 1.5f);
        Box<kDim> low{Point<kDim>::all(4.1f), Point<kDim>::all(4.9f)}, high = low;
        high.lo[kDim - 1] += 1.0f;
        high.hi[kDim - 1] += 3.0f;
        scatter(scene, 12, low);
        for (std::size_t i = 0; i < count; i += 20) { // no row of them is crowded itself
            high.lo[0] = 2.0f + 0.5f * static_cast<float>(i / 20);
            high.hi[0] = high.lo[0] + 0.4f;
            scatter(scene, std::min<std::size_t>(20, count - i), high, i);
        }
        check_crowd(scene, Point<kDim>::all(1.0f));
    }
}

// Agents that are 1 to 20 rows wide on one axis, more rows than are searched one by one.
TYPED_TEST(RowGridPairsOf, RowsFarApart) {
    constexpr std::size_t kDim = TypeParam::value;
    for (std::size_t axis = 1; axis < kDim; ++axis) {
        for (int rows = 1; rows <= 20; ++rows) {
            SCOPED_TRACE(testing::Message() << rows << " rows on axis " << axis);
            auto scene = scene_in<kDim>(64.0f, 1.0f);
            scene.common_half_extent[axis] = 0.5f * static_cast<float>(rows);
            Box<kDim> box{Point<kDim>::all(30.0f), Point<kDim>::all(34.0f)};
            box.lo[axis] = 0.0f;
            box.hi[axis] = 64.0f;
            scatter(scene, 150, box);
            check_crowd(scene, Point<kDim>::all(1.0f));
        }
    }
}

// A row of few agents, whose cells span most of a row of many agents.
TYPED_TEST(RowGridPairsOf, SparseRowsBesideDenseOnes) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t count : {500u, 512u, 520u, 700u}) {
        SCOPED_TRACE(count);
        auto scene = scene_in<kDim>(512.0f, 0.3f);
        Box<kDim> row = {Point<kDim>::all(4.0f), Point<kDim>::all(4.1f)};
        row.lo[0] = 0.0f;
        row.hi[0] = 512.0f;
        scatter(scene, 20, row);
        row.lo[kDim - 1] = row.hi[kDim - 1] = 5.05f;
        scatter(scene, count, row, 4);
        check_crowd(scene, Point<kDim>::all(1.0f));
    }
}

// So many cells that rows keep tables of the used ones only, and rows without agents between them.
TYPED_TEST(RowGridPairsOf, TrimmedAndEmptyRows) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scene_in<kDim>(32.0f, 0.6f);
    scatter(scene, 260, {Point<kDim>::all(0.0f), Point<kDim>::all(kDim == 2 ? 32.0f : 8.0f)});
    for (std::size_t i = 0; i < scene.size(); ++i) {
        float& x = scene.position[kDim - 1][i];
        if (x > 3.0f && x < 4.0f) { x += 1.0f; }
    }
    for (const float width : {0.001f, 0.01f, 0.1f, 3.0f}) {
        SCOPED_TRACE(width);
        Point<kDim> cell = Point<kDim>::all(0.5f);
        cell[0] = width;
        check_crowd(scene, cell);
    }
}

// A chain of agents, each touching the next exactly at its edge; or not, by a hair.
TYPED_TEST(RowGridPairsOf, EdgesThatMeet) {
    constexpr std::size_t kDim = TypeParam::value;
    for (std::size_t axis = 0; axis < kDim; ++axis) {
        for (const bool apart : {false, true}) {
            auto scene = scene_in<kDim>(128.0f, 0.5f);
            Point<kDim> point = Point<kDim>::all(64.0f);
            for (int i = 0; i < 100; ++i) {
                point[axis] = static_cast<float>(i) + 0.5f;
                scene.add(point);
                if (apart) { scene.position[axis].back() += 0x1p-16f * static_cast<float>(i); }
            }
            for (const float cell : {0.5f, 1.0f, 7.0f}) {
                RowGrid<kDim> grid;
                ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(cell)), Status{});
                ASSERT_EQ(grid.update(scene.agents()), Status{});
                for (const Body body : kBodyForms) {
                    EXPECT_EQ(
                        grid.parts().count_pairs(0, grid.parts().slices(), kAllGroups, body).count,
                        apart ? 0u : 99u);
                }
            }
            check_crowd(scene, Point<kDim>::all(1.0f));
        }
    }
}

// Discs that touch on the rim, at the corner of a right-angled triangle with sides of 3, 4 and 5;
// and discs much wider on x than their boxes are on other axes, in boxes that are far from
// overlapping.
TYPED_TEST(RowGridPairsOf, DiscsThatTouchAndStickOutOfTheirBoxes) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const float apart : {0.0f, 0x1p-16f}) {
        for (const bool own : {false, true}) {
            auto scene = scene_in<kDim>(64.0f, 2.5f);
            for (std::size_t a = 1; a < kDim; ++a) {
                scene.common_half_extent[a] = 0.125f;
            }
            for (int i = 0; i < 8; ++i) {
                Point<kDim> point = Point<kDim>::all(4.0f);
                point[0] += 3.0f * static_cast<float>(i % 2);
                point[1] += (4.0f + apart) * static_cast<float>(i % 2);
                point[kDim - 1] += 12.0f * static_cast<float>(i / 2);
                scene.add(point);
            }
            for (std::size_t a = 0; own && a < kDim; ++a) {
                scene.half_extent[a].assign(scene.size(), scene.common_half_extent[a]);
            }
            for (const float cell : {0.5f, 1.0f, 5.0f, 30.0f}) {
                RowGrid<kDim> grid;
                ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(cell)), Status{});
                ASSERT_EQ(grid.update(scene.agents()), Status{});
                const auto count = [&](Body body) {
                    return grid.parts()
                        .count_pairs(0, grid.parts().slices(), kAllGroups, body)
                        .count;
                };
                EXPECT_EQ(count(Body::disc), apart == 0.0f ? 4u : 0u);
                EXPECT_EQ(count(Body::box), 0u);
            }
            check_crowd(scene, Point<kDim>::all(1.0f));
        }
    }
}

TYPED_TEST(RowGridPairsOf, OfPointsAreRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scene_in<kDim>(8.0f, 0.5f);
    scatter(scene, 20, scene.world);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    const test::Scratch<kDim> scratch;
    Ids first(64), second(64);
    const auto never = [](auto, auto) {
        ADD_FAILURE() << "visited";
        return true;
    };
    for (const Body body : {Body::centre, static_cast<Body>(3)}) {
        const Status refused{Cause::out_of_range, Argument::body};
        const PairsBuffer out{first, second};
        EXPECT_EQ(grid.parts().pairs(0, 1, scratch.words(), out, kAllGroups, body).status, refused);
        EXPECT_EQ(grid.parts().pairs(grid, 0, 1, scratch.words(), out, kAllGroups, body).status,
                  refused);
        EXPECT_EQ(grid.parts().count_pairs(0, 1, 0u, body).status, refused);
        EXPECT_EQ(grid.visit_pairs(never, kAllGroups, body).status, refused);
        EXPECT_EQ(
            grid.parts().visit_pairs(0, 1, scratch.words(), out, never, kAllGroups, body).status,
            refused);
        EXPECT_EQ(grid.parts()
                      .visit_pairs(grid, 0, 1, scratch.words(), out, never, kAllGroups, body)
                      .status,
                  refused);
    }
}

TYPED_TEST(RowGridPairsOf, GiantsAmongOthers) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scene_in<kDim>(20.0f, 0.2f);
    scatter(scene, 300, scene.world);
    for (std::size_t i = 0; i < scene.size(); ++i) {
        for (std::size_t a = 0; a < kDim; ++a) {
            scene.half_extent[a].push_back(i % 100 == 50 ? 6.0f : 0.2f);
        }
    }
    const Expected<kDim> expected(scene);
    for (const float cell : {0.7f, 2.0f, 5.0f}) {
        RowGrid<kDim> grid;
        ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(cell)), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_NO_FATAL_FAILURE(check_pairs(grid, expected));
    }
}

// Agents outside the world on every side and at its corners; and so far away that whole extents
// vanish.
TYPED_TEST(RowGridPairsOf, AgentsOutsideTheWorld) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const float far : {20.0f, 1e4f, 1e17f}) {
        auto scene = scene_in<kDim>(8.0f, 0.5f);
        scatter(scene, 100, scene.world);
        scenes::Random random(9);
        for (int i = 0; i < 160; ++i) {
            Point<kDim> point;
            for (float& x : point.axis) {
                const float places[] = {-far, far, 4.0f};
                x = places[random.below(3)] + random.between(-1.0f, 1.0f);
            }
            scene.add(point);
        }
        check_crowd(scene, Point<kDim>::all(1.0f));
    }
}

TYPED_TEST(RowGridPairsOf, ThousandsInOnePlace) {
    if (std::getenv("THRONG_TEST_EMULATED") != nullptr) { GTEST_SKIP() << "it takes too long"; }
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kCount = 3000;
    auto scene = scenes::make<kDim>("coincident", kCount);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    constexpr std::size_t kPairs = kCount * (kCount - 1) / 2;
    EXPECT_EQ(grid.parts().count_pairs(0, grid.parts().slices()).count, kPairs);
    const PairLists pairs = test::pairs_in(grid, 0, grid.parts().slices());
    ASSERT_EQ(pairs.first.size(), kPairs);
    std::size_t i = 0;
    for (Id first = 0; first < kCount; ++first) {
        for (Id second = first + 1; second < kCount; ++second, ++i) {
            ASSERT_TRUE(pairs.first[i] == first && pairs.second[i] == second) << "pair " << i;
        }
    }
}

} // namespace
} // namespace throng
