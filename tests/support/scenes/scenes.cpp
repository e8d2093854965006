// The crowds of all scenes. They must not depend on rounding by a library or compiler: only sums,
// products, quotients and square roots are used, which IEEE 754 defines to the bit.
#include "scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace throng::scenes {

namespace {

template <std::size_t Dim>
using Recipe = void (*)(Scene<Dim>&, std::size_t, Random&);

template <std::size_t Dim>
struct NamedRecipe {
    std::string_view name;
    Recipe<Dim> recipe;
};

template <std::size_t Dim>
void set_world(Scene<Dim>& scene, float low, float high, float cell) {
    scene.world = {Point<Dim>::all(low), Point<Dim>::all(high)};
    scene.cell = Point<Dim>::all(cell);
}

template <std::size_t Dim>
Point<Dim> somewhere(const Box<Dim>& box, Random& random) {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = random.between(box.lo[a], box.hi[a]);
    }
    return point;
}

/// The side of the smallest square or cube of unit cells, in whole units, with at least `count`
/// cells.
template <std::size_t Dim>
float side_for(std::size_t count) {
    std::size_t side = 1;
    while ((Dim == 2 ? side * side : side * side * side) < count) {
        ++side;
    }
    return static_cast<float>(side);
}

template <std::size_t Dim>
void fill_uniform(Scene<Dim>& scene, std::size_t count, Random& random) {
    set_world(scene, 0.0f, side_for<Dim>(count), 1.0f);
    scene.common_half_extent = Point<Dim>::all(0.25f);
    for (std::vector<float>& axis : scene.position) {
        axis.resize(count);
        std::generate(axis.begin(), axis.end(),
                      [&] { return random.between(scene.world.lo[0], scene.world.hi[0]); });
    }
}

template <std::size_t Dim>
void fill_clustered(Scene<Dim>& scene, std::size_t count, std::size_t clusters, Random& random) {
    const float side = side_for<Dim>(count);
    set_world(scene, 0.0f, side, 1.0f);
    scene.common_half_extent = Point<Dim>::all(0.25f);
    scene.common_half_extent[1] = 0.5f;
    const float spacing = side / side_for<Dim>(clusters);

    std::vector<Box<Dim>> bells(clusters);
    for (Box<Dim>& bell : bells) {
        const Point<Dim> centre = somewhere(scene.world, random);
        bell = Box<Dim>::around(centre, Point<Dim>::all(spacing * random.between(0.1f, 0.5f)));
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Box<Dim>& bell = bells[random.below(static_cast<std::uint32_t>(clusters))];
        const bool alone = random.below(10) == 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float lo = alone ? 0.0f : bell.lo[a];
            const float hi = alone ? side : bell.hi[a];
            const float place = lo + (hi - lo) * 0.5f * (random.bell() + 1.0f);
            scene.position[a].push_back(std::clamp(place, 0.0f, side));
        }
    }
}

template <std::size_t Dim>
void uniform(Scene<Dim>& scene, std::size_t count, Random& random) {
    fill_uniform(scene, count, random);
}

template <std::size_t Dim>
void clustered(Scene<Dim>& scene, std::size_t count, Random& random) {
    fill_clustered(scene, count, 8, random);
}

template <std::size_t Dim>
void one_cell(Scene<Dim>& scene, std::size_t count, Random& random) {
    set_world(scene, -8.0f, 8.0f, 1.0f);
    scene.common_half_extent = Point<Dim>::all(0.01f);
    const Box<Dim> inside{Point<Dim>::all(3.0f), Point<Dim>::all(3.999f)};
    for (std::size_t i = 0; i < count; ++i) {
        scene.add(somewhere(inside, random));
    }
}

template <std::size_t Dim>
void coincident(Scene<Dim>& scene, std::size_t count, Random&) {
    set_world(scene, 0.0f, 16.0f, 1.0f);
    scene.common_half_extent = Point<Dim>::all(0.25f);
    for (std::size_t i = 0; i < count; ++i) {
        scene.add(Point<Dim>::all(5.3f));
    }
}

template <std::size_t Dim>
void fill_lattice(Scene<Dim>& scene, std::size_t count, float cell, Random& random) {
    set_world(scene, 0.0f, 16.0f * cell, cell);
    scene.common_half_extent = Point<Dim>::all(0.5f * cell);
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = static_cast<float>(random.below(17)) * cell;
        }
        scene.add(point);
    }
}

