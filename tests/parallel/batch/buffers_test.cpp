// Arrays of the caller's, of any length and at any address: the part that fits is right, the counts
// are true, and nothing is written past the end.
#include <throng/parallel/batch/batch.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../simd/kernels/guarded.hpp"
#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

namespace throng {
namespace {

using test::Guarded;
using test::Ids;

using test::kCanary;

/// A crowd of several slices, and a question about each agent, most with few answers.
template <std::size_t Dim>
struct SparseCrowd {
    RowGrid<Dim> grid, others;
    std::vector<Box<Dim>> boxes;
    std::vector<Ball<Dim>> balls;
    Neighbourhood near{1.0f, false, kAllGroups};

    SparseCrowd() {
        auto scene = scenes::make_uniform<Dim>(1'100);
        for (auto& axis : scene.position) {
            for (float& x : axis) {
                x *= Dim == 2 ? 4.0f : 2.5f;
            }
        }
        scene.common_half_extent = Point<Dim>::all(0.9f);
        EXPECT_EQ(grid.update(scene.agents()), Status{});
        EXPECT_GE(grid.parts().slices(), 3u);
        for (std::size_t i = 0; i < scene.size(); ++i) {
            const Point<Dim> at = scene.position_of(i);
            boxes.push_back(Box<Dim>::around(at, Point<Dim>::all(i % 5 == 0 ? 0.1f : -0.1f)));
            balls.push_back({at, i % 4 == 0 ? 0.5f : 0.0f});
            if (i % 2 == 0) { balls.back().centre[0] += 0.25f; }
        }
        for (float& x : scene.position[0]) {
            x += 0.5f;
        }
        EXPECT_EQ(others.update(scene.agents()), Status{});
    }
};

/// An array directly before a guard page, or with `shift` words behind it that must not change.
class Room {
public:
    explicit Room(std::size_t most) : guarded_(most + 16) {}
    std::span<Id> make(std::size_t room, std::size_t shift) {
        room_ = room;
        shift_ = shift;
        std::fill_n(guarded_.last(room + shift), room + shift, kCanary);
        return {guarded_.last(room + shift), room};
    }
    [[nodiscard]] bool is_unharmed() const {
        return std::count(guarded_.last(shift_), guarded_.end(), kCanary) ==
               static_cast<std::ptrdiff_t>(shift_);
    }
    [[nodiscard]] bool starts_like(const Ids& wanted) const {
        const Id* const begin = guarded_.last(room_ + shift_);
        return std::equal(begin, begin + std::min(room_, wanted.size()), wanted.begin());
    }

private:
    Guarded<Id> guarded_;
    std::size_t room_ = 0, shift_ = 0;
};

/// Calls call(room, shift) for all lengths and alignments that matter at the end of an array.
template <std::size_t Dim, class Call>
void for_each_room(std::uint64_t total, const Call& call) {
    // All of them in the plane. In space every fifth is enough: other agents are found there, but
    // they are written in the same way.
    const bool emulated = std::getenv("THRONG_TEST_EMULATED") != nullptr;
    const std::size_t step = Dim == 2 && !emulated ? 1 : 5;
    for (std::size_t room = 0; room <= 130; ++room) {
        for (std::size_t shift = room % step; shift < 16; shift += step) {
            ASSERT_NO_FATAL_FAILURE(call(room, shift));
        }
    }
    for (const std::uint64_t room : {total - 1, total, total + 1, total + 16}) {
        for (std::size_t shift = 0; shift < 16; ++shift) {
            ASSERT_NO_FATAL_FAILURE(call(room, shift));
        }
    }
}

template <class Dim>
class BatchBuffers : public testing::Test {
protected:
    static constexpr std::size_t kDim = Dim::value;

