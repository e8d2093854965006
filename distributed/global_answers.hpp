// Filters and answers of questions about a crowd over many ranks: agents by their global ids.
#pragma once

#include "../engine/agents/nearest.hpp"
#include "../engine/core/id.hpp"
#include "share.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace throng {

/// A Filter by global id: agents outside `groups`, and the agent `without`, are not found.
struct GlobalFilter {
    std::uint32_t groups = kAllGroups;
    alignas(8) GlobalId without = kNoGlobalId;

    friend constexpr bool operator==(const GlobalFilter&, const GlobalFilter&) noexcept = default;
};

/// The answers to many questions: those of question q are of(q), in canonical order.
struct GlobalHits {
    std::vector<std::uint64_t> offsets; ///< one more than there are questions
    std::vector<GlobalId> ids;

    [[nodiscard]] std::span<const GlobalId> of(std::size_t question) const noexcept {
        return {ids.data() + offsets[question], ids.data() + offsets[question + 1]};
    }
};

/// A Near by global id: one of the nearest agents and its squared distance.
struct GlobalNear {
    float distance2 = std::numeric_limits<float>::infinity();
    alignas(8) GlobalId id = kNoGlobalId;

    friend constexpr bool operator==(const GlobalNear&, const GlobalNear&) noexcept = default;
    /// By distance, then by id.
    friend constexpr bool operator<(const GlobalNear& a, const GlobalNear& b) noexcept {
        return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.id < b.id);
    }
};

/// A Nearest by global id, with the same members: which of the nearest to find.
struct GlobalNearest {
    std::uint32_t k = 1; ///< at most kMostNearest
    float radius = kLargest;
    float least = 0.0f;
    HeightBand band = {};
    GlobalNear after = {-1.0f, 0}; ///< finds only agents after this one; by default all
    Body body = Body::centre;

    friend constexpr bool operator==(const GlobalNearest&, const GlobalNearest&) noexcept = default;
};

/// The answers to many questions for the nearest: k elements each. The first counts[q] are filled,
/// the others hold GlobalNear{}.
struct GlobalNearHits {
    std::uint32_t k = 0;
    std::vector<GlobalNear> nearest;   ///< k a question
    std::vector<std::uint32_t> counts; ///< one a question

    [[nodiscard]] std::span<const GlobalNear> of(std::size_t question) const noexcept {
        return {nearest.data() + question * k, counts[question]};
    }
};

/// A PathHit by global id: an agent that a path meets, and when, in the path's own time.
struct GlobalMeeting {
    float time = 0.0f;
    alignas(8) GlobalId id = kNoGlobalId; ///< kNoGlobalId where a path meets none

    friend constexpr bool operator==(const GlobalMeeting&, const GlobalMeeting&) noexcept = default;
    /// By time, then by id.
    friend constexpr bool operator<(const GlobalMeeting& a, const GlobalMeeting& b) noexcept {
        return a.time < b.time || (a.time == b.time && a.id < b.id);
    }
};

/// All agents that many paths meet: those of path q are of(q), by time, then by id.
struct GlobalMeetings {
    std::vector<std::uint64_t> offsets; ///< one more than there are paths
    std::vector<GlobalMeeting> meetings;

    [[nodiscard]] std::span<const GlobalMeeting> of(std::size_t path) const noexcept {
        return {meetings.data() + offsets[path], meetings.data() + offsets[path + 1]};
    }
};

} // namespace throng
