// Scenes whose coordinates floats represent exactly; and the same scenes moved, mirrored and
// turned.
#pragma once

#include "../family/questions.hpp"
#include "../support/random.hpp"
#include "../support/scenes/scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace throng::test {

/// A crowd and questions about it. Coordinates are multiples of 1/64 between 0 and 16, so that sums
/// and squares of differences are exact, before and after a turn.
template <std::size_t Dim>
struct ExactScene {
    scenes::Scene<Dim> crowd;
    std::vector<Segment<Dim>> segments;
    std::vector<Cylinder<Dim>> cylinders;
};

inline constexpr std::array<std::string_view, 5> kExactScenes = {"lattice", "rim", "anywhere",
                                                                 "giants", "coincident"};

/// How a turn changes places, extents and lengths.
template <std::size_t Dim>
struct Turn {
    std::function<Point<Dim>(const Point<Dim>&)> place;
    std::function<Point<Dim>(const Point<Dim>&)> extent = [](const Point<Dim>& half) {
        return half;
    };
    float length = 1.0f; ///< the factor of all lengths
};

/// One of kExactScenes: 120 agents, some of which just touch.
template <std::size_t Dim>
ExactScene<Dim> exact_scene(std::string_view name) {
    scenes::Random random(5);
    const auto sixty_fourths = [&](std::uint32_t end) {
        return static_cast<float>(random.below(end)) / 64.0f;
    };
    const auto anywhere = [&](std::uint32_t step) {
        Point<Dim> point;
        for (float& x : point.axis) {
            x = static_cast<float>(random.below(1024 / step + 1) * step) / 64.0f;
        }
        return point;
    };
    const Point<Dim> hub = Point<Dim>::all(8.0f);
    constexpr float kSides[][2] = {{5, 0}, {0, 5}, {3, 4}, {4, 3}};

    ExactScene<Dim> scene;
    scene.crowd.world = {Point<Dim>{}, Point<Dim>::all(16.0f)};
    scene.crowd.cell = Point<Dim>::all(1.0f);
    for (std::size_t i = 0; i < 120; ++i) {
        Point<Dim> place = anywhere(1);
        Point<Dim> half = Point<Dim>::all(Dim == 2 ? 0.25f : 1.25f);
        if (name == "lattice") {
            place = anywhere(32); // on edges and in the middle of cells
            half = Point<Dim>::all(i % 3 == 0 ? 0.5f : 0.25f);
        } else if (name == "rim") {
            place = hub;
            const std::size_t first = random.below(Dim);
            for (std::size_t s = 0; s < 2; ++s) {
                place[(first + s) % Dim] +=
                    (random.below(2) == 0 ? 1.0f : -1.0f) * kSides[i % 4][s];
            }
        } else if (name == "giants") {
            half[0] = i % 10 == 0 ? 8.0f : sixty_fourths(40);
            half[Dim - 1] = i % 15 == 0 ? 4.0f : sixty_fourths(40);
        } else if (name == "coincident") {
            place = i % 4 == 0 ? hub : Point<Dim>::all(3.0f);
        }
        scene.crowd.add(place, half);
    }
    for (std::size_t i = 0; i < 60; ++i) {
        const auto someone = random.below(120);
        const Point<Dim> at = i % 3 == 0 ? hub : scene.crowd.position_of(someone);
        const Point<Dim> other = scene.crowd.position_of(random.below(120));
        Point<Dim> reach = scene.crowd.half_extent_of(someone);
        if (i % 2 == 0) { reach = Point<Dim>::all(sixty_fourths(320)); }
        scene.crowd.boxes.push_back(Box<Dim>::around(at, reach));
        // Balls that end exactly at agents on the rim, and one float to either side.
        const float radius = i % 4 == 0 ? 5.0f : sixty_fourths(400);
        const float to = i % 8 == 0 ? 0.0f : i % 8 == 4 ? 99.0f : radius;
        scene.crowd.balls.push_back({at, std::nextafter(radius, to)});
        scene.crowd.balls.push_back({at, radius});
        scene.segments.push_back({at, other});
        const auto up = static_cast<std::uint32_t>(1 + i % (Dim - 1));
        scene.cylinders.push_back({at, radius, std::min(at[up], other[up]),
                                   i % 5 == 0 ? 64.0f : std::max(at[up], other[up]), up});
    }
    return scene;
}

