// The pairs of agents in pairs of cells, and where the kernel reads and writes.
#include "../../../simd/kernels/family/cell_pairs.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../support/dims.hpp"
#include "../../support/long_run.hpp"
#include "../../support/random.hpp"
#include "guarded.hpp"

#include <throng/engine/agents/box.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace throng {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

template <std::size_t Dim>
struct CellAgent {
    Point<Dim> position;
    std::uint32_t id, groups, cell, marks;
};

/// Cells with one span or two, in memory that ends with the slack, or that begins `offset` words
/// behind a guard page.
template <std::size_t Dim>
class Cells {
public:
    Cells(std::uint32_t count, std::uint32_t first_id, std::uint64_t seed,
          test::Edge edge = test::Edge::end, std::size_t offset = 0)
        : random_(seed), next_id_(first_id), edge_(edge), offset_(offset), tiles_(1, edge),
          tile(*tiles_.begin()) {
        std::uint32_t spans = 0;
        for (std::uint32_t k = 0; k < simd::CellTile<Dim>::kRoom; ++k) {
            tile.marks[k] = 0;
            for (std::size_t a = 0; a < Dim; ++a) {
                tile.lo[a][k] = 0.0f; // these too would overlap, past the last cell
                tile.hi[a][k] = 9.0f;
            }
        }
        for (std::uint32_t c = 0; c < count; ++c) {
            tile.marks[c] = random_.below(4) & random_.below(8);
            tile.first_span[c] = spans;
            Point<Dim> corner;
            for (std::size_t a = 0; a < Dim; ++a) {
                corner[a] = static_cast<float>(random_.below(8));
                tile.lo[a][c] = 1e9f;
                tile.hi[a][c] = -1e9f;
            }
            for (std::uint32_t left = 1 + random_.below(2); left > 0; --left) {
                tile.spans[spans++] = span(c, corner, 1 + random_.below(left > 1 ? 16 : 7));
            }
        }
        tile.first_span[count] = spans;
        tile.count = count;
        // Past the last cell, too, cells seem to have agents.
        for (std::uint32_t k = count; k + 1 < simd::CellTile<Dim>::kRoom; ++k) {
            const bool room = 0 < spans && spans < simd::CellTile<Dim>::kSpans;
            if (room) { tile.spans[spans++] = tile.spans[0]; }
            tile.first_span[k + 1] = spans;
        }
    }

private:
    simd::ScanSpan span(std::uint32_t c, const Point<Dim>& corner, std::uint32_t count) {
        using View = simd::Fields<Dim>;
        memory_.push_back(std::make_unique<test::Guarded<std::uint32_t>>(
            offset_ + View::count(false, true) * count + simd::kSlack, edge_));
        std::uint32_t* const words = memory_.back()->begin() + offset_;
        for (std::uint32_t i = 0; i < count; ++i) {
            CellAgent<Dim> body{corner, next_id_++, random_.below(4), c, tile.marks[c]};
            for (std::size_t a = 0; a < Dim; ++a) {
                body.position[a] += 0.25f * static_cast<float>(random_.below(5));
                words[a * count + i] = std::bit_cast<std::uint32_t>(body.position[a]);
                tile.lo[a][c] = std::min(tile.lo[a][c], body.position[a] - 0.25f);
                tile.hi[a][c] = std::max(tile.hi[a][c], body.position[a] + 0.25f);
            }
            words[View::kId * count + i] = body.id;
            words[View::groups(false) * count + i] = body.groups;
            bodies.push_back(body);
        }
        return {words, count, count};
    }

    scenes::Random random_;
    std::uint32_t next_id_;
    test::Edge edge_;
    std::size_t offset_;
    std::vector<std::unique_ptr<test::Guarded<std::uint32_t>>> memory_;
    test::Guarded<simd::CellTile<Dim>> tiles_;

public:
    simd::CellTile<Dim>& tile;
    std::vector<CellAgent<Dim>> bodies;
};

