// Obstacles in a periodic world, and the same in a plain world with all their copies: the oracle.
// Obstacles lie on a grid of 2^-10, so that a copy's coordinates are exact in floats.
#pragma once

#include "../../support/scenes/periodic.hpp"
#include "obstacle_scene.hpp"

#include <throng/engine/obstacles/obstacles.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace throng::test {

/// Calls call(point) for each point that moves with an obstacle.
template <std::size_t Dim, class Call>
void each_place(AnyObstacle<Dim>& obstacle, const Call& call) {
    struct Places {
        const Call& call;
        void operator()(Box<Dim>& box) const {
            call(box.lo);
            call(box.hi);
        }
        void operator()(OrientedBox<Dim>& box) const { call(box.centre); }
        void operator()(Wall& wall) const {
            if constexpr (Dim == 2) {
                call(wall.from);
                call(wall.to);
            }
        }
        void operator()(Triangle& triangle) const {
            if constexpr (Dim == 3) {
                std::for_each(triangle.corners.begin(), triangle.corners.end(), call);
            }
        }
    };
    std::visit(Places{call}, obstacle);
}

template <std::size_t Dim>
class CopiedWorld {
public:
    static constexpr int kMost = 4;           ///< periods to each side
    static constexpr std::size_t kSteps = 9u; ///< on an axis
    static constexpr Id kCopies = Dim == 2 ? kSteps * kSteps : kSteps * kSteps * kSteps;

    Periodic<Dim> world;
    Obstacles<Dim> around, plain;
    std::vector<AnyObstacle<Dim>> all; ///< in the world, by id

    explicit CopiedWorld(const Periodic<Dim>& periodic) : world(periodic) {
        EXPECT_EQ(around.configure(world.bounds, world.axes), Status{});
    }

    /// Adds an obstacle, which stands in the world, on the grid.
    void add(AnyObstacle<Dim> obstacle, std::uint32_t groups = kAllGroups) {
        const auto id = static_cast<Id>(all.size());
        each_place<Dim>(obstacle, [](Point<Dim>& point) { point = on_lattice(point, 0x1p-10f); });
        all.push_back(obstacle);
        std::visit([&](const auto& one) { ASSERT_EQ(around.insert(id, one, groups), Status{}); },
                   obstacle);
        world.for_each_step(kMost, [&](const std::array<double, Dim>& steps) {
            AnyObstacle<Dim> copy = obstacle;
            each_place<Dim>(copy, [&](Point<Dim>& point) { point = world.moved(point, steps); });
            std::visit(
                [&](const auto& one) {
                    ASSERT_EQ(plain.insert(id * kCopies + rank_of(steps), one, groups), Status{});
                },
                copy);
        });
    }
    void fill(scenes::Random& random, std::size_t count, float size, float lattice) {
        while (all.size() < count) {
            AnyObstacle<Dim> one = random_obstacle<Dim>(random, 0.5f, size);
            const Point<Dim> by = place(random, lattice);
            each_place<Dim>(one, [&](Point<Dim>& point) {
                point = lattice == 0.0f ? moved(point, by) : on_lattice(moved(point, by), lattice);
            });
            if (fits(one)) { add(one, 1u << random.below(3)); }
        }
    }
    /// Whether the middle of the obstacle is in the world, and it is not wider than that.
    [[nodiscard]] bool fits(const AnyObstacle<Dim>& one) const {
        return is_inside(one) && is_narrow(one);
    }

