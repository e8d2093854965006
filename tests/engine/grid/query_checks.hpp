// Checks of every form of a query against the true answers.
#pragma once

#include "../../support/answers.hpp"
#include "../../support/numbers.hpp"

#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

namespace throng::test {

using Ids = std::vector<Id>;

inline const Filter kFilters[] = {
    {}, {kAllGroups, 3}, {0x1u}, {0x8000'0002u, 7}, {kAllGroups - 1}, {0u}, {0x5u, 0}};

/// A buffer of any size gets the first ids, and nothing is written beyond it.
template <std::size_t Dim, class Shape>
void check_query(const RowGrid<Dim>& grid, const Shape& shape, const Filter& filter,
                 const Ids& wanted) {
    constexpr std::size_t kGuard = 32;
    const std::size_t hits = wanted.size();
    Ids buffer;
    for (std::size_t size = 0; size <= hits + 1; ++size) {
        if (size > 18 && size + 2 < hits) { size = hits - 1; }
        buffer.assign(size + kGuard, kCanary);
        const Found found = grid.query(shape, std::span<Id>(buffer).first(size), filter);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, hits);
        const auto written = static_cast<std::ptrdiff_t>(std::min(size, hits));
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.begin() + written, buffer.begin()))
            << "in a buffer of " << size;
        ASSERT_EQ(
            std::count(buffer.begin() + static_cast<std::ptrdiff_t>(size), buffer.end(), kCanary),
            static_cast<std::ptrdiff_t>(kGuard))
            << "written past a buffer of " << size;
    }
    ASSERT_EQ(grid.query(shape, std::span<Id>{}, filter).count, hits);
}

template <std::size_t Dim, class Shape>
void check_visit(const RowGrid<Dim>& grid, const Shape& shape, const Filter& filter,
                 const Ids& wanted) {
    std::vector<std::size_t> ends; // of the runs
    Ids visited;
    const Found all = grid.visit(
        shape,
        [&](std::span<const Id> run) {
            visited.insert(visited.end(), run.begin(), run.end());
            ends.push_back(visited.size());
            return true;
        },
        filter);
    ASSERT_EQ(all.status, Status{});
    ASSERT_EQ(all.count, wanted.size());
    ASSERT_EQ(visited, wanted);

    for (std::size_t stop = 0; stop < ends.size(); ++stop) {
        if (stop > 8 && stop + 2 < ends.size()) { stop = ends.size() - 2; }
        visited.clear();
        std::size_t runs = 0;
        const Found some = grid.visit(
            shape,
            [&](std::span<const Id> run) {
                visited.insert(visited.end(), run.begin(), run.end());
                return runs++ != stop;
            },
            filter);
        ASSERT_EQ(runs, stop + 1);
        ASSERT_EQ(some.count, ends[stop]);
        ASSERT_EQ(visited.size(), ends[stop]);
        ASSERT_TRUE(std::equal(visited.begin(), visited.end(), wanted.begin()));
    }
}

template <std::size_t Dim, class Shape>
void check_single(const RowGrid<Dim>& grid, const Shape& shape, const Filter& filter,
                  const Ids& wanted) {
    check_query(grid, shape, filter, wanted);
    check_visit(grid, shape, filter, wanted);
    ASSERT_EQ(grid.count(shape, filter).count, wanted.size());
    ASSERT_EQ(grid.count(shape, filter).status, Status{});
    ASSERT_EQ(grid.any(shape, filter).count, wanted.empty() ? 0u : 1u);
    ASSERT_EQ(grid.any(shape, filter).status, Status{});
    const QueryStats stats = grid.explain(shape, filter);
    ASSERT_EQ(stats.status, Status{});
    ASSERT_EQ(stats.hits, wanted.size());
    ASSERT_GE(stats.tested + stats.copied, stats.hits);
    ASSERT_LE(stats.tested + stats.copied, grid.size());
    ASSERT_LE(stats.rows, grid.size());
}

/// Queries of one kind about a scene, with the true answers by filter and query.
template <std::size_t Dim, class Shape>
struct Questions {
    std::span<const Filter> filters;
    std::vector<Shape> shapes;
    std::vector<std::vector<Ids>> truth;

    Questions(const Truth<Dim>& oracle, const std::vector<Shape>& asked,
              std::span<const Filter> asked_with = kFilters)
        : filters(asked_with), shapes(asked) {
        for (const Filter& filter : filters) {
            truth.emplace_back();
            for (const Shape& shape : shapes) {
                truth.back().push_back(oracle.ids_in(shape, filter));
            }
        }
    }

    void check(const RowGrid<Dim>& grid, const CanonicalOrder& order) const {
        Hits hits; // the same for all batches: what it held before must not matter
        for (std::size_t f = 0; f < filters.size(); ++f) {
            const Status status = grid.query(std::span<const Shape>(shapes), hits, filters[f]);
            ASSERT_EQ(status, Status{});
            ASSERT_EQ(hits.offsets.size(), shapes.size() + 1);
            ASSERT_EQ(hits.offsets.front(), 0u);
            for (std::size_t i = 0; i < shapes.size(); ++i) {
                SCOPED_TRACE(testing::Message() << "filter " << f << ", query " << i);
                const Ids wanted = order.sorted(truth[f][i]);
                const auto got = hits.of(i);
                ASSERT_EQ(Ids(got.begin(), got.end()), wanted);
                if ((i + f) % std::size(kFilters) == 0 || (f == 0 && i % 3 == 0)) {
                    ASSERT_NO_FATAL_FAILURE(check_single(grid, shapes[i], filters[f], wanted));
                }
            }
        }
    }
};

template <std::size_t Dim, class Shape>
void check_refused(const RowGrid<Dim>& grid, const Shape& bad, const Shape& good,
                   const Status& wanted) {
    Ids out(8, kCanary);
    bool visited = false;
    const auto visitor = [&](std::span<const Id>) { return visited = true; };
    for (const Found& found : {grid.query(bad, std::span<Id>(out)), grid.visit(bad, visitor),
                               grid.count(bad), grid.any(bad)}) {
        EXPECT_EQ(found.status, wanted);
        EXPECT_EQ(found.count, 0u);
    }
    EXPECT_EQ(grid.explain(bad).status, wanted);
    EXPECT_FALSE(visited);
    EXPECT_EQ(out, Ids(8, kCanary));

    Hits hits;
    std::vector<Shape> batch{good, good, good};
    EXPECT_EQ(grid.query(std::span<const Shape>(batch), hits), Status{});
    const Hits before = hits;
    batch = {good, good, good, bad, good, bad};
    EXPECT_EQ(grid.query(std::span<const Shape>(batch), hits),
              (Status{wanted.cause, wanted.argument, 3}));
    EXPECT_EQ(hits.ids, before.ids);
    EXPECT_EQ(hits.offsets, before.offsets);
}

} // namespace throng::test
