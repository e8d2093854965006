// Obstacles in periodic worlds, and agents that look past them: answers must be those of a plain
// world in which copies of all obstacles stand all around. All places are on a grid, so that copies
// are exact.
#include "../engine/obstacles/copied_world.hpp"
#include "../support/ids.hpp"
#include "../support/threads/executors.hpp"
#include "fuzz.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/obstacles/moving.hpp>
#include <throng/parallel/sight/in_sight.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr std::size_t kMostSteps = 40;
constexpr std::size_t kMostCopies =
    729; // of all obstacles together: one, if all axes wrap in space
constexpr std::uint32_t kMostAgents = 12;
/// Rays go no farther on an axis: behind that a plain world with four copies on each side may lack
/// one. Places are up to 24 above a world that is 8 wide, and obstacles reach half its width.
constexpr float kFarthest = 11.0f;

using test::Ids;
using test::moved;

template <std::size_t Dim>
class Borders {
    using World = test::CopiedWorld<Dim>;

public:
    explicit Borders(Input& input) : input_(input), copied_(any_world(input)) {}

    void run() {
        std::size_t most = kMostCopies;
        for (const bool around : copied_.world.axes) {
            most /= around ? World::kSteps : 1;
        }
        for (std::size_t left = std::min<std::size_t>(most, 8); left != 0; --left) {
            const test::AnyObstacle<Dim> one = any_obstacle();
            if (copied_.fits(one)) { copied_.add(one, input_.below(8)); }
        }
        ASSERT_STREQ(copied_.around.validate(), nullptr);
        settle();
        for (std::size_t s = 0; s < kMostSteps && !input_.empty(); ++s) {
            step();
        }
        look_around();
    }

private:
    // What there is. Copies stand up to four periods away, which is as far as any question reaches.

    static test::Periodic<Dim> any_world(Input& input) {
        static constexpr float kLow[] = {0.0f, -4.0f, 2.5f};
        static constexpr float kSides[] = {8.0f, 16.0f, 9.5f};
        const std::uint32_t around = 1 + input.below((1u << Dim) - 1);
        test::Periodic<Dim> world;
        for (std::size_t a = 0; a < Dim; ++a) {
            world.bounds.lo[a] = input.any_of(kLow);
            world.bounds.hi[a] = world.bounds.lo[a] + input.any_of(kSides);
            world.axes[a] = (around >> a & 1) != 0;
        }
        return world;
    }
    /// A place from a period below the world to two above it, mostly on quarters.
    Point<Dim> place() {
        Point<Dim> place;
        for (std::size_t a = 0; a < Dim; ++a) {
            const auto byte = input_.raw<std::uint8_t>();
            place[a] = copied_.world.bounds.lo[a] + 0.25f * static_cast<float>(byte & 0x7F) - 8.0f;
            if (byte >= 0xC0) { place[a] += static_cast<float>(input_.below(256)) * 0x1p-10f; }
        }
        return place;
    }
    Point<Dim> way() {
        Point<Dim> way;
        for (float& x : way.axis) {
            x = 0.0625f * static_cast<float>(input_.raw<std::int8_t>());
        }
        return way;
    }
    float length() { return 0.0625f * static_cast<float>(input_.below(128)); }
    Point<Dim> extent() {
        Point<Dim> extent;
        for (float& x : extent.axis) {
            x = 0.5f * length();
        }
        return extent;
    }
    Box<Dim> any_box() { return any_box(place()); }
    Box<Dim> any_box(const Point<Dim>& centre) { return Box<Dim>::around(centre, extent()); }
    OrientedBox<Dim> turned_box() {
        OrientedBox<Dim> box = input_.turned_box<Dim>();
        box.centre = place();
        for (Point<Dim>& edge : box.half_edges) { // at most as long as other things here
            const bool is_long = std::any_of(edge.axis.begin(), edge.axis.end(),
                                             [](float x) { return !(std::abs(x) <= 8.0f); });
            if (is_long) { edge = {}; }
        }
        return box;
    }
    test::AnyObstacle<Dim> any_obstacle() {
        const Point<Dim> at = copied_.world.inside(place());
        switch (input_.below(3)) {
        case 0:
            return any_box(at);
        case 1: {
            OrientedBox<Dim> box = turned_box();
            box.centre = at;
            return box;
        }
        default:
            const Point<Dim> to = moved(at, way());
            if constexpr (Dim == 2) {
                return Wall{at, to, 0.25f * length()};
            } else {
                return Triangle{{at, to, moved(to, way())}};
            }
        }
    }

    // Questions to the obstacles.

    void step() {
        switch (input_.below(12)) {
        case 0:
        case 1:
            return ask(Ball<Dim>{place(), length()});
        case 2: {
            const Point<Dim> from = place();
            return ask(Segment<Dim>{from, moved(from, way())});
        }
        case 3: {
            const Point<Dim> from = place();
            return ask(Capsule<Dim>{from, moved(from, way()), 0.5f * length()});
        }
        case 4: {
            Ray<Dim> ray;
            ray.origin = place();
            ray.direction = way();
            ray.length = length();
            for (const float x : ray.direction.axis) {
                const float far = std::abs(x) * ray.length;
                if (far > kFarthest) { ray.length *= kFarthest / far; }
            }
            return ask(ray);
        }
        case 5:
            return ask(any_box());
        case 6:
            return ask(turned_box());
        case 7: {
            Sector<Dim> sector;
            sector.centre = place();
            sector.radius = length();
            sector.direction = way();
            sector.cosine = 0.25f * static_cast<float>(input_.below(9)) - 1.0f;
            return ask(sector);
        }
        case 8: {
            Cylinder<Dim> cylinder;
            cylinder.centre = place();
            cylinder.radius = length();
            cylinder.up = 1 + input_.below(Dim - 1);
            cylinder.low = cylinder.centre[cylinder.up] - length();
            cylinder.high = cylinder.low + length();
            return ask(cylinder);
        }
        case 9:
            return ask(Moving<Dim, Box>{any_box(), way()});
        case 10: {
            const Point<Dim> from = place();
            return ask(Moving<Dim, Capsule>{{from, moved(from, way()), 0.25f * length()}, way()});
        }
        default:
            return ask(Moving<Dim, OrientedBox>{turned_box(), way()});
        }
    }

