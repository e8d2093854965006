// Giants and statics with the largest names cost no more than others: under a memory cap that a
// table of all names would exceed.
#include "../../family/questions.hpp"
#include "../../support/archive_words.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <throng/engine/agents/edit.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/memory/capped_memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace throng {
namespace {

constexpr std::size_t kCap = std::size_t{64} << 20;
constexpr Id kLast = static_cast<Id>(kMostInCrowd) - 1;

template <class Constant>
class CrowdLateNames : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Constant::value;
    using Subject = Crowd<kAxes>;
    using Bytes = std::vector<std::byte>;

    CrowdLateNames() { configure(crowd_, memory_); }
    static void configure(Subject& crowd, MemorySource& memory) {
        CrowdSettings<kAxes> settings;
        settings.bounds = Box<kAxes>{Point<kAxes>::all(0.0f), Point<kAxes>::all(50.0f)};
        settings.cell = Point<kAxes>::all(1.0f);
        settings.memory = &memory;
        ASSERT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
    }
    static Agent<kAxes> giant(float at) {
        return {Point<kAxes>::all(at), Point<kAxes>::all(9.0f), {}};
    }

    /// Tries each way of changing giants; `first` exists already, and stays.
    void change_all(Subject& crowd, Id first) {
        using Change = Edit<kAxes>;
        for (const Id name : {Id{7}, kLast - 1, kLast / 2}) {
            ASSERT_EQ(crowd.insert(name, giant(3.0f)), Status{}) << name;
            ASSERT_EQ(crowd.move(name, Point<kAxes>::all(44.0f)), Status{});
            ASSERT_EQ(crowd.move(first, Point<kAxes>::all(4.0f)), Status{});
            ASSERT_TRUE(crowd.contains(name, Sets::giants));
            ASSERT_EQ(crowd.insert(name, giant(3.0f)),
                      (Status{Cause::id_taken, Argument::id, name}));
            ASSERT_STREQ(crowd.validate(), nullptr);
            ASSERT_EQ(crowd.erase(name), Status{});
            ASSERT_FALSE(crowd.contains(name));
            const std::vector<Change> both{Change::insert(name, giant(2.0f)),
                                           Change::insert(name + 1, giant(2.0f))};
            if (name + 1 != first) {
                ASSERT_EQ(crowd.edit(both), Status{});
                ASSERT_EQ(crowd.erase(name + 1), Status{});
            } else {
                ASSERT_EQ(crowd.edit(std::span(both).first(1)), Status{});
            }
            ASSERT_EQ(crowd.edit(std::vector<Change>{Change::erase(name)}), Status{});
            ASSERT_STREQ(crowd.validate(), nullptr);
        }
        ASSERT_EQ(crowd.size(Sets::giants), 1u);
        ASSERT_TRUE(crowd.contains(first));
    }

    CappedMemory memory_{kCap}, other_memory_{kCap};
    Subject crowd_;
};
TYPED_TEST_SUITE(CrowdLateNames, test::Dims, test::DimNames);

TYPED_TEST(CrowdLateNames, OfGiantsCostNoMore) {
    auto& crowd = this->crowd_;
    ASSERT_EQ(crowd.insert(kLast, this->giant(1.0f)), Status{});
    EXPECT_EQ(crowd.id_bound(), std::size_t{kLast} + 1);
    ASSERT_NO_FATAL_FAILURE(this->change_all(crowd, kLast));
    ASSERT_EQ(crowd.erase(kLast), Status{});
    EXPECT_EQ(crowd.size(), 0u);
    // All giants change at once by update(), then one by one again.
    ASSERT_EQ(crowd.edit(std::vector{Edit<TypeParam::value>::insert(kLast, this->giant(1.0f))}),
              Status{});
    ASSERT_NO_FATAL_FAILURE(this->change_all(crowd, kLast));
    auto scene = scenes::make<TypeParam::value>("mixed_sizes", 200);
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    ASSERT_EQ(crowd.insert(kLast, this->giant(1.0f)), Status{});
    EXPECT_EQ(crowd.id_bound(), std::size_t{kLast} + 1);
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    EXPECT_EQ(crowd.id_bound(), 200u);
    EXPECT_EQ(this->memory_.refused(), 0u);
}

