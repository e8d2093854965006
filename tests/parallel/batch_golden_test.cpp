// Neighbours and pairs of every scene, boiled down to a number: the same for every compiler,
// machine and instruction set, and from one version to the next.
//
// After an intended change run this with THRONG_PRINT_GOLDEN set, and put what it prints into
// tests/golden/batch_hashes.txt.
#include <throng/parallel/batch.hpp>
#include <throng/parallel/thread_pool.hpp>

#include "batch_truth.hpp"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace throng {
namespace {

struct Golden {
    std::string_view scene;
    int dim;
    int masks;
    std::uint64_t hash;
};

const std::vector<Golden> kGolden = {
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
void check_scenes(std::size_t& checked) {
    ThreadPool pool(3);
    for (const std::string_view name : scenes::names()) {
        for (const auto groups : {scenes::Groups::none, scenes::Groups::masks}) {
            const int masks = groups == scenes::Groups::masks ? 1 : 0;
            auto scene = scenes::make<Dim>(name, 530, groups); // two slices
            RowGrid<Dim> grid;
            ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
            ASSERT_EQ(grid.update(scene.agents()), Status{});
            const std::uint64_t hash = hash_of(grid, scene, pool);
            // A number nobody can read must not become the truth by mistake.
            ASSERT_EQ(hash, expected_hash(grid.shape(), scene))
                << name << " differs from brute force: fix that first";
            if (std::getenv("THRONG_PRINT_GOLDEN") != nullptr) {
                std::printf("{\"%s\", %d, %d, 0x%016" PRIX64 "u},\n", scene.name.c_str(),
                            static_cast<int>(Dim), masks, hash);
                continue;
            }
            bool known = false;
            for (const Golden& golden : kGolden) {
                if (golden.scene != name || golden.dim != Dim || golden.masks != masks) {
                    continue;
                }
                known = true;
                ++checked;
                EXPECT_EQ(hash, golden.hash) << name << " " << Dim << "D, masks " << masks;
            }
            EXPECT_TRUE(known) << "no golden hash for " << name << " " << Dim << "D";
        }
    }
}

TEST(BatchGolden, AnswersNeverChange) {
    std::size_t checked = 0;
    check_scenes<2>(checked);
    check_scenes<3>(checked);
    if (std::getenv("THRONG_PRINT_GOLDEN") == nullptr) { EXPECT_EQ(checked, kGolden.size()); }
}

} // namespace
} // namespace throng
