// Several threads ask a whole crowd at once, a slice each.
#include "crews.hpp"

#include "../../engine/grid/grid_parts.hpp"
#include "../support/scenes/scenes.hpp"

#include <throng/engine/agents/found.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kCrowdAgents = 20'000;
constexpr Neighbourhood kCloseBy{.radius = 1.0f};

/// The answers to all questions about a crowd.
struct CrowdAnswers {
    std::vector<Id> order;
    std::vector<std::uint32_t> counts;
    std::vector<std::vector<Id>> neighbours, first, second; ///< for each slice

    friend bool operator==(const CrowdAnswers&, const CrowdAnswers&) = default;
};

template <std::size_t Dim>
void ask_slice(const RowGrid<Dim>& grid, std::size_t slice, CrowdAnswers& answers) {
    const std::size_t begin = grid.parts().agents_in(0, slice);
    const std::size_t agents = grid.parts().agents_in(slice, slice + 1);
    std::vector<std::uint32_t> scratch(GridParts<Dim>::scratch());
    std::vector<std::uint64_t> offsets(agents + 1);
    std::vector<Id>& ids = answers.neighbours[slice];
    std::vector<Id>& first = answers.first[slice];
    std::vector<Id>& second = answers.second[slice];
    (void)grid.parts().order(slice, slice + 1, std::span(answers.order).subspan(begin, agents));
    ids.resize(grid.parts()
                   .count_neighbours(kCloseBy, slice, slice + 1, scratch,
                                     std::span(answers.counts).subspan(begin, agents))
                   .count);
    (void)grid.parts().neighbours(kCloseBy, slice, slice + 1, scratch, HitsBuffer{offsets, ids});
    first.resize(grid.parts().count_pairs(slice, slice + 1).count);
    second.resize(first.size());
    (void)grid.parts().pairs(slice, slice + 1, scratch, PairsBuffer{first, second});
}

template <std::size_t Dim>
CrowdAnswers ask_crowd(const RowGrid<Dim>& grid, Executor& executor) {
    CrowdAnswers answers;
    answers.order.resize(grid.size());
    answers.counts.resize(grid.size());
    answers.neighbours.resize(grid.parts().slices());
    answers.first.resize(grid.parts().slices());
    answers.second.resize(grid.parts().slices());
    executor.run(grid.parts().slices(),
                 [&](std::size_t slice) { ask_slice(grid, slice, answers); });
    return answers;
}

template <std::size_t Dim>
void expect_slices_agree(Executor& executor) {
    scenes::Scene<Dim> scene = scenes::make_uniform<Dim>(kCrowdAgents);
    RowGrid<Dim> grid;
    ASSERT_TRUE(grid.update(scene.agents(), executor).ok());
    EXPECT_GT(grid.parts().slices(), 2u);
    const CrowdAnswers answers = ask_crowd(grid, executor);
    EXPECT_TRUE(answers == ask_crowd(grid, serial_executor()));
    EXPECT_FALSE(answers.neighbours[0].empty());
}

class ThreadedCrowd : public ::testing::TestWithParam<Crew> {};

TEST_P(ThreadedCrowd, IsAskedInSlices2d) { GetParam().call(expect_slices_agree<2>); }

TEST_P(ThreadedCrowd, IsAskedInSlices3d) { GetParam().call(expect_slices_agree<3>); }

INSTANTIATE_TEST_SUITE_P(, ThreadedCrowd, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace throng::test
