// A search through a tree from near to far: it visits all agents that plain loops find, each once,
// and few others when its limit shrinks.
#include "../../../simd/kernels/tree/tree_seek.hpp"

#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <throng/engine/core/access.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>
#include <throng/engine/loose_tree/state.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace throng {
namespace {

using simd::TreeView;

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNoKey = kInfinite;

template <std::size_t Dim>
struct Bounds {
    std::array<float, Dim> lo, hi;
};

/// The scalar line that each vector of keys stands for; kNoKey for no hit.
template <std::size_t Dim>
float key_of(const simd::NearSeek<Dim>& seek, const Bounds<Dim>& bounds) {
    float sum = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float gap =
            std::max({bounds.lo[a] - seek.point[a], seek.point[a] - bounds.hi[a], 0.0f});
        sum = sum + gap * gap;
    }
    return sum;
}
template <std::size_t Dim>
float key_of(const simd::PathSeek<Dim>& seek, const Bounds<Dim>& bounds) {
    float enter = 0.0f, exit = 1.001f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const bool up = seek.inverse[a] > 0.0f;
        const float near_side = up ? bounds.lo[a] : bounds.hi[a];
        const float far_side = up ? bounds.hi[a] : bounds.lo[a];
        constexpr float kLittleMore = 1.0f + 4.0f * 0x1p-20f;
        enter = std::max(enter, (near_side - seek.first[a]) * seek.inverse[a]);
        exit = std::min(exit, (far_side - seek.last[a]) * (seek.inverse[a] * kLittleMore));
    }
    return enter <= exit ? enter : kNoKey;
}

/// What a search visits, and how its limit shrinks.
struct Log {
    const std::vector<float>& keys; ///< by id
    bool shrinks;
    std::size_t most; ///< the search ends after this many ids
    float limit;
    std::vector<std::uint32_t> ids{};
    std::size_t beyond = 0; ///< ids above the limit

    float take(std::uint32_t id) {
        ids.push_back(id);
        beyond += keys[id] <= limit ? 0 : 1;
        if (shrinks) { limit = std::min(limit, keys[id]); }
        return ids.size() < most ? limit : -1.0f;
    }
    static float test(void* context, std::uint32_t id) noexcept {
        return static_cast<Log*>(context)->take(id);
    }
};

template <std::size_t Dim>
class TreeScene {
public:
    LooseTree<Dim> tree;
    std::vector<Point<Dim>> positions, halves;
    std::vector<std::uint32_t> groups;

    TreeScene(scenes::Random& random, std::size_t count) {
        (void)tree.configure({}, {true, true, {}});
        for (std::size_t i = 0; i < count; ++i) {
            Point<Dim> position, half;
            for (std::size_t a = 0; a < Dim; ++a) {
                // Multiples of 0.5, so that many agents touch the shapes.
                position[a] = 0.5f * static_cast<float>(random.below(120));
                half[a] = 0.5f * static_cast<float>(random.below(4));
            }
            positions.push_back(position);
            halves.push_back(half);
            groups.push_back(1u << random.below(3));
        }
        Agents<Dim> agents;
        if (count != 0) {
            agents.positions = PointView<Dim>::interleaved(positions[0].axis.data(), count);
            agents.half_extents = PointView<Dim>::interleaved(halves[0].axis.data(), count);
        }
        agents.groups = {groups.data(), sizeof(std::uint32_t), count};
        EXPECT_TRUE(tree.update(agents).ok());
        // An edited tree has slots without agents.
        for (std::size_t i = 3; i < count; i += 7) {
            EXPECT_TRUE(tree.erase(static_cast<Id>(i)).ok());
            groups[i] = 0;
        }
    }
    [[nodiscard]] TreeView<Dim> view() const { return detail::state_of(tree).tree.view(); }
    [[nodiscard]] Bounds<Dim> bounds(std::size_t i) const {
        Bounds<Dim> made;
        for (std::size_t a = 0; a < Dim; ++a) {
            made.lo[a] = positions[i][a] - halves[i][a];
            made.hi[a] = positions[i][a] + halves[i][a];
        }
        return made;
    }
    /// The keys of the agents that the filter admits, by id.
    template <class Seek>
    [[nodiscard]] std::vector<float> keys(const Seek& seek, const Filter& filter) const {
        std::vector<float> made(positions.size(), kNoKey);
        for (std::size_t i = 0; i < made.size(); ++i) {
            const bool in = (groups[i] & filter.groups) != 0 && filter.without != i;
            if (in) { made[i] = key_of(seek, bounds(i)); }
        }
        return made;
    }
};

