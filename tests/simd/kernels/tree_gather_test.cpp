// The agents near a box, against a test of every agent.
#include "../../../simd/kernels/tree/tree_gather.hpp"

#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <throng/engine/core/access.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>
#include <throng/engine/loose_tree/state.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace throng {
namespace {

template <class Dim>
class TreeGather : public testing::Test {};
TYPED_TEST_SUITE(TreeGather, test::Dims, test::DimNames);

TYPED_TEST(TreeGather, FindsWhatIsNearABox) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(8);
    std::size_t empty = 0, some = 0, full = 0;
    for (const std::uint32_t count : {0u, 1u, 15u, 16u, 17u, 400u, 9000u}) {
        // Multiples of 0.25, so that many touch.
        const auto place = [&](std::uint32_t steps) {
            return 0.25f * static_cast<float>(random.below(steps));
        };
        std::vector<Point<kDim>> centres(count), halves(count);
        std::vector<std::uint32_t> groups(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            for (std::size_t a = 0; a < kDim; ++a) {
                centres[i][a] = place(120);
                halves[i][a] = place(5);
            }
            groups[i] = 1u << random.below(3);
        }
        LooseTree<kDim> tree;
        ASSERT_TRUE(tree.configure({}, {true, true, {}}).ok());
        Agents<kDim> agents;
        if (count != 0) {
            agents.positions = PointView<kDim>::interleaved(centres[0].axis.data(), count);
            agents.half_extents = PointView<kDim>::interleaved(halves[0].axis.data(), count);
        }
        agents.groups = {groups.data(), sizeof(std::uint32_t), count};
        ASSERT_TRUE(tree.update(agents).ok());
        const simd::TreeView<kDim> view = detail::state_of(tree).tree.view();
        for (int round = 0; round < 200; ++round) {
            simd::BoxSeek<kDim> seek;
            for (std::size_t a = 0; a < kDim; ++a) {
                seek.lo[a] = place(120);
                seek.hi[a] = seek.lo[a] + place(12);
            }
            seek.limit = place(40);
            simd::KernelFilter filter{};
            filter.groups = random.below(2) == 0 ? ~0u : 5u;
            filter.without = random.below(2) == 0 ? ~0u : random.below(count + 1);
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < count; ++i) {
                float sum = 0.0f;
                for (std::size_t a = 0; a < kDim; ++a) {
                    const float lo = centres[i][a] - halves[i][a];
                    const float hi = centres[i][a] + halves[i][a];
                    const float gap = std::max({lo - seek.hi[a], seek.lo[a] - hi, 0.0f});
                    sum += gap * gap;
                }
                if (sum <= seek.limit && (groups[i] & filter.groups) != 0 && i != filter.without) {
                    expected.push_back(i);
                }
            }
            const std::uint32_t most =
                random.below(2) == 0 ? simd::kMostGathered : random.below(200);
            std::vector<simd::Gathered<kDim>> out(most);
            const std::uint32_t found = simd::gather_in_tree(view, seek, filter, out.data(), most);
            if (expected.size() > most) {
                ASSERT_EQ(found, most + 1);
                ++full;
                continue;
            }
            ++(expected.empty() ? empty : some);
            ASSERT_EQ(found, expected.size());
            out.resize(found);
            std::sort(out.begin(), out.end(),
                      [](const auto& a, const auto& b) { return a.id < b.id; });
            for (std::uint32_t i = 0; i < found; ++i) {
                const std::uint32_t id = expected[i];
                ASSERT_EQ(out[i].id, id);
                for (std::size_t a = 0; a < kDim; ++a) {
                    ASSERT_EQ(out[i].lo[a], centres[id][a] - halves[id][a]);
                    ASSERT_EQ(out[i].hi[a], centres[id][a] + halves[id][a]);
                }
            }
        }
    }
    EXPECT_GT(empty, 100u);
    EXPECT_GT(some, 300u);
    EXPECT_GT(full, 20u);
}

} // namespace
} // namespace throng
