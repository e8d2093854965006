// Lists, counts and the nearest across several grids, against the oracle; and refusals.

#include "../../support/dims.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "../../support/threads/executors.hpp"
#include "among_truth.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace throng {
namespace {

using test::Parts;
using test::SplitCrowd;

constexpr Order kOrdersOfGrids[] = {Order::storage, Order::ids};

class BatchAmong : public testing::TestWithParam<test::SceneCase> {
protected:
    template <std::size_t Dim>
    void run() {
        const auto& [dim, name, groups] = GetParam();
        auto scene = scenes::make<Dim>(name, 150, groups);
        const auto shapes = scenes::shapes_for(scene);
        const Parts all_askers[] = {{0, 1, 2}, {1}, {0}, {2, 0}};
        const Parts all_others[] = {{1}, {0, 1, 2}, {0}, {2, 0}, {}, {1, 1, 2}};
        test::EagerPool pool(2);
        Batch<Dim> batch(pool);
        for (std::size_t s = 0; s < 2 * shapes.size(); ++s) {
            SCOPED_TRACE("case " + std::to_string(s));
            const SplitCrowd<Dim> crowd(scene, shapes, s);
            const float radii[] = {scene.cell[0], 5.0f, 0.0f, 2.5f * scene.cell[0], kLargest};
            const Neighbourhood asked{radii[s % 5], s % 2 == 1, s % 3 != 2 ? 0x5u : kAllGroups};
            const Neighbourhood later{asked.radius, s % 3 == 1, asked.groups, true};
            Neighbourhood bodies = s % 4 < 2 ? asked : later;
            // Both bodies meet all of the others, of which there are six.
            bodies.body = s / 6 % 2 == 0 ? Body::box : Body::disc;
            const Parts& askers = all_askers[s % 4];
            const Parts& others = all_others[s % 6];
            for (const Order order : kOrdersOfGrids) {
                ASSERT_NO_FATAL_FAILURE(check(batch, crowd, askers, others, asked, order));
                ASSERT_NO_FATAL_FAILURE(
                    check_neighbours(batch, crowd, askers, others, later, order));
                ASSERT_NO_FATAL_FAILURE(
                    check_neighbours(batch, crowd, askers, others, bodies, order));
                ASSERT_NO_FATAL_FAILURE(check_nearest(batch, crowd, askers, others, bodies, order));
            }
        }
    }

private:
    template <std::size_t Dim>
    static void check_neighbours(Batch<Dim>& batch, const SplitCrowd<Dim>& crowd,
                                 const Parts& askers, const Parts& others,
                                 const Neighbourhood& asked, Order order) {
        const auto asking = crowd.grids(askers), other_grids = crowd.grids(others);
        const Hits wanted = test::wanted_neighbours(crowd, askers, others, asked, order);
        Hits hits;
        ASSERT_EQ(batch.neighbours({asking, other_grids}, asked, hits, order), Status{});
        ASSERT_EQ(test::difference(hits, wanted), "");

        // With room for all hits, and for half of them.
        for (const std::uint64_t room : {wanted.total(), wanted.total() / 2}) {
            Hits buffer{std::vector<std::uint64_t>(wanted.offsets.size()),
                        test::Ids(wanted.total() + 1, 7)};
            const HitsOutput out{buffer.offsets, std::span(buffer.ids).first(room)};
            const Found found = batch.neighbours({asking, other_grids}, asked, out, order);
            ASSERT_EQ(found.status, Status{});
            ASSERT_EQ(found.count, wanted.total());
            ASSERT_EQ(buffer.offsets, wanted.offsets);
            ASSERT_TRUE(std::equal(out.second.begin(), out.second.end(), wanted.ids.begin()));
            ASSERT_EQ(
                std::count(buffer.ids.data() + room, buffer.ids.data() + buffer.ids.size(), 7u),
                static_cast<std::ptrdiff_t>(buffer.ids.size() - room));
        }

        std::vector<std::uint32_t> counts(wanted.offsets.size() - 1, 77);
        const Found counted = batch.count_neighbours({asking, other_grids}, asked, counts, order);
        ASSERT_EQ(counted.status, Status{});
        ASSERT_EQ(counted.count, wanted.total());
        ASSERT_EQ(counts, test::lengths(wanted));
    }

    template <std::size_t Dim>
    static void check(Batch<Dim>& batch, const SplitCrowd<Dim>& crowd, const Parts& askers,
                      const Parts& others, const Neighbourhood& asked, Order order) {
        ASSERT_NO_FATAL_FAILURE(check_neighbours(batch, crowd, askers, others, asked, order));
        ASSERT_NO_FATAL_FAILURE(check_nearest(batch, crowd, askers, others, asked, order));
    }

