// Every call for a whole crowd, on every scene, in very different grids, against the oracle.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/parallel/batch/batch.hpp>

#include "../../support/dims.hpp"
#include "../../support/scenes/everyone.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "../../support/threads/executors.hpp"
#include "../../support/truth.hpp"
#include "neighbourhoods.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <tuple>
#include <type_traits>

namespace throng {
namespace {

using test::Ids;

constexpr Filter kFilters[] = {{}, {0x8000'0002u, 7}, {kAllGroups, 3}, {0x1u}, {0u}};
constexpr std::uint32_t kPairGroups[] = {kAllGroups, 0x3u, kAllGroups - 1, 0x8000'0000u, 0u};
constexpr Body kPairBodies[] = {Body::box, Body::disc};

/// Asks boxes or balls in every form: into a growing array, into a buffer that just fits, as
/// counts, and as yes or no.
template <std::size_t Dim, class Shape>
void check_queries(Batch<Dim>& batch, const RowGrid<Dim>& grid, const std::vector<Shape>& shapes,
                   const Filter& filter, const Hits& wanted) {
    const std::span<const Shape> asked(shapes);
    Hits hits;
    ASSERT_EQ(batch.query(grid, asked, hits, filter), Status{});
    ASSERT_EQ(test::difference(hits, wanted), "");

    Hits buffer{std::vector<std::uint64_t>(shapes.size() + 1), Ids(wanted.total())};
    const Found found = batch.query(grid, asked, HitsOutput{buffer.offsets, buffer.ids}, filter);
    ASSERT_EQ(found.status, Status{});
    ASSERT_EQ(found.count, wanted.total());
    ASSERT_EQ(test::difference(buffer, wanted), "");

    std::vector<std::uint32_t> counts(shapes.size());
    const Found counted = batch.count(grid, asked, counts, filter);
    ASSERT_EQ(counted.status, Status{});
    ASSERT_EQ(counted.count, wanted.total());
    std::vector<std::uint32_t> lengths = test::lengths(wanted);
    ASSERT_EQ(counts, lengths);

    for (std::uint32_t& length : lengths) {
        length = length == 0 ? 0 : 1;
    }
    const Found any = batch.any(grid, asked, counts, filter);
    ASSERT_EQ(any.status, Status{});
    ASSERT_EQ(counts, lengths);
    ASSERT_EQ(any.count, static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 1u)));
}

template <std::size_t Dim>
void check_neighbours(Batch<Dim>& batch, const RowGrid<Dim>& grid,
                      const Neighbourhood& neighbourhood, Order order, const Hits& wanted) {
    Hits hits;
    ASSERT_EQ(batch.neighbours(grid, neighbourhood, hits, order), Status{});
    ASSERT_EQ(test::difference(hits, wanted), "");

    Hits buffer{std::vector<std::uint64_t>(wanted.offsets.size()), Ids(wanted.total())};
    const Found found =
        batch.neighbours(grid, neighbourhood, HitsOutput{buffer.offsets, buffer.ids}, order);
    ASSERT_EQ(found.status, Status{});
    ASSERT_EQ(found.count, wanted.total());
    ASSERT_EQ(test::difference(buffer, wanted), "");

    std::vector<std::uint32_t> counts(wanted.offsets.size() - 1);
    const Found counted = batch.count_neighbours(grid, neighbourhood, counts, order);
    ASSERT_EQ(counted.status, Status{});
    ASSERT_EQ(counted.count, wanted.total());
    ASSERT_EQ(counts, test::lengths(wanted));
}

/// Joins the pairs that a visitor is shown, in the order of slices.
class Collector {
public:
    bool add(std::size_t slice, std::span<const Id> first, std::span<const Id> second) {
        const std::lock_guard lock(mutex_);
        EXPECT_FALSE(first.empty());
        EXPECT_EQ(first.size(), second.size());
        if (slice >= parts_.size()) { parts_.resize(slice + 1); }
        Pairs& part = parts_[slice]; // a slice with many pairs is shown in several runs
        part.first.insert(part.first.end(), first.begin(), first.end());
        part.second.insert(part.second.end(), second.begin(), second.end());
        part.count += first.size();
        return true;
    }
    [[nodiscard]] Pairs pairs() const {
        Pairs all;
        for (const Pairs& part : parts_) {
            all.first.insert(all.first.end(), part.first.begin(), part.first.end());
            all.second.insert(all.second.end(), part.second.begin(), part.second.end());
            all.count += part.count;
        }
        return all;
    }

private:
    std::mutex mutex_;
    std::vector<Pairs> parts_;
};

/// Calls `call(out)`, which lists pairs of one crowd or of two, with every kind of output.
template <class Call>
void check_pairs(const Call& call, const Pairs& wanted) {
    Pairs pairs;
    ASSERT_EQ(call(pairs), Status{});
    ASSERT_EQ(test::difference(pairs, wanted), "");

    Pairs buffer{Ids(wanted.count), Ids(wanted.count), wanted.count};
    const Found found = call(PairsOutput{buffer.first, buffer.second});
    ASSERT_EQ(found.status, Status{});
    ASSERT_EQ(found.count, wanted.count);
    ASSERT_EQ(test::difference(buffer, wanted), "");

    Collector collector;
    const auto collect = [&](std::size_t slice, std::span<const Id> first,
                             std::span<const Id> second) {
        return collector.add(slice, first, second);
    };
    const Found visited = call(Batch<2>::PairVisitor(collect));
    ASSERT_EQ(visited.status, Status{});
    ASSERT_EQ(visited.count, wanted.count);
    ASSERT_EQ(test::difference(collector.pairs(), wanted), "");
}

template <std::size_t Dim>
void check_pairs(Batch<Dim>& batch, const std::type_identity_t<PairsOf<Dim>>& all,
                 std::uint32_t groups, Body body, const Pairs& wanted) {
    check_pairs(
        [&](auto&& out) {
            if constexpr (requires { batch.pairs(all, out, groups, body); }) {
                return batch.pairs(all, out, groups, body);
            } else {
                return batch.visit_pairs(all, out, groups, body);
            }
        },
        wanted);
    const Found counted = batch.count_pairs(all, groups, body);
    ASSERT_EQ(counted.status, Status{});
    ASSERT_EQ(counted.count, wanted.count);
}

template <std::size_t Dim>
void check_pairs_within(Batch<Dim>& batch, const RowGrid<Dim>& grid, float radius,
                        std::uint32_t groups, const Pairs& wanted) {
    Pairs pairs;
    ASSERT_EQ(batch.pairs_within(grid, radius, pairs, groups), Status{});
    ASSERT_EQ(test::difference(pairs, wanted), "");
    for (const std::uint64_t room : {wanted.count, wanted.count / 2, std::uint64_t{0}}) {
        Pairs buffer{Ids(wanted.count + 1), Ids(room), room};
        const Found found =
            batch.pairs_within(grid, radius, PairsOutput{buffer.first, buffer.second}, groups);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, wanted.count);
        ASSERT_TRUE(std::equal(buffer.second.begin(), buffer.second.end(), wanted.second.begin()));
        ASSERT_TRUE(std::equal(buffer.first.begin(),
                               buffer.first.begin() + static_cast<std::ptrdiff_t>(room),
                               wanted.first.begin()));
    }
}

/// Another crowd in the same world: with masks, other extents, and cells of another size.
template <std::size_t Dim>
scenes::Scene<Dim> others_of(const scenes::Scene<Dim>& scene) {
    auto others = scenes::make<Dim>(scene.name, 90, scenes::Groups::masks);
    for (std::size_t a = 0; a < Dim; ++a) {
        others.common_half_extent[a] = 1.5f * others.common_half_extent[a] + 0.125f;
        others.cell[a] *= 1.75f;
    }
    others.world.lo[0] += 0.3f * others.cell[0];
    return others;
}

/// A crowd with all of the oracle's answers about it, for grids of any shape.
template <std::size_t Dim>
class Expectations {
public:
    explicit Expectations(scenes::Scene<Dim>& scene, std::size_t most_neighbourhoods)
        : scene_(scene), others_(others_of(scene)),
          neighbourhoods_(test::neighbourhoods_for(scene)) {
        EXPECT_EQ(truth_.update(scene.agents()), Status{});
        EXPECT_EQ(truth_of_others_.update(others_.agents()), Status{});
        neighbourhoods_.resize(most_neighbourhoods);
        for (const Filter& filter : kFilters) {
            boxes_.push_back(ask_each(scene.boxes, filter));
            balls_.push_back(ask_each(scene.balls, filter));
        }
        for (const Neighbourhood& neighbourhood : neighbourhoods_) {
            neighbours_.push_back(truth_.neighbours(neighbourhood));
        }
        for (const std::uint32_t groups : kPairGroups) {
            for (const Body body : kPairBodies) {
                partners_.push_back(truth_.touching(truth_, groups, body));
                partners_elsewhere_.push_back(truth_.touching(truth_of_others_, groups, body));
            }
        }
        EXPECT_EQ(other_grid_.configure(others_.world, others_.cell), Status{});
        EXPECT_EQ(other_grid_.update(others_.agents()), Status{});
    }

