// Questions for the nearest agents and for neighbours, and the answers about the nearest.
#pragma once

#include "../core/id.hpp"
#include "../core/limits.hpp"
#include "body.hpp"
#include "point.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace throng {

/// One of the nearest agents: its id, and the squared distance to its centre, which is
/// distance2_between() to the bit. In questions about bodies it is body_distance2() to the bit.
struct Near {
    float distance2 = std::numeric_limits<float>::infinity();
    Id id = kNoId;

    friend constexpr bool operator==(const Near&, const Near&) noexcept = default;
};

/// Comes before every agent in the order of answers.
inline constexpr Near kBeforeAll = {-1.0f, 0};

/// Limits for an agent's centre: how far it may be below and above the asking point, ends included:
/// fl(point - below) <= centre <= fl(point + above) on the axis `up`, each bound rounded once to a
/// float. `up` is 1 or 2 for y or z, as for a Cylinder; 0: no limits, and the other two members are
/// not used.
struct HeightBand {
    std::uint32_t up = 0;
    float below = 0.0f, above = 0.0f;

    friend constexpr bool operator==(const HeightBand&, const HeightBand&) noexcept = default;
};

/// The k agents whose centres are nearest to a point, of the agents in the ball of `radius` around
/// the point that meet the other conditions; all of these if they are fewer than k. The nearest
/// comes first, and of several equally near the one with the smallest id. That settles the order,
/// and also which agents are among the k.
struct Nearest {
    std::uint32_t k = 1; ///< at most kMostNearest
    float radius = kLargest;
    float least = 0.0f; ///< agents with distance2 < least * least are left out
    HeightBand band = {};
    /// Finds only agents that come after this distance and id in the order of answers; no agent
    /// need have them. To get the next k, put the last of an answer here. kBeforeAll, or any
    /// distance below zero: all agents.
    Near after = kBeforeAll;
    /// The body of an agent. All distances in this question are to the body's nearest point, and
    /// zero if the asking point lies in the body. A band still limits the height of centres.
    Body body = Body::centre;

    friend constexpr bool operator==(const Nearest&, const Nearest&) noexcept = default;
};

/// Asks for the k agents nearest to each agent of a crowd. Members are as in Nearest.
struct NearestNeighbours {
    std::uint32_t k = 1;
    float radius = kLargest;
    bool with_self = false;
    std::uint32_t groups = kAllGroups; ///< which agents are found, as in Filter; all agents ask
    float least = 0.0f;                ///< as in Nearest
    HeightBand band = {};              ///< around each agent's own height
    /// The bodies of both agents, as in Neighbourhood: for boxes or discs the distance is that
    /// between the two bodies. A band still limits the height of centres.
    Body body = Body::centre;

    friend constexpr bool operator==(const NearestNeighbours&,
                                     const NearestNeighbours&) noexcept = default;
};

/// The agents nearest to many points or agents. Each question q has k entries: counts[q] answers,
/// then Near{} in the rest. An object that is reused allocates nothing once it has grown.
struct NearHits {
    std::uint32_t k = 0;
    std::vector<Near> nearest;         ///< k for each question
    std::vector<std::uint32_t> counts; ///< one for each question

    [[nodiscard]] std::span<const Near> of(std::size_t question) const noexcept {
        return {nearest.data() + question * k, counts[question]};
    }
};

/// For each agent: which agents are no farther than `radius` from it?
struct Neighbourhood {
    float radius = 0.0f;
    bool with_self = false;
    std::uint32_t groups = kAllGroups; ///< which agents are found, as in Filter; all agents ask
    /// Each agent finds only agents that come after it, and itself if `with_self`: of two agents
    /// that ask, only one finds the other. The order is canonical order in a grid; of several grids
    /// that ask, the order in which they are given; in a crowd, small agents, giants, statics. Of
    /// two small agents that are near across a periodic border, the one at the lower border finds
    /// the other: docs/worlds.md.
    bool later_only = false;
    /// The bodies of both agents. For boxes or discs the distance is that between the two bodies:
    /// body_distance2() with the sum of their half extents.
    Body body = Body::centre;

    friend constexpr bool operator==(const Neighbourhood&, const Neighbourhood&) noexcept = default;
};

} // namespace throng
