// Every byte that an index holds comes from the source it is given, and if the source refuses,
// nothing changes.
#include "../support/allocation_counter.hpp"
#include "../support/ledger.hpp"
#include "../support/threads/executors.hpp"
#include "any_index.hpp"

#include <throng/engine/memory/capped_memory.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

constexpr std::size_t kNoCap = std::numeric_limits<std::size_t>::max();
constexpr Status kOver{Cause::over_memory, Argument::memory};

/// Tries caps from nothing up to `peak`, in steps and at the end one by one.
template <class Try>
void for_each_cap(std::size_t peak, const Try& try_cap) {
    for (std::size_t cap = 0; cap < peak; cap += peak / 24 + 1) {
        try_cap(cap);
    }
    if (peak > 0) { try_cap(peak - 1); }
    try_cap(peak);
}

template <std::size_t Dim>
class EverySource : public test::AnyIndexTest<Dim> {
protected:
    using Index = test::AnyIndex<Dim>;

    static Agent<Dim> agent(float at) { return {Point<Dim>::all(at), Point<Dim>::all(1.5f), 1u}; }

    /// Makes every kind of change.
    template <class Any>
    static Status change(Any& index, const Agents<Dim>& agents) {
        Status status = index.update(agents);
        for (Id id = 1000; id < 1100 && status.ok(); ++id) {
            status = index.insert(id, agent(static_cast<float>(id % 7)));
        }
        for (Id id = 0; id < 50 && status.ok(); ++id) {
            status = index.move(id, Point<Dim>::all(static_cast<float>(id) * 100.0f));
        }
        for (Id id = 50; id < 100 && status.ok(); ++id) {
            status = index.erase(id);
        }
        return status;
    }
    static Status live(Index& index, const scenes::Scene<Dim>& scene, const Agents<Dim>& agents) {
        Status status = index.lay_out(scene, kind_of(agents));
        if (status.ok()) { status = change(index, agents); }
        index.tidy();
        return status;
    }

    /// Tries `call` with more and more memory, until there is enough: each time in an index with
    /// the scene, made on the heap.
    template <class Call>
    void try_caps(scenes::Scene<Dim>& scene, const Call& call) {
        Index& index = this->index_;
        CappedMemory all(kNoCap);
        ASSERT_NO_FATAL_FAILURE(this->take(scene));
        const test::Ids before = test::all_ids<Dim>(index);
        const test::IdPairs pairs = test::pairs_of(index);
        ASSERT_EQ(capped(&all, call), Status{});
        const test::Ids after = test::all_ids<Dim>(index);
        index = this->made();
        ASSERT_EQ(all.used(), 0u);
        for_each_cap(all.peak(), [&](std::size_t cap) {
            SCOPED_TRACE(testing::Message() << "cap " << cap << " of " << all.peak());
            index = this->made();
            ASSERT_NO_FATAL_FAILURE(this->take(scene));
            CappedMemory memory(cap);
            const Status status = capped(&memory, call);
            ASSERT_STREQ(index.validate(), nullptr);
            if (status.ok()) {
                ASSERT_EQ(test::in_order(test::all_ids<Dim>(index)), test::in_order(after));
            } else {
                ASSERT_EQ(status, kOver);
                ASSERT_LT(cap, all.peak());
                ASSERT_GT(memory.refused(), 0u);
                ASSERT_EQ(test::all_ids<Dim>(index), before);
                ASSERT_EQ(test::pairs_of(index), pairs);
                ASSERT_EQ(index.kind(), this->truth_.kind());
                // The index still works when there is memory.
                ASSERT_EQ(capped(nullptr, call), Status{});
                ASSERT_EQ(test::in_order(test::all_ids<Dim>(index)), test::in_order(after));
            }
            ASSERT_LE(memory.peak(), cap);
            index = this->made();
            ASSERT_EQ(memory.used(), 0u);
        });
    }
};

