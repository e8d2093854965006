// A model of a periodic world: the crowd is repeated in it again and again.
#pragma once

#include "../../family/truth.hpp"
#include "../../support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/world.hpp>
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/shapes/agent_test.hpp>
#include <throng/engine/shapes/bounds.hpp>
#include <throng/engine/shapes/translated.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace throng::test {

template <std::size_t Dim>
struct Periodic {
    Box<Dim> bounds;
    std::array<bool, Dim> axes;

    [[nodiscard]] float period(std::size_t a) const { return bounds.hi[a] - bounds.lo[a]; }
    [[nodiscard]] Point<Dim> inside(Point<Dim> point) const {
        for (std::size_t a = 0; a < Dim; ++a) {
            if (axes[a]) { point[a] = wrapped(point[a], bounds.lo[a], bounds.hi[a]); }
        }
        return point;
    }
    /// Calls visit(steps) for all whole steps from -most to most on periodic axes.
    template <class Visit>
    void for_each_step(int most, const Visit& visit) const {
        Offset<Dim> steps{};
        for (std::size_t a = 0; a < Dim; ++a) {
            steps[a] = axes[a] ? -most : 0;
        }
        for (bool more = true; more;) {
            visit(steps);
            more = false;
            for (std::size_t a = 0; a < Dim && !more; ++a) {
                if (!axes[a]) { continue; }
                more = steps[a] < most;
                steps[a] = more ? steps[a] + 1.0 : -most;
            }
        }
    }
};

/// The agents of a crowd, with their arrays.
template <std::size_t Dim>
struct People {
    std::vector<Point<Dim>> positions, halves;
    std::vector<std::uint32_t> groups;

    void add(const Point<Dim>& position, const Point<Dim>& half, std::uint32_t mask = 1) {
        positions.push_back(position);
        halves.push_back(half);
        groups.push_back(mask);
    }
    [[nodiscard]] std::size_t size() const { return positions.size(); }
    [[nodiscard]] Agents<Dim> agents() const {
        Agents<Dim> agents;
        agents.positions = view(positions);
        agents.half_extents = view(halves);
        agents.groups = {groups.data(), sizeof(std::uint32_t), groups.size()};
        return agents;
    }

private:
    static PointView<Dim> view(const std::vector<Point<Dim>>& points) {
        const float* const first = points.empty() ? nullptr : points[0].axis.data();
        return PointView<Dim>::interleaved(first, points.size(), sizeof(Point<Dim>));
    }
};

/// The right answers of a crowd in a periodic world, agent by agent.
template <std::size_t Dim>
class PeriodicTruth {
public:
    struct Person {
        Point<Dim> position, half;
        std::uint32_t groups;
    };

    explicit PeriodicTruth(const Periodic<Dim>& world) : world_(world) {}

    void put(Id id, const Point<Dim>& position, const Point<Dim>& half, std::uint32_t groups) {
        people_[id] = {world_.inside(position), half, groups};
    }
    void put_all(const People<Dim>& people, Id first) {
        for (std::size_t i = 0; i < people.size(); ++i) {
            put(first + static_cast<Id>(i), people.positions[i], people.halves[i],
                people.groups[i]);
        }
    }
    void erase(Id id) { people_.erase(id); }
    void move(Id id, const Point<Dim>& position) {
        people_.at(id).position = world_.inside(position);
    }
    [[nodiscard]] const std::map<Id, Person>& people() const { return people_; }

    /// By definition: the shape is put into the world and moved by whole periods, and each copy
    /// decides with its own test. No copy is left out that could hit an agent, except, for agents
    /// wider than the world, copies whose bounds do not come within a period of it.
    template <class Shape>
    [[nodiscard]] std::map<Id, float> hits(const Shape& shape, const Filter& filter,
                                           int most = 5) const {
        Offset<Dim> home{};
        const Offset<Dim> at = detail::ShapeFacts<Shape>::anchor(shape);
        for (std::size_t a = 0; a < Dim; ++a) {
            const auto& [lo, hi] = world_.bounds;
            if (world_.axes[a]) { home[a] = put_between(at[a], lo[a], hi[a]) - at[a]; }
        }
        std::map<Id, float> found;
        world_.for_each_step(most, [&](const Offset<Dim>& steps) {
            Offset<Dim> by = home;
            for (std::size_t a = 0; a < Dim; ++a) {
                by[a] += steps[a] * static_cast<double>(world_.period(a));
            }
            add_hits(shifted(shape, by), filter, found);
        });
        return found;
    }

