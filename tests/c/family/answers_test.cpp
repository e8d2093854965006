// The structures of throng_family.h: their answers are those of the oracle, in every form.
#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scene_shapes.hpp"
#include "../../support/truth.hpp"
#include "../in_c.hpp"
#include "../refusals.hpp"
#include "family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace throng::test {
namespace {

/// A structure, and a brute-force oracle with the same agents.
template <std::size_t Dim>
class Told {
public:
    Told(std::uint32_t structure, const scenes::Scene<Dim>& scene) {
        const throng_index_settings settings = settings_for(structure, scene);
        ok(throng_index_create(&settings, &index));
        EXPECT_EQ(truth.configure({true, true, {}}), Status{});
    }
    ~Told() { ok(throng_index_destroy(index)); }
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;

    void update(scenes::Scene<Dim>& scene) {
        const throng_agents agents = in_c(scene.agents());
        ok(throng_index_update(index, &agents, nullptr));
        EXPECT_EQ(truth.update(scene.agents()), Status{});
    }

    /// Asks these questions in every form, each with a filter of its own.
    template <class Shape>
    void ask(const std::vector<Shape>& shapes) const {
        static constexpr Filter kFilters[] = {{}, {0x3u}, {kAllGroups, 3}, {0x5u, 0}, {0u}};
        std::vector<throng_filter> filters;
        std::vector<Ids> wanted;
        std::size_t total = 0;
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            const Filter& filter = kFilters[q % std::size(kFilters)];
            filters.push_back({filter.groups, filter.without});
            wanted.push_back(truth.ids_in(shapes[q], filter));
            total += wanted.back().size();
        }
        throng_questions questions = in_c(shapes);
        questions.filters = filters.data();
        questions.filter_count = filters.size();
        std::vector<std::uint64_t> offsets(shapes.size() + 1);
        Ids ids(total);
        throng_hits_room room = THRONG_HITS_ROOM_INIT;
        room.offsets = offsets.data();
        room.offset_room = offsets.size();
        room.ids = ids.data();
        room.id_room = ids.size();
        ok(throng_index_query(index, &questions, &room));
        ASSERT_EQ(room.total, total);
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            const Ids got(ids.begin() + static_cast<std::ptrdiff_t>(offsets[q]),
                          ids.begin() + static_cast<std::ptrdiff_t>(offsets[q + 1]));
            ASSERT_EQ(in_order(got), wanted[q]);
            throng_questions one = questions;
            one.shapes = &shapes[q];
            one.filters = &filters[q];
            one.count = one.filter_count = 1;
            ASSERT_NO_FATAL_FAILURE(ask_one(one, got));
        }
        if (total == 0) { return; }
        // Room for too few ids: the offsets are right, and nothing is written past the room.
        const Ids all = ids;
        ids.assign(total, kNoId);
        offsets.assign(offsets.size(), 0);
        room.id_room = total / 2;
        ASSERT_EQ(throng_index_query(index, &questions, &room).code, THRONG_NO_ROOM);
        ASSERT_EQ(room.total, total);
        ASSERT_EQ(offsets.back(), total);
        for (std::size_t i = 0; i < total; ++i) {
            ASSERT_EQ(ids[i], i < total / 2 ? all[i] : kNoId);
        }
    }

    void check_pairs() const {
        for (const std::uint32_t groups : {kAllGroups, 0x3u, 0u}) {
            const IdPairs wanted = pairs_of(truth, groups);
            IdPairs got;
            std::uint64_t visited = 0;
            ok(throng_index_visit_pairs(index, groups, gather_pairs, &got, &visited));
            ASSERT_EQ(visited, wanted.size());
            std::sort(got.begin(), got.end());
            ASSERT_EQ(got, wanted);
            Ids first(wanted.size()), second(wanted.size());
            throng_pairs_room room = THRONG_PAIRS_ROOM_INIT;
            room.first = first.data();
            room.second = second.data();
            room.room = wanted.size();
            ok(throng_index_find_pairs(index, groups, &room));
            ASSERT_EQ(room.total, wanted.size());
            got.clear();
            (void)gather_pairs(first.data(), second.data(), first.size(), &got);
            std::sort(got.begin(), got.end());
            ASSERT_EQ(got, wanted);
            if (wanted.empty()) { continue; }
            room.room -= 1;
            ASSERT_EQ(throng_index_find_pairs(index, groups, &room).index, wanted.size());
        }
    }

    void check_all() const {
        ASSERT_NO_FATAL_FAILURE(ask(std::vector<Box<Dim>>(5, everywhere<Dim>())));
        ASSERT_NO_FATAL_FAILURE(check_pairs());
        throng_index_counts counts = THRONG_INDEX_COUNTS_INIT;
        ok(throng_index_count(index, &counts));
        ASSERT_EQ(counts.agents, truth.size());
        ASSERT_EQ(counts.dimension, Dim);
        for (const Id id : {Id{0}, Id{5}, Id{1000}, kNoId}) {
            std::uint32_t found = 2;
            ok(throng_index_contains(index, id, &found));
            ASSERT_EQ(found, truth.contains(id) ? 1u : 0u);
        }
    }

    throng_index* index = nullptr;
    Truth<Dim> truth;

