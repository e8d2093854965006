// Pairs that several threads find at once: the same as one thread finds, whatever the executor
// does.
#include "../support/threads/executors.hpp"
#include "every_index.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace throng {
namespace {

using test::Fault;

/// Thrown by visitors.
struct PairError {};

constexpr std::size_t kAgents = 3'000;

/// The pairs of a crowd, struck out as they are found. Sorting and comparing them would take most
/// of the time of a search, for each of many executors.
class ExpectedPairs {
public:
    explicit ExpectedPairs(const test::IdPairs& pairs)
        : round_of_(kAgents * kAgents), count_(pairs.size()) {
        for (const auto& [first, second] : pairs) {
            round_of_[place_of(first, second)] = round_;
        }
    }

    [[nodiscard]] std::size_t count() const noexcept { return count_; }

    /// Begins a search: no pair has been found.
    void begin() noexcept {
        ++round_;
        found_ = 0;
        wrong_ = 0;
    }
    void strike_out(std::span<const Id> first, std::span<const Id> second) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            std::uint8_t& round = round_of_[place_of(first[i], second[i])];
            if (round == 0 || round == round_) { ++wrong_; } // no pair, or found before
            if (round != 0) { round = round_; }
        }
        found_ += first.size();
    }
    [[nodiscard]] bool all_once() const noexcept { return wrong_ == 0 && found_ == count_; }

private:
    [[nodiscard]] static std::size_t place_of(Id first, Id second) noexcept {
        return std::min(first, second) * kAgents + std::max(first, second);
    }

    std::vector<std::uint8_t> round_of_; // the round in which each pair was found; 0: no pair
    std::size_t count_, found_ = 0, wrong_ = 0;
    std::uint8_t round_ = 1;
};

template <class Entry>
class PairThreads : public test::EveryIndex<Entry> {
protected:
    /// A crowd with far more pairs than a run has, with giants, and edited, so that nothing lies in
    /// order.
    void take_many(const char* name) {
        auto scene = scenes::make<Entry::kDim>(name, kAgents, scenes::Groups::masks);
        for (std::size_t a = 0; a < Entry::kDim; ++a) {
            scene.common_half_extent[a] *= 3.0f;
            for (float& half : scene.half_extent[a]) {
                half *= 3.0f;
            }
        }
        ASSERT_NO_FATAL_FAILURE(this->take(scene));
        for (Id id = 0; id < 600; id += 2) {
            ASSERT_EQ(this->index_.move(id, scene.position_of(id + 1)), Status{});
            ASSERT_EQ(this->truth_.move(id, scene.position_of(id + 1)), Status{});
        }
    }
    Found visit(IndexPairVisitor visitor, Executor& executor, std::uint32_t groups = kAllGroups) {
        return this->index_.visit_pairs(visitor, executor, groups);
    }
    /// Whether a search on that executor finds these pairs, each once.
    bool finds(ExpectedPairs& expected, Executor& executor, std::uint32_t groups = kAllGroups) {
        std::mutex mutex;
        expected.begin();
        const Found found = visit(
            [&](std::span<const Id> first, std::span<const Id> second) {
                const std::lock_guard lock(mutex);
                expected.strike_out(first, second);
                return first.size() == second.size() && !first.empty();
            },
            executor, groups);
        EXPECT_EQ(found.status, Status{});
        return expected.all_once() && found.count == expected.count();
    }
};
using WithExecutor =
    testing::Types<test::InLooseTree<2>, test::InLooseTree<3>, test::InTightQuadtree,
                   test::InNestedIndex, test::InDoubleGrid<2>, test::InDoubleGrid<3>>;
TYPED_TEST_SUITE(PairThreads, WithExecutor, test::IndexNames);

TYPED_TEST(PairThreads, FindWhatOneThreadFinds) {
    ExpectedPairs none({});
    EXPECT_TRUE(this->finds(none, serial_executor())) << "of no agents";
    for (const char* const name : {"uniform", "clustered", "mixed_sizes"}) {
        SCOPED_TRACE(name);
        ASSERT_NO_FATAL_FAILURE(this->take_many(name));
        for (const std::uint32_t groups : {kAllGroups, 0x3u, 0u}) {
            ExpectedPairs pairs(test::pairs_of(this->truth_, groups));
            ASSERT_TRUE(this->finds(pairs, serial_executor(), groups));
            for (const std::size_t threads : {1u, 2u, 3u, 16u, 100u}) {
                SCOPED_TRACE(testing::Message() << threads << " threads");
                test::BoastingExecutor boasting(threads);
                ASSERT_TRUE(this->finds(pairs, boasting, groups));
                test::Limited limited(boasting, 2);
                ASSERT_TRUE(this->finds(pairs, limited, groups));
                if (threads > 16) { continue; }
                test::EagerPool eager(threads);
                ASSERT_TRUE(this->finds(pairs, eager, groups));
            }
        }
    }
}

