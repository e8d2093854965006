// Scenes whose coordinates floats represent exactly; and the same scenes moved, mirrored and
// turned.
#pragma once

#include "../family/questions.hpp"
#include "../support/random.hpp"
#include "../support/scenes/scene_shapes.hpp"
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

/// A crowd and questions about it. Coordinates are multiples of 1/64 between 0 and 16, and
/// directions small whole numbers, so that sums and squares of differences are exact, before and
/// after a turn.
template <std::size_t Dim>
struct ExactScene {
    scenes::Scene<Dim> crowd; ///< with the boxes and balls
    scenes::Shapes<Dim> others;
};

/// Calls call(shapes) with all questions of each kind.
template <std::size_t Dim, class Call>
void each_kind(const ExactScene<Dim>& scene, const Call& call) {
    const auto& others = scene.others;
    call(scene.crowd.boxes);
    call(scene.crowd.balls);
    call(others.segments);
    call(others.rays);
    call(others.capsules);
    call(others.sectors);
    call(others.convexes);
    call(others.oriented_boxes);
    call(others.cylinders);
    call(others.body_balls);
    call(others.body_sectors);
    call(others.body_cylinders);
}

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

/// How far along a normal a point lies.
template <std::size_t Dim>
float level(const Point<Dim>& normal, const Point<Dim>& point) {
    float sum = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        sum += normal[a] * point[a];
    }
    return sum;
}

/// Half edges at right angles, along the axes or turned.
template <std::size_t Dim>
std::array<Point<Dim>, Dim> square_edges(std::size_t number, float length) {
    constexpr float kWays[][2] = {{1, 0}, {3, 4}, {1, 1}, {-2, 1}};
    const auto& [x, y] = kWays[number % 4];
    std::array<Point<Dim>, Dim> edges{};
    edges[0][0] = length * x;
    edges[0][1] = length * y;
    edges[1][0] = -0.5f * y;
    edges[1][1] = 0.5f * x;
    if constexpr (Dim == 3) { edges[2][2] = 2.0f * length; }
    return edges;
}

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
    const auto direction = [&] {
        Point<Dim> way;
        for (float& x : way.axis) {
            x = static_cast<float>(random.below(7)) - 3.0f;
        }
        way[random.below(Dim)] = random.below(2) == 0 ? 1.0f : -2.0f;
        return way;
    };
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
        scenes::Shapes<Dim>& others = scene.others;
        others.segments.push_back({at, other});
        others.rays.push_back({at, direction(), i % 3 == 0 ? 64.0f : sixty_fourths(640)});
        others.capsules.push_back({at, other, i % 4 == 0 ? 1.0f : sixty_fourths(128)});
        constexpr float kCosines[] = {-1.0f, -0.5f, 0.0f, 0.8f, 1.0f};
        others.sectors.push_back({at, radius, direction(), kCosines[i % 5]});
        Convex<Dim> region;
        for (region.count = 0; region.count < i % 4; ++region.count) {
            const Point<Dim> normal = direction();
            region.sides[region.count] = {normal, level(normal, i % 2 == 0 ? other : at)};
        }
        if (i % 3 == 0) { region.bounds = scene.crowd.boxes.back(); }
        others.convexes.push_back(region);
        others.oriented_boxes.push_back({at, square_edges<Dim>(i, sixty_fourths(64))});
        const auto up = static_cast<std::uint32_t>(1 + i % (Dim - 1));
        others.cylinders.push_back({at, radius, std::min(at[up], other[up]),
                                    i % 5 == 0 ? 64.0f : std::max(at[up], other[up]), up});
        const Body body = i % 2 == 0 ? Body::box : Body::disc;
        others.body_balls.push_back({scene.crowd.balls.back(), body});
        others.body_sectors.push_back({others.sectors.back(), body});
        others.body_cylinders.push_back({others.cylinders.back(), body});
    }
    return scene;
}

/// Shapes after a turn.
template <std::size_t Dim>
struct TurnedShapes {
    const Turn<Dim>& turn;

    /// A way from a place to another, and one of which only the direction counts.
    [[nodiscard]] Point<Dim> way(const Point<Dim>& along) const {
        const Point<Dim> from = turn.place({});
        Point<Dim> to = turn.place(along);
        for (std::size_t a = 0; a < Dim; ++a) {
            to[a] -= from[a];
        }
        return to;
    }
    [[nodiscard]] Point<Dim> direction(const Point<Dim>& along) const {
        Point<Dim> to = way(along);
        for (float& x : to.axis) {
            x /= turn.length;
        }
        return to;
    }

