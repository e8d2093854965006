// An invalid question is refused with the same status whether or not the crowd has agents to find
// or to ask for.
#include <throng/engine/grid/query_stats.hpp>
#include <throng/parallel/batch/batch.hpp>

#include "../../../../engine/grid/grid_parts.hpp"
#include "../../../support/dims.hpp"
#include "../../../support/numbers.hpp"
#include "../../../support/scenes/scenes.hpp"
#include "../../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng {
namespace {

using test::kInfinity;
using test::kNan;
constexpr float kBadRadii[] = {kNan, -kNan, -1.0f, -kInfinity, kInfinity, 2.0f * kLargest};
constexpr Order kBothOrders[] = {Order::storage, Order::ids};
constexpr std::size_t kFew = 60;

/// The names of calls, and the status of each.
using Statuses = std::vector<std::pair<std::string, Status>>;

/// Room for all answers of this test.
struct Arrays {
    std::vector<std::uint64_t> offsets = std::vector<std::uint64_t>(4 * kFew, 77);
    std::vector<Id> ids = std::vector<Id>(kFew * kFew, 77);
    std::vector<std::uint32_t> counts = std::vector<std::uint32_t>(4 * kFew, 77);
    std::vector<Near> nearest = std::vector<Near>(4 * kFew, Near{7.0f, 77});
    std::vector<PathHit> path_hits = std::vector<PathHit>(kFew);
};

/// Calls call(name, shape) with an invalid shape of each kind.
template <std::size_t Dim, class Call>
void for_each_bad_shape(const Call& call) {
    const Point<Dim> middle = Point<Dim>::all(1.0f);
    Point<Dim> off = middle;
    off[Dim - 1] = kNan;
    call("box", Box<Dim>{off, middle});
    call("ball", Ball<Dim>{middle, -1.0f});
    call("sector", Sector<Dim>{middle, 1.0f, Point<Dim>{}});
    call("segment", Segment<Dim>{middle, off});
    call("ray", Ray<Dim>{middle, Point<Dim>{}});
    call("capsule", Capsule<Dim>{middle, middle, kNan});
    call("oriented box", OrientedBox<Dim>{off, {}});
    call("cylinder", Cylinder<Dim>{middle, 1.0f, kNan});
    Convex<Dim> convex;
    convex.count = 9;
    call("convex", convex);
}

/// How a batch of shapes is refused, by either kind of index.
template <std::size_t Dim, class Batch, class Index>
void ask_shapes(Batch& batch, const Index& index, Statuses& said) {
    Arrays room;
    const std::vector<Filter> filters(3);
    const Filters three(filters);
    Hits hits;
    const auto all = [&](const std::string& kind, const auto& shapes, const Filters& some) {
        const std::size_t offsets = shapes.size() + 1;
        const HitsOutput buffer{std::span(room.offsets).first(offsets), room.ids};
        const HitsOutput nothing{};
        said.emplace_back("query " + kind, batch.query(index, shapes, hits, some));
        said.emplace_back("query into " + kind, batch.query(index, shapes, buffer, some).status);
        said.emplace_back("count " + kind, batch.count(index, shapes, room.counts, some).status);
        said.emplace_back("any " + kind, batch.any(index, shapes, room.counts, some).status);
        if (shapes.empty()) {
            said.emplace_back("query into nothing " + kind,
                              batch.query(index, shapes, nothing, some).status);
            said.emplace_back("count nothing " + kind,
                              batch.count(index, shapes, std::span<std::uint32_t>(), some).status);
        }
        if constexpr (requires { batch.first(index, shapes, room.path_hits, some); }) {
            said.emplace_back("first " + kind,
                              batch.first(index, shapes, room.path_hits, some).status);
        }
    };
    for_each_bad_shape<Dim>([&](const std::string& kind, const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        const std::vector<Shape> one{shape};
        all(kind, one, {});
        const std::vector<Shape> none;
        all(kind + " with filters", none, three);
    });
}

template <std::size_t Dim, class Batch, class Index>
void ask_nearest(Batch& batch, const Index& index, Statuses& said) {
    Arrays room;
    NearHits hits;
    const NearOutput buffer{room.nearest, room.counts};
    const auto all = [&](const std::string& what, std::span<const Point<Dim>> points,
                         const Nearest& nearest) {
        said.emplace_back(what, batch.nearest(index, points, nearest, hits));
        said.emplace_back(what + " into", batch.nearest(index, points, nearest, buffer).status);
        if (points.empty()) {
            said.emplace_back(what + " into nothing",
                              batch.nearest(index, points, nearest, NearOutput{}).status);
        }
    };
    std::vector<Point<Dim>> points(2);
    points[1][0] = kNan;
    for (const std::uint32_t k : {0u, 1u}) {
        all("nearest to a bad point", points, {k});
        for (const float radius : kBadRadii) {
            all("nearest within " + std::to_string(radius), {}, {k, radius});
            all("nearest to some within " + std::to_string(radius), std::span(points).first(1),
                {k, radius});
        }
    }
    all("too many nearest", {}, {kMostNearest + 1});
}

template <class Batch, class Index>
void ask_all(Batch& batch, const Index& index, Statuses& said) {
    Arrays room;
    Hits hits;
    NearHits near;
    for (const Order order : kBothOrders) {
        for (const float radius : kBadRadii) {
            const std::string what = "everyone within " + std::to_string(radius);
            const Neighbourhood asked{radius};
            const HitsOutput buffer{room.offsets, room.ids};
            said.emplace_back(what, batch.neighbours(index, asked, hits, order));
            said.emplace_back(what + ", into",
                              batch.neighbours(index, asked, buffer, order).status);
            said.emplace_back(what + ", into nothing",
                              batch.neighbours(index, asked, HitsOutput{}, order).status);
            said.emplace_back(what + ", counted",
                              batch.count_neighbours(index, asked, room.counts, order).status);
            said.emplace_back(what + ", counted into nothing",
                              batch.count_neighbours(index, asked, {}, order).status);
        }
        for (const NearestNeighbours& asked :
             {NearestNeighbours{kMostNearest + 1}, NearestNeighbours{0, kNan},
              NearestNeighbours{2, -1.0f}, NearestNeighbours{2, kInfinity}}) {
            const std::string what = "nearest to everyone " + std::to_string(asked.k);
            const NearOutput buffer{room.nearest, room.counts};
            said.emplace_back(what, batch.nearest_neighbours(index, asked, near, order));
            said.emplace_back(what + ", into",
                              batch.nearest_neighbours(index, asked, buffer, order).status);
            said.emplace_back(what + ", into nothing",
                              batch.nearest_neighbours(index, asked, NearOutput{}, order).status);
        }
    }
}

/// Notes how the index itself refuses single questions.
template <std::size_t Dim, class Index>
void ask_index(const Index& index, Statuses& said) {
    std::vector<Id> out(4);
    std::vector<Near> near(4);
    std::vector<PathHit> path_hits;
    PathHit hit;
    Hits hits;
    for_each_bad_shape<Dim>([&](const std::string& kind, const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        const std::vector<Shape> one{shape};
        said.emplace_back(kind + ", query", index.query(shape, out).status);
        said.emplace_back(kind + ", count", index.count(shape).status);
        said.emplace_back(kind + ", any", index.any(shape).status);
        said.emplace_back(kind + ", explain", index.explain(shape).status);
        said.emplace_back(kind + ", all", index.query(one, hits));
        said.emplace_back(kind + ", visit",
                          index.visit(shape, [](std::span<const Id>) { return true; }).status);
        if constexpr (requires { index.first(shape, hit); }) {
            said.emplace_back(kind + ", first", index.first(shape, hit).status);
            said.emplace_back(kind + ", path_hits", index.hits(shape, path_hits));
        }
    });
    Point<Dim> off{};
    off[0] = kNan;
    for (const std::uint32_t k : {0u, 2u}) {
        said.emplace_back("nearest to a bad point", index.nearest(off, {k}, near).status);
        for (const float radius : kBadRadii) {
            said.emplace_back("nearest", index.nearest({}, {k, radius}, near).status);
        }
    }
    said.emplace_back("too many nearest", index.nearest({}, {kMostNearest + 1}, near).status);
    said.emplace_back("no room for the nearest", index.nearest({}, {5}, near).status);
}

template <std::size_t Dim>
Statuses refusals(const Crowd<Dim>& crowd, Executor& executor) {
    Batch<Dim> batch(executor);
    Statuses said;
    ask_index<Dim>(crowd, said);
    ask_shapes<Dim>(batch, crowd, said);
    ask_nearest<Dim>(batch, crowd, said);
    ask_all(batch, crowd, said);
    return said;
}

/// The refusals of a grid, and of several grids asked together, without askers or without others.
template <std::size_t Dim>
Statuses refusals(const RowGrid<Dim>& grid, Executor& executor) {
    Batch<Dim> batch(executor);
    Statuses said;
    ask_index<Dim>(grid, said);
    ask_shapes<Dim>(batch, grid, said);
    ask_nearest<Dim>(batch, grid, said);
    ask_all(batch, grid, said);

    Arrays room;
    Hits hits;
    NearHits near;
    const std::vector<NamedGrid<Dim>> one{grid}, none, many(kMostGrids + 1, grid);
    const HitsOutput buffer{room.offsets, room.ids};
    const NearOutput near_buffer{room.nearest, room.counts};
    const auto together = [&](const std::string& what, const auto& askers, const auto& others,
                              float radius) {
        for (const Order order : kBothOrders) {
            const Neighbourhood asked{radius};
            const NearestNeighbours nearest{1, radius};
            said.emplace_back(what, batch.neighbours({askers, others}, asked, hits, order));
            said.emplace_back(what + ", into",
                              batch.neighbours({askers, others}, asked, buffer, order).status);
            said.emplace_back(
                what + ", counted",
                batch.count_neighbours({askers, others}, asked, room.counts, order).status);
            said.emplace_back(what + ", nearest",
                              batch.nearest_neighbours({askers, others}, nearest, near, order));
            said.emplace_back(
                what + ", nearest into",
                batch.nearest_neighbours({askers, others}, nearest, near_buffer, order).status);
        }
    };
    for (const float radius : kBadRadii) {
        together("no askers", none, one, radius);
        together("no others", one, none, radius);
        together("themselves", one, one, radius);
    }
    together("too many ask", many, one, 1.0f);
    together("too many are asked", one, many, 1.0f);

    std::vector<std::uint32_t> scratch(GridParts<Dim>::scratch()), too_small(1);
    std::vector<std::uint32_t> near_scratch(GridParts<Dim>::nearest_scratch());
    std::vector<Box<Dim>> boxes(1);
    const std::vector<Filter> filters(3);
    const Filters three(filters);
    const std::size_t past = grid.parts().slices() + 1;
    const PairsBuffer pairs{room.ids, room.counts};
    const PairsBuffer short_pairs{std::span(room.ids).first(1), room.counts};
    const HitsBuffer hits_room{room.offsets, room.ids};
    const NearBuffer near_room{room.nearest, room.counts};
    const auto visitor = [](std::span<const Id>, std::span<const Id>) { return true; };
    const auto range = [&](const std::string& what, const Found& found) {
        said.emplace_back(what, found.status);
    };
    range("a range of boxes", grid.parts().query(boxes, 0, 2, scratch, hits_room));
    range("its scratch", grid.parts().query(boxes, 0, 1, too_small, hits_room));
    range("its filters", grid.parts().query(boxes, 0, 1, scratch, hits_room, three));
    range("a range to count", grid.parts().count(boxes, 1, 0, scratch, room.counts));
    range("no room to count", grid.parts().count(boxes, 0, 1, scratch, {}));
    range("neighbours of a range", grid.parts().neighbours({1.0f}, 0, past, scratch, hits_room));
    range("their scratch", grid.parts().neighbours({1.0f}, 0, 0, too_small, hits_room));
    for (const float radius : kBadRadii) {
        range("their radius", grid.parts().neighbours({radius}, 0, 0, scratch, hits_room));
        range("their radius", grid.parts().count_neighbours({radius}, 0, 0, scratch, room.counts));
        range("their radius",
              grid.parts().nearest_neighbours({1, radius}, 0, 0, near_scratch, near_room));
    }
    range("nearest of a range",
          grid.parts().nearest_neighbours({1}, 0, past, near_scratch, near_room));
    range("its scratch", grid.parts().nearest_neighbours({1}, 0, 0, too_small, near_room));
    range("pairs of a range", grid.parts().pairs(0, past, scratch, pairs));
    range("their scratch", grid.parts().pairs(0, 0, too_small, pairs));
    range("counted", grid.parts().count_pairs(0, past));
    range("visited", grid.parts().visit_pairs(0, past, scratch, pairs, visitor));
    range("too short a run", grid.parts().visit_pairs(0, 0, scratch, short_pairs, visitor));
    range("of two", grid.parts().pairs(grid, 0, past, scratch, pairs));
    range("of two", grid.parts().visit_pairs(grid, 0, 0, scratch, short_pairs, visitor));
    return said;
}

void expect_same(const Statuses& wanted, const Statuses& got) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_FALSE(wanted[i].second.ok()) << wanted[i].first << ": makes sense";
        EXPECT_EQ(got[i].second, wanted[i].second) << wanted[i].first;
    }
}

