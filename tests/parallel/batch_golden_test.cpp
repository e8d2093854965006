// Neighbours and pairs of every scene, boiled down to a number.
#include <throng/parallel/batch.hpp>
#include <throng/parallel/thread_pool.hpp>

#include "../support/golden.hpp"
#include "batch_truth.hpp"

#include <utility>
#include <vector>

namespace throng {
namespace {

const std::vector<test::Golden> kGolden = {
#include "../golden/batch_hashes.txt"
};

constexpr std::uint32_t kSome = 0x8000'0003u;

void add(oracle::Hash& hash, const Hits& hits) {
    for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
        hash.add(hits.of(q));
    }
}
void add(oracle::Hash& hash, const Pairs& pairs) {
    hash.add(std::span(pairs.first).first(pairs.count));
    hash.add(std::span(pairs.second).first(pairs.count));
}

template <std::size_t Dim>
std::uint64_t hash_of(const RowGrid<Dim>& grid, const scenes::Scene<Dim>& scene,
                      Executor& executor) {
    Batch<Dim> batch(executor);
    oracle::Hash hash;
    Hits hits;
    EXPECT_EQ(batch.neighbours(grid, {scene.cell[0]}, hits), Status{});
    add(hash, hits);
    EXPECT_EQ(batch.neighbours(grid, {2.5f * scene.cell[0], true, kSome}, hits, Order::ids),
              Status{});
    add(hash, hits);
    Pairs pairs;
    for (const std::uint32_t groups : {kAllGroups, kSome}) {
        EXPECT_EQ(batch.pairs(grid, pairs, groups), Status{});
        add(hash, pairs);
    }
    return hash.value();
}

template <std::size_t Dim>
std::uint64_t expected_hash(const GridShape<Dim>& shape, scenes::Scene<Dim>& scene) {
    const test::CrowdTruth<Dim> truth(scene);
    const auto order = truth.order(shape);
    oracle::Hash hash;
    add(hash, test::in_storage_order(truth.neighbours({scene.cell[0]}), order));
    add(hash, test::in_id_order(truth.neighbours({2.5f * scene.cell[0], true, kSome}), order));
    for (const std::uint32_t groups : {kAllGroups, kSome}) {
        add(hash, test::pairs_within(truth.partners(truth, groups), order));
    }
    return hash.value();
}

template <std::size_t Dim>
std::size_t check_scenes() {
    ThreadPool pool(3);
    constexpr std::size_t kAgents = 530; // two slices
    return test::check_golden<Dim>(kGolden, kAgents, [&](scenes::Scene<Dim>& scene) {
        const RowGrid<Dim> grid = test::grid_of(scene);
        return std::pair(hash_of(grid, scene, pool), expected_hash(grid.shape(), scene));
    });
}

TEST(BatchGolden, AnswersNeverChange) {
    const std::size_t checked = check_scenes<2>() + check_scenes<3>();
    if (std::getenv("THRONG_PRINT_GOLDEN") == nullptr) { EXPECT_EQ(checked, kGolden.size()); }
}

} // namespace
} // namespace throng
