// The hierarchical bitset against a plain std::vector<bool>.
#include <throng/engine/hierarchical_bitset.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace throng {
namespace {

using Model = std::vector<bool>;
using Members = std::vector<std::size_t>;
using MemberRun = HierarchicalBitset::Run;

// None, one, around a word, around a word of words, around one more level.
constexpr std::size_t kSizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 262'144, 262'145};

Members members_of(const Model& model) {
    Members members;
    for (std::size_t i = 0; i < model.size(); ++i) {
        if (model[i]) { members.push_back(i); }
    }
    return members;
}

Members members_of(const HierarchicalBitset& set) {
    Members members;
    set.for_each([&](std::size_t i) { members.push_back(i); });
    return members;
}

std::vector<MemberRun> runs_of(const Model& model) {
    std::vector<MemberRun> runs;
    for (std::size_t i = 0; i < model.size(); ++i) {
        if (!model[i]) { continue; }
        if (!runs.empty() && runs.back().end == i) {
            ++runs.back().end;
        } else {
            runs.push_back({i, i + 1});
        }
    }
    return runs;
}

/// Every level is one bit for each word below, up to one word, and set where that is not zero.
void expect_sound(const HierarchicalBitset& set) {
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
void expect_same(const HierarchicalBitset& set, const Model& model) {
    ASSERT_EQ(set.size(), model.size());
    const std::size_t size = model.size();
    ASSERT_NO_FATAL_FAILURE(expect_sound(set));

    const Members members = members_of(model);
    EXPECT_EQ(members_of(set), members);
    EXPECT_EQ(set.count(), members.size());
    EXPECT_EQ(set.empty(), members.empty());

    std::size_t next = size, gap = size;
    for (std::size_t i = size; i-- > 0;) {
        (model[i] ? next : gap) = i;
        ASSERT_EQ(set.test(i), model[i]) << i;
        ASSERT_EQ(set.next(i), next) << i;
        // From far inside a long run a gap takes long to find; the ends of words tell enough.
        if (gap - i < 1'000 || i % 64 == 63 || i % 4'096 == 0) {
            ASSERT_EQ(set.next_gap(i), gap) << i;
        }
    }
    for (const std::size_t past : {size, size + 1, std::numeric_limits<std::size_t>::max()}) {
        EXPECT_EQ(set.next(past), size);
        EXPECT_EQ(set.next_gap(past), size);
        EXPECT_EQ(set.next_run(past), (MemberRun{size, size}));
    }

    std::vector<MemberRun> runs;
    for (MemberRun run = set.next_run(0); run.begin != size; run = set.next_run(run.end)) {
        runs.push_back(run);
    }
    EXPECT_EQ(runs, runs_of(model));
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

void fill(Model& model, std::size_t begin, std::size_t end, bool value) {
    for (std::size_t i = begin; i < end; ++i) {
        model[i] = value;
    }
}

/// A random set, sparse or dense, and its model.
std::pair<HierarchicalBitset, Model> random_set(std::size_t size, std::uint32_t seed) {
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

TEST(HierarchicalBitset, StartsEmpty) {
    expect_same(HierarchicalBitset(), {});
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        expect_same(HierarchicalBitset(size), Model(size));
    }
}

TEST(HierarchicalBitset, HoldsEachSingleMember) {
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        HierarchicalBitset set(size);
        for (std::size_t i = 0; i < size; i += size < 5'000 ? 1 : 61) {
            set.set(i);
            ASSERT_EQ(set.next(0), i);
            ASSERT_EQ(set.next(i), i);
            ASSERT_EQ(set.next(i + 1), size);
            ASSERT_EQ(set.next_run(0), (MemberRun{i, i + 1}));
            ASSERT_EQ(set.count(), 1u);
            set.reset(i);
            ASSERT_TRUE(set.empty());
            ASSERT_EQ(set.next(0), size);
        }
    }
}

TEST(HierarchicalBitset, AgreesWithTheModelOverRandomEdits) {
    for (const std::size_t size : kSizes) {
        if (size == 0) { continue; }
        SCOPED_TRACE(size);
        HierarchicalBitset set(size);
        Model model(size);
        Places place(size, static_cast<std::uint32_t>(size));
        for (int round = 0; round < 12; ++round) {
            for (int edit = 0; edit < 200; ++edit) {
                const std::size_t a = place();
                // By turns more is added and more is taken away, so that words become empty.
                const bool add = place.random()() % 4 < (round % 2 == 0 ? 3u : 1u);
                if (edit % 40 != 0) {
                    add ? set.set(a) : set.reset(a);
                    model[a] = add;
                } else {
                    const std::size_t b = place();
                    const auto [begin, end] = std::minmax(a, b);
                    add ? set.set_range(begin, end + 1) : set.reset_range(begin, end + 1);
                    fill(model, begin, end + 1, add);
                }
            }
            ASSERT_NO_FATAL_FAILURE(expect_same(set, model)) << "round " << round;
        }
    }
}

TEST(HierarchicalBitset, AddsAndRemovesRanges) {
    constexpr std::size_t kSize = 4'096 * 3 + 17;
    constexpr std::size_t kEdges[] = {0,     1,     63,    64,    65,        127,       128,
                                      4'095, 4'096, 4'097, 8'191, 8'192 + 1, kSize - 1, kSize};
    for (const std::size_t begin : kEdges) {
        for (const std::size_t end : kEdges) {
            SCOPED_TRACE(::testing::Message() << begin << " to " << end);
            HierarchicalBitset set(kSize);
            Model model(kSize);
            set.set_range(begin, end);
            fill(model, begin, end, true);
            ASSERT_NO_FATAL_FAILURE(expect_sound(set));
            ASSERT_EQ(members_of(set), members_of(model));
            ASSERT_EQ(set.next_run(0),
                      begin < end ? (MemberRun{begin, end}) : (MemberRun{kSize, kSize}));

            // Taken out of a full set, and out of one with a member in every third word.
            for (const std::size_t step : {1u, 192u}) {
                set.clear();
                fill(model, 0, kSize, false);
                for (std::size_t i = 5 % step; i < kSize; i += step) {
                    set.set(i);
                    model[i] = true;
                }
                set.reset_range(begin, end);
                fill(model, begin, end, false);
                ASSERT_NO_FATAL_FAILURE(expect_sound(set));
                ASSERT_EQ(members_of(set), members_of(model));
            }
        }
    }
}

TEST(HierarchicalBitset, HasNoGapsPastTheEnd) {
    for (const std::size_t size : kSizes) {
        HierarchicalBitset set(size);
        set.set_range(0, size);
        EXPECT_EQ(set.count(), size);
        EXPECT_EQ(set.next_gap(0), size);
        EXPECT_EQ(set.next_run(0), (MemberRun{0, size}));
        if (size < 2) { continue; }
        EXPECT_EQ(set.next_run(size / 2), (MemberRun{size / 2, size})) << "from inside a run";
        set.reset(size - 1);
        EXPECT_EQ(set.next_gap(0), size - 1);
    }
}

TEST(HierarchicalBitset, UnitesAndIntersects) {
    for (const std::size_t size : kSizes) {
        for (std::uint32_t seed = 0; seed < 9; ++seed) {
            SCOPED_TRACE(::testing::Message() << size << ", seed " << seed);
            const auto [a, in_a] = random_set(size, seed);
            const auto [b, in_b] = random_set(size, seed / 3 + 100);
            Model both(size), either(size);
            for (std::size_t i = 0; i < size; ++i) {
                both[i] = in_a[i] && in_b[i];
                either[i] = in_a[i] || in_b[i];
            }
            Members common;
            HierarchicalBitset::for_each_common(a, b, [&](std::size_t i) { common.push_back(i); });
            EXPECT_EQ(common, members_of(both));

            HierarchicalBitset intersection = a;
            EXPECT_EQ(&(intersection &= b), &intersection);
            ASSERT_NO_FATAL_FAILURE(expect_same(intersection, both));
            HierarchicalBitset united = a;
            EXPECT_EQ(&(united |= b), &united);
            ASSERT_NO_FATAL_FAILURE(expect_same(united, either));

            EXPECT_EQ(a == b, in_a == in_b);
            EXPECT_EQ(intersection == a, both == in_a);
            EXPECT_EQ(united == b, either == in_b);
            // A set with itself, too.
            const HierarchicalBitset& itself = united;
            united |= itself;
            united &= itself;
            ASSERT_NO_FATAL_FAILURE(expect_same(united, either));
        }
    }
}

TEST(HierarchicalBitset, IsEqualByMembersAndSize) {
    for (const std::size_t size : kSizes) {
        HierarchicalBitset a(size), b(size);
        EXPECT_EQ(a, b);
        EXPECT_NE(a, HierarchicalBitset(size + 1));
        for (std::size_t i = 0; i < size; i += size / 50 + 1) {
            a.set(i);
            EXPECT_NE(a, b);
            EXPECT_NE(b, a);
            b.set(i);
            EXPECT_EQ(a, b);
        }
    }
}

TEST(HierarchicalBitset, ClearsAndCanBeUsedAgain) {
    for (const std::size_t size : kSizes) {
        for (std::uint32_t seed = 0; seed < 3; ++seed) {
            SCOPED_TRACE(::testing::Message() << size << ", seed " << seed);
            HierarchicalBitset set = random_set(size, seed).first;
            const std::size_t memory = set.memory();
            set.clear();
            ASSERT_NO_FATAL_FAILURE(expect_same(set, Model(size)));
            EXPECT_EQ(set.memory(), memory);
            if (size == 0) { continue; }
            Model model(size);
            set.set(size - 1);
            model[size - 1] = true;
            ASSERT_NO_FATAL_FAILURE(expect_same(set, model));
        }
    }
}

TEST(HierarchicalBitset, ResizingRemovesAll) {
    HierarchicalBitset set(100);
    for (const std::size_t size : kSizes) {
        if (set.size() > 0) { set.set(set.size() - 1); }
        set.resize(size);
        ASSERT_NO_FATAL_FAILURE(expect_same(set, Model(size)));
        EXPECT_GE(set.memory(), size / 8);
    }
}

TEST(HierarchicalBitset, AResizeThatFailsChangesNothing) {
    auto [set, model] = random_set(5'000, 1);
    EXPECT_THROW(set.resize((std::size_t{1} << 36) + 1), std::length_error);
    expect_same(set, model);
    EXPECT_THROW(set.resize(std::numeric_limits<std::size_t>::max()), std::length_error);
    expect_same(set, model);
}

TEST(HierarchicalBitset, CopiesAndMoves) {
    const auto [original, model] = random_set(4'097, 2);
    HierarchicalBitset copy = original;
    copy.set(0);
    copy.reset(0);
    copy.clear();
    expect_same(original, model);

    HierarchicalBitset from = original;
    HierarchicalBitset to(std::move(from));
    expect_same(to, model);
    expect_same(from, {}); // NOLINT(bugprone-use-after-move): it has a defined state
    from = std::move(to);
    expect_same(from, model);
    expect_same(to, {}); // NOLINT(bugprone-use-after-move)
    HierarchicalBitset& same = from;
    from = std::move(same);
    expect_same(from, model);
}

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

TEST(HierarchicalBitset, FindsTheFewAmongHundredsOfMillions) {
    constexpr std::size_t kSize = (std::size_t{1} << 30) + 3; // six levels
    HierarchicalBitset set(kSize);
    EXPECT_EQ(set.depth(), 6u);
    const Members members = {
        0, 64, (std::size_t{1} << 24) - 1, std::size_t{1} << 24, std::size_t{1} << 30, kSize - 1};
    for (const std::size_t i : members) {
        set.set(i);
    }
    EXPECT_EQ(members_of(set), members);
    Members walked;
    for (std::size_t i = set.next(0); i != kSize; i = set.next(i + 1)) {
        walked.push_back(i);
    }
    EXPECT_EQ(walked, members);
    set.clear();
    EXPECT_TRUE(set.empty());
    EXPECT_EQ(set.next(0), kSize);
}

} // namespace
} // namespace throng
