// Every kernel that reads rows or lists of agents, on runs of 0 to 130 that begin at each of
// sixteen offsets, in memory with a guard page behind the slack, or before the first agent.
#include "../../../simd/kernels/family/query_buckets.hpp"
#include "../../../simd/kernels/grid/first_hit.hpp"
#include "../../../simd/kernels/grid/nearest.hpp"
#include "../../../simd/kernels/grid/neighbours.hpp"
#include "../../../simd/kernels/grid/pairs.hpp"
#include "../../../simd/views/query_block.hpp"
#include "../../../simd/views/query_one.hpp"
#include "../../support/dims.hpp"
#include "../../support/long_run.hpp"
#include "alone.hpp"
#include "one_row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace throng {
namespace {

using test::Edge;
using test::Guarded;
using Ids = std::vector<std::uint32_t>;

using test::kLongest;
using test::kOffsets;
constexpr std::uint32_t kFurthest = kLongest + kOffsets;

/// Questions of each kind, about the agents of cell 1 that do not stand aside.
template <std::size_t Dim>
struct Blocks {
    simd::BoxBlock<Dim> box{};
    simd::BallBlock<Dim> ball{};
    simd::ConvexBlock<Dim> convex{};
    simd::SectorBlock<Dim> sector{};
    simd::RayBlock<Dim> ray{};
    simd::CapsuleBlock<Dim> capsule{};
    simd::CylinderBlock<Dim> cylinder{};

    Blocks() {
        for (std::size_t a = 0; a < Dim; ++a) {
            const float centre = a == 0 ? 1.75f : 0.25f;
            std::fill_n(box.lo[a], simd::kBlockQueries, centre - 0.3f);
            std::fill_n(box.hi[a], simd::kBlockQueries, centre + 0.3f);
            std::fill_n(ball.centre[a], simd::kBlockQueries, centre);
            convex.lo[a] = centre - 0.3f;
            convex.hi[a] =
                centre + (a == 1 ? 2.0f : 0.3f); // a side excludes agents that stand aside
            convex.normal[0][a] = a == 1 ? 1.0f : 0.0f;
            cylinder.centre[a] = centre;
            cylinder.lo[a] = centre - 0.3f;
            cylinder.hi[a] = centre + 0.3f; // a band on y, which excludes agents that stand aside
            sector.centre[a] = a == 0 ? 1.6f : centre;
            sector.along[a] = a == 0 ? 1.0f : 0.0f;
            sector.lo[a] = sector.centre[a] - 0.3f;
            sector.hi[a] = sector.centre[a] + 0.3f;
            ray.origin[a] = capsule.origin[a] = a == 1 ? -1.0f : centre;
            ray.direction[a] = ray.along[a] = a == 1 ? 1.0f : 0.0f;
            capsule.direction[a] = a == 1 ? 1.4f : 0.0f;
            ray.lo[a] = a == 1 ? -1.0f : centre;
            ray.hi[a] = a == 1 ? 0.4f : centre;
        }
        std::fill_n(ball.radius, simd::kBlockQueries, 0.3f);
        std::fill_n(ball.radius2, simd::kBlockQueries, 0.3f * 0.3f);
        convex.offset[0] = 0.5f;
        convex.sides = 1;
        sector.radius = 0.3f;
        sector.radius2 = 0.3f * 0.3f;
        sector.cosine2 = 0.5f;
        cylinder.radius2 = 0.3f * 0.3f;
        cylinder.up = 1;
        ray.length = 1.4f;
        capsule.length = 1.0f;
        capsule.per_square = 1.0f / (1.4f * 1.4f);
        capsule.radius = 0.05f;
    }
};

/// One row, and questions about it.
template <std::size_t Dim>
class AskedRow {
public:
    AskedRow(std::uint32_t offset, std::uint32_t length, const test::RowKind& kind)
        : offset_(offset), count_(offset + length), row_(offset, length, kind) {
        kernel_filter_.groups = kind.groups ? 2u : ~0u;
        for (std::uint32_t i = offset_; i < count_; ++i) {
            if (!row_.is_aside(i) && takes_part(i)) { wanted_.push_back(i); }
        }
    }

