// A small world of whole numbers: obstacles and questions, each with its body for the oracle in
// whole numbers.
#pragma once

#include "exact_meeting.hpp"

#include "../../support/random.hpp"

#include <throng/engine/obstacles/obstacles.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test::exact {

/// Where a small world of whole numbers lies.
inline constexpr Whole kOffsets[] = {0, -3, 1000, 8190, 100'000};

/// A small world of whole numbers, away from zero.
template <std::size_t Dim>
class Scene {
public:
    explicit Scene(std::uint64_t seed) : random(seed) { move(); }

    /// Moves the world to another place; sometimes all in it is very small, or very large.
    void move() {
        constexpr float kUnits[] = {1.0f, 1.0f, 1.0f, 0x1p-130f, 0x1p50f};
        unit_ = kUnits[random.below(5)];
        for (Whole& x : offset_) {
            x = unit_ == 1.0f ? kOffsets[random.below(5)] : 0;
        }
    }

    [[nodiscard]] Point<Dim> point(const Place<Dim>& place) const {
        Point<Dim> made = way(place);
        for (std::size_t a = 0; a < Dim; ++a) {
            made[a] = length(place[a] + offset_[a]);
        }
        return made;
    }
    [[nodiscard]] float length(Whole number) const { return static_cast<float>(number) * unit_; }
    [[nodiscard]] Point<Dim> way(const Place<Dim>& place) const {
        Point<Dim> made;
        for (std::size_t a = 0; a < Dim; ++a) {
            made[a] = length(place[a]);
        }
        return made;
    }
    [[nodiscard]] Whole number(Whole low, Whole high) {
        return low + random.below(static_cast<std::uint32_t>(high - low + 1));
    }
    [[nodiscard]] Place<Dim> place(Whole size) {
        Place<Dim> made;
        for (Whole& x : made) {
            x = number(-size, size);
        }
        return made;
    }
    [[nodiscard]] Whole radius() {
        constexpr Whole kRadii[] = {0, 0, 1, 2, 5};
        return kRadii[random.below(5)];
    }

    Box<Dim> box(Body<Dim>& body) {
        Place<Dim> low = place(8), half{};
        for (Whole& x : half) {
            x = number(0, 3);
        }
        std::array<Place<Dim>, Dim> edges{};
        for (std::size_t i = 0; i < Dim; ++i) {
            edges[i][i] = half[i];
        }
        body = box_of(low, edges);
        return {point(plus(low, half, -1)), point(plus(low, half))};
    }

    /// In space `upright` turns the box about z alone.
    OrientedBox<Dim> turned_box(Body<Dim>& body, bool upright = false) {
        std::array<Place<Dim>, Dim> edges;
        if constexpr (Dim == 2) {
            // Rounded, the bounds of the third are too small, and those of others too large.
            constexpr std::array<Place<2>, 2> kAxes[] = {{{{3, 4}, {-4, 3}}},
                                                         {{{1, 1}, {-1, 1}}},
                                                         {{{5, 6}, {-6, 5}}},
                                                         {{{1, -3}, {3, 1}}},
                                                         {{{0, 2}, {2, 0}}}};
            edges = kAxes[random.below(5)];
        } else {
            constexpr std::array<Place<3>, 3> kAxes[] = {
                {{{3, 4, 0}, {-4, 3, 0}, {0, 0, 2}}},  {{{1, 1, 0}, {-1, 1, 0}, {0, 0, 1}}},
                {{{1, -3, 0}, {3, 1, 0}, {0, 0, -3}}}, {{{5, 6, 0}, {-6, 5, 0}, {0, 0, 1}}},
                {{{1, 2, 2}, {2, 1, -2}, {2, -2, 1}}}, {{{1, 1, 1}, {1, -1, 0}, {1, 1, -2}}},
                {{{0, 3, 4}, {2, 0, 0}, {0, -4, 3}}}};
            edges = kAxes[random.below(upright ? 4 : 7)];
        }
        OrientedBox<Dim> box;
        const Place<Dim> centre = place(8);
        for (std::size_t i = 0; i < Dim; ++i) {
            const Whole times = number(0, 2);
            for (Whole& x : edges[i]) {
                x *= times;
            }
            box.half_edges[i] = way(edges[i]);
        }
        box.centre = point(centre);
        body = box_of(centre, edges);
        return box;
    }

    /// The region of a turned box; no edge of the box may be of no length.
    Convex<Dim> region(const Body<Dim>& box) const {
        Convex<Dim> region;
        for (std::size_t i = 0; i < Dim; ++i) {
            for (const Whole sign : {-1, 1}) {
                HalfSpace<Dim>& side = region.sides[region.count++];
                Whole offset = 0;
                const Place<Dim>& corner = sign < 0 ? box.corners.front() : box.corners.back();
                for (std::size_t a = 0; a < Dim; ++a) {
                    side.normal[a] = static_cast<float>(sign * box.edges[i][a]);
                    offset += sign * box.edges[i][a] * (corner[a] + offset_[a]);
                }
                side.offset = length(offset);
            }
        }
        return region;
    }
    [[nodiscard]] static bool is_solid(const Body<Dim>& box) {
        bool solid = true;
        for (const Place<Dim>& edge : box.edges) {
            solid = solid && edge != Place<Dim>{};
        }
        return solid;
    }

    auto thin(Body<Dim>& body) {
        const Place<Dim> from = place(8), to = place(8);
        if constexpr (Dim == 2) {
            const Whole reach = number(0, 2);
            body = polygon_of<2>({from, to}, reach);
            return Wall{point(from), point(to), length(2 * reach)};
        } else {
            const Place<3> last = random.below(8) == 0 ? to : place(8);
            body = polygon_of<3>({from, to, last});
            return Triangle{{{point(from), point(to), point(last)}}};
        }
    }

    /// Puts one obstacle of any kind there, with id 0, in place of all others.
    Body<Dim> put(Obstacles<Dim>& obstacles) {
        Body<Dim> body;
        Status status;
        obstacles.clear();
        switch (random.below(3)) {
        case 0:
            status = obstacles.insert(0, box(body));
            break;
        case 1:
            status = obstacles.insert(0, turned_box(body));
            break;
        default:
            status = obstacles.insert(0, thin(body));
        }
        EXPECT_EQ(status, Status{});
        return body;
    }

    scenes::Random random;

private:
    Place<Dim> offset_{};
    float unit_ = 1.0f;
};

/// Counts of what a test has seen.
struct Tally {
    std::size_t met = 0, apart = 0, lost = 0, wrong = 0;

    void add(bool found, bool meets) {
        (meets ? met : apart) += 1;
        lost += meets && !found ? 1 : 0;
        wrong += found && !meets ? 1 : 0;
    }
    void check(std::size_t least) const {
        EXPECT_EQ(lost, 0u) << "of " << met;
        EXPECT_EQ(wrong, 0u) << "of " << apart;
        EXPECT_GT(met, least);
        EXPECT_GT(apart, least);
    }
};

/// Whether the normal of a hit separates the body and the mover where they meet: along it no corner
/// of either lies beyond the other's.
template <std::size_t Dim>
bool keeps_apart(const ObstacleHit<Dim>& hit, const Body<Dim>& body, const Body<Dim>& mover,
                 const Place<Dim>& way) {
    double low = 1e30, high = -1e30;
    const auto level = [&](const Place<Dim>& corner, double time) {
        double sum = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            sum += hit.normal[a] *
                   (static_cast<double>(corner[a]) + time * static_cast<double>(way[a]));
        }
        return sum;
    };
    for (const Place<Dim>& corner : mover.corners) {
        low = std::min(low, level(corner, hit.time) - static_cast<double>(mover.radius));
    }
    for (const Place<Dim>& corner : body.corners) {
        high = std::max(high, level(corner, 0.0) + static_cast<double>(body.radius));
    }
    return low > high - 1e-3;
}

/// How far a way goes along a normal.
template <std::size_t Dim>
double along(const Point<Dim>& normal, const Place<Dim>& way) {
    double sum = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        sum += normal[a] * static_cast<double>(way[a]);
    }
    return sum;
}

/// Whether a body has a middle line or a plane whose normal is known: a wall, or a triangle that is
/// no line.
template <std::size_t Dim>
bool is_flat(const Body<Dim>& body) {
    if (body.corners.size() > 3) { return false; }
    if constexpr (Dim == 3) { return cross(body.edges[0], body.edges[1]) != Place<3>{}; }
    return true;
}

} // namespace throng::test::exact
