// The results of queries.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../core/id.hpp"
#include "../core/status.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace throng {

/// How many agents a query has found. With a status other than ok the query was refused or failed:
/// a RowGrid has then written and visited nothing, and the arrays that a Batch has written must not
/// be read.
struct [[nodiscard]] Found {
    std::size_t count = 0;
    Status status{};

    [[nodiscard]] constexpr bool ok() const noexcept { return status.ok(); }
    // Implicit, so that a Found can be checked like the Status of other calls.
    constexpr operator Status() const noexcept { return status; }
    friend constexpr bool operator==(const Found&, const Found&) noexcept = default;

    /// `count` if the status is ok; Cause::too_many if a 32-bit process cannot count that far.
    [[nodiscard]] static Found of(std::uint64_t count, const Status& status = {}) noexcept {
        if (!status.ok()) { return {0, status}; }
        if (count > std::numeric_limits<std::size_t>::max()) { return {0, {Cause::too_many}}; }
        return {static_cast<std::size_t>(count), {}};
    }
};

/// The answers to many queries: those of query q are of(q), in canonical order. An object that is
/// reused allocates nothing once it has grown.
struct Hits {
    std::vector<std::uint64_t> offsets; ///< one more than there are queries
    std::vector<Id> ids; ///< may be longer than the answers, so that it can be reused

    [[nodiscard]] std::span<const Id> of(std::size_t query) const noexcept {
        return {ids.data() + offsets[query], ids.data() + offsets[query + 1]};
    }
    [[nodiscard]] std::uint64_t total() const noexcept {
        return offsets.empty() ? 0 : offsets.back();
    }
};

/// The same answers in keys: see Crowd::keys(). An object that is reused allocates nothing once it
/// has grown.
struct KeyHits {
    std::vector<std::uint64_t> offsets; ///< those of the Hits
    std::vector<std::uint64_t> keys; ///< may be longer than the answers, so that it can be reused

    [[nodiscard]] std::span<const std::uint64_t> of(std::size_t query) const noexcept {
        return {keys.data() + offsets[query], keys.data() + offsets[query + 1]};
    }
    [[nodiscard]] std::uint64_t total() const noexcept {
        return offsets.empty() ? 0 : offsets.back();
    }
};

/// An agent that a path hits, and the time of the hit, in the path's own time.
struct PathHit {
    float time = 0.0f;
    Id id = kNoId;

    friend constexpr bool operator==(const PathHit&, const PathHit&) noexcept = default;
    /// By time, then by id.
    friend constexpr bool operator<(const PathHit& a, const PathHit& b) noexcept {
        return a.time < b.time || (a.time == b.time && a.id < b.id);
    }
};

/// Comes before every hit in the order of answers.
inline constexpr PathHit kBeforeAllHits = {-1.0f, 0};

/// Pairs of agents that overlap or are near each other, each pair once: first[i] comes before
/// second[i] in canonical order. The pairs are sorted by their first agent, then by their second.
/// An object that is reused allocates nothing once it has grown.
struct Pairs {
    std::vector<Id> first, second; ///< may be longer than `count`
    std::uint64_t count = 0;
};

} // namespace throng

#include "../../simd/isa/names_end.hpp"
