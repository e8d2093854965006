// The outputs of a batch's calls, and hashes of their content.
#pragma once

#include "hash.hpp"
#include "ids.hpp"

#include <throng/engine/agents/found.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/core/status.hpp>
#include <throng/parallel/batch/asked.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

/// The result of a call: its status, and a hash of its answers.
struct Outcome {
    Status status;
    std::uint64_t hash = 0;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Arrays for answers that are reused from call to call, as by a host.
struct Outputs {
    static constexpr std::uint32_t kNear = 4; ///< room for each question in `nearest`

    Hits hits;
    Pairs pairs;
    NearHits near_hits;
    // Arrays of fixed length:
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> counts;
    Ids ids, seconds;
    std::vector<Near> nearest;
    std::vector<PathHit> path_hits;

    /// Room for answers to `questions` questions with `room` ids in all.
    Outputs(std::size_t questions, std::size_t room);

    [[nodiscard]] HitsOutput some() { return {offsets, ids}; }
    [[nodiscard]] PairsOutput some_pairs() { return {ids, seconds}; }
    [[nodiscard]] NearOutput some_near() { return {nearest, counts}; }

    // To be called after a call that filled these outputs:

    [[nodiscard]] Outcome listed(const Status& status) const;
    [[nodiscard]] Outcome listed_pairs(const Status& status) const;
    [[nodiscard]] Outcome listed_near(const Status& status) const;
    [[nodiscard]] Outcome buffered(const Found& found, std::size_t questions) const;
    [[nodiscard]] Outcome buffered_pairs(const Found& found) const;
    [[nodiscard]] Outcome buffered_near(const Found& found, std::size_t questions) const;
    [[nodiscard]] Outcome counted(const Found& found, std::size_t questions) const;
    [[nodiscard]] Outcome met(const Found& found) const;

    /// visit(visitor) must be a call that shows pairs in this many parts.
    template <class Visit>
    [[nodiscard]] Outcome visited(std::size_t parts, const Visit& visit) {
        visited_.assign(parts, 0);
        const Found found =
            visit([this](std::size_t part, std::span<const Id> first, std::span<const Id> second) {
                Hash hash;
                hash.add(visited_.at(part)); // zero, unless the part was shown before
                hash.add(first);
                hash.add(second);
                visited_[part] = hash.value();
                return true;
            });
        return visited(found);
    }

    // To be called after a failed call, which must leave nothing in its outputs:

    [[nodiscard]] bool has_no_hits() const noexcept;
    [[nodiscard]] bool has_no_pairs() const noexcept { return pairs.count == 0; }
    [[nodiscard]] bool has_no_near() const noexcept;
    void forget();

private:
    [[nodiscard]] Outcome visited(const Found& found) const;

    std::vector<std::uint64_t> visited_; // a hash of each part
};

} // namespace throng::test
