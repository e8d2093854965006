// Ids and their slots, against a map.
#include "../../support/allocation_counter.hpp"
#include "../../support/random.hpp"

#include <throng/engine/crowd/large/name_index.hpp>
#include <throng/engine/crowd/sets.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <new>
#include <vector>

namespace throng {
namespace {

class NameIndexTest : public testing::Test {
protected:
    void insert(Id name) {
        const auto slot = static_cast<Id>(names_.size());
        names_.push_back(name);
        index_.reserve(truth_.size() + 1);
        index_.insert(slot, names_);
        truth_.emplace(name, slot);
    }
    void erase(Id name) {
        index_.erase(truth_.at(name), names_);
        names_[truth_.at(name)] = kNoId;
        truth_.erase(name);
    }
    void check() const {
        auto next = truth_.begin();
        index_.for_each([&](Id slot) {
            EXPECT_TRUE(next != truth_.end() && slot == next->second);
            return next != truth_.end() && (++next, true);
        });
        ASSERT_TRUE(next == truth_.end());
        for (const auto& [name, slot] : truth_) {
            ASSERT_EQ(index_.find(name, names_), slot);
        }
    }

    NameIndex index_;
    std::vector<Id> names_;
    std::map<Id, Id> truth_;
};

TEST_F(NameIndexTest, FindsEachAmongAny) {
    scenes::Random random(5);
    for (const std::uint32_t bound : {4u, 60u, 5000u, 0x7FFF'FFBFu, 0xFFFF'FFFFu}) {
        for (int i = 0; i < 3000; ++i) {
            const Id name = random.below(bound);
            if (truth_.count(name) == 0) {
                ASSERT_EQ(index_.find(name, names_), kNoId);
                insert(name);
            } else {
                erase(name);
                ASSERT_EQ(index_.find(name, names_), kNoId);
            }
            if (i % 97 == 0) { ASSERT_NO_FATAL_FAILURE(check()); }
        }
        while (truth_.size() > 1) {
            erase(std::next(truth_.begin(), random.below(2))->first);
        }
    }
    erase(truth_.begin()->first);
    ASSERT_NO_FATAL_FAILURE(check());
    EXPECT_EQ(index_.find(0, names_), kNoId);
}

TEST_F(NameIndexTest, TakesTheMemoryOfHowManyThereAre) {
    for (const Id name : {kNoId - 1, Id{0}, kFirstStatic, kFirstStatic - 1, Id{1}, 1u << 30}) {
        insert(name);
        ASSERT_NO_FATAL_FAILURE(check());
    }
    EXPECT_LT(index_.memory(), 2000u);
    index_.clear();
    truth_.clear();
    ASSERT_NO_FATAL_FAILURE(check());
    EXPECT_EQ(index_.find(0, names_), kNoId);
}

TEST_F(NameIndexTest, VisitsNoMoreThanAreWanted) {
    for (Id name = 0; name < 100; ++name) {
        insert(name * 7919);
    }
    std::size_t visited = 0;
    index_.for_each([&](Id) { return ++visited < 10; });
    EXPECT_EQ(visited, 10u);
}

TEST_F(NameIndexTest, RoomThatThereIsNotChangesNothing) {
    for (Id name = 0; name < 16; ++name) {
        insert(name * 1'000'003);
    }
    for (std::size_t successes = 0;; ++successes) {
        const test::FailingAllocations failing(successes);
        try {
            index_.reserve(1000);
            break;
        } catch (const std::bad_alloc&) { ASSERT_NO_FATAL_FAILURE(check()); }
    }
    const std::size_t before = test::allocations();
    for (std::size_t i = 0; i < 900; ++i) {
        const auto slot = static_cast<Id>(names_.size());
        names_.push_back(static_cast<Id>(i) * 17 + 5);
        index_.insert(slot, names_);
        truth_.emplace(names_.back(), slot);
    }
    EXPECT_LE(test::allocations() - before, 1000u); // of the map and the array
    ASSERT_NO_FATAL_FAILURE(check());
}

} // namespace
} // namespace throng
