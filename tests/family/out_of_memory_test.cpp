// Every change to every structure, and every question that takes memory, with each allocation
// failing in turn.
#include "../support/fail_each.hpp"
#include "any_index.hpp"
#include "shown.hpp"

#include <throng/engine/agents/edit.hpp>
#include <throng/engine/core/progress.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace throng {
namespace {

using test::Memory;

template <std::size_t Dim>
class OutOfMemory : public test::AnyIndexTest<Dim> {
protected:
    /// An index as an update leaves it.
    test::AnyIndex<Dim> filled() {
        test::AnyIndex<Dim> index = this->made();
        EXPECT_EQ(index.lay_out(scene_, kind_of(scene_.agents())), Status{});
        EXPECT_EQ(index.update(scene_.agents()), Status{});
        return index;
    }
    /// An index with a hole in it.
    test::AnyIndex<Dim> with_hole() {
        test::AnyIndex<Dim> index = filled();
        EXPECT_EQ(index.erase(12), Status{});
        return index;
    }

    template <class Call>
    void each(const char* what, const Call& call, Memory memory = Memory::needed) {
        SCOPED_TRACE(what);
        test::fail_each_allocation([&] { return with_hole(); }, call,
                                   &test::shown_sound<Dim, test::AnyIndex<Dim>>, memory);
    }

    scenes::Scene<Dim> scene_ = scenes::make<Dim>("mixed_sizes", 150, scenes::Groups::masks);
    scenes::Scene<Dim> other_ = scenes::make<Dim>("clustered", 500);
};

THRONG_TEST_EVERY_INDEX(OutOfMemory, ChangesOfAllAgentsChangeNothing) {
    const test::AllocationsFail somewhere;
    using Index = test::AnyIndex<kDim>;
    auto moved = this->scene_;
    for (auto& axis : moved.position) {
        std::rotate(axis.begin(), axis.begin() + 1, axis.end());
    }
    const auto same = moved.agents();
    const auto agents = this->other_.agents();
    this->each("update", [&](Index& index) { return index.update(same); });
    this->each("update to another kind", [&](Index& index) { return index.update(agents); });
    this->each("lay out",
               [&](Index& index) { return index.lay_out(this->other_, kind_of(agents)); });
    this->each("no agents", [](Index& index) { return index.update({}); });
    if (this->index_.takes_progress()) {
        const auto go_on = [](float) { return true; };
        this->each("update that asks",
                   [&](Index& index) { return index.update(agents, serial_executor(), go_on); });
    }
    SCOPED_TRACE("the first update");
    test::fail_each_allocation([&] { return this->made(); },
                               [&](Index& index) { return index.update(agents); },
                               &test::shown_sound<kDim, Index>);
}

THRONG_TEST_EVERY_INDEX(OutOfMemory, ChangesOfOneChangeNothing) {
    const test::AllocationsFail somewhere;
    using Index = test::AnyIndex<kDim>;
    const Agent<kDim> large{Point<kDim>::all(3.0f), Point<kDim>::all(40.0f), 1u};
    const Agent<kDim> small{Point<kDim>::all(2.0f), Point<kDim>::all(0.25f), 2u};
    const auto near = Point<kDim>::all(1.5f), far = Point<kDim>::all(1e5f);
    this->each("insert", [&](Index& index) { return index.insert(150, small); });
    this->each("insert into the hole", [&](Index& index) { return index.insert(12, small); });
    this->each("insert a large one", [&](Index& index) { return index.insert(5000, large); });
    this->each(
        "move", [&](Index& index) { return index.move(7, near); }, Memory::useful);
    this->each(
        "move far", [&](Index& index) { return index.move(3, far); }, Memory::useful);
    this->each(
        "erase", [&](Index& index) { return index.erase(3); }, Memory::useful);
    this->each(
        "tidy",
        [](Index& index) {
            index.tidy();
            return Status{};
        },
        Memory::useful);
    // What an index keeps for edits of one agent is made by the first of them.
    SCOPED_TRACE("the first after an update");
    const auto first = [&](const auto& call) {
        test::fail_each_allocation([&] { return this->filled(); }, call,
                                   &test::shown_sound<kDim, Index>, Memory::useful);
    };
    first([&](Index& index) { return index.insert(150, small); });
    first([&](Index& index) { return index.move(7, near); });
    first([&](Index& index) { return index.erase(3); });
}

/// Births, deaths and moves of many.
template <std::size_t Dim>
std::vector<Edit<Dim>> edits_of(const scenes::Scene<Dim>& scene) {
    using Change = Edit<Dim>;
    const Agent<Dim> large{Point<Dim>::all(3.0f), Point<Dim>::all(40.0f), 1u};
    const Agent<Dim> small{Point<Dim>::all(2.0f), Point<Dim>::all(0.25f), 2u};
    std::vector<Change> edits = {Change::insert(9000, large), Change::erase(0),
                                 Change::move(7, Point<Dim>::all(1e5f)), Change::insert(12, small)};
    for (Id id = 20; id < 90; ++id) {
        edits.push_back(id % 7 == 0   ? Change::erase(id)
                        : id % 2 == 0 ? Change::move(id, Point<Dim>::all(1.5f))
                                      : Change::move(id, scene.position_of(id - 1)));
        edits.push_back(Change::insert(200 + 3 * id, small));
    }
    return edits;
}

THRONG_TEST_EVERY_INDEX(OutOfMemory, BatchesOfEditsChangeNothing) {
    using Index = test::AnyIndex<kDim>;
    const auto edits = edits_of(this->scene_);
    if (this->index_.takes_batches()) {
        const test::AllocationsFail somewhere;
        this->each("edit", [&](Index& index) { return index.edit(edits); });
    }
}

THRONG_TEST_EVERY_INDEX(OutOfMemory, QuestionsChangeNothing) {
    const test::AllocationsFail somewhere;
    using Index = test::AnyIndex<kDim>;
    const test::Questions<kDim> questions(this->scene_, 8);
    const auto ask = [&](const auto& shapes) {
        this->each("questions", [&](const Index& index) {
            Hits hits;
            return index.query(shapes, hits);
        });
    };
    ask(questions.boxes);
    ask(questions.balls);
    ask(questions.others.segments);
    ask(questions.others.rays);
    ask(questions.others.capsules);
    ask(questions.others.sectors);
    ask(questions.others.convexes);
    ask(questions.others.oriented_boxes);
    ask(questions.others.cylinders);
}

THRONG_TEST_EVERY_INDEX(OutOfMemory, WhatCannotBeMadeLeavesNothingBehind) {
    using Index = test::AnyIndex<kDim>;
    test::fail_each_allocation([] { return std::optional<Index>(); },
                               [&](std::optional<Index>& index) {
                                   index.emplace(this->made());
                                   return Status{};
                               },
                               [](const std::optional<Index>& index) { return index.has_value(); });
}

} // namespace
} // namespace throng
