// Whether convex bodies touch, in whole numbers: nothing is rounded, so touching in one point
// counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace throng::test::exact {

using Whole = std::int64_t;
template <std::size_t Dim>
using Place = std::array<Whole, Dim>;

template <std::size_t Dim>
Whole dot(const Place<Dim>& a, const Place<Dim>& b) {
    Whole sum = 0;
    for (std::size_t i = 0; i < Dim; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}
/// a + by * b.
template <std::size_t Dim>
Place<Dim> plus(Place<Dim> a, const Place<Dim>& b, Whole by = 1) {
    for (std::size_t i = 0; i < Dim; ++i) {
        a[i] += by * b[i];
    }
    return a;
}
inline Place<3> cross(const Place<3>& a, const Place<3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// All points between some corners, and all points within a radius of these.
template <std::size_t Dim>
struct Body {
    std::vector<Place<Dim>> corners;
    std::vector<Place<Dim>> edges; ///< directions of its edges, and perhaps more
    Whole radius = 0;
};

template <std::size_t Dim>
Body<Dim> box_of(const Place<Dim>& centre, const std::array<Place<Dim>, Dim>& half_edges) {
    Body<Dim> box;
    for (std::size_t c = 0; c < std::size_t{1} << Dim; ++c) {
        Place<Dim> corner = centre;
        for (std::size_t i = 0; i < Dim; ++i) {
            corner = plus(corner, half_edges[i], (c >> i & 1u) != 0 ? 1 : -1);
        }
        box.corners.push_back(corner);
    }
    box.edges.assign(half_edges.begin(), half_edges.end());
    return box;
}
/// A point, a line or a triangle.
template <std::size_t Dim>
Body<Dim> polygon_of(std::initializer_list<Place<Dim>> corners, Whole radius = 0) {
    Body<Dim> body = {corners, {}, radius};
    for (std::size_t i = 0; i < body.corners.size(); ++i) {
        const Place<Dim>& next = body.corners[(i + 1) % body.corners.size()];
        body.edges.push_back(plus(next, body.corners[i], -1));
    }
    return body;
}

/// All points that a body passes on a way.
template <std::size_t Dim>
Body<Dim> swept(Body<Dim> body, const Place<Dim>& way) {
    const std::size_t count = body.corners.size();
    for (std::size_t i = 0; i < count; ++i) {
        body.corners.push_back(plus(body.corners[i], way));
    }
    body.edges.push_back(way);
    return body;
}

/// The differences of the corners of two bodies, without radii. The bodies have a point in common
/// if the origin is between these differences.
template <std::size_t Dim>
std::vector<Place<Dim>> differences(const Body<Dim>& one, const Body<Dim>& other) {
    std::vector<Place<Dim>> all;
    for (const Place<Dim>& a : one.corners) {
        for (const Place<Dim>& b : other.corners) {
            all.push_back(plus(a, b, -1));
        }
    }
    return all;
}

/// All axes that can separate two bodies: normals of edges in the plane, and of pairs of edges in
/// space. A cube's edges are added. They make flat bodies a little thick, so no other axis is
/// needed; each axis that separates the thick bodies also separates the flat ones.
template <std::size_t Dim>
std::vector<Place<Dim>> axes_of(const Body<Dim>& one, const Body<Dim>& other) {
    std::vector<Place<Dim>> edges = one.edges, axes;
    edges.insert(edges.end(), other.edges.begin(), other.edges.end());
    for (std::size_t a = 0; a < Dim; ++a) {
        Place<Dim> edge{};
        edge[a] = 1;
        edges.push_back(edge);
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if constexpr (Dim == 2) {
            axes.push_back({-edges[i][1], edges[i][0]});
        } else {
            for (std::size_t j = 0; j < i; ++j) {
                axes.push_back(cross(edges[i], edges[j]));
            }
        }
    }
    return axes;
}

/// Whether two bodies without radii have a point in common.
template <std::size_t Dim>
bool meet(const Body<Dim>& one, const Body<Dim>& other) {
    const std::vector<Place<Dim>> all = differences(one, other);
    for (const Place<Dim>& axis : axes_of(one, other)) {
        bool above = true, below = true;
        for (const Place<Dim>& difference : all) {
            const Whole at = dot(difference, axis);
            above = above && at > 0;
            below = below && at < 0;
        }
        if (above || below) { return false; }
    }
    return true;
}

/// Whether two bodies are no farther apart than their radii. If they are apart, the difference
/// nearest to the origin is a corner, or lies on an edge or, in space, on a side: on a triangle of
/// three corners.
template <std::size_t Dim>
bool meet_round(const Body<Dim>& one, const Body<Dim>& other) {
    if (meet(one, other)) { return true; }
    const Whole radius = one.radius + other.radius;
    if (radius == 0) { return false; }
    const std::vector<Place<Dim>> all = differences(one, other);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Place<Dim>& a = all[i];
        if (dot(a, a) <= radius * radius) { return true; }
        for (std::size_t j = 0; j < i; ++j) {
            const Place<Dim> edge = plus(all[j], a, -1);
            const Whole length2 = dot(edge, edge), at = -dot(a, edge);
            // The square of the distance, times that of the edge's length.
            const Whole apart = dot(a, a) * length2 - at * at;
            if (at >= 0 && at <= length2 && length2 > 0 && apart <= radius * radius * length2) {
                return true;
            }
            if constexpr (Dim == 3) {
                for (std::size_t k = 0; k < j; ++k) {
                    const Place<3> second = plus(all[k], a, -1);
                    const Place<3> normal = cross(edge, second);
                    const Whole square = dot(normal, normal), height = dot(a, normal);
                    if (square == 0) { continue; }
                    const Place<3> from = plus(Place<3>{}, a, -1);
                    const Whole s = dot(cross(from, second), normal);
                    const Whole u = dot(cross(edge, from), normal);
                    if (s < 0 || u < 0 || s + u > square) { continue; }
                    if (height * height <= radius * radius * square) { return true; }
                }
            }
        }
    }
    return false;
}

} // namespace throng::test::exact
