// A Crowd, and two brute forces with the right answers: one of agents, one of statics.
#pragma once

#include "../../family/truth.hpp"
#include "../../support/oracle.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/family/brute_force.hpp>

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

template <std::size_t Dim>
class CrowdTruth {
public:
    Crowd<Dim> crowd;
    BruteForce<Dim> agents, statics;

    Status update(scenes::Scene<Dim>& scene, Executor& executor = serial_executor()) {
        const Status status = crowd.update(scene.agents(), executor);
        EXPECT_EQ(agents.update(scene.agents()), status);
        if (status.ok()) {
            position_ = scene.positions();
            half_.resize(scene.size());
            for (std::size_t i = 0; i < scene.size(); ++i) {
                half_[i] = scene.half_extent_of(i);
            }
        }
        return status;
    }
    void set_statics(scenes::Scene<Dim>& scene) {
        ASSERT_EQ(crowd.set_statics(scene.agents()), Status{});
        ASSERT_EQ(statics.update(scene.agents()), Status{});
        static_position_ = scene.positions();
    }
    Status apply(const Edit<Dim>& edit) {
        const Status status = apply_to(crowd, edit);
        EXPECT_EQ(apply_to(agents, edit), status);
        if (status.ok()) { note(edit); }
        return status;
    }
    Status apply(std::span<const Edit<Dim>> edits) {
        const Status status = crowd.edit(edits);
        EXPECT_EQ(agents.edit(edits), status);
        for (std::size_t i = 0; status.ok() && i < edits.size(); ++i) {
            note(edits[i]);
        }
        return status;
    }

    [[nodiscard]] bool is_among(Id id, Sets sets) const {
        if (is_static(id)) { return has(sets, Sets::statics); }
        return has(sets, crowd.is_giant(id) ? Sets::giants : Sets::small);
    }
    [[nodiscard]] const Point<Dim>& position_of(Id id) const {
        return is_static(id) ? static_position_[static_index(id)] : position_[id];
    }

    /// The elements that a shape finds, in the order of sets; small agents in canonical order.
    template <class Shape>
    Ids wanted(const Shape& shape, const Filter& filter, Sets sets) const {
        Ids small, others;
        for (const Id id : visited(agents, shape, filter)) {
            if (is_among(id, sets)) { (crowd.is_giant(id) ? others : small).push_back(id); }
        }
        oracle::sort_canonically(crowd.grid().shape(), std::span<const Point<Dim>>(position_),
                                 small);
        small.insert(small.end(), others.begin(), others.end());
        for (const Id id :
             has(sets, Sets::statics) ? visited(statics, shape, of_statics(filter)) : Ids{}) {
            small.push_back(static_id(id));
        }
        return small;
    }

