// Going through a tree from near to far: to the same agents, in the same order, as the same walk in
// plain loops, and to all that plain loops over all agents find.
#include "../../../simd/kernels/tree_seek.hpp"

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

using simd::kTreeWidth;
using simd::TreeView;

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNoKey = kInfinite;

template <std::size_t Dim>
struct Bounds {
    std::array<float, Dim> lo, hi;
};

/// The scalar line that each vector of keys stands for. kNoKey: none.
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
        const float low = bounds.lo[a] - seek.origin[a] - seek.reach[a];
        const float high = bounds.hi[a] - seek.origin[a] + seek.reach[a];
        if (seek.inverse[a] == 0.0f) {
            if (!(low <= 0.0f && high >= 0.0f)) { return kNoKey; }
            continue;
        }
        const bool up = seek.inverse[a] > 0.0f;
        enter = std::max(enter, (up ? low : high) * seek.inverse[a]);
        exit = std::min(exit, (up ? high : low) * seek.inverse[a]);
    }
    constexpr float kLittleMore = 1.0f + 4.0f * 0x1p-20f;
    return enter <= exit * kLittleMore ? enter : kNoKey;
}

/// What a search hands over, and how its limit shrinks.
struct Log {
    std::vector<std::uint32_t> ids;
    std::vector<float> keys; ///< by id, of those that the limit follows; empty: it stays
    float limit;
    std::size_t most = ~std::size_t{0}; ///< ids, after which the search is to end

    float take(std::uint32_t id) {
        ids.push_back(id);
        if (!keys.empty()) { limit = std::min(limit, keys[id]); }
        return ids.size() < most ? limit : -1.0f;
    }
    static float test(void* context, std::uint32_t id) noexcept {
        return static_cast<Log*>(context)->take(id);
    }
};

/// The walk in plain loops, one node inside another.
template <class Seek>
struct PlainWalk {
    static constexpr std::size_t kDim = Seek::kDim;
    using Fields = simd::Fields<kDim>;
    const TreeView<kDim>& tree;
    const Seek& seek;
    Filter filter;
    bool sorted;
    Log& log;
    float limit;

    using Keys = std::array<float, kTreeWidth>;

    /// Calls body(i) for keys within the limit, as it is by then, the smallest first; or in order.
    /// False: it ends.
    template <class Body>
    bool each(Keys& keys, const Body& body) {
        for (float& key : keys) {
            if (!(key <= limit)) { key = kNoKey; }
        }
        std::size_t at = 0;
        while (true) {
            std::size_t i = kTreeWidth;
            if (sorted) {
                for (std::size_t c = 0; c < kTreeWidth; ++c) {
                    const bool in = keys[c] != kNoKey && keys[c] <= limit;
                    if (in && (i == kTreeWidth || keys[c] < keys[i])) { i = c; }
                }
            } else {
                while (at < kTreeWidth && (keys[at] == kNoKey || !(keys[at] <= limit))) {
                    ++at;
                }
                i = at++;
            }
            if (i >= kTreeWidth) { return true; }
            keys[i] = kNoKey;
            if (!body(i)) { return false; }
        }
    }
    [[nodiscard]] Bounds<kDim> cover(const float* node, std::size_t c) const {
        Bounds<kDim> bounds;
        for (std::size_t a = 0; a < kDim; ++a) {
            bounds.lo[a] = node[a * kTreeWidth + c];
            bounds.hi[a] = node[(kDim + a) * kTreeWidth + c];
        }
        return bounds;
    }
    bool leaf(std::uint32_t number) {
        const std::uint32_t* const words = tree.leaves + std::size_t{number} * tree.leaf_words;
        const auto* const floats = reinterpret_cast<const float*>(words);
        Keys keys;
        keys.fill(kNoKey);
        for (std::uint32_t i = 0; i < tree.filled[number]; ++i) {
            Bounds<kDim> bounds;
            for (std::uint32_t a = 0; a < kDim; ++a) {
                const float centre = floats[(Fields::kPosition + a) * kTreeWidth + i];
                const float half = floats[(Fields::kHalfExtent + a) * kTreeWidth + i];
                bounds.lo[a] = centre - half;
                bounds.hi[a] = centre + half;
            }
            const bool in = (words[Fields::groups(true) * kTreeWidth + i] & filter.groups) != 0;
            const std::uint32_t id = words[Fields::kId * kTreeWidth + i];
            if (in && id != filter.without) { keys[i] = key_of(seek, bounds); }
        }
        return each(keys, [&](std::size_t i) {
            limit = log.take(words[Fields::kId * kTreeWidth + i]);
            return limit >= 0.0f;
        });
    }
    bool node(std::uint32_t level, std::uint32_t number) {
        const std::uint32_t page = level == 0 ? tree.page_of[number] : 0;
        const std::size_t at = level == 0 ? page : tree.level_begin[level] + number;
        const float* const covers =
            (level == 0 ? tree.pages : tree.nodes) + at * TreeView<kDim>::kNodeWords;
        Keys keys;
        for (std::size_t c = 0; c < kTreeWidth; ++c) {
            keys[c] = key_of(seek, cover(covers, c));
        }
        return each(keys, [&](std::size_t c) {
            const auto child = static_cast<std::uint32_t>(c);
            return level == 0 ? leaf(page * kTreeWidth + child)
                              : node(level - 1, number * kTreeWidth + child);
        });
    }
    void all() {
        if (tree.levels != 0 && limit >= 0.0f) { (void)node(tree.levels - 1, 0); }
    }
};