    void check(Batch<Dim>& batch, const RowGrid<Dim>& grid) const {
        const auto order = truth_.order(grid.shape());
        for (std::size_t f = 0; f < std::size(kFilters); ++f) {
            SCOPED_TRACE(testing::Message() << "filter " << f);
            ASSERT_NO_FATAL_FAILURE(check_queries(batch, grid, scene_.boxes, kFilters[f],
                                                  test::in_id_order(boxes_[f], order)));
            ASSERT_NO_FATAL_FAILURE(check_queries(batch, grid, scene_.balls, kFilters[f],
                                                  test::in_id_order(balls_[f], order)));
        }
        for (std::size_t n = 0; n < neighbourhoods_.size(); ++n) {
            SCOPED_TRACE(testing::Message() << "neighbourhood " << n);
            ASSERT_NO_FATAL_FAILURE(
                check_neighbours(batch, grid, neighbourhoods_[n], Order::storage,
                                 test::in_storage_order(neighbours_[n], order)));
            ASSERT_NO_FATAL_FAILURE(check_neighbours(batch, grid, neighbourhoods_[n], Order::ids,
                                                     test::in_id_order(neighbours_[n], order)));
            Neighbourhood later = neighbourhoods_[n];
            later.later_only = true;
            std::vector<Ids> after = neighbours_[n];
            for (Id id = 0; id < after.size(); ++id) {
                after[id] = order.from(id, after[id]);
            }
            ASSERT_NO_FATAL_FAILURE(check_neighbours(batch, grid, later, Order::storage,
                                                     test::in_storage_order(after, order)));
            ASSERT_NO_FATAL_FAILURE(
                check_neighbours(batch, grid, later, Order::ids, test::in_id_order(after, order)));
            for (Id id = 0; id < after.size() && later.groups != kAllGroups; ++id) {
                if (!after[id].empty() && (truth_[id].groups & later.groups) == 0) {
                    after[id].clear();
                }
            }
            ASSERT_NO_FATAL_FAILURE(check_pairs_within(batch, grid, later.radius, later.groups,
                                                       test::pairs_within(after, order)));
        }
        const auto other_order = truth_of_others_.order(other_grid_.shape());
        for (std::size_t g = 0; g < partners_.size(); ++g) {
            const std::uint32_t groups = kPairGroups[g / std::size(kPairBodies)];
            const Body body = kPairBodies[g % std::size(kPairBodies)];
            SCOPED_TRACE(testing::Message()
                         << "groups " << groups << ", body " << static_cast<unsigned>(body));
            ASSERT_NO_FATAL_FAILURE(
                check_pairs(batch, grid, groups, body, test::pairs_within(partners_[g], order)));
            ASSERT_NO_FATAL_FAILURE(
                check_pairs(batch, {grid, other_grid_}, groups, body,
                            test::pairs_between(partners_elsewhere_[g], order, other_order)));
        }
    }

private:
    template <class Shape>
    std::vector<Ids> ask_each(const std::vector<Shape>& shapes, const Filter& filter) const {
        std::vector<Ids> answers;
        for (const Shape& shape : shapes) {
            answers.push_back(truth_.ids_in(shape, filter));
        }
        return answers;
    }

