// Sums over all ranks. Internal to distributed/.
#pragma once

#include "../engine/core/status.hpp"
#include "ranks.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Adds up words of all ranks, as many on each, so that all have the sums: log2(ranks) exchanges of
/// all words, and two more where ranks are no power of two.
///
/// A rank that has no memory takes part in all calls, without what it could not get, and says so in
/// a last word: ranks that it goes on to tell of its sums know that they are not right.
class SumOverRanks {
public:
    explicit SumOverRanks(Ranks& ranks) noexcept : ranks_(ranks) {}

    /// `before` is what this rank has come to so far: where that is a refusal, its words do not
    /// count. Cause::over_memory if what this rank gets is not all, Cause::count_mismatch of
    /// Argument::arrays with the rank that sent another number of words, or Cause::rank_lost.
    Status add(const Status& before, std::vector<std::uint64_t>& words);

private:
    /// Sends to one rank, or none, and takes from one, or none: both have the same number, or
    /// kNone.
    Status exchange(std::uint32_t to, std::uint32_t from, std::span<const std::uint64_t> words);
    /// Calls take(here, there) for each word and what came for it, if anything came.
    template <class Take>
    Status take(std::span<std::uint64_t> words, const Take& take) const;

    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    Ranks& ranks_;
    std::vector<Arrival> arrivals_;
};

} // namespace throng
