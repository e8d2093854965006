#include "scene_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace throng::scenes {

namespace {

/// Makes points, directions and shapes for a scene.
template <std::size_t Dim>
struct Maker {
    const Scene<Dim>& scene;
    Random& random;

    using P = Point<Dim>;

    static float kept(float value) { return std::clamp(value, -kLargest, kLargest); }

    std::size_t random_index() {
        return scene.size() == 0 ? 0 : random.below(static_cast<std::uint32_t>(scene.size()));
    }
    P agent(std::size_t i) { return scene.size() == 0 ? scene.world.lo : scene.position_of(i); }
    P half(std::size_t i) { return scene.size() == 0 ? P{} : scene.half_extent_of(i); }

    /// A point at most this many cells away on each axis.
    P near(const P& point, float cells) {
        P moved = point;
        for (std::size_t a = 0; a < Dim; ++a) {
            moved[a] = kept(moved[a] + random.between(-cells, cells) * scene.cell[a]);
        }
        return moved;
    }
    /// A corner of an agent's box, or the next float outside.
    P corner(std::size_t i, bool beyond) {
        P at = agent(i);
        for (std::size_t a = 0; a < Dim; ++a) {
            const bool up = random.below(2) == 0;
            at[a] = up ? at[a] + half(i)[a] : at[a] - half(i)[a];
            if (beyond) { at[a] = std::nextafter(at[a], up ? 2.0f * kLargest : -2.0f * kLargest); }
            at[a] = kept(at[a]);
        }
        return at;
    }
    P on_axis(std::size_t a, float value) {
        P way{};
        way[a] = value;
        return way;
    }
    P direction() {
        P way{};
        do {
            for (std::size_t a = 0; a < Dim; ++a) {
                way[a] = random.between(-1.0f, 1.0f);
            }
        } while (way == P{});
        return way;
    }
    P plus(const P& point, const P& way) {
        P sum = point;
        for (std::size_t a = 0; a < Dim; ++a) {
            sum[a] = kept(sum[a] + way[a]);
        }
        return sum;
    }
    float world_size(std::size_t a) { return kept(scene.world.hi[a] - scene.world.lo[a]); }

    Segment<Dim> segment(std::size_t kind) {
        const std::size_t i = random_index();
        const std::size_t axis = random.below(Dim);
        switch (kind % 11) {
        case 0: // of length 0
            return {agent(i), agent(i)};
        case 1:
            return {corner(i, false), corner(i, false)};
        case 2: { // a point at a corner, or just outside
            const P at = corner(i, true);
            return {at, at};
        }
        case 3: { // along an edge
            const P at = corner(i, false);
            return {at, plus(at, on_axis(axis, 5.0f * scene.cell[axis]))};
        }
        case 4: {
            const P at = corner(i, true);
            return {plus(at, on_axis(axis, -5.0f * scene.cell[axis])), at};
        }
        case 5:
            return {agent(i), agent(random_index())};
        case 6:
            return {scene.world.lo, scene.world.hi};
        case 7: // through a corner
            return {near(corner(i, false), 4.0f), corner(i, false)};
        case 8: { // as long as the world on an axis
            P from = agent(i);
            from[axis] = scene.world.lo[axis];
            P to = from;
            to[axis] = scene.world.hi[axis];
            return random.below(2) == 0 ? Segment<Dim>{from, to} : Segment<Dim>{to, from};
        }
        case 9: // from far away
            return {plus(agent(i), on_axis(axis, 1000.0f * scene.cell[axis])), agent(i)};
        default:
            return {near(agent(i), 3.0f), near(agent(i), 12.0f)};
        }
    }

    Ray<Dim> ray(std::size_t kind) {
        const std::size_t i = random_index();
        const std::size_t axis = random.below(Dim);
        switch (kind % 9) {
        case 0:
            return {agent(i), on_axis(axis, 1.0f)};
        case 1:
            return {corner(i, false), on_axis(axis, -0.125f)};
        case 2:
            return {corner(i, true), on_axis(axis, 3.0f)};
        case 3: // a tiny direction, and the greatest length
            return {near(agent(i), 2.0f), on_axis(axis, 1e-30f), kLargest};
        case 4:
            return {near(agent(i), 2.0f), plus(direction(), on_axis(axis, 1e12f))};
        case 5: // of length 0
            return {agent(i), direction(), 0.0f};
        case 6:
            return {plus(scene.world.lo, on_axis(axis, -world_size(axis))), direction()};
        case 7:
            return {near(agent(i), 2.0f), direction(), 10.0f * scene.cell[axis]};
        default:
            return {near(agent(i), 4.0f), direction()};
        }
    }

