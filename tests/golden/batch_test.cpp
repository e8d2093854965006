// Neighbours and pairs of every scene, reduced to one hash.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/parallel/batch/batch.hpp>

#include "../support/answers.hpp"
#include "../support/golden.hpp"
#include "../support/threads/executors.hpp"
#include "batch_hash.hpp"

#include <utility>
#include <vector>

namespace throng {
namespace {

const std::vector<test::Golden> kBatchHashes = {
#include "hashes/batch.txt"
};

template <std::size_t Dim>
std::size_t check_batches() {
    test::EagerPool pool(3);
    constexpr std::size_t kAgents = 530; // two slices
    return test::check_golden<Dim>(kBatchHashes, kAgents, [&](scenes::Scene<Dim>& scene) {
        const RowGrid<Dim> grid = test::grid_of(scene);
        return std::pair(test::hash_of(grid, scene, pool),
                         test::expected_hash(grid.shape(), scene));
    });
}

TEST(BatchGolden, AnswersNeverChange) {
    const std::size_t checked = check_batches<2>() + check_batches<3>();
    if (std::getenv("THRONG_PRINT_GOLDEN") == nullptr) { EXPECT_EQ(checked, kBatchHashes.size()); }
}

} // namespace
} // namespace throng
