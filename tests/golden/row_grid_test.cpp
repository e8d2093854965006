// The answers of a grid on every scene, as one hash.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../support/answers.hpp"
#include "../support/golden.hpp"
#include "../support/hash.hpp"

#include <utility>
#include <vector>

namespace throng {
namespace {

const std::vector<test::Golden> kRowGridHashes = {
#include "hashes/row_grid.txt"
};

template <std::size_t Dim>
std::uint64_t hash_of(const test::Answers<Dim>& answers) {
    test::Hash hash;
    hash.add(answers.order);
    for (const std::vector<Id>& ids : answers.found) {
        hash.add(ids);
    }
    return hash.value();
}

template <std::size_t Dim>
std::size_t check_grids() {
    return test::check_golden<Dim>(kRowGridHashes, 1000, [](scenes::Scene<Dim>& scene) {
        const RowGrid<Dim> grid = test::grid_of(scene);
        return std::pair(hash_of(test::answers_of(grid, scene)),
                         hash_of(test::expected_answers(grid.shape(), scene)));
    });
}

TEST(Golden, AnswersNeverChange) {
    const std::size_t checked = check_grids<2>() + check_grids<3>();
    if (std::getenv("THRONG_PRINT_GOLDEN") == nullptr) {
        EXPECT_EQ(checked, kRowGridHashes.size());
    }
}

} // namespace
} // namespace throng
