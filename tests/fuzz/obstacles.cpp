// Obstacles that come, change and go, and all questions about them: each answer must be that of
// each obstacle asked alone, and batches must say what single questions do. What makes no sense is
// refused and changes nothing.
#include "../engine/obstacles/obstacle_scene.hpp"
#include "../support/threads/executors.hpp"
#include "fuzz.hpp"

#include <throng/engine/obstacles/moving.hpp>
#include <throng/engine/obstacles/obstacles.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr Id kIds = 24;
constexpr std::size_t kMostSteps = 60;
constexpr std::uint32_t kMostQuestions = 40;

/// A place in the order of answers.
template <std::size_t Dim>
auto rank(const ObstacleNear<Dim>& near) {
    return std::pair(near.distance, near.id);
}
template <std::size_t Dim>
auto rank(const ObstacleHit<Dim>& hit) {
    return std::pair(hit.time, hit.id);
}
inline Id rank(Id id) { return id; }

template <std::size_t Dim>
class Scene {
    using AnyObstacle = test::AnyObstacle<Dim>;

public:
    explicit Scene(Input& input) : input_(input) {}

    void run() {
        for (std::size_t s = 0; s < kMostSteps && !input_.empty(); ++s) {
            step();
        }
        check();
    }

private:
    struct One {
        AnyObstacle shape;
        std::uint32_t groups = kAllGroups;
        Obstacles<Dim> alone{}; ///< no other obstacle is in there
    };

    void step() {
        const std::uint32_t what = input_.below(16);
        if (what < 6) {
            edit();
        } else if (what == 6) {
            set();
        } else if (what == 7) {
            if (input_.below(8) == 0) {
                obstacles_.clear();
                model_.clear();
            }
            check();
        } else if (what == 8) {
            ask_many();
        } else if (what < 11) {
            ask_mover();
        } else if (what == 11) {
            const auto number = [this] { return input_.any_float(); };
            ask_distances(place(number), input_.any_float(), input_.filter(kIds));
        } else {
            ask_shape();
        }
    }

    // Numbers and shapes.

    template <class Number>
    static Point<Dim> place(const Number& number) {
        Point<Dim> place;
        for (float& x : place.axis) {
            x = number();
        }
        return place;
    }
    /// Half edges at right angles, on the lattice or not.
    OrientedBox<Dim> turned_box() {
        OrientedBox<Dim> box{input_.point<Dim>(), {}};
        static constexpr double kWays[][2] = {{1, 0}, {0, 1}, {3, 4}, {-1, 1}, {0.28, 0.96}};
        const std::uint32_t way = input_.below(5);
        const double x = kWays[way][0], y = kWays[way][1];
        std::array<std::array<double, Dim>, Dim> edges{};
        edges[0][0] = x;
        edges[0][1] = y;
        edges[1][0] = -y;
        edges[1][1] = x;
        if constexpr (Dim == 3) {
            edges[2][2] = 1.0;
            const std::uint32_t axis = input_.below(3); // about which axis it is turned
            for (auto& edge : edges) {
                std::rotate(edge.begin(), edge.begin() + axis, edge.end());
            }
        }
        for (std::size_t i = 0; i < Dim; ++i) {
            const double length = input_.length() * 0.25;
            for (std::size_t a = 0; a < Dim; ++a) {
                box.half_edges[i][a] = static_cast<float>(length * edges[i][a]);
            }
        }
        return box;
    }
    template <class Number, class Length>
    AnyObstacle obstacle(const Number& number, const Length& length, bool sane) {
        switch (input_.below(3)) {
        case 0: {
            const Point<Dim> one = place(number), other = place(number);
            Box<Dim> box{one, other};
            for (std::size_t a = 0; a < Dim && sane; ++a) {
                std::tie(box.lo[a], box.hi[a]) = std::minmax(one[a], other[a]);
            }
            return box;
        }
        case 1: {
            if (sane) { return turned_box(); }
            OrientedBox<Dim> box{place(number), {}};
            for (Point<Dim>& edge : box.half_edges) {
                edge = place(number);
            }
            return box;
        }
        default:
            const Point<Dim> one = place(number), other = place(number);
            if constexpr (Dim == 2) {
                return Wall{one, other, length()};
            } else {
                return Triangle{{one, other, place(number)}};
            }
        }
    }
    AnyObstacle any_obstacle() {
        const auto any = [this] { return input_.any_float(); };
        if (input_.below(8) == 0) { return obstacle(any, any, false); }
        return obstacle([this] { return input_.coordinate(); }, [this] { return input_.length(); },
                        true);
    }
    static Status check_of(const AnyObstacle& shape) {
        return std::visit([](const auto& of_kind) { return throng::obstacle::check(of_kind, 0); },
                          shape);
    }
    /// Whether a number of the obstacle is not finite, or too large: the plainest reasons to refuse
    /// it.
    static bool is_wild(const AnyObstacle& shape) {
        const auto wild = [](const Point<Dim>& point) {
            return std::any_of(point.axis.begin(), point.axis.end(),
                               [](float x) { return !(std::abs(x) <= kLargest); });
        };
        return std::visit(
            [&]<class Shape>(const Shape& of_kind) {
                if constexpr (std::is_same_v<Shape, Box<Dim>>) {
                    return wild(of_kind.lo) || wild(of_kind.hi);
                } else if constexpr (std::is_same_v<Shape, OrientedBox<Dim>>) {
                    return wild(of_kind.centre) ||
                           std::any_of(of_kind.half_edges.begin(), of_kind.half_edges.end(), wild);
                } else if constexpr (std::is_same_v<Shape, Wall>) {
                    return wild(of_kind.from) || wild(of_kind.to) ||
                           !(of_kind.thickness >= 0.0f && of_kind.thickness <= kLargest);
                } else {
                    return std::any_of(of_kind.corners.begin(), of_kind.corners.end(), wild);
                }
            },
            shape);
    }

