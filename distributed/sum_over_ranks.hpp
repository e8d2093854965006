// Sums over all ranks. Internal to distributed/.
#pragma once

#include "../engine/core/status.hpp"
#include "ranks.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Adds up the words of all ranks, the same number on each, so that all have the sums. Takes
/// log2(ranks) exchanges of all words, and two more where the number of ranks is no power of two.
///
/// A rank without memory takes part in all calls, without the words that it could not receive, and
/// sets a last word: ranks that get sums from it know that these are incomplete.
class SumOverRanks {
public:
    explicit SumOverRanks(Ranks& ranks) noexcept : ranks_(ranks) {}

    /// `before` is the status of this rank so far: if it is a refusal, its words do not count.
    /// Returns Cause::over_memory if the sums here are incomplete, Cause::count_mismatch of
    /// Argument::arrays with the rank that sent another number of words, or Cause::rank_lost.
    Status add(const Status& before, std::vector<std::uint64_t>& words);

private:
    /// Sends to rank `to` and receives from rank `from`; kNone: does not. If neither is kNone, both
    /// are the same rank.
    Status exchange(std::uint32_t to, std::uint32_t from, std::span<const std::uint64_t> words);
    /// Calls take(here, there) for each word and the word that came for it, if any came.
    template <class Take>
    Status take(std::span<std::uint64_t> words, const Take& take) const;

    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    Ranks& ranks_;
    std::vector<Arrival> arrivals_;
};

} // namespace throng
