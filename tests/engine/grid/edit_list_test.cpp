// Lists of edits against the same edits one by one, and against the oracle.
#include "../../support/numbers.hpp"
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/core/access.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/grid/store/edit_list.hpp>

#include "../../support/answers.hpp"
#include "../../support/apply_edit.hpp"
#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace throng {
namespace {

using test::kNan;

template <std::size_t Dim>
using List = std::vector<Edit<Dim>>;

/// Makes a list of edits row by row, or by an update.
template <std::size_t Dim>
Status edit_in_a_way(bool by_update, RowGrid<Dim>& grid, const List<Dim>& edits,
                     Executor& executor) {
    auto& state = detail::state_of(grid);
    EditList<Dim> list(state, {edits}, executor.threads(),
                       by_update ? EditsByUpdate<Dim>::ids_if_possible(state, {edits}) : 0);
    return run_sequence(list, state.staging.claims, executor);
}

/// Grids that get edits in lists, which are made in either way, a grid that gets them one by one,
/// and a flat list; and the questions that all of them are asked.
template <std::size_t Dim>
class Told {
public:
    Told(const scenes::Scene<Dim>& scene, const GridShape<Dim>& shape, const CrowdKind<Dim>& kind)
        : questions(scene) {
        for (RowGrid<Dim>* const each : {&grid, &updated, &single}) {
            EXPECT_EQ(each->use(shape, kind), Status{});
        }
        EXPECT_EQ(flat.configure(kind), Status{});
    }

    void update(scenes::Scene<Dim>& scene) {
        for (RowGrid<Dim>* const each : {&grid, &updated, &single}) {
            ASSERT_EQ(each->update(scene.agents()), Status{});
        }
        ASSERT_EQ(flat.update(scene.agents()), Status{});
        positions = scene.positions();
    }

    /// Edits all of them, and compares their answers.
    void edit(const List<Dim>& edits, Executor& executor = serial_executor()) {
        const Status wanted = flat.edit(edits);
        if (!wanted.ok()) {
            const auto before = test::answers_of(grid, questions);
            for (const bool by_update : {false, true}) {
                ASSERT_EQ(edit_in_a_way(by_update, listed(by_update), edits, executor), wanted)
                    << to_string(wanted);
                ASSERT_STREQ(listed(by_update).validate(), nullptr);
                ASSERT_EQ(test::difference(test::answers_of(listed(by_update), questions), before),
                          "");
            }
            return;
        }
        for (const Edit<Dim>& edit : edits) {
            ASSERT_EQ(test::apply_to(single, edit), Status{});
            if (edit.id >= positions.size()) { positions.resize(std::size_t{edit.id} + 1); }
            if (edit.kind != Edit<Dim>::Kind::erase) { positions[edit.id] = edit.agent.position; }
        }
        if (EditsByUpdate<Dim>::ids_if_possible(detail::state_of(updated), {edits}) != 0) {
            ++made_by_update;
        }
        for (const bool by_update : {false, true}) {
            ASSERT_EQ(edit_in_a_way(by_update, listed(by_update), edits, executor), Status{});
        }
        compare();
    }

    void compare() const {
        ASSERT_STREQ(grid.validate(), nullptr);
        ASSERT_STREQ(updated.validate(), nullptr);
        const auto answers = test::answers_of(grid, questions);
        ASSERT_EQ(test::difference(answers, test::answers_of(updated, questions)), "");
        ASSERT_EQ(test::difference(answers, test::answers_of(single, questions)), "");
        ASSERT_EQ(test::difference(answers, test::expected_answers(grid.shape(), flat, questions)),
                  "");
        for (const Box<Dim>& box : questions.boxes) {
            // Lists must not widen a search more than single edits do: its rows depend on the
            // largest half extents, and on where agents have been.
            ASSERT_LE(grid.explain(box).rows, single.explain(box).rows);
            ASSERT_LE(updated.explain(box).rows, grid.explain(box).rows);
        }
    }