    void check_batches(const Blocks<Dim>& blocks) {
        ASSERT_NO_FATAL_FAILURE(check_batch(blocks.box));
        ASSERT_NO_FATAL_FAILURE(check_batch(blocks.ball));
    }
    void check_walks(const Blocks<Dim>& blocks) {
        const auto check = [&](const auto&... block) { (check_walk(block), ...); };
        ASSERT_NO_FATAL_FAILURE(check(blocks.box, blocks.ball, blocks.convex, blocks.sector,
                                      blocks.ray, blocks.capsule, blocks.cylinder));
    }
    void check_casts(const Blocks<Dim>& blocks) {
        ASSERT_NO_FATAL_FAILURE(check_cast(blocks.ray));
        ASSERT_NO_FATAL_FAILURE(check_cast(blocks.capsule));
    }

    /// Each agent from `offset` on asks for its neighbours.
    void check_around() {
        const simd::NeighbourQuery around{0.2f, false, kernel_filter_.groups};
        std::vector<std::uint32_t> counts;
        Ids all;
        for (std::uint32_t i = offset_; i < count_; ++i) {
            const std::size_t before = all.size();
            for (std::uint32_t k = offset_; k < count_; ++k) {
                if (k != i && same(i, k) && takes_part(k)) { all.push_back(k); }
            }
            counts.push_back(static_cast<std::uint32_t>(all.size() - before));
        }
        simd::RowSlot at{0, offset_};
        std::uint32_t* const told = words_.last(kFurthest + simd::kBlockQueries);
        ASSERT_EQ(simd::count_neighbours(row_.view, around, at, {1, 0}, told,
                                         kFurthest + simd::kBlockQueries),
                  counts.size());
        ASSERT_TRUE(std::equal(counts.begin(), counts.end(), told));
        at = {0, offset_};
        simd::BatchOutput out{words_.begin(), kWords - simd::kSlack, 0, offsets_.begin()};
        ASSERT_EQ(simd::list_neighbours(row_.view, around, at, {1, 0}, out), counts.size());
        ASSERT_EQ(out.used, all.size());
        ASSERT_TRUE(std::equal(all.begin(), all.end(), out.ids));
    }

    void check_pairs(Body body) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (std::uint32_t i = offset_; i < count_; ++i) {
            for (std::uint32_t k = i + 1; k < count_; ++k) {
                if (same(i, k) && takes_part(i) && takes_part(k)) { pairs.emplace_back(i, k); }
            }
        }
        simd::PairsAt at{{0, offset_}};
        ASSERT_EQ(simd::count_pairs(row_.view, kernel_filter_.groups, body, at, {1, 0}),
                  pairs.size());
        const std::size_t room = pairs.size() + simd::kSlack;
        simd::PairsOutput out{words_.last(room), seconds_.last(room), room, 0};
        while (!simd::list_pairs(row_.view, kernel_filter_.groups, body, at, {1, 0}, out)) {
            // list_pairs() may stop although all pairs would fit, because it wants spare room.
            ASSERT_LE(out.used, pairs.size());
            out.first = words_.begin();
            out.second = seconds_.begin();
            out.capacity = kWords;
            at = {{0, offset_}};
            out.used = 0;
        }
        ASSERT_EQ(out.used, pairs.size());
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            ASSERT_EQ(out.first[p], pairs[p].first);
            ASSERT_EQ(out.second[p], pairs[p].second);
        }
    }

    /// Of several agents in one place, those with the smallest ids are the nearest.
    void check_nearest(simd::BallBlock<Dim> ball) {
        constexpr std::uint32_t k = 5, kRoom = 512;
        simd::NearestAsk ask{k, 0.2f, words_.last(2 * (kRoom + simd::kSlack)), kRoom};
        const std::uint32_t least = std::min(k, static_cast<std::uint32_t>(wanted_.size()));
        std::uint32_t counts[kFurthest];
        simd::nearest_batch(row_.view, ball, 1, kernel_filter_, ask,
                            {records_.last(k * simd::kNearBytes), counts});
        ASSERT_EQ(counts[0], least);
        check_records(records_.last(k * simd::kNearBytes), wanted_);

        const std::uint32_t askers = count_ - offset_;
        unsigned char* const near = records_.last(askers * k * simd::kNearBytes);
        simd::nearest_neighbours(row_.view, {0.0f, true, kernel_filter_.groups}, {0, offset_},
                                 {1, 0}, ask, {near, counts});
        for (std::uint32_t i = 0; i < askers; ++i) {
            Ids nearest;
            for (std::uint32_t other = offset_; other < count_ && nearest.size() < k; ++other) {
                if (same(offset_ + i, other) && takes_part(other)) { nearest.push_back(other); }
            }
            ASSERT_EQ(counts[i], nearest.size());
            ASSERT_NO_FATAL_FAILURE(check_records(near + i * k * simd::kNearBytes, nearest));
        }
    }

