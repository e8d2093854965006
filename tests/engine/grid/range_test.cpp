// Parts of a batch of questions: every part of every batch answers as brute force does.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <tuple>

namespace throng {
namespace {

using test::Ids;
using test::kCanary;
using test::kInfinity;
using test::Lists;
using Counts = std::vector<std::uint32_t>;

const Filter kSomeFilters[] = {{}, {kAllGroups, 3}, {0x8000'0002u, 7}, {0u}};

/// The queries of a scene, more than two blocks of them, with their true answers in canonical
/// order.
template <std::size_t Dim, class Shape>
class Batch {
public:
    Batch(const test::Truth<Dim>& truth, const std::vector<Shape>& shapes) : shapes_(shapes) {
        for (const Filter& filter : kSomeFilters) {
            for (const Shape& shape : shapes_) {
                found_.push_back(truth.ids_in(shape, filter));
            }
        }
    }

    void check(const RowGrid<Dim>& grid, const test::CanonicalOrder& order) const {
        for (std::size_t f = 0; f < std::size(kSomeFilters); ++f) {
            SCOPED_TRACE(testing::Message() << "filter " << f);
            Lists wanted;
            for (std::size_t q = 0; q < shapes_.size(); ++q) {
                const Ids ids = order.sorted(found_[f * shapes_.size() + q]);
                wanted.append({{0, ids.size()}, ids});
            }
            // Cuts at ends of blocks and one to either side; some parts have no query or a single
            // one.
            const std::size_t n = shapes_.size();
            const std::size_t cuts[] = {0, 1, 63, 64, 65, n};
            for (std::size_t i = 0; i < std::size(cuts); ++i) {
                for (std::size_t k = i; k < std::size(cuts); k += 1 + (i + f) % 3) {
                    check_part(grid, cuts[i], cuts[k], kSomeFilters[f], wanted);
                }
                if (testing::Test::HasFailure()) { return; }
            }
        }
    }

private:
    void check_part(const RowGrid<Dim>& grid, std::size_t begin, std::size_t end,
                    const Filter& filter, const Lists& all) const {
        SCOPED_TRACE(testing::Message() << "queries " << begin << " to " << end);
        const auto at = [&](std::size_t q) {
            return all.offsets.begin() + static_cast<std::ptrdiff_t>(q);
        };
        const auto id_at = [&](std::size_t q) {
            return all.ids.begin() + static_cast<std::ptrdiff_t>(all.offsets[q]);
        };
        Lists wanted{{at(begin), at(end) + 1}, {id_at(begin), id_at(end)}};
        for (std::uint64_t& offset : wanted.offsets) {
            offset -= all.offsets[begin];
        }
        const std::span<const Shape> shapes(shapes_);
        const Lists got = test::lists_of(end - begin, [&](const HitsBuffer& buffer) {
            return grid.parts().query(shapes, begin, end, scratch_.words(), buffer, filter);
        });
        EXPECT_EQ(got.offsets, wanted.offsets);
        EXPECT_TRUE(got.ids == wanted.ids); // not printed: there may be many

        Counts counts(end - begin + 1, kCanary);
        const std::span<std::uint32_t> room(counts.data(), end - begin);
        Counts should = wanted.counts();
        Found found = grid.parts().count(shapes, begin, end, scratch_.words(), room, filter);
        should.push_back(kCanary);
        EXPECT_EQ(counts, should);
        EXPECT_EQ(found.count, wanted.ids.size());
        EXPECT_EQ(found.status, Status{});

        std::fill(room.begin(), room.end(), kCanary);
        found = grid.parts().any(shapes, begin, end, scratch_.words(), room, filter);
        std::for_each(should.begin(), should.end() - 1,
                      [](std::uint32_t& count) { count = count == 0 ? 0 : 1; });
        EXPECT_EQ(counts, should);
        EXPECT_EQ(found.count, std::accumulate(should.begin(), should.end() - 1, std::size_t{0}));
        EXPECT_EQ(found.status, Status{});
    }

    std::vector<Shape> shapes_;
    std::vector<Ids> found_; // by filter and query
    test::Scratch<Dim> scratch_;
};

template <std::size_t Dim>
void check_ranges_in(scenes::Scene<Dim>& scene) {
    scenes::add_queries(scene, 100, 23); // beyond the first hundred, that is two blocks
    test::Truth<Dim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    const Batch<Dim, Box<Dim>> boxes(truth, scene.boxes);
    const Batch<Dim, Ball<Dim>> balls(truth, scene.balls);
    for (const GridShape<Dim>& shape : scenes::shapes_for(scene)) {
        SCOPED_TRACE(testing::Message() << scene.name << ", rows of " << shape.cells[0]);
        RowGrid<Dim> grid;
        ASSERT_EQ(grid.use(shape), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        const test::CanonicalOrder order = truth.order(shape);
        ASSERT_NO_FATAL_FAILURE(boxes.check(grid, order));
        ASSERT_NO_FATAL_FAILURE(balls.check(grid, order));
        if (testing::Test::HasFailure()) { return; }
    }
}

class RowGridRange : public testing::TestWithParam<test::SceneCase> {};

TEST_P(RowGridRange, AnswersLikeBruteForce) {
    test::with_scene(GetParam(), 200, [](auto& scene) { check_ranges_in(scene); });
}

INSTANTIATE_TEST_SUITE_P(Scenes, RowGridRange, test::all_scene_cases(), test::scene_case_name);

template <class Dim>
class RowGridRangeCalls : public testing::Test {};
TYPED_TEST_SUITE(RowGridRangeCalls, test::Dims, test::DimNames);

/// Buffers that are larger than needed, and notice any writing.
struct Untouched {
    Ids ids = Ids(64, kCanary);
    std::vector<std::uint64_t> offsets = std::vector<std::uint64_t>(16, 77);
    Counts counts = Counts(16, kCanary);

    [[nodiscard]] HitsBuffer hits() { return {offsets, ids}; }
    [[nodiscard]] bool holds() const {
        return std::count(ids.begin(), ids.end(), kCanary) == 64 &&
               std::count(offsets.begin(), offsets.end(), 77u) == 16 &&
               std::count(counts.begin(), counts.end(), kCanary) == 16;
    }
};

/// All three calls say `wanted` and write nothing.
template <std::size_t Dim, class Shape>
void check_refused(const RowGrid<Dim>& grid, const std::vector<Shape>& shapes, std::size_t begin,
                   std::size_t end, std::span<std::uint32_t> scratch, const Status& wanted) {
    Untouched out;
    const std::span<const Shape> asked(shapes);
    for (const Found& found :
         {grid.parts().query(asked, begin, end, scratch, out.hits()),
          grid.parts().count(asked, begin, end, scratch, std::span(out.counts)),
          grid.parts().any(asked, begin, end, scratch, std::span(out.counts))}) {
        EXPECT_EQ(found.status, wanted);
        EXPECT_EQ(found.count, 0u);
    }
    EXPECT_TRUE(out.holds());
}

template <std::size_t Dim, class Shape>
void check_refusals(const RowGrid<Dim>& grid, const Shape& good, const Shape& bad,
                    const Status& why) {
    const test::Scratch<Dim> whole;
    const auto scratch = whole.words();
    std::vector<Shape> shapes(8, good);
    const Status range{Cause::out_of_range, Argument::range};
    check_refused(grid, shapes, 5, 4, scratch, range);
    check_refused(grid, shapes, 0, 9, scratch, range);
    check_refused(grid, shapes, 9, 9, scratch, range);
    check_refused(grid, shapes, 3, ~std::size_t{0}, scratch, range);
    check_refused(grid, std::vector<Shape>{}, 0, 1, scratch, range);
    const Status no_scratch{Cause::no_room, Argument::scratch};
    check_refused(grid, shapes, 0, 8, scratch.first(scratch.size() - 1), no_scratch);
    check_refused(grid, shapes, 0, 8, {}, no_scratch);
    check_refused(grid, shapes, 3, 3, {}, no_scratch);

    shapes[1] = shapes[6] = shapes[7] = bad;
    check_refused(grid, shapes, 0, 8, scratch, {why.cause, why.argument, 1});
    check_refused(grid, shapes, 1, 2, scratch, {why.cause, why.argument, 1});
    check_refused(grid, shapes, 2, 8, scratch, {why.cause, why.argument, 6});
    check_refused(grid, shapes, 7, 8, scratch, {why.cause, why.argument, 7});
    // The bad shapes are not in this part of the batch, so the part is answered.
    Untouched out;
    EXPECT_EQ(grid.parts()
                  .count(std::span<const Shape>(shapes), 2, 6, scratch, std::span(out.counts))
                  .status,
              Status{});
}

TYPED_TEST(RowGridRangeCalls, RefuseNonsenseAndWriteNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    RowGrid<kDim> grid;
    for (int filled = 0; filled < 2; ++filled) {
        for (const float bad : {test::kNan, kInfinity, -2e18f}) {
            const Cause cause = std::abs(bad) <= 2e18f ? Cause::too_large : Cause::not_finite;
            Box<kDim> box = scene.world;
            box.hi[kDim - 1] = bad;
            check_refusals(grid, scene.world, box, {cause, Argument::box});
            Ball<kDim> ball{{}, 5.0f};
            ball.centre[0] = bad;
            check_refusals(grid, Ball<kDim>{{}, 5.0f}, ball, {cause, Argument::ball});
        }
        check_refusals(grid, Ball<kDim>{{}, 5.0f}, Ball<kDim>{{}, -1.0f},
                       {Cause::negative, Argument::ball});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
    }
}

template <std::size_t Dim, class Shape>
void check_short_arrays(const RowGrid<Dim>& grid, const Shape& shape) {
    const test::Scratch<Dim> whole;
    const auto scratch = whole.words();
    const std::vector<Shape> all(8, shape);
    const std::span<const Shape> shapes(all);
    Untouched out;
    const std::span offsets(out.offsets);
    const std::span counts(out.counts);
    const Status no_offsets{Cause::no_room, Argument::offsets};
    for (const std::size_t room : {std::size_t{0}, std::size_t{6}}) {
        const HitsBuffer buffer{offsets.first(room), out.ids};
        EXPECT_EQ(grid.parts().query(shapes, 1, 7, scratch, buffer).status, no_offsets);
    }
    EXPECT_EQ(grid.parts().query(shapes, 4, 4, scratch, {}).status, Status{});
    const Status no_counts{Cause::no_room, Argument::counts};
    for (const std::size_t room : {std::size_t{0}, std::size_t{5}}) {
        EXPECT_EQ(grid.parts().count(shapes, 1, 7, scratch, counts.first(room)).status, no_counts);
        EXPECT_EQ(grid.parts().any(shapes, 1, 7, scratch, counts.first(room)).status, no_counts);
    }
    EXPECT_TRUE(out.holds());
}

TYPED_TEST(RowGridRangeCalls, RefuseArraysTooShortForOffsetsOrCounts) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    RowGrid<kDim> grid;
    for (int filled = 0; filled < 2; ++filled) {
        check_short_arrays(grid, scene.world);
        check_short_arrays(grid, Ball<kDim>{{}, 5.0f});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
    }
}

TYPED_TEST(RowGridRangeCalls, AskNothingOfAnyGrid) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    RowGrid<kDim> grid;
    const test::Scratch<kDim> scratch;
    for (int filled = 0; filled < 2; ++filled) {
        std::uint64_t offset = 77;
        const HitsBuffer nowhere{{&offset, 1}, {}};
        const std::span<const Box<kDim>> boxes;
        const std::span<const Ball<kDim>> balls(scene.balls);
        for (const Found& found : {grid.parts().query(boxes, 0, 0, scratch.words(), nowhere),
                                   grid.parts().query(balls, 3, 3, scratch.words(), nowhere),
                                   grid.parts().count(boxes, 0, 0, scratch.words(), {}),
                                   grid.parts().any(balls, 9, 9, scratch.words(), {})}) {
            EXPECT_EQ(found.status, Status{});
            EXPECT_EQ(found.count, 0u);
        }
        EXPECT_EQ(offset, 0u);
        ASSERT_EQ(grid.update(scene.agents()), Status{});
    }
}

// On a grid without agents, and with filters of no groups.
TYPED_TEST(RowGridRangeCalls, FindNothingWhereThereIsNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    const std::vector<Box<kDim>> boxes(70, scene.world);
    const test::Scratch<kDim> scratch;
    RowGrid<kDim> grid;
    const auto check = [&](const Filter& filter) {
        const Lists got = test::lists_of(70, [&](const HitsBuffer& buffer) {
            return grid.parts().query(std::span(boxes), 0, 70, scratch.words(), buffer, filter);
        });
        EXPECT_EQ(got, (Lists{std::vector<std::uint64_t>(71), {}}));
        Counts counts(70, kCanary);
        const std::span<const Box<kDim>> asked(boxes);
        EXPECT_EQ(grid.parts().count(asked, 0, 70, scratch.words(), counts, filter).count, 0u);
        EXPECT_EQ(counts, Counts(70));
        counts.assign(70, kCanary);
        EXPECT_EQ(grid.parts().any(asked, 0, 70, scratch.words(), counts, filter).count, 0u);
        EXPECT_EQ(counts, Counts(70));
    };
    check({});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    check({.groups = 0});
    grid.clear();
    check({});
}

} // namespace
} // namespace throng
