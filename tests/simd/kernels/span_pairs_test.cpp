// The pairs between short spans, against tests of every pair; and where the kernel reads and
// writes.
#include "../../../simd/kernels/family/span_pairs.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../support/dims.hpp"
#include "../../support/hash.hpp"
#include "../../support/numbers.hpp"
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
using Words = test::Guarded<std::uint32_t>;

using test::kCanary;

template <std::size_t Dim>
struct SpanAgent {
    std::uint32_t id, groups;
    Point<Dim> position, half;
};

/// Spans in memory that ends with the slack, or that begins `offset` words behind a guard page.
template <std::size_t Dim>
class Spans {
public:
    Spans(bool own_extents, bool with_groups, std::uint64_t seed, float side,
          test::Edge edge = test::Edge::end, std::size_t offset = 0)
        : own_extents_(own_extents), with_groups_(with_groups), random_(seed), side_(side),
          edge_(edge), offset_(offset) {}

    /// Adds a span for each of these counts of agents.
    std::vector<simd::ScanSpan> add(const std::vector<std::uint32_t>& counts,
                                    std::vector<std::vector<SpanAgent<Dim>>>& bodies) {
        std::vector<simd::ScanSpan> spans;
        for (const std::uint32_t count : counts) {
            bodies.push_back(make(count));
            spans.push_back(store(bodies.back()));
        }
        return spans;
    }

private:
    std::vector<SpanAgent<Dim>> make(std::uint32_t count) {
        std::vector<SpanAgent<Dim>> bodies(count);
        for (SpanAgent<Dim>& body : bodies) {
            body.id = 1000 + next_id_++;
            body.groups = random_.below(4);
            for (std::size_t a = 0; a < Dim; ++a) {
                // Multiples of 0.25, so that many boxes touch.
                body.position[a] =
                    0.25f *
                    static_cast<float>(random_.below(static_cast<std::uint32_t>(4.0f * side_)));
                body.half[a] = own_extents_ ? 0.25f * static_cast<float>(random_.below(6)) : 0.5f;
            }
        }
        return bodies;
    }

    simd::ScanSpan store(const std::vector<SpanAgent<Dim>>& bodies) {
        using View = simd::Fields<Dim>;
        const auto count = static_cast<std::uint32_t>(bodies.size());
        const std::uint32_t capacity = count + random_.below(3);
        const std::uint32_t fields = View::count(own_extents_, with_groups_);
        memory_.push_back(
            std::make_unique<Words>(offset_ + fields * capacity + simd::kSlack, edge_));
        std::uint32_t* const words = memory_.back()->begin() + offset_;
        std::fill(words, memory_.back()->end(), 0u); // at the origin, among other agents
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto put = [&](std::size_t field, std::uint32_t value) {
                words[field * capacity + i] = value;
            };
            for (std::size_t a = 0; a < Dim; ++a) {
                put(a, std::bit_cast<std::uint32_t>(bodies[i].position[a]));
                if (own_extents_) {
                    put(View::kHalfExtent + a, std::bit_cast<std::uint32_t>(bodies[i].half[a]));
                }
            }
            put(View::kId, bodies[i].id);
            if (with_groups_) { put(View::groups(own_extents_), bodies[i].groups); }
        }
        return {words, capacity, count};
    }

    bool own_extents_, with_groups_;
    scenes::Random random_;
    float side_;
    test::Edge edge_;
    std::size_t offset_;
    std::uint32_t next_id_ = 0;
    std::vector<std::unique_ptr<Words>> memory_;
};

/// The pairs within `own`, and between `own` and the others.
template <std::size_t Dim>
std::vector<Pair> wanted(const std::vector<std::vector<SpanAgent<Dim>>>& bodies, std::size_t own,
                         std::uint32_t groups) {
    std::vector<Pair> pairs;
    std::vector<std::pair<SpanAgent<Dim>, bool>> all;
    for (std::size_t s = 0; s < bodies.size(); ++s) {
        for (const SpanAgent<Dim>& body : bodies[s]) {
            all.push_back({body, s < own});
        }
    }
    for (std::size_t i = 0; i < all.size() && all[i].second; ++i) {
        const SpanAgent<Dim>& one = all[i].first;
        for (std::size_t k = i + 1; k < all.size(); ++k) {
            const SpanAgent<Dim>& other = all[k].first;
            const bool in = groups == kAllGroups ||
                            ((one.groups & groups) != 0 && (other.groups & groups) != 0);
            if (in &&
                overlaps(Box<Dim>::around(one.position, one.half), other.position, other.half)) {
                pairs.emplace_back(one.id, other.id);
            }
        }
    }
    return pairs;
}