    scenes::Scene<Dim> questions;
    RowGrid<Dim>& listed(bool by_update) noexcept { return by_update ? updated : grid; }

    RowGrid<Dim> grid, updated, single;
    std::size_t made_by_update = 0; // lists
    test::Truth<Dim> flat;
    std::vector<Point<Dim>> positions; // by id
};

/// Draws edits, and keeps track of the agents that would be there.
template <std::size_t Dim>
class Dice {
public:
    Dice(const Told<Dim>& told, std::uint64_t seed)
        : random(seed), world_(told.questions.world), cell_(told.questions.cell),
          kind_(told.flat.kind()), positions_(told.positions) {
        for (Id id = 0; id < positions_.size(); ++id) {
            if (told.flat.contains(id)) { present_.push_back(id); }
        }
        next_ = static_cast<Id>(positions_.size());
    }

    [[nodiscard]] Point<Dim> somewhere() {
        const std::uint32_t kind = random.below(16);
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float side = world_.hi[a] - world_.lo[a];
            point[a] = world_.lo[a] + side * random.unit();
            if (kind == 0) { point[a] += side * random.between(-3.0f, 3.0f); }
            if (kind == 1) {
                point[a] = world_.lo[a] + cell_[a] * static_cast<float>(random.below(9));
            }
            if (kind == 2) { point[a] = 2.5f; }
            if (kind == 3 && random.below(9) == 0) { point[a] = kLargest; }
        }
        if (kind == 4 && !present_.empty()) { point = positions_[random_id()]; }
        return point;
    }

    [[nodiscard]] Agent<Dim> random_agent(const Point<Dim>& position) {
        Agent<Dim> agent{position, {}, {}};
        if (kind_.own_half_extents) {
            agent.half_extent = Point<Dim>::all(random.below(500) == 0 ? 20.0f : random.unit());
        }
        if (kind_.groups) { agent.groups = random.below(16); }
        return agent;
    }

    /// An existing agent, usually one that has just been edited.
    [[nodiscard]] Id random_id() {
        const auto count = static_cast<std::uint32_t>(present_.size());
        return present_[random.below(2) == 0 ? random.below(count)
                                             : count - 1 - random.below(std::min(count, 8u))];
    }

    [[nodiscard]] Edit<Dim> insert(Id id, const Agent<Dim>& agent) {
        if (id >= positions_.size()) { positions_.resize(std::size_t{id} + 1); }
        positions_[id] = agent.position;
        present_.push_back(id);
        std::erase(gone_, id);
        next_ = std::max(next_, id + 1);
        return Edit<Dim>::insert(id, agent);
    }
    [[nodiscard]] Edit<Dim> insert() {
        Id id = next_ + random.below(3);
        if (random.below(200) == 0) { id += 5000; }
        if (!gone_.empty() && random.below(2) == 0) {
            id = gone_[random.below(static_cast<std::uint32_t>(gone_.size()))];
        }
        return insert(id, random_agent(somewhere()));
    }
    [[nodiscard]] Edit<Dim> erase(Id id) {
        std::erase(present_, id);
        gone_.push_back(id);
        return Edit<Dim>::erase(id);
    }
    [[nodiscard]] Edit<Dim> move(Id id) {
        Point<Dim> position = somewhere();
        const std::uint32_t how = random.below(4);
        if (how < 2) { position = positions_[id]; }
        if (how == 0) { position[0] += random.between(-0.5f, 0.5f); }
        positions_[id] = position;
        return Edit<Dim>::move(id, position);
    }

    /// Draws edits. Of ten, about `inserts` are insertions and `erasures` erasures.
    [[nodiscard]] List<Dim> draw(std::size_t count, std::uint32_t inserts, std::uint32_t erasures) {
        List<Dim> edits;
        while (edits.size() < count) {
            const std::uint32_t what = random.below(10);
            if (what < inserts || present_.empty()) {
                edits.push_back(insert());
            } else if (what < inserts + erasures) {
                edits.push_back(erase(random_id()));
            } else {
                edits.push_back(move(random_id()));
            }
        }
        return edits;
    }

