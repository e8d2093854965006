// Batches of long paths use a tree if that pays: the answers are the same, and never those of
// agents that the grid no longer has.
#include "../../../parallel/batch/path_tree.hpp"

#include <throng/engine/grid/row_grid.hpp>
#include <throng/parallel/batch/batch.hpp>

#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"
#include "crowd/crowd_world.hpp"
#include "packings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace throng {
namespace {

using test::Ids;
using test::Packings;
using test::World;

template <std::size_t Dim>
Point<Dim> anywhere(scenes::Random& random, const Box<Dim>& world) {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = random.between(world.lo[a], world.hi[a]);
    }
    return point;
}

/// Segments across the world, by default enough to pay for a tree.
template <std::size_t Dim>
std::vector<Segment<Dim>> segments_across(const Box<Dim>& world, std::size_t count = 1500) {
    scenes::Random random(9);
    std::vector<Segment<Dim>> segments(count);
    for (auto& segment : segments) {
        segment = {anywhere(random, world), anywhere(random, world)};
    }
    return segments;
}

template <class Dim>
class PathsInTree : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Dim::value;

    /// A grid with enough rows for a tree to pay.
    static RowGrid<kAxes> grid_of(scenes::Scene<kAxes>& scene) {
        RowGrid<kAxes> grid;
        Point<kAxes> cell;
        for (std::size_t a = 0; a < kAxes; ++a) {
            cell[a] = (scene.world.hi[a] - scene.world.lo[a]) / (kAxes == 2 ? 200.0f : 40.0f);
        }
        EXPECT_EQ(grid.configure(scene.world, cell), Status{});
        EXPECT_EQ(grid.update(scene.agents()), Status{});
        return grid;
    }

    template <class Index, class Paths>
    static void expect_right(Batch<kAxes>& batch, const Index& index, const Paths& paths,
                             const Filters& filters = {}) {
        Hits hits;
        ASSERT_EQ(batch.query(index, paths, hits, filters), Status{});
        std::vector<std::uint32_t> counts(paths.size()), any(paths.size());
        ASSERT_EQ(batch.count(index, paths, counts, filters).count, hits.total());
        ASSERT_EQ(batch.any(index, paths, any, filters).status, Status{});
        for (std::size_t q = 0; q < paths.size(); ++q) {
            Ids wanted(index.size() + 64);
            wanted.resize(index.query(paths[q], wanted, filters.of(q)).count);
            ASSERT_TRUE(std::ranges::equal(hits.of(q), wanted)) << "path " << q;
            ASSERT_EQ(counts[q], wanted.size());
            ASSERT_EQ(any[q], wanted.empty() ? 0u : 1u);
        }
    }

    test::EagerPool pool_{3};
    Batch<kAxes> serial_, parallel_{pool_};
};
TYPED_TEST_SUITE(PathsInTree, test::Dims, test::DimNames);

