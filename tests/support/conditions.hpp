// A crowd and its oracle: the nearest with conditions, in pages and with predicates; and hits of a
// path one after another.
#pragma once

#include "truth.hpp"

#include <throng/engine/answers/predicate.hpp>
#include <throng/engine/crowd/crowd.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

[[nodiscard]] inline bool is_liked(Id id) noexcept { return id % 3 == 1; }

/// Questions like `asked` with conditions that lie exactly on agents of `all`, its whole answer.
template <std::size_t Dim>
std::vector<Nearest> with_conditions(const Truth<Dim>& truth, const Point<Dim>& point,
                                     const Nearest& asked, const std::vector<Near>& all) {
    std::vector<Nearest> questions;
    const auto add = [&](float least, const HeightBand& band, const Near& after) {
        questions.push_back({asked.k, asked.radius, least, band, after, asked.body});
    };
    constexpr auto kUp = static_cast<std::uint32_t>(Dim - 1);
    add(0.0f, {kUp, 1.5f, 0.25f}, kBeforeAll);
    if (all.empty()) { return questions; }
    const Near& middle = all[all.size() / 2];
    const float height = truth[middle.id].position[1] - point[1];
    add(std::sqrt(middle.distance2), {}, kBeforeAll);
    add(0.0f, {}, middle);
    add(0.0f, {}, {middle.distance2, 0});
    add(0.0f, {1, std::max(0.0f, -height), std::max(0.0f, height)}, kBeforeAll);
    add(0.5f * std::sqrt(middle.distance2), {kUp, 2.0f, kLargest}, all.front());
    return questions;
}

template <std::size_t Dim>
void check_conditions(const Crowd<Dim>& crowd, const Truth<Dim>& truth, const Point<Dim>& point,
                      const Nearest& plain, const Filter& filter, Sets sets) {
    const auto whole = [&](Nearest asked) {
        asked.k = 0xFFFF'FFFFu;
        return truth.nearest_to(point, asked, filter, sets);
    };
    std::vector<Nearest> questions = with_conditions(truth, point, plain, whole(plain));
    for (const Body body : {Body::box, Body::disc}) {
        Nearest of_bodies = plain;
        of_bodies.body = body;
        const auto more = with_conditions(truth, point, of_bodies, whole(of_bodies));
        questions.push_back(of_bodies);
        questions.insert(questions.end(), more.begin(), more.end());
    }
    for (const Nearest& asked : questions) {
        SCOPED_TRACE(testing::Message()
                     << "body " << static_cast<unsigned>(asked.body) << ", "
                     << "k " << asked.k << ", least " << asked.least << ", up " << asked.band.up
                     << ", after " << asked.after.distance2 << " " << asked.after.id);
        std::vector<Near> right = whole(asked);
        std::vector<Near> got(asked.k), wanted(asked.k);
        const Found found = crowd.nearest(point, asked, got, filter, sets);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, std::min<std::size_t>(asked.k, right.size()));
        std::copy_n(right.begin(), found.count, wanted.begin());
        ASSERT_EQ(got, wanted);

        std::vector<Id> told;
        const Found liked = nearest_where(
            crowd, point, asked, std::span(got),
            [&](Id id) {
                told.push_back(id);
                return is_liked(id);
            },
            filter, sets);
        ASSERT_EQ(liked.status, Status{});
        std::fill(wanted.begin(), wanted.end(), Near{});
        std::size_t count = 0, needed = 0;
        for (; needed < right.size() && count < asked.k; ++needed) {
            if (is_liked(right[needed].id)) { wanted[count++] = right[needed]; }
        }
        ASSERT_EQ(liked.count, count);
        ASSERT_EQ(got, wanted);
        ASSERT_EQ(told.size(), needed);
        for (std::size_t i = 0; i < needed; ++i) {
            ASSERT_EQ(told[i], right[i].id);
        }
    }
}

/// Checks first_after() and first_where(); `right` are all hits of the path.
template <class Index, class Path, class... OneOfSets>
void check_first_after(const Index& index, const Path& path, const std::vector<PathHit>& right,
                       const Filter& filter, const OneOfSets&... sets) {
    constexpr PathHit kUntouched{-1.0f, 77};
    PathHit after = kBeforeAllHits;
    const std::size_t steps = std::min<std::size_t>(right.size(), 12);
    for (std::size_t i = 0; i <= steps; ++i) {
        PathHit next = kUntouched;
        const bool any = i < right.size();
        ASSERT_EQ(index.first_after(after, path, next, filter, sets...).count, any ? 1u : 0u);
        ASSERT_EQ(next, any ? right[i] : kUntouched);
        after = next;
    }
    const auto check_where = [&](const auto& is_wanted) {
        std::vector<Id> told;
        PathHit hit = kUntouched;
        const Found found = first_where(
            index, path, hit,
            [&](Id id) {
                told.push_back(id);
                return is_wanted(id);
            },
            filter, sets...);
        const auto liked = std::find_if(right.begin(), right.end(),
                                        [&](const PathHit& each) { return is_wanted(each.id); });
        ASSERT_EQ(found.count, liked != right.end() ? 1u : 0u);
        ASSERT_EQ(hit, liked != right.end() ? *liked : kUntouched);
        const auto asked = liked - right.begin() + (liked != right.end() ? 1 : 0);
        ASSERT_EQ(std::ssize(told), asked);
        for (std::size_t i = 0; i < told.size(); ++i) {
            ASSERT_EQ(told[i], right[i].id);
        }
    };
    ASSERT_NO_FATAL_FAILURE(check_where([](Id id) { return is_liked(id); }));
    // When first hits are refused, first_where() looks for several hits at a time.
    ASSERT_NO_FATAL_FAILURE(check_where([](Id) { return false; }));
    if (right.empty()) { return; }
    const Id last = right.back().id;
    ASSERT_NO_FATAL_FAILURE(check_where([last](Id id) { return id == last; }));
}

} // namespace throng::test