    /// `ask` is a call that yields hits. Its offsets also end at a guard page.
    template <class Ask>
    void check_hits(std::size_t questions, const Ask& ask) {
        Hits wanted;
        ASSERT_EQ(ask(this->serial_, wanted), Status{});
        ASSERT_EQ(wanted.offsets.size(), questions + 1);
        const std::uint64_t total = wanted.total();
        wanted.ids.resize(total);
        ASSERT_GT(total, 150u);
        ASSERT_LT(total, 6'000u);
        Room room(total + 16);
        const Guarded<std::uint64_t> offsets(questions + 1);
        for (Batch<kDim>* batch : {&this->serial_, &this->parallel_}) {
            ASSERT_NO_FATAL_FAILURE(for_each_room<kDim>(total, [&](std::size_t size,
                                                                   std::size_t shift) {
                SCOPED_TRACE(testing::Message() << "room " << size << ", shift " << shift);
                // A pool takes long to wake up and does the same for all shifts, so it gets one
                // shift only.
                if (batch == &this->parallel_ && shift != size % 16) { return; }
                std::fill(offsets.begin(), offsets.end(), 99u);
                const HitsOutput out = {{offsets.begin(), questions + 1}, room.make(size, shift)};
                const Found found = ask(*batch, out);
                ASSERT_EQ(found.status, Status{});
                ASSERT_EQ(found.count, total);
                ASSERT_TRUE(std::equal(offsets.begin(), offsets.end(), wanted.offsets.begin()));
                ASSERT_TRUE(room.starts_like(wanted.ids));
                ASSERT_TRUE(room.is_unharmed());
            }));
        }
        // If the offsets do not fit, nothing is written.
        std::fill(offsets.begin(), offsets.end(), 99u);
        for (const std::size_t few : {std::size_t{0}, std::size_t{1}, questions}) {
            const HitsOutput out = {{offsets.begin(), few}, room.make(total, 0)};
            const Found found = ask(this->serial_, out);
            EXPECT_EQ(found.status, (Status{Cause::no_room, Argument::offsets}));
            EXPECT_EQ(found.count, 0u);
            EXPECT_TRUE(room.starts_like(Ids(total, kCanary)));
            EXPECT_EQ(std::count(offsets.begin(), offsets.end(), 99u),
                      static_cast<std::ptrdiff_t>(questions + 1));
        }
        // Offsets past the needed ones are not written.
        std::vector<std::uint64_t> many(questions + 4, 99u);
        EXPECT_EQ(ask(this->serial_, HitsOutput{many, {}}).count, total);
        EXPECT_EQ(many[questions], total);
        EXPECT_EQ(many[questions + 1], 99u);
    }

    template <class Ask>
    void check_pairs(const Ask& ask) {
        Pairs wanted;
        ASSERT_EQ(ask(this->serial_, wanted), Status{});
        wanted.first.resize(wanted.count);
        wanted.second.resize(wanted.count);
        ASSERT_GT(wanted.count, 150u);
        ASSERT_LT(wanted.count, 6'000u);
        Room first(wanted.count + 40), second(wanted.count + 40);
        for (Batch<kDim>* batch : {&this->serial_, &this->parallel_}) {
            ASSERT_NO_FATAL_FAILURE(
                for_each_room<kDim>(wanted.count, [&](std::size_t size, std::size_t shift) {
                    SCOPED_TRACE(testing::Message() << "room " << size << ", shift " << shift);
                    if (batch == &this->parallel_ && shift != size % 16) { return; }
                    // If the two arrays have different lengths, the shorter one counts.
                    const std::size_t more = shift % 3 == 0 ? 5 : 0;
                    const PairsOutput out = {
                        first.make(size + (size % 2) * more, shift),
                        second.make(size + (1 - size % 2) * more, (shift + 7) % 16)};
                    const Found found = ask(*batch, out);
                    ASSERT_EQ(found.status, Status{});
                    ASSERT_EQ(found.count, wanted.count);
                    Ids firsts = wanted.first, seconds = wanted.second;
                    firsts.resize(std::min<std::size_t>(size, wanted.count));
                    seconds.resize(firsts.size());
                    ASSERT_TRUE(first.starts_like(firsts));
                    ASSERT_TRUE(second.starts_like(seconds));
                    ASSERT_TRUE(first.is_unharmed());
                    ASSERT_TRUE(second.is_unharmed());
                }));
        }
    }

    template <class Ask>
    void check_counts(std::size_t questions, const Ask& ask) {
        const Guarded<std::uint32_t> counts(questions);
        for (Batch<kDim>* batch : {&this->serial_, &this->parallel_}) {
            std::fill(counts.begin(), counts.end(), 99u);
            const Found found = ask(*batch, std::span(counts.begin(), questions));
            ASSERT_EQ(found.status, Status{});
            EXPECT_EQ(found.count, std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
            std::fill(counts.begin(), counts.end(), 99u);
            const Found refused = ask(*batch, std::span(counts.begin(), questions - 1));
            EXPECT_EQ(refused.status, (Status{Cause::no_room, Argument::counts}));
            EXPECT_EQ(std::count(counts.begin(), counts.end(), 99u),
                      static_cast<std::ptrdiff_t>(questions));
        }
    }

    SparseCrowd<kDim> crowd_;
    test::EagerPool pool_{3};
    Batch<kDim> serial_;
    Batch<kDim> parallel_{pool_};
};
TYPED_TEST_SUITE(BatchBuffers, test::Dims, test::DimNames);

TYPED_TEST(BatchBuffers, ForHitsOfQueries) {
    const auto check = [&](const auto& shapes) {
        this->check_hits(shapes.size(), [&](auto& batch, auto&& out) {
            return batch.query(this->crowd_.grid, std::span(shapes), out);
        });
    };
    check(this->crowd_.boxes);
    check(this->crowd_.balls);
}

TYPED_TEST(BatchBuffers, ForNeighbours) {
    for (const Order order : {Order::storage, Order::ids}) {
        this->check_hits(this->crowd_.grid.size(), [&](auto& batch, auto&& out) {
            return batch.neighbours(this->crowd_.grid, this->crowd_.near, out, order);
        });
    }
}

TYPED_TEST(BatchBuffers, ForPairs) {
    this->check_pairs([&](auto& batch, auto&& out) { return batch.pairs(this->crowd_.grid, out); });
    this->check_pairs([&](auto& batch, auto&& out) {
        return batch.pairs({this->crowd_.grid, this->crowd_.others}, out);
    });
    this->check_pairs(
        [&](auto& batch, auto&& out) { return batch.pairs_within(this->crowd_.grid, 2.0f, out); });
}

TYPED_TEST(BatchBuffers, ForCounts) {
    const auto& crowd = this->crowd_;
    const std::span boxes(crowd.boxes);
    const std::span balls(crowd.balls);
    const std::size_t agents = crowd.grid.size();
    this->check_counts(
        agents, [&](auto& batch, auto counts) { return batch.count(crowd.grid, boxes, counts); });
    this->check_counts(
        agents, [&](auto& batch, auto counts) { return batch.any(crowd.grid, balls, counts); });
    for (const Order order : {Order::storage, Order::ids}) {
        this->check_counts(agents, [&](auto& batch, auto counts) {
            return batch.count_neighbours(crowd.grid, crowd.near, counts, order);
        });
    }
}

TYPED_TEST(BatchBuffers, OfNothing) {
    using Grid = RowGrid<TypeParam::value>;
    auto scene = scenes::make<TypeParam::value>("empty", 0);
    Grid unconfigured, empty;
    ASSERT_EQ(empty.configure(scene.world, scene.cell), Status{});
    const std::vector<Box<TypeParam::value>> boxes(700, scene.world);
    const std::span<const Box<TypeParam::value>> no_boxes;
    std::uint64_t offset = 99;
    for (auto* batch : {&this->serial_, &this->parallel_}) {
        Hits hits;
        Pairs pairs;
        ASSERT_EQ(batch->query(this->crowd_.grid, no_boxes, hits), Status{});
        EXPECT_EQ(hits.offsets, std::vector<std::uint64_t>{0});
        EXPECT_EQ(batch->count(this->crowd_.grid, no_boxes, {}).status, Status{});
        EXPECT_EQ(batch->any(this->crowd_.grid, no_boxes, {}).count, 0u);
        for (const Grid* grid : {&unconfigured, &empty}) {
            ASSERT_EQ(batch->query(*grid, std::span(boxes), hits), Status{});
            EXPECT_EQ(hits.offsets, std::vector<std::uint64_t>(boxes.size() + 1, 0));
            std::vector<std::uint32_t> counts(boxes.size(), 99);
            EXPECT_EQ(batch->count(*grid, std::span(boxes), counts).status, Status{});
            EXPECT_EQ(counts, std::vector<std::uint32_t>(boxes.size(), 0));
            for (const Order order : {Order::storage, Order::ids}) {
                ASSERT_EQ(batch->neighbours(*grid, {1.0f}, hits, order), Status{});
                EXPECT_EQ(hits.offsets, std::vector<std::uint64_t>{0});
                offset = 99;
                const HitsOutput out = {{&offset, 1}, {}};
                EXPECT_EQ(batch->neighbours(*grid, {1.0f}, out, order).status, Status{});
                EXPECT_EQ(offset, 0u);
                const Found found = batch->neighbours(*grid, {1.0f}, HitsOutput{}, order);
                EXPECT_EQ(found.status, Status{});
                EXPECT_EQ(batch->count_neighbours(*grid, {1.0f}, {}, order).status, Status{});
            }
            ASSERT_EQ(batch->pairs(*grid, pairs), Status{});
            EXPECT_EQ(pairs.count, 0u);
            ASSERT_EQ(batch->pairs_within(*grid, 1.0f, pairs), Status{});
            EXPECT_EQ(pairs.count, 0u);
            for (const Found& found :
                 {batch->pairs(*grid, PairsOutput{}), batch->count_pairs(*grid),
                  batch->pairs({*grid, this->crowd_.grid}, PairsOutput{}),
                  batch->pairs({this->crowd_.grid, *grid}, PairsOutput{})}) {
                EXPECT_EQ(found.status, Status{});
                EXPECT_EQ(found.count, 0u);
            }
        }
        offset = 99;
        const HitsOutput out = {{&offset, 1}, {}};
        EXPECT_EQ(batch->query(this->crowd_.grid, no_boxes, out).status, Status{});
        EXPECT_EQ(offset, 0u);
    }
}

// Counting pairs must not allocate a list of them.
TEST(BatchBuffersWithoutRoom, ArePairsCountedAndNotListed) {
    constexpr std::size_t kCount = 2'000; // all agents are in one place
    auto scene = scenes::make<2>("coincident", kCount);
    const auto grid = test::grid_of(scene);
    ASSERT_GT(grid.parts().slices(), 1u);
    test::EagerPool pool(3);
    Batch<2> batch(pool);
    const Found found = batch.pairs(grid, PairsOutput{});
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, kCount * (kCount - 1) / 2);
    EXPECT_LT(batch.memory(), std::size_t{1} << 20);
}

} // namespace
} // namespace throng
