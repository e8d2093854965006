// Agents come, go and move one at a time, among queries, against the oracle.
#include "../../support/numbers.hpp"
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace throng {
namespace {

using test::kNan;

/// A grid, and a flat list with the same edits.
template <std::size_t Dim>
class Pair {
public:
    explicit Pair(const scenes::Scene<Dim>& scene, const GridShape<Dim>& shape,
                  const CrowdKind<Dim>& kind)
        : questions_(scene) {
        EXPECT_EQ(grid.use(shape, kind), Status{});
        EXPECT_EQ(list.configure(kind), Status{});
    }

    void update(scenes::Scene<Dim>& scene) {
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_EQ(list.update(scene.agents()), Status{});
    }
    void insert(Id id, const Agent<Dim>& agent) {
        const Status wanted = list.insert(id, agent);
        ASSERT_EQ(grid.insert(id, agent), wanted) << id << ": " << to_string(wanted);
    }
    void erase(Id id) {
        const Status wanted = list.erase(id);
        ASSERT_EQ(grid.erase(id), wanted) << id << ": " << to_string(wanted);
    }
    void move(Id id, const Point<Dim>& position) {
        const Status wanted = list.move(id, position);
        ASSERT_EQ(grid.move(id, position), wanted) << id << ": " << to_string(wanted);
    }

    /// Asks one box and one ball.
    void ask(std::size_t turn) const {
        const Filter filter{turn % 3 == 0 ? 0x3u : kAllGroups, static_cast<Id>(turn % 500)};
        expect_same(questions_.boxes[turn % questions_.boxes.size()], filter);
        expect_same(questions_.balls[turn % questions_.balls.size()], filter);
    }
    void ask_all() const {
        ASSERT_STREQ(grid.validate(), nullptr);
        ASSERT_EQ(test::difference(test::answers_of(grid, questions_),
                                   test::expected_answers(grid.shape(), list, questions_)),
                  "");
    }

    [[nodiscard]] Point<Dim> position_of(Id id) const { return list[id].position; }

    RowGrid<Dim> grid;
    test::Truth<Dim> list;

private:
    template <class Shape>
    void expect_same(const Shape& shape, const Filter& filter) const {
        const test::Ids wanted = list.stored(grid.shape(), list.ids_in(shape, filter));
        ASSERT_EQ(test::ask(grid, shape, filter), wanted);
        ASSERT_EQ(grid.count(shape, filter).count, wanted.size());
    }

    scenes::Scene<Dim> questions_;
};

/// A random place: inside, on cell edges, on top of another agent, outside, or far beyond.
template <std::size_t Dim>
Point<Dim> somewhere(const scenes::Scene<Dim>& scene, const Pair<Dim>& pair,
                     scenes::Random& random) {
    const std::uint32_t kind = random.below(16);
    const Id other = random.below(300);
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float side = scene.world.hi[a] - scene.world.lo[a];
        point[a] = scene.world.lo[a] + side * random.unit();
        if (kind == 0) { point[a] = kLargest * (random.below(2) == 0 ? 1.0f : -1.0f); }
        if (kind <= 2) { point[a] += side * random.between(-3.0f, 3.0f); }
        if (kind == 3) {
            point[a] = scene.world.lo[a] + scene.cell[a] * static_cast<float>(random.below(9));
        }
        if (kind == 4 && pair.list.contains(other)) { point[a] = pair.position_of(other)[a]; }
        if (kind == 5) { point[a] = 2.5f; }
        point[a] = std::clamp(point[a], -kLargest, kLargest);
    }
    return point;
}

template <std::size_t Dim>
Agent<Dim> random_agent(const scenes::Scene<Dim>& scene, const Pair<Dim>& pair,
                        scenes::Random& random) {
    Agent<Dim> agent;
    agent.position = somewhere(scene, pair, random);
    // Now and then fields that the crowd does not keep, or values out of range: grid and list must
    // refuse these alike.
    const CrowdKind<Dim> kind = pair.list.kind();
    if (kind.own_half_extents != (random.below(50) == 0)) {
        agent.half_extent = Point<Dim>::all(random.below(20) == 0 ? 40.0f : random.unit());
        if (random.below(50) == 0) { (*agent.half_extent)[1] = -1.0f; }
    }
    if (kind.groups != (random.below(50) == 0)) { agent.groups = random.below(16); }
    if (random.below(50) == 0) { agent.position[0] = kNan; }
    return agent;
}

using Case = std::tuple<std::size_t, bool, bool, std::size_t>; // Dim, own extents, masks, shape

class RowGridEdit : public testing::TestWithParam<Case> {};

template <std::size_t Dim>
void churn(bool own_half_extents, bool masks, std::size_t which_shape) {
    const auto groups = masks ? scenes::Groups::masks : scenes::Groups::none;
    auto scene = scenes::make<Dim>(own_half_extents ? "giant" : "outside", 300, groups);
    scene.world = {Point<Dim>::all(0.0f), Point<Dim>::all(8.0f)};
    scene.cell = Point<Dim>::all(1.0f);
    CrowdKind<Dim> kind;
    kind.own_half_extents = own_half_extents;
    kind.groups = masks;
    if (!own_half_extents) { kind.common_half_extent = Point<Dim>::all(0.5f); }
    Pair<Dim> pair(scene, scenes::shapes_for(scene)[which_shape], kind);

    scenes::Random random(which_shape);
    constexpr std::size_t kTurns = 10'000;
    for (std::size_t turn = 0; turn < kTurns; ++turn) {
        SCOPED_TRACE(testing::Message() << "turn " << turn);
        // First the crowd grows from nothing, in the end it shrinks to nothing.
        const std::uint32_t end = turn < kTurns / 2 ? 1000 : 600;
        const Id id = random.below(end);
        const std::uint32_t what = random.below(8);
        const std::uint32_t inserts = turn < kTurns / 2 ? 4 : 1;
        if (what < inserts) {
            ASSERT_NO_FATAL_FAILURE(pair.insert(id, random_agent(scene, pair, random)));
        } else if (what < inserts + 1 || (turn > kTurns * 3 / 4 && what < 6)) {
            ASSERT_NO_FATAL_FAILURE(pair.erase(id));
        } else {
            Point<Dim> position = somewhere(scene, pair, random);
            if (random.below(100) == 0) { position[Dim - 1] = kNan; }
            ASSERT_NO_FATAL_FAILURE(pair.move(id, position));
        }
        ASSERT_EQ(pair.grid.contains(id), pair.list.contains(id));
        ASSERT_EQ(pair.grid.size(), pair.list.size());
        if (turn % 4 == 0) { ASSERT_NO_FATAL_FAILURE(pair.ask(turn / 4)); }
        if (turn % 500 == 499) { ASSERT_NO_FATAL_FAILURE(pair.ask_all()); }
        if (turn == kTurns / 4) { ASSERT_NO_FATAL_FAILURE(pair.update(scene)); }
    }
    for (Id id = 0; id < 1000; ++id) {
        ASSERT_NO_FATAL_FAILURE(pair.erase(id));
    }
    ASSERT_NO_FATAL_FAILURE(pair.ask_all());
    ASSERT_EQ(pair.grid.size(), 0u);
}

TEST_P(RowGridEdit, AgreesWithAListThroughTenThousandEdits) {
    const auto [dim, own_half_extents, masks, which_shape] = GetParam();
    if (dim == 2) {
        churn<2>(own_half_extents, masks, which_shape);
    } else {
        churn<3>(own_half_extents, masks, which_shape);
    }
}

std::string name_of(const testing::TestParamInfo<Case>& test_case) {
    const auto [dim, own_half_extents, masks, shape] = test_case.param;
    return std::to_string(dim) + "d" + (own_half_extents ? "_own_extents" : "") +
           (masks ? "_masks" : "") + (shape == 0 ? "" : "_one_cell");
}

// Cells as suggested, and one cell for all agents.
INSTANTIATE_TEST_SUITE_P(Kinds, RowGridEdit,
                         testing::Combine(testing::Values(std::size_t{2}, std::size_t{3}),
                                          testing::Bool(), testing::Bool(),
                                          testing::Values(std::size_t{0}, std::size_t{2})),
                         name_of);

template <class Dim>
class RowGridEdits : public testing::Test {};
TYPED_TEST_SUITE(RowGridEdits, test::Dims, test::DimNames);

TYPED_TEST(RowGridEdits, NeedAShape) {
    RowGrid<TypeParam::value> grid;
    EXPECT_EQ(grid.insert(0, {Point<TypeParam::value>{}}).cause, Cause::not_configured);
    EXPECT_EQ(grid.erase(0), (Status{Cause::id_unknown, Argument::id, 0}));
    EXPECT_EQ(grid.move(0, {}), (Status{Cause::id_unknown, Argument::id, 0}));
    EXPECT_EQ(grid.size(), 0u);
    EXPECT_STREQ(grid.validate(), nullptr);
}

TYPED_TEST(RowGridEdits, AreRefusedByName) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    Pair<kDim> pair(scene, shape_over(scene.world, scene.cell).value, {});
    pair.update(scene);
    const auto before = test::answers_of(pair.grid, scene);
    const Point<kDim> here = Point<kDim>::all(1.0f);
    pair.insert(5, {here});                // taken
    pair.insert(kNoId, {here});            // no such id
    pair.insert(Id{0xFFFF'FFC0u}, {here}); // the first that is too large
    pair.insert(200, {here, here, {}});    // not stored
    pair.insert(200, {here, {}, 1u});      // nor that
    pair.insert(200, {Point<kDim>::all(kNan)});
    pair.insert(200, {Point<kDim>::all(2e18f)});
    pair.erase(200);
    pair.erase(kNoId);
    pair.move(200, here);
    pair.move(5, Point<kDim>::all(-2e18f));
    EXPECT_EQ(test::difference(test::answers_of(pair.grid, scene), before), "");
    EXPECT_FALSE(pair.grid.contains(200));

    scene = scenes::make<kDim>("mixed_sizes", 100, scenes::Groups::masks);
    pair.update(scene);
    pair.insert(200, {here, {}, 1u});   // extent missing
    pair.insert(200, {here, here, {}}); // mask missing
    EXPECT_EQ(pair.grid.size(), 100u);
    pair.insert(200, {here, here, 1u});
    EXPECT_TRUE(pair.grid.contains(200));
    pair.ask_all();
}

// With extents of their own the common extent is not read, so it is not checked either.
TYPED_TEST(RowGridEdits, IgnoreACommonExtentWhereAgentsHaveTheirOwn) {
    using P = Point<TypeParam::value>;
    CrowdKind<TypeParam::value> kind;
    kind.own_half_extents = true;
    kind.common_half_extent = P::all(kNan);
    RowGrid<TypeParam::value> grid;
    ASSERT_EQ(grid.configure({P::all(0.0f), P::all(10.0f)}, P::all(1.0f), kind), Status{});
    EXPECT_EQ(grid.kind().common_half_extent, P{});
    for (int round = 0; round < 2; ++round) {
        ASSERT_EQ(grid.insert(0, {P::all(5.0f), P::all(3.0f)}), Status{});
        const Box<TypeParam::value> rim{P::all(7.5f), P::all(7.6f)};
        EXPECT_EQ(grid.count(rim).count, 1u);
        grid.clear();
    }
}

TYPED_TEST(RowGridEdits, TakeIdsAsSparseAsTheyCome) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 50);
    Pair<kDim> pair(scene, shape_over(scene.world, scene.cell).value, {});
    for (const Id id : {Id{63}, Id{64}, Id{0}, Id{100'000}, Id{4096}, Id{65'535}, Id{65'536}}) {
        pair.insert(id, {Point<kDim>::all(1.5f)});
        pair.ask_all();
        EXPECT_EQ(pair.grid.contains(id + 1), pair.list.contains(id + 1));
    }
    pair.erase(100'000);
    pair.insert(100'000, {Point<kDim>::all(3.5f)});
    pair.ask_all();
    pair.update(scene); // forgets them all
    EXPECT_FALSE(pair.grid.contains(100'000));
    pair.ask_all();
}

// Ids within a cell stay in order, however they come and wherever they came from.
TYPED_TEST(RowGridEdits, KeepTheOrderAmongCoincidentAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("coincident", 100);
    Pair<kDim> pair(scene, shape_over(scene.world, scene.cell).value, {});
    const Point<kDim> here = Point<kDim>::all(5.3f), there = Point<kDim>::all(1.0f);
    for (Id i = 0; i < 100; ++i) {
        pair.insert(i * 37 % 100, {i % 2 == 0 ? here : there});
    }
    pair.ask_all();
    for (Id i = 0; i < 100; ++i) {
        pair.move(i * 61 % 100, i % 3 == 0 ? there : here);
        if (i % 10 == 0) { pair.ask_all(); }
    }
    for (Id i = 0; i < 100; ++i) {
        pair.erase(i * 13 % 100);
        if (i % 10 == 0) { pair.ask_all(); }
    }
    EXPECT_EQ(pair.grid.size(), 0u);
}

} // namespace
} // namespace throng
