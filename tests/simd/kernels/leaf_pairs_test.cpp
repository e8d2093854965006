// Pairs of elements in the same leaf, against plain loops: with any number in a leaf, any room for
// pairs, and no access past what the kernel promises.
#include "../../../simd/kernels/family/leaf_pairs.hpp"

#include "../../support/numbers.hpp"
#include "../../support/random.hpp"
#include "guarded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace throng {
namespace {

using simd::LeafLattice;
using simd::LeafTile;
using test::kCanary;
using PairList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Leaves of at most `most` elements; some leaves are empty, and some have nothing before them.
void fill(LeafTile& tile, scenes::Random& random, std::uint32_t count, std::uint32_t most) {
    constexpr float kNothing = -std::numeric_limits<float>::infinity();
    tile.count = 0;
    while (tile.count < count) {
        const std::uint32_t end = std::min(count, tile.count + 1 + random.below(most));
        const float cell = static_cast<float>(random.below(4));
        for (; tile.count < end; ++tile.count) {
            const std::uint32_t i = tile.count;
            tile.id[i] = random.below(1u << 31);
            tile.end[i] = end;
            for (std::size_t a = 0; a < 2; ++a) {
                // Whole numbers and quarters, so that many touch.
                tile.position[a][i] = 0.25f * static_cast<float>(random.below(24));
                tile.half[a][i] = 0.25f * static_cast<float>(random.below(4));
                tile.first_cell[a][i] = cell == 0.0f ? kNothing : cell;
            }
        }
    }
}

bool meet(const LeafLattice& lattice, const LeafTile& a, std::uint32_t i, const LeafTile& b,
          std::uint32_t j) {
    const auto half = [&](const LeafTile& tile, std::uint32_t k, std::size_t axis) {
        return lattice.own_extents ? tile.half[axis][k] : lattice.half[axis];
    };
    const auto is_before = [&](const LeafTile& tile, std::uint32_t k, std::size_t axis) {
        float cover = lattice.cover[axis];
        if (lattice.own_extents) {
            const float widest = std::max(tile.half[axis][k], tile.half[0][k]);
            cover = widest + widest * 0x1p-18f;
        }
        const float in_cells =
            (tile.position[axis][k] - cover - lattice.origin[axis]) * lattice.scale[axis];
        return in_cells < tile.first_cell[axis][k];
    };
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const float one = a.position[axis][i];
        const float other = b.position[axis][j];
        if (one - half(a, i, axis) > other + half(b, j, axis)) { return false; }
        if (other - half(b, j, axis) > one + half(a, i, axis)) { return false; }
        if (is_before(a, i, axis) && is_before(b, j, axis)) { return false; }
    }
    return true;
}

/// All pairs, listed with room for `room` at a time.
PairList listed(const LeafTile& tile, const LeafTile& others, std::uint32_t room) {
    PairList all;
    const test::Guarded<std::uint32_t> first(room + simd::kSlack);
    const test::Guarded<std::uint32_t> second(room + simd::kSlack);
    for (std::uint32_t at = 0; at < tile.count;) {
        simd::LeafPairs pairs = {first.begin(), second.begin(), 0, room};
        // Earlier content must remain.
        if (room > LeafTile::kMost) {
            first.begin()[0] = second.begin()[0] = kCanary;
            pairs.used = 1;
        }
        const std::uint32_t begin = pairs.used;
        const std::uint32_t before = at;
        at = simd::pair_leaves(tile, others, at, pairs);
        EXPECT_LE(pairs.used, room);
        EXPECT_GT(at, before);
        if (at <= before) { break; }
        EXPECT_TRUE(begin == 0 || (first.begin()[0] == kCanary && second.begin()[0] == kCanary));
        for (std::uint32_t p = begin; p < pairs.used; ++p) {
            all.emplace_back(first.begin()[p], second.begin()[p]);
        }
    }
    return all;
}

/// The pairs of plain loops, within a tile and between two.
struct Wanted {
    PairList within, between;
};
Wanted wanted(const LeafLattice& lattice, const LeafTile& tile, const LeafTile& others) {
    Wanted pairs;
    for (std::uint32_t i = 0; i < tile.count; ++i) {
        for (std::uint32_t j = i + 1; j < tile.end[i]; ++j) {
            if (meet(lattice, tile, i, tile, j)) {
                pairs.within.emplace_back(tile.id[i], tile.id[j]);
            }
        }
        for (std::uint32_t j = 0; j < others.count; ++j) {
            if (meet(lattice, tile, i, others, j)) {
                pairs.between.emplace_back(tile.id[i], others.id[j]);
            }
        }
    }
    return pairs;
}

/// Two tiles; the second ends at a guard page.
class LeafPairs : public testing::Test {
protected:
    void make(std::uint32_t count, std::uint32_t other_count, std::uint32_t most) {
        lattice_ = {
            {-1.0f, 0.5f}, {0.5f, 0.75f}, {0.5f, 0.25f}, {0.5f, 0.5f}, random_.below(2) == 0};
        fill(tile_, random_, count, most);
        fill(others_, random_, other_count, most);
        simd::put_up_boxes(lattice_, tile_);
        simd::put_up_boxes(lattice_, others_);
    }

    scenes::Random random_{12};
    const test::Guarded<LeafTile> tiles_{2};
    LeafTile& tile_ = *new (tiles_.begin()) LeafTile;
    LeafTile& others_ = *new (tiles_.begin() + 1) LeafTile;
    LeafLattice lattice_{};
};

TEST_F(LeafPairs, AreThoseOfPlainLoops) {
    for (const std::uint32_t most : {1u, 3u, 9u, 17u, 40u, 256u}) {
        for (const std::uint32_t count : {0u, 1u, 7u, 100u, 255u, 256u}) {
            make(count, 1 + random_.below(256), most);
            const Wanted pairs = wanted(lattice_, tile_, others_);
            for (const std::uint32_t room : {256u, 300u, 1024u}) {
                ASSERT_EQ(listed(tile_, tile_, room), pairs.within)
                    << most << ' ' << count << ' ' << room;
                ASSERT_EQ(listed(tile_, others_, room), pairs.between) << most << ' ' << count;
            }
            ASSERT_TRUE(count < 100 || most < 3 || !pairs.within.empty());
        }
    }
}

// The output ends at a guard page and begins at each of sixteen offsets.
TEST_F(LeafPairs, Of0To130ElementsAreWrittenToEveryOffset) {
    std::size_t found = 0;
    for (std::uint32_t count = 0; count <= 130; ++count) {
        make(count, 130 - count, 1 + count % 40);
        const Wanted pairs = wanted(lattice_, tile_, others_);
        found += pairs.within.size() + pairs.between.size();
        for (std::uint32_t offset = 1; offset <= 16; ++offset) {
            SCOPED_TRACE(testing::Message() << count << " to " << offset);
            ASSERT_EQ(listed(tile_, tile_, LeafTile::kMost + offset), pairs.within);
            ASSERT_EQ(listed(tile_, others_, LeafTile::kMost + offset), pairs.between);
        }
    }
    EXPECT_GT(found, 10'000u);
}

} // namespace
} // namespace throng
