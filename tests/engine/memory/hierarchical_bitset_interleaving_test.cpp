// Every order in which threads may take the steps of set_concurrently() and reset_concurrently().
//
// One word suffices, since bits of different words have nothing to do with each other: no promise
// is made about the order in which others see two of them. All threads see the changes of one word
// in the same order, whatever memory order they ask for, so all that can happen is steps one after
// another. The summaries are made afterwards, by one thread.
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace throng {
namespace {

enum class Do : std::uint8_t { set, reset, test };

/// An operation on bit 0 or 1.
struct Op {
    Do what = Do::test;
    std::uint8_t bit = 0;
};

/// The operations of each thread.
using Program = std::vector<std::vector<Op>>;

constexpr std::size_t kMostThreads = 3;

/// The word, and how far each thread has got.
struct State {
    std::uint8_t word = 0;
    std::array<std::uint8_t, kMostThreads> op{};      // the next one
    std::array<std::uint8_t, kMostThreads> in_hand{}; // one more than the word it has loaded
    std::array<std::uint8_t, kMostThreads> seen{};    // what its tests have told, a bit each
    friend auto operator<=>(const State&, const State&) = default;
};

/// The word and all that was seen at the end: orders of steps are compared by it.
using Outcome = std::pair<std::uint8_t, std::array<std::uint8_t, kMostThreads>>;

std::uint8_t changed(std::uint8_t word, const Op& op) {
    const auto bit = static_cast<unsigned>(1u << op.bit);
    return static_cast<std::uint8_t>(op.what == Do::set ? word | bit : word & ~bit);
}

void finish_op(State& state, std::size_t thread) {
    ++state.op[thread];
    state.in_hand[thread] = 0;
}

/// An operation as the set makes it: a look, and a change of the word as a whole unless the bit is
/// right already.
void step(State& state, std::size_t thread, const Op& op) {
    if (state.in_hand[thread] == 0) {
        const bool is_set = (state.word >> op.bit & 1) != 0;
        if (op.what == Do::test) {
            state.seen[thread] = static_cast<std::uint8_t>(state.seen[thread] * 2 + is_set);
            finish_op(state, thread);
        } else if (is_set == (op.what == Do::set)) {
            finish_op(state, thread);
        } else {
            state.in_hand[thread] = static_cast<std::uint8_t>(state.word + 1);
        }
        return;
    }
    state.word = changed(state.word, op);
    finish_op(state, thread);
}

/// A wrong step: it writes the word as it was when the thread looked at it.
void step_that_loses(State& state, std::size_t thread, const Op& op) {
    if (state.in_hand[thread] == 0) {
        step(state, thread, op);
        return;
    }
    state.word = changed(static_cast<std::uint8_t>(state.in_hand[thread] - 1), op);
    finish_op(state, thread);
}

/// An operation as it is promised: all at once.
void step_at_once(State& state, std::size_t thread, const Op& op) {
    step(state, thread, op);
    if (state.in_hand[thread] != 0) { step(state, thread, op); }
}

/// The outcomes of all orders in which the threads can take their steps.
template <class Step>
std::set<Outcome> outcomes(const Program& program, std::uint8_t word, const Step& take) {
    State start;
    start.word = word;
    std::set<State> known{start};
    std::vector<State> left{start};
    std::set<Outcome> found;
    while (!left.empty()) {
        const State state = left.back();
        left.pop_back();
        bool over = true;
        for (std::size_t t = 0; t < program.size(); ++t) {
            if (state.op[t] == program[t].size()) { continue; }
            over = false;
            State next = state;
            take(next, t, program[t][state.op[t]]);
            if (known.insert(next).second) { left.push_back(next); }
        }
        if (over) { found.emplace(state.word, state.seen); }
    }
    return found;
}

/// Whether the outcomes are exactly those of indivisible operations.
template <class Step>
bool is_sound(const Program& program, const Step& take) {
    for (const std::uint8_t word : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{3}}) {
        if (outcomes(program, word, take) != outcomes(program, word, step_at_once)) {
            return false;
        }
    }
    return true;
}

constexpr Op kOps[] = {{Do::set, 0}, {Do::reset, 0}, {Do::test, 0}, {Do::set, 1}, {Do::reset, 1}};

/// The number of programs with `threads` threads that are not sound, of all programs.
template <class Step>
std::size_t unsound(std::size_t threads, std::size_t ops, const Step& take) {
    std::size_t programs = 1;
    for (std::size_t i = 0; i < threads * ops; ++i) {
        programs *= std::size(kOps);
    }
    std::size_t wrong = 0;
    for (std::size_t p = 0; p < programs; ++p) {
        Program program(threads);
        std::size_t rest = p;
        for (std::size_t i = 0; i < threads * ops; ++i, rest /= std::size(kOps)) {
            program[i / ops].push_back(kOps[rest % std::size(kOps)]);
        }
        wrong += is_sound(program, take) ? 0 : 1;
    }
    return wrong;
}

TEST(HierarchicalBitsetInterleavings, LoseNothingInAnyShortProgram) {
    EXPECT_EQ(unsound(2, 2, step), 0u);
    EXPECT_EQ(unsound(3, 1, step), 0u);
}

TEST(HierarchicalBitsetInterleavings, LoseNothingWithThreeThreadsOfFourOperations) {
    scenes::Random random(1);
    for (int round = 0; round < 60; ++round) {
        Program program(kMostThreads);
        for (std::vector<Op>& ops : program) {
            while (ops.size() < 4) {
                ops.push_back(kOps[random.below(std::size(kOps))]);
            }
        }
        ASSERT_TRUE(is_sound(program, step)) << "round " << round;
    }
}

TEST(HierarchicalBitsetInterleavings, SeeAChangeThatIsLost) {
    EXPECT_GT(unsound(2, 1, step_that_loses), 0u);
    EXPECT_GT(unsound(2, 2, step_that_loses), unsound(2, 1, step_that_loses));
}

} // namespace
} // namespace throng