TYPED_TEST(CrowdLateNames, OfGiantsInAFileCostNoMore) {
    for (const bool edited : {false, true}) {
        Crowd<TypeParam::value> crowd, loaded;
        ASSERT_NO_FATAL_FAILURE(this->configure(crowd, this->memory_));
        ASSERT_NO_FATAL_FAILURE(this->configure(loaded, this->other_memory_));
        if (edited) {
            ASSERT_EQ(crowd.insert(kLast, this->giant(1.0f)), Status{});
        } else {
            const auto insert = Edit<TypeParam::value>::insert(kLast, this->giant(1.0f));
            ASSERT_EQ(crowd.edit(std::span(&insert, 1)), Status{});
        }
        std::vector<std::byte> bytes, again;
        ASSERT_EQ(save(crowd, bytes), Status{});
        EXPECT_LT(bytes.size(), std::size_t{1} << 18);
        ASSERT_EQ(load(loaded, bytes), Status{});
        EXPECT_EQ(loaded.id_bound(), crowd.id_bound());
        ASSERT_EQ(save(loaded, again), Status{});
        EXPECT_EQ(again, bytes);
        ASSERT_NO_FATAL_FAILURE(this->change_all(loaded, kLast));
        EXPECT_EQ(this->other_memory_.refused(), 0u);
    }
}

// Ids of statics are their indices, so only a file has large ones.
TYPED_TEST(CrowdLateNames, OfStaticsInAFileCostNoMore) {
    auto& crowd = this->crowd_;
    auto scene = scenes::make<TypeParam::value>("mixed_sizes", 5);
    ASSERT_EQ(crowd.set_statics(scene.agents()), Status{});
    std::vector<std::byte> bytes;
    ASSERT_EQ(save(crowd, bytes), Status{});
    test::rename_last(bytes, test::LargeSetOf::statics, kNoId - 1);
    Crowd<TypeParam::value> loaded;
    ASSERT_NO_FATAL_FAILURE(this->configure(loaded, this->other_memory_));
    ASSERT_EQ(load(loaded, bytes), Status{});
    ASSERT_TRUE(loaded.contains(kNoId - 1));
    const Box<TypeParam::value> everywhere{Point<TypeParam::value>::all(-kLargest),
                                           Point<TypeParam::value>::all(kLargest)};
    ASSERT_EQ(test::in_order(test::visited(loaded, everywhere)).back(), kNoId - 1);
    ASSERT_EQ(loaded.insert(kLast, this->giant(1.0f)), Status{});
    ASSERT_NO_FATAL_FAILURE(this->change_all(loaded, kLast));
    ASSERT_EQ(loaded.set_statics(scene.agents()), Status{});
    EXPECT_EQ(this->other_memory_.refused(), 0u);
}

// Giants with ids from the whole range come and go: they are found in order, as others are.
TYPED_TEST(CrowdLateNames, ManyGiantsKeepTheirNames) {
    constexpr std::size_t kDim = TypeParam::value;
    auto& crowd = this->crowd_;
    scenes::Random random(23);
    std::map<Id, Point<kDim>> there;
    std::size_t bound = 0;
    for (int i = 0; i < 3000; ++i) {
        const Id name =
            random.below(3) == 0 && !there.empty()
                ? std::next(there.begin(), random.below(static_cast<std::uint32_t>(
                                               std::min<std::size_t>(there.size(), 40))))
                      ->first
                : random.below(kLast);
        const auto at = Point<kDim>::all(static_cast<float>(random.below(50)));
        if (there.count(name) == 0) {
            ASSERT_EQ(crowd.insert(name, {at, Point<kDim>::all(2.0f), {}}), Status{});
            there.emplace(name, at);
            bound = std::max(bound, std::size_t{name} + 1);
        } else if (i % 2 == 0) {
            ASSERT_EQ(crowd.erase(name), Status{});
            there.erase(name);
        } else {
            ASSERT_EQ(crowd.move(name, at), Status{});
            there[name] = at;
        }
    }
    ASSERT_STREQ(crowd.validate(), nullptr);
    ASSERT_EQ(crowd.size(Sets::giants), there.size());
    EXPECT_EQ(crowd.id_bound(), bound);
    test::Ids names;
    for (const auto& [name, at] : there) {
        ASSERT_TRUE(crowd.contains(name, Sets::giants));
        names.push_back(name);
    }
    for (const std::size_t room : {names.size(), names.size() / 3, std::size_t{0}}) {
        test::Ids order(room + 1, 7);
        ASSERT_EQ(crowd.order(std::span(order).first(room)), names.size());
        test::Ids wanted(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(room));
        wanted.push_back(7);
        ASSERT_EQ(order, wanted);
    }
    for (int i = 0; i < 20; ++i) {
        const auto from = Point<kDim>::all(static_cast<float>(random.below(50)));
        std::vector<Near> wanted;
        for (const auto& [name, at] : there) {
            wanted.push_back({distance2_between(from, at), name});
        }
        std::sort(wanted.begin(), wanted.end(), [](const Near& a, const Near& b) {
            return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.id < b.id;
        });
        wanted.resize(12);
        std::array<Near, 12> got;
        ASSERT_EQ(crowd.nearest(from, {12}, got).count, 12u);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), wanted.begin()));
    }
    EXPECT_EQ(this->memory_.refused(), 0u);
}

} // namespace
} // namespace throng
