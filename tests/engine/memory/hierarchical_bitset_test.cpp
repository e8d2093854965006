// The hierarchical bitset against a plain std::vector<bool>.
#include "hierarchical_bitset_model.hpp"

#include <cstdint>
#include <stdexcept>

namespace throng {
namespace {

using namespace test; // NOLINT(google-build-using-namespace)

TEST(HierarchicalBitset, StartsEmpty) {
    expect_same(HierarchicalBitset(), {});
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        expect_same(HierarchicalBitset(size), Model(size));
    }
}

TEST(HierarchicalBitset, HoldsEachSingleMember) {
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        HierarchicalBitset set(size);
        for (std::size_t i = 0; i < size; i += size < 5'000 ? 1 : 61) {
            set.set(i);
            ASSERT_EQ(set.next(0), i);
            ASSERT_EQ(set.next(i), i);
            ASSERT_EQ(set.next(i + 1), size);
            ASSERT_EQ(set.count(), 1u);
            set.reset(i);
            ASSERT_TRUE(set.empty());
            ASSERT_EQ(set.next(0), size);
        }
    }
}

TEST(HierarchicalBitset, AgreesWithTheModelOverRandomEdits) {
    for (const std::size_t size : kSizes) {
        if (size == 0) { continue; }
        SCOPED_TRACE(size);
        HierarchicalBitset set(size);
        Model model(size);
        Places place(size, static_cast<std::uint32_t>(size));
        for (int round = 0; round < 12; ++round) {
            for (int edit = 0; edit < 200; ++edit) {
                const std::size_t a = place();
                // Rounds that mostly add take turns with rounds that mostly remove: words become
                // empty.
                const bool add = place.random()() % 4 < (round % 2 == 0 ? 3u : 1u);
                if (edit % 40 != 0) {
                    add ? set.set(a) : set.reset(a);
                    model[a] = add;
                } else {
                    const std::size_t b = place();
                    const auto [begin, end] = std::minmax(a, b);
                    add ? set.set_range(begin, end + 1) : set.reset_range(begin, end + 1);
                    fill(model, begin, end + 1, add);
                }
            }
            ASSERT_NO_FATAL_FAILURE(expect_same(set, model)) << "round " << round;
        }
    }
}

TEST(HierarchicalBitset, ClearsAndCanBeUsedAgain) {
    for (const std::size_t size : kSizes) {
        for (std::uint32_t seed = 0; seed < 3; ++seed) {
            SCOPED_TRACE(::testing::Message() << size << ", seed " << seed);
            HierarchicalBitset set = random_set(size, seed).first;
            const std::size_t memory = set.memory();
            set.clear();
            ASSERT_NO_FATAL_FAILURE(expect_same(set, Model(size)));
            EXPECT_EQ(set.memory(), memory);
            if (size == 0) { continue; }
            Model model(size);
            set.set(size - 1);
            model[size - 1] = true;
            ASSERT_NO_FATAL_FAILURE(expect_same(set, model));
        }
    }
}

TEST(HierarchicalBitset, ResizingRemovesAll) {
    HierarchicalBitset set(100);
    for (const std::size_t size : kSizes) {
        if (set.size() > 0) { set.set(set.size() - 1); }
        set.resize(size);
        ASSERT_NO_FATAL_FAILURE(expect_same(set, Model(size)));
        EXPECT_GE(set.memory(), size / 8);
    }
}

TEST(HierarchicalBitset, AResizeThatFailsChangesNothing) {
    auto [set, model] = random_set(5'000, 1);
    if (sizeof(std::size_t) < sizeof(std::uint64_t)) {
        GTEST_SKIP() << "32-bit addresses cannot say a number of bits that is too large";
    }
    const std::uint64_t most = std::uint64_t{1} << 36;
    EXPECT_THROW(set.resize(static_cast<std::size_t>(most + 1)), std::length_error);
    expect_same(set, model);
    EXPECT_THROW(set.resize(std::numeric_limits<std::size_t>::max()), std::length_error);
    expect_same(set, model);
}

TEST(HierarchicalBitset, CopiesAndMoves) {
    const auto [original, model] = random_set(4'097, 2);
    HierarchicalBitset copy = original;
    copy.set(0);
    copy.reset(0);
    copy.clear();
    expect_same(original, model);

    HierarchicalBitset from = original;
    HierarchicalBitset to(std::move(from));
    expect_same(to, model);
    expect_same(from, {}); // NOLINT(bugprone-use-after-move): it has a defined state
    from = std::move(to);
    expect_same(from, model);
    expect_same(to, {}); // NOLINT(bugprone-use-after-move)
    HierarchicalBitset& same = from;
    from = std::move(same);
    expect_same(from, model);
}

TEST(HierarchicalBitset, FindsTheFewAmongHundredsOfMillions) {
    constexpr std::size_t kSize = (std::size_t{1} << 30) + 3; // six levels
    HierarchicalBitset set(kSize);
    EXPECT_EQ(set.depth(), 6u);
    const Members members = {
        0, 64, (std::size_t{1} << 24) - 1, std::size_t{1} << 24, std::size_t{1} << 30, kSize - 1};
    for (const std::size_t i : members) {
        set.set(i);
    }
    EXPECT_EQ(members_of(set), members);
    Members walked;
    for (std::size_t i = set.next(0); i != kSize; i = set.next(i + 1)) {
        walked.push_back(i);
    }
    EXPECT_EQ(walked, members);
    set.clear();
    EXPECT_TRUE(set.empty());
    EXPECT_EQ(set.next(0), kSize);
}

} // namespace
} // namespace throng