    Capsule<Dim> capsule(std::size_t kind) {
        const Segment<Dim> way = segment(kind);
        const std::size_t i = random_index();
        switch (kind % 5) {
        case 0:
            return {way.from, way.to, 0.0f};
        case 1:
            return {way.from, way.to, half(i)[0]};
        case 2: { // passes an agent's rim
            const float r = 2.0f * scene.cell[0];
            P from = agent(i);
            from[1] = kept(from[1] + r + half(i)[0]);
            return {from, plus(from, on_axis(0, 6.0f * scene.cell[0])), r};
        }
        case 3:
            return {way.to, way.from, std::min(world_size(0) * 0.25f, kLargest)};
        default:
            return {way.from, way.to, scene.cell[0] * random.between(0.0f, 2.0f)};
        }
    }

    Sector<Dim> sector(std::size_t kind) {
        const std::size_t i = random_index();
        const P centre = kind % 3 == 0 ? agent(i) : near(agent(i), 3.0f);
        const std::size_t axis = random.below(Dim);
        const float cosines[] = {1.0f, -1.0f, 0.0f, 0.5f, -0.5f, 0.70710678f, 0.99f, -0.9f};
        const float cosine = cosines[kind % std::size(cosines)];
        const float radius = scene.cell[0] * random.between(0.0f, 10.0f);
        switch (kind % 7) {
        case 0:
            return {centre, radius, on_axis(axis, 1.0f), cosine};
        case 1: { // looks exactly at an agent
            P way{};
            const P at = agent(random_index());
            for (std::size_t a = 0; a < Dim; ++a) {
                way[a] = kept(at[a] - centre[a]);
            }
            return {centre, 100.0f * scene.cell[0], way == P{} ? direction() : way, cosine};
        }
        case 2:
            return {centre, 0.0f, direction(), cosine};
        case 3:
            return {centre, kLargest, on_axis(axis, -1e-20f), cosine};
        case 4: // from far away
            return {plus(centre, on_axis(axis, 500.0f * scene.cell[axis])),
                    510.0f * scene.cell[axis], on_axis(axis, -1.0f), 0.9999f};
        default:
            return {centre, radius, direction(), random.between(-1.0f, 1.0f)};
        }
    }