template <std::size_t Dim>
simd::SpanPairs<Dim> ask(const std::vector<simd::ScanSpan>& own,
                         const std::vector<simd::ScanSpan>& others,
                         const std::vector<std::vector<SpanAgent<Dim>>>& bodies, bool own_extents,
                         bool with_groups, std::uint32_t groups) {
    simd::SpanPairs<Dim> spans{};
    spans.own = own.data();
    spans.others = others.data();
    spans.own_count = static_cast<std::uint32_t>(own.size());
    spans.other_count = static_cast<std::uint32_t>(others.size());
    spans.own_extents = own_extents;
    spans.with_groups = with_groups;
    spans.groups = groups;
    for (std::size_t a = 0; a < Dim; ++a) {
        spans.lo[a] = 1e9f;
        spans.hi[a] = -1e9f;
        spans.max_half_extent[a] = own_extents ? 0.0f : 0.5f;
        for (std::size_t s = 0; s < own.size(); ++s) {
            for (const SpanAgent<Dim>& body : bodies[s]) {
                spans.lo[a] = std::min(spans.lo[a], body.position[a] - body.half[a]);
                spans.hi[a] = std::max(spans.hi[a], body.position[a] + body.half[a]);
            }
        }
    }
    return spans;
}

/// Lists the pairs in buffers of `capacity` that end at a guard page.
template <std::size_t Dim>
std::vector<Pair> list(const simd::SpanPairs<Dim>& spans, std::size_t capacity) {
    std::vector<Pair> pairs;
    constexpr std::size_t kBefore = 5; // pairs that must remain
    const Words first(capacity + kBefore), second(capacity + kBefore);
    simd::SpanPairsAt at;
    for (bool done = false; !done;) {
        std::fill(first.begin(), first.end(), kCanary);
        std::fill(second.begin(), second.end(), kCanary);
        simd::SpanPairsOutput out{first.begin(), second.begin(), capacity + kBefore, kBefore};
        done = simd::list_span_pairs(spans, at, out);
        EXPECT_LE(out.used, out.capacity);
        EXPECT_EQ(std::count(first.begin(), first.begin() + kBefore, kCanary), kBefore);
        EXPECT_EQ(std::count(second.begin(), second.begin() + kBefore, kCanary), kBefore);
        for (std::size_t i = kBefore; i < out.used; ++i) {
            pairs.emplace_back(out.first[i], out.second[i]);
        }
        if (!done && out.used == kBefore && capacity < simd::kLeastSpanPairs) { break; }
    }
    return pairs;
}

struct Case {
    bool own_extents;
    std::uint32_t groups;
};
constexpr Case kCases[] = {{false, kAllGroups}, {true, kAllGroups}, {false, 2}, {true, 2}};

template <class D>
class SpanPairs : public testing::Test {};
TYPED_TEST_SUITE(SpanPairs, test::Dims, test::DimNames);

TYPED_TEST(SpanPairs, OfSpansOfEveryLength) {
    constexpr std::size_t kDim = TypeParam::value;
    std::size_t found = 0;
    for (const Case& c : kCases) {
        for (std::uint32_t n = 0; n <= simd::kSpanAgents; ++n) {
            for (const std::uint32_t m : {0u, 1u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u}) {
                SCOPED_TRACE(testing::Message() << n << " and " << m << ", own extents "
                                                << c.own_extents << ", groups " << c.groups);
                Spans<kDim> spans(c.own_extents, c.groups != kAllGroups, n * 100 + m, 2.0f);
                std::vector<std::vector<SpanAgent<kDim>>> bodies;
                const auto own = spans.add({n}, bodies);
                const auto others = spans.add({m, n, m}, bodies);
                auto got = list(
                    ask<kDim>(own, others, bodies, c.own_extents, c.groups != kAllGroups, c.groups),
                    4000);
                auto should = wanted<kDim>(bodies, 1, c.groups);
                std::sort(got.begin(), got.end());
                std::sort(should.begin(), should.end());
                ASSERT_EQ(got, should);
                found += got.size();
            }
        }
    }
    EXPECT_GT(found, 1000u);
}