    template <std::size_t Dim>
    static void check_nearest(Batch<Dim>& batch, const SplitCrowd<Dim>& crowd, const Parts& askers,
                              const Parts& others, const Neighbourhood& asked, Order order) {
        const auto asking = crowd.grids(askers), other_grids = crowd.grids(others);
        for (const std::uint32_t k : {0u, 1u, 5u}) {
            const NearestNeighbours nearest{.k = k,
                                            .radius = asked.radius,
                                            .with_self = asked.with_self,
                                            .groups = asked.groups,
                                            .body = asked.body};
            const NearHits best = test::wanted_nearest(crowd, askers, others, nearest, order);
            NearHits near;
            ASSERT_EQ(batch.nearest_neighbours({asking, other_grids}, nearest, near, order),
                      Status{});
            ASSERT_EQ(near.counts, best.counts);
            ASSERT_EQ(near.nearest, best.nearest);
        }
    }
};

TEST_P(BatchAmong, GivesTheAnswersOfBruteForce) {
    if (std::get<0>(GetParam()) == 2) {
        run<2>();
    } else {
        run<3>();
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, BatchAmong, test::all_scene_cases(), test::scene_case_name);

template <class Dim>
class BatchOfGrids : public testing::Test {
protected:
    static constexpr std::size_t kDims = Dim::value;

    BatchOfGrids()
        : scene_(scenes::make<kDims>("clustered", 6000, scenes::Groups::masks)),
          crowd_(scene_, scenes::shapes_for(scene_), 0), grids_(crowd_.grids({0, 1, 2})) {}

    scenes::Scene<kDims> scene_;
    SplitCrowd<kDims> crowd_;
    std::vector<NamedGrid<kDims>> grids_;
};
TYPED_TEST_SUITE(BatchOfGrids, test::Dims, test::DimNames);

TYPED_TEST(BatchOfGrids, SayTheSameOnEveryExecutor) {
    const auto wanted = test::all_said(this->crowd_, serial_executor());
    test::ShuffleExecutor shuffle(3);
    EXPECT_EQ(test::all_said(this->crowd_, shuffle), wanted);
    for (const std::size_t threads : {2u, 5u}) {
        test::EagerPool pool(threads);
        EXPECT_EQ(test::all_said(this->crowd_, pool), wanted);
    }
}

TYPED_TEST(BatchOfGrids, GoByTheirOwnIdsWithoutNames) {
    constexpr std::size_t kDim = TypeParam::value;
    // The askers and the others have ids of their own, which overlap.
    const RowGrid<kDim>& grid = this->crowd_.part(1).grid;
    const RowGrid<kDim>& others = this->crowd_.part(2).grid;
    const NamedGrid<kDim> asking(grid), other_grids(others);
    Batch<kDim> batch;
    Hits hits;
    ASSERT_EQ(batch.neighbours({{&asking, 1}, {&other_grids, 1}}, {2.0f}, hits, Order::ids),
              Status{});
    ASSERT_EQ(hits.offsets.size(), grid.id_bound() + 1);
    ASSERT_NE(hits.total(), 0u);
    for (Id id = 0; id < grid.id_bound(); ++id) {
        const Ball<kDim> ball{this->crowd_.part(1).positions[id], 2.0f};
        test::Ids ids(others.size());
        ids.resize(others.query(ball, std::span<Id>(ids)).count);
        ASSERT_EQ(ids, test::Ids(hits.of(id).begin(), hits.of(id).end()));
    }
}

TYPED_TEST(BatchOfGrids, SayWhatTheyCannotDo) {
    constexpr std::size_t kDim = TypeParam::value;
    using Grids = std::span<const NamedGrid<kDim>>;
    Batch<kDim> batch;
    NamedGrid<kDim> nameless = this->grids_[1];
    nameless.names = nameless.names.first(nameless.names.size() - 1);
    std::vector<Id> bad_names(this->grids_[1].names.begin(), this->grids_[1].names.end());
    bad_names[3] = kNoId;
    const NamedGrid<kDim> badly_named(*this->grids_[1].grid, bad_names);
    const std::vector<NamedGrid<kDim>> too_many(kMostGrids + 1, this->grids_[1]);
    const Grids all(this->grids_);
    const auto expect_refused = [&](Grids askers, Grids others, const Neighbourhood& asked,
                                    Order order, const Status& wanted) {
        Hits hits{{0, 1}, {5}};
        EXPECT_EQ(batch.neighbours({askers, others}, asked, hits, order), wanted);
        EXPECT_TRUE(hits.offsets.empty());
        std::vector<std::uint32_t> counts(2 * this->crowd_.size(), 77);
        EXPECT_EQ(batch.count_neighbours({askers, others}, asked, counts, order).status, wanted);
        NearHits near;
        EXPECT_EQ(batch.nearest_neighbours({askers, others}, {1, asked.radius}, near, order),
                  wanted);
        EXPECT_TRUE(near.counts.empty());
    };
    for (const Order order : kOrdersOfGrids) {
        expect_refused(too_many, all, {1.0f}, order,
                       {Cause::too_many, Argument::askers, kMostGrids});
        expect_refused(all, too_many, {1.0f}, order,
                       {Cause::too_many, Argument::others, kMostGrids});
        expect_refused({&nameless, 1}, all, {1.0f}, order,
                       {Cause::count_mismatch, Argument::askers, 0});
        NamedGrid<kDim> lopsided = this->grids_[0];
        const std::vector<float> halves(1000, 0.25f);
        lopsided.half_extents[kDim - 1] = halves.data();
        expect_refused(all, {&lopsided, 1}, {1.0f}, order,
                       {Cause::null_pointer, Argument::others, 0});
        NamedGrid<kDim> endless = this->grids_[0];
        endless.half_extents.fill(halves.data());
        endless.largest[0] = -1.0f;
        expect_refused({&endless, 1}, all, {1.0f}, order,
                       {Cause::out_of_range, Argument::askers, 0});
        const NamedGrid<kDim> two[] = {this->grids_[0], nameless};
        expect_refused(all, two, {1.0f}, order, {Cause::count_mismatch, Argument::others, 1});
        expect_refused(all, all.subspan(1), {-1.0f}, order, {Cause::negative, Argument::radius});
        expect_refused(all, all, {std::nanf("")}, order, {Cause::not_finite, Argument::radius});
    }
    expect_refused({&badly_named, 1}, all, {1.0f}, Order::ids,
                   {Cause::too_many, Argument::id, kNoId});

    std::vector<std::uint64_t> offsets(this->crowd_.size());
    EXPECT_EQ(batch.neighbours({all, all}, {1.0f}, HitsOutput{offsets, {}}).status,
              (Status{Cause::no_room, Argument::offsets}));
    std::vector<std::uint32_t> counts(this->crowd_.size() - 1);
    EXPECT_EQ(batch.count_neighbours({all, all}, {1.0f}, counts).status,
              (Status{Cause::no_room, Argument::counts}));
    std::vector<Near> near(this->crowd_.size());
    EXPECT_EQ(batch.nearest_neighbours({all, all}, {1}, NearOutput{near, counts}).status,
              (Status{Cause::no_room, Argument::counts}));
    test::FaultyExecutor faulty(test::Fault::drop, 0);
    Batch<kDim> loses(faulty);
    Hits hits;
    EXPECT_EQ(loses.neighbours({all, all}, {1.0f}, hits).status.cause, Cause::executor_failed);
    EXPECT_TRUE(hits.offsets.empty());
}

TYPED_TEST(BatchOfGrids, FindNothingInEmptyGrids) {
    constexpr std::size_t kDim = TypeParam::value;
    const RowGrid<kDim> never_configured;
    const NamedGrid<kDim> empty(never_configured);
    const std::span<const NamedGrid<kDim>> one_empty(&empty, 1), none;
    Batch<kDim> batch;
    for (const Order order : kOrdersOfGrids) {
        for (const auto& askers : {one_empty, none}) {
            Hits hits;
            EXPECT_EQ(batch.neighbours({askers, this->grids_}, {1.0f}, hits, order), Status{});
            EXPECT_EQ(hits.offsets, std::vector<std::uint64_t>{0});
        }
        for (const auto& others : {one_empty, none}) {
            Hits hits;
            EXPECT_EQ(batch.neighbours({this->grids_, others}, {1.0f}, hits, order), Status{});
            EXPECT_EQ(hits.offsets, std::vector<std::uint64_t>(this->crowd_.size() + 1));
            NearHits near;
            for (const Body body : {Body::centre, Body::box, Body::disc}) {
                EXPECT_EQ(batch.nearest_neighbours({this->grids_, others}, {.k = 2, .body = body},
                                                   near, order),
                          Status{});
                EXPECT_EQ(near.nearest, std::vector<Near>(2 * this->crowd_.size()));
            }
        }
    }
}

} // namespace
} // namespace throng