TYPED_TEST(PathsInTree, FindWhatRowsFindInTheirOrder) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const char* name : {"uniform", "clustered", "mixed_sizes"}) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<kDim>(name, 2'000, scenes::Groups::masks);
        const RowGrid<kDim> grid = this->grid_of(scene);
        const auto segments = segments_across(scene.world);
        std::vector<Ray<kDim>> rays;
        std::vector<Capsule<kDim>> capsules;
        std::vector<Filter> each;
        for (const Segment<kDim>& segment : segments) {
            Ray<kDim> ray{segment.from, {}, 1.0f};
            for (std::size_t a = 0; a < kDim; ++a) {
                ray.direction[a] = segment.to[a] - segment.from[a];
            }
            rays.push_back(ray);
            capsules.push_back({segment.from, segment.to, 0.3f});
            const auto q = static_cast<Id>(each.size());
            each.push_back(q % 3 == 0 ? Filter{0x5u, q} : Filter{kAllGroups, q * 7 % 2'000});
        }
        for (Batch<kDim>* batch : {&this->serial_, &this->parallel_}) {
            const Filters filters[] = {Filter{}, Filter{0x3u}, Filter{0u}, each};
            for (const Filters& some : filters) {
                ASSERT_NO_FATAL_FAILURE(this->expect_right(*batch, grid, segments, some));
                ASSERT_NO_FATAL_FAILURE(this->expect_right(*batch, grid, rays, some));
                ASSERT_NO_FATAL_FAILURE(this->expect_right(*batch, grid, capsules, some));
            }
        }
    }
}

TYPED_TEST(PathsInTree, AreTheCrowdsWithGiantsAndStatics) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("uniform", 3'000, 40, scenes::Groups::masks);
    ASSERT_GT(world.crowd.size(Sets::giants), 0u);
    const auto segments = segments_across(world.scene.world, 20'000 / kDim);
    Packings packings;
    for (const Sets sets : {Sets::all, Sets::small}) {
        Hits hits;
        ASSERT_EQ(this->serial_.query({world.crowd, sets}, segments, hits), Status{});
        for (std::size_t q = 0; q < segments.size(); q += 7) {
            Ids wanted(world.crowd.size() + 128);
            wanted.resize(world.crowd.query(segments[q], wanted, {}, sets).count);
            ASSERT_TRUE(std::ranges::equal(hits.of(q), wanted)) << "path " << q;
        }
    }
    EXPECT_EQ(packings.count(), 1);
}

TYPED_TEST(PathsInTree, AreOfTheAgentsThatAreThere) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 2'000);
    RowGrid<kDim> grid = this->grid_of(scene);
    const auto segments = segments_across(scene.world, 3'000);
    scenes::Random random(4);
    Packings packings;
    const auto check = [&](int packed, const char* after) {
        SCOPED_TRACE(after);
        ASSERT_NO_FATAL_FAILURE(this->expect_right(this->serial_, grid, segments));
        EXPECT_EQ(packings.count(), packed);
    };
    ASSERT_NO_FATAL_FAILURE(check(1, "an update"));
    ASSERT_NO_FATAL_FAILURE(check(0, "nothing"));
    ASSERT_EQ(grid.move(17, anywhere(random, scene.world)), Status{});
    ASSERT_NO_FATAL_FAILURE(check(1, "a move"));
    ASSERT_EQ(grid.erase(1'000), Status{});
    ASSERT_NO_FATAL_FAILURE(check(1, "an end"));
    Agent<kDim> agent{anywhere(random, scene.world), {}, {}};
    if (grid.kind().own_half_extents) { agent.half_extent = scene.half_extent_of(0); }
    ASSERT_EQ(grid.insert(1'000, agent), Status{});
    ASSERT_NO_FATAL_FAILURE(check(1, "a beginning"));
    const Edit<kDim> edits[] = {Edit<kDim>::move(5, anywhere(random, scene.world)),
                                Edit<kDim>::erase(6)};
    ASSERT_EQ(grid.edit(edits), Status{});
    ASSERT_NO_FATAL_FAILURE(check(1, "edits"));
    auto other = scenes::make<kDim>("clustered", 2'000);
    RowGrid<kDim> second = this->grid_of(other);
    ASSERT_NO_FATAL_FAILURE(this->expect_right(this->serial_, second, segments));
    ASSERT_NO_FATAL_FAILURE(check(2, "another grid"));
    grid = std::move(second);
    ASSERT_NO_FATAL_FAILURE(this->expect_right(this->serial_, grid, segments));
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_NO_FATAL_FAILURE(this->expect_right(this->serial_, grid, segments));
    grid.clear();
    ASSERT_NO_FATAL_FAILURE(this->expect_right(this->serial_, grid, segments));
}

/// Giants search small agents by a tree too: it must be made from the present agents, not by an
/// earlier call.
TYPED_TEST(PathsInTree, AreOfTheirOwnCallAlone) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("clustered", 3'000, 40, scenes::Groups::none);
    ASSERT_GT(world.crowd.size(Sets::giants), 0u);
    const auto segments = segments_across(world.scene.world, 20'000 / kDim);
    std::vector<std::uint32_t> counts(segments.size());
    const auto pack = [&] {
        Packings packings;
        ASSERT_EQ(this->serial_.count(world.crowd, segments, counts).status, Status{});
        ASSERT_EQ(packings.count(), 1);
    };
    const Neighbourhood near{1.5f * world.scene.cell[0]};
    const auto expect_neighbours = [&] {
        Batch<kDim> fresh;
        Hits wanted, got;
        ASSERT_EQ(fresh.neighbours(world.crowd, near, wanted), Status{});
        ASSERT_EQ(this->serial_.neighbours(world.crowd, near, got), Status{});
        ASSERT_EQ(got.offsets, wanted.offsets);
        ASSERT_TRUE(std::equal(got.ids.begin(), got.ids.begin() + std::ptrdiff_t(got.total()),
                               wanted.ids.begin()));
    };
    ASSERT_NO_FATAL_FAILURE(pack());
    for (std::size_t i = 0; i < world.scene.size(); i += 2) {
        for (auto& axis : world.scene.position) {
            axis[i] = axis[(i * 17 + 1) % world.scene.size()];
        }
    }
    world.update(serial_executor());
    ASSERT_NO_FATAL_FAILURE(expect_neighbours());
    ASSERT_NO_FATAL_FAILURE(pack());
    this->serial_.release();
    ASSERT_NO_FATAL_FAILURE(expect_neighbours());
}

/// Questions too few for one call pay for a tree together; in the next frame the first call packs
/// it.
TYPED_TEST(PathsInTree, RememberTheFrameBefore) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", kDim == 2 ? 2'000 : 20'000);
    RowGrid<kDim> grid = this->grid_of(scene);
    const auto segments = segments_across(scene.world, 200);
    std::vector<std::uint32_t> counts(segments.size());
    Packings packings;
    const auto ask = [&] { (void)this->serial_.count(grid, segments, counts); };
    int calls = 1;
    for (ask(); packings.count() == 0; ++calls) {
        ASSERT_LT(calls, 1'000);
        ask();
    }
    EXPECT_GT(calls, 2);
    for (int more = 0; more < 3; ++more) {
        ask();
    }
    EXPECT_EQ(packings.count(), 0);
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ask();
    EXPECT_EQ(packings.count(), 1);
    // That frame had few questions, so the next one packs no tree at first.
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ask();
    EXPECT_EQ(packings.count(), 0);
    // Questions about another grid do not count.
    RowGrid<kDim> other = this->grid_of(scene);
    ask();
    (void)this->serial_.count(other, segments, counts);
    EXPECT_EQ(packings.count(), 0);
}

TYPED_TEST(PathsInTree, FewPathsAndShortOnesAskTheRows) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 2'000);
    const RowGrid<kDim> grid = this->grid_of(scene);
    Packings packings;
    ASSERT_NO_FATAL_FAILURE(
        this->expect_right(this->serial_, grid, segments_across(scene.world, 100)));
    auto dots = segments_across(scene.world, 3'000);
    for (auto& dot : dots) {
        dot.to = dot.from;
    }
    ASSERT_NO_FATAL_FAILURE(this->expect_right(this->serial_, grid, dots));
    EXPECT_EQ(packings.count(), 0);
}

TYPED_TEST(PathsInTree, FillBuffersAsFarAsTheyReach) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 2'000);
    const RowGrid<kDim> grid = this->grid_of(scene);
    const auto segments = segments_across(scene.world);
    Hits wanted;
    ASSERT_EQ(this->serial_.query(grid, segments, wanted), Status{});
    const std::size_t total = wanted.total();
    for (Batch<kDim>* batch : {&this->serial_, &this->parallel_}) {
        for (const std::size_t room :
             {std::size_t{0}, std::size_t{1}, total / 2, total - 1, total}) {
            Ids ids(total + 1, 77);
            std::vector<std::uint64_t> offsets(segments.size() + 1);
            const HitsOutput out{offsets, std::span(ids).first(room)};
            const Found found = batch->query(grid, segments, out);
            ASSERT_EQ(found.status, Status{});
            ASSERT_EQ(found.count, total);
            ASSERT_EQ(offsets, wanted.offsets);
            ASSERT_TRUE(
                std::equal(ids.begin(), ids.begin() + std::ptrdiff_t(room), wanted.ids.begin()));
            ASSERT_TRUE(std::all_of(ids.begin() + std::ptrdiff_t(room), ids.end(),
                                    [](Id id) { return id == 77; }));
        }
    }
}

TYPED_TEST(PathsInTree, AreRefusedLikeOthers) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 2'000);
    const RowGrid<kDim> grid = this->grid_of(scene);
    auto segments = segments_across(scene.world);
    std::vector<std::uint32_t> counts(segments.size());
    Hits hits;
    ASSERT_EQ(this->serial_.query(grid, segments, hits), Status{});
    segments[1'201].to[1] = std::numeric_limits<float>::quiet_NaN();
    const Status wanted = check_shape(segments[1'201]);
    for (Batch<kDim>* batch : {&this->serial_, &this->parallel_}) {
        Status status = batch->query(grid, segments, hits);
        EXPECT_EQ(status.cause, wanted.cause);
        EXPECT_EQ(status.argument, wanted.argument);
        EXPECT_EQ(status.index, 1'201u);
        EXPECT_EQ(hits.total(), 0u);
        EXPECT_EQ(batch->count(grid, segments, counts).status, status);
        EXPECT_EQ(batch->any(grid, segments, counts).status, status);
    }
}

TYPED_TEST(PathsInTree, BearExecutorsThatFail) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 2'000);
    const RowGrid<kDim> grid = this->grid_of(scene);
    const auto segments = segments_across(scene.world);
    Hits wanted, hits;
    ASSERT_EQ(this->serial_.query(grid, segments, wanted), Status{});
    for (const test::Fault fault : test::kEveryFault) {
        bool failed = true;
        for (std::size_t run = 0; failed; ++run) {
            ASSERT_LT(run, 100u);
            test::FaultyExecutor faulty(fault, run);
            Batch<kDim> batch(faulty);
            Status status;
            bool thrown = false;
            try {
                status = batch.query(grid, segments, hits);
            } catch (const test::ExecutorError&) { thrown = true; }
            failed = faulty.failed();
            if (thrown || !status.ok()) {
                EXPECT_TRUE(failed);
                EXPECT_EQ(hits.total(), 0u);
                ASSERT_EQ(batch.query(grid, segments, hits), Status{});
            }
            ASSERT_EQ(hits.ids, wanted.ids);
            ASSERT_EQ(hits.offsets, wanted.offsets);
        }
    }
}

TEST(SortSpread, SortsWhateverTheSpread) {
    scenes::Random random(2);
    for (std::size_t n = 0; n < 3'000; n = n < 80 ? n + 1 : n * 2) {
        for (int kind = 0; kind < 6; ++kind) {
            std::vector<std::uint32_t> numbers(n), scratch(n);
            for (std::uint32_t& number : numbers) {
                const auto any = static_cast<std::uint32_t>(random.next());
                number = kind == 0   ? any
                         : kind == 1 ? any % 50
                         : kind == 2 ? 0xFFFF'FFFFu - any % 2
                         : kind == 3 ? (any % 8 == 0 ? any : any % 100)
                         : kind == 4 ? 5
                                     : any % 1'000'000;
            }
            auto sorted = numbers;
            std::sort(sorted.begin(), sorted.end());
            sort_spread(numbers, scratch);
            ASSERT_EQ(numbers, sorted) << n << " numbers of kind " << kind;
        }
    }
}

} // namespace
} // namespace throng