    // Changes.

    static void put(std::map<Id, One>& model, Id id, const AnyObstacle& shape,
                    std::uint32_t groups) {
        One one{shape, groups};
        ASSERT_EQ(
            std::visit([&](const auto& of_kind) { return one.alone.insert(id, of_kind, groups); },
                       shape),
            Status{});
        model.insert_or_assign(id, std::move(one));
    }

    void edit() {
        const Id id = input_.below(kIds);
        const bool there = model_.contains(id);
        ASSERT_EQ(obstacles_.contains(id), there);
        const std::uint32_t what = input_.below(8);
        if (what == 0) {
            ASSERT_EQ(obstacles_.erase(id),
                      there ? Status{} : (Status{Cause::id_unknown, Argument::id, id}));
            model_.erase(id);
            return;
        }
        const AnyObstacle shape = any_obstacle();
        const std::uint32_t groups = input_.flip() ? kAllGroups : input_.below(16);
        const bool replaces = what == 1 ? !there : there; // the other way round is refused
        const Status valid = check_of(shape);
        if (is_wild(shape)) { ASSERT_FALSE(valid.ok()); }
        const Status status = std::visit(
            [&](const auto& of_kind) {
                return replaces ? obstacles_.replace(id, of_kind, groups)
                                : obstacles_.insert(id, of_kind, groups);
            },
            shape);
        if (valid.ok() && replaces == there) {
            ASSERT_EQ(status, Status{});
            ASSERT_NO_FATAL_FAILURE(put(model_, id, shape, groups));
        } else {
            ASSERT_FALSE(status.ok());
            ASSERT_TRUE(status.cause == valid.cause || status.cause == Cause::id_taken ||
                        status.cause == Cause::id_unknown);
            check();
        }
    }

    void set() {
        test::ObstacleTruth<Dim> lists;
        std::vector<std::uint32_t> groups;
        bool valid = true;
        for (std::uint32_t i = input_.below(kIds); i != 0; --i) {
            const AnyObstacle shape = any_obstacle();
            valid = valid && check_of(shape).ok();
            if (const auto* box = std::get_if<0>(&shape)) { lists.boxes.push_back(*box); }
            if (const auto* turned = std::get_if<1>(&shape)) { lists.turned.push_back(*turned); }
            if (const auto* thin = std::get_if<2>(&shape)) { lists.thin.push_back(*thin); }
            groups.push_back(input_.below(16));
        }
        if (input_.flip()) { lists.groups = groups; }
        const Status status = obstacles_.set(lists.arrays(), executor());
        ASSERT_EQ(status.ok(), valid);
        if (valid) {
            lists.list();
            model_.clear();
            for (const auto& one : lists.all) {
                ASSERT_NO_FATAL_FAILURE(put(model_, one.id, one.shape, one.groups));
            }
        }
        check();
    }

