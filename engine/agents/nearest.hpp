// The questions for the nearest agents and for neighbours, and the answers to the first.
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

/// One of the nearest agents: its id, and how far its centre is, squared: distance2_between() to
/// the bit; or its body, where the question says so: body_distance2() to the bit.
struct Near {
    float distance2 = std::numeric_limits<float>::infinity();
    Id id = kNoId;

    friend constexpr bool operator==(const Near&, const Near&) noexcept = default;
};

/// Comes before every agent in the order of answers.
inline constexpr Near kBeforeAll = {-1.0f, 0};

/// How much lower and higher than the point that asks an agent's centre may be, ends included:
/// fl(point - below) <= centre <= fl(point + above) on the axis `up`, each bound rounded once to a
/// float. `up` is 1 or 2 for y or z, as for a Cylinder; 0: heights play no part, and neither do the
/// other two.
struct HeightBand {
    std::uint32_t up = 0;
    float below = 0.0f, above = 0.0f;

    friend constexpr bool operator==(const HeightBand&, const HeightBand&) noexcept = default;
};

/// The k agents whose centres are nearest to a point, of those in the ball of `radius` around it
/// that meet the other conditions; all of them if there are fewer. The nearest comes first, and of
/// several equally near the one with the smallest id. That settles the order, and also which agents
/// are among the k.
struct Nearest {
    std::uint32_t k = 1; ///< at most kMostNearest
    float radius = kLargest;
    float least = 0.0f; ///< agents with distance2 < least * least are left out
    HeightBand band = {};
    /// Only agents that come after this one in the order of answers, which need not be an agent's:
    /// with the last of an answer, the next k. kBeforeAll, or any distance below zero: all do.
    Near after = kBeforeAll;
    /// What an agent is: how far away its nearest point is, zero if the point that asks lies in it,
    /// is the distance in all of this. A band is about centres' heights all the same.
    Body body = Body::centre;

    friend constexpr bool operator==(const Nearest&, const Nearest&) noexcept = default;
};

/// The same for every agent of a crowd.
struct NearestNeighbours {
    std::uint32_t k = 1;
    float radius = kLargest;
    bool with_self = false;
    std::uint32_t groups = kAllGroups; ///< of those to be found, as in Filter; all agents ask
    float least = 0.0f;                ///< as in Nearest
    HeightBand band = {};              ///< around each agent's own height
    /// What both agents are, as in Neighbourhood: of boxes or discs the distance is the one between
    /// the two bodies. A band is about centres' heights all the same.
    Body body = Body::centre;

    friend constexpr bool operator==(const NearestNeighbours&,
                                     const NearestNeighbours&) noexcept = default;
};

/// The answers to many such questions: k places for each, of which the first counts[q] are filled;
/// the others hold a Near{}. Reuse one object, and nothing is allocated once it has grown.
struct NearHits {
    std::uint32_t k = 0;
    std::vector<Near> nearest;         ///< k a question
    std::vector<std::uint32_t> counts; ///< one a question

    [[nodiscard]] std::span<const Near> of(std::size_t question) const noexcept {
        return {nearest.data() + question * k, counts[question]};
    }
};

/// Arrays of the caller's for the same: k places a question, and a count.
struct NearBuffer {
    std::span<Near> nearest;
    std::span<std::uint32_t> counts;
};

/// For each agent: which agents are no farther than `radius` from it?
struct Neighbourhood {
    float radius = 0.0f;
    bool with_self = false;
    std::uint32_t groups = kAllGroups; ///< of those to be found, as in Filter; all agents ask
    /// Each agent finds only those that come after it, in canonical order, in the order of several
    /// asking grids, and small agents before giants before statics; and itself if `with_self`. So
    /// of each two agents that ask only one finds the other.
    bool later_only = false;
    /// What both agents are. Of boxes or discs the distance is the one between the two bodies:
    /// body_distance2() with the sum of their half extents.
    Body body = Body::centre;

    friend constexpr bool operator==(const Neighbourhood&, const Neighbourhood&) noexcept = default;
};

} // namespace throng
