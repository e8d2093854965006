// Two hierarchical bitsets together.
#include "hierarchical_bitset_model.hpp"

namespace throng {
namespace {

using namespace test; // NOLINT(google-build-using-namespace)

TEST(HierarchicalBitset, UnitesAndIntersects) {
    for (const std::size_t size : kSizes) {
        for (std::uint32_t seed = 0; seed < 9; ++seed) {
            SCOPED_TRACE(::testing::Message() << size << ", seed " << seed);
            const auto [a, in_a] = random_set(size, seed);
            const auto [b, in_b] = random_set(size, seed / 3 + 100);
            Model both(size), either(size);
            for (std::size_t i = 0; i < size; ++i) {
                both[i] = in_a[i] && in_b[i];
                either[i] = in_a[i] || in_b[i];
            }
            HierarchicalBitset intersection = a;
            EXPECT_EQ(&(intersection &= b), &intersection);
            ASSERT_NO_FATAL_FAILURE(expect_same(intersection, both));
            HierarchicalBitset united = a;
            EXPECT_EQ(&(united |= b), &united);
            ASSERT_NO_FATAL_FAILURE(expect_same(united, either));

            EXPECT_EQ(a == b, in_a == in_b);
            EXPECT_EQ(intersection == a, both == in_a);
            EXPECT_EQ(united == b, either == in_b);
            // A set with itself, too.
            const HierarchicalBitset& itself = united;
            united |= itself;
            united &= itself;
            ASSERT_NO_FATAL_FAILURE(expect_same(united, either));
        }
    }
}

TEST(HierarchicalBitset, IsEqualByMembersAndSize) {
    for (const std::size_t size : kSizes) {
        HierarchicalBitset a(size), b(size);
        EXPECT_EQ(a, b);
        EXPECT_NE(a, HierarchicalBitset(size + 1));
        for (std::size_t i = 0; i < size; i += size / 50 + 1) {
            a.set(i);
            EXPECT_NE(a, b);
            EXPECT_NE(b, a);
            b.set(i);
            EXPECT_EQ(a, b);
        }
    }
}

} // namespace
} // namespace throng
