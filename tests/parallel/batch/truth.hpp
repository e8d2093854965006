// What a whole crowd must be answered, the slow way.
#pragma once

#include "../../support/answers.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace throng::test {

using Ids = std::vector<Id>;

/// Laid end to end.
[[nodiscard]] inline Hits joined(const std::vector<Ids>& answers) {
    Hits hits;
    hits.offsets.push_back(0);
    for (const Ids& ids : answers) {
        hits.ids.insert(hits.ids.end(), ids.begin(), ids.end());
        hits.offsets.push_back(hits.ids.size());
    }
    return hits;
}

/// Empty when both say the same, else where they first differ.
[[nodiscard]] inline std::string difference(const Hits& got, const Hits& wanted) {
    if (got.offsets.size() != wanted.offsets.size()) {
        return std::to_string(got.offsets.size()) + " offsets and not " +
               std::to_string(wanted.offsets.size());
    }
    for (std::size_t q = 0; q + 1 < wanted.offsets.size(); ++q) {
        if (got.offsets[q] != wanted.offsets[q] || got.offsets[q + 1] != wanted.offsets[q + 1]) {
            return "offset of answer " + std::to_string(q);
        }
        const auto g = got.of(q), w = wanted.of(q);
        if (!std::equal(g.begin(), g.end(), w.begin(), w.end())) {
            return "answer " + std::to_string(q);
        }
    }
    return "";
}
[[nodiscard]] inline std::string difference(const Pairs& got, const Pairs& wanted) {
    if (got.count != wanted.count) {
        return std::to_string(got.count) + " pairs and not " + std::to_string(wanted.count);
    }
    for (std::size_t p = 0; p < wanted.count; ++p) {
        if (got.first[p] != wanted.first[p] || got.second[p] != wanted.second[p]) {
            return "pair " + std::to_string(p);
        }
    }
    return "";
}

/// How long each answer is.
[[nodiscard]] inline std::vector<std::uint32_t> lengths(const Hits& hits) {
    std::vector<std::uint32_t> counts;
    for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
        counts.push_back(static_cast<std::uint32_t>(hits.of(q).size()));
    }
    return counts;
}

inline void append(Pairs& pairs, Id first, const Ids& seconds) {
    pairs.first.insert(pairs.first.end(), seconds.size(), first);
    pairs.second.insert(pairs.second.end(), seconds.begin(), seconds.end());
    pairs.count = pairs.first.size();
}

/// A crowd in a flat list: who is near whom is asked of everybody.
template <std::size_t Dim>
class CrowdTruth {
public:
    explicit CrowdTruth(scenes::Scene<Dim>& scene) : scene_(scene), positions_(scene.positions()) {
        EXPECT_EQ(flat_.update(scene.agents()), Status{});
    }

    [[nodiscard]] const BruteForce<Dim>& flat() const noexcept { return flat_; }
    [[nodiscard]] oracle::CanonicalOrder<Dim> order(const GridShape<Dim>& shape) const {
        return {shape, std::span<const Point<Dim>>(positions_)};
    }

    [[nodiscard]] bool is_in(Id id, std::uint32_t groups) const noexcept {
        if (scene_.groups.empty() || groups == kAllGroups) { return groups != 0; }
        return (scene_.groups[id] & groups) != 0;
    }
    [[nodiscard]] Box<Dim> box_of(Id id) const noexcept {
        return Box<Dim>::around(positions_[id], scene_.half_extent_of(id));
    }