template <class Dim>
class EmptyCrowds : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Dim::value;

    /// Agents with their own extents, some of them giants.
    static scenes::Scene<kAxes> some_agents() {
        auto scene = scenes::make<kAxes>("mixed_sizes", kFew);
        for (std::size_t i = 0; i < kFew; i += 9) {
            scene.half_extent[0][i] = 2.0f * scene.cell[0];
        }
        return scene;
    }
    static CrowdSettings<kAxes> settings_for(const scenes::Scene<kAxes>& scene, bool periodic) {
        CrowdSettings<kAxes> settings;
        settings.bounds = scene.world;
        settings.cell = scene.cell;
        settings.periodic.fill(periodic);
        return settings;
    }
    test::EagerPool pool_{2};
};
TYPED_TEST_SUITE(EmptyCrowds, test::Dims, test::DimNames);

TYPED_TEST(EmptyCrowds, RefuseWhatCrowdsRefuse) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = this->some_agents();
    for (const bool periodic : {false, true}) {
        SCOPED_TRACE(periodic);
        const auto settings = this->settings_for(scene, periodic);
        const CrowdKind<kDim> kind{true, false, {}};
        Crowd<kDim> populated;
        ASSERT_EQ(populated.configure(settings, kind), Status{});
        ASSERT_EQ(populated.update(scene.agents()), Status{});
        ASSERT_EQ(populated.set_statics(scene.agents()), Status{});
        ASSERT_GT(populated.size(Sets::giants), 0u);
        const Statuses wanted = refusals(populated, serial_executor());

        Crowd<kDim> fresh, laid_out, only_statics, of_small, of_giants;
        for (Crowd<kDim>* crowd : {&laid_out, &only_statics, &of_small, &of_giants}) {
            ASSERT_EQ(crowd->configure(settings, kind), Status{});
        }
        ASSERT_EQ(only_statics.set_statics(scene.agents()), Status{});
        ASSERT_EQ(of_giants.insert(5, {{}, Point<kDim>::all(10.0f * scene.cell[0]), {}}), Status{});
        ASSERT_EQ(of_small.insert(5, {{}, Point<kDim>{}, {}}), Status{});
        ASSERT_EQ(of_giants.size(Sets::giants), 1u);
        ASSERT_EQ(of_small.size(Sets::giants), 0u);
        Crowd<kDim> left;
        ASSERT_EQ(left.configure(settings, kind), Status{});
        ASSERT_EQ(left.update(scene.agents()), Status{});
        left.clear();
        for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&this->pool_)}) {
            for (const Crowd<kDim>* crowd :
                 {&populated, &laid_out, &only_statics, &of_small, &of_giants, &left}) {
                SCOPED_TRACE(crowd == &populated      ? "populated"
                             : crowd == &laid_out     ? "laid out"
                             : crowd == &only_statics ? "only statics"
                             : crowd == &of_small     ? "of a small agent"
                             : crowd == &of_giants    ? "of a giant"
                                                      : "left");
                expect_same(wanted, refusals(*crowd, *executor));
            }
            if (!periodic) { expect_same(wanted, refusals(fresh, *executor)); }
        }
    }
}

TYPED_TEST(EmptyCrowds, RefuseWhatGridsRefuse) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = this->some_agents();
    RowGrid<kDim> populated, fresh, laid_out, left;
    ASSERT_EQ(populated.update(scene.agents()), Status{});
    ASSERT_EQ(laid_out.configure(scene.world, scene.cell), Status{});
    ASSERT_EQ(left.update(scene.agents()), Status{});
    left.clear();
    const Statuses wanted = refusals(populated, serial_executor());
    for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&this->pool_)}) {
        for (const RowGrid<kDim>* grid : {&fresh, &laid_out, &left}) {
            SCOPED_TRACE(grid == &fresh ? "fresh" : grid == &laid_out ? "laid out" : "left");
            expect_same(wanted, refusals(*grid, *executor));
        }
    }
}

} // namespace
} // namespace throng
