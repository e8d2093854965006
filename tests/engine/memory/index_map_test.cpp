// IndexMap gives keys consecutive numbers, whatever the keys are.
#include <throng/engine/memory/index_map.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <unordered_map>

namespace throng {
namespace {

/// Numbers as many keys as there is room for, each several times.
void expect_numbers(IndexMap& numbers, const std::vector<std::uint32_t>& keys) {
    numbers.restart(keys.size());
    EXPECT_EQ(numbers.size(), 0u);
    std::unordered_map<std::uint32_t, std::uint32_t> wanted;
    for (const std::uint32_t key : keys) {
        if (!wanted.contains(key)) { ASSERT_EQ(numbers.find(key), IndexMap::kNone) << key; }
        const auto number = static_cast<std::uint32_t>(wanted.size());
        ASSERT_EQ(numbers.number(key), wanted.emplace(key, number).first->second) << key;
        ASSERT_EQ(numbers.size(), wanted.size());
    }
    for (const auto& [key, number] : wanted) {
        ASSERT_EQ(numbers.find(key), number) << key;
        ASSERT_EQ(numbers.number(key), number) << key;
    }
    ASSERT_EQ(numbers.size(), wanted.size());
}

TEST(IndexMap, TellAnyKeysApart) {
    IndexMap numbers;
    scenes::Random random(3);
    for (const std::uint32_t stride : {1u, 2u, 64u, 65'536u, 0x9E37'79B9u}) {
        for (const std::uint32_t count : {0u, 1u, 2u, 3u, 64u, 1000u, 5000u}) {
            SCOPED_TRACE(testing::Message() << count << " keys, " << stride << " apart");
            std::vector<std::uint32_t> keys;
            for (std::uint32_t i = 0; i < count; ++i) {
                keys.push_back(random.below(4) == 0 && i > 0 ? keys[random.below(i)] : i * stride);
            }
            ASSERT_NO_FATAL_FAILURE(expect_numbers(numbers, keys));
        }
    }
    ASSERT_NO_FATAL_FAILURE(expect_numbers(numbers, {0xFFFF'FFFEu, 0u, 0xFFFF'FFFEu}));
}

TEST(IndexMap, KeepTheirMemory) {
    IndexMap numbers;
    numbers.restart(1000);
    EXPECT_GE(numbers.memory(), 1000 * sizeof(std::uint64_t));
    const std::size_t before = test::allocations();
    for (const std::size_t keys : {std::size_t{1000}, std::size_t{0}, std::size_t{600}}) {
        numbers.restart(keys);
        EXPECT_EQ(numbers.find(7), IndexMap::kNone);
    }
    EXPECT_EQ(test::allocations(), before);
}

} // namespace
} // namespace throng