    const scenes::Scene<Dim>& scene_;
    scenes::Scene<Dim> others_;
    test::Truth<Dim> truth_, truth_of_others_;
    RowGrid<Dim> other_grid_;
    std::vector<Neighbourhood> neighbourhoods_;
    std::vector<std::vector<Ids>> boxes_, balls_, neighbours_, partners_, partners_elsewhere_;
};

template <std::size_t Dim>
void check_scene(std::string_view name, std::size_t count, scenes::Groups groups,
                 std::size_t most_shapes, Executor& executor) {
    auto scene = scenes::make<Dim>(name, count, groups);
    // Brute force is slow where every agent is a neighbour of all others.
    const Expectations<Dim> expected(scene, count > 512 ? 3 : 9);
    auto shapes = scenes::shapes_for(scene);
    shapes.resize(std::min(shapes.size(), most_shapes));
    Batch<Dim> batch(executor); // one for all grids: earlier calls must not matter
    for (const GridShape<Dim>& shape : shapes) {
        SCOPED_TRACE(testing::Message()
                     << name << ", " << shape.cells[0] << " cells, " << shape.rows() << " rows");
        RowGrid<Dim> grid;
        ASSERT_EQ(grid.use(shape), Status{});
        ASSERT_EQ(grid.update(scene.agents(), executor), Status{});
        ASSERT_NO_FATAL_FAILURE(expected.check(batch, grid));
    }
}

class BatchScenes : public testing::TestWithParam<test::SceneCase> {};

TEST_P(BatchScenes, AreAnsweredLikeBruteForce) {
    const auto [dim, name, groups] = GetParam();
    const auto check = dim == 2 ? check_scene<2> : check_scene<3>;
    check(name, 90, groups, 5, serial_executor());
}

INSTANTIATE_TEST_SUITE_P(All, BatchScenes, test::all_scene_cases(), test::scene_case_name);

class BatchSlices : public testing::TestWithParam<test::SceneCase> {};

// A slice has at least 512 agents. On several threads slices finish in any order.
TEST_P(BatchSlices, AreAnsweredLikeBruteForce) {
    const auto [dim, name, groups] = GetParam();
    test::EagerPool pool(3);
    const auto check = dim == 2 ? check_scene<2> : check_scene<3>;
    check(name, 1'100, groups, 1, pool);
}

INSTANTIATE_TEST_SUITE_P(Some, BatchSlices,
                         test::scene_cases({"uniform", "clustered", "lattice_of_tenths", "rim",
                                            "mixed_sizes"},
                                           {scenes::Groups::masks}),
                         test::scene_case_name);

} // namespace
} // namespace throng