    Box<Dim> operator()(const Box<Dim>& box) const {
        const Point<Dim> one = turn.place(box.lo);
        const Point<Dim> other = turn.place(box.hi);
        Box<Dim> both;
        for (std::size_t a = 0; a < Dim; ++a) {
            both.lo[a] = std::min(one[a], other[a]);
            both.hi[a] = std::max(one[a], other[a]);
        }
        return both;
    }
    Ball<Dim> operator()(const Ball<Dim>& ball) const {
        return {turn.place(ball.centre), ball.radius * turn.length};
    }
    Segment<Dim> operator()(const Segment<Dim>& segment) const {
        return {turn.place(segment.from), turn.place(segment.to)};
    }
    Ray<Dim> operator()(const Ray<Dim>& ray) const {
        return {turn.place(ray.origin), direction(ray.direction), ray.length * turn.length};
    }
    Capsule<Dim> operator()(const Capsule<Dim>& capsule) const {
        return {turn.place(capsule.from), turn.place(capsule.to), capsule.radius * turn.length};
    }
    Sector<Dim> operator()(const Sector<Dim>& sector) const {
        return {turn.place(sector.centre), sector.radius * turn.length, direction(sector.direction),
                sector.cosine};
    }
    Convex<Dim> operator()(const Convex<Dim>& region) const {
        Convex<Dim> other = region;
        for (std::size_t s = 0; s < region.count; ++s) {
            // A normal of whole numbers, so the level of a point beside zero says how far zero is.
            const auto& [normal, offset] = region.sides[s];
            other.sides[s].normal = direction(normal);
            other.sides[s].offset =
                offset * turn.length + level(other.sides[s].normal, turn.place({}));
        }
        if (region.bounds.lo[0] > -kLargest) { other.bounds = (*this)(region.bounds); }
        return other;
    }
    OrientedBox<Dim> operator()(const OrientedBox<Dim>& box) const {
        OrientedBox<Dim> other{turn.place(box.centre), box.half_edges};
        for (Point<Dim>& edge : other.half_edges) {
            edge = way(edge);
        }
        return other;
    }
    Cylinder<Dim> operator()(const Cylinder<Dim>& cylinder) const {
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
        return {foot, cylinder.radius * turn.length, std::min(foot[up], top[up]),
                std::max(foot[up], top[up]), up};
    }
    template <class Shape>
    WithBody<Shape> operator()(const WithBody<Shape>& seeing) const {
        return {(*this)(seeing.shape), seeing.body};
    }
    template <class Shape>
    std::vector<Shape> operator()(const std::vector<Shape>& shapes) const {
        std::vector<Shape> others;
        for (const Shape& shape : shapes) {
            others.push_back((*this)(shape));
        }
        return others;
    }
};

/// The turned scene, with its world and cells.
template <std::size_t Dim>
ExactScene<Dim> turned(const ExactScene<Dim>& scene, const Turn<Dim>& turn) {
    const TurnedShapes<Dim> of{turn};
    ExactScene<Dim> other;
    other.crowd.world = of(scene.crowd.world);
    other.crowd.cell = turn.extent(scene.crowd.cell);
    for (std::size_t i = 0; i < scene.crowd.size(); ++i) {
        other.crowd.add(turn.place(scene.crowd.position_of(i)),
                        turn.extent(scene.crowd.half_extent_of(i)));
    }
    other.crowd.boxes = of(scene.crowd.boxes);
    other.crowd.balls = of(scene.crowd.balls);
    const scenes::Shapes<Dim>& all = scene.others;
    other.others = {of(all.segments),      of(all.rays),       of(all.capsules),
                    of(all.sectors),       of(all.convexes),   of(all.oriented_boxes),
                    of(all.cylinders),     of(all.body_balls), of(all.body_sectors),
                    of(all.body_cylinders)};
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
    each_kind(scene, [&](const auto& shapes) {
        for (const auto& shape : shapes) {
            all.found.push_back(in_order(visited(index, shape)));
        }
    });
    all.pairs = pairs_of(index);
    return all;
}

} // namespace throng::test
