// Obstacles of all kinds in a plain list, and what each question finds there: the oracle.
#pragma once

#include "../../support/random.hpp"

#include <throng/engine/obstacles/obstacles.hpp>
#include <throng/engine/obstacles/store/state.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>
#include <vector>

namespace throng::test {

template <std::size_t Dim>
using AnyObstacle = std::variant<Box<Dim>, OrientedBox<Dim>, obstacle::Thin<Dim>>;

template <std::size_t Dim>
Point<Dim> random_point(scenes::Random& random, float size) {
    Point<Dim> point;
    for (float& x : point.axis) {
        x = random.between(-size, size);
    }
    return point;
}

template <std::size_t Dim>
Point<Dim> moved(Point<Dim> point, const Point<Dim>& by) {
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = point[a] + by[a];
    }
    return point;
}

/// The nearest place on a lattice of this width; without one, the place itself.
inline float on_lattice(float x, float lattice) {
    return lattice == 0.0f ? x : std::round(x / lattice) * lattice;
}
template <std::size_t Dim>
Point<Dim> on_lattice(Point<Dim> point, float lattice) {
    for (float& x : point.axis) {
        x = on_lattice(x, lattice);
    }
    return point;
}

template <std::size_t Dim>
Box<Dim> random_box(scenes::Random& random, float world, float size) {
    const Point<Dim> centre = random_point<Dim>(random, world);
    Point<Dim> half;
    for (float& x : half.axis) {
        x = random.below(8) == 0 ? 0.0f : random.between(0.0f, size);
    }
    return Box<Dim>::around(centre, half);
}

/// A tenth of the edges have no length.
template <std::size_t Dim>
OrientedBox<Dim> random_turned_box(scenes::Random& random, float world, float size) {
    OrientedBox<Dim> box;
    box.centre = random_point<Dim>(random, world);
    obstacle::Real<Dim> axis = obstacle::real(random_point<Dim>(random, 1.0f));
    axis[0] += 1e-3;
    const auto put = [&](std::size_t i, const obstacle::Real<Dim>& way) {
        const double by = random.below(10) == 0 ? 0.0 : random.between(0.1f, size);
        for (std::size_t a = 0; a < Dim; ++a) {
            box.half_edges[i][a] = static_cast<float>(by * way[a]);
        }
    };
    axis = obstacle::scaled(axis, 1.0 / std::sqrt(obstacle::dot(axis, axis)));
    put(0, axis);
    if constexpr (Dim == 2) {
        put(1, {-axis[1], axis[0]});
    } else {
        obstacle::Real<3> other = obstacle::cross(axis, {0.3, -0.2, 0.7});
        other = obstacle::scaled(other, 1.0 / std::sqrt(obstacle::dot(other, other)));
        put(1, other);
        put(2, obstacle::cross(axis, other));
    }
    return box;
}

template <std::size_t Dim>
obstacle::Thin<Dim> random_thin(scenes::Random& random, float world, float size) {
    const Point<Dim> from = random_point<Dim>(random, world);
    const std::uint32_t flat = random.below(10);
    if constexpr (Dim == 2) {
        const Point<2> to = flat == 0 ? from : moved(from, random_point<2>(random, size));
        return {from, to, flat < 3 ? 0.0f : random.between(0.0f, 0.5f * size)};
    } else {
        Triangle triangle = {{from, moved(from, random_point<3>(random, size)),
                              moved(from, random_point<3>(random, size))}};
        if (flat == 0) { triangle.corners[1] = triangle.corners[2] = from; }
        if (flat == 1) { triangle.corners[2] = triangle.corners[1]; }
        return triangle;
    }
}

template <std::size_t Dim>
AnyObstacle<Dim> random_obstacle(scenes::Random& random, float world, float size) {
    switch (random.below(3)) {
    case 0:
        return random_box<Dim>(random, world, size);
    case 1:
        return random_turned_box<Dim>(random, world, size);
    default:
        return random_thin<Dim>(random, world, size);
    }
}

template <std::size_t Dim>
struct Standing {
    Id id;
    AnyObstacle<Dim> shape;
    std::uint32_t groups = kAllGroups;
};

template <std::size_t Dim, class With>
auto with_body_of(const AnyObstacle<Dim>& shape, const With& with) {
    return std::visit([&](const auto& of_kind) { return with(obstacle::body_of(of_kind)); }, shape);
}

/// When a path touches the shape.
template <std::size_t Dim>
double time_of(const AnyObstacle<Dim>& shape, const obstacle::Path<Dim>& path) {
    return with_body_of<Dim>(shape,
                             [&](const auto& body) { return obstacle::first_touch(body, path); });
}

/// Obstacles in a list, with the same changes and questions as Obstacles.
template <std::size_t Dim>
class ObstacleTruth {
public:
    std::vector<Standing<Dim>> all;

