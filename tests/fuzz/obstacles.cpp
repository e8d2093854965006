// Obstacles that come, change and go, in plain and in periodic worlds, and all questions about
// them: each answer must be that of each obstacle asked alone, and batches must say what single
// questions do. What makes no sense is refused and changes nothing; files bring everything back.
// What a periodic world means is left to the target `borders`.
#include "../engine/obstacles/obstacle_scene.hpp"
#include "../support/threads/executors.hpp"
#include "fuzz.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>
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
        if (input_.flip()) { configure(); }
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
        Status valid{};         ///< what inserting it there returned
    };

    void step() {
        const std::uint32_t what = input_.below(16);
        if (what < 6) {
            edit();
        } else if (what == 6) {
            set();
        } else if (what == 7) {
            const std::uint32_t rare = input_.below(16);
            if (rare < 2) {
                obstacles_.clear();
                model_.clear();
            } else if (rare < 4) {
                configure();
            } else if (rare < 8) {
                save_and_load();
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
            if (sane) { return input_.turned_box<Dim>(); }
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
    /// Another world, which is like none_, forgets all obstacles.
    void configure() {
        static constexpr float kSides[] = {16.0f, 4.0f, 7.9f, 1e6f, 0.0f};
        const std::uint32_t around = input_.below(1u << Dim);
        std::array<bool, Dim> periodic;
        for (std::size_t a = 0; a < Dim; ++a) {
            periodic[a] = (around >> a & 1) != 0;
        }
        Box<Dim> bounds{input_.point<Dim>(), {}};
        for (std::size_t a = 0; a < Dim; ++a) {
            bounds.hi[a] = bounds.lo[a] + input_.any_of(kSides);
        }
        if (input_.below(16) == 0) {
            bounds.hi = place([this] { return input_.any_float(); });
        }
        const Status status = obstacles_.configure(bounds, periodic);
        if (around != 0) {
            Crowd<Dim> crowd;
            ASSERT_EQ(status, crowd.configure({bounds, {}, {}, periodic}));
        }
        if (status.ok()) {
            ASSERT_EQ(none_.configure(bounds, periodic), Status{});
            bounds_ = bounds;
            periodic_ = periodic;
            model_.clear();
        }
        check();
    }
    void save_and_load() {
        std::vector<std::byte> kept, again;
        Obstacles<Dim> back;
        ASSERT_EQ(save(obstacles_, kept), Status{});
        ASSERT_EQ(load(back, std::span<const std::byte>(kept)), Status{});
        ASSERT_EQ(save(back, again), Status{});
        ASSERT_EQ(kept, again);
        obstacles_ = std::move(back);
    }
    /// An obstacle alone in the world.
    One alone(Id id, const AnyObstacle& shape, std::uint32_t groups) const {
        One one{shape, groups};
        if (periodic_ != std::array<bool, Dim>{}) {
            EXPECT_EQ(one.alone.configure(bounds_, periodic_), Status{});
        }
        const auto put = [&](const auto& of_kind) { return one.alone.insert(id, of_kind, groups); };
        one.valid = std::visit(put, shape);
        return one;
    }
    /// Whether the obstacle is wider than the world, or a number of it is not finite, or too large:
    /// the plainest reasons to refuse it.
    bool is_wild(const AnyObstacle& shape) const {
        const auto wild = [](const Point<Dim>& point) {
            return std::any_of(point.axis.begin(), point.axis.end(),
                               [](float x) { return !(std::abs(x) <= kLargest); });
        };
        return std::visit(
            [&]<class Shape>(const Shape& of_kind) {
                if constexpr (std::is_same_v<Shape, Box<Dim>>) {
                    bool wide = false;
                    for (std::size_t a = 0; a < Dim; ++a) {
                        const double period = double{bounds_.hi[a]} - double{bounds_.lo[a]};
                        const double side = double{of_kind.hi[a]} - double{of_kind.lo[a]};
                        // The ends are rounded where it is brought into the world: together by
                        // 2^-23 of the farther border at most.
                        const double farther =
                            std::max(std::abs(bounds_.lo[a]), std::abs(bounds_.hi[a]));
                        const double widest = 1.001 * period + 0x1p-23 * farther;
                        wide = wide || (periodic_[a] && side > widest);
                    }
                    return wide || wild(of_kind.lo) || wild(of_kind.hi);
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
        One one = alone(id, shape, groups);
        const Status valid = one.valid;
        if (is_wild(shape)) { ASSERT_FALSE(valid.ok()); }
        const Status status = std::visit(
            [&](const auto& of_kind) {
                return replaces ? obstacles_.replace(id, of_kind, groups)
                                : obstacles_.insert(id, of_kind, groups);
            },
            shape);
        if (valid.ok() && replaces == there) {
            ASSERT_EQ(status, Status{});
            model_.insert_or_assign(id, std::move(one));
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
            valid = valid && alone(0, shape, kAllGroups).valid.ok();
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
                model_.insert_or_assign(one.id, alone(one.id, one.shape, one.groups));
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
            ask(input_.turned_box<Dim>());
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
            return ask_hits(Moving<Dim, OrientedBox>{input_.turned_box<Dim>(), way}, filter);
        default:
            const Point<Dim> from = place(number), to = place(number);
            return ask_hits(Moving<Dim, Capsule>{{from, to, input_.length()}, way}, filter);
        }
    }

    /// The answers to many questions must be those that single(question, answer) gives; where it
    /// refuses one, all are refused.
    template <class Question, class Answer, class Single>
    static void compare(const std::vector<Question>& all, const Status& status,
                        const std::vector<Answer>& got, const Single& single) {
        std::vector<Answer> wanted(all.size());
        bool valid = true;
        for (std::size_t i = 0; i < all.size(); ++i) {
            valid = single(all[i], wanted[i]).ok() && valid;
        }
        ASSERT_EQ(status.ok(), valid);
        if (valid) { ASSERT_EQ(got, wanted); }
    }
    /// The lists of all questions, or as many empty ones after a refusal.
    template <class Answer, class Lists>
    static std::vector<std::vector<Answer>> lists_of(std::size_t count, const Lists& lists,
                                                     const Status& status) {
        std::vector<std::vector<Answer>> all(count);
        for (std::size_t i = 0; status.ok() && i < count; ++i) {
            all[i].assign(lists.of(i).begin(), lists.of(i).end());
        }
        return all;
    }

    void ask_many() {
        const Filter filter = input_.filter(kIds);
        const std::uint32_t count = input_.below(kMostQuestions);
        std::vector<Point<Dim>> points;
        std::vector<Segment<Dim>> segments;
        std::vector<Capsule<Dim>> capsules;
        std::vector<Box<Dim>> boxes;
        std::vector<Ball<Dim>> balls;
        Point<Dim> before = input_.point<Dim>();
        const float radius = input_.length();
        for (std::uint32_t i = 0; i < count; ++i) {
            points.push_back(input_.point<Dim>());
            segments.push_back({before, points.back()});
            capsules.push_back({before, points.back(), radius});
            boxes.push_back(Box<Dim>::around(before, Point<Dim>::all(radius)));
            balls.push_back({points.back(), radius});
            if (i % 4 == 0) { before = points.back(); } // some look from the same place
        }
        const float within = input_.flip() ? kLargest : radius;
        std::vector<ObstacleNear<Dim>> near(count);
        std::vector<ObstacleHit<Dim>> hits(count);
        std::vector<std::uint8_t> clear(count);
        Hits overlaps;
        ObstaclesWithin<Dim> all_near;
        const auto first = [&](const auto& path, ObstacleHit<Dim>& hit) {
            return obstacles_.first(path, hit, filter).status;
        };
        const auto query = [&](const auto& shape, auto& found) {
            return obstacles_.query(shape, found, filter).status;
        };
        Status status = obstacles_.nearest(points, near, executor(), within, filter).status;
        compare(points, status, near, [&](const auto& point, auto& one) {
            return obstacles_.nearest(point, one, within, filter).status;
        });
        compare(segments, obstacles_.first(segments, hits, executor(), filter).status, hits, first);
        compare(capsules, obstacles_.first(capsules, hits, executor(), filter).status, hits, first);
        status = obstacles_.sight(segments, clear, executor(), filter).status;
        compare(segments, status, clear, [&](const auto& segment, std::uint8_t& sees) {
            ObstacleHit<Dim> hit;
            const Status valid = obstacles_.first(segment, hit, filter).status;
            sees = hit.id == kNoId ? 1 : 0;
            return valid;
        });
        status = obstacles_.query(boxes, overlaps, executor(), filter).status;
        compare(boxes, status, lists_of<Id>(count, overlaps, status), query);
        status = obstacles_.query(balls, all_near, executor(), filter).status;
        compare(balls, status, lists_of<ObstacleNear<Dim>>(count, all_near, status), query);
    }

    Input& input_;
    Box<Dim> bounds_{};
    std::array<bool, Dim> periodic_{};
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
