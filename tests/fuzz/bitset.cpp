// Runs the same operations on a hierarchical bitset and on a std::vector<bool>.
#include "../engine/memory/hierarchical_bitset_model.hpp"
#include "fuzz.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr std::size_t kMostSteps = 100;

struct Pair {
    HierarchicalBitset set;
    test::Model model;

    void resize(std::size_t size) {
        set.resize(size);
        model.assign(size, false);
    }
};

class Bits {
public:
    explicit Bits(Input& input) : input_(input) {}

    void run() {
        for (Pair& pair : pairs_) {
            pair.resize(size());
        }
        for (std::size_t s = 0; s < kMostSteps && !input_.empty(); ++s) {
            step(pairs_[input_.below(2)]);
        }
        for (const Pair& pair : pairs_) {
            test::expect_same(pair.set, pair.model);
        }
        check_both();
    }

private:
    /// Sizes near the ends of words and of levels.
    std::size_t size() {
        static constexpr std::size_t kEnds[] = {0, 64, 65, 128, 200, 1000, 4096, 4160};
        const std::size_t end = input_.any_of(kEnds);
        const std::size_t off = input_.below(5);
        return std::max<std::size_t>(end + off, 2) - 2;
    }
    /// Any place, also past the end; often one at the border of two words.
    std::size_t place(std::size_t size) {
        const std::uint32_t pick = input_.below(4);
        const std::size_t at = input_.below(0x1'0000);
        if (pick == 0) { return at / 8 % (size / 64 + 2) * 64 + at % 3; }
        if (pick == 1) { return size + at % 70 - std::min<std::size_t>(size, at / 256 % 70); }
        return at % (size + 1);
    }

    void step(Pair& pair) {
        auto& [set, model] = pair;
        const std::size_t size = model.size();
        const std::size_t at = place(size), end = std::min(place(size), size);
        switch (input_.below(16)) {
        case 0:
            return pair.resize(this->size());
        case 1:
            set.clear();
            return model.assign(size, false);
        case 2:
            set.set_range(at, end);
            return test::fill(model, at, end, true);
        case 3:
            set.reset_range(at, end);
            return test::fill(model, at, end, false);
        case 4:
            return combine(pair, input_.flip());
        case 5:
            return concurrently(pair);
        case 6:
            return move(pair);
        case 7:
            return check_range(pair, at, place(size));
        case 8:
            // Large sets are compared only at the end, because it takes long.
            if (size < 300) { test::expect_same(set, model); }
            return;
        case 9:
        case 10:
        case 11:
            if (at < size) {
                set.reset(at);
                model[at] = false;
            }
            return;
        default:
            if (at < size) {
                set.set(at);
                model[at] = true;
            }
        }
    }

    void combine(Pair& pair, bool unite) {
        const Pair& other = pairs_[&pair == pairs_ ? 1 : 0];
        if (other.model.size() != pair.model.size()) { return; }
        unite ? pair.set |= other.set : pair.set &= other.set;
        for (std::size_t i = 0; i < pair.model.size(); ++i) {
            const bool mine = pair.model[i], its = other.model[i];
            pair.model[i] = unite ? mine || its : mine && its;
        }
    }
    void concurrently(Pair& pair) {
        auto& [set, model] = pair;
        for (std::uint32_t left = input_.below(8); left > 0; --left) {
            const std::size_t at = place(model.size());
            const bool on = input_.flip();
            if (at >= model.size()) { continue; }
            on ? set.set_concurrently(at) : set.reset_concurrently(at);
            model[at] = on;
        }
        set.summarise();
    }
    static void move(Pair& pair) {
        HierarchicalBitset away = std::move(pair.set);
        ASSERT_EQ(pair.set.size(), 0u); // NOLINT(bugprone-use-after-move): that is promised
        const HierarchicalBitset copy = away;
        ASSERT_TRUE(copy == away);
        pair.set = std::move(away);
    }

    static void check_range(const Pair& pair, std::size_t begin, std::size_t end) {
        const auto& [set, model] = pair;
        test::Members wanted, got;
        for (std::size_t i = begin; i < std::min(end, model.size()); ++i) {
            if (model[i]) { wanted.push_back(i); }
        }
        set.for_each(begin, end, [&](std::size_t i) { got.push_back(i); });
        ASSERT_EQ(got, wanted);
        ASSERT_EQ(set.count(begin, end), wanted.size());
        ASSERT_EQ(set.any(begin, end), !wanted.empty());
    }

    void check_both() const {
        const auto& [a, in_a] = pairs_[0];
        const auto& [b, in_b] = pairs_[1];
        ASSERT_EQ(a == b, in_a == in_b);
    }

    Input& input_;
    Pair pairs_[2];
};

} // namespace

void run(Input& input) { Bits(input).run(); }

} // namespace throng::fuzz