    scenes::Random random;

private:
    Box<Dim> world_;
    Point<Dim> cell_;
    CrowdKind<Dim> kind_;
    std::vector<Point<Dim>> positions_; // by id
    std::vector<Id> present_, gone_;
    Id next_ = 0;
};

template <std::size_t Dim>
scenes::Scene<Dim> crowd(bool own_half_extents, bool masks, std::size_t count = 600) {
    auto scene = scenes::make<Dim>(own_half_extents ? "mixed_sizes" : "outside", count,
                                   masks ? scenes::Groups::masks : scenes::Groups::none);
    scene.world = {Point<Dim>::all(0.0f), Point<Dim>::all(8.0f)};
    scene.cell = Point<Dim>::all(1.0f);
    scene.boxes.resize(std::min<std::size_t>(scene.boxes.size(), 40));
    scene.balls.resize(std::min<std::size_t>(scene.balls.size(), 40));
    return scene;
}

template <std::size_t Dim>
CrowdKind<Dim> kind_for(scenes::Scene<Dim>& scene) {
    CrowdKind<Dim> kind;
    kind.own_half_extents = scene.has_own_half_extents();
    kind.groups = !scene.groups.empty();
    if (!kind.own_half_extents) { kind.common_half_extent = Point<Dim>::all(0.5f); }
    scene.common_half_extent = kind.common_half_extent;
    return kind;
}

template <std::size_t Dim>
GridShape<Dim> cells_of(const scenes::Scene<Dim>& scene) {
    return shape_over(scene.world, scene.cell).value;
}

/// Calls call(scene, shape, kind) for crowds of all kinds, in cells of all sorts.
template <std::size_t Dim, class Call>
void for_each_crowd(const Call& call) {
    for (const bool own_half_extents : {false, true}) {
        for (const bool masks : {false, true}) {
            auto scene = crowd<Dim>(own_half_extents, masks);
            const auto kind = kind_for(scene);
            const auto shapes = scenes::shapes_for(scene);
            for (std::size_t s = 0; s < shapes.size(); ++s) {
                SCOPED_TRACE(testing::Message() << (own_half_extents ? "own extents, " : "")
                                                << (masks ? "masks, " : "") << "shape " << s);
                ASSERT_NO_FATAL_FAILURE(call(scene, shapes[s], kind));
            }
        }
    }
}

template <class Dim>
class RowGridEditBatch : public testing::Test {};
TYPED_TEST_SUITE(RowGridEditBatch, test::Dims, test::DimNames);

TYPED_TEST(RowGridEditBatch, IsTheSameAsOneByOne) {
    constexpr std::size_t kDim = TypeParam::value;
    struct Round {
        std::size_t edits;
        std::uint32_t inserts, erasures;
    };
    // The crowd comes out of nothing, churns, and in the end is gone.
    const Round rounds[] = {{10, 10, 0}, {100, 6, 2},  {1000, 5, 1}, {300, 0, 0},  {1000, 3, 3},
                            {50, 1, 1},  {3000, 2, 3}, {10, 0, 10},  {1500, 0, 10}};
    for_each_crowd<kDim>([&](auto& scene, const auto& shape, const auto& kind) {
        Told<kDim> told(scene, shape, kind);
        std::uint64_t seed = 0;
        for (const Round& round : rounds) {
            SCOPED_TRACE(testing::Message() << "round " << seed);
            Dice<kDim> dice(told, seed++);
            ASSERT_NO_FATAL_FAILURE(
                told.edit(dice.draw(round.edits, round.inserts, round.erasures)));
        }
        ASSERT_GE(told.made_by_update, 5u);
    });
}