template <std::size_t Dim>
void lattice(Scene<Dim>& scene, std::size_t count, Random& random) {
    fill_lattice(scene, count, 1.0f, random);
}

template <std::size_t Dim>
void lattice_of_tenths(Scene<Dim>& scene, std::size_t count, Random& random) {
    fill_lattice(scene, count, 0.1f, random);
}

/// Moves `point` along x until its squared distance is `target`, if a few floats are enough.
template <std::size_t Dim>
void nudge_onto(Point<Dim>& point, const Point<Dim>& centre, float target) {
    const auto distance2 = [&](const Point<Dim>& p) {
        float sum = (p[0] - centre[0]) * (p[0] - centre[0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            sum = sum + (p[a] - centre[a]) * (p[a] - centre[a]);
        }
        return sum;
    };
    Point<Dim> best = point;
    for (const float towards : {-kLargest, kLargest}) {
        Point<Dim> trial = point;
        for (int step = 0; step < 16; ++step) {
            if (std::fabs(distance2(trial) - target) < std::fabs(distance2(best) - target)) {
                best = trial;
            }
            trial[0] = std::nextafter(trial[0], towards);
        }
    }
    point = best;
}

/// Agents exactly on rims of balls, or one float beside them: at whole numbers first, then at
/// rounded ones.
template <std::size_t Dim>
void rim(Scene<Dim>& scene, std::size_t count, Random& random) {
    constexpr float kWhole[][4] = {{3, 4, 0, 5}, {5, 12, 0, 13}, {8, 15, 0, 17}, {7, 24, 0, 25},
                                   {1, 2, 2, 3}, {2, 3, 6, 7},   {1, 4, 8, 9},   {6, 6, 7, 11}};
    set_world(scene, -32.0f, 32.0f, 2.0f);
    const Point<Dim> origin = Point<Dim>::all(1.0f);
    for (const auto& sides : kWhole) {
        if (Dim == 2 && sides[2] != 0.0f) { continue; }
        scene.balls.push_back({origin, sides[3]});
        scene.balls.push_back({origin, std::nextafter(sides[3], 0.0f)});
        for (std::size_t i = 0; i < 8; ++i) {
            Point<Dim> point = origin;
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] += (i >> a & 1) != 0 ? sides[a] : -sides[a];
            }
            scene.add(point);
        }
    }
    for (const float place : {0.0f, 0.0f, 0.7f, 10.1f}) {
        const Point<Dim> centre = Point<Dim>::all(place);
        const float radius = random.between(1.0f, 12.0f);
        const float radius2 = radius * radius;
        for (const float r :
             {radius, std::nextafter(radius, 0.0f), std::nextafter(radius, 99.0f)}) {
            scene.balls.push_back({centre, r});
        }
        for (std::size_t i = 0; i < count / 4; ++i) {
            // Sine and cosine from the tangent of half the angle, without the mathematics library.
            const float t = random.between(-1.0f, 1.0f), u = random.between(-1.0f, 1.0f);
            const float flat = Dim == 2 ? radius : radius * (1.0f - u * u) / (1.0f + u * u);
            Point<Dim> point = centre;
            point[0] += flat * ((1.0f - t * t) / (1.0f + t * t)) * (i % 2 == 0 ? 1.0f : -1.0f);
            point[1] += flat * (2.0f * t / (1.0f + t * t));
            if constexpr (Dim == 3) { point[2] += radius * (2.0f * u / (1.0f + u * u)); }
            const float targets[] = {radius2, std::nextafter(radius2, 0.0f),
                                     std::nextafter(radius2, 999.0f)};
            nudge_onto(point, centre, targets[i % 3]);
            scene.add(point);
        }
    }
}

template <std::size_t Dim>
void fill_along(Scene<Dim>& scene, std::size_t count, std::size_t axis, Random& random) {
    set_world(scene, 0.0f, 32.0f, 1.0f);
    scene.common_half_extent = Point<Dim>::all(0.25f);
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> point = Point<Dim>::all(7.5f);
        point[axis] = random.between(0.0f, 32.0f);
        scene.add(point);
    }
}

template <std::size_t Dim>
void line(Scene<Dim>& scene, std::size_t count, Random& random) {
    fill_along(scene, count, 0, random);
}

template <std::size_t Dim>
void column(Scene<Dim>& scene, std::size_t count, Random& random) {
    fill_along(scene, count, Dim - 1, random);
}

