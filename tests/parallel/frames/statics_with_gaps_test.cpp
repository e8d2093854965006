// Lists that last, and lists of those in sight, where edits have left gaps between statics' ids.
#include "../../support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/obstacles/obstacles.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>
#include <throng/parallel/sight/in_sight.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace throng::test {
namespace {

constexpr float kYardSide = 30.0f;
constexpr Id kGapOfIds = 1'000'003;

/// Two crowds of the same agents among the same statics. Those of the second came one by one, in
/// another order, and their ids are kGapOfIds times as far apart.
struct BothCrowds {
    std::vector<float> x, y, at_x, at_y;
    Crowd<2> dense, gaps;

    BothCrowds() {
        scenes::Random random(3);
        CrowdSettings<2> settings;
        settings.bounds = Box<2>{{}, Point<2>::all(kYardSide)};
        settings.cell = Point<2>::all(1.0f);
        for (Crowd<2>* const crowd : {&dense, &gaps}) {
            EXPECT_EQ(crowd->configure(settings), Status{});
        }
        for (std::size_t i = 0; i < 300; ++i) {
            x.push_back(random.between(0.0f, kYardSide));
            y.push_back(random.between(0.0f, kYardSide));
        }
        for (std::size_t i = 0; i < 90; ++i) {
            at_x.push_back(random.between(0.0f, kYardSide));
            at_y.push_back(random.between(0.0f, kYardSide));
        }
        Agents<2> statics;
        statics.positions = PointView<2>::separate({at_x.data(), at_y.data()}, at_x.size());
        statics.common_half_extent = Point<2>::all(0.5f);
        EXPECT_EQ(dense.set_statics(statics), Status{});
        for (std::size_t i = at_x.size(); i-- > 0;) {
            const Agent<2> castle{{{at_x[i], at_y[i]}}, Point<2>::all(0.5f), {}};
            EXPECT_EQ(gaps.insert(static_id(i * kGapOfIds), castle), Status{});
        }
        EXPECT_EQ(dense.update(agents()), Status{});
        EXPECT_EQ(gaps.update(agents()), Status{});
    }
    [[nodiscard]] Agents<2> agents() const {
        Agents<2> all;
        all.positions = PointView<2>::separate({x.data(), y.data()}, x.size());
        return all;
    }
};

/// The lists, each sorted, with statics' ids as in a crowd without gaps.
std::vector<std::vector<Id>> dense_lists_of(const Hits& hits, Id gap) {
    std::vector<std::vector<Id>> lists(hits.offsets.size() - 1);
    for (std::size_t k = 0; k < lists.size(); ++k) {
        for (const Id id : hits.of(k)) {
            lists[k].push_back(is_static(id) ? static_id(static_index(id) / gap) : id);
        }
        std::sort(lists[k].begin(), lists[k].end());
    }
    return lists;
}

TEST(StaticsWithGaps, AreInListsThatLast) {
    BothCrowds both;
    const LastingSettings settings{{.radius = 2.0f}, 0.5f, Sets::all};
    LastingNeighbours<2> of_dense(settings), of_gaps(settings);
    for (std::size_t frame = 0; frame < 3; ++frame) {
        Hits dense, gaps;
        ASSERT_EQ(of_dense.update(both.dense, both.agents()), Status{});
        ASSERT_EQ(of_gaps.update(both.gaps, both.agents()), Status{});
        ASSERT_EQ(of_dense.neighbours(both.agents(), dense), Status{});
        ASSERT_EQ(of_gaps.neighbours(both.agents(), gaps), Status{});
        const auto wanted = dense_lists_of(dense, 1);
        ASSERT_EQ(dense_lists_of(gaps, kGapOfIds), wanted);
        ASSERT_TRUE(std::any_of(wanted.begin(), wanted.end(), [](const auto& list) {
            return !list.empty() && is_static(list.back());
        }));
        for (float& x : both.x) {
            x = std::clamp(x + 0.1f, 0.0f, kYardSide);
        }
    }
    // An edit of a static ends the lists' life.
    const std::uint64_t made = of_gaps.made();
    ASSERT_EQ(both.gaps.erase(static_id(0)), Status{});
    ASSERT_EQ(of_gaps.update(both.gaps, both.agents()), Status{});
    EXPECT_EQ(of_gaps.made(), made + 1);
}

TEST(StaticsWithGaps, AreHiddenWhereTheyStand) {
    const BothCrowds both;
    Obstacles<2> walls;
    scenes::Random random(4);
    for (Id i = 0; i < 40; ++i) {
        const Point<2> from{{random.between(0.0f, kYardSide), random.between(0.0f, kYardSide)}};
        const Point<2> to{{from[0] + random.between(-3.0f, 3.0f), from[1] + 2.0f}};
        ASSERT_EQ(walls.insert(i, Wall{from, to}), Status{});
    }
    const Neighbourhood near{.radius = 4.0f};
    InSight<2> in_sight;
    Hits dense, gaps;
    ASSERT_EQ(in_sight.neighbours(both.dense, walls, near, dense).status, Status{});
    ASSERT_EQ(in_sight.neighbours(both.gaps, walls, near, gaps).status, Status{});
    EXPECT_EQ(dense_lists_of(gaps, kGapOfIds), dense_lists_of(dense, 1));
    Hits without;
    ASSERT_EQ(in_sight.neighbours(both.dense, Obstacles<2>(), near, without).status, Status{});
    EXPECT_LT(dense.total(), without.total());
}

} // namespace
} // namespace throng::test
