// A Crowd beside the oracle.
#pragma once

#include "../../family/questions.hpp"
#include "../../support/apply_edit.hpp"
#include "../../support/conditions.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/truth.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace throng::test {

inline constexpr Sets kSomeSets[] = {Sets::none,    Sets::small,
                                     Sets::giants,  Sets::agents,
                                     Sets::statics, Sets::small | Sets::statics,
                                     Sets::all,     Sets::giants | Sets::statics};

/// A scene of agents with extents of their own: common ones, and giants, `factor` times their size,
/// where is_giant(i) is true.
template <std::size_t Dim>
scenes::Scene<Dim> with_giants(std::size_t count, const std::function<bool(std::size_t)>& is_giant,
                               float factor = 32.0f, scenes::Groups groups = scenes::Groups::none) {
    scenes::Scene<Dim> scene = scenes::make<Dim>("uniform", count, groups);
    for (std::vector<float>& axis : scene.half_extent) {
        axis.assign(scene.size(), 0.25f);
        for (std::size_t i = 0; i < scene.size(); ++i) {
            if (is_giant(i)) { axis[i] *= factor; }
        }
    }
    return scene;
}

/// A crowd and its oracle, with the same changes and the same questions.
template <std::size_t Dim>
class CrowdTruth {
public:
    Crowd<Dim> crowd;
    Truth<Dim> oracle;

    CrowdTruth() { oracle.go_by(crowd); }
    CrowdTruth(const CrowdTruth&) = delete;
    CrowdTruth& operator=(const CrowdTruth&) = delete;

    Status update(scenes::Scene<Dim>& scene, Executor& executor = serial_executor()) {
        const Status status = crowd.update(scene.agents(), executor);
        EXPECT_EQ(oracle.update(scene.agents()), status);
        return status;
    }
    void set_statics(scenes::Scene<Dim>& scene) {
        ASSERT_EQ(crowd.set_statics(scene.agents()), Status{});
        ASSERT_EQ(oracle.set_statics(scene.agents()), Status{});
    }
    Status apply(const Edit<Dim>& edit) {
        const Status status = apply_to(crowd, edit);
        EXPECT_EQ(oracle.edit(edit), status);
        return status;
    }
    Status apply(std::span<const Edit<Dim>> edits) {
        const Status status = crowd.edit(edits);
        EXPECT_EQ(oracle.edit(edits), status);
        return status;
    }