template <std::size_t Dim>
class Scene {
public:
    LooseTree<Dim> tree;
    std::vector<Point<Dim>> positions, halves;
    std::vector<std::uint32_t> groups;

    Scene(scenes::Random& random, std::size_t count) {
        (void)tree.configure({}, {true, true, {}});
        for (std::size_t i = 0; i < count; ++i) {
            Point<Dim> position, half;
            for (std::size_t a = 0; a < Dim; ++a) {
                // Halves, so that many touch what is asked.
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
        // A tree that was edited has places without agents.
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
    /// The keys of those that the filter lets through, by id.
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
        seek.origin[a] = 0.5f * static_cast<float>(random.below(130)) - 2.0f;
        const float way = static_cast<float>(random.below(9)) - 4.0f;
        seek.inverse[a] = way == 0.0f ? 0.0f : 1.0f / (4.0f * way);
        seek.reach[a] = 1.5f * static_cast<float>(random.below(3));
    }
    return seek;
}

template <class Dim>
class TreeSeek : public testing::Test {};
TYPED_TEST_SUITE(TreeSeek, test::Dims, test::DimNames);

template <class Seek>
std::size_t check(const Scene<Seek::kDim>& scene, const Seek& seek, const Filter& filter,
                  float limit, bool sorted, bool shrinks, std::size_t most) {
    const TreeView<Seek::kDim> view = scene.view();
    simd::KernelFilter kernel_filter;
    kernel_filter.groups = filter.groups;
    kernel_filter.without = filter.without;
    std::vector<float> keys = scene.keys(seek, filter);
    Log got = {{}, shrinks ? keys : std::vector<float>{}, limit, most};
    Log wanted = got;
    simd::seek_in_tree(view, seek, kernel_filter, limit, {&got, Log::test, sorted});
    PlainWalk<Seek>{view, seek, filter, sorted, wanted, limit}.all();
    EXPECT_EQ(got.ids, wanted.ids);
    if (shrinks && most > keys.size()) {
        // The last one to lower the limit is the nearest of all.
        const auto least = std::min_element(keys.begin(), keys.end());
        if (least != keys.end() && *least <= limit && *least != kNoKey) {
            EXPECT_EQ(got.limit, *least);
        }
    }
    if (!shrinks && most > keys.size()) {
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            if (keys[i] != kNoKey && keys[i] <= limit) { all.push_back(i); }
        }
        std::sort(got.ids.begin(), got.ids.end());
        EXPECT_EQ(got.ids, all);
    }
    return got.ids.size();
}

template <std::size_t Dim, class MakeSeek>
void check_all(const MakeSeek& make_seek, float most) {
    scenes::Random random(8);
    std::size_t found = 0;
    for (const std::size_t count : {0u, 1u, 15u, 16u, 17u, 300u, 5000u}) {
        SCOPED_TRACE(count);
        const Scene<Dim> scene(random, count);
        for (int q = 0; q < 60; ++q) {
            const auto seek = make_seek(random);
            const Filter filter = {random.below(2) == 0 ? kAllGroups : random.below(8),
                                   random.below(2) == 0 ? kNoId : random.below(20)};
            const float limit = random.below(10) == 0 ? -1.0f : random.between(0.0f, most);
            for (const bool sorted : {false, true}) {
                found += check(scene, seek, filter, limit, sorted, false, ~std::size_t{0});
                found += check(scene, seek, filter, limit, sorted, true, ~std::size_t{0});
                found += check(scene, seek, filter, limit, sorted, false, 1 + random.below(4));
            }
        }
        if (testing::Test::HasFailure()) { return; }
    }
    EXPECT_GT(found, 1000u);
}

TYPED_TEST(TreeSeek, GoesNearAPointAsPlainLoopsDo) {
    constexpr std::size_t kDim = TypeParam::value;
    check_all<kDim>([](scenes::Random& random) { return near_seek<kDim>(random); }, 90.0f);
}

TYPED_TEST(TreeSeek, GoesAlongAWayAsPlainLoopsDo) {
    constexpr std::size_t kDim = TypeParam::value;
    check_all<kDim>([](scenes::Random& random) { return path_seek<kDim>(random); }, 2.0f);
}

TYPED_TEST(TreeSeek, GoesNowhereWithoutALimit) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(9);
    const Scene<kDim> scene(random, 40);
    const auto seek = near_seek<kDim>(random);
    for (const float limit : {-1.0f, -kInfinite, std::numeric_limits<float>::quiet_NaN()}) {
        Log log = {{}, {}, limit};
        simd::seek_in_tree(scene.view(), seek, {}, limit, {&log, Log::test});
        EXPECT_TRUE(log.ids.empty()) << limit;
    }
}

} // namespace
} // namespace throng