template <std::size_t Dim>
simd::NearSeek<Dim> near_seek(scenes::Random& random) {
    simd::NearSeek<Dim> seek;
    for (float& x : seek.point) {
        x = 0.5f * static_cast<float>(random.below(130)) - 2.0f;
    }
    return seek;
}
template <std::size_t Dim>
simd::PathSeek<Dim> path_seek(scenes::Random& random) {
    simd::PathSeek<Dim> seek;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float origin = 0.5f * static_cast<float>(random.below(130)) - 2.0f;
        const float way = static_cast<float>(random.below(9)) - 4.0f;
        const float reach = 1.5f * static_cast<float>(random.below(3));
        const float sign = way < 0.0f ? -1.0f : 1.0f;
        seek.first[a] = origin + sign * reach;
        seek.last[a] = origin - sign * reach;
        seek.inverse[a] = way == 0.0f ? 1e36f : 1.0f / (4.0f * way);
    }
    return seek;
}

template <class Dim>
class TreeSeek : public testing::Test {};
TYPED_TEST_SUITE(TreeSeek, test::Dims, test::DimNames);

constexpr std::size_t kAll = ~std::size_t{0};

/// Asks for all agents within a limit, which may shrink to the smallest key, or for a few. Returns
/// how many were visited.
template <class Seek>
std::size_t check(const TreeScene<Seek::kDim>& scene, const Seek& seek, const Filter& filter,
                  float limit, bool sorted, bool shrinks, std::size_t most) {
    simd::KernelFilter kernel_filter;
    kernel_filter.groups = filter.groups;
    kernel_filter.without = filter.without;
    const std::vector<float> keys = scene.keys(seek, filter);
    Log log = {keys, shrinks, most, limit};
    simd::seek_in_tree(scene.view(), seek, kernel_filter, limit, {&log, Log::test, sorted});
    EXPECT_EQ(log.beyond, 0u);
    const std::size_t told = log.ids.size();
    std::sort(log.ids.begin(), log.ids.end());
    EXPECT_EQ(std::adjacent_find(log.ids.begin(), log.ids.end()), log.ids.end());
    std::vector<std::uint32_t> wanted; // within the final limit
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        if (keys[i] != kNoKey && keys[i] <= log.limit) { wanted.push_back(i); }
    }
    if (most != kAll) {
        EXPECT_EQ(told, std::min(wanted.size(), most));
        return told;
    }
    EXPECT_TRUE(std::includes(log.ids.begin(), log.ids.end(), wanted.begin(), wanted.end()));
    if (!shrinks) { EXPECT_EQ(told, wanted.size()); }
    return told;
}

/// Returns the agents visited by searches with shrinking limits, as a fraction of all within the
/// limits.
template <std::size_t Dim, class MakeSeek>
double check_all(const MakeSeek& make_seek, float most) {
    scenes::Random random(8);
    std::size_t found = 0, shrinking = 0;
    for (const std::size_t count : {0u, 1u, 15u, 16u, 17u, 300u, 5000u, 40'000u}) {
        SCOPED_TRACE(count);
        const TreeScene<Dim> scene(random, count);
        for (int q = 0; q < 60; ++q) {
            const auto seek = make_seek(random);
            const Filter filter = {random.below(2) == 0 ? kAllGroups : random.below(8),
                                   random.below(2) == 0 ? kNoId : random.below(20)};
            const float limit = random.below(10) == 0   ? -1.0f
                                : random.below(10) == 0 ? 0.0f
                                                        : random.between(0.0f, most);
            found += check(scene, seek, filter, limit, true, false, kAll);
            check(scene, seek, filter, limit, false, false, kAll);
            shrinking += check(scene, seek, filter, limit, true, true, kAll);
            for (const bool sorted : {false, true}) {
                check(scene, seek, filter, limit, sorted, false, 1 + random.below(4));
            }
        }
        if (testing::Test::HasFailure()) { return 1.0; }
    }
    EXPECT_GT(found, 1000u);
    return static_cast<double>(shrinking) / static_cast<double>(found);
}

TYPED_TEST(TreeSeek, FindsNearAPointWhatPlainLoopsDo) {
    constexpr std::size_t kDim = TypeParam::value;
    EXPECT_LT(
        check_all<kDim>([](scenes::Random& random) { return near_seek<kDim>(random); }, 90.0f),
        0.1);
}

TYPED_TEST(TreeSeek, FindsAlongAWayWhatPlainLoopsDo) {
    constexpr std::size_t kDim = TypeParam::value;
    EXPECT_LT(check_all<kDim>([](scenes::Random& random) { return path_seek<kDim>(random); }, 2.0f),
              0.5);
}

TYPED_TEST(TreeSeek, GoesNowhereWithoutALimit) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(9);
    const TreeScene<kDim> scene(random, 40);
    const auto seek = near_seek<kDim>(random);
    const std::vector<float> keys(40, 0.0f);
    for (const float limit : {-1.0f, -kInfinite, std::numeric_limits<float>::quiet_NaN()}) {
        Log log = {keys, false, kAll, limit};
        simd::seek_in_tree(scene.view(), seek, {}, limit, {&log, Log::test});
        EXPECT_TRUE(log.ids.empty()) << limit;
    }
}

} // namespace
} // namespace throng