/// The turned scene, with its world and cells.
template <std::size_t Dim>
ExactScene<Dim> turned(const ExactScene<Dim>& scene, const Turn<Dim>& turn) {
    const auto box_of = [&](const Box<Dim>& box) {
        const Point<Dim> one = turn.place(box.lo);
        const Point<Dim> other = turn.place(box.hi);
        Box<Dim> both;
        for (std::size_t a = 0; a < Dim; ++a) {
            both.lo[a] = std::min(one[a], other[a]);
            both.hi[a] = std::max(one[a], other[a]);
        }
        return both;
    };
    ExactScene<Dim> other;
    other.crowd.world = box_of(scene.crowd.world);
    other.crowd.cell = turn.extent(scene.crowd.cell);
    for (std::size_t i = 0; i < scene.crowd.size(); ++i) {
        other.crowd.add(turn.place(scene.crowd.position_of(i)),
                        turn.extent(scene.crowd.half_extent_of(i)));
    }
    for (const Box<Dim>& box : scene.crowd.boxes) {
        other.crowd.boxes.push_back(box_of(box));
    }
    for (const Ball<Dim>& ball : scene.crowd.balls) {
        other.crowd.balls.push_back({turn.place(ball.centre), ball.radius * turn.length});
    }
    for (const Segment<Dim>& segment : scene.segments) {
        other.segments.push_back({turn.place(segment.from), turn.place(segment.to)});
    }
    for (const Cylinder<Dim>& cylinder : scene.cylinders) {
        const auto at = [&](float height) {
            Point<Dim> point = cylinder.centre;
            point[cylinder.up] = height;
            return turn.place(point);
        };
        const Point<Dim> foot = at(cylinder.low), top = at(cylinder.high), over = at(1000.0f);
        std::uint32_t up = 0;
        while (foot[up] == over[up]) {
            ++up;
        }
        other.cylinders.push_back({foot, cylinder.radius * turn.length, std::min(foot[up], top[up]),
                                   std::max(foot[up], top[up]), up});
    }
    return other;
}

/// The same agents in another order: agent i of the new scene was agent order[i].
template <std::size_t Dim>
ExactScene<Dim> shuffled(const ExactScene<Dim>& scene, const std::vector<Id>& order) {
    ExactScene<Dim> other = scene;
    for (std::size_t a = 0; a < Dim; ++a) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            other.crowd.position[a][i] = scene.crowd.position[a][order[i]];
            other.crowd.half_extent[a][i] = scene.crowd.half_extent[a][order[i]];
        }
    }
    return other;
}

/// All numbers below `count`, in random order.
inline std::vector<Id> shuffle(Id count) {
    scenes::Random random(3);
    std::vector<Id> order(count);
    for (Id i = 0; i < count; ++i) {
        order[i] = i;
        std::swap(order[i], order[random.below(i + 1)]);
    }
    return order;
}

/// The sorted ids that each question finds, and all pairs.
struct AllFound {
    std::vector<Ids> found;
    IdPairs pairs;
    friend bool operator==(const AllFound&, const AllFound&) = default;
};

template <std::size_t Dim, class Index>
AllFound answers(const Index& index, const ExactScene<Dim>& scene) {
    AllFound all;
    const auto ask = [&](const auto& shapes) {
        for (const auto& shape : shapes) {
            all.found.push_back(in_order(visited(index, shape)));
        }
    };
    ask(scene.crowd.boxes);
    ask(scene.crowd.balls);
    ask(scene.segments);
    ask(scene.cylinders);
    all.pairs = pairs_of(index);
    return all;
}

} // namespace throng::test
