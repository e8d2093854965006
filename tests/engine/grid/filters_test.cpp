// A filter for each query of a batch: each query is answered as if it were asked alone.
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

using test::Ids;
using Counts = std::vector<std::uint32_t>;

/// Filters of all kinds, or, without groups, filters that differ only in the id that they leave
/// out.
std::vector<Filter> filters_for(std::size_t queries, bool with_groups) {
    std::vector<Filter> filters(queries);
    for (std::size_t q = 0; q < queries; ++q) {
        filters[q].without = q % 3 == 0 ? kNoId : static_cast<Id>(q * 7 % 211);
        const std::uint32_t groups[] = {kAllGroups, 0x1u, 0x6u, 0u, kAllGroups};
        if (with_groups) { filters[q].groups = groups[q / 2 % 5]; }
    }
    return filters;
}

template <std::size_t Dim, class Shape>
void check(const RowGrid<Dim>& grid, const std::vector<Shape>& all, bool with_groups) {
    const test::Scratch<Dim> scratch;
    const std::vector<Filter> filters = filters_for(all.size(), with_groups);
    const std::span<const Shape> shapes(all);
    const Filters each(filters);
    const std::size_t n = all.size();
    const std::pair<std::size_t, std::size_t> parts[] = {{0, n}, {0, 0}, {3, 70}, {65, n}};
    for (const auto& [begin, end] : parts) {
        SCOPED_TRACE(testing::Message() << "queries " << begin << " to " << end);
        const std::size_t first = begin;
        const std::size_t last = end;
        test::Lists wanted;
        Counts anys;
        for (std::size_t q = begin; q < end; ++q) {
            const Ids ids = test::ask(grid, all[q], filters[q]);
            wanted.append({{0, ids.size()}, ids});
            anys.push_back(ids.empty() ? 0 : 1);
        }
        const test::Lists got = test::lists_of(end - begin, [&](const HitsBuffer& buffer) {
            return grid.parts().query(shapes, first, last, scratch.words(), buffer, each);
        });
        EXPECT_EQ(got.offsets, wanted.offsets);
        EXPECT_TRUE(got.ids == wanted.ids);

        // Room for about half of the ids: the last ids that fit are written one by one, and the
        // rest only counted.
        std::vector<std::uint64_t> offsets(end - begin + 1);
        Ids some(wanted.ids.size() / 2 + 1, test::kCanary);
        const HitsBuffer short_buffer{offsets, some};
        EXPECT_EQ(grid.parts().query(shapes, begin, end, scratch.words(), short_buffer, each).count,
                  wanted.ids.size());
        EXPECT_EQ(offsets, wanted.offsets);
        EXPECT_TRUE(
            std::equal(some.begin(), some.begin() + wanted.ids.size() / 2, wanted.ids.begin()));

        Counts counts(end - begin);
        EXPECT_EQ(grid.parts().count(shapes, begin, end, scratch.words(), counts, each).count,
                  wanted.ids.size());
        EXPECT_EQ(counts, wanted.counts());
        EXPECT_EQ(grid.parts().any(shapes, begin, end, scratch.words(), counts, each).status,
                  Status{});
        EXPECT_EQ(counts, anys);
    }
}

class RowGridFilters : public testing::TestWithParam<test::SceneCase> {};

template <std::size_t Dim>
void check_scene(std::string_view name, scenes::Groups groups) {
    auto scene = scenes::make<Dim>(name, 220, groups);
    scenes::add_queries(scene, 100, 29);
    const RowGrid<Dim> grid = test::grid_of(scene);
    // Also questions around neighbouring agents, which are searched for together.
    Ids order(grid.size());
    (void)grid.order(order);
    for (const Id id : order) {
        scene.balls.push_back({scene.position_of(id), scene.cell[1]});
        scene.boxes.push_back(Box<Dim>::around(scene.position_of(id), scene.cell));
    }
    for (const bool with_groups : {false, true}) {
        check(grid, scene.boxes, with_groups);
        check(grid, scene.balls, with_groups);
    }
}

TEST_P(RowGridFilters, AreEachQuerysOwn) {
    const auto [dim, name, groups] = GetParam();
    if (dim == 2) {
        check_scene<2>(name, groups);
    } else {
        check_scene<3>(name, groups);
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RowGridFilters, test::all_scene_cases(), test::scene_case_name);

template <class D>
class RowGridFilterCounts : public testing::Test {};
TYPED_TEST_SUITE(RowGridFilterCounts, test::Dims, test::DimNames);

TYPED_TEST(RowGridFilterCounts, MustBeThatOfTheQueries) {
    constexpr auto kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 50);
    const RowGrid<kDim> grid = test::grid_of(scene);
    const test::Scratch<kDim> scratch;
    const std::vector<Ball<kDim>> balls(5, Ball<kDim>{Point<kDim>::all(0.0f), 1.0f});
    const std::vector<Filter> filters(4);
    Counts counts(5, test::kCanary);
    const Found found =
        grid.parts().count(std::span(balls), 0, 3, scratch.words(), counts, filters);
    EXPECT_EQ(found.status, (Status{Cause::count_mismatch, Argument::filters}));
    EXPECT_EQ(counts, Counts(5, test::kCanary));
}

} // namespace
} // namespace throng