TYPED_TEST(PairThreads, AVisitorThatHasEnoughOrThrowsStopsThemAll) {
    ASSERT_NO_FATAL_FAILURE(this->take_many("mixed_sizes"));
    const std::size_t all = test::pairs_of(this->truth_).size();
    for (const bool throws : {false, true}) {
        for (const std::size_t last : {1u, 2u, 5u}) {
            // One thread: no other call is under way when the visitor has enough.
            std::size_t calls = 0, seen = 0;
            bool thrown = false;
            test::ShuffleExecutor shuffled(last);
            try {
                const Found found = this->visit(
                    [&](std::span<const Id> first, std::span<const Id>) {
                        seen += first.size();
                        if (++calls < last) { return true; }
                        return throws ? throw PairError{} : false;
                    },
                    shuffled);
                EXPECT_EQ(found.status, Status{});
                EXPECT_EQ(found.count, seen);
            } catch (const PairError&) { thrown = true; }
            EXPECT_EQ(thrown, throws);
            EXPECT_EQ(calls, last);
            EXPECT_LT(seen, all);
        }
        // Several threads: each may be in a call of its own.
        test::EagerPool pool(4);
        std::atomic<std::size_t> calls = 0, seen = 0;
        bool thrown = false;
        try {
            const Found found = this->visit(
                [&](std::span<const Id> first, std::span<const Id>) {
                    seen += first.size();
                    ++calls;
                    return throws ? throw PairError{} : false;
                },
                pool);
            EXPECT_EQ(found.count, seen.load());
        } catch (const PairError&) { thrown = true; }
        EXPECT_EQ(thrown, throws);
        EXPECT_LE(calls.load(), 4u);
    }
}

TYPED_TEST(PairThreads, ABrokenExecutorIsFoundOut) {
    ASSERT_NO_FATAL_FAILURE(this->take_many("mixed_sizes"));
    const test::IdPairs pairs = test::pairs_of(this->truth_);
    for (const Fault fault : test::kEveryFault) {
        SCOPED_TRACE(static_cast<int>(fault));
        test::FaultyExecutor executor(fault, 0);
        std::size_t seen = 0;
        bool thrown = false;
        try {
            const Found found = this->visit(
                [&](std::span<const Id> first, std::span<const Id>) {
                    seen += first.size();
                    return true;
                },
                executor);
            if (fault == Fault::repeat) {
                EXPECT_EQ(found.status, Status{});
                EXPECT_EQ(found.count, pairs.size());
                EXPECT_EQ(seen, pairs.size()) << "each pair once";
            } else {
                EXPECT_EQ(found.status.cause, Cause::executor_failed);
                EXPECT_EQ(found.status.argument, Argument::executor);
                EXPECT_EQ(found.count, 0u);
            }
        } catch (const test::ExecutorError&) { thrown = true; }
        EXPECT_EQ(thrown, fault == Fault::throw_before || fault == Fault::throw_after);
        EXPECT_TRUE(executor.failed());
    }
}

TYPED_TEST(PairThreads, TheWorkIsCutForManyThreadsAndNotForLittle) {
    /// Counts the blocks that it is given.
    class Counting final : public Executor {
    public:
        void run(std::size_t some, Body body) override {
            blocks += some;
            serial_executor().run(some, body);
        }
        [[nodiscard]] std::size_t threads() const noexcept override { return 4; }
        std::size_t blocks = 0;
    };
    auto scene = scenes::make<TypeParam::kDim>("uniform", 20'000);
    ASSERT_EQ(this->index_.update(scene.agents()), Status{});
    const auto all = [](std::span<const Id>, std::span<const Id>) { return true; };
    Counting counting;
    EXPECT_GT(this->visit(all, counting).count, 0u);
    EXPECT_GE(counting.blocks, 16u);
    auto few = scenes::make<TypeParam::kDim>("uniform", 200);
    ASSERT_EQ(this->index_.update(few.agents()), Status{});
    Counting unused;
    EXPECT_EQ(this->visit(all, unused).status, Status{});
    EXPECT_EQ(unused.blocks, 0u);
}

} // namespace
} // namespace throng