// 0 to 130 agents in all, in full spans and in shorter ones; the first five spans ask. Spans begin
// at each of sixteen offsets, or end at a guard page.
TYPED_TEST(SpanPairs, Of0To130AgentsFromEveryOffset) {
    constexpr std::size_t kDim = TypeParam::value;
    std::size_t found = 0;
    const auto check = [&](const Case& c, std::uint32_t length, test::Edge edge,
                           std::uint32_t offset) {
        Spans<kDim> spans(c.own_extents, c.groups != kAllGroups, length, 3.0f, edge, offset);
        std::vector<std::uint32_t> counts;
        for (std::uint32_t left = length; left > 0; left -= counts.back()) {
            const std::uint32_t most = counts.size() % 3 == 1 ? 1 + length % 16 : 16;
            counts.push_back(std::min(left, most));
        }
        const auto middle = counts.begin() + std::min(std::ssize(counts), std::ptrdiff_t{5});
        std::vector<std::vector<SpanAgent<kDim>>> bodies;
        const auto own = spans.add({counts.begin(), middle}, bodies);
        const auto others = spans.add({middle, counts.end()}, bodies);
        const auto question =
            ask<kDim>(own, others, bodies, c.own_extents, c.groups != kAllGroups, c.groups);
        auto got = list(question, simd::kLeastSpanPairs + length + offset);
        auto should = wanted<kDim>(bodies, own.size(), c.groups);
        std::sort(got.begin(), got.end());
        std::sort(should.begin(), should.end());
        ASSERT_EQ(got, should);
        found += got.size();
    };
    for (std::uint32_t length = 0; length <= test::kLongest; ++length) {
        SCOPED_TRACE(testing::Message() << length << " agents");
        for (std::uint32_t offset = 0; offset < test::kOffsets; ++offset) {
            const Case& c = kCases[(length + offset) % std::size(kCases)];
            ASSERT_NO_FATAL_FAILURE(check(c, length, test::Edge::begin, offset)) << offset;
        }
        for (const Case& c : kCases) {
            ASSERT_NO_FATAL_FAILURE(check(c, length, test::Edge::end, 0)) << c.groups;
        }
    }
    EXPECT_GT(found, 300'000u);
}

// More agents than a tile holds, so each agent of a span meets its partners in several pieces.
TYPED_TEST(SpanPairs, AreTheSameThroughBuffersOfEverySize) {
    constexpr std::size_t kDim = TypeParam::value;
    test::Hash hash;
    for (const Case& c : kCases) {
        Spans<kDim> spans(c.own_extents, c.groups != kAllGroups, 77, 3.0f);
        std::vector<std::vector<SpanAgent<kDim>>> bodies;
        const auto own = spans.add({16, 16, 3, 16, 16, 16, 16, 16, 16, 16, 1}, bodies);
        const auto others = spans.add({16, 2, 16, 16, 16, 16, 9, 16, 16, 16, 16, 5, 16}, bodies);
        const auto question =
            ask<kDim>(own, others, bodies, c.own_extents, c.groups != kAllGroups, c.groups);
        const auto all = list(question, 200'000);
        auto sorted = all;
        auto should = wanted<kDim>(bodies, own.size(), c.groups);
        std::sort(sorted.begin(), sorted.end());
        std::sort(should.begin(), should.end());
        ASSERT_EQ(sorted, should);
        for (std::size_t capacity = simd::kLeastSpanPairs; capacity < 3000; capacity += 97) {
            ASSERT_EQ(list(question, capacity), all) << capacity;
        }
        for (const Pair& pair : all) {
            hash.add(pair.first);
            hash.add(pair.second);
        }
    }
    // The order must be the same on every instruction set.
    EXPECT_EQ(hash.value(), kDim == 2 ? 12283862749127558594u : 546992267041412429u);
}

TYPED_TEST(SpanPairs, WithOthersOnly) {
    constexpr std::size_t kDim = TypeParam::value;
    Spans<kDim> spans(true, false, 31, 2.0f);
    std::vector<std::vector<SpanAgent<kDim>>> bodies;
    const auto own = spans.add({16, 3, 16, 7, 16, 16, 16, 16}, bodies);
    const auto others = spans.add({5, 16, 1, 16, 16, 16, 16, 16, 16, 2}, bodies);
    auto question = ask<kDim>(own, others, bodies, true, false, kAllGroups);
    question.others_only = true;
    auto should = wanted<kDim>(bodies, own.size(), kAllGroups);
    std::erase_if(should, [&](const Pair& pair) { return pair.second < bodies[8][0].id; });
    std::sort(should.begin(), should.end());
    for (const std::size_t capacity : {std::size_t{130}, std::size_t{500}, std::size_t{100'000}}) {
        auto got = list(question, capacity);
        std::sort(got.begin(), got.end());
        ASSERT_EQ(got, should);
    }
    question.other_count = 0;
    EXPECT_TRUE(list(question, 1000).empty());
}

TYPED_TEST(SpanPairs, AreNotBegunWithoutRoom) {
    constexpr std::size_t kDim = TypeParam::value;
    Spans<kDim> spans(false, false, 5, 1.0f);
    std::vector<std::vector<SpanAgent<kDim>>> bodies;
    const auto own = spans.add({16, 16}, bodies);
    const auto question = ask<kDim>(own, {}, bodies, false, false, kAllGroups);
    for (std::size_t capacity = 0; capacity + 5 < simd::kLeastSpanPairs; ++capacity) {
        ASSERT_TRUE(list(question, capacity).empty());
    }
}

TYPED_TEST(SpanPairs, OfNoAgentsOrOfNoGroupAreNone) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<std::vector<SpanAgent<kDim>>> bodies;
    EXPECT_TRUE(list(ask<kDim>({}, {}, bodies, false, false, kAllGroups), 128).empty());
    Spans<kDim> spans(false, false, 5, 1.0f);
    const auto own = spans.add({16, 16}, bodies);
    EXPECT_TRUE(list(ask<kDim>(own, {}, bodies, false, false, 0), 1000).empty());
    EXPECT_EQ(list(ask<kDim>(own, {}, bodies, false, false, 4), 1000),
              list(ask<kDim>(own, {}, bodies, false, false, kAllGroups), 1000));
}

} // namespace
} // namespace throng
