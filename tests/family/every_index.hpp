// An index and the oracle side by side: what all tests of the family begin with.
#pragma once

#include "indexes.hpp"
#include "questions.hpp"

#include <throng/engine/agents/validation.hpp>

namespace throng::test {

template <class Entry>
class EveryIndex : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Entry::kDim;
    using Index = typename Entry::Index;

    /// The scene in an index, and in the oracle.
    void take(scenes::Scene<kAxes>& scene) {
        ASSERT_EQ(Entry::lay_out(index_, scene, kind_of(scene.agents())), Status{});
        ASSERT_EQ(index_.update(scene.agents()), Status{});
        ASSERT_EQ(truth_.update(scene.agents()), Status{});
    }

    void check_pairs() {
        for (const std::uint32_t groups : {kAllGroups, 0x3u, 0u}) {
            ASSERT_EQ(pairs_of(index_, groups), pairs_of(truth_, groups));
        }
    }

    /// The index holds what the oracle holds.
    void check_all(const Questions<kAxes>& questions) {
        ASSERT_STREQ(index_.validate(), nullptr);
        ASSERT_EQ(index_.size(), truth_.size());
        ASSERT_EQ(index_.kind(), truth_.kind());
        ASSERT_NO_FATAL_FAILURE(questions.check(index_, truth_));
        ASSERT_NO_FATAL_FAILURE(check_pairs());
    }

    Index index_;
    Truth<kAxes> truth_;
};

} // namespace throng::test
