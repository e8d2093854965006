// What must be true of pairs and neighbours whatever the crowd; and which questions about slices
// are refused.
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

namespace throng {
namespace {

using scenes::Scene;
using test::Ids;
using test::kCanary;
using test::kInfinity;
using test::Lists;
using test::PairLists;

template <class Dim>
class RowGridCrowd : public testing::Test {};
TYPED_TEST_SUITE(RowGridCrowd, test::Dims, test::DimNames);

template <std::size_t Dim>
RowGrid<Dim> grid_of(Scene<Dim>& scene) {
    RowGrid<Dim> grid;
    EXPECT_EQ(grid.update(scene.agents()), Status{});
    return grid;
}

/// Pairs without an order, each with the smaller id first.
std::set<std::pair<Id, Id>> set_of(const PairLists& pairs) {
    std::set<std::pair<Id, Id>> set;
    for (std::size_t i = 0; i < pairs.first.size(); ++i) {
        EXPECT_TRUE(set.insert(std::minmax(pairs.first[i], pairs.second[i])).second) << "twice";
    }
    return set;
}
template <std::size_t Dim>
std::set<std::pair<Id, Id>> pairs_of(const RowGrid<Dim>& grid) {
    return set_of(test::pairs_in(grid, 0, grid.parts().slices()));
}

constexpr std::string_view kNames[] = {"uniform", "clustered", "mixed_sizes", "lattice", "outside"};

TYPED_TEST(RowGridCrowd, LooksTheSameInAMirrorAndWithAxesSwapped) {
    constexpr std::size_t kDim = TypeParam::value;
    const Neighbourhood asked{1.25f, false, kAllGroups};
    for (const std::string_view name : kNames) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<kDim>(name, 900);
        const auto grid = grid_of(scene);
        const auto pairs = pairs_of(grid);
        ASSERT_FALSE(pairs.empty());
        // Mirroring changes no square, so no neighbours either.
        const std::size_t near =
            test::neighbours_in(grid, asked, 0, grid.parts().slices()).ids.size();
        for (std::size_t a = 0; a < kDim; ++a) {
            auto mirrored = scene;
            for (float& x : mirrored.position[a]) {
                x = -x;
            }
            const auto other = grid_of(mirrored);
            EXPECT_EQ(pairs_of(other), pairs);
            EXPECT_EQ(test::neighbours_in(other, asked, 0, other.parts().slices()).ids.size(),
                      near);

            auto swapped = scene;
            const std::size_t b = (a + 1) % kDim;
            std::swap(swapped.position[a], swapped.position[b]);
            std::swap(swapped.half_extent[a], swapped.half_extent[b]);
            std::swap(swapped.common_half_extent[a], swapped.common_half_extent[b]);
            EXPECT_EQ(pairs_of(grid_of(swapped)), pairs);
        }
    }
}

TYPED_TEST(RowGridCrowd, InTwoPartsHasThePairsOfEachAndThoseBetween) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::string_view name : kNames) {
        for (const auto groups : {scenes::Groups::none, scenes::Groups::masks}) {
            SCOPED_TRACE(name);
            auto scene = scenes::make<kDim>(name, 900, groups);
            const std::uint32_t wanted = groups == scenes::Groups::none ? kAllGroups : 0xBu;
            Scene<kDim> part[2];
            Ids id_of[2]; // by id in the part
            for (Id id = 0; id < scene.size(); ++id) {
                const std::size_t p = id % 3 == 0 ? 1 : 0;
                part[p].common_half_extent = scene.common_half_extent;
                part[p].add(scene.position_of(id));
                for (std::size_t a = 0; scene.has_own_half_extents() && a < kDim; ++a) {
                    part[p].half_extent[a].push_back(scene.half_extent[a][id]);
                }
                if (!scene.groups.empty()) { part[p].groups.push_back(scene.groups[id]); }
                id_of[p].push_back(id);
            }
            const auto one = grid_of(part[0]), two = grid_of(part[1]), all = grid_of(scene);
            PairLists parts;
            const auto add = [&](const PairLists& pairs, const Ids& first, const Ids& second) {
                for (std::size_t i = 0; i < pairs.first.size(); ++i) {
                    parts.first.push_back(first.at(pairs.first[i]));
                    parts.second.push_back(second.at(pairs.second[i]));
                }
            };
            add(test::pairs_in(one, 0, one.parts().slices(), wanted), id_of[0], id_of[0]);
            add(test::pairs_in(two, 0, two.parts().slices(), wanted), id_of[1], id_of[1]);
            const auto between = test::pairs_with(one, two, 0, one.parts().slices(), wanted);
            add(between, id_of[0], id_of[1]);
            EXPECT_FALSE(between.first.empty());
            EXPECT_EQ(set_of(parts), set_of(test::pairs_in(all, 0, all.parts().slices(), wanted)));
            const auto back = test::pairs_with(two, one, 0, two.parts().slices(), wanted);
            EXPECT_EQ(back.first.size(), between.first.size());
        }
    }
}