private:
    /// All forms of one question, whose answer is `wanted`, in that order.
    void ask_one(const throng_questions& one, const Ids& wanted) const {
        Ids ids(wanted.size() + 20, kNoId), seen;
        std::uint64_t total = 0;
        ok(throng_index_query_one(index, &one, ids.data(), wanted.size(), &total));
        ASSERT_EQ(total, wanted.size());
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), ids.begin()));
        ASSERT_EQ(std::count(ids.begin(), ids.end(), kNoId), 20);
        ok(throng_index_count_one(index, &one, &total));
        ASSERT_EQ(total, wanted.size());
        std::uint32_t any = 2;
        ok(throng_index_any_one(index, &one, &any));
        ASSERT_EQ(any, wanted.empty() ? 0u : 1u);
        ok(throng_index_visit_one(index, &one, gather, &seen, &total));
        ASSERT_EQ(seen, wanted);
        ASSERT_EQ(total, wanted.size());
        if (wanted.empty()) { return; }
        ASSERT_EQ(throng_index_query_one(index, &one, ids.data(), wanted.size() - 1, &total).index,
                  wanted.size());
    }
};

template <class Dim>
class CFamily : public testing::Test {};
TYPED_TEST_SUITE(CFamily, Dims, DimNames);

TYPED_TEST(CFamily, AnswersAsTheOracleDoes) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const char* const name : {"rim", "uniform", "mixed_sizes", "empty"}) {
        auto scene = scenes::make<kDim>(name, 150, scenes::Groups::masks);
        if (!scene.has_own_half_extents()) {
            for (std::size_t a = 0; a < kDim; ++a) {
                scene.half_extent[a].assign(scene.size(), scene.common_half_extent[a]);
            }
        }
        const auto shapes = scenes::shapes_about(scene, 12);
        for (const std::uint32_t structure : structures_of(kDim)) {
            SCOPED_TRACE(testing::Message() << name << " in " << structure);
            Told<kDim> told(structure, scene);
            told.update(scene);
            ASSERT_NO_FATAL_FAILURE(told.check_all());
            const auto ask = [&](const auto&... each) { (told.ask(each), ...); };
            ask(scene.boxes, scene.balls, shapes.segments, shapes.rays, shapes.capsules,
                shapes.sectors, shapes.convexes, shapes.oriented_boxes, shapes.cylinders,
                shapes.body_balls, shapes.body_sectors, shapes.body_cylinders);
            ASSERT_FALSE(testing::Test::HasFatalFailure());
        }
    }
}

TYPED_TEST(CFamily, TakesEditsOneByOne) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto scene = scenes::make<kDim>("uniform", 60);
    for (const std::uint32_t structure : structures_of(kDim)) {
        SCOPED_TRACE(structure);
        Told<kDim> told(structure, scene);
        scenes::Random random(structure);
        for (int step = 0; step < 300; ++step) {
            throng_edit edit{};
            edit.id = random.below(40);
            const bool there = told.truth.contains(edit.id);
            edit.kind = !there ? THRONG_INSERT : random.below(2) == 0 ? THRONG_ERASE : THRONG_MOVE;
            edit.kept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
            edit.groups = random.below(8);
            Agent<kDim> agent{{}, Point<kDim>{}, edit.groups};
            for (std::size_t a = 0; a < kDim; ++a) {
                edit.position[a] = agent.position[a] =
                    random.between(scene.world.lo[a], scene.world.hi[a]);
                edit.half_extent[a] = (*agent.half_extent)[a] = random.between(0.0f, 2.0f);
            }
            ok(throng_index_edit(told.index, &edit));
            const Status status = edit.kind == THRONG_INSERT ? told.truth.insert(edit.id, agent)
                                  : edit.kind == THRONG_ERASE
                                      ? told.truth.erase(edit.id)
                                      : told.truth.move(edit.id, agent.position);
            ASSERT_EQ(status, Status{});
            if (step % 60 == 59) { ASSERT_NO_FATAL_FAILURE(told.check_all()); }
            if (step % 100 == 99) { ok(throng_index_tidy(told.index)); }
        }
        ASSERT_NO_FATAL_FAILURE(told.check_all());
        ok(throng_index_clear(told.index));
        told.truth.clear();
        ASSERT_NO_FATAL_FAILURE(told.check_all());
    }
}

TYPED_TEST(CFamily, ShowsItsCells) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 300);
    for (const std::uint32_t structure : structures_of(kDim)) {
        SCOPED_TRACE(structure);
        throng_index_settings settings = THRONG_INDEX_SETTINGS_INIT;
        settings.structure = structure;
        settings.dimension = kDim;
        throng_index* index = nullptr;
        const throng_agents agents = in_c(scene.agents());
        ok(throng_index_create(&settings, &index));
        ok(throng_index_update(index, &agents, nullptr));
        std::uint64_t total = 0;
        EXPECT_EQ(throng_index_cells(index, nullptr, 0, &total).code, THRONG_NO_ROOM);
        std::vector<throng_cell> cells(total + 1);
        ok(throng_index_cells(index, cells.data(), total, &total));
        EXPECT_EQ(cells.back().set, 0u) << "behind the room";
        cells.pop_back();
        std::size_t kept = 0;
        for (const throng_cell& cell : cells) {
            EXPECT_EQ(cell.set, THRONG_AGENTS);
            for (std::size_t a = 0; a < 3; ++a) {
                EXPECT_LE(cell.lo[a], cell.hi[a]);
                EXPECT_TRUE(a < kDim || (cell.lo[a] == 0.0f && cell.hi[a] == 0.0f));
            }
            kept += cell.agents;
        }
        // Only leaves of a tight quadtree list the same agent more than once.
        if (structure == THRONG_TIGHT_QUADTREE) {
            EXPECT_GE(kept, scene.size());
        } else {
            EXPECT_EQ(kept, scene.size());
        }
        ok(throng_index_destroy(index));
    }
}

} // namespace
} // namespace throng::test
