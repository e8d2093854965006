// Threads that change one hierarchical bitset at once.
#include "hierarchical_bitset_model.hpp"

#include <atomic>
#include <thread>

namespace throng {
namespace {

using namespace test; // NOLINT(google-build-using-namespace)

TEST(HierarchicalBitset, ThreadsSetAndResetAtOnce) {
    constexpr std::size_t kThreads = 4;
    for (const std::size_t size : {64u, 4'097u, 262'145u}) {
        SCOPED_TRACE(size);
        HierarchicalBitset set(size);
        Model model(size);
        set.set_range(0, size / 2);
        // Thread t owns each fourth number, so that all share every word, and all of them set the
        // multiples of 64.
        std::atomic<std::size_t> waiting = kThreads;
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < kThreads; ++t) {
            threads.emplace_back([&, t] {
                --waiting;
                while (waiting != 0) {}
                for (std::size_t i = 0; i < size; ++i) {
                    if (i % 64 == 0) {
                        set.set_concurrently(i);
                    } else if (i % kThreads == t) {
                        (i / kThreads) % 2 == 0 ? set.set_concurrently(i)
                                                : set.reset_concurrently(i);
                        EXPECT_EQ(set.test(i), (i / kThreads) % 2 == 0);
                    }
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        set.summarise();
        for (std::size_t i = 0; i < size; ++i) {
            model[i] = i % 64 == 0 || (i / kThreads) % 2 == 0;
        }
        expect_same(set, model);
    }
}

TEST(HierarchicalBitset, ThreadsDoNotUndoWhatOthersDoToTheSameWord) {
    HierarchicalBitset set(64);
    std::atomic<std::size_t> waiting = 2, lost = 0;
    const auto toggle = [&](std::size_t i) {
        --waiting;
        while (waiting != 0) {}
        std::size_t undone = 0;
        for (int round = 0; round < 1'500'000; ++round) {
            set.set_concurrently(i);
            undone += set.test(i) ? 0 : 1;
            set.reset_concurrently(i);
            undone += set.test(i) ? 1 : 0;
        }
        lost += undone;
    };
    std::thread other(toggle, 7);
    toggle(8);
    other.join();
    EXPECT_EQ(lost, 0u);
}

TEST(HierarchicalBitset, SummarisesWhatBecameEmptyToo) {
    constexpr std::size_t kSize = 262'145;
    HierarchicalBitset set(kSize);
    Model model(kSize);
    set.set_range(0, kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
        if (i != 70'000 && i != kSize - 1) { set.reset_concurrently(i); }
    }
    set.summarise();
    model[70'000] = model[kSize - 1] = true;
    expect_same(set, model);
}

} // namespace
} // namespace throng