    template <class Question>
    void ask(const Question& question) {
        const Filter filter{input_.flip() ? kAllGroups : input_.below(8), kNoId};
        if constexpr (std::is_same_v<Question, Ball<Dim>>) {
            std::vector<ObstacleNear<Dim>> near, wanted;
            ask(question, filter, near, wanted);
            ObstacleNear<Dim> nearest;
            const Found found =
                copied_.around.nearest(question.centre, nearest, question.radius, filter);
            ASSERT_EQ(found, (Found{near.empty() ? 0u : 1u, {}}));
            ASSERT_EQ(nearest, near.empty() ? ObstacleNear<Dim>{} : near.front());
        } else if constexpr (requires(ObstacleHit<Dim> hit) { none_.first(question, hit); }) {
            std::vector<ObstacleHit<Dim>> hits, wanted;
            if (!ask(question, filter, hits, wanted)) { return; }
            ObstacleHit<Dim> first;
            ASSERT_EQ(copied_.around.first(question, first, filter).status, Status{});
            ASSERT_EQ(first, hits.empty() ? ObstacleHit<Dim>{} : hits.front());
        } else {
            Ids ids, wanted;
            if (!none_.query(question, ids).ok()) { return; }
            ASSERT_EQ(copied_.around.query(question, ids, filter).status, Status{});
            ASSERT_EQ(copied_.plain.query(question, wanted, filter).status, Status{});
            ASSERT_EQ(ids, World::least(wanted));
        }
    }
    /// Returns whether the question makes sense.
    template <class Question, class Answer>
    bool ask(const Question& question, const Filter& filter, std::vector<Answer>& got,
             std::vector<Answer>& wanted) {
        const Status valid = copied_.plain.query(question, wanted, filter).status;
        EXPECT_EQ(copied_.around.query(question, got, filter).status, valid);
        constexpr bool kPlaces = !requires { question.way; }; // movers may touch at many
        if (valid.ok()) { EXPECT_TRUE(test::are_least<Dim>(got, wanted, filter, kPlaces)); }
        return valid.ok();
    }

    // Agents.

    void settle() {
        CrowdSettings<Dim> settings;
        settings.bounds = copied_.world.bounds;
        settings.periodic = copied_.world.axes;
        ASSERT_EQ(crowd_.configure(settings), Status{});
        for (std::uint32_t left = input_.below(kMostAgents + 1); left != 0; --left) {
            const Point<Dim> at = place();
            ASSERT_EQ(crowd_.insert(static_cast<Id>(places_.size()), {at, {}, {}}), Status{});
            places_.push_back(copied_.world.inside(at));
        }
    }

    void look_around() {
        if (places_.empty()) { return; }
        Hits all, seen;
        const Neighbourhood near{length(), input_.flip()};
        ASSERT_EQ(batch_.neighbours(crowd_, near, all, Order::ids).status, Status{});
        ASSERT_EQ(in_sight_.neighbours(crowd_, copied_.around, near, seen, Order::ids).status,
                  Status{});
        check_seen(places_, all, seen);
        std::vector<Point<Dim>> centres;
        std::vector<Ball<Dim>> balls;
        for (std::uint32_t left = input_.below(kMostAgents); left != 0; --left) {
            const Point<Dim> at = place();
            centres.push_back(copied_.world.inside(at));
            balls.push_back({at, length()});
        }
        ASSERT_EQ(batch_.query(crowd_, balls, all).status, Status{});
        ASSERT_EQ(in_sight_.query(crowd_, copied_.around, balls, seen).status, Status{});
        check_seen(centres, all, seen);
    }
    /// Who is seen must be all whom nothing hides; list k is seen from eyes[k].
    void check_seen(const std::vector<Point<Dim>>& eyes, const Hits& all, const Hits& seen) {
        ASSERT_EQ(seen.offsets.size(), all.offsets.size());
        for (std::size_t k = 0; k < eyes.size(); ++k) {
            Ids wanted;
            for (const Id id : all.of(k)) {
                if (copied_.sees(eyes[k], places_[id])) { wanted.push_back(id); }
            }
            ASSERT_TRUE(std::ranges::equal(seen.of(k), wanted)) << k;
        }
    }

    Input& input_;
    World copied_;
    Obstacles<Dim> none_;
    Crowd<Dim> crowd_;
    std::vector<Point<Dim>> places_; // of agents, in the world
    test::ShuffleExecutor executor_{7};
    Batch<Dim> batch_{executor_};
    InSight<Dim> in_sight_{executor_};
};

} // namespace

void run(Input& input) {
    if (input.flip()) {
        Borders<3>(input).run();
    } else {
        Borders<2>(input).run();
    }
}

} // namespace throng::fuzz