THRONG_TEST_EVERY_INDEX(EverySource, GivesEveryByteAndGetsItBack) {
    auto scene = scenes::make<kDim>("mixed_sizes", 700, scenes::Groups::masks);
    const auto agents = scene.agents();
    const test::Questions<kDim> questions(scene, 8);
    ASSERT_EQ(this->change(this->truth_, agents), Status{});
    test::Ledger ledger;
    {
        std::optional<test::AnyIndex<kDim>> index;
        {
            const WithMemory with(ledger);
            const std::size_t heap = test::allocations();
            index.emplace(this->made());
            const Status status = this->live(*index, scene, agents);
            EXPECT_EQ(test::allocations(), heap);
            ASSERT_EQ(status, Status{});
        }
        EXPECT_GE(ledger.used(), index->memory().total());
        ASSERT_STREQ(index->validate(), nullptr);
        ASSERT_NO_FATAL_FAILURE(questions.check(*index, this->truth_));
    }
    EXPECT_GT(ledger.given(), 0u);
    EXPECT_EQ(ledger.used(), 0u);
}

// Swapped, moved, updated with another source or none: each byte still returns to its source.
THRONG_TEST_EVERY_INDEX(EverySource, GoesAlongWithWhatItGave) {
    auto scene = scenes::make<kDim>("mixed_sizes", 300, scenes::Groups::masks);
    auto other = scenes::make<kDim>("clustered", 900);
    test::Ledger first, second;
    const auto made_with = [&](MemorySource& source, auto& crowd) {
        const WithMemory with(source);
        test::AnyIndex<kDim> index = this->made();
        EXPECT_EQ(index.lay_out(crowd, kind_of(crowd.agents())), Status{});
        EXPECT_EQ(index.update(crowd.agents()), Status{});
        return index;
    };
    auto a = made_with(first, scene), b = made_with(second, other);
    std::swap(a, b);
    ASSERT_STREQ(a.validate(), nullptr);
    ASSERT_STREQ(b.validate(), nullptr);
    ASSERT_EQ(a.size(), other.size());
    {
        const WithMemory with(first);
        ASSERT_EQ(a.update(scene.agents()), Status{});
        ASSERT_EQ(a.update(other.agents()), Status{});
    }
    ASSERT_EQ(b.update(other.agents()), Status{}); // from the heap
    ASSERT_EQ(b.update(scene.agents()), Status{});
    ASSERT_STREQ(a.validate(), nullptr);
    ASSERT_STREQ(b.validate(), nullptr);
    {
        const auto moved = std::move(a);
        ASSERT_EQ(moved.size(), other.size());
    }
    a = std::move(b);
    ASSERT_EQ(a.size(), scene.size());
    ASSERT_STREQ(a.validate(), nullptr);
    a = made_with(second, other);
    EXPECT_EQ(first.used(), 0u);
    EXPECT_GT(second.used(), 0u);
}

THRONG_TEST_EVERY_INDEX(EverySource, GoingOverTheCapChangesNothing) {
    auto scene = scenes::make<kDim>("mixed_sizes", 150, scenes::Groups::masks);
    auto larger = scenes::make<kDim>("clustered", 700);
    const auto agents = larger.agents();
    auto& index = this->index_;
    const auto far = Point<kDim>::all(1e5f);
    ASSERT_NO_FATAL_FAILURE(this->try_caps(scene, [&] { return index.update(agents); }));
    ASSERT_NO_FATAL_FAILURE(
        this->try_caps(scene, [&] { return index.insert(5000, this->agent(3.0f)); }));
    ASSERT_NO_FATAL_FAILURE(this->try_caps(scene, [&] { return index.move(3, far); }));
    ASSERT_NO_FATAL_FAILURE(this->try_caps(scene, [&] { return index.erase(3); }));
}

