// Ids that are skipped, and the columns between them.
#include "../../support/random.hpp"

#include <throng/engine/agents/skipped_ids.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace throng {
namespace {

using Stretches = std::vector<std::pair<std::size_t, std::size_t>>;

Stretches between(const std::vector<Id>& ids, std::size_t begin, std::size_t end) {
    Stretches columns;
    SkippedIds{ids}.between(
        begin, end, [&](std::size_t from, std::size_t to) { columns.emplace_back(from, to); });
    return columns;
}

TEST(SkippedIds, CutWhatIsLeftIntoStretches) {
    EXPECT_EQ(between({}, 3, 9), (Stretches{{3, 9}}));
    EXPECT_EQ(between({}, 3, 3), Stretches{});
    EXPECT_EQ(between({3}, 3, 9), (Stretches{{4, 9}}));
    EXPECT_EQ(between({8}, 3, 9), (Stretches{{3, 8}}));
    EXPECT_EQ(between({2, 9}, 3, 9), (Stretches{{3, 9}}));
    EXPECT_EQ(between({4, 5, 7}, 3, 9), (Stretches{{3, 4}, {6, 7}, {8, 9}}));
    EXPECT_EQ(between({3, 4, 5, 6, 7, 8}, 3, 9), Stretches{});
    const std::size_t last = kNoId;
    EXPECT_EQ(between({kNoId - 2}, last - 3, last),
              (Stretches{{last - 3, last - 2}, {last - 1, last}}));
    if (sizeof(std::size_t) > sizeof(Id)) {
        EXPECT_EQ(between({kNoId - 1}, last - 2, last + 5),
                  (Stretches{{last - 2, last - 1}, {last, last + 5}}));
    }
}

TEST(SkippedIds, AreThoseOfAnyPartAndNoOthers) {
    scenes::Random random(3);
    for (int round = 0; round < 300; ++round) {
        std::vector<Id> ids;
        for (Id id = 0; id < 100; ++id) {
            if (random.below(1 + static_cast<std::uint32_t>(round) % 9) == 0) { ids.push_back(id); }
        }
        const std::size_t begin = random.below(110), end = begin + random.below(40);
        std::vector<bool> kept(200, false);
        std::size_t last = begin;
        for (const auto& [from, to] : between(ids, begin, end)) {
            ASSERT_LE(last, from);
            ASSERT_LT(from, to);
            std::fill(kept.begin() + static_cast<std::ptrdiff_t>(from),
                      kept.begin() + static_cast<std::ptrdiff_t>(to), true);
            last = to;
        }
        ASSERT_LE(last, end);
        std::size_t within = 0;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const bool out = std::binary_search(ids.begin(), ids.end(), i);
            ASSERT_EQ(kept[i], i >= begin && i < end && !out);
            within += out && i >= begin && i < end ? 1 : 0;
        }
        const auto part = SkippedIds{ids}.within(begin, end);
        ASSERT_EQ(part.size(), within);
        ASSERT_TRUE(
            std::all_of(part.begin(), part.end(), [&](Id id) { return id >= begin && id < end; }));
    }
}

} // namespace
} // namespace throng