TYPED_TEST(RowGridEditBatch, IsTheSameAfterAnUpdate) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_crowd<kDim>([&](auto& scene, const auto& shape, const auto& kind) {
        Told<kDim> told(scene, shape, kind);
        for (std::uint64_t turn = 0; turn < 6; ++turn) {
            SCOPED_TRACE(testing::Message() << "turn " << turn);
            // Some turns begin with an update, the others with what edits have left.
            if (turn % 3 == 0) { ASSERT_NO_FATAL_FAILURE(told.update(scene)); }
            Dice<kDim> dice(told, turn);
            ASSERT_NO_FATAL_FAILURE(told.edit(dice.draw(turn == 4 ? 5000 : 200, 3, 3)));
        }
    });
}

TYPED_TEST(RowGridEditBatch, MayBeEmpty) {
    constexpr std::size_t kDim = TypeParam::value;
    RowGrid<kDim> nothing;
    EXPECT_EQ(nothing.edit({}), Status{});
    auto scene = crowd<kDim>(true, true);
    Told<kDim> told(scene, cells_of(scene), kind_for(scene));
    told.edit({});
    told.update(scene);
    told.edit({});
    // Agents that come and go leave nothing behind.
    Dice<kDim> dice(told, 1);
    told.edit(
        {Edit<kDim>::insert(900, dice.random_agent(dice.somewhere())), Edit<kDim>::erase(900)});
    EXPECT_EQ(told.grid.size(), scene.size());
}

TYPED_TEST(RowGridEditBatch, ReadsTheEditsOfAnAgentInTheirOrder) {
    constexpr std::size_t kDim = TypeParam::value;
    using E = Edit<kDim>;
    using P = Point<kDim>;
    auto scene = crowd<kDim>(true, true);
    Told<kDim> told(scene, cells_of(scene), kind_for(scene));
    told.update(scene);
    const P here = P::all(1.5f), there = P::all(6.5f);
    const auto two = P::all(2.0f);
    told.edit({E::insert(700, {here, two, 1u}), E::move(700, there), E::erase(700),
               E::insert(700, {here, P::all(0.5f), 2u}), E::move(700, P::all(2.5f))});
    told.edit({E::erase(5), E::insert(5, {there, two, 4u})});
    told.edit({E::erase(6), E::insert(6, {there, two, 4u}), E::erase(6)});
    told.edit({E::move(7, here), E::move(7, there), E::move(7, here)});
    // Moves to where the agent is; out and back; and an erased agent inserted again at its place.
    told.edit({E::move(8, told.positions[8]), E::move(9, there), E::move(9, told.positions[9]),
               E::erase(10), E::insert(10, {told.positions[10], two, 3u})});
    // Agents that move from row to row keep their extent and mask.
    told.edit({E::move(5, here), E::move(11, there), E::move(12, here), E::move(11, here)});
    EXPECT_TRUE(told.grid.contains(700) && !told.grid.contains(6));
}