    void check() {
        ASSERT_STREQ(obstacles_.validate(), nullptr);
        ASSERT_EQ(obstacles_.size(), model_.size());
        std::vector<Id> ids, wanted;
        for (const auto& [id, one] : model_) {
            wanted.push_back(id);
        }
        const Box<Dim> all{Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)};
        ASSERT_EQ(obstacles_.query(all, ids).status, Status{});
        ASSERT_EQ(ids, wanted);
    }

    // Questions.

    Executor& executor() {
        switch (input_.below(3)) {
        case 0:
            return serial_executor();
        case 1:
            return shuffled_;
        default:
            static ThreadPool pool(2);
            return pool;
        }
    }

    /// The answers of query(question, answers, filter), which must be those of each obstacle alone.
    /// Returns whether the question made sense.
    template <class Answer, class Question>
    bool all_of(const Question& question, const Filter& filter, std::vector<Answer>& got) {
        std::vector<Answer> wanted, of_one;
        const Status valid = none_.query(question, of_one, filter).status;
        const Found found = obstacles_.query(question, got, filter);
        EXPECT_EQ(found.status, valid);
        if (!valid.ok()) { return false; }
        for (const auto& [id, one] : model_) {
            EXPECT_EQ(one.alone.query(question, of_one, filter).status, Status{});
            wanted.insert(wanted.end(), of_one.begin(), of_one.end());
        }
        std::sort(wanted.begin(), wanted.end(),
                  [](const Answer& a, const Answer& b) { return rank(a) < rank(b); });
        EXPECT_EQ(found.count, wanted.size());
        EXPECT_EQ(got, wanted);
        return true;
    }

    void ask_distances(const Point<Dim>& point, float within, const Filter& filter) {
        std::vector<ObstacleNear<Dim>> all;
        ObstacleNear<Dim> nearest;
        if (!all_of(Ball<Dim>{point, within}, filter, all)) {
            ASSERT_FALSE(obstacles_.nearest(point, nearest, within, filter).status.ok());
            return;
        }
        for (const float x : point.axis) {
            ASSERT_LE(std::abs(x), kLargest) << "and is finite";
        }
        const Found found = obstacles_.nearest(point, nearest, within, filter);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, all.empty() ? 0u : 1u);
        ASSERT_EQ(nearest, all.empty() ? ObstacleNear<Dim>{} : all[0]);
    }

    /// A path or a mover: all hits, and the first.
    template <class Path>
    void ask_hits(const Path& path, const Filter& filter) {
        std::vector<ObstacleHit<Dim>> all;
        ObstacleHit<Dim> first;
        const bool valid = all_of(path, filter, all);
        const Found found = obstacles_.first(path, first, filter);
        ASSERT_EQ(found.status.ok(), valid);
        if (!valid) { return; }
        ASSERT_EQ(found.count, all.empty() ? 0u : 1u);
        ASSERT_EQ(first, all.empty() ? ObstacleHit<Dim>{} : all[0]);
        if constexpr (std::is_same_v<Path, Segment<Dim>>) {
            ASSERT_EQ(obstacles_.sight(path, filter).count, all.empty() ? 1u : 0u);
        }
    }

    void ask_shape() {
        const auto ask = [&]<class Shape>(const Shape& shape) {
            const Filter filter = input_.filter(kIds);
            if constexpr (std::is_same_v<Shape, Ball<Dim>>) {
                ask_distances(shape.centre, shape.radius, filter);
            } else if constexpr (PathIn<Shape, Dim>) {
                ask_hits(shape, filter);
            } else {
                std::vector<Id> ids;
                (void)all_of(shape, filter, ids);
            }
        };
        const std::uint32_t kind = input_.below(8);
        if (kind == 0) {
            input_.with_any_shape<Dim>(ask);
        } else if (kind == 1) { // most other turned boxes are refused
            ask(turned_box());
        } else {
            input_.with_sane_shape<Dim>(ask);
        }
    }

    void ask_mover() {
        const bool wild = input_.below(8) == 0;
        const auto number = [&] { return wild ? input_.any_float() : input_.coordinate(); };
        const Filter filter = input_.filter(kIds);
        const Point<Dim> way = place(number);
        switch (input_.below(3)) {
        case 0: {
            const Point<Dim> centre = place(number);
            return ask_hits(Moving<Dim, Box>{Box<Dim>::around(centre, input_.extent<Dim>()), way},
                            filter);
        }
        case 1:
            return ask_hits(Moving<Dim, OrientedBox>{turned_box(), way}, filter);
        default:
            const Point<Dim> from = place(number), to = place(number);
            return ask_hits(Moving<Dim, Capsule>{{from, to, input_.length()}, way}, filter);
        }
    }

    /// Many questions at once: each answer is that of its question by itself.
    void ask_many() {
        const Filter filter = input_.filter(kIds);
        const std::uint32_t count = input_.below(kMostQuestions);
        std::vector<Point<Dim>> points;
        std::vector<Segment<Dim>> segments;
        std::vector<Capsule<Dim>> capsules;
        std::vector<Box<Dim>> boxes;
        Point<Dim> before = input_.point<Dim>();
        const float radius = input_.length();
        for (std::uint32_t i = 0; i < count; ++i) {
            points.push_back(input_.point<Dim>());
            segments.push_back({before, points.back()});
            capsules.push_back({before, points.back(), radius});
            boxes.push_back(Box<Dim>::around(before, Point<Dim>::all(radius)));
            if (i % 4 == 0) { before = points.back(); } // some look from the same place
        }
        std::vector<ObstacleNear<Dim>> near(count);
        std::vector<ObstacleHit<Dim>> hits(count), swept(count);
        std::vector<std::uint8_t> clear(count);
        Hits overlaps;
        const float within = input_.flip() ? kLargest : radius;
        ASSERT_EQ(obstacles_.nearest(points, near, executor(), within, filter).status, Status{});
        ASSERT_EQ(obstacles_.first(segments, hits, executor(), filter).status, Status{});
        ASSERT_EQ(obstacles_.first(capsules, swept, executor(), filter).status, Status{});
        ASSERT_EQ(obstacles_.sight(segments, clear, executor(), filter).status, Status{});
        const bool bounded = std::all_of(boxes.begin(), boxes.end(),
                                         [](const Box<Dim>& box) { return check_shape(box).ok(); });
        ASSERT_EQ(obstacles_.query(boxes, overlaps, executor(), filter).status.ok(), bounded);
        for (std::size_t i = 0; i < count; ++i) {
            ObstacleNear<Dim> one;
            ObstacleHit<Dim> hit, sweep;
            ASSERT_EQ(obstacles_.nearest(points[i], one, within, filter).status, Status{});
            ASSERT_EQ(near[i], one) << i;
            ASSERT_EQ(obstacles_.first(segments[i], hit, filter).status, Status{});
            ASSERT_EQ(hits[i], hit) << i;
            ASSERT_EQ(clear[i], hit.id == kNoId ? 1u : 0u) << i;
            ASSERT_EQ(obstacles_.first(capsules[i], sweep, filter).status, Status{});
            ASSERT_EQ(swept[i], sweep) << i;
            if (!bounded) { continue; }
            std::vector<Id> ids;
            ASSERT_EQ(obstacles_.query(boxes[i], ids, filter).status, Status{});
            ASSERT_TRUE(std::ranges::equal(overlaps.of(i), ids)) << i;
        }
    }

    Input& input_;
    Obstacles<Dim> obstacles_, none_;
    std::map<Id, One> model_;
    test::ShuffleExecutor shuffled_{7};
};

} // namespace

void run(Input& input) {
    if (input.flip()) {
        Scene<3>(input).run();
    } else {
        Scene<2>(input).run();
    }
}

} // namespace throng::fuzz