template <std::size_t Dim>
std::vector<Pair> wanted(const Cells<Dim>& own, const Cells<Dim>* others, std::uint32_t groups) {
    std::vector<Pair> pairs;
    const Point<Dim> half = Point<Dim>::all(0.25f);
    for (std::size_t i = 0; i < own.bodies.size(); ++i) {
        const auto& one = own.bodies[i];
        const auto& all = others == nullptr ? own.bodies : others->bodies;
        for (std::size_t k = others == nullptr ? i + 1 : 0; k < all.size(); ++k) {
            const auto& other = all[k];
            const bool in =
                groups == ~0u || ((one.groups & groups) != 0 && (other.groups & groups) != 0);
            if ((one.marks & other.marks) == 0 && in &&
                overlaps(Box<Dim>::around(one.position, half), other.position, half)) {
                pairs.emplace_back(one.id, other.id);
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <std::size_t Dim>
std::vector<Pair> list(const Cells<Dim>& own, const Cells<Dim>* others, std::uint32_t groups,
                       std::size_t capacity) {
    simd::CellPairs<Dim> question{};
    question.own = &own.tile;
    question.others = others == nullptr ? nullptr : &others->tile;
    std::fill_n(question.max_half_extent, Dim, 0.25f);
    question.with_groups = true;
    question.groups = groups;
    const test::Guarded<std::uint32_t> first(capacity), second(capacity);
    std::vector<Pair> pairs;
    simd::CellPairsAt at;
    for (bool done = false; !done;) {
        simd::SpanPairsOutput out{first.begin(), second.begin(), capacity};
        done = simd::list_cell_pairs(question, at, out);
        for (std::size_t i = 0; i < out.used; ++i) {
            pairs.emplace_back(first.begin()[i], second.begin()[i]);
        }
    }
    return pairs;
}

template <class D>
class CellPairs : public testing::Test {};
TYPED_TEST_SUITE(CellPairs, test::Dims, test::DimNames);

TYPED_TEST(CellPairs, AreThoseOfTheirAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    std::size_t found = 0;
    for (const std::uint32_t count : {0u, 1u, 2u, 7u, 16u, 17u, 33u, 100u, 256u}) {
        const Cells<kDim> own(count, 0, count);
        const Cells<kDim> others(count < 50 ? 40 : 20, 100'000, count + 1);
        for (const auto* rest : {static_cast<const Cells<kDim>*>(nullptr), &others}) {
            for (const std::uint32_t groups : {~0u, 2u, 0u}) {
                SCOPED_TRACE(testing::Message()
                             << count << " cells, others " << (rest != nullptr) << ", " << groups);
                const auto pairs = list(own, rest, groups, 100'000);
                auto sorted = pairs;
                std::sort(sorted.begin(), sorted.end());
                ASSERT_EQ(sorted, groups == 0 ? std::vector<Pair>{} : wanted(own, rest, groups));
                // Buffers of any size give the same order.
                ASSERT_EQ(list(own, rest, groups, simd::kLeastSpanPairs), pairs);
                ASSERT_EQ(list(own, rest, groups, 333), pairs);
                found += pairs.size();
            }
        }
    }
    EXPECT_GT(found, 1000u);
}

// Few cells begin at every offset, many at one: each span needs a mapping of its own.
TYPED_TEST(CellPairs, Of0To130CellsFromEveryOffset) {
    constexpr std::size_t kDim = TypeParam::value;
    std::size_t found = 0;
    const auto counts = test::sizes(0u, 130u);
    for (const std::uint32_t count : counts) {
        const Cells<kDim> others(131 - count, 100'000, count + 1);
        std::vector<Pair> within, between;
        const auto check = [&](test::Edge edge, std::uint32_t offset) {
            SCOPED_TRACE(testing::Message() << count << " cells from " << offset);
            const Cells<kDim> own(count, 0, count, edge, offset);
            if (edge == test::Edge::end) {
                within = wanted<kDim>(own, nullptr, ~0u);
                between = wanted<kDim>(own, &others, 3u);
                found += within.size() + between.size();
            }
            const std::size_t room = simd::kLeastSpanPairs + count + offset;
            auto got = list<kDim>(own, nullptr, ~0u, room);
            std::sort(got.begin(), got.end());
            ASSERT_EQ(got, within);
            got = list<kDim>(own, &others, 3u, room);
            std::sort(got.begin(), got.end());
            ASSERT_EQ(got, between);
        };
        ASSERT_NO_FATAL_FAILURE(check(test::Edge::end, 0));
        for (std::uint32_t offset = 0; offset < test::kOffsets; ++offset) {
            if (count > 32 && offset != count % test::kOffsets) { continue; }
            ASSERT_NO_FATAL_FAILURE(check(test::Edge::begin, offset));
        }
    }
    EXPECT_GT(found, 1'000 * counts.size());
}

} // namespace
} // namespace throng
