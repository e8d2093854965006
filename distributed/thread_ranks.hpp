// A whole job in one process: its ranks are threads, and faults can be injected.
#pragma once

#include "../engine/core/function_ref.hpp"
#include "ranks.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace throng {

/// Faults of a job of ThreadRanks. Calls of Ranks and messages are counted from 0.
struct RankFaults {
    struct Call {
        std::uint32_t rank = 0;
        std::uint64_t number = 0;
    };
    std::optional<Call> ends;             ///< the rank ends at this call
    std::optional<Call> no_memory;        ///< from this call on, the next arrivals find no memory
    std::optional<std::uint64_t> dropped; ///< this message, counted over all ranks, never arrives
    std::optional<std::uint64_t> delayed; ///< this message arrives only when all ranks wait
};

/// Traffic of a rank. Agreements and gatherings are only counted.
struct RankTraffic {
    std::uint64_t calls = 0;
    std::uint64_t messages = 0; ///< sent to other ranks
    std::uint64_t bytes = 0;    ///< of these messages
    std::uint64_t routes = 0;
    std::uint64_t agreements = 0;
    std::uint64_t gatherings = 0;

    friend bool operator==(const RankTraffic&, const RankTraffic&) = default;
};

/// Runs a job of any number of ranks in one process, each on its own thread, for tests and for
/// counting. Only one of them runs at a time: at each call of Ranks the seed decides which rank
/// goes on, and in what order messages arrive. So all that happens follows from the seed.
///
/// If no rank can go on, a rank or a message is lost: then all calls return Cause::rank_lost.
class ThreadRanks {
public:
    // Exported one by one: the nested classes stay internal.
    THRONG_API explicit ThreadRanks(std::uint32_t ranks, std::uint64_t seed = 0,
                                    const RankFaults& faults = {});
    THRONG_API ~ThreadRanks();
    THRONG_API ThreadRanks(ThreadRanks&&) noexcept;
    THRONG_API ThreadRanks& operator=(ThreadRanks&&) noexcept;

    /// Calls body(ranks) for each rank, and returns when all have returned. A rank that ends early
    /// leaves its body by RankEnds. Any other exception ends its rank too, and one of them is
    /// rethrown here in the end. A rank whose thread cannot be started is lost to all others, and
    /// the exception of std::thread is rethrown here. Jobs run one after another; each begins its
    /// counts and its random numbers anew.
    THRONG_API void run(FunctionRef<void(Ranks&)> body);

    /// The traffic of each rank in the latest job.
    [[nodiscard]] THRONG_API const std::vector<RankTraffic>& traffic() const noexcept;

private:
    class Job;
    std::unique_ptr<Job> job_;
};

} // namespace throng