    /// Whether nothing is between a place in the world and the nearest copy of another: if several
    /// are equally near, that of an asker who stays, else of one who is moved down.
    [[nodiscard]] bool sees(const Point<Dim>& from, const Point<Dim>& to) const {
        obstacle::Path<Dim> path = {obstacle::real(from), {}};
        for (std::size_t a = 0; a < Dim; ++a) {
            const double way = double{to[a]} - path.from[a];
            path.way[a] = way;
            const double period = world.axes[a] ? world.period(a) : 0.0f;
            for (const double other : {way + period, way - period}) {
                if (std::abs(other) < std::abs(path.way[a])) { path.way[a] = other; }
            }
        }
        bool clear = true;
        world.for_each_step(2, [&](const std::array<double, Dim>& steps) {
            if (!clear) { return; }
            obstacle::Path<Dim> copy = path;
            for (std::size_t a = 0; a < Dim; ++a) {
                copy.from[a] += steps[a] * double{world.period(a)};
            }
            for (const AnyObstacle<Dim>& one : all) {
                clear = clear && time_of<Dim>(one, copy) == obstacle::kNever;
            }
        });
        return clear;
    }
    /// A place in the world, one in four exactly on a border.
    Point<Dim> place(scenes::Random& random, float lattice) const {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = random.between(world.bounds.lo[a], world.bounds.hi[a]);
            point[a] = on_lattice(point[a], lattice == 0.0f ? 0x1p-10f : lattice);
            if (random.below(4) == 0) { point[a] = world.bounds.lo[a]; }
        }
        return point;
    }

    /// The answers of the plain world: of each obstacle the least.
    template <class Answer>
    [[nodiscard]] static std::vector<Answer> least(std::vector<Answer> answers) {
        std::vector<Answer> kept;
        std::vector<bool> seen;
        for (Answer& answer : answers) {
            answer.id /= kCopies;
            if (answer.id >= seen.size()) { seen.resize(answer.id + std::size_t{1}); }
            if (!seen[answer.id]) { kept.push_back(answer); }
            seen[answer.id] = true;
        }
        // The copies' ids decided between equals.
        std::sort(kept.begin(), kept.end(), [](const Answer& a, const Answer& b) {
            return number(a) < number(b) || (number(a) == number(b) && a.id < b.id);
        });
        return kept;
    }
    [[nodiscard]] static std::vector<Id> least(std::vector<Id> ids) {
        for (Id& id : ids) {
            id /= kCopies;
        }
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return ids;
    }

    static float number(const ObstacleNear<Dim>& near) { return near.distance; }
    static float number(const ObstacleHit<Dim>& hit) { return hit.time; }

private:
    /// Askers stay, or are moved up, then down: the copies seen stay, or are below, then above.
    static Id rank_of(const std::array<double, Dim>& steps) {
        Id rank = 0;
        for (std::size_t a = Dim; a-- > 0;) {
            const int step = -static_cast<int>(steps[a]);
            rank = rank * static_cast<Id>(kSteps) +
                   static_cast<Id>(step >= 0 ? step : step + static_cast<int>(kSteps));
        }
        return rank;
    }
    /// Whether the obstacle is not wider than the world.
    [[nodiscard]] bool is_narrow(const AnyObstacle<Dim>& one) const {
        Obstacles<Dim> probe;
        EXPECT_EQ(probe.configure(world.bounds, world.axes), Status{});
        return std::visit([&](const auto& shape) { return probe.insert(0, shape).ok(); }, one);
    }
    /// Whether the middle of the obstacle is in the world.
    [[nodiscard]] bool is_inside(AnyObstacle<Dim> one) const {
        Point<Dim> lo = Point<Dim>::all(kLargest), hi = Point<Dim>::all(-kLargest);
        each_place<Dim>(one, [&](Point<Dim>& point) {
            for (std::size_t a = 0; a < Dim; ++a) {
                lo[a] = std::min(lo[a], on_lattice(point[a], 0x1p-10f));
                hi[a] = std::max(hi[a], on_lattice(point[a], 0x1p-10f));
            }
        });
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float middle = 0.5f * (lo[a] + hi[a]);
            inside = inside && world.bounds.lo[a] <= middle && middle < world.bounds.hi[a];
        }
        return inside;
    }
};

/// Whether answers have the ids and numbers of the plain world's, and places of copies with these
/// numbers there: several copies may be equally near. Movers may touch at more than one place.
template <std::size_t Dim, class Answer>
testing::AssertionResult are_least(const std::vector<Answer>& answers,
                                   const std::vector<Answer>& of_copies, const Filter& filter,
                                   bool places = true) {
    using World = CopiedWorld<Dim>;
    std::vector<Answer> expected = World::least(of_copies);
    std::erase_if(expected, [&](const Answer& one) { return one.id == filter.without; });
    if (answers.size() != expected.size()) {
        return testing::AssertionFailure() << answers.size() << " and not " << expected.size();
    }
    const auto are_near = [](float x, float y) { return x == y || std::abs(x - y) < 1e-4f; };
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const Answer& answer = answers[i];
        const float number = World::number(answer);
        const auto agrees = [&](const Answer& copy) {
            bool same =
                copy.id / World::kCopies == answer.id && are_near(World::number(copy), number);
            for (std::size_t a = 0; a < Dim && places; ++a) {
                same = same && are_near(copy.point[a], answer.point[a]) &&
                       are_near(copy.normal[a], answer.normal[a]);
            }
            return same;
        };
        if (answer.id != expected[i].id || !are_near(number, World::number(expected[i])) ||
            std::none_of(of_copies.begin(), of_copies.end(), agrees)) {
            return testing::AssertionFailure()
                   << "number " << i << ": " << answer.id << " at " << number << ", and not "
                   << expected[i].id << " at " << World::number(expected[i]) << ", on "
                   << testing::PrintToString(answer.point.axis) << " and not "
                   << testing::PrintToString(expected[i].point.axis);
        }
    }
    return testing::AssertionSuccess();
}

} // namespace throng::test
