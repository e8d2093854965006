// The C API gives the same answers as C++, to the bit: every question, of every shape, on every
// executor.
#include "../parallel/batch/crowd/crowd_world.hpp"
#include "../support/dims.hpp"
#include "../support/scenes/scene_shapes.hpp"
#include "in_c.hpp"
#include "refusals.hpp"

#include <throng/engine/crowd/cell_stats.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/throng.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

namespace throng::test {

namespace {

// The library casts between these types, but does not check that their fields agree.
#define THRONG_TEST_FIELD(Cpp, C, field)                                                           \
    static_assert(offsetof(Cpp<2>, field) == offsetof(C##2, field));                               \
    static_assert(offsetof(Cpp<3>, field) == offsetof(C##3, field));
THRONG_TEST_FIELD(Box, throng_box, lo)
THRONG_TEST_FIELD(Box, throng_box, hi)
THRONG_TEST_FIELD(Ball, throng_ball, centre)
THRONG_TEST_FIELD(Ball, throng_ball, radius)
THRONG_TEST_FIELD(Segment, throng_segment, from)
THRONG_TEST_FIELD(Segment, throng_segment, to)
THRONG_TEST_FIELD(Ray, throng_ray, origin)
THRONG_TEST_FIELD(Ray, throng_ray, direction)
THRONG_TEST_FIELD(Ray, throng_ray, length)
THRONG_TEST_FIELD(Capsule, throng_capsule, from)
THRONG_TEST_FIELD(Capsule, throng_capsule, to)
THRONG_TEST_FIELD(Capsule, throng_capsule, radius)
THRONG_TEST_FIELD(Sector, throng_sector, centre)
THRONG_TEST_FIELD(Sector, throng_sector, radius)
THRONG_TEST_FIELD(Sector, throng_sector, direction)
THRONG_TEST_FIELD(Sector, throng_sector, cosine)
THRONG_TEST_FIELD(Convex, throng_convex, sides)
THRONG_TEST_FIELD(Convex, throng_convex, count)
THRONG_TEST_FIELD(Convex, throng_convex, bounds)
THRONG_TEST_FIELD(OrientedBox, throng_oriented_box, centre)
THRONG_TEST_FIELD(OrientedBox, throng_oriented_box, half_edges)
THRONG_TEST_FIELD(Cylinder, throng_cylinder, centre)
THRONG_TEST_FIELD(Cylinder, throng_cylinder, radius)
THRONG_TEST_FIELD(Cylinder, throng_cylinder, low)
THRONG_TEST_FIELD(Cylinder, throng_cylinder, high)
THRONG_TEST_FIELD(Cylinder, throng_cylinder, up)
THRONG_TEST_FIELD(BodyBall, throng_body_ball, body)
THRONG_TEST_FIELD(BodySector, throng_body_sector, body)
THRONG_TEST_FIELD(BodyCylinder, throng_body_cylinder, body)
#undef THRONG_TEST_FIELD
static_assert(THRONG_BODY_CENTRE == static_cast<unsigned>(Body::centre) &&
              THRONG_BODY_BOX == static_cast<unsigned>(Body::box) &&
              THRONG_BODY_DISC == static_cast<unsigned>(Body::disc));

/// A job system that runs each loop on two threads, as a C executor.
void* enqueue(throng_job job, std::size_t count, void* context, void*) {
    std::thread half(job, std::size_t{0}, count / 2, context);
    job(count / 2, count, context);
    half.join();
    return nullptr;
}

enum class Crew { serial, pool, callbacks };

throng_executor* make_executor(Crew crew) {
    throng_executor* executor = nullptr;
    throng_executor_callbacks callbacks = THRONG_EXECUTOR_CALLBACKS_INIT;
    callbacks.enqueue = enqueue;
    if (crew == Crew::pool) { ok(throng_executor_create_kind(THRONG_POOL, 3, &executor)); }
    if (crew == Crew::callbacks) { ok(throng_executor_create(&callbacks, &executor)); }
    return executor;
}

/// The same crowd in C and in C++.
template <std::size_t Dim>
class Both {
public:
    Both(World<Dim>& world, Crew crew) : cpp_(world.crowd), executor_(make_executor(crew)) {
        throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        settings.dimension = Dim;
        settings.given = THRONG_GIVEN_BOUNDS | THRONG_GIVEN_CELL;
        for (std::size_t a = 0; a < Dim; ++a) {
            settings.lo[a] = world.scene.world.lo[a];
            settings.hi[a] = world.scene.world.hi[a];
            settings.cell[a] = world.scene.cell[a];
        }
        const throng_agents agents = in_c(world.scene.agents());
        const throng_agents statics = in_c(world.standing.agents());
        ok(throng_crowd_create(&settings, &c_));
        ok(throng_crowd_update(c_, &agents, executor_));
        ok(throng_crowd_set_statics(c_, &statics, executor_));
        ok(throng_batch_create(executor_, &batch_));
        for (const Id without : {Id{0}, Id{7}, kNoId, kFirstStatic}) {
            filters_.push_back({without % 2 == 0 ? kAllGroups : 0x3u, without});
        }
    }
    ~Both() {
        (void)throng_batch_destroy(batch_);
        (void)throng_crowd_destroy(c_);
        (void)throng_executor_destroy(executor_);
    }
    Both(const Both&) = delete;
    Both& operator=(const Both&) = delete;

    /// Asks these questions in every form, with some filters and sets.
    template <class Shape>
    void ask(const std::vector<Shape>& shapes) {
        ask(shapes, 0, THRONG_EVERYBODY);
        ask(shapes, 1, THRONG_AGENTS);
        ask(shapes, shapes.size(), THRONG_GIANTS | THRONG_STATICS);
        ask_one(shapes);
    }

    void ask_everybody() {
        cells();
        for (const std::uint32_t round : {0u, 1u, 2u, 3u}) {
            const bool with_self = round / 2 == 1;
            const std::uint32_t groups = round == 3 ? 0x5u : kAllGroups;
            const Order order = round % 2 == 0 ? Order::storage : Order::ids;
            const Sets sets = round == 1 ? Sets::statics : Sets::all;
            neighbours({0.7f, with_self, groups}, order, sets);
            neighbours({0.7f, with_self, groups, true}, order, sets);
            neighbours(
                {0.3f, with_self, groups, round == 2, round % 2 == 0 ? Body::box : Body::disc},
                order, sets);
            const float radius = round == 2 ? 1.0f : kLargest;
            const HeightBand band = {1, 0.5f, 0.25f * static_cast<float>(round)};
            nearest_neighbours({1 + 2 * round, radius, with_self, groups}, order, sets);
            nearest_neighbours({1 + 2 * round, radius, with_self, groups, 0.5f, band}, order, sets);
            nearest_neighbours({1 + 2 * round,
                                radius,
                                with_self,
                                groups,
                                0.25f,
                                {},
                                round % 2 == 0 ? Body::disc : Body::box},
                               order, sets);
            points({1 + round, radius}, {groups, round}, sets);
            points({1 + round, radius, 0.5f, band}, {groups, round}, sets);
            points({1 + round, radius, 0.0f, {}, {0.25f, 4}}, {groups, round}, sets);
        }
        pairs(PairSets::all, kAllGroups);
        pairs(PairSets::agents, kAllGroups);
        pairs(PairSets::small_giants | PairSets::small_statics, 0x3);
        pairs(PairSets::all, kAllGroups, 0.7f);
        pairs(PairSets::agents, 0x3, 1.5f);
        pairs(PairSets::all, kAllGroups, 0.0f, Body::disc);
        pairs(PairSets::all, 0x3, 0.5f, Body::box);
        pairs(PairSets::all, kAllGroups, -1.0f, Body::disc);
        pairs(PairSets::agents, 0x3, -1.0f, Body::box);
    }

private:
    template <class Shape>
    void ask(const std::vector<Shape>& shapes, std::size_t filter_count, std::uint32_t sets_in_c) {
        const std::size_t count = shapes.size();
        std::vector<throng_filter> filters;
        std::vector<Filter> same;
        for (std::size_t f = 0; f < filter_count; ++f) {
            same.push_back(filters_[f % filters_.size()]);
            filters.push_back({same.back().groups, same.back().without});
        }
        const Filters asked = filter_count == 0   ? Filters()
                              : filter_count == 1 ? Filters(same[0])
                                                  : Filters(same);
        const auto sets = static_cast<Sets>(sets_in_c);
        throng_questions questions = THRONG_QUESTIONS_INIT;
        questions.shape = kShape<Shape>;
        questions.sets = sets_in_c;
        questions.shapes = shapes.data();
        questions.count = count;
        questions.filters = filters.data();
        questions.filter_count = filter_count;

        Hits wanted;
        throng_hits hits = THRONG_HITS_INIT;
        EXPECT_EQ(by_.query({cpp_, sets}, shapes, wanted, asked), Status{});
        ok(throng_query(batch_, c_, &questions, &hits));
        compare(hits, wanted, count);

        room_.assign(hits.total + 1, 0);
        offsets_.assign(count + 1, 0);
        throng_hits_room room = THRONG_HITS_ROOM_INIT;
        room.offsets = offsets_.data();
        room.offset_room = offsets_.size();
        room.ids = room_.data();
        room.id_room = wanted.total() / 2;
        const throng_status status = throng_query_into(batch_, c_, &questions, &room);
        EXPECT_EQ(status.code, room.id_room < room.total ? THRONG_NO_ROOM : THRONG_OK);
        EXPECT_EQ(room.total, wanted.total());
        EXPECT_EQ(offsets_, wanted.offsets);
        EXPECT_TRUE(std::equal(room_.begin(),
                               room_.begin() + static_cast<std::ptrdiff_t>(room.id_room),
                               wanted.ids.begin()));

        std::vector<std::uint32_t> numbers(count), numbers_in_c(count);
        std::uint64_t sum = 0;
        EXPECT_EQ(by_.count({cpp_, sets}, shapes, numbers, asked).count, wanted.total());
        ok(throng_count(batch_, c_, &questions, numbers_in_c.data(), count, &sum));
        EXPECT_EQ(numbers_in_c, numbers);
        EXPECT_EQ(sum, wanted.total());
        const std::size_t some = by_.any({cpp_, sets}, shapes, numbers, asked).count;
        ok(throng_any(batch_, c_, &questions, numbers_in_c.data(), count, &sum));
        EXPECT_EQ(numbers_in_c, numbers);
        EXPECT_EQ(sum, some);
        if constexpr (PathIn<Shape, Dim>) {
            std::vector<PathHit> meetings(count);
            std::vector<throng_meeting> in_c(count);
            const std::size_t met = by_.first({cpp_, sets}, shapes, meetings, asked).count;
            ok(throng_first(batch_, c_, &questions, in_c.data(), count, &sum));
            EXPECT_EQ(sum, met);
            for (std::size_t q = 0; q < count; ++q) {
                EXPECT_EQ(in_c[q].time, meetings[q].time);
                EXPECT_EQ(in_c[q].id, meetings[q].id);
            }
        }
    }

    template <class Shape>
    void ask_one(const std::vector<Shape>& shapes) {
        std::vector<Id> ids(cpp_.size() + cpp_.size(Sets::statics)), in_c(ids.size());
        for (const Shape& shape : shapes) {
            throng_questions question = THRONG_QUESTIONS_INIT;
            question.shape = kShape<Shape>;
            question.shapes = &shape;
            question.count = 1;
            std::uint64_t total = 0;
            const Found found = cpp_.query(shape, std::span<Id>(ids));
            ok(throng_query_one(c_, &question, in_c.data(), in_c.size(), &total));
            EXPECT_EQ(total, found.count);
            EXPECT_EQ(in_c, ids);
            ok(throng_count_one(c_, &question, &total));
            EXPECT_EQ(total, found.count);
            std::uint32_t any = 2;
            ok(throng_any_one(c_, &question, &any));
            EXPECT_EQ(any, found.count == 0 ? 0u : 1u);
            if constexpr (PathIn<Shape, Dim>) {
                PathHit hit;
                throng_meeting meeting = {-1.0f, 0};
                (void)cpp_.first(shape, hit);
                ok(throng_first_one(c_, &question, &meeting));
                EXPECT_EQ(meeting.time, hit.time);
                EXPECT_EQ(meeting.id, hit.id);
                all_along(question, shape);
            }
            throng_query_costs costs = THRONG_QUERY_COSTS_INIT;
            const CrowdStats stats = cpp_.explain(shape);
            ok(throng_explain(c_, &question, &costs));
            EXPECT_STREQ(costs.path, to_string(stats.path));
            EXPECT_EQ(costs.rows, stats.rows);
            EXPECT_EQ(costs.tested, stats.tested);
            EXPECT_EQ(costs.copied, stats.copied);
            EXPECT_EQ(costs.small_agents + costs.giants + costs.statics, stats.hits());
            EXPECT_EQ(costs.predicted_nanoseconds, stats.predicted_nanoseconds);
            EXPECT_STREQ(costs.reason, to_string(stats.reason));
            EXPECT_EQ(costs.predicted_rows, stats.predicted.rows);
            EXPECT_EQ(costs.predicted_tiles, stats.predicted.tiles);
            EXPECT_EQ(costs.predicted_all, stats.predicted.all);
            EXPECT_EQ(costs.large_first, stats.large_first ? 1u : 0u);
        }
    }

    void cells() {
        const CellStats right = cpp_.cell_stats();
        throng_cell_stats stats = THRONG_CELL_STATS_INIT;
        ok(throng_crowd_cell_stats(c_, &stats));
        EXPECT_EQ(stats.rows, right.rows);
        EXPECT_EQ(stats.cells, right.cells);
        EXPECT_EQ(stats.used_rows, right.used_rows);
        EXPECT_EQ(stats.used_cells, right.used_cells);
        EXPECT_EQ(stats.agents, right.agents);
        EXPECT_EQ(stats.outside, right.outside);
        EXPECT_EQ(stats.company, right.company);
        EXPECT_EQ(stats.company_afresh, right.company_afresh);
    }

    /// Checks all hits of a path in one call, and one after another.
    template <class Path>
    void all_along(const throng_questions& question, const Path& path) {
        std::vector<PathHit> hits;
        EXPECT_EQ(cpp_.hits(path, hits), Status{});
        std::vector<throng_meeting> meetings(hits.size() + 1);
        std::uint64_t total = 0;
        ok(throng_meetings_one(c_, &question, meetings.data(), meetings.size(), &total));
        ASSERT_EQ(total, hits.size());
        throng_meeting last = THRONG_BEFORE_ALL;
        for (std::size_t i = 0; i < hits.size(); ++i) {
            EXPECT_EQ(meetings[i].time, hits[i].time);
            EXPECT_EQ(meetings[i].id, hits[i].id);
            ok(throng_first_after_one(c_, &question, &last, &last));
            EXPECT_EQ(last.time, hits[i].time);
            EXPECT_EQ(last.id, hits[i].id);
        }
        ok(throng_first_after_one(c_, &question, &last, &last));
        EXPECT_EQ(last.id, THRONG_NO_ID);
        if (hits.empty()) { return; }
        meetings.assign(hits.size(), {-3.0f, 0});
        EXPECT_EQ(throng_meetings_one(c_, &question, meetings.data(), hits.size() - 1, &total).code,
                  THRONG_NO_ROOM);
        EXPECT_EQ(total, hits.size());
        EXPECT_EQ(meetings.back().time, -3.0f);
    }

    void neighbours(const Neighbourhood& what, Order order, Sets sets) {
        throng_neighbourhood in_c = THRONG_NEIGHBOURHOOD_INIT;
        in_c.radius = what.radius;
        in_c.groups = what.groups;
        in_c.with_self = what.with_self ? 1 : 0;
        in_c.later_only = what.later_only ? 1 : 0;
        in_c.body = static_cast<std::uint32_t>(what.body);
        in_c.order = static_cast<std::uint32_t>(order);
        in_c.sets = static_cast<std::uint32_t>(sets);
        Hits wanted;
        throng_hits hits = THRONG_HITS_INIT;
        EXPECT_EQ(by_.neighbours({cpp_, sets}, what, wanted, order), Status{});
        ok(throng_neighbours(batch_, c_, &in_c, &hits));
        const std::size_t count = order == Order::ids ? cpp_.id_bound() : cpp_.size();
        compare(hits, wanted, count);

        offsets_.assign(count + 1, 0);
        room_.assign(wanted.total() + 1, 0);
        throng_hits_room room = THRONG_HITS_ROOM_INIT;
        room.offsets = offsets_.data();
        room.offset_room = count + 1;
        room.ids = room_.data();
        room.id_room = wanted.total();
        ok(throng_neighbours_into(batch_, c_, &in_c, &room));
        EXPECT_EQ(room.total, wanted.total());
        EXPECT_EQ(offsets_, wanted.offsets);
        EXPECT_TRUE(std::equal(room_.begin(), room_.end() - 1, wanted.ids.begin()));
        std::vector<std::uint32_t> numbers(count), numbers_in_c(count);
        std::uint64_t sum = 0;
        EXPECT_EQ(by_.count_neighbours({cpp_, sets}, what, numbers, order).count, wanted.total());
        ok(throng_count_neighbours(batch_, c_, &in_c, numbers_in_c.data(), count, &sum));
        EXPECT_EQ(numbers_in_c, numbers);
        EXPECT_EQ(sum, wanted.total());
    }

    void pairs(PairSets sets, std::uint32_t groups, float within = -1.0f,
               Body body = Body::centre) {
        throng_pairing pairing = THRONG_PAIRING_INIT;
        pairing.sets = static_cast<std::uint32_t>(sets);
        pairing.groups = groups;
        pairing.within = within;
        pairing.body = static_cast<std::uint32_t>(body);
        Pairs wanted;
        throng_pairs pairs = THRONG_PAIRS_INIT;
        const Body overlapping = body == Body::disc ? Body::disc : Body::box;
        EXPECT_EQ(within < 0 ? by_.pairs({cpp_, sets}, wanted, groups, overlapping)
                             : by_.pairs_within({cpp_, sets}, within, wanted, groups, body),
                  Status{});
        ok(throng_find_pairs(batch_, c_, &pairing, &pairs));
        ASSERT_EQ(pairs.total, wanted.count);
        EXPECT_TRUE(std::equal(pairs.first, pairs.first + pairs.total, wanted.first.begin()));
        EXPECT_TRUE(std::equal(pairs.second, pairs.second + pairs.total, wanted.second.begin()));
        std::vector<Id> first(wanted.count), second(wanted.count);
        throng_pairs_room room = THRONG_PAIRS_ROOM_INIT;
        room.first = first.data();
        room.second = second.data();
        room.room = wanted.count;
        ok(throng_find_pairs_into(batch_, c_, &pairing, &room));
        EXPECT_TRUE(std::equal(first.begin(), first.end(), wanted.first.begin()));
        EXPECT_TRUE(std::equal(second.begin(), second.end(), wanted.second.begin()));
        std::uint64_t total = 0;
        ok(throng_count_pairs(batch_, c_, &pairing, &total));
        EXPECT_EQ(total, wanted.count);
    }

    template <class What>
    static throng_nearest nearest_in_c(const What& what, Sets sets, std::uint32_t groups) {
        throng_nearest nearest = THRONG_NEAREST_INIT;
        nearest.k = what.k;
        nearest.radius = what.radius;
        nearest.least = what.least;
        nearest.band = {what.band.up, what.band.below, what.band.above};
        nearest.sets = static_cast<std::uint32_t>(sets);
        nearest.groups = groups;
        nearest.body = static_cast<std::uint32_t>(what.body);
        return nearest;
    }

    void nearest_neighbours(const NearestNeighbours& what, Order order, Sets sets) {
        throng_nearest nearest = nearest_in_c(what, sets, what.groups);
        nearest.order = static_cast<std::uint32_t>(order);
        nearest.with_self = what.with_self ? 1 : 0;
        NearHits wanted;
        throng_near_hits hits = THRONG_NEAR_HITS_INIT;
        EXPECT_EQ(by_.nearest_neighbours({cpp_, sets}, what, wanted, order), Status{});
        ok(throng_nearest_neighbours(batch_, c_, &nearest, &hits));
        compare(hits, wanted);
        throng_near_room room = room_for(wanted);
        ok(throng_nearest_neighbours_into(batch_, c_, &nearest, &room));
        compare(room, wanted);
    }

    void points(const Nearest& what, const Filter& filter, Sets sets) {
        std::vector<Point<Dim>> from;
        for (std::size_t i = 0; i < 40; ++i) {
            const Box<Dim> world = *cpp_.settings().bounds;
            Point<Dim> point;
            for (std::size_t a = 0; a < Dim; ++a) {
                const float part = static_cast<float>(i * (a + 3) % 41) / 40.0f;
                point[a] = world.lo[a] + part * (world.hi[a] - world.lo[a]);
            }
            from.push_back(point);
        }
        throng_points points = THRONG_POINTS_INIT;
        points.dimension = Dim;
        points.coordinates = from[0].axis.data();
        points.count = from.size();
        throng_nearest nearest = nearest_in_c(what, sets, filter.groups);
        nearest.after = {what.after.distance2, what.after.id};
        nearest.without = filter.without;
        NearHits wanted;
        throng_near_hits hits = THRONG_NEAR_HITS_INIT;
        const std::span<const Point<Dim>> asked(from);
        EXPECT_EQ(by_.nearest({cpp_, sets}, asked, what, wanted, filter), Status{});
        ok(throng_find_nearest(batch_, c_, &points, &nearest, &hits));
        compare(hits, wanted);
        throng_near_room room = room_for(wanted);
        ok(throng_find_nearest_into(batch_, c_, &points, &nearest, &room));
        compare(room, wanted);
        for (std::size_t q = 0; q < from.size(); ++q) {
            throng_points point = points;
            point.coordinates = from[q].axis.data();
            point.count = 1;
            std::vector<throng_near> near(what.k);
            std::uint64_t total = 0;
            ok(throng_find_nearest_one(c_, &point, &nearest, near.data(), near.size(), &total));
            EXPECT_EQ(total, wanted.counts[q]);
            EXPECT_TRUE(std::equal(near.begin(), near.end(),
                                   wanted.nearest.begin() + static_cast<std::ptrdiff_t>(q * what.k),
                                   same));
        }
    }

    static void compare(const throng_hits& hits, const Hits& wanted, std::size_t count) {
        ASSERT_EQ(hits.count, count);
        ASSERT_EQ(hits.total, wanted.total());
        EXPECT_TRUE(std::equal(wanted.offsets.begin(), wanted.offsets.end(), hits.offsets));
        EXPECT_TRUE(std::equal(hits.ids, hits.ids + hits.total, wanted.ids.begin()));
    }
    static bool same(const throng_near& a, const Near& b) {
        return a.distance2 == b.distance2 && a.id == b.id;
    }
    static void compare(const throng_near_hits& hits, const NearHits& wanted) {
        ASSERT_EQ(hits.count, wanted.counts.size());
        ASSERT_EQ(hits.k, wanted.k);
        EXPECT_TRUE(std::equal(wanted.counts.begin(), wanted.counts.end(), hits.counts));
        EXPECT_TRUE(std::equal(hits.nearest, hits.nearest + wanted.nearest.size(),
                               wanted.nearest.begin(), wanted.nearest.end(), same));
    }
    throng_near_room room_for(const NearHits& wanted) {
        near_.assign(wanted.nearest.size(), {});
        near_counts_.assign(wanted.counts.size(), 0);
        throng_near_room room = THRONG_NEAR_ROOM_INIT;
        room.nearest = near_.data();
        room.near_room = near_.size();
        room.counts = near_counts_.data();
        room.count_room = near_counts_.size();
        return room;
    }
    void compare(const throng_near_room& room, const NearHits& wanted) const {
        std::uint64_t total = 0;
        for (const std::uint32_t count : wanted.counts) {
            total += count;
        }
        EXPECT_EQ(room.total, total);
        EXPECT_EQ(near_counts_, wanted.counts);
        EXPECT_TRUE(std::equal(near_.begin(), near_.end(), wanted.nearest.begin(),
                               wanted.nearest.end(), same));
    }

    const Crowd<Dim>& cpp_;
    Batch<Dim> by_;
    throng_executor* executor_;
    throng_crowd* c_ = nullptr;
    throng_batch* batch_ = nullptr;
    std::vector<Filter> filters_;
    std::vector<std::uint64_t> offsets_;
    std::vector<Id> room_;
    std::vector<throng_near> near_;
    std::vector<std::uint32_t> near_counts_;
};

template <class DimConstant>
class SameInC : public testing::Test {};
TYPED_TEST_SUITE(SameInC, Dims, DimNames);

template <std::size_t Dim>
void compare_on(const char* scene, std::size_t agents, scenes::Groups groups, Crew crew) {
    SCOPED_TRACE(testing::Message() << scene << " on " << static_cast<int>(crew));
    World<Dim> world(scene, agents, agents / 6, groups);
    const auto shapes = scenes::shapes_about(world.scene, 30);
    Both<Dim> both(world, crew);
    both.ask(world.scene.boxes);
    both.ask(world.scene.balls);
    both.ask(shapes.segments);
    both.ask(shapes.rays);
    both.ask(shapes.capsules);
    both.ask(shapes.sectors);
    both.ask(shapes.convexes);
    both.ask(shapes.oriented_boxes);
    both.ask(shapes.cylinders);
    both.ask(shapes.body_balls);
    both.ask(shapes.body_sectors);
    both.ask(shapes.body_cylinders);
    both.ask_everybody();
}

TYPED_TEST(SameInC, OnEveryExecutor) {
    for (const Crew crew : {Crew::serial, Crew::pool, Crew::callbacks}) {
        compare_on<TypeParam::value>("uniform", 3000, scenes::Groups::masks, crew);
    }
}

TYPED_TEST(SameInC, OnRimsAndFarAway) {
    for (const char* const scene : {"rim", "lattice_of_tenths", "extreme", "empty"}) {
        compare_on<TypeParam::value>(scene, 300, scenes::Groups::none, Crew::serial);
        compare_on<TypeParam::value>(scene, 300, scenes::Groups::masks, Crew::pool);
    }
}

} // namespace

} // namespace throng::test