private:
    [[nodiscard]] bool takes_part(std::uint32_t i) const {
        return kernel_filter_.groups == ~0u || i % 2 == 1;
    }
    [[nodiscard]] bool same(std::uint32_t i, std::uint32_t k) const {
        return row_.is_aside(i) == row_.is_aside(k);
    }
    [[nodiscard]] bool is_wanted(const std::uint32_t* ids, std::size_t count) const {
        return std::equal(ids, ids + count, wanted_.begin(), wanted_.end());
    }
    static void check_records(const unsigned char* near, const Ids& ids) {
        for (std::size_t i = 0; i < std::min<std::size_t>(5, ids.size()); ++i) {
            std::uint32_t id = 0;
            std::memcpy(&id, near + i * simd::kNearBytes + 4, sizeof id);
            ASSERT_EQ(id, ids[i]);
        }
    }

    template <class Block>
    void check_batch(const Block& block) {
        // One question and 17 at once, which the kernel answers in different ways.
        for (const std::size_t queries : {std::size_t{1}, std::size_t{17}}) {
            std::uint32_t* const counts = words_.last(queries);
            simd::count_block<simd::Form::count>(row_.view, block, queries, kernel_filter_, counts);
            ASSERT_EQ(std::count(counts, counts + queries, wanted_.size()), queries);
            simd::count_block<simd::Form::any>(row_.view, block, queries, kernel_filter_, counts);
            ASSERT_EQ(std::count(counts, counts + queries, wanted_.empty() ? 0u : 1u), queries);
            simd::BatchOutput out{words_.begin(), kWords - simd::kSlack, 0, offsets_.begin()};
            ASSERT_EQ(simd::query_block(row_.view, block, queries, kernel_filter_, out), queries);
            ASSERT_EQ(out.used, queries * wanted_.size());
            for (std::size_t q = 0; q < queries; ++q) {
                ASSERT_TRUE(is_wanted(out.ids + q * wanted_.size(), wanted_.size()));
            }
        }
    }

    template <class Block>
    void check_walk(const Block& block) {
        const std::size_t room = wanted_.size() + simd::kSlack;
        const auto& question = test::alone(block);
        simd::QueryCursor cursor;
        cursor.out = words_.last(room);
        cursor.end = words_.end();
        ASSERT_TRUE(
            (simd::query_one<simd::Form::ids>(row_.view, question, kernel_filter_, cursor)));
        ASSERT_TRUE(
            is_wanted(words_.last(room), static_cast<std::size_t>(cursor.out - words_.last(room))));
        simd::QueryCursor counting, any;
        ASSERT_TRUE(
            (simd::query_one<simd::Form::count>(row_.view, question, kernel_filter_, counting)));
        ASSERT_EQ(counting.hits, wanted_.size());
        ASSERT_TRUE((simd::query_one<simd::Form::any>(row_.view, question, kernel_filter_, any)));
        ASSERT_EQ(any.hits != 0, !wanted_.empty());

        simd::ScanCrowd crowd{{0.25f, 0.25f, 0.25f}, row_.view.own_extents, row_.view.groups};
        const simd::ScanSpan span = row_.span();
        simd::QueryCursor scanning;
        scanning.slot = offset_;
        scanning.out = words_.last(room);
        scanning.end = words_.end();
        ASSERT_TRUE(simd::scan(crowd, block, kernel_filter_, &span, 1, scanning));
        ASSERT_TRUE(is_wanted(words_.last(room),
                              static_cast<std::size_t>(scanning.out - words_.last(room))));
    }

    template <class Block>
    void check_cast(const Block& block) {
        ASSERT_EQ(simd::find_first_hit(row_.view, block, kernel_filter_).id,
                  wanted_.empty() ? ~0u : wanted_[0]);
        // All agents are hit at the same time. A page is never written past its end.
        for (std::size_t room = 1; room <= wanted_.size() + 1; room += 1 + room / 3) {
            std::uint32_t* const hits = words_.last(2 * room);
            simd::HitPage page{hits, room};
            simd::add_next_hits(row_.view, block, kernel_filter_, simd::kBeforeHits, page);
            ASSERT_EQ(page.count, std::min(room, wanted_.size()));
            Ids ids;
            for (std::size_t i = 0; i < page.count; ++i) {
                ids.push_back(hits[2 * i + 1]);
            }
            std::sort(ids.begin(), ids.end());
            ASSERT_TRUE(std::equal(ids.begin(), ids.end(), wanted_.begin()));
        }
        // Tries larger and larger buffers, until all agents fit.
        for (std::size_t room = wanted_.size() + 1;; ++room) {
            ASSERT_LE(room, wanted_.size() + simd::kSlack + 1);
            std::uint32_t* const ids = words_.last(room + simd::kSlack);
            simd::QueryCursor cursor;
            simd::PathHitsOutput out{seconds_.last(room + simd::kSlack), ids, ids + room};
            if (!simd::list_path_hits(row_.view, block, kernel_filter_, cursor, out)) { continue; }
            ASSERT_TRUE(is_wanted(ids, static_cast<std::size_t>(out.ids - ids)));
            return;
        }
    }

    static constexpr std::size_t kWords = kFurthest * kFurthest + 4096 + simd::kSlack;
    static inline const Guarded<std::uint32_t> words_{kWords}, seconds_{kWords};
    static inline const Guarded<std::uint64_t> offsets_{kFurthest + simd::kBlockQueries + 1};
    static inline const Guarded<unsigned char> records_{kFurthest * 5 * simd::kNearBytes};

    std::uint32_t offset_, count_;
    test::OneRow<Dim> row_;
    simd::KernelFilter kernel_filter_;
    Ids wanted_;
};