TYPED_TEST(RowGridEditBatch, EmptiesAndFillsWholeRows) {
    constexpr std::size_t kDim = TypeParam::value;
    using E = Edit<kDim>;
    for_each_crowd<kDim>([&](auto& scene, const auto& shape, const auto& kind) {
        Told<kDim> told(scene, shape, kind);
        told.update(scene);
        const auto row_of = [&](Id id) { return shape.row_of(told.positions[id]); };
        const std::uint32_t row = row_of(0);
        List<kDim> leave, come_back, swap;
        for (Id id = 0; id < scene.size(); ++id) {
            if (row_of(id) != row) { continue; }
            leave.push_back(E::erase(id));
            Dice<kDim> dice(told, id);
            come_back.push_back(E::insert(id, dice.random_agent(told.positions[id])));
        }
        ASSERT_NO_FATAL_FAILURE(told.edit(leave));
        std::reverse(come_back.begin(), come_back.end());
        ASSERT_NO_FATAL_FAILURE(told.edit(come_back));
        // All agents leave, and as many others come.
        swap = leave;
        for (const E& edit : come_back) {
            swap.push_back(E::insert(edit.id + 2000, edit.agent));
        }
        ASSERT_NO_FATAL_FAILURE(told.edit(swap));
        // All agents go to one place, and then all away from it.
        List<kDim> gather, part;
        for (Id id = 0; id < scene.size(); ++id) {
            if (!told.flat.contains(id)) { continue; }
            gather.push_back(E::move(id, Point<kDim>::all(3.25f)));
            part.push_back(E::move(id, told.positions[id]));
        }
        ASSERT_NO_FATAL_FAILURE(told.edit(gather));
        ASSERT_NO_FATAL_FAILURE(told.edit(part));
        // In the end all agents leave.
        List<kDim> all;
        for (Id id = 0; id < told.positions.size(); ++id) {
            if (told.flat.contains(id)) { all.push_back(E::erase(id)); }
        }
        ASSERT_NO_FATAL_FAILURE(told.edit(all));
        ASSERT_EQ(told.grid.size(), 0u);
    });
}

// Few agents far apart have a trimmed table; others come before, between and after them.
TYPED_TEST(RowGridEditBatch, ReachesBeyondATrimmedTable) {
    constexpr std::size_t kDim = TypeParam::value;
    using E = Edit<kDim>;
    using P = Point<kDim>;
    auto scene = crowd<kDim>(false, false);
    scene.world.hi[0] = 4000.0f;
    Told<kDim> told(scene, cells_of(scene), kind_for(scene));
    const auto at = [](float x) {
        P point = P::all(0.5f);
        point[0] = x;
        return point;
    };
    List<kDim> edits;
    for (Id id = 0; id < 64; ++id) {
        edits.push_back(E::insert(id, {at(1000.0f + 7.0f * static_cast<float>(id))}));
    }
    told.edit(edits);
    scenes::Random random(5);
    for (int round = 0; round < 200; ++round) {
        edits.clear();
        for (std::uint32_t i = random.below(6); i < 7; ++i) {
            const bool far = random.below(40) == 0;
            edits.push_back(E::move(random.below(64), at(random.between(far ? 0.0f : 990.0f,
                                                                        far ? 4000.0f : 1450.0f))));
        }
        ASSERT_NO_FATAL_FAILURE(told.edit(edits));
    }
}

TYPED_TEST(RowGridEditBatch, SearchesAsWideAsOneByOne) {
    constexpr std::size_t kDim = TypeParam::value;
    using E = Edit<kDim>;
    using P = Point<kDim>;
    auto scene = crowd<kDim>(true, false);
    for (auto& axis : scene.half_extent) {
        std::fill(axis.begin(), axis.end(), 0.25f);
    }
    Told<kDim> told(scene, cells_of(scene), kind_for(scene));
    told.update(scene);
    const Box<kDim> box{P::all(0.25f), P::all(0.75f)};
    const std::uint64_t before = told.grid.explain(box).rows;
    P wide = P::all(0.0f);
    wide[kDim - 1] = 7.0f;
    const E giant = E::insert(800, {P::all(4.0f), wide, {}});
    const List<kDim> refused = {giant, E::erase(801)};
    told.edit(refused);
    EXPECT_EQ(told.grid.explain(box).rows, before);
    told.edit({giant, E::erase(800)}); // gone, but it has been there
    EXPECT_GT(told.grid.explain(box).rows, before);
    told.update(scene);
    EXPECT_EQ(told.grid.explain(box).rows, before);
}