template <std::size_t Dim>
void flat(Scene<Dim>& scene, std::size_t count, Random& random) {
    fill_uniform(scene, count, random);
    std::fill(scene.position[Dim - 1].begin(), scene.position[Dim - 1].end(), 2.0f);
}

template <std::size_t Dim>
void far_corner(Scene<Dim>& scene, std::size_t count, Random& random) {
    set_world(scene, 1e6f - 8.0f, 1e6f + 8.0f, 0.7f);
    scene.common_half_extent = Point<Dim>::all(0.3f);
    for (std::size_t i = 0; i < count; ++i) {
        scene.add(somewhere(scene.world, random));
    }
}

template <std::size_t Dim>
void outside(Scene<Dim>& scene, std::size_t count, Random& random) {
    set_world(scene, 0.0f, 8.0f, 1.0f);
    scene.common_half_extent = Point<Dim>::all(0.5f);
    const Box<Dim> everywhere{Point<Dim>::all(-24.0f), Point<Dim>::all(32.0f)};
    for (std::size_t i = 0; i < count; ++i) {
        scene.add(somewhere(everywhere, random));
    }
}

template <std::size_t Dim>
void empty(Scene<Dim>& scene, std::size_t, Random&) {
    set_world(scene, 0.0f, 8.0f, 1.0f);
}

template <std::size_t Dim>
void one_agent(Scene<Dim>& scene, std::size_t, Random&) {
    set_world(scene, 0.0f, 8.0f, 1.0f);
    scene.common_half_extent = Point<Dim>::all(0.5f);
    scene.add(Point<Dim>::all(3.0f));
}

template <std::size_t Dim>
void mixed_sizes(Scene<Dim>& scene, std::size_t count, Random& random) {
    set_world(scene, 0.0f, side_for<Dim>(count), 1.0f);
    for (std::size_t i = 0; i < count; ++i) {
        const Point<Dim> point = somewhere(scene.world, random);
        Point<Dim> half;
        for (std::size_t a = 0; a < Dim; ++a) {
            // Only a few are large: otherwise every query would find every agent.
            const std::uint32_t power = random.below(random.below(8) == 0 ? 17 : 10);
            half[a] = 0.001f * static_cast<float>(1u << power) * random.between(1.0f, 1.5f);
        }
        scene.add(point, half);
    }
}

template <std::size_t Dim>
void giant(Scene<Dim>& scene, std::size_t count, Random& random) {
    set_world(scene, 0.0f, side_for<Dim>(count), 1.0f);
    for (std::size_t i = 0; i < count; ++i) {
        const float half = i == count / 2 ? 1000.0f : 0.25f;
        scene.add(somewhere(scene.world, random), Point<Dim>::all(half));
    }
}

template <std::size_t Dim>
void zeros_and_denormals(Scene<Dim>& scene, std::size_t count, Random& random) {
    constexpr float kTiny = std::numeric_limits<float>::denorm_min();
    constexpr float kValues[] = {0.0f,      kTiny,  2.0f * kTiny, 1e-40f,
                                 0x1p-126f, 1e-30f, 1e-8f,        0.25f};
    set_world(scene, -1.0f, 1.0f, 0.25f);
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> point, half;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float value = kValues[random.below(8)];
            point[a] = random.below(2) == 0 ? value : -value;
            half[a] = random.below(4) == 0 ? -0.0f : kValues[random.below(6)];
        }
        scene.add(point, half);
    }
}

template <std::size_t Dim>
void two_corners(Scene<Dim>& scene, std::size_t count, Random& random) {
    const float side = Dim == 2 ? 1000.0f : 80.0f;
    set_world(scene, 0.0f, side, 1.0f);
    scene.common_half_extent = Point<Dim>::all(0.25f);
    const Box<Dim> low{Point<Dim>::all(0.0f), Point<Dim>::all(4.0f)};
    const Box<Dim> high{Point<Dim>::all(side - 4.0f), Point<Dim>::all(side)};
    for (std::size_t i = 0; i < count; ++i) {
        scene.add(somewhere(i % 2 == 0 ? low : high, random));
    }
}

/// Coordinates of every allowed magnitude.
template <std::size_t Dim>
void extreme(Scene<Dim>& scene, std::size_t count, Random& random) {
    set_world(scene, -16.0f, 16.0f, 2.0f);
    scene.common_half_extent = Point<Dim>::all(0.5f);
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float sign = random.below(2) == 0 ? 1.0f : -1.0f;
            const int power = static_cast<int>(random.below(209)) - 149;
            const float value = std::ldexp(random.between(1.0f, 2.0f), power);
            point[a] = sign * (random.below(16) == 0 ? kLargest : std::min(value, kLargest));
        }
        scene.add(point);
    }
}

