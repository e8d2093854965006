// What the calls of a batch fill, and a number for what is in it.
#pragma once

#include "hash.hpp"
#include "ids.hpp"

#include <throng/engine/agents/found.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/core/status.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

/// What came of a call: `hash` stands for all that it answered.
struct Outcome {
    Status status;
    std::uint64_t hash = 0;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Arrays for answers, the same from one call to the next, as a host keeps them.
struct Outputs {
    static constexpr std::uint32_t kNear = 4; ///< places a question in `nearest`

    Hits hits;
    Pairs pairs;
    NearHits near_hits;
    // Fixed arrays.
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> counts;
    Ids ids, seconds;
    std::vector<Near> nearest;
    std::vector<PathHit> path_hits;

    /// Answers to n questions, and the ids of all of them.
    Outputs(std::size_t questions, std::size_t room);

    [[nodiscard]] HitsBuffer some() { return {offsets, ids}; }
    [[nodiscard]] PairsBuffer some_pairs() { return {ids, seconds}; }
    [[nodiscard]] NearBuffer some_near() { return {nearest, counts}; }

    // After a call that filled these.

    [[nodiscard]] Outcome listed(const Status& status) const;
    [[nodiscard]] Outcome listed_pairs(const Status& status) const;
    [[nodiscard]] Outcome listed_near(const Status& status) const;
    [[nodiscard]] Outcome buffered(const Found& found, std::size_t questions) const;
    [[nodiscard]] Outcome buffered_pairs(const Found& found) const;
    [[nodiscard]] Outcome buffered_near(const Found& found, std::size_t questions) const;
    [[nodiscard]] Outcome counted(const Found& found, std::size_t questions) const;
    [[nodiscard]] Outcome met(const Found& found) const;

    /// visit(visitor) is a call that hands over pairs in this many parts.
    template <class Visit>
    [[nodiscard]] Outcome visited(std::size_t parts, const Visit& visit) {
        visited_.assign(parts, 0);
        const Found found =
            visit([this](std::size_t part, std::span<const Id> first, std::span<const Id> second) {
                Hash hash;
                hash.add(visited_.at(part)); // zero, unless it comes twice
                hash.add(first);
                hash.add(second);
                visited_[part] = hash.value();
                return true;
            });
        return visited(found);
    }

    // After a call that failed: nothing must be left in the arrays that it would have filled.

    [[nodiscard]] bool has_no_hits() const noexcept;
    [[nodiscard]] bool has_no_pairs() const noexcept { return pairs.count == 0; }
    [[nodiscard]] bool has_no_near() const noexcept;
    void forget();

private:
    [[nodiscard]] Outcome visited(const Found& found) const;

    std::vector<std::uint64_t> visited_; // a hash of each part
};

} // namespace throng::test