    OrientedBox<Dim> oriented_box(std::size_t kind) {
        const std::size_t i = random_index();
        OrientedBox<Dim> box{kind % 4 == 0 ? agent(i) : near(agent(i), 2.0f), {}};
        for (std::size_t e = 0; e < Dim; ++e) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const float cells = random.between(-3.0f, 3.0f);
                box.half_edges[e][a] = kind % 3 == 0 && e != a ? 0.0f : cells * scene.cell[a];
            }
        }
        if (kind % 5 == 1) { box.half_edges[kind % Dim] = {}; } // flat
        if (kind % 5 == 2) {
            for (P& edge : box.half_edges) {
                for (float& x : edge.axis) {
                    x = kept(x * 20.0f);
                }
            }
        }
        if (kind % 10 == 3) { box.half_edges = {}; } // a point
        return box;
    }

    float height(std::size_t i, std::uint32_t up, float cells) {
        return kept(agent(i)[up] + cells * scene.cell[up]);
    }
    Cylinder<Dim> cylinder(std::size_t kind) {
        const std::size_t i = random_index();
        const std::size_t other = random_index();
        const auto up = static_cast<std::uint32_t>(1 + random.below(Dim - 1));
        Cylinder<Dim> cylinder{kind % 3 == 0 ? agent(i) : near(agent(i), 3.0f),
                               scene.cell[0] * random.between(0.0f, 8.0f), 0.0f, 0.0f, up};
        cylinder.low = height(other, up, -random.between(0.0f, 3.0f));
        cylinder.high = height(other, up, random.between(0.0f, 3.0f));
        const P& centre = cylinder.centre;
        const auto beside = [&](float x) { // x, or the next float below or above
            const std::size_t which = kind / 8 % 3;
            return which == 0 ? x : std::nextafter(x, which == 1 ? -kLargest : kLargest);
        };
        switch (kind % 8) {
        case 0: { // an agent is on the rim, or a float beside it
            P at = agent(other);
            at[up] = centre[up];
            cylinder.radius =
                kept(std::max(beside(std::sqrt(distance2_between(centre, at))), 0.0f));
            break;
        }
        case 1:
            cylinder.low = kept(beside(agent(other)[up]));
            break;
        case 2:
            cylinder.high = kept(beside(agent(other)[up]));
            break;
        case 3: // a line that begins at an agent
            cylinder.centre = agent(i);
            cylinder.radius = 0.0f;
            cylinder.low = agent(i)[up];
            break;
        case 4: // a storey as wide as the world
            cylinder.radius = kept(std::max(world_size(0), 60.0f * scene.cell[0]));
            break;
        case 5: // infinite in both directions
            cylinder.low = -kLargest;
            cylinder.high = kLargest;
            break;
        case 6: // from far away; the centre's height is ignored
            cylinder.centre = plus(centre, on_axis(0, 500.0f * scene.cell[0]));
            cylinder.centre[up] = -kLargest;
            cylinder.radius = kept(505.0f * scene.cell[0]);
            break;
        default: // sometimes inverted
            if (kind % 16 == 15) { std::swap(cylinder.low, cylinder.high); }
            break;
        }
        return cylinder;
    }

    /// x, or in two of three cases the next float below or above.
    float beside(float x, std::size_t which) {
        return which % 3 == 0 ? x : std::nextafter(x, which % 3 == 1 ? -kLargest : kLargest);
    }
    /// The distance from a point to an agent's body, or a float beside it.
    float gap(const P& from, std::size_t i, Body body, std::size_t which) {
        P offset;
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = agent(i)[a] - from[a];
        }
        return kept(
            std::max(beside(std::sqrt(body_distance2(body, offset, half(i))), which), 0.0f));
    }
    BodyBall<Dim> body_ball(std::size_t kind) {
        const std::size_t i = random_index();
        const std::size_t other = random_index();
        const auto body = static_cast<Body>(kind % 3);
        BodyBall<Dim> ball{{near(agent(i), 3.0f), scene.cell[0] * random.between(0.0f, 4.0f)},
                           body};
        Ball<Dim>& shape = ball.shape;
        switch (kind / 3 % 8) {
        case 0: // a body is on the rim, or a float beside it
            shape.radius = gap(shape.centre, i, body, kind / 24);
            break;
        case 1:
            shape.radius = gap(shape.centre, other, body, kind / 24);
            break;
        case 2: // a point inside a body
            shape = {agent(i), 0.0f};
            break;
        case 3: // a point at a corner, or just outside
            shape = {corner(i, kind % 2 == 0), 0.0f};
            break;
        case 4: { // beside the agent along one axis
            shape.centre = plus(agent(i), on_axis(random.below(Dim), 2.5f * scene.cell[0]));
            shape.radius = gap(shape.centre, i, body, kind / 24);
            break;
        }
        case 5: // from far away
            shape.centre = plus(shape.centre, on_axis(0, 500.0f * scene.cell[0]));
            shape.radius = gap(shape.centre, i, body, kind / 24);
            break;
        case 6: // large enough for much of the world
            shape.radius = kept(std::max(0.6f * world_size(0), 30.0f * scene.cell[0]));
            break;
        default:
            break;
        }
        return ball;
    }
    BodySector<Dim> body_sector(std::size_t kind) {
        const BodyBall<Dim> ball = body_ball(kind / 2);
        BodySector<Dim> with_body{sector(kind), ball.body};
        Sector<Dim>& shape = with_body.shape;
        if (kind % 2 == 0) {
            shape.centre = ball.shape.centre;
            shape.radius = ball.shape.radius;
        }
        return with_body;
    }
    BodyCylinder<Dim> body_cylinder(std::size_t kind) {
        const std::size_t i = random_index();
        const auto body = static_cast<Body>(kind % 3);
        BodyCylinder<Dim> with_body{cylinder(kind / 3), body};
        Cylinder<Dim>& shape = with_body.shape;
        const std::uint32_t up = shape.up;
        switch (kind / 3 % 6) {
        case 0: { // a body is on the rim, or a float beside it
            P foot = shape.centre;
            foot[up] = agent(i)[up];
            shape.radius = gap(foot, i, body, kind / 18);
            break;
        }
        case 1: // the body just reaches the band
            shape.low = kept(beside(agent(i)[up] + half(i)[up], kind / 18));
            break;
        case 2:
            shape.high = kept(beside(agent(i)[up] - half(i)[up], kind / 18));
            break;
        case 3: // a disc above the middle of the band
            shape.centre = agent(i);
            shape.high = kept(beside(agent(i)[up] - half(i)[0], kind / 18));
            shape.low = shape.high - scene.cell[up];
            break;
        default:
            break;
        }
        return with_body;
    }

    Convex<2> plane_convex(std::size_t kind) requires(Dim == 2) {
        const std::size_t i = random_index();
        const P at = kind % 2 == 0 ? agent(i) : corner(i, kind % 4 == 1);
        const float wide = scene.cell[0] * (kind % 6 == 0 ? 60.0f : 4.0f);
        std::vector<P> corners;
        switch (kind % 6) {
        case 0: // a large diamond; its sides are at 45 degrees, and meet corners of boxes
        case 1:
            corners = {plus(at, on_axis(0, wide)), plus(at, on_axis(1, wide)),
                       plus(at, on_axis(0, -wide)), plus(at, on_axis(1, -wide))};
            break;
        case 2: // flat
            corners = {at, agent(random_index()), at};
            break;
        case 3:
            corners = {at};
            break;
        case 4: { // eight corners, clockwise
            const P middle = near(at, 2.0f);
            for (int k = 0; k < 8; ++k) {
                const float angle = -0.785398f * static_cast<float>(k) - 0.3f;
                corners.push_back(plus(plus(middle, on_axis(0, wide * std::cos(angle))),
                                       on_axis(1, wide * std::sin(angle))));
            }
            break;
        }
        default:
            corners = {near(at, 6.0f), near(at, 6.0f), near(at, 6.0f)};
            break;
        }
        return polygon(corners).value;
    }

    Convex<3> space_convex(std::size_t kind) requires(Dim == 3) {
        const std::size_t i = random_index();
        const P eye = kind % 2 == 0 ? agent(i) : near(agent(i), 3.0f);
        const float deep = scene.cell[0] * (kind % 3 == 0 ? 30.0f : 5.0f);
        const float near_side = kind % 4 == 0 ? 0.0f : 0.1f * deep;
        std::array<P, 8> corners;
        constexpr float kSides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t far = 0; far < 2; ++far) {
                const float out = far == 1 ? deep : near_side;
                P& corner = corners[c + 4 * far];
                corner = plus(eye, on_axis(0, out));
                corner = plus(corner, on_axis(1, 0.5f * out * kSides[c][0]));
                corner = plus(corner, on_axis(2, 0.5f * out * kSides[c][1]));
            }
        }
        return frustum(corners).value;
    }

    Convex<Dim> convex(std::size_t kind) {
        if (kind % 5 == 4) { // half space through an agent
            Convex<Dim> half_space;
            const std::size_t i = random_index();
            const P normal = random.below(2) == 0 ? direction() : on_axis(random.below(Dim), 1.0f);
            float offset = 0.0f;
            for (std::size_t a = 0; a < Dim; ++a) {
                offset = a == 0 ? normal[a] * agent(i)[a] : offset + normal[a] * agent(i)[a];
            }
            half_space.sides[0] = {normal, offset};
            half_space.count = 1;
            return half_space;
        }
        if constexpr (Dim == 2) {
            return plane_convex(kind);
        } else {
            return space_convex(kind);
        }
    }
};

} // namespace

