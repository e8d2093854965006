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

    /// Puts the scene into the index and into the oracle.
    void take(scenes::Scene<kAxes>& scene) {
        ASSERT_EQ(Entry::lay_out(index_, scene, kind_of(scene.agents())), Status{});
        ASSERT_EQ(index_.update(scene.agents()), Status{});
        ASSERT_EQ(truth_.update(scene.agents()), Status{});
    }

    void check_pairs() { check_pairs_of<kAxes>(index_, truth_); }
    void check_all(const Questions<kAxes>& questions) {
        check_index<kAxes>(index_, truth_, questions);
    }

    Index index_;
    Truth<kAxes> truth_;
};

} // namespace throng::test
