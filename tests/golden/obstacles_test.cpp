// What obstacles answer in plain and periodic worlds, to the last bit of each distance, time, point
// and normal.
#include "../engine/obstacles/obstacle_scene.hpp"
#include "../support/dims.hpp"
#include "named_hash.hpp"
#include "walkers.hpp"

#include <throng/engine/obstacles/moving.hpp>
#include <throng/engine/obstacles/obstacles.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace throng::test {
namespace {

constexpr NamedHash kObstacleHashes[] = {
#include "hashes/obstacles.txt"
};

struct Sizes {
    std::size_t count;
    float world, size, lattice;
};
/// On the lattice, obstacles and questions touch exactly. The last world is as large as may be.
constexpr Sizes kWorldSizes[] = {
    {90, 10, 2, 0}, {120, 6, 2, 0.5f}, {500, 40, 3, 0}, {60, 1e17f, 2e16f, 0}};
constexpr Filter kFilters[] = {{}, {5, 17}};

template <std::size_t Dim>
struct Questions {
    std::vector<Point<Dim>> points;
    std::vector<Ball<Dim>> balls;
    std::vector<Segment<Dim>> segments;
    std::vector<Ray<Dim>> rays;
    std::vector<Capsule<Dim>> capsules;
    std::vector<Box<Dim>> boxes;
    std::vector<OrientedBox<Dim>> turned;
    std::vector<Sector<Dim>> sectors;
    std::vector<Convex<Dim>> regions;
    std::vector<Cylinder<Dim>> cylinders;
    std::vector<Moving<Dim, Box>> moving_boxes;
    std::vector<Moving<Dim, OrientedBox>> moving_turned;
    std::vector<Moving<Dim, Capsule>> moving_capsules;