    [[nodiscard]] std::vector<Near> nearest(const Point<Dim>& point, const Nearest& nearest,
                                            const Filter& filter) const {
        std::map<Id, float> best;
        world_.for_each_step(1, [&](const Offset<Dim>& steps) {
            Point<Dim> image = world_.inside(point);
            for (std::size_t a = 0; a < Dim; ++a) {
                image[a] += static_cast<float>(steps[a]) * world_.period(a);
            }
            for (const auto& [id, person] : people_) {
                if (!wanted(id, person, filter) ||
                    !contains(Ball<Dim>{image, nearest.radius}, person.position)) {
                    continue;
                }
                const float distance2 = distance2_between(image, person.position);
                const auto [at, is_new] = best.emplace(id, distance2);
                if (!is_new) { at->second = std::min(at->second, distance2); }
            }
        });
        std::vector<Near> all;
        for (const auto& [id, distance2] : best) {
            all.push_back({distance2, id});
        }
        std::sort(all.begin(), all.end(), [](const Near& a, const Near& b) {
            return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.id < b.id;
        });
        if (all.size() > nearest.k) { all.resize(nearest.k); }
        return all;
    }

    /// The smaller id comes first; statics make no pairs.
    [[nodiscard]] IdPairs pairs(std::uint32_t groups, int most = 1) const {
        IdPairs pairs;
        for (const auto& [a, one] : people_) {
            for (const auto& [b, other] : people_) {
                if (a >= b || is_static(a) || !wanted(a, one, {groups}) ||
                    !wanted(b, other, {groups})) {
                    continue;
                }
                if (overlap(one, other, most)) { pairs.emplace_back(a, b); }
            }
        }
        return pairs;
    }

private:
    static bool wanted(Id id, const Person& person, const Filter& filter) {
        return id != filter.without &&
               (filter.groups == kAllGroups || (person.groups & filter.groups) != 0);
    }

    template <class Shape>
    void add_hits(const Shape& image, const Filter& filter, std::map<Id, float>& found) const {
        const AgentTest<Shape> test(image);
        const bool is_near = comes_within_a_period(ShapeGate<Dim>(image).bounds());
        for (const auto& [id, person] : people_) {
            if (!wanted(id, person, filter) || !test.hits(person.position, person.half)) {
                continue;
            }
            if (!is_near && is_wide(person)) { continue; }
            float time = 0.0f;
            if constexpr (PathIn<Shape, Dim>) { time = test.time(person.position, person.half); }
            const auto [at, is_new] = found.emplace(id, time);
            if (!is_new) { at->second = std::min(at->second, time); }
        }
    }

    [[nodiscard]] bool comes_within_a_period(const Box<Dim>& bounds) const {
        bool near = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            near = near &&
                   (!world_.axes[a] || (bounds.lo[a] <= world_.bounds.hi[a] + world_.period(a) &&
                                        bounds.hi[a] >= world_.bounds.lo[a] - world_.period(a)));
        }
        return near;
    }
    [[nodiscard]] bool is_wide(const Person& person) const {
        bool wide = false;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float widest = std::max(person.half[a], person.half[0]);
            wide = wide || (world_.axes[a] && 1.001f * widest > world_.period(a));
        }
        return wide;
    }

    [[nodiscard]] bool overlap(const Person& one, const Person& other, int most) const {
        bool any = false;
        world_.for_each_step(most, [&](const Offset<Dim>& steps) {
            Point<Dim> image = one.position;
            for (std::size_t a = 0; a < Dim; ++a) {
                image[a] += static_cast<float>(steps[a]) * world_.period(a);
            }
            any = any || overlaps(Box<Dim>::around(image, one.half), other.position, other.half);
        });
        return any;
    }

    Periodic<Dim> world_;
    std::map<Id, Person> people_;
};

/// The agents, and copies of them one period further, two periods further ..., to be asked with
/// plain shapes. Right where no coordinate needs to be rounded.
template <std::size_t Dim>
class Copies {
public:
    static constexpr int kMost = 5;

    Copies(const Periodic<Dim>& world, const PeriodicTruth<Dim>& truth) {
        People<Dim> copies;
        world.for_each_step(kMost, [&](const Offset<Dim>& steps) {
            for (const auto& [id, person] : truth.people()) {
                Point<Dim> there = person.position;
                for (std::size_t a = 0; a < Dim; ++a) {
                    there[a] += static_cast<float>(steps[a]) * world.period(a);
                }
                copies.add(there, person.half, person.groups);
                id_of_.push_back(id);
            }
        });
        EXPECT_EQ(copies_.update(copies.agents()), Status{});
    }

    template <class Shape>
    [[nodiscard]] Ids hits(const Shape& shape, const Filter& filter) const {
        Ids ids;
        for (const Id copy : visited(copies_, shape, Filter{filter.groups, kNoId})) {
            if (id_of_[copy] != filter.without) { ids.push_back(id_of_[copy]); }
        }
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return ids;
    }

private:
    BruteForce<Dim> copies_;
    std::vector<Id> id_of_;
};

