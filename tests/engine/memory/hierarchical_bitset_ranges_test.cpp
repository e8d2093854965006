// Ranges of a hierarchical bitset: added, removed and asked about.
#include "hierarchical_bitset_model.hpp"

namespace throng {
namespace {

using namespace test; // NOLINT(google-build-using-namespace)

TEST(HierarchicalBitset, AddsAndRemovesRanges) {
    constexpr std::size_t kSize = 4'096 * 3 + 17;
    constexpr std::size_t kEdges[] = {0,     1,     63,    64,    65,        127,       128,
                                      4'095, 4'096, 4'097, 8'191, 8'192 + 1, kSize - 1, kSize};
    for (const std::size_t begin : kEdges) {
        for (const std::size_t end : kEdges) {
            SCOPED_TRACE(::testing::Message() << begin << " to " << end);
            HierarchicalBitset set(kSize);
            Model model(kSize);
            set.set_range(begin, end);
            fill(model, begin, end, true);
            ASSERT_NO_FATAL_FAILURE(expect_sound(set));
            ASSERT_EQ(members_of(set), members_of(model));

            // Ranges removed from a full set, and from a set with a member in every third word.
            for (const std::size_t step : {1u, 192u}) {
                set.clear();
                fill(model, 0, kSize, false);
                for (std::size_t i = 5 % step; i < kSize; i += step) {
                    set.set(i);
                    model[i] = true;
                }
                set.reset_range(begin, end);
                fill(model, begin, end, false);
                ASSERT_NO_FATAL_FAILURE(expect_sound(set));
                ASSERT_EQ(members_of(set), members_of(model));
            }
        }
    }
}

TEST(HierarchicalBitset, AnswersForARangeOnly) {
    for (const std::size_t size : kSizes) {
        for (std::uint32_t seed = 0; seed < 3; ++seed) {
            SCOPED_TRACE(::testing::Message() << size << ", seed " << seed);
            const auto [set, model] = random_set(size, seed);
            const Members members = members_of(model);
            Places place(size + 1, seed + 50);
            for (int round = 0; round < 60; ++round) {
                // Backward and empty ranges too, and some that go beyond the end.
                const std::size_t begin = place();
                std::size_t end = place();
                if (round % 10 == 0) { end = std::numeric_limits<std::size_t>::max(); }
                if (round % 10 == 1) { end = begin + place.random()() % 130; }
                const auto first = std::lower_bound(members.begin(), members.end(), begin);
                const auto last = std::lower_bound(first, members.end(), end);
                Members wanted, found;
                if (begin < end) { wanted.assign(first, last); }
                set.for_each(begin, end, [&](std::size_t i) { found.push_back(i); });
                ASSERT_EQ(found, wanted) << begin << " to " << end;
                ASSERT_EQ(set.count(begin, end), wanted.size()) << begin << " to " << end;
                ASSERT_EQ(set.any(begin, end), !wanted.empty()) << begin << " to " << end;
            }
        }
    }
}

TEST(HierarchicalBitset, AnswersForEveryRangeOfAFewWords) {
    constexpr std::size_t kSize = 200;
    const auto [set, model] = random_set(kSize, 1);
    for (std::size_t begin = 0; begin <= kSize; ++begin) {
        std::size_t members = 0;
        for (std::size_t end = begin; end <= kSize; ++end) {
            ASSERT_EQ(set.count(begin, end), members) << begin << " to " << end;
            ASSERT_EQ(set.any(begin, end), members > 0) << begin << " to " << end;
            if (end < kSize && model[end]) { ++members; }
        }
    }
}

} // namespace
} // namespace throng
