// Looks that go together or alone, whichever is less work: both ways give the same answers, and
// vain attempts cost little. Work is counted, so nothing here depends on a clock.
#include "obstacle_scene.hpp"

#include "../../support/dims.hpp"

#include <throng/engine/core/access.hpp>
#include <throng/engine/obstacles/calls/looks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {
namespace {

template <class Dim>
class ManyLooks : public testing::Test {};
TYPED_TEST_SUITE(ManyLooks, Dims, DimNames);

/// A point, and the points to look at from it.
template <std::size_t Dim>
struct List {
    Point<Dim> from;
    std::vector<Point<Dim>> to;

    [[nodiscard]] Box<Dim> bounds() const {
        Box<Dim> box = {from, from};
        for (const Point<Dim>& point : to) {
            for (std::size_t a = 0; a < Dim; ++a) {
                box.lo[a] = std::min(box.lo[a], point[a]);
                box.hi[a] = std::max(box.hi[a], point[a]);
            }
        }
        return box;
    }
};

/// Lists whose origins are within a quarter of the radius of each other.
template <std::size_t Dim>
using Group = std::vector<List<Dim>>;

template <std::size_t Dim>
Group<Dim> random_group(scenes::Random& random, float world, float radius, std::uint32_t lists,
                        std::uint32_t looks) {
    Group<Dim> group;
    const Point<Dim> middle = random_point<Dim>(random, world);
    for (std::uint32_t i = 0; i < lists; ++i) {
        List<Dim>& list = group.emplace_back();
        list.from = moved(middle, random_point<Dim>(random, 0.25f * radius));
        for (std::uint32_t left = 1 + random.below(looks); left != 0; --left) {
            list.to.push_back(moved(list.from, random_point<Dim>(random, radius)));
        }
    }
    return group;
}

struct Work {
    std::uint64_t chosen = 0, alone = 0;
    std::size_t hidden = 0, looks = 0;

    [[nodiscard]] double ratio() const {
        return static_cast<double>(chosen) / static_cast<double>(alone);
    }
};

/// Asks about the lists of a block, and about each look alone.
template <std::size_t Dim>
class Block {
public:
    Block(const Obstacles<Dim>& obstacles, const Filter& filter)
        : looks_(detail::state_of(obstacles), filter, scratch_),
          alone_(detail::state_of(obstacles), filter, other_) {}

    /// Asks about all groups, and adds the work to `work`.
    void ask(const std::vector<Group<Dim>>& groups, Work& work) {
        const std::uint64_t chosen = looks_.work(), alone = alone_.work();
        for (const Group<Dim>& group : groups) {
            begin(group);
            for (const List<Dim>& list : group) {
                ask(list, work);
            }
        }
        work.chosen += looks_.work() - chosen;
        work.alone += alone_.work() - alone;
    }

private:
    void begin(const Group<Dim>& group) {
        Box<Dim> bounds = group[0].bounds();
        std::size_t count = 0;
        for (const List<Dim>& list : group) {
            const Box<Dim> own = list.bounds();
            for (std::size_t a = 0; a < Dim; ++a) {
                bounds.lo[a] = std::min(bounds.lo[a], own.lo[a]);
                bounds.hi[a] = std::max(bounds.hi[a], own.hi[a]);
            }
            count += list.to.size();
        }
        looks_.begin(bounds, group.size(), count);
    }
    void ask(const List<Dim>& list, Work& work) {
        hidden_.assign(list.to.size(), 7);
        if (looks_.clear()) {
            std::fill(hidden_.begin(), hidden_.end(), std::uint8_t{0});
        } else {
            looks_.hide(list.from, list.to, list.bounds(), hidden_);
        }
        ASSERT_EQ(hidden_.size(), list.to.size());
        for (std::size_t l = 0; l < hidden_.size(); ++l) {
            ASSERT_EQ(hidden_[l], alone_.is_hidden(list.from, list.to[l]) ? 1 : 0);
            work.hidden += hidden_[l];
        }
        work.looks += hidden_.size();
    }