/// Random shapes around a world, some much larger than it, or far outside. With a grain, every
/// coordinate is a multiple of it.
template <std::size_t Dim>
class PeriodicShapes {
public:
    PeriodicShapes(const Periodic<Dim>& world, float grain, std::uint64_t seed)
        : world_(world), grain_(grain), random_(seed) {}

    Point<Dim> point() {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float side = world_.period(a);
            point[a] = number(world_.bounds.lo[a] - side, world_.bounds.hi[a] + side);
            // On the border, and one float beside it.
            constexpr float kInfinity = std::numeric_limits<float>::infinity();
            const bool beside = grain_ == 0.0f && random_.below(3) == 0;
            switch (random_.below(8)) {
            case 0:
                point[a] = world_.bounds.lo[a];
                if (beside) { point[a] = std::nextafter(point[a], -kInfinity); }
                break;
            case 1:
                point[a] = world_.bounds.hi[a];
                if (beside) { point[a] = std::nextafter(point[a], -kInfinity); }
                break;
            default:
                break;
            }
        }
        return point;
    }
    /// Up to some part of the world, on each axis.
    Point<Dim> extent(float part) {
        Point<Dim> extent;
        for (std::size_t a = 0; a < Dim; ++a) {
            extent[a] = number(0.0f, part * world_.period(a));
        }
        return extent;
    }
    float length(float part) { return number(0.0f, part * world_.period(0)); }

    /// The size of a shape as a part of the world: mostly small.
    float part() {
        constexpr std::array<float, 5> kParts = {0.05f, 0.2f, 0.2f, 0.6f, 1.5f};
        return kParts[random_.below(5)];
    }

    Box<Dim> box() {
        Box<Dim> box = Box<Dim>::around(point(), extent(part()));
        if (random_.below(16) == 0) { std::swap(box.lo, box.hi); }
        return random_.below(8) == 0 ? Box<Dim>::at(box.lo) : box;
    }
    Ball<Dim> ball() { return {point(), length(part())}; }
    Sector<Dim> sector() {
        constexpr std::array<float, 5> kCosines = {-1.0f, -0.5f, 0.0f, 0.5f, 1.0f};
        return {point(), length(part()), direction(), kCosines[random_.below(5)]};
    }
    Segment<Dim> segment() {
        const Point<Dim> from = point();
        return {from, plus(from, extent(part()))};
    }
    Ray<Dim> ray() { return {point(), direction(), length(part()) / 4.0f}; }
    Capsule<Dim> capsule() {
        const Point<Dim> from = point();
        return {from, plus(from, extent(part())), length(part() / 4.0f)};
    }
    OrientedBox<Dim> oriented_box() {
        OrientedBox<Dim> box{point()};
        for (Point<Dim>& edge : box.half_edges) {
            edge = plus({}, extent(part() / 2.0f));
        }
        return box;
    }
    Cylinder<Dim> cylinder() {
        const auto up = static_cast<std::uint32_t>(1 + random_.below(Dim - 1));
        const Point<Dim> foot = point();
        const Point<Dim> top = plus(foot, extent(part()));
        Cylinder<Dim> cylinder{foot, length(part()), foot[up], top[up], up};
        if (random_.below(16) == 0) { std::swap(cylinder.low, cylinder.high); }
        return cylinder;
    }
    Convex<Dim> convex() {
        Convex<Dim> convex;
        const Point<Dim> middle = point();
        convex.bounds = Box<Dim>::around(middle, extent(part()));
        for (; convex.count < 3; ++convex.count) {
            HalfSpace<Dim>& side = convex.sides[convex.count];
            side.normal = direction();
            for (std::size_t a = 0; a < Dim; ++a) {
                side.offset += side.normal[a] * middle[a];
            }
            side.offset += length(0.3f);
        }
        return convex;
    }

private:
    using Random = scenes::Random;

    float number(float low, float high) {
        const float number = random_.between(low, high);
        return grain_ == 0.0f ? number : std::floor(number / grain_) * grain_;
    }
    /// Small whole numbers, not all of them zero.
    Point<Dim> direction() {
        Point<Dim> direction;
        for (std::size_t a = 0; a < Dim; ++a) {
            direction[a] = static_cast<float>(random_.below(7)) - 3.0f;
        }
        if (direction == Point<Dim>{}) { direction[0] = 1.0f; }
        return direction;
    }
    /// To either side on each axis.
    Point<Dim> plus(const Point<Dim>& from, const Point<Dim>& extent) {
        Point<Dim> to;
        for (std::size_t a = 0; a < Dim; ++a) {
            to[a] = random_.below(2) == 0 ? from[a] + extent[a] : from[a] - extent[a];
        }
        return to;
    }

    Periodic<Dim> world_;
    float grain_;
    Random random_;
};

} // namespace throng::test