TYPED_TEST(RowGridCrowd, HasNeighboursWhoAreNeighboursInTurn) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::string_view name : kNames) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<kDim>(name, 900);
        const auto grid = grid_of(scene);
        Ids order(scene.size());
        (void)grid.order(order);
        std::set<std::pair<Id, Id>> smaller;
        for (const float radius : {0.0f, 0.4f, 1.0f, 1.7f}) {
            const Lists lists =
                test::neighbours_in(grid, {radius, false, kAllGroups}, 0, grid.parts().slices());
            std::set<std::pair<Id, Id>> near;
            for (std::size_t i = 0; i < order.size(); ++i) {
                for (std::size_t k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k) {
                    EXPECT_NE(lists.ids[k], order[i]);
                    EXPECT_TRUE(near.emplace(order[i], lists.ids[k]).second) << "twice";
                }
            }
            for (const auto& [id, other] : near) {
                EXPECT_TRUE(near.contains({other, id})) << id << " and " << other;
            }
            EXPECT_TRUE(std::includes(near.begin(), near.end(), smaller.begin(), smaller.end()));
            smaller = near;
            // With itself, each agent has one neighbour more.
            EXPECT_EQ(
                test::neighbours_in(grid, {radius, true, kAllGroups}, 0, grid.parts().slices())
                    .ids.size(),
                near.size() + order.size());
        }
        EXPECT_FALSE(smaller.empty());
    }
}

/// Every call about slices says `wanted` and writes nothing.
template <std::size_t Dim>
void check_refused(const RowGrid<Dim>& grid, const Neighbourhood& asked, std::size_t begin,
                   std::size_t end, std::span<std::uint32_t> scratch, const Status& neighbours,
                   const Status& pairs) {
    Ids ids(4000, kCanary), more = ids;
    std::vector<std::uint64_t> offsets(4000, 77);
    const PairsBuffer buffer{ids, more};
    for (const Found& found :
         {grid.parts().neighbours(asked, begin, end, scratch, HitsBuffer{offsets, ids}),
          grid.parts().count_neighbours(asked, begin, end, scratch, std::span(ids))}) {
        EXPECT_EQ(found.status, neighbours);
        EXPECT_EQ(found.count, 0u);
    }
    if (!pairs.ok()) {
        for (const Found& found : {grid.parts().pairs(begin, end, scratch, buffer),
                                   grid.parts().pairs(grid, begin, end, scratch, buffer)}) {
            EXPECT_EQ(found.status, pairs);
            EXPECT_EQ(found.count, 0u);
        }
    }
    EXPECT_EQ(ids, Ids(4000, kCanary));
    EXPECT_EQ(more, Ids(4000, kCanary));
    EXPECT_EQ(offsets, std::vector<std::uint64_t>(4000, 77));
}

TYPED_TEST(RowGridCrowd, RefusesNonsenseAndWritesNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 1100);
    RowGrid<kDim> grid;
    const test::Scratch<kDim> whole;
    const auto scratch = whole.words();
    const Neighbourhood good{1.0f, false, kAllGroups};
    for (int filled = 0; filled < 2; ++filled) {
        const std::size_t slices = grid.parts().slices();
        const Status range{Cause::out_of_range, Argument::range};
        for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{1, 0},
                                         {0, slices + 1},
                                         {slices + 1, slices + 1},
                                         {0, ~std::size_t{0}},
                                         {~std::size_t{0}, 0}}) {
            SCOPED_TRACE(testing::Message() << begin << " to " << end);
            check_refused(grid, good, begin, end, scratch, range, range);
            EXPECT_EQ(grid.parts().count_pairs(begin, end).status, range);
            EXPECT_EQ(grid.parts().count_pairs(begin, end).count, 0u);
        }
        const Status no_scratch{Cause::no_room, Argument::scratch};
        for (const auto& too_small :
             {scratch.first(scratch.size() - 1), std::span<std::uint32_t>{}}) {
            check_refused(grid, good, 0, slices, too_small, no_scratch, no_scratch);
            check_refused(grid, good, 0, 0, too_small, no_scratch, no_scratch);
        }
        for (const auto& [radius, cause] : {std::pair{-1.0f, Cause::negative},
                                            {-kInfinity, Cause::not_finite},
                                            {test::kNan, Cause::not_finite},
                                            {kInfinity, Cause::not_finite},
                                            {2e18f, Cause::too_large}}) {
            check_refused(grid, {radius, true, kAllGroups}, 0, slices, scratch,
                          {cause, Argument::radius}, {});
        }
        ASSERT_EQ(grid.update(scene.agents()), Status{});
    }
}

TYPED_TEST(RowGridCrowd, RefusesArraysTooShortForOffsetsOrCounts) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 1100);
    const auto grid = grid_of(scene);
    const test::Scratch<kDim> scratch;
    for (const std::uint32_t groups : {kAllGroups, 0u}) {
        const Neighbourhood asked{1.0f, false, groups};
        for (std::size_t end = 0; end <= grid.parts().slices(); ++end) {
            const std::size_t agents = grid.parts().agents_in(0, end);
            Ids ids(9000, kCanary);
            std::vector<std::uint64_t> offsets(agents, 77);
            Found found = grid.parts().neighbours(asked, 0, end, scratch.words(), {offsets, ids});
            // A call without answers needs no array of offsets.
            EXPECT_EQ(found.status,
                      agents == 0 ? Status{} : (Status{Cause::no_room, Argument::offsets}));
            EXPECT_EQ(offsets, std::vector<std::uint64_t>(agents, 77));
            EXPECT_EQ(ids, Ids(9000, kCanary));
            if (agents == 0) { continue; }
            const auto counts = std::span(ids).first(agents - 1);
            found = grid.parts().count_neighbours(asked, 0, end, scratch.words(), counts);
            EXPECT_EQ(found.status, (Status{Cause::no_room, Argument::counts}));
            EXPECT_EQ(found.count, 0u);
            EXPECT_EQ(ids, Ids(9000, kCanary));
        }
    }
}

} // namespace
} // namespace throng
