// Invalid calls change nothing in any structure; and which calls allocate.
#include "../support/allocation_counter.hpp"
#include "../support/numbers.hpp"
#include "../support/random.hpp"
#include "any_index.hpp"

#include <limits>

namespace throng {
namespace {

using test::kNan;

template <std::size_t Dim>
class EveryFault : public test::AnyIndexTest<Dim> {};

// Questions that make no sense are refused, and no agent is visited.
template <std::size_t Dim, class Shape>
void check_refused(const test::Asked<Dim>& index, const test::Truth<Dim>& truth,
                   const Shape& shape) {
    test::Ids out(4, 77);
    bool visited = false;
    const auto visitor = [&](std::span<const Id>) { return visited = true; };
    const Status wanted = truth.count(shape).status;
    EXPECT_FALSE(wanted.ok());
    for (const Found& found :
         {index.query(shape, std::span<Id>(out), {}), index.visit(shape, visitor, {}),
          index.count(shape, {}), index.any(shape, {})}) {
        EXPECT_EQ(found.status, wanted);
        EXPECT_EQ(found.count, 0u);
    }
    EXPECT_FALSE(visited);
    EXPECT_EQ(out, test::Ids(4, 77));
    Hits hits, hits_of_truth;
    const std::vector<Shape> batch{shape};
    EXPECT_EQ(index.query(batch, hits, {}), truth.query(batch, hits_of_truth));
}

/// Asks one invalid question of every shape.
template <std::size_t Dim>
void check_nonsense(const test::Asked<Dim>& index, const test::Truth<Dim>& truth) {
    const Point<Dim> middle = Point<Dim>::all(1.0f);
    Point<Dim> off = middle;
    off[0] = kNan;
    const auto refuse = [&](const auto& shape) { check_refused<Dim>(index, truth, shape); };
    refuse(Box<Dim>{off, middle});
    refuse(Ball<Dim>{middle, -1.0f});
    refuse(Sector<Dim>{middle, 1.0f, Point<Dim>{}});
    refuse(Segment<Dim>{middle, off});
    refuse(Ray<Dim>{middle, Point<Dim>{}});
    refuse(Capsule<Dim>{middle, middle, kNan});
    refuse(OrientedBox<Dim>{off, {}});
    refuse(Cylinder<Dim>{middle, 1.0f, 0.0f, 1.0f, 0});
    Convex<Dim> convex;
    convex.count = 9;
    refuse(convex);
}

/// Invalid questions are refused also where there is nothing to find: only the oracle has a crowd.
THRONG_TEST_EVERY_INDEX(EveryFault, RefusesNonsenseWithNothingToFind) {
    auto scene = scenes::make<kDim>("mixed_sizes", 50, scenes::Groups::masks);
    ASSERT_EQ(this->truth_.update(scene.agents()), Status{});
    auto& index = this->index_;
    {
        SCOPED_TRACE("fresh");
        check_nonsense<kDim>(index, this->truth_);
    }
    ASSERT_EQ(index.lay_out(scene, kind_of(scene.agents())), Status{});
    {
        SCOPED_TRACE("laid out");
        check_nonsense<kDim>(index, this->truth_);
    }
    ASSERT_EQ(index.update(scene.agents()), Status{});
    index.clear();
    {
        SCOPED_TRACE("cleared");
        check_nonsense<kDim>(index, this->truth_);
    }
    ASSERT_EQ(index.update(scene.agents()), Status{});
    for (Id id = 0; id < scene.size(); ++id) {
        ASSERT_EQ(index.erase(id), Status{});
    }
    SCOPED_TRACE("without agents");
    check_nonsense<kDim>(index, this->truth_);
}

THRONG_TEST_EVERY_INDEX(EveryFault, RefusesNonsenseAndChangesNothing) {
    auto scene = scenes::make<kDim>("mixed_sizes", 200, scenes::Groups::masks);
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    auto& index = this->index_;
    auto& truth = this->truth_;
    const test::Ids before = test::all_ids<kDim>(index);
    const Point<kDim> middle = Point<kDim>::all(1.0f);
    const Agent<kDim> sound{middle, middle, 1u};
    Agent<kDim> bad = sound;
    bad.position[kDim - 1] = kNan;
    EXPECT_EQ(index.insert(1000, bad), truth.insert(1000, bad));
    bad = sound;
    bad.half_extent->axis[0] = -1.0f;
    EXPECT_EQ(index.insert(1000, bad), truth.insert(1000, bad));
    bad = {middle, {}, 1u};
    EXPECT_EQ(index.insert(1000, bad), truth.insert(1000, bad));
    bad = {middle, middle, {}};
    EXPECT_EQ(index.insert(1000, bad), truth.insert(1000, bad));
    EXPECT_EQ(index.insert(7, sound), truth.insert(7, sound));
    EXPECT_EQ(index.insert(kNoId, sound), truth.insert(kNoId, sound));
    EXPECT_EQ(index.erase(1000), truth.erase(1000));
    EXPECT_EQ(index.erase(kNoId), truth.erase(kNoId));
    EXPECT_EQ(index.move(1000, middle), truth.move(1000, middle));
    Point<kDim> off = middle;
    off[0] = kNan;
    EXPECT_EQ(index.move(7, off), truth.move(7, off));

    auto worse = scene;
    worse.position[kDim - 1].back() = std::numeric_limits<float>::infinity();
    EXPECT_EQ(index.update(worse.agents()), truth.update(worse.agents()));
    worse = scene;
    worse.half_extent[0][50] = -2.0f;
    EXPECT_EQ(index.update(worse.agents()), truth.update(worse.agents()));
    auto views = scene.agents();
    views.groups.count -= 1;
    EXPECT_EQ(index.update(views), truth.update(views));
    const CrowdKind<kDim> negative{false, false, Point<kDim>::all(-1.0f)};
    EXPECT_EQ(index.lay_out(scene, negative).cause, Cause::negative);

    check_nonsense<kDim>(index, truth);

    EXPECT_STREQ(index.validate(), nullptr);
    EXPECT_EQ(test::all_ids<kDim>(index), before);
    ASSERT_NO_FATAL_FAILURE(this->check_all(test::Questions<kDim>(scene)));
}

THRONG_TEST_EVERY_INDEX(EveryFault, QueriesAllocateNothing) {
    auto scene = scenes::make<kDim>("mixed_sizes", 3000);
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    const test::Questions<kDim> questions(scene, 8);
    const auto& index = this->index_;
    const test::Asked<kDim> asked(index);
    std::size_t found = 0;
    const auto ask_all = [&](const auto& shapes) {
        for (const auto& shape : shapes) {
            found += asked.count(shape, {}).count + asked.any(shape, {}).count;
        }
    };
    const std::size_t before = test::allocations();
    ask_all(questions.boxes);
    ask_all(questions.balls);
    ask_all(questions.others.segments);
    ask_all(questions.others.rays);
    ask_all(questions.others.capsules);
    ask_all(questions.others.sectors);
    ask_all(questions.others.convexes);
    ask_all(questions.others.oriented_boxes);
    ask_all(questions.others.cylinders);
    found += index.visit_pairs([](auto, auto) { return true; }).count;
    index.visit_cells([](const IndexCell<kDim>&) { return true; });
    EXPECT_EQ(test::allocations(), before);
    EXPECT_GT(found, 0u);
}

THRONG_TEST_EVERY_INDEX(EveryFault, ACrowdThatMovesAllocatesNothingInTheLongRun) {
    auto scene = scenes::make<kDim>("uniform", 2000);
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    scenes::Random random(17);
    // Agents move about their homes: the crowd stays as it is, and still all agents move.
    const auto home = scene.position;
    std::size_t before = 0;
    MemoryUse memory;
    for (int frame = 0; frame < 240; ++frame) {
        if (frame == 120) {
            before = test::allocations();
            memory = this->index_.memory();
        }
        for (std::size_t a = 0; a < kDim; ++a) {
            for (std::size_t i = 0; i < scene.size(); ++i) {
                scene.position[a][i] = home[a][i] + random.between(-1.0f, 1.0f);
            }
        }
        ASSERT_EQ(this->index_.update(scene.agents()), Status{});
        this->index_.tidy();
    }
    if (this->entry_->has_cells) { EXPECT_LE(test::allocations() - before, 6u); }
    EXPECT_LE(static_cast<double>(this->index_.memory().total()),
              1.02 * static_cast<double>(memory.total()));
}

} // namespace
} // namespace throng
