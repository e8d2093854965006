// Memory comes from a source, and returns to it; and the behaviour when the source refuses.
#include <throng/engine/memory/memory_source.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/ledger.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/memory/checked_loop.hpp>
#include <throng/engine/memory/vector.hpp>
#include <throng/engine/memory/word_buffer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng {
namespace {

using test::Ledger;

static_assert(std::is_empty_v<Allocated<int>>);
static_assert(sizeof(Vector<int>) == sizeof(std::vector<int>));
static_assert(sizeof(Array<int>) == sizeof(int*));
static_assert(std::allocator_traits<Allocated<int>>::is_always_equal::value);
static_assert(std::is_nothrow_move_assignable_v<Vector<int>>);

template <class T>
bool is_aligned(const T* memory, std::size_t alignment) {
    return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

TEST(MemorySource, GivesWhatIsTakenInItsScopeAndNothingElse) {
    Ledger ledger;
    Vector<int> before(10);
    std::optional<Vector<int>> inside;
    {
        const WithMemory with(ledger);
        const std::size_t heap = test::allocations();
        inside.emplace(1000);
        EXPECT_EQ(test::allocations(), heap);
        EXPECT_GE(ledger.used(), 1000 * sizeof(int));
        EXPECT_LE(ledger.used(), 1000 * sizeof(int) + 64);
        EXPECT_FALSE(with.refused());
    }
    const std::size_t used = ledger.used();
    Vector<int> after(10);
    EXPECT_EQ(ledger.used(), used);
    EXPECT_EQ(ledger.given(), 1u);
    inside.reset();
    EXPECT_EQ(ledger.used(), 0u);
}

TEST(MemorySource, TheInnermostScopeCounts) {
    Ledger outer, inner;
    const WithMemory with_outer(outer);
    {
        const WithMemory with_inner(inner);
        const Vector<int> some(10);
        {
            const WithMemory with_heap(nullptr);
            const std::size_t heap = test::allocations();
            const Vector<int> others(10);
            EXPECT_EQ(test::allocations(), heap + 1);
        }
        EXPECT_EQ(inner.given(), 1u);
        EXPECT_EQ(outer.given(), 0u);
    }
    const Vector<int> some(10);
    EXPECT_EQ(inner.given(), 1u);
    EXPECT_EQ(outer.given(), 1u);
}

TEST(MemorySource, IsOfOneThread) {
    Ledger ledger;
    const WithMemory with(ledger);
    std::thread([] { const Vector<int> some(10); }).join();
    EXPECT_EQ(ledger.given(), 0u);
}

// Containers that are swapped or moved keep their source; containers that grow take the current
// one.
TEST(MemorySource, EverythingGoesBackToWhereItCameFrom) {
    Ledger a, b;
    const auto made_with = [](MemorySource& source) {
        const WithMemory with(source);
        return std::tuple(Vector<int>(100, 1), WordBuffer(100), make_array<int>(100));
    };
    auto of_a = made_with(a), of_b = made_with(b);
    const std::size_t used = a.used();
    EXPECT_EQ(used, b.used());
    std::swap(of_a, of_b);
    EXPECT_EQ(a.used(), used);
    {
        const auto taken = std::move(of_b); // memory of a
        EXPECT_EQ(a.used(), used);
    }
    EXPECT_EQ(a.used(), 0u);
    EXPECT_EQ(b.used(), used);
    {
        const WithMemory with(a);
        std::get<Vector<int>>(of_a).resize(1000, 2);
        std::get<WordBuffer>(of_a).reserve(1000);
        std::get<Array<int>>(of_a) = make_array<int>(1000);
        EXPECT_EQ(b.used(), 0u);
        EXPECT_EQ(std::get<Vector<int>>(of_a)[99], 1);
        EXPECT_EQ(std::get<Vector<int>>(of_a)[999], 2);
        EXPECT_EQ(std::get<Array<int>>(of_a)[999], 0); // whatever the source had there
    }
    of_a = made_with(b);
    EXPECT_EQ(a.used(), 0u);
    of_a = decltype(of_a)(); // not {}, which libc++ takes for more than one thing
    EXPECT_EQ(b.used(), 0u);
}

template <std::size_t kAlignment>
struct alignas(kAlignment) Wide {
    std::byte bytes[kAlignment];
};

template <std::size_t kAlignment>
void check_alignment() {
    using Value = Wide<kAlignment>;
    for (const std::size_t count : {1u, 2u, 3u, 17u, 1000u}) {
        const Vector<Value> vector(count);
        EXPECT_TRUE(is_aligned(vector.data(), kAlignment));
        const Array<Value> array = make_array<Value>(count);
        EXPECT_TRUE(is_aligned(array.get(), kAlignment));
    }
    struct Object : FromSource {
        Value value;
    };
    const auto object = std::make_unique<Object>();
    EXPECT_TRUE(is_aligned(object.get(), kAlignment));
}

TEST(MemorySource, MemoryIsAlignedWhereverItComesFrom) {
    Ledger ledger;
    for (MemorySource* const source :
         {static_cast<MemorySource*>(nullptr), static_cast<MemorySource*>(&ledger)}) {
        const WithMemory with(source);
        check_alignment<1>();
        check_alignment<4>();
        check_alignment<16>();
        check_alignment<32>();
        check_alignment<256>();
        for (const std::size_t words : {1u, 100u, 1u << 16, 1u << 21}) {
            const WordBuffer buffer(words);
            EXPECT_TRUE(is_aligned(buffer.data(), 64));
        }
    }
}

TEST(MemorySource, LargeBuffersOfTheHeapLieInHugePages) {
    constexpr std::size_t kHugePage = std::size_t{1} << 21;
    const WordBuffer buffer(2 * kHugePage / sizeof(std::uint32_t));
    EXPECT_TRUE(is_aligned(buffer.data(), kHugePage));
}

TEST(MemorySource, NothingIsTakenForNothing) {
    Ledger ledger;
    const WithMemory with(ledger);
    const Vector<int> vector;
    const WordBuffer buffer(0);
    const Array<int> array;
    EXPECT_EQ(ledger.given(), 0u);
}

TEST(MemorySource, WhatCannotBeIsNotAskedFor) {
    Ledger ledger;
    const WithMemory with(ledger);
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    EXPECT_THROW((void)Allocated<int>().allocate(kMost / sizeof(int) + 1), std::bad_alloc);
    EXPECT_THROW((void)Allocated<char>().allocate(kMost), std::bad_alloc);
    EXPECT_THROW(WordBuffer(kMost / sizeof(std::uint32_t) + 1), std::bad_alloc); // 0 bytes
    EXPECT_THROW(WordBuffer(kMost / sizeof(std::uint32_t) + 100), std::bad_alloc);
    EXPECT_FALSE(with.refused());
}

TEST(MemorySource, ARefusalIsBadAllocAndIsNoted) {
    Ledger ledger(200);
    const WithMemory with(ledger);
    Vector<int> vector(10, 7);
    EXPECT_THROW(vector.resize(100), std::bad_alloc);
    EXPECT_TRUE(with.refused());
    EXPECT_EQ(vector, Vector<int>(10, 7));
    EXPECT_THROW((void)WordBuffer(100), std::bad_alloc);
    EXPECT_THROW((void)make_array<int>(100), std::bad_alloc);
    EXPECT_EQ(ledger.refused(), 3u);
}

TEST(Capped, SaysWhetherTheSourceRefused) {
    Ledger ledger(1000);
    const auto take = [](std::size_t ints) {
        return [ints] {
            const Vector<int> some(ints);
            return Status{};
        };
    };
    const Status over{Cause::over_memory, Argument::memory};
    EXPECT_EQ(capped(&ledger, take(10)), Status{});
    EXPECT_EQ(capped(&ledger, take(1000)), over);
    EXPECT_EQ(capped(nullptr, take(1000)), Status{});
    EXPECT_EQ(to_string(over), "this takes more memory than the cap allows");
    const Status wrong{Cause::not_finite, Argument::positions, 7};
    EXPECT_EQ(capped(&ledger, [&] { return wrong; }), wrong);
    // A call that manages without the refused memory has not failed.
    EXPECT_EQ(capped(&ledger,
                     [&] {
                         EXPECT_THROW((void)take(1000)(), std::bad_alloc);
                         return Status{};
                     }),
              Status{});
}

TEST(Capped, LetsOtherExceptionsPass) {
    Ledger ledger;
    const auto no_heap = []() -> Status { throw std::bad_alloc(); };
    EXPECT_THROW((void)capped(nullptr, no_heap), std::bad_alloc);
    EXPECT_THROW((void)capped(&ledger, no_heap), std::bad_alloc);
    EXPECT_THROW((void)capped(&ledger, []() -> Status { throw 5; }), int);
    // The scope of the source has ended each time.
    const Vector<int> some(10);
    EXPECT_EQ(ledger.given(), 0u);
}

/// Runs blocks on other threads with a source of their own, while the host does other work.
class Elsewhere final : public Executor {
public:
    void run(std::size_t blocks, Body body) override {
        const Vector<int> others(10);
        elsewhere_.run(blocks, [&](std::size_t b) {
            Ledger own;
            const WithMemory with(own);
            body(b);
            // After the block, the thread takes memory from its own source again.
            const Vector<int> some(10);
            EXPECT_EQ(own.given(), 1u);
        });
    }

private:
    test::ElsewhereExecutor elsewhere_;
};

TEST(MemorySource, GoesWithTheBlocksOfALoop) {
    Ledger ledger;
    Elsewhere elsewhere;
    LoopClaims claims;
    std::array<Vector<int>, 4> made;
    const auto body = [&](std::size_t b) { made[b].resize(10); };
    {
        const WithMemory with(ledger);
        ASSERT_EQ(run_blocks(elsewhere, 2, body, claims), Status{});
        EXPECT_EQ(ledger.given(), 3u); // the claims and two blocks
        claims.prepare(4);
        finish_blocks(elsewhere, 4, body, claims);
        EXPECT_EQ(ledger.given(), 6u);
        EXPECT_TRUE(ledger.gave_to_others());
    }
    // Outside of the scope memory comes from the heap, whatever source the thread has.
    for (Vector<int>& vector : made) {
        vector = {};
        vector.shrink_to_fit();
    }
    ASSERT_EQ(run_blocks(elsewhere, 4, body, claims), Status{});
    EXPECT_EQ(ledger.given(), 6u);
}

TEST(MemorySource, ARefusalInABlockIsOneOfTheCall) {
    Ledger ledger(1000);
    Elsewhere elsewhere;
    LoopClaims claims;
    std::atomic<int> blocks = 0;
    const Status status = capped(&ledger, [&] {
        return run_blocks(
            elsewhere, 8,
            [&](std::size_t b) {
                ++blocks;
                const Vector<int> some(b == 3 ? 1000 : 1);
            },
            claims);
    });
    EXPECT_EQ(status, (Status{Cause::over_memory, Argument::memory}));
    EXPECT_EQ(blocks, 4);
}

} // namespace
} // namespace throng