    /// By id, and in order of id.
    [[nodiscard]] std::vector<Ids> neighbours(const Neighbourhood& neighbourhood) const {
        std::vector<Ids> found;
        for (Id id = 0; id < scene_.size(); ++id) {
            found.push_back(asked(flat_, Ball<Dim>{positions_[id], neighbourhood.radius},
                                  {neighbourhood.groups, neighbourhood.with_self ? kNoId : id}));
        }
        return found;
    }
    /// By id: whom of a crowd each overlaps.
    [[nodiscard]] std::vector<Ids> partners(const CrowdTruth& others, std::uint32_t groups) const {
        std::vector<Ids> found(scene_.size());
        for (Id id = 0; id < scene_.size(); ++id) {
            if (is_in(id, groups)) { found[id] = asked(others.flat_, box_of(id), {groups}); }
        }
        return found;
    }

private:
    template <class Shape>
    [[nodiscard]] static Ids asked(const BruteForce<Dim>& flat, const Shape& shape,
                                   const Filter& filter) {
        Ids ids;
        const Found found = flat.visit(
            shape,
            [&](std::span<const Id> run) {
                ids.insert(ids.end(), run.begin(), run.end());
                return true;
            },
            filter);
        EXPECT_EQ(found.status, Status{});
        return ids;
    }

    const scenes::Scene<Dim>& scene_;
    std::vector<Point<Dim>> positions_;
    BruteForce<Dim> flat_;
};

/// Answers by id, as they come in storage order.
template <std::size_t Dim>
[[nodiscard]] Hits in_storage_order(const std::vector<Ids>& by_id,
                                    const oracle::CanonicalOrder<Dim>& order) {
    std::vector<Ids> answers;
    for (const Id id : order.ids()) {
        answers.push_back(order.sorted(by_id[id]));
    }
    return joined(answers);
}
template <std::size_t Dim>
[[nodiscard]] Hits in_id_order(std::vector<Ids> by_id, const oracle::CanonicalOrder<Dim>& order) {
    for (Ids& ids : by_id) {
        ids = order.sorted(std::move(ids));
    }
    return joined(by_id);
}

/// Pairs within a crowd: the first of each is the one that comes first.
template <std::size_t Dim>
[[nodiscard]] Pairs pairs_within(const std::vector<Ids>& partners,
                                 const oracle::CanonicalOrder<Dim>& order) {
    std::vector<std::size_t> rank(order.ids().size());
    for (std::size_t r = 0; r < rank.size(); ++r) {
        rank[order.ids()[r]] = r;
    }
    Pairs pairs;
    for (const Id id : order.ids()) {
        Ids seconds;
        std::copy_if(partners[id].begin(), partners[id].end(), std::back_inserter(seconds),
                     [&](Id other) { return rank[other] > rank[id]; });
        append(pairs, id, order.sorted(std::move(seconds)));
    }
    return pairs;
}
template <std::size_t Dim>
[[nodiscard]] Pairs pairs_between(const std::vector<Ids>& partners,
                                  const oracle::CanonicalOrder<Dim>& order,
                                  const oracle::CanonicalOrder<Dim>& order_of_others) {
    Pairs pairs;
    for (const Id id : order.ids()) {
        append(pairs, id, order_of_others.sorted(partners[id]));
    }
    return pairs;
}

/// Radii that find nobody, somebody exactly on the rim, everybody; all sorts of groups.
template <std::size_t Dim>
[[nodiscard]] std::vector<Neighbourhood> neighbourhoods_for(const scenes::Scene<Dim>& scene) {
    const float cell = scene.cell[0];
    float apart = 1.0f;
    if (scene.size() > 1) {
        const Point<Dim> p = scene.position_of(0), q = scene.position_of(scene.size() / 2);
        float sum = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            sum += (p[a] - q[a]) * (p[a] - q[a]);
        }
        apart = std::min(std::sqrt(sum), kLargest);
    }
    return {{cell, false, kAllGroups},
            {2.5f * cell, false, 0x8000'0002u},
            {0.0f, true, kAllGroups},
            {10.0f, true, kAllGroups - 1}, // rims of triangles with whole sides
            {apart, false, kAllGroups},
            {cell, true, 0x3u},
            {kLargest, false, kAllGroups},
            {0.0f, false, kAllGroups},
            {cell, true, 0u}};
}

} // namespace throng::test
