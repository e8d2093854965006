// Neighbours and pairs of every scene as a crowd with statics, reduced to one hash.
#include <throng/parallel/batch/batch.hpp>

#include "../parallel/batch/crowd/crowd_calls.hpp"
#include "../support/golden.hpp"
#include "../support/hash.hpp"
#include "../support/threads/executors.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

namespace throng {
namespace {

using test::World;

const std::vector<test::Golden> kCrowdBatchHashes = {
#include "hashes/crowd_batch.txt"
};

/// The hash of neighbours sorted by id: other tests check the order within an answer.
template <std::size_t Dim>
std::uint64_t hash_of(const World<Dim>& world, Executor& executor) {
    Batch<Dim> batch(executor);
    test::Hash hash;
    Hits hits;
    const Neighbourhood near{world.scene.cell[0], false, 0x8000'0003u};
    EXPECT_EQ(batch.neighbours(world.crowd, near, hits, Order::ids), Status{});
    for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
        hash.add(world.truth.settled(hits.of(q)));
    }
    hash.add(batch.count_pairs({world.crowd, PairSets::all}, 0x3u).count);
    return hash.value();
}

template <std::size_t Dim>
std::uint64_t expected_hash(const World<Dim>& world) {
    test::Hash hash;
    for (Id id = 0; id < world.scene.size(); ++id) {
        hash.add(world.expected(Ball<Dim>{world.scene.position_of(id), world.scene.cell[0]},
                                {0x8000'0003u, id}));
    }
    hash.add(world.truth.pairs(0x3u).size());
    return hash.value();
}

template <std::size_t Dim>
std::size_t check_crowd_batches() {
    test::EagerPool pool(3);
    return test::check_golden<Dim>(kCrowdBatchHashes, 300, [&](const scenes::Scene<Dim>& scene) {
        const auto groups = scene.groups.empty() ? scenes::Groups::none : scenes::Groups::masks;
        const World<Dim> world(scene.name, 300, 60, groups);
        return std::pair(hash_of(world, pool), expected_hash(world));
    });
}

TEST(CrowdBatchGolden, AnswersNeverChange) {
    const std::size_t checked = check_crowd_batches<2>() + check_crowd_batches<3>();
    if (std::getenv("THRONG_PRINT_GOLDEN") == nullptr) {
        EXPECT_EQ(checked, kCrowdBatchHashes.size());
    }
}

} // namespace
} // namespace throng