template <std::size_t Dim, Layout kLayout>
void laid_out(Scene<Dim>& scene, std::size_t count, Random& random) {
    fill_uniform(scene, count, random);
    for (std::size_t a = 0; a < Dim; ++a) {
        for (std::size_t i = 0; i < count; ++i) {
            scene.half_extent[a].push_back(random.between(0.0f, 0.5f));
        }
    }
    scene.layout = kLayout;
}

template <std::size_t Dim>
void enlarge_queries(Scene<Dim>& scene) {
    const float side = scene.world.hi[0];
    for (Box<Dim>& box : scene.boxes) {
        box.lo[0] = std::max(box.lo[0] - side, -kLargest);
        box.hi[Dim - 1] = std::min(box.hi[Dim - 1] + 0.5f * side, kLargest);
    }
    for (Ball<Dim>& ball : scene.balls) {
        ball.radius = std::min(ball.radius + side, kLargest);
    }
}

template <std::size_t Dim>
constexpr NamedRecipe<Dim> kRecipes[] = {
    {"uniform", uniform<Dim>},
    {"clustered", clustered<Dim>},
    {"one_cell", one_cell<Dim>},
    {"coincident", coincident<Dim>},
    {"lattice", lattice<Dim>},
    {"lattice_of_tenths", lattice_of_tenths<Dim>},
    {"rim", rim<Dim>},
    {"line", line<Dim>},
    {"column", column<Dim>},
    {"flat", flat<Dim>},
    {"far_corner", far_corner<Dim>},
    {"outside", outside<Dim>},
    {"huge_queries", uniform<Dim>},
    {"empty", empty<Dim>},
    {"one_agent", one_agent<Dim>},
    {"mixed_sizes", mixed_sizes<Dim>},
    {"giant", giant<Dim>},
    {"zeros_and_denormals", zeros_and_denormals<Dim>},
    {"two_corners", two_corners<Dim>},
    {"extreme", extreme<Dim>},
    {"float3", laid_out<Dim, Layout::float3>},
    {"backwards", laid_out<Dim, Layout::backwards>},
    {"unaligned", laid_out<Dim, Layout::unaligned>},
};

} // namespace

std::span<const std::string_view> names() noexcept {
    static constexpr auto kNames = [] {
        std::array<std::string_view, std::size(kRecipes<2>)> list;
        std::transform(std::begin(kRecipes<2>), std::end(kRecipes<2>), list.begin(),
                       [](const NamedRecipe<2>& recipe) { return recipe.name; });
        return list;
    }();
    return kNames;
}

template <std::size_t Dim>
Scene<Dim> make(std::string_view name, std::size_t count, Groups groups) {
    for (const NamedRecipe<Dim>& recipe : kRecipes<Dim>) {
        if (recipe.name != name) { continue; }
        Random random(static_cast<std::uint64_t>(&recipe - kRecipes<Dim>) + 100 * Dim);
        Scene<Dim> scene;
        scene.name = name;
        recipe.recipe(scene, count, random);
        if (groups == Groups::masks) { add_groups(scene); }
        add_queries(scene, 36);
        if (name == "huge_queries") { enlarge_queries(scene); }
        return scene;
    }
    throw std::invalid_argument("no such scene: " + std::string(name));
}

template <std::size_t Dim>
Scene<Dim> make_uniform(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    Scene<Dim> scene;
    scene.name = "uniform";
    fill_uniform(scene, count, random);
    return scene;
}

template <std::size_t Dim>
Scene<Dim> make_clustered(std::size_t count, std::size_t clusters, std::uint64_t seed) {
    Random random(seed);
    Scene<Dim> scene;
    scene.name = "clustered";
    fill_clustered(scene, count, clusters, random);
    return scene;
}

template Scene<2> make(std::string_view, std::size_t, Groups);
template Scene<3> make(std::string_view, std::size_t, Groups);
template Scene<2> make_uniform(std::size_t, std::uint64_t);
template Scene<3> make_uniform(std::size_t, std::uint64_t);
template Scene<2> make_clustered(std::size_t, std::size_t, std::uint64_t);
template Scene<3> make_clustered(std::size_t, std::size_t, std::uint64_t);

} // namespace throng::scenes