    /// The order of small agents is fixed, that within the other sets is not.
    Ids with_large_sorted(Ids ids) const {
        const auto large =
            std::find_if(ids.begin(), ids.end(), [&](Id id) { return !is_among(id, Sets::small); });
        // Giants before statics.
        const auto fixed = std::find_if(large, ids.end(), is_static);
        std::sort(large, fixed);
        std::sort(fixed, ids.end());
        return ids;
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
        ASSERT_EQ(with_large_sorted(got), right);
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
                const auto got = hits.of(i);
                ASSERT_EQ(with_large_sorted({got.begin(), got.end()}),
                          wanted(shapes[i], kFilters[1], sets));
            }
        }
    }

    void check_nearest(const Point<Dim>& point, const Nearest& question, const Filter& filter,
                       Sets sets) const {
        std::vector<Near> right;
        for (const Id id : wanted(Ball<Dim>{point, question.radius}, filter, sets)) {
            right.push_back({distance2_between(point, position_of(id)), id});
        }
        std::sort(right.begin(), right.end(), [](const Near& a, const Near& b) {
            return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.id < b.id;
        });
        if (right.size() > question.k) { right.resize(question.k); }
        std::vector<Near> got(question.k);
        got.resize(crowd.nearest(point, question, got, filter, sets).count);
        ASSERT_EQ(got, right);
    }

    template <class Path>
    void check_path(const Path& path, const Filter& filter, Sets sets) const {
        std::vector<PathHit> all, right, got;
        ASSERT_EQ(agents.hits(path, all, filter), Status{});
        std::copy_if(all.begin(), all.end(), std::back_inserter(right),
                     [&](const PathHit& meeting) { return is_among(meeting.id, sets); });
        if (has(sets, Sets::statics)) {
            ASSERT_EQ(statics.hits(path, all, of_statics(filter)), Status{});
            for (const PathHit& meeting : all) {
                right.push_back({meeting.time, static_id(meeting.id)});
            }
        }
        std::sort(right.begin(), right.end());
        ASSERT_EQ(crowd.hits(path, got, filter, sets), Status{});
        ASSERT_EQ(got, right);
        constexpr PathHit kUntouched{-1.0f, 77};
        PathHit first = kUntouched;
        ASSERT_EQ(crowd.first(path, first, filter, sets).count, right.empty() ? 0u : 1u);
        ASSERT_EQ(first, right.empty() ? kUntouched : right.front());
    }

    void check_pairs(PairSets sets, std::uint32_t groups) const {
        IdPairs right, got;
        for (const auto& [a, b] : pairs_of(agents, groups)) {
            const int giants = int{crowd.is_giant(a)} + int{crowd.is_giant(b)};
            const PairSets of_two = giants == 0   ? PairSets::small_small
                                    : giants == 1 ? PairSets::small_giants
                                                  : PairSets::giants_giants;
            if (has(sets, of_two)) { right.push_back(sorted_pair(a, b)); }
        }
        for (const Id id : visited(agents, everywhere(), {groups})) {
            const PairSets with_statics =
                crowd.is_giant(id) ? PairSets::giants_statics : PairSets::small_statics;
            if (!has(sets, with_statics)) { continue; }
            // No element is beyond kLargest, and no question may be.
            Box<Dim> box = Box<Dim>::around(position_[id], half_[id]);
            for (std::size_t a = 0; a < Dim; ++a) {
                box.lo[a] = std::max(box.lo[a], -kLargest);
                box.hi[a] = std::min(box.hi[a], kLargest);
            }
            for (const Id other : visited(statics, box, {groups})) {
                right.push_back({id, static_id(other)});
            }
        }
        const Found found = crowd.visit_pairs(
            sets,
            [&](std::span<const Id> first, std::span<const Id> second) {
                EXPECT_EQ(first.size(), second.size());
                EXPECT_FALSE(first.empty());
                for (std::size_t i = 0; i < first.size(); ++i) {
                    got.push_back(sorted_pair(first[i], second[i]));
                    // The small one first, the static last.
                    EXPECT_LE(rank(first[i]), rank(second[i]));
                }
                return true;
            },
            groups);
        std::sort(right.begin(), right.end());
        std::sort(got.begin(), got.end());
        ASSERT_EQ(found.count, right.size());
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(got, right);
        for (const std::size_t enough : {1u, 2u, 7u}) {
            std::size_t runs = 0;
            (void)crowd.visit_pairs(
                sets, [&](auto, auto) { return ++runs < enough; }, groups);
            ASSERT_LE(runs, enough);
        }
    }

    /// Checks every kind of question.
    void check_all(const Questions<Dim>& questions) const {
        ASSERT_STREQ(crowd.validate(), nullptr);
        ASSERT_EQ(crowd.size(), agents.size());
        ASSERT_EQ(crowd.kind(), agents.kind());
        ASSERT_EQ(crowd.statics(), statics.size());
        check_order();
        const auto check_shapes = [&](const auto&... shapes) { (check_each(shapes), ...); };
        const auto& others = questions.others;
        ASSERT_NO_FATAL_FAILURE(check_shapes(
            questions.boxes, questions.balls, others.segments, others.rays, others.capsules,
            others.sectors, others.convexes, others.oriented_boxes, others.cylinders));
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
            ASSERT_NO_FATAL_FAILURE(check_pairs(static_cast<PairSets>(sets), groups)) << sets;
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
    template <class Index>
    static Status apply_to(Index& index, const Edit<Dim>& edit) {
        switch (edit.kind) {
        case Edit<Dim>::Kind::insert:
            return index.insert(edit.id, edit.agent);
        case Edit<Dim>::Kind::erase:
            return index.erase(edit.id);
        default:
            return index.move(edit.id, edit.agent.position);
        }
    }
    void note(const Edit<Dim>& edit) {
        if (edit.id >= position_.size()) {
            position_.resize(edit.id + 1);
            half_.resize(edit.id + 1);
        }
        if (edit.kind == Edit<Dim>::Kind::erase) { return; }
        position_[edit.id] = edit.agent.position;
        if (edit.kind == Edit<Dim>::Kind::insert) {
            half_[edit.id] = edit.agent.half_extent.value_or(agents.kind().common_half_extent);
        }
    }
    static Filter of_statics(Filter filter) {
        filter.without = is_static(filter.without) && filter.without != kNoId
                             ? static_cast<Id>(static_index(filter.without))
                             : kNoId;
        return filter;
    }
    [[nodiscard]] int rank(Id id) const { return is_static(id) ? 2 : crowd.is_giant(id) ? 1 : 0; }
    static std::pair<Id, Id> sorted_pair(Id a, Id b) { return {std::min(a, b), std::max(a, b)}; }

    std::vector<Point<Dim>> position_, half_, static_position_;
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