    typename Looks<Dim>::Scratch scratch_, other_;
    Looks<Dim> looks_, alone_;
    std::vector<std::uint8_t> hidden_;
};

struct Scene {
    std::size_t obstacles;
    float size, radius;
    std::uint32_t lists, looks; ///< lists of a group, and the most looks of a list
};
constexpr float kWorld = 10.0f;
/// Scenes in which sharing pays, does not, or pays a little: few obstacles to very many, lists
/// short and long.
constexpr Scene kScenes[] = {
    {0, 1.0f, 3.0f, 4, 20},        {20, 1.0f, 4.0f, 8, 40},       {20, 0.01f, 20.0f, 1, 1},
    {300, 0.3f, 2.0f, 8, 12},      {300, 0.02f, 0.5f, 16, 8},     {300, 0.3f, 10.0f, 1, 200},
    {3000, 0.1f, 1.0f, 8, 4},      {3000, 0.01f, 1.0f, 1, 30},    {3000, 0.1f, 8.0f, 8, 300},
    {30000, 0.03f, 0.2f, 32, 16},  {30000, 0.03f, 0.5f, 8, 2},    {30000, 0.005f, 3.0f, 8, 40},
    {30000, 0.02f, 20.0f, 4, 400}, {100000, 0.001f, 1.0f, 16, 60}};

TYPED_TEST(ManyLooks, CostNoMoreThanLooksAlone) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(21);
    Work all;
    for (const Scene& scene : kScenes) {
        ObstacleTruth<kDim> truth;
        truth.fill(random, scene.obstacles, kWorld, scene.size);
        Obstacles<kDim> obstacles;
        ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
        Work work;
        for (int turn = 0; turn < 3; ++turn) {
            std::vector<Group<kDim>> block;
            for (std::uint32_t lists = 0; lists < 128; lists += scene.lists) {
                block.push_back(
                    random_group<kDim>(random, kWorld, scene.radius, scene.lists, scene.looks));
            }
            Block<kDim>(obstacles, turn == 2 ? Filter{5, 17} : Filter{}).ask(block, work);
        }
        EXPECT_LE(work.ratio(), 1.1) << scene.obstacles << " within " << scene.radius;
        all.looks += work.looks;
        all.hidden += work.hidden;
    }
    EXPECT_GT(all.hidden, 10'000u);
    EXPECT_GT(all.looks - all.hidden, 10'000u);
}

TYPED_TEST(ManyLooks, CostLessThanLooksAloneAmongFewObstacles) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(22);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 300, kWorld, 0.5f);
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    for (const std::uint32_t looks : {8u, 40u, 150u}) {
        Work work;
        std::vector<Group<kDim>> block;
        for (int i = 0; i < 16; ++i) {
            block.push_back(random_group<kDim>(random, kWorld, 1.5f, 8, looks));
        }
        Block<kDim>(obstacles, {}).ask(block, work);
        EXPECT_LE(work.ratio(), 0.6) << looks;
    }
}

/// Between slanting shelves a look that is asked by itself meets the boxes around many shelves, but
/// no shelf: it pays to ask a list together. Among the specks farther down it meets nothing, but a
/// list asked together has hundreds of specks around it.
struct Warehouse {
    static constexpr int kShelves = 600, kSpecks = 20'000;
    scenes::Random random{23};
    Obstacles<2> obstacles;

    Warehouse() {
        std::vector<Wall> walls;
        for (int i = 0; i < kShelves; ++i) {
            const float x = 20.0f * static_cast<float>(i) / kShelves - 15.0f;
            walls.push_back({{{x, 0.0f}}, {{x + 10.0f, 10.0f}}, 0.0f});
        }
        for (int i = 0; i < kSpecks; ++i) {
            const Point<2> at = {{random.between(-2.0f, 2.0f), random.between(-22.0f, -18.0f)}};
            walls.push_back({at, moved(at, random_point<2>(random, 1e-4f)), 0.0f});
        }
        ObstacleArrays<2> arrays;
        arrays.walls = {walls.data(), sizeof(Wall), walls.size()};
        EXPECT_EQ(obstacles.set(arrays), Status{});
    }
    std::vector<Group<2>> between_shelves(int lists) {
        std::vector<Group<2>> groups;
        for (int i = 0; i < lists; ++i) {
            List<2> list = {{{random.between(-2.0f, 2.0f), random.between(4.0f, 6.0f)}}, {}};
            for (int l = 0; l < 50; ++l) {
                const float ahead = random.between(-2.0f, 2.0f);
                list.to.push_back(moved(list.from, Point<2>::all(ahead)));
            }
            groups.push_back({list});
        }
        return groups;
    }
    std::vector<Group<2>> among_specks(int lists) {
        std::vector<Group<2>> groups;
        for (int i = 0; i < lists; ++i) {
            groups.push_back(random_group<2>(random, 1.0f, 0.5f, 1, 60));
            const Point<2> down = {{0.0f, -20.0f}};
            List<2>& list = groups.back()[0];
            list.from = moved(list.from, down);
            for (Point<2>& to : list.to) {
                to = moved(to, down);
            }
        }
        return groups;
    }
};

TEST(LooksBetweenShelves, GoTogetherOnceTheyHaveBeenExpensive) {
    Warehouse warehouse;
    Work work;
    Block<2>(warehouse.obstacles, {}).ask(warehouse.between_shelves(128), work);
    EXPECT_LE(work.ratio(), 0.3);
}

TEST(LooksBetweenShelves, AreForgottenWhereLooksAreCheap) {
    Warehouse warehouse;
    Work first, second, fresh;
    Block<2> block(warehouse.obstacles, {});
    block.ask(warehouse.between_shelves(64), first);
    block.ask(warehouse.among_specks(64), second);
    EXPECT_LE(second.ratio(), 3.0);
    EXPECT_LE(static_cast<double>(first.chosen + second.chosen),
              0.5 * static_cast<double>(first.alone + second.alone));
    Block<2>(warehouse.obstacles, {}).ask(warehouse.among_specks(64), fresh);
    EXPECT_LE(fresh.ratio(), 1.1);
}

} // namespace
} // namespace throng::test