template <std::size_t Dim>
Shapes<Dim> shapes_about(const Scene<Dim>& scene, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    Maker<Dim> make{scene, random};
    Random another(seed + 1); // another generator, so that shapes above do not change
    Maker<Dim> make_upright{scene, another};
    Random third(seed + 2);
    Maker<Dim> make_seeing{scene, third};
    Shapes<Dim> shapes;
    for (std::size_t kind = 0; kind < count; ++kind) {
        shapes.segments.push_back(make.segment(kind));
        shapes.rays.push_back(make.ray(kind));
        shapes.capsules.push_back(make.capsule(kind));
        shapes.sectors.push_back(make.sector(kind));
        shapes.convexes.push_back(make.convex(kind));
        shapes.oriented_boxes.push_back(make.oriented_box(kind));
        shapes.cylinders.push_back(make_upright.cylinder(kind));
        shapes.body_balls.push_back(make_seeing.body_ball(kind));
        shapes.body_sectors.push_back(make_seeing.body_sector(kind));
        shapes.body_cylinders.push_back(make_seeing.body_cylinder(kind));
    }
    return shapes;
}

template Shapes<2> shapes_about(const Scene<2>&, std::size_t, std::uint64_t);
template Shapes<3> shapes_about(const Scene<3>&, std::size_t, std::uint64_t);

} // namespace throng::scenes