    template <class Shape>
    void check(const Shape& shape, const Filter& filter, Sets sets) const {
        const Ids right = wanted(shape, filter, sets);
        Ids got;
        const Found found = crowd.visit(
            shape,
            [&](std::span<const Id> run) {
                EXPECT_FALSE(run.empty());
                got.insert(got.end(), run.begin(), run.end());
                return true;
            },
            filter, sets);
        ASSERT_EQ(found.count, right.size());
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(oracle.settled(got), right);
        ASSERT_EQ(crowd.count(shape, filter, sets).count, right.size());
        ASSERT_EQ(crowd.any(shape, filter, sets).count, right.empty() ? 0u : 1u);
        for (const std::size_t room : {got.size(), got.size() / 2, std::size_t{0}}) {
            Ids out(room + 20, 0xC0FF'EE00u);
            Ids first(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(room));
            first.resize(room + 20, 0xC0FF'EE00u);
            ASSERT_EQ(crowd.query(shape, std::span<Id>(out).first(room), filter, sets).count,
                      got.size());
            ASSERT_EQ(out, first);
        }
        for (const std::size_t before : {std::size_t{0}, got.size() + 3}) {
            Ids grown(before, 0xC0FF'EE00u);
            ASSERT_EQ(crowd.query(shape, grown, filter, sets).count, got.size());
            ASSERT_EQ(grown, got);
        }
        // A visitor that stops is not called again, whichever set it stopped in.
        std::size_t runs = 0;
        (void)crowd.visit(
            shape, [&](std::span<const Id>) { return ++runs < 2; }, filter, sets);
        ASSERT_LE(runs, 2u);
    }

    template <class Shape>
    void check_each(const std::vector<Shape>& shapes) const {
        static constexpr Filter kFilters[] = {
            {}, {0x3u}, {kAllGroups, 3}, {0u}, {0x6u, static_id(2)}};
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            SCOPED_TRACE(testing::Message() << "question " << i);
            ASSERT_NO_FATAL_FAILURE(check(shapes[i], kFilters[i % 5], kSomeSets[i % 8]));
            ASSERT_NO_FATAL_FAILURE(check(shapes[i], kFilters[0], Sets::all));
        }
        for (const Sets sets : kSomeSets) {
            Hits hits;
            ASSERT_EQ(crowd.query(shapes, hits, kFilters[1], sets), Status{});
            for (std::size_t i = 0; i < shapes.size(); ++i) {
                ASSERT_EQ(oracle.settled(hits.of(i)), wanted(shapes[i], kFilters[1], sets));
            }
        }
    }

    void check_nearest(const Point<Dim>& point, const Nearest& question, const Filter& filter,
                       Sets sets) const {
        std::vector<Near> got(question.k);
        got.resize(crowd.nearest(point, question, got, filter, sets).count);
        ASSERT_EQ(got, oracle.nearest_to(point, question, filter, sets));
        check_conditions(crowd, oracle, point, question, filter, sets);
    }

    template <class Path>
    void check_path(const Path& path, const Filter& filter, Sets sets) const {
        const std::vector<PathHit> right = oracle.hits(path, filter, sets);
        std::vector<PathHit> got;
        ASSERT_EQ(crowd.hits(path, got, filter, sets), Status{});
        ASSERT_EQ(got, right);
        constexpr PathHit kUntouched{-1.0f, 77};
        PathHit first = kUntouched;
        ASSERT_EQ(crowd.first(path, first, filter, sets).count, right.empty() ? 0u : 1u);
        ASSERT_EQ(first, right.empty() ? kUntouched : right.front());
        check_first_after(crowd, path, right, filter, sets);
    }

    void check_pairs(PairSets sets, std::uint32_t groups, Body body = Body::box) const {
        const IdPairs right = oracle.pairs(groups, sets, 1, body);
        Ids firsts, seconds;
        const Found found = crowd.visit_pairs(
            sets,
            [&](std::span<const Id> first, std::span<const Id> second) {
                EXPECT_EQ(first.size(), second.size());
                EXPECT_FALSE(first.empty());
                firsts.insert(firsts.end(), first.begin(), first.end());
                seconds.insert(seconds.end(), second.begin(), second.end());
                return true;
            },
            groups, body);
        ASSERT_EQ(found.count, right.size());
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(oracle.settled(firsts, seconds), right);
        for (const std::size_t enough : {1u, 2u, 7u}) {
            std::size_t runs = 0;
            (void)crowd.visit_pairs(
                sets, [&](auto, auto) { return ++runs < enough; }, groups, body);
            ASSERT_LE(runs, enough);
        }
    }

    /// Checks every kind of question.
    void check_all(const Questions<Dim>& questions) const {
        ASSERT_STREQ(crowd.validate(), nullptr);
        ASSERT_EQ(crowd.size(), oracle.size());
        ASSERT_EQ(crowd.kind(), oracle.kind());
        ASSERT_EQ(crowd.size(Sets::statics), oracle.statics());
        check_order();
        const auto check_shapes = [&](const auto&... shapes) { (check_each(shapes), ...); };
        const auto& others = questions.others;
        ASSERT_NO_FATAL_FAILURE(check_shapes(
            questions.boxes, questions.balls, others.segments, others.rays, others.capsules,
            others.sectors, others.convexes, others.oriented_boxes, others.cylinders,
            others.body_balls, others.body_sectors, others.body_cylinders));
        for (const Sets sets : kSomeSets) {
            for (std::size_t i = 0; i < 6; ++i) {
                const Filter filter = i % 2 == 0 ? Filter{} : Filter{0x3u, 5};
                const Point<Dim>& point = questions.balls[i % questions.balls.size()].centre;
                ASSERT_NO_FATAL_FAILURE(
                    check_nearest(point, {1u + 9u * static_cast<Id>(i)}, filter, sets));
                ASSERT_NO_FATAL_FAILURE(
                    check_path(others.segments[i % others.segments.size()], filter, sets));
                ASSERT_NO_FATAL_FAILURE(
                    check_path(others.rays[i % others.rays.size()], filter, sets));
                ASSERT_NO_FATAL_FAILURE(
                    check_path(others.capsules[i % others.capsules.size()], filter, sets));
            }
        }
        for (unsigned sets = 0; sets < 32; ++sets) {
            const std::uint32_t groups = sets % 3 == 0 ? 0x3u : kAllGroups;
            for (const Body body : {Body::box, Body::disc}) {
                ASSERT_NO_FATAL_FAILURE(check_pairs(static_cast<PairSets>(sets), groups, body))
                    << sets;
            }
        }
        ASSERT_NO_FATAL_FAILURE(check_pairs(PairSets::all, 0u));
    }

    void check_order() const {
        Ids right = wanted(everywhere(), {}, Sets::agents), got(crowd.size());
        ASSERT_EQ(crowd.order(got), got.size());
        ASSERT_EQ(got, right);
        for (const Id id : right) {
            ASSERT_TRUE(crowd.contains(id));
            ASSERT_LT(id, crowd.id_bound());
        }
        const std::size_t some = got.size() * 2 / 3;
        Ids first(some + 1, 7);
        ASSERT_EQ(crowd.order(std::span<Id>(first).first(some)), got.size());
        right.resize(some);
        right.push_back(7);
        ASSERT_EQ(first, right);
    }

    static Box<Dim> everywhere() { return {Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)}; }

private:
    template <class Shape>
    Ids wanted(const Shape& shape, const Filter& filter, Sets sets) const {
        return oracle.by_set(oracle.ids_in(shape, filter, sets));
    }
};

/// A crowd of 400 agents and some statics, laid out as their scene suggests.
template <class Constant>
class CrowdOf400 : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Constant::value;

    void take(const std::function<bool(std::size_t)>& is_giant,
              scenes::Groups groups = scenes::Groups::none) {
        scene_ = with_giants<kAxes>(400, is_giant, 32.0f, groups);
        still_ = scenes::make<kAxes>("mixed_sizes", 30);
        const CrowdKind<kAxes> kind{true, groups != scenes::Groups::none, {}};
        ASSERT_EQ(truth_.crowd.configure({scene_.world, scene_.cell}, kind), Status{});
        truth_.set_statics(still_);
        ASSERT_EQ(truth_.update(scene_), Status{});
    }

    scenes::Scene<kAxes> scene_, still_;
    CrowdTruth<kAxes> truth_;
};

} // namespace throng::test