    /// Makes `count` obstacles, equally many of each kind.
    void fill(scenes::Random& random, std::size_t count, float world, float size) {
        boxes.clear();
        turned.clear();
        thin.clear();
        groups.clear();
        all.clear();
        for (std::size_t i = 0; i < count; ++i) {
            if (i % 3 == 0) { boxes.push_back(random_box<Dim>(random, world, size)); }
            if (i % 3 == 1) { turned.push_back(random_turned_box<Dim>(random, world, size)); }
            if (i % 3 == 2) { thin.push_back(random_thin<Dim>(random, world, size)); }
            groups.push_back(1u << random.below(4));
        }
        list();
    }
    /// Moves boxes onto a lattice, and half of the walls or triangles: these then lie along an
    /// axis. In the plane some are two lattice steps thick, others have no thickness.
    void snap(float lattice) {
        if (lattice == 0.0f) { return; }
        for (Box<Dim>& box : boxes) {
            box = {on_lattice(box.lo, lattice), on_lattice(box.hi, lattice)};
        }
        for (std::size_t i = 0; i < thin.size(); i += 2) {
            if constexpr (Dim == 2) {
                Wall& wall = thin[i];
                wall.from = on_lattice(wall.from, lattice);
                wall.to = on_lattice(wall.to, lattice);
                wall.to[i / 2 % 2] = wall.from[i / 2 % 2];
                wall.thickness = i % 3 == 0 ? 2.0f * lattice : 0.0f;
            } else {
                for (Point<3>& corner : thin[i].corners) {
                    corner = on_lattice(corner, lattice);
                    corner[i / 2 % 3] = thin[i].corners[0][i / 2 % 3];
                }
            }
        }
        list();
    }
    void list() {
        all.clear();
        const auto add = [&](const auto& of_kind) {
            for (const auto& shape : of_kind) {
                const auto id = static_cast<Id>(all.size());
                all.push_back({id, shape, groups.empty() ? kAllGroups : groups[id]});
            }
        };
        add(boxes);
        add(turned);
        add(thin);
    }
    [[nodiscard]] ObstacleArrays<Dim> arrays() const {
        ObstacleArrays<Dim> made;
        made.boxes = {boxes.data(), sizeof(Box<Dim>), boxes.size()};
        made.turned_boxes = {turned.data(), sizeof(OrientedBox<Dim>), turned.size()};
        if constexpr (Dim == 2) {
            made.walls = {thin.data(), sizeof(Wall), thin.size()};
        } else {
            made.triangles = {thin.data(), sizeof(Triangle), thin.size()};
        }
        made.groups = {groups.data(), sizeof(std::uint32_t), groups.size()};
        return made;
    }

    [[nodiscard]] std::vector<ObstacleNear<Dim>> within(const Point<Dim>& point, float distance,
                                                        const Filter& filter) const {
        std::vector<ObstacleNear<Dim>> found;
        each(filter, [&](const Standing<Dim>& one) {
            const auto surface = with_body_of<Dim>(one.shape, [&](const auto& body) {
                return obstacle::surface_of(body, obstacle::real(point));
            });
            ObstacleNear<Dim> near = {one.id, static_cast<float>(surface.distance), {}, {}};
            for (std::size_t a = 0; a < Dim; ++a) {
                near.point[a] = static_cast<float>(surface.point[a]) + 0.0f;
                near.normal[a] = static_cast<float>(surface.normal[a]) + 0.0f;
            }
            if (near.distance <= distance) { found.push_back(near); }
        });
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.distance < b.distance || (a.distance == b.distance && a.id < b.id);
        });
        return found;
    }
    [[nodiscard]] std::vector<PathHit> hits(const obstacle::Path<Dim>& path,
                                            const Filter& filter) const {
        std::vector<PathHit> found;
        each(filter, [&](const Standing<Dim>& one) {
            const double time = time_of<Dim>(one.shape, path);
            if (time != obstacle::kNever) { found.push_back({static_cast<float>(time), one.id}); }
        });
        std::sort(found.begin(), found.end());
        return found;
    }
    [[nodiscard]] std::vector<Id> overlapping(const obstacle::ExactBox<Dim>& box,
                                              const Filter& filter) const {
        std::vector<Id> found;
        each(filter, [&](const Standing<Dim>& one) {
            if (with_body_of<Dim>(
                    one.shape, [&](const auto& body) { return obstacle::overlaps(box, body); })) {
                found.push_back(one.id);
            }
        });
        std::sort(found.begin(), found.end());
        return found;
    }

    std::vector<Box<Dim>> boxes;
    std::vector<OrientedBox<Dim>> turned;
    std::vector<obstacle::Thin<Dim>> thin;
    std::vector<std::uint32_t> groups;

private:
    template <class Call>
    void each(const Filter& filter, const Call& call) const {
        for (const Standing<Dim>& one : all) {
            const bool in = filter.groups == kAllGroups || (one.groups & filter.groups) != 0;
            if (in && one.id != filter.without) { call(one); }
        }
    }
};

} // namespace throng::test