    /// In a periodic world without rays and regions that have no end: they would meet copies for
    /// ever.
    Questions(scenes::Random& random, const Sizes& sizes, Around around) {
        const bool ends = around != Around::none;
        const auto length = [&](float most) {
            return on_lattice(random.between(0.0f, most), sizes.lattice);
        };
        for (int i = 0; i < 70; ++i) {
            const auto from = on_lattice(random_point<Dim>(random, sizes.world), sizes.lattice);
            const auto way =
                on_lattice(random_point<Dim>(random, 3.0f * sizes.size), sizes.lattice);
            const Point<Dim> to = moved(from, way);
            points.push_back(from);
            balls.push_back({from, length(2.0f * sizes.size)});
            segments.push_back({from, to});
            capsules.push_back({from, to, length(sizes.size)});
            Point<Dim> ahead = random_point<Dim>(random, 1.0f);
            ahead[0] += 1e-3f;
            const float far = ends ? 2.0f * sizes.world : kLargest;
            rays.push_back({from, ahead, i % 2 == 0 ? far : 3.0f * sizes.size});
            sectors.push_back({from, balls.back().radius, ahead, random.between(-1.0f, 1.0f)});
            Point<Dim> half;
            for (float& x : half.axis) {
                x = length(sizes.size);
            }
            boxes.push_back(Box<Dim>::around(from, half));
            moving_boxes.push_back({boxes.back(), way});
            const auto box = random_turned_box<Dim>(random, sizes.world, sizes.size);
            if (obstacle::check(box, 0).ok()) { // not too short to be turned
                turned.push_back(box);
                moving_turned.push_back({box, way});
            }
            moving_capsules.push_back({capsules.back(), random_point<Dim>(random, sizes.size)});
            cylinders.push_back({from, length(sizes.size), from[Dim - 1] - half[0],
                                 from[Dim - 1] + half[1], Dim - 1});
            Convex<Dim> region;
            if (ends) {
                region.bounds = Box<Dim>::around(from, Point<Dim>::all(2.0f * sizes.size));
            }
            float sum = 0.0f;
            for (std::size_t a = 0; a < Dim; ++a) {
                Point<Dim> normal;
                normal[a] = -1.0f;
                region.sides[region.count++] = {normal, half[a] - from[a]};
                sum += from[a] + half[a];
            }
            region.sides[region.count++] = {Point<Dim>::all(1.0f), sum};
            regions.push_back(region);
        }
    }
};

template <std::size_t Dim>
void add(Hash& hash, const ObstacleNear<Dim>& near) {
    hash.add(std::uint64_t{near.id});
    add_bits(hash, near.distance);
    add_bits(hash, near.point);
    add_bits(hash, near.normal);
}
template <std::size_t Dim>
void add(Hash& hash, const ObstacleHit<Dim>& hit) {
    hash.add(std::uint64_t{hit.id});
    add_bits(hash, hit.time);
    add_bits(hash, hit.point);
    add_bits(hash, hit.normal);
}
template <class Answer>
void add_all(Hash& hash, const std::vector<Answer>& answers) {
    hash.add(std::uint64_t{answers.size()});
    for (const Answer& answer : answers) {
        add(hash, answer);
    }
}

/// The obstacles of a scene, in a world of this kind.
template <std::size_t Dim>
Obstacles<Dim> standing(const ObstacleTruth<Dim>& scene, const Sizes& sizes, Around around,
                        Executor& executor) {
    std::array<bool, Dim> periodic{};
    for (std::size_t a = 0; a < Dim; ++a) {
        periodic[a] = around == Around::all || (around == Around::first && a == 0);
    }
    Obstacles<Dim> obstacles;
    const Box<Dim> bounds = {Point<Dim>::all(-sizes.world), Point<Dim>::all(sizes.world)};
    EXPECT_EQ(obstacles.configure(bounds, periodic), Status{});
    EXPECT_EQ(obstacles.set(scene.arrays(), executor), Status{});
    return obstacles;
}

/// The answers of one kind for all scenes in every kind of world, before and after edits.
/// ask(hash, obstacles, questions, executor, filter) adds the answers.
template <std::size_t Dim, class Ask>
void check_world(const std::string& name, Around around, const Ask& ask) {
    check_everywhere(kObstacleHashes, name_of<Dim>(name, around), [&](Executor& executor) {
        scenes::Random random(71);
        Hash hash;
        for (const Sizes& sizes : kWorldSizes) {
            ObstacleTruth<Dim> truth;
            truth.fill(random, sizes.count, sizes.world, sizes.size);
            truth.snap(sizes.lattice);
            const Questions<Dim> questions(random, sizes, around);
            Obstacles<Dim> obstacles = standing(truth, sizes, around, executor);
            for (const Filter& filter : kFilters) {
                ask(hash, obstacles, questions, executor, filter);
            }
            for (Id id = 1; id < sizes.count; id += 3) {
                const auto shape = random_obstacle<Dim>(random, sizes.world, sizes.size);
                EXPECT_EQ(obstacles.erase(id - 1), Status{});
                std::visit(
                    [&](const auto& of_kind) {
                        EXPECT_EQ(obstacles.replace(id, of_kind, 1u << id % 4), Status{});
                        EXPECT_EQ(obstacles.insert(id + 1'000, of_kind), Status{});
                    },
                    shape);
            }
            ask(hash, obstacles, questions, executor, Filter{});
        }
        return hash.value();
    });
}
template <std::size_t Dim, class Ask>
void check_all(const std::string& name, const Ask& ask) {
    for (const Around around : kEveryAround) {
        check_world<Dim>(name, around, ask);
    }
}

template <class D>
class ObstaclesGolden : public testing::Test {};
TYPED_TEST_SUITE(ObstaclesGolden, Dims, DimNames);

TYPED_TEST(ObstaclesGolden, DistancesNeverChange) {
    check_all<TypeParam::value>("distances", [](Hash& hash, const auto& obstacles,
                                                const auto& questions, Executor& executor,
                                                const Filter& filter) {
        constexpr std::size_t kDim = TypeParam::value;
        std::vector<ObstacleNear<kDim>> near(questions.points.size());
        for (const float within : {kLargest, questions.balls[0].radius}) {
            const Found found = obstacles.nearest(questions.points, near, executor, within, filter);
            EXPECT_EQ(found.status, Status{});
            hash.add(std::uint64_t{found.count});
            add_all(hash, near);
        }
        for (const Ball<kDim>& ball : questions.balls) {
            EXPECT_EQ(obstacles.query(ball, near, filter).status, Status{});
            add_all(hash, near);
        }
    });
}

/// First hits of batches, and all hits of single paths or movers.
template <std::size_t Dim, class... Paths>
void add_hits(Hash& hash, const Obstacles<Dim>& obstacles, Executor& executor, const Filter& filter,
              const Paths&... paths) {
    std::vector<ObstacleHit<Dim>> hits;
    const auto add_of = [&](const auto& all) {
        hits.resize(all.size());
        const Found found = obstacles.first(all, hits, executor, filter);
        EXPECT_EQ(found.status, Status{});
        hash.add(std::uint64_t{found.count});
        add_all(hash, hits);
        for (const auto& path : all) {
            EXPECT_EQ(obstacles.query(path, hits, filter).status, Status{});
            add_all(hash, hits);
        }
    };
    (add_of(paths), ...);
}

TYPED_TEST(ObstaclesGolden, HitsOfPathsNeverChange) {
    check_all<TypeParam::value>("paths",
                                [](Hash& hash, const auto& obstacles, const auto& questions,
                                   Executor& executor, const Filter& filter) {
                                    add_hits(hash, obstacles, executor, filter, questions.segments,
                                             questions.rays, questions.capsules);
                                });
}

TYPED_TEST(ObstaclesGolden, HitsOfMoversNeverChange) {
    check_all<TypeParam::value>("movers", [](Hash& hash, const auto& obstacles,
                                             const auto& questions, Executor& executor,
                                             const Filter& filter) {
        add_hits(hash, obstacles, executor, filter, questions.moving_boxes, questions.moving_turned,
                 questions.moving_capsules);
    });
}

TYPED_TEST(ObstaclesGolden, OverlapsNeverChange) {
    check_all<TypeParam::value>("overlaps", [](Hash& hash, const auto& obstacles,
                                               const auto& questions, Executor& executor,
                                               const Filter& filter) {
        Hits hits;
        const auto add_of = [&](const auto& shapes) {
            EXPECT_EQ(obstacles.query(shapes, hits, executor, filter).status, Status{});
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                hash.add(hits.of(q));
            }
        };
        add_of(questions.boxes);
        add_of(questions.turned);
        add_of(questions.sectors);
        add_of(questions.regions);
        add_of(questions.cylinders);
    });
}

TYPED_TEST(ObstaclesGolden, SightNeverChanges) {
    check_all<TypeParam::value>("sight", [](Hash& hash, const auto& obstacles,
                                            const auto& questions, Executor& executor,
                                            const Filter& filter) {
        std::vector<std::uint8_t> clear(questions.segments.size());
        const Found found = obstacles.sight(questions.segments, clear, executor, filter);
        EXPECT_EQ(found.status, Status{});
        hash.add(std::uint64_t{found.count});
        for (const std::uint8_t one : clear) {
            hash.add(std::uint64_t{one});
        }
    });
}

} // namespace
} // namespace throng::test
