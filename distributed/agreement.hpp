// How ranks agree on one status. Internal to distributed/.
#pragma once

#include "../engine/core/status.hpp"
#include "ranks.hpp"

#include <cstdint>
#include <new>

namespace throng {

/// Runs a part of a collective call that must not throw: a rank that left it would leave the others
/// waiting. std::bad_alloc becomes Cause::over_memory, an exception of an executor
/// Cause::executor_failed.
template <class Part>
Status without_throwing(const Part& part) {
    try {
        return part();
    } catch (const RankEnds&) { throw; } catch (const std::bad_alloc&) {
        return {Cause::over_memory, Argument::memory};
    } catch (...) { return {Cause::executor_failed, Argument::executor}; }
}

/// Calls a function of Ranks that must not throw. If it throws nevertheless, this rank does not
/// know what the others know and cannot go on: Cause::rank_lost.
template <class Call>
Status or_lost(const Call& call) {
    try {
        return call();
    } catch (const RankEnds&) { throw; } catch (...) {
        return {Cause::rank_lost};
    }
}

/// One agreement of all ranks about a call. Its members throw only RankEnds.
class Agreement {
public:
    explicit Agreement(Ranks& ranks) noexcept : ranks_(ranks) {}

    /// `call` is equal on ranks that make the same call with the same settings. All ranks get the
    /// minimum of `word`.
    Status begin(std::uint64_t call, const Status& own, std::uint64_t word = 0);
    /// The status of all ranks: ok, the refusal of the lowest rank that has one, ranks_differ or
    /// rank_lost.
    Status finish();
    Status settle(std::uint64_t call, const Status& own, std::uint64_t word = 0) {
        const Status begun = begin(call, own, word);
        return begun.ok() ? finish() : begun;
    }

    [[nodiscard]] std::uint64_t word() const noexcept { return word_; }
    /// The rank whose refusal finish() returned.
    [[nodiscard]] std::uint32_t refused_by() const noexcept { return refused_by_; }

private:
    Ranks& ranks_;
    Status own_;
    std::uint64_t word_ = 0;
    std::uint32_t refused_by_ = 0;
};

} // namespace throng