THRONG_TEST_EVERY_INDEX(EverySource, AWholeLifeUnderACap) {
    auto scene = scenes::make<kDim>("mixed_sizes", 200, scenes::Groups::masks);
    const auto agents = scene.agents();
    const auto life = [&](CappedMemory& memory) {
        return capped(&memory, [&] {
            test::AnyIndex<kDim> index = this->made();
            return this->live(index, scene, agents);
        });
    };
    CappedMemory all(kNoCap);
    ASSERT_EQ(life(all), Status{});
    EXPECT_EQ(all.used(), 0u);
    for_each_cap(all.peak(), [&](std::size_t cap) {
        CappedMemory memory(cap);
        const Status status = life(memory);
        if (cap >= all.peak()) {
            EXPECT_EQ(status, Status{});
        } else if (cap < all.peak() / 2) {
            EXPECT_EQ(status, kOver) << cap;
        } else {
            EXPECT_TRUE(status.ok() || status == kOver);
        }
        EXPECT_EQ(memory.used(), 0u);
        EXPECT_LE(memory.peak(), cap);
    });
}

template <std::size_t Dim>
class SharedSource : public EverySource<Dim> {
public:
    static bool is_about(const test::AnyEntry<Dim>& entry) { return entry.is_parallel; }
};

/// Moves all agents a little, and most of them into one place, whose row or leaf must grow.
template <std::size_t Dim>
std::vector<Edit<Dim>> crowding(const scenes::Scene<Dim>& scene) {
    std::vector<Edit<Dim>> edits;
    for (Id id = 0; id < scene.size(); ++id) {
        const auto to = scene.position_of(id % 3 == 0 ? (id + 1) % scene.size() : id % 16);
        edits.push_back(Edit<Dim>::move(id, to));
    }
    return edits;
}

THRONG_TEST_EVERY_INDEX(SharedSource, CountsWhatWorkersTake) {
    auto scene = scenes::make<kDim>("uniform", 20'000);
    const auto agents = scene.agents();
    auto edits = crowding(scene);
    edits.resize(1500); // more would be made by an update, whose workers take no memory
    const auto work = [&](MemorySource& source, Executor& executor) {
        const WithMemory with(source);
        test::AnyIndex<kDim> index = this->made();
        EXPECT_EQ(index.lay_out(scene, kind_of(agents)), Status{});
        EXPECT_EQ(index.update(agents, executor), Status{});
        if (index.takes_batches()) { EXPECT_EQ(index.edit(edits, executor), Status{}); }
        return index;
    };
    test::Ledger alone, elsewhere, pool;
    // None of these executors tells how many threads it has: that would change the blocks.
    test::ShuffleExecutor here(1);
    const auto of_alone = work(alone, here);
    EXPECT_FALSE(alone.gave_to_others());
    test::ElsewhereExecutor threads;
    const auto of_elsewhere = work(elsewhere, threads);
    EXPECT_EQ(elsewhere.used(), alone.used());
    EXPECT_EQ(elsewhere.given(), alone.given());
    EXPECT_EQ(elsewhere.gave_to_others(), of_alone.takes_batches());
    test::EagerPool two(2);
    const std::size_t heap = test::allocations();
    const auto of_pool = work(pool, two);
    EXPECT_EQ(test::allocations(), heap);
    EXPECT_EQ(pool.used(), alone.used());
    EXPECT_EQ(pool.given(), alone.given());
    ASSERT_STREQ(of_pool.validate(), nullptr);
}

THRONG_TEST_EVERY_INDEX(SharedSource, GoingOverTheCapOnAWorkerChangesNothing) {
    auto scene = scenes::make<kDim>("uniform", 500);
    auto larger = scenes::make<kDim>("clustered", 3000);
    const auto agents = larger.agents();
    auto& index = this->index_;
    test::ElsewhereExecutor threads;
    ASSERT_NO_FATAL_FAILURE(this->try_caps(scene, [&] { return index.update(agents, threads); }));
    if (index.takes_batches()) {
        auto edits = crowding(scene);
        ASSERT_NO_FATAL_FAILURE(this->try_caps(scene, [&] { return index.edit(edits, threads); }));
        edits.resize(60); // so few that no update makes them
        ASSERT_NO_FATAL_FAILURE(this->try_caps(scene, [&] { return index.edit(edits, threads); }));
    }
}

} // namespace
} // namespace throng
