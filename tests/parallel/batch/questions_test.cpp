// Questions in random order to a large crowd, invalid questions, and batches without questions.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/parallel/batch/batch.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/scenes/everyone.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace throng {
namespace {

using test::Ids;

using test::kNan;
constexpr std::size_t kSmallCrowd = std::size_t{3} << 20; // bytes of index, as in spatial_sort.hpp

/// Counts loops: a batch that sorts its questions runs some more.
class LoopCounter final : public Executor {
public:
    explicit LoopCounter(Executor& executor) noexcept : executor_(executor) {}
    void run(std::size_t blocks, Body body) override {
        ++loops_;
        executor_.run(blocks, body);
    }
    /// The number of loops since the last call.
    [[nodiscard]] std::size_t loops() noexcept { return std::exchange(loops_, 0); }

private:
    Executor& executor_;
    std::size_t loops_ = 0;
};

template <std::size_t Dim>
scenes::Scene<Dim> large_scene() {
    // In space, own extents and masks make an index that is as large with fewer agents.
    if constexpr (Dim == 2) { return scenes::make_uniform<2>(260'000); }
    return scenes::make<Dim>("unaligned", 110'000, scenes::Groups::masks);
}

/// A crowd that does not fit into the second-level cache, made once.
template <std::size_t Dim>
const RowGrid<Dim>& large_grid() {
    static const RowGrid<Dim> large = [] {
        auto scene = large_scene<Dim>();
        RowGrid<Dim> grid;
        EXPECT_EQ(grid.configure(scene.world, scene.cell), Status{});
        EXPECT_EQ(grid.update(scene.agents()), Status{});
        EXPECT_GT(grid.memory().index(), kSmallCrowd);
        return grid;
    }();
    return large;
}

constexpr std::size_t kQuestions = 6'000;

/// Questions at random places in the world; some boxes are inverted, and some balls have radius 0.
template <std::size_t Dim>
void scatter(std::vector<Box<Dim>>& boxes, std::vector<Ball<Dim>>& balls) {
    scenes::Random random(9);
    const float side = Dim == 2 ? 500.0f : 47.0f;
    for (std::size_t q = 0; q < kQuestions; ++q) {
        Point<Dim> at;
        for (std::size_t a = 0; a < Dim; ++a) {
            at[a] = random.between(-1.0f, side);
        }
        boxes.push_back(Box<Dim>::around(at, Point<Dim>::all(random.between(-0.2f, 1.5f))));
        balls.push_back({at, q % 7 == 0 ? 0.0f : random.between(0.1f, 2.0f)});
    }
}

template <class Dim>
class BatchQuestions : public testing::Test {};
TYPED_TEST_SUITE(BatchQuestions, test::Dims, test::DimNames);

/// Questions in random order and in sorted order: both must have the answers of single calls.
template <std::size_t Dim, class Shape, class Less>
void check_jumping(std::vector<Shape> shapes, const Less& less, const Filter& filter) {
    const RowGrid<Dim>& grid = large_grid<Dim>();
    test::EagerPool pool(3);
    LoopCounter counter(pool);
    Batch<Dim> batch(counter);
    const std::size_t fresh = batch.memory();
    std::size_t loops_when_sorted = 0;
    for (const bool jumps : {false, true}) {
        std::vector<Shape> asked = shapes;
        if (!jumps) { std::sort(asked.begin(), asked.end(), less); }
        std::vector<Ids> answers;
        for (const Shape& shape : asked) {
            answers.emplace_back(grid.count(shape, filter).count);
            EXPECT_EQ(grid.query(shape, std::span<Id>(answers.back()), filter).status, Status{});
        }
        const Hits wanted = test::joined(answers);
        ASSERT_GT(wanted.total(), kQuestions);
        const std::span<const Shape> span(asked);

        Hits hits;
        (void)counter.loops();
        for (int round = 0; round < 2; ++round) {
            ASSERT_EQ(batch.query(grid, span, hits, filter), Status{});
            ASSERT_EQ(test::difference(hits, wanted), "") << jumps;
        }
        const std::size_t loops = counter.loops();
        if (jumps) {
            EXPECT_GT(loops, loops_when_sorted + 2) << "they are sorted no longer: test is blunt";
        } else {
            loops_when_sorted = loops;
        }
        for (const std::uint64_t room : {std::uint64_t{0}, wanted.total() / 2, wanted.total()}) {
            Hits buffer{std::vector<std::uint64_t>(asked.size() + 2, 99), Ids(room)};
            const Found found =
                batch.query(grid, span, HitsOutput{buffer.offsets, buffer.ids}, filter);
            ASSERT_EQ(found.status, Status{});
            ASSERT_EQ(found.count, wanted.total());
            ASSERT_EQ(buffer.offsets.back(), 99u) << "more than needed are left alone";
            buffer.offsets.pop_back();
            ASSERT_EQ(buffer.offsets, wanted.offsets);
            ASSERT_TRUE(std::equal(buffer.ids.begin(), buffer.ids.end(), wanted.ids.begin()));
        }
        std::vector<std::uint32_t> counts(asked.size()), lengths = test::lengths(wanted);
        ASSERT_EQ(batch.count(grid, span, counts, filter).count, wanted.total());
        ASSERT_EQ(counts, lengths);
        for (std::uint32_t& length : lengths) {
            length = length == 0 ? 0 : 1;
        }
        ASSERT_EQ(batch.any(grid, span, counts, filter).count,
                  std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}));
        ASSERT_EQ(counts, lengths);
    }
    EXPECT_GT(batch.memory(), fresh + 100'000u);
    batch.release();
    EXPECT_EQ(batch.memory(), fresh);
}

TYPED_TEST(BatchQuestions, ThatJumpAboutAreAnsweredInTheirOwnOrder) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<Box<kDim>> boxes;
    std::vector<Ball<kDim>> balls;
    scatter(boxes, balls);
    const GridShape<kDim>& shape = large_grid<kDim>().shape();
    const auto before = [&](const Point<kDim>& p, const Point<kDim>& q) {
        return std::pair(shape.row_of(p), p[0]) < std::pair(shape.row_of(q), q[0]);
    };
    check_jumping<kDim>(boxes, [&](const auto& a, const auto& b) { return before(a.lo, b.lo); },
                        {});
    check_jumping<kDim>(balls,
                        [&](const auto& a, const auto& b) { return before(a.centre, b.centre); },
                        {kAllGroups - 1, 17});
}

/// Expects the status to name the first invalid question, wherever it is.
template <std::size_t Dim, class Shape>
void check_refused(const RowGrid<Dim>& grid, const std::vector<Shape>& good, const Shape& bad,
                   const Status& wanted) {
    test::EagerPool pool(3);
    Batch<Dim> batch(pool);
    Hits before;
    const std::span<const Shape> all_good(good);
    ASSERT_EQ(batch.query(grid, all_good, before), Status{});
    const std::size_t last = good.size() - 1;
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{1}, std::size_t{511}, std::size_t{512}, last - 700, last}) {
        std::vector<Shape> shapes = good;
        shapes[at] = shapes[last] = bad;
        if (at + 600 < last) { shapes[at + 600] = bad; }
        const std::span<const Shape> asked(shapes);
        const Status blamed = {wanted.cause, wanted.argument, at};
        Hits hits = before;
        ASSERT_EQ(batch.query(grid, asked, hits), blamed);
        ASSERT_TRUE(hits.offsets.empty());
        ASSERT_EQ(hits.total(), 0u);
        std::vector<std::uint64_t> offsets(asked.size() + 1);
        Ids ids(1'000);
        std::vector<std::uint32_t> counts(asked.size());
        for (const Found& found :
             {batch.query(grid, asked, HitsOutput{offsets, ids}), batch.count(grid, asked, counts),
              batch.any(grid, asked, counts)}) {
            ASSERT_EQ(found.status, blamed);
            ASSERT_EQ(found.count, 0u);
        }
        ASSERT_EQ(batch.query(grid, all_good, hits), Status{}) << "the batch is as good as before";
        ASSERT_EQ(test::difference(hits, before), "");
    }
}

TYPED_TEST(BatchQuestions, ThatMakeNoSenseAreNamed) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<Box<kDim>> boxes;
    std::vector<Ball<kDim>> balls;
    scatter(boxes, balls);
    auto scene = scenes::make<kDim>("uniform", 2'000);
    RowGrid<kDim> small;
    ASSERT_EQ(small.update(scene.agents()), Status{});
    // For the large grid, questions are sorted first, by coordinates that may be NaN.
    const RowGrid<kDim>* const grids[] = {&small, &large_grid<kDim>()};
    for (const RowGrid<kDim>* grid : grids) {
        Box<kDim> box = boxes[0];
        box.lo[kDim - 1] = kNan;
        ASSERT_NO_FATAL_FAILURE(
            check_refused(*grid, boxes, box, {Cause::not_finite, Argument::box}));
        box = boxes[0];
        box.hi[0] = 2e18f;
        ASSERT_NO_FATAL_FAILURE(
            check_refused(*grid, boxes, box, {Cause::too_large, Argument::box}));
        ASSERT_NO_FATAL_FAILURE(check_refused(*grid, balls, {balls[0].centre, -1.0f},
                                              {Cause::negative, Argument::ball}));
        Ball<kDim> ball = balls[0];
        ball.centre[0] = -std::numeric_limits<float>::infinity();
        ASSERT_NO_FATAL_FAILURE(
            check_refused(*grid, balls, ball, {Cause::not_finite, Argument::ball}));
    }
}

TYPED_TEST(BatchQuestions, NonsenseForAllAgentsIsRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 2'000);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    Batch<kDim> batch;
    Hits hits;
    std::vector<std::uint64_t> offsets(2'001);
    std::vector<std::uint32_t> counts(2'000);
    Ids ids(1'000);
    const std::pair<float, Cause> cases[] = {
        {-1.0f, Cause::negative}, {kNan, Cause::not_finite}, {2e18f, Cause::too_large}};
    for (const auto& [radius, cause] : cases) {
        const Status blamed = {cause, Argument::radius};
        for (const Order order : {Order::storage, Order::ids}) {
            ASSERT_EQ(batch.neighbours(grid, {1.0f}, hits, order), Status{});
            ASSERT_GT(hits.total(), 2'000u);
            EXPECT_EQ(batch.neighbours(grid, {radius}, hits, order), blamed);
            EXPECT_EQ(hits.total(), 0u);
            EXPECT_TRUE(hits.offsets.empty());
            const Found found = batch.neighbours(grid, {radius}, HitsOutput{offsets, ids}, order);
            EXPECT_EQ(found.status, blamed);
            EXPECT_EQ(batch.count_neighbours(grid, {radius}, counts, order).status, blamed);
        }
    }
}

TYPED_TEST(BatchQuestions, UnusedIdsHaveNoNeighbours) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 1'500);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    std::vector<Edit<kDim>> edits;
    for (Id id = 0; id < 1'500; id += 3) {
        edits.push_back(Edit<kDim>::erase(id));
    }
    edits.push_back(Edit<kDim>::insert(2'000, {scene.position_of(1), {}, {}}));
    ASSERT_EQ(grid.edit(edits), Status{});
    ASSERT_GT(grid.id_bound(), 2'000u);

    std::vector<Ids> by_id(grid.id_bound());
    const auto ask = [&](Id id) {
        const Point<kDim> at = scene.position_of(id == 2'000 ? 1 : id);
        by_id[id] = test::ask(grid, Ball<kDim>{at, 1.0f}, {kAllGroups, id});
    };
    Ids stored(grid.size());
    ASSERT_EQ(grid.order(stored), stored.size());
    for (const Id id : stored) {
        ask(id);
    }
    std::vector<Ids> in_order;
    for (const Id id : stored) {
        in_order.push_back(by_id[id]);
    }
    test::EagerPool pool(2);
    Batch<kDim> batch(pool);
    Hits hits{std::vector<std::uint64_t>(grid.id_bound() + 1, 77), {}};
    std::vector<std::uint32_t> counts(grid.id_bound(), 77);
    ASSERT_EQ(batch.neighbours(grid, {1.0f}, hits, Order::ids), Status{});
    EXPECT_EQ(test::difference(hits, test::joined(by_id)), "");
    EXPECT_EQ(batch.count_neighbours(grid, {1.0f}, counts, Order::ids).count, hits.total());
    EXPECT_EQ(counts, test::lengths(hits));
    ASSERT_EQ(batch.neighbours(grid, {1.0f}, hits), Status{});
    EXPECT_EQ(test::difference(hits, test::joined(in_order)), "");
}

TYPED_TEST(BatchQuestions, AFaultWhileTheyAreSortedIsNoticed) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<Box<kDim>> boxes;
    std::vector<Ball<kDim>> balls;
    scatter(boxes, balls);
    const RowGrid<kDim>& grid = large_grid<kDim>();
    const std::span<const Ball<kDim>> asked(balls);
    Hits wanted;
    Batch<kDim> serial;
    ASSERT_EQ(serial.query(grid, asked, wanted), Status{});
    for (const test::Fault fault : {test::Fault::drop, test::Fault::throw_before}) {
        bool failed = true;
        for (std::size_t run = 0; failed; ++run) {
            test::FaultyExecutor faulty(fault, run);
            Batch<kDim> batch(faulty);
            Hits hits;
            try {
                const Status status = batch.query(grid, asked, hits);
                if (status.ok()) {
                    EXPECT_EQ(test::difference(hits, wanted), "");
                } else {
                    EXPECT_EQ(status.cause, Cause::executor_failed);
                    EXPECT_TRUE(hits.offsets.empty());
                    EXPECT_TRUE(faulty.failed());
                }
            } catch (const test::ExecutorError&) { EXPECT_TRUE(hits.offsets.empty()); }
            failed = faulty.failed();
            if (!failed) { continue; }
            EXPECT_EQ(batch.query(grid, asked, hits), Status{}) << "it fails but once";
            EXPECT_EQ(test::difference(hits, wanted), "");
        }
    }
}

} // namespace
} // namespace throng
