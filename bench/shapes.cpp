// Rays, capsules, sectors, cylinders and regions in a crowd, as lists, counts and first hits.
#include "benchmarks.hpp"
#include "measure/measure.hpp"
#include "measure/register.hpp"

#include <throng/engine/family/brute_force.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kQuestions = 1000;
/// The number of answers that are compared with brute force, which is slow in large crowds.
constexpr std::size_t kCompared = 8;

/// Makes questions all over the world of a crowd.
template <std::size_t Dim>
struct Questions {
    const Box<Dim>& world;
    scenes::Random random{31};

    Point<Dim> place() {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = random.between(world.lo[a], world.hi[a]);
        }
        return point;
    }
    Point<Dim> direction() {
        Point<Dim> way;
        float length2 = 0.0f;
        do {
            length2 = 0.0f;
            for (float& x : way.axis) {
                x = random.between(-1.0f, 1.0f);
                length2 += x * x;
            }
        } while (length2 > 1.0f || length2 < 0.01f);
        for (float& x : way.axis) {
            x /= std::sqrt(length2);
        }
        return way;
    }

    /// A segment between two random places.
    void make(Segment<Dim>& segment) { segment = {place(), place()}; }
    void make(Capsule<Dim>& capsule) { capsule = {place(), place(), 1.0f}; }
    /// An agent's field of view up to 4 units.
    void make(Sector<Dim>& sector) { sector = {place(), 4.0f, direction(), 0.5f}; }
    /// A storey of a round tower.
    void make(Cylinder<Dim>& cylinder) {
        const Point<Dim> middle = place();
        cylinder = {middle, 4.0f, middle[Dim - 1] - 1.5f, middle[Dim - 1] + 1.5f};
    }
    void make(OrientedBox<Dim>& box) {
        box.centre = place();
        for (Point<Dim>& edge : box.half_edges) {
            edge = direction();
            for (float& x : edge.axis) {
                x *= 4.0f;
            }
        }
    }
    /// A region with a tenth of the world's side, from corner to corner.
    void make(Convex<Dim>& convex) {
        convex = {};
        const float size = world.hi[0] - world.lo[0];
        const Point<Dim> through = place();
        Point<Dim> normal = direction();
        float offset = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            offset += normal[a] * through[a];
        }
        convex.sides[0] = {normal, offset + 0.05f * size};
        for (float& x : normal.axis) {
            x = -x;
        }
        convex.sides[1] = {normal, 0.05f * size - offset};
        convex.count = 2;
        convex.bounds = world;
    }
};

enum class Ask : std::uint8_t { ids, count, any, first, path_hits };

template <class Shape, std::size_t Dim>
std::uint64_t ask(const RowGrid<Dim>& grid, const Shape& shape, Ask how, std::vector<Id>& ids,
                  std::vector<PathHit>& met) {
    if constexpr (PathIn<Shape, Dim>) {
        if (how == Ask::first) {
            met.resize(1);
            return grid.first(shape, met[0]).count;
        }
        if (how == Ask::path_hits) {
            (void)grid.hits(shape, met);
            return met.size();
        }
    }
    return how == Ask::ids     ? grid.query(shape, std::span<Id>(ids)).count
           : how == Ask::count ? grid.count(shape).count
                               : grid.any(shape).count;
}

/// Compares the first few answers with brute force.
template <class Shape, std::size_t Dim>
bool are_right(const RowGrid<Dim>& grid, const BruteForce<Dim>& truth,
               std::span<const Shape> shapes) {
    std::vector<Id> got(grid.size());
    std::vector<Id> wanted(grid.size());
    for (const Shape& shape : shapes.first(kCompared)) {
        got.resize(grid.size());
        got.resize(grid.query(shape, std::span<Id>(got)).count);
        wanted.resize(grid.size());
        wanted.resize(truth.query(shape, std::span<Id>(wanted)).count);
        std::sort(got.begin(), got.end());
        if (got != wanted || grid.count(shape).count != got.size()) { return false; }
        if constexpr (PathIn<Shape, Dim>) {
            std::vector<PathHit> met;
            std::vector<PathHit> true_hits;
            PathHit first;
            (void)grid.hits(shape, met);
            (void)truth.hits(shape, true_hits);
            if (met != true_hits) { return false; }
            if (grid.first(shape, first).count != 0 && first != met.front()) { return false; }
        }
    }
    return true;
}

template <class Shape, std::size_t Dim>
void ask_shapes(benchmark::State& state, Crowd<Box, Dim>& crowd, Ask how) {
    Questions<Dim> questions{crowd.scene().world};
    std::vector<Shape> shapes(kQuestions);
    for (Shape& shape : shapes) {
        questions.make(shape);
    }
    BruteForce<Dim> truth;
    (void)truth.update(crowd.scene().agents());
    if (!are_right<Shape, Dim>(crowd.grid(), truth, shapes)) {
        state.SkipWithError("an answer differs from what looking at all agents finds");
        return;
    }
    std::vector<Id> ids(crowd.grid().size());
    std::vector<PathHit> met;
    std::uint64_t found = 0;
    Stopwatch watch;
    for (auto _ : state) {
        found = 0;
        watch.time([&] {
            for (const Shape& shape : shapes) {
                found += ask(crowd.grid(), shape, how, ids, met);
            }
        });
        watch.end_iteration(state);
    }
    report(state, watch, {kQuestions, found, crowd.grid().memory().index(), crowd.grid().size()});
}

template <class Shape, std::size_t Dim>
void add_shape(const char* name, SceneKind scene, std::size_t count) {
    // Names of benchmarks do not change, not even "_meetings", so that results can be compared with
    // older ones.
    constexpr std::pair<Ask, const char*> kWays[] = {{Ask::ids, ""},
                                                     {Ask::count, "_count"},
                                                     {Ask::any, "_any"},
                                                     {Ask::first, "_first"},
                                                     {Ask::path_hits, "_meetings"}};
    for (const auto& [how, suffix] : kWays) {
        if (!PathIn<Shape, Dim> && (how == Ask::first || how == Ask::path_hits)) { continue; }
        add<Box, Dim>(
            (std::string(name) + suffix).c_str(), scene, count,
            [way = how](auto& state, auto& crowd) { ask_shapes<Shape, Dim>(state, crowd, way); });
    }
}

template <std::size_t Dim>
void add_shapes(SceneKind scene, std::size_t count) {
    add_shape<Segment<Dim>, Dim>("segment", scene, count);
    add_shape<Capsule<Dim>, Dim>("capsule", scene, count);
    add_shape<Sector<Dim>, Dim>("sector", scene, count);
    add_shape<Cylinder<Dim>, Dim>("cylinder", scene, count);
    add_shape<OrientedBox<Dim>, Dim>("oriented_box", scene, count);
    add_shape<Convex<Dim>, Dim>("slab", scene, count);
}

} // namespace

void register_shapes(SceneKind scene, std::size_t count) {
    add_shapes<2>(scene, count);
    add_shapes<3>(scene, count);
}

} // namespace throng::bench