TYPED_TEST(RowGridEditBatch, NamesTheFirstEditThatIsRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    using E = Edit<kDim>;
    using P = Point<kDim>;
    const P here = P::all(1.5f), nowhere = P::all(kNan), beyond = P::all(-2e18f);
    struct Refusal {
        E edit;
        Cause cause;
    };
    const auto expect = [&](Told<kDim>& told, const std::vector<Refusal>& refusals) {
        const List<kDim> sound = {E::move(1, here), E::erase(2), E::move(3, P::all(7.5f)),
                                  E::erase(4)};
        for (const auto& [edit, cause] : refusals) {
            for (std::size_t i = 0; i <= sound.size(); ++i) {
                SCOPED_TRACE(testing::Message() << "cause " << int(cause) << " at " << i);
                List<kDim> edits = sound;
                edits.insert(edits.begin() + static_cast<std::ptrdiff_t>(i), edit);
                edits.push_back(E::erase(999'999)); // wrong too, but later
                ASSERT_EQ(told.flat.edit(edits), (Status{cause, Argument::edits, i}));
                ASSERT_NO_FATAL_FAILURE(told.edit(edits)); // expects the same of the grid
            }
        }
    };
    {
        auto scene = crowd<kDim>(false, false);
        Told<kDim> told(scene, cells_of(scene), kind_for(scene));
        told.update(scene);
        expect(told, {{E::insert(5, {here}), Cause::id_taken},
                      {E::insert(kNoId, {here}), Cause::too_many},
                      {E::insert(Id{0xFFFF'FFC0u}, {here}), Cause::too_many},
                      {E::insert(900, {here, here, {}}), Cause::not_stored},
                      {E::insert(900, {here, {}, 1u}), Cause::not_stored},
                      {E::insert(900, {nowhere}), Cause::not_finite},
                      {E::insert(900, {beyond}), Cause::too_large},
                      {E::erase(900), Cause::id_unknown},
                      {E::erase(kNoId), Cause::id_unknown},
                      {E::move(900, here), Cause::id_unknown},
                      {E::move(kNoId, here), Cause::id_unknown},
                      {E::move(5, nowhere), Cause::not_finite},
                      {E::move(5, beyond), Cause::too_large}});
        // Each edit is checked in its turn: earlier edits count.
        const auto refused = [](Cause cause, std::size_t i) {
            return Status{cause, Argument::edits, i};
        };
        using L = List<kDim>;
        EXPECT_EQ(told.grid.edit(L{E::erase(5), E::erase(5)}), refused(Cause::id_unknown, 1));
        EXPECT_EQ(told.grid.edit(L{E::erase(5), E::move(6, here), E::move(5, here)}),
                  refused(Cause::id_unknown, 2));
        EXPECT_EQ(told.grid.edit(L{E::insert(900, {here}), E::insert(900, {here})}),
                  refused(Cause::id_taken, 1));
        EXPECT_EQ(told.grid.edit(L{E::move(900, here), E::insert(900, {here})}),
                  refused(Cause::id_unknown, 0));
        told.compare();
    }
    auto scene = crowd<kDim>(true, true);
    Told<kDim> told(scene, cells_of(scene), kind_for(scene));
    told.update(scene);
    P negative = here;
    negative[1] = -1.0f;
    expect(told, {{E::insert(900, {here, {}, 1u}), Cause::missing},
                  {E::insert(900, {here, here, {}}), Cause::missing},
                  {E::insert(900, {here, negative, 1u}), Cause::negative},
                  {E::insert(900, {here, nowhere, 1u}), Cause::not_finite}});
}

TYPED_TEST(RowGridEditBatch, NeedsAShapeToInsert) {
    constexpr std::size_t kDim = TypeParam::value;
    using E = Edit<kDim>;
    using L = List<kDim>;
    RowGrid<kDim> grid;
    EXPECT_EQ(grid.edit(L{E::insert(0, {Point<kDim>{}})}),
              (Status{Cause::not_configured, Argument::edits, 0}));
    EXPECT_EQ(grid.edit(L{E::erase(0)}), (Status{Cause::id_unknown, Argument::edits, 0}));
    EXPECT_EQ(grid.edit(L{E::move(0, {})}), (Status{Cause::id_unknown, Argument::edits, 0}));
    EXPECT_EQ(grid.size(), 0u);
    EXPECT_STREQ(grid.validate(), nullptr);
}

/// Many rows, so that there are several blocks of them.
template <std::size_t Dim>
GridShape<Dim> many_rows(scenes::Scene<Dim>& scene) {
    scene.cell = Point<Dim>::all(Dim == 2 ? 0.1f : 0.5f);
    return cells_of(scene);
}

TYPED_TEST(RowGridEditBatch, IsTheSameInWhateverOrderBlocksRun) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = crowd<kDim>(true, true);
    const auto kind = kind_for(scene);
    const auto shape = many_rows(scene);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::ShuffleExecutor executor(seed);
        Told<kDim> told(scene, shape, kind);
        told.update(scene);
        for (std::uint64_t turn = 0; turn < 3; ++turn) {
            Dice<kDim> dice(told, seed * 3 + turn);
            ASSERT_NO_FATAL_FAILURE(told.edit(dice.draw(400, 3, 3), executor));
        }
    }
}

// Whatever an executor does, either all of the edits are made or none.
template <std::size_t Dim>
void survive_faults(bool own_half_extents_and_masks, bool by_update) {
    using test::Fault;
    auto scene = crowd<Dim>(own_half_extents_and_masks, own_half_extents_and_masks);
    scene.boxes.resize(10);
    scene.balls.resize(10);
    const auto kind = kind_for(scene);
    const auto shape = many_rows(scene);
    constexpr std::size_t kSeeds = 5;
    for (const Fault fault : test::kEveryFault) {
        std::size_t failed = 0, runs = 0;
        for (bool wanted_more = true; wanted_more; ++runs) {
            ASSERT_LT(runs, 50u);
            for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
                SCOPED_TRACE(testing::Message()
                             << "fault " << int(fault) << " in run " << runs << ", seed " << seed);
                Told<Dim> told(scene, shape, kind);
                told.update(scene);
                Dice<Dim> dice(told, seed);
                const auto edits = dice.draw(300, 3, 3);
                const RowGrid<Dim>& grid = told.listed(by_update);
                const auto before = test::answers_of(grid, scene);
                test::FaultyExecutor executor(fault, runs, seed);
                bool threw = false;
                Status status;
                try {
                    status = edit_in_a_way(by_update, told.listed(by_update), edits, executor);
                } catch (const test::ExecutorError&) { threw = true; }
                wanted_more = executor.failed();
                ASSERT_STREQ(grid.validate(), nullptr);
                if (threw || !status.ok()) {
                    ++failed;
                    ASSERT_TRUE(threw || status.cause == Cause::executor_failed);
                    ASSERT_EQ(test::difference(test::answers_of(grid, scene), before), "");
                    ASSERT_NO_FATAL_FAILURE(told.edit(edits)); // works as if nothing had happened
                    continue;
                }
                for (const auto& edit : edits) {
                    ASSERT_EQ(test::apply_to(told.single, edit), Status{});
                }
                ASSERT_EQ(test::difference(test::answers_of(grid, scene),
                                           test::answers_of(told.single, scene)),
                          "");
            }
        }
        // In the last run there was no fault; in the run before, or two if an update sorts and then
        // marks, the fault was in the commit, which must succeed. Running a block twice is no harm.
        ASSERT_GE(runs, 3u);
        EXPECT_EQ(failed == 0, fault == Fault::repeat) << int(fault);
        if (fault != Fault::repeat) {
            const std::size_t least = (runs - (by_update ? 4 : 2)) * kSeeds;
            EXPECT_TRUE(by_update ? failed >= least : failed == least) << int(fault);
        }
    }
}

TYPED_TEST(RowGridEditBatch, SurvivesFaultyExecutors) {
    for (const bool by_update : {false, true}) {
        survive_faults<TypeParam::value>(false, by_update);
        survive_faults<TypeParam::value>(true, by_update);
    }
}

} // namespace
} // namespace throng
