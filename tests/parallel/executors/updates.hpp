// Updates of a grid, to compare executors.
#pragma once

#include "../../support/answers.hpp"
#include "loops.hpp"

#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>

namespace throng::test {

/// Two crowds for one grid, and the grid's answers about each.
template <std::size_t Dim>
struct Crowds {
    scenes::Scene<Dim> first;
    scenes::Scene<Dim> second;
    Answers<Dim> first_answers;
    Answers<Dim> second_answers;

    /// A grid with the first crowd, updated serially.
    [[nodiscard]] RowGrid<Dim> grid() {
        RowGrid<Dim> grid;
        EXPECT_EQ(grid.configure(first.world, first.cell), Status{});
        EXPECT_EQ(grid.update(first.agents()), Status{});
        return grid;
    }
};

template <std::size_t Dim>
[[nodiscard]] Crowds<Dim> make_crowds(std::size_t count) {
    Crowds<Dim> crowds;
    crowds.first = scenes::make<Dim>("mixed_sizes", count, scenes::Groups::masks);
    crowds.first.boxes.resize(8);
    crowds.first.balls.resize(8);
    crowds.second = scenes::make_clustered<Dim>(count + count / 3);
    crowds.second.boxes = crowds.first.boxes;
    crowds.second.balls = crowds.first.balls;
    RowGrid<Dim> grid = crowds.grid();
    crowds.first_answers = answers_of(grid, crowds.first);
    EXPECT_EQ(grid.update(crowds.second.agents()), Status{});
    crowds.second_answers = answers_of(grid, crowds.first);
    EXPECT_NE(difference(crowds.first_answers, crowds.second_answers), "");
    return crowds;
}

/// Crowds large enough for several blocks in every loop of an update; made once.
template <std::size_t Dim>
[[nodiscard]] Crowds<Dim>& large_crowds() {
    static Crowds<Dim> crowds = make_crowds<Dim>(70'000);
    return crowds;
}

/// Passes loops on, and notes the most threads that the process has at a time during loops, beside
/// those that it had before.
class ThreadCounter final : public Executor {
public:
    explicit ThreadCounter(Executor& executor) : executor_(executor) {}

    void run(std::size_t blocks, Body body) override {
        executor_.run(blocks, [&](std::size_t block) {
            body(block);
            const std::size_t now = threads_since(before_);
            std::size_t most = most_;
            while (now > most && !most_.compare_exchange_weak(most, now)) {}
            ++blocks_;
        });
    }

    [[nodiscard]] std::size_t most() const noexcept { return most_; }
    [[nodiscard]] std::size_t blocks() const noexcept { return blocks_; }

private:
    Executor& executor_;
    const Threads before_ = settled_threads();
    std::atomic<std::size_t> blocks_ = 0;
    std::atomic<std::size_t> most_ = 0;
};

/// Expects updates to either crowd to give the serial executor's answers to the bit, and to start
/// no thread.
template <std::size_t Dim>
void expect_updates_like_serial(Executor& executor) {
    Crowds<Dim>& crowds = large_crowds<Dim>();
    RowGrid<Dim> grid;
    ASSERT_EQ(grid.configure(crowds.first.world, crowds.first.cell), Status{});
    ThreadCounter counter(executor);
    for (int round = 0; round < 2; ++round) {
        ASSERT_EQ(grid.update(crowds.first.agents(), counter), Status{});
        EXPECT_EQ(difference(answers_of(grid, crowds.first), crowds.first_answers), "");
        ASSERT_EQ(grid.update(crowds.second.agents(), counter), Status{});
        EXPECT_EQ(difference(answers_of(grid, crowds.first), crowds.second_answers), "");
    }
    EXPECT_STREQ(grid.validate(), nullptr);
    EXPECT_GT(counter.blocks(), 0u);
    EXPECT_EQ(counter.most(), 0u) << "there is no thread but the host's";
}

} // namespace throng::test