template <class D>
class GuardedRows : public testing::Test {};
TYPED_TEST_SUITE(GuardedRows, test::Dims, test::DimNames);

TYPED_TEST(GuardedRows, OfEveryLengthFromEveryOffset) {
    const Blocks<TypeParam::value> blocks;
    for (const test::RowKind& kind :
         {test::RowKind{false, false, Edge::end}, test::RowKind{true, false, Edge::end},
          test::RowKind{true, true, Edge::end}, test::RowKind{false, true, Edge::begin}}) {
        for (const std::uint32_t length : test::sizes(0u, kLongest)) {
            for (std::uint32_t offset = 0; offset < kOffsets; ++offset) {
                SCOPED_TRACE(testing::Message() << length << " from " << offset << ", own extents "
                                                << kind.own_extents << ", groups " << kind.groups);
                AskedRow<TypeParam::value> asked(offset, length, kind);
                ASSERT_NO_FATAL_FAILURE(asked.check_batches(blocks));
                ASSERT_NO_FATAL_FAILURE(asked.check_walks(blocks));
                ASSERT_NO_FATAL_FAILURE(asked.check_casts(blocks));
                ASSERT_NO_FATAL_FAILURE(asked.check_around());
                ASSERT_NO_FATAL_FAILURE(asked.check_pairs(Body::box));
                ASSERT_NO_FATAL_FAILURE(asked.check_pairs(Body::disc));
                ASSERT_NO_FATAL_FAILURE(asked.check_nearest(blocks.ball));
            }
        }
    }
}

} // namespace
} // namespace throng
