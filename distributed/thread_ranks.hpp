// A whole job in one process: its ranks are threads, and messages can be made to go wrong.
#pragma once

#include "../engine/core/function_ref.hpp"
#include "ranks.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace throng {

/// What goes wrong in a job of ThreadRanks. Calls are those of the seam, and numbers begin at 0.
struct RankFaults {
    struct Call {
        std::uint32_t rank = 0;
        std::uint64_t number = 0;
    };
    std::optional<Call> ends;             ///< this rank is gone at this call
    std::optional<Call> no_memory;        ///< what comes by this call, or a later one, has no room
    std::optional<std::uint64_t> dropped; ///< this message, of all, never arrives
    std::optional<std::uint64_t> delayed; ///< this message arrives only when all ranks wait
};

/// What a rank has done: of agreements and gatherings only how many there were.
struct RankTraffic {
    std::uint64_t calls = 0;
    std::uint64_t messages = 0; ///< sent to other ranks
    std::uint64_t bytes = 0;    ///< in these
    std::uint64_t routes = 0;
    std::uint64_t agreements = 0;
    std::uint64_t gatherings = 0;

    friend bool operator==(const RankTraffic&, const RankTraffic&) = default;
};

/// Runs a job of any number of ranks in one process, each on a thread of its own, for tests and for
/// counting. Only one of them runs at a time: at each call of the seam the seed says which one goes
/// on, and in what order messages arrive. So what happens follows from the seed alone.
///
/// Where no rank can go on, a rank or a message is lost: then all calls return Cause::rank_lost.
class ThreadRanks {
public:
    // Exported one by one: what is inside stays there.
    THRONG_API explicit ThreadRanks(std::uint32_t ranks, std::uint64_t seed = 0,
                                    const RankFaults& faults = {});
    THRONG_API ~ThreadRanks();
    THRONG_API ThreadRanks(ThreadRanks&&) noexcept;
    THRONG_API ThreadRanks& operator=(ThreadRanks&&) noexcept;

    /// Calls body(ranks) for each rank, and returns when all have returned. The body of a rank that
    /// ends on the way is left by RankEnds. Any other exception ends its rank too, and one of them
    /// is thrown here in the end. A rank for which there is no thread is lost to all others, and
    /// what std::thread has thrown is thrown here. One job after another; each begins its counts
    /// and its numbers anew.
    THRONG_API void run(FunctionRef<void(Ranks&)> body);

    /// What each rank has done in the latest job.
    [[nodiscard]] THRONG_API const std::vector<RankTraffic>& traffic() const noexcept;

private:
    class Job;
    std::unique_ptr<Job> job_;
};

} // namespace throng
