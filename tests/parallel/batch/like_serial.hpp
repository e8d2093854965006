// Results of batches and of lists of edits, compared with those of the serial executor.
#pragma once

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/answers.hpp"
#include "calls.hpp"

#include <throng/engine/agents/edit.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace throng::test {

/// A crowd, and the hashes of all calls about it on the serial executor.
template <std::size_t Dim>
struct AskedCrowd {
    TwoGrids<Dim> crowd;
    std::vector<std::uint64_t> hashes;

    explicit AskedCrowd(TwoGrids<Dim> asked) : crowd(std::move(asked)) {
        EXPECT_GE(crowd.grid.parts().slices(), 3u);
        Calls<Dim> calls(crowd);
        Batch<Dim> batch;
        hashes = calls.make_all(batch);
    }
};

/// Expects the serial executor's hashes from all calls of a batch, for crowds of every kind.
template <std::size_t Dim>
void expect_batches_like_serial(Executor& executor) {
    static const std::vector<AskedCrowd<Dim>> all = [] {
        std::vector<AskedCrowd<Dim>> crowds;
        crowds.emplace_back(TwoGrids<Dim>(2'200));
        for (const std::string_view name : kExactScenes) {
            crowds.emplace_back(TwoGrids<Dim>(name, 1'600));
        }
        return crowds;
    }();
    for (const AskedCrowd<Dim>& asked : all) {
        Calls<Dim> calls(asked.crowd);
        Batch<Dim> batch(executor);
        EXPECT_EQ(calls.make_all(batch), asked.hashes);
    }
}

/// A serial executor that notes the most blocks of any loop.
class BlockCounter final : public Executor {
public:
    void run(std::size_t blocks, Body body) override {
        most_ = std::max(most_, blocks);
        serial_executor().run(blocks, body);
    }
    [[nodiscard]] std::size_t most() const noexcept { return most_; }

private:
    std::size_t most_ = 0;
};

/// Agents of different sizes that are inserted, erased and moved, many of them several times in a
/// list.
template <std::size_t Dim>
class EditedCrowd {
public:
    EditedCrowd() : scene_(scenes::make<Dim>("unaligned", 6'000, scenes::Groups::masks)) {
        present_.resize(scene_.size());
        std::iota(present_.begin(), present_.end(), Id{0});
        next_ = static_cast<Id>(scene_.size());
        RowGrid<Dim> grid = updated();
        BlockCounter counter;
        Answers<Dim> before = answers_of(grid, scene_);
        for (int turn = 0; turn < 3; ++turn) {
            lists_.push_back(draw(2'000));
            EXPECT_EQ(grid.edit(lists_.back(), counter), Status{});
            answers_.push_back(answers_of(grid, scene_));
            EXPECT_NE(difference(answers_.back(), before), "");
            before = answers_.back();
        }
        EXPECT_STREQ(grid.validate(), nullptr);
        EXPECT_GE(counter.most(), 8u) << "or there is nothing to do at once";
    }

    /// Expects the serial executor's order and answers after each list of edits.
    void expect_like_serial(Executor& executor) const {
        RowGrid<Dim> grid = updated();
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            ASSERT_EQ(grid.edit(lists_[i], executor), Status{});
            ASSERT_EQ(difference(answers_of(grid, scene_), answers_[i]), "") << "list " << i;
            ASSERT_STREQ(grid.validate(), nullptr);
        }
    }

private:
    [[nodiscard]] RowGrid<Dim> updated() const {
        RowGrid<Dim> grid;
        EXPECT_EQ(grid.configure(scene_.world, scene_.cell), Status{});
        scenes::Scene<Dim> scene = scene_; // a copy, since agents() changes its arrays
        EXPECT_EQ(grid.update(scene.agents()), Status{});
        return grid;
    }

    [[nodiscard]] std::vector<Edit<Dim>> draw(std::size_t count) {
        using E = Edit<Dim>;
        std::vector<E> list;
        while (list.size() < count) {
            const std::uint32_t kind = random_.below(8);
            if (kind == 0) {
                list.push_back(E::insert(next_, random_agent()));
                present_.push_back(next_++);
                continue;
            }
            Id& id = present_[random_index()];
            if (kind == 1) {
                list.push_back(E::erase(id));
                id = present_.back();
                present_.pop_back();
            } else if (kind == 2) {
                list.push_back(E::erase(id));
                list.push_back(E::insert(id, random_agent()));
            } else {
                list.push_back(E::move(id, somewhere()));
            }
        }
        return list;
    }

    /// Half of the time a present index, otherwise one below 200.
    std::size_t random_index() {
        const auto count = static_cast<std::uint32_t>(present_.size());
        return random_.below(random_.below(2) == 0 ? count : 200);
    }
    Agent<Dim> random_agent() {
        return {somewhere(), Point<Dim>::all(random_.between(0.0f, 0.5f)), random_.below(16)};
    }
    /// One place in four is exactly on a corner of cells; some are outside the world.
    Point<Dim> somewhere() {
        const std::uint32_t kind = random_.below(8);
        const float side = scene_.world.hi[0];
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = kind < 2    ? static_cast<float>(random_.below(10)) * scene_.cell[a]
                       : kind == 2 ? random_.between(-side, 2.0f * side)
                                   : random_.between(0.0f, side);
        }
        return point;
    }

    scenes::Scene<Dim> scene_;
    scenes::Random random_{17};
    std::vector<Id> present_;
    Id next_ = 0;
    std::vector<std::vector<Edit<Dim>>> lists_;
    std::vector<Answers<Dim>> answers_;
};

/// Expects lists of edits to have the same effect on a grid as on the serial executor.
template <std::size_t Dim>
void expect_edits_like_serial(Executor& executor) {
    static const EditedCrowd<Dim> crowd;
    crowd.expect_like_serial(executor);
}

} // namespace throng::test
