// A hierarchical bitset and a plain std::vector<bool>, which must agree.
#pragma once

#include <throng/engine/memory/hierarchical_bitset.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace throng::test {

using Model = std::vector<bool>;
using Members = std::vector<std::size_t>;

// Sizes 0 and 1, and around the bits of a word, of a word of words, and of one more level.
inline constexpr std::size_t kSizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 262'144, 262'145};

inline Members members_of(const Model& model) {
    Members members;
    for (std::size_t i = 0; i < model.size(); ++i) {
        if (model[i]) { members.push_back(i); }
    }
    return members;
}

inline Members members_of(const HierarchicalBitset& set) {
    Members members;
    set.for_each([&](std::size_t i) { members.push_back(i); });
    return members;
}

/// Every level has a bit for each word below, set if that word is not zero; the top is one word.
inline void expect_sound(const HierarchicalBitset& set) {
    const auto level = set.levels();
    std::size_t bits = set.size();
    std::size_t k = 0;
    for (; bits > 1 || (k == 0 && bits == 1); ++k) {
        ASSERT_LT(k, set.depth());
        ASSERT_NE(level[k], nullptr);
        const std::size_t words = (bits + 63) / 64;
        if (bits % 64 != 0) {
            ASSERT_EQ(level[k][words - 1] >> (bits % 64), 0u) << "bits past the end of level " << k;
        }
        for (std::size_t w = 0; k > 0 && w < bits; ++w) {
            ASSERT_EQ((level[k][w / 64] >> (w % 64)) & 1, level[k - 1][w] != 0 ? 1u : 0u)
                << "level " << k << ", word below " << w;
        }
        bits = words;
    }
    EXPECT_EQ(set.depth(), k);
    for (; k < HierarchicalBitset::kMaxLevels; ++k) {
        EXPECT_EQ(level[k], nullptr);
    }
}

/// All that can be asked, compared with the model.
inline void expect_same(const HierarchicalBitset& set, const Model& model) {
    ASSERT_EQ(set.size(), model.size());
    const std::size_t size = model.size();
    ASSERT_NO_FATAL_FAILURE(expect_sound(set));

    const Members members = members_of(model);
    EXPECT_EQ(members_of(set), members);
    EXPECT_EQ(set.count(), members.size());
    EXPECT_EQ(set.empty(), members.empty());

    std::size_t next = size;
    for (std::size_t i = size; i-- > 0;) {
        if (model[i]) { next = i; }
        ASSERT_EQ(set.test(i), model[i]) << i;
        ASSERT_EQ(set.next(i), next) << i;
    }
    for (const std::size_t past : {size, size + 1, std::numeric_limits<std::size_t>::max()}) {
        EXPECT_EQ(set.next(past), size);
    }
}

/// Places where words and levels meet, and random ones.
class Places {
public:
    Places(std::size_t size, std::uint32_t seed) : size_(size), random_(seed) {}
    std::size_t operator()() {
        static constexpr std::size_t kEdges[] = {0, 63, 64, 65, 4095, 4096, 4097, 262'143, 262'144};
        const std::size_t kind = random_() % 4;
        std::size_t place = random_();
        if (kind == 0) { place = kEdges[random_() % std::size(kEdges)]; }
        if (kind == 1) { place = size_ - 1 - random_() % 3; }
        return place % size_;
    }
    std::mt19937& random() { return random_; }

private:
    std::size_t size_;
    std::mt19937 random_;
};

inline void fill(Model& model, std::size_t begin, std::size_t end, bool value) {
    for (std::size_t i = begin; i < end; ++i) {
        model[i] = value;
    }
}

/// A random set, sparse or dense, and its model.
inline std::pair<HierarchicalBitset, Model> random_set(std::size_t size, std::uint32_t seed) {
    HierarchicalBitset set(size);
    Model model(size);
    if (size == 0) { return {set, model}; }
    Places place(size, seed);
    const std::size_t count = seed % 3 == 0 ? 5 : size / 7 + 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = place();
        set.set(at);
        model[at] = true;
    }
    if (seed % 3 == 1) {
        const std::size_t a = place(), b = place();
        set.set_range(std::min(a, b), std::max(a, b));
        fill(model, std::min(a, b), std::max(a, b), true);
    }
    return {set, model};
}

} // namespace throng::test
