// The interface between distributed crowds and the processes of a job.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "../engine/core/status.hpp"
#include "../simd/isa/export.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Thrown in a rank that ends in the middle of a job, as ThreadRanks can make it end. A handler of
/// all exceptions must pass it on.
struct RankEnds {};

/// Bytes to send to a rank.
struct Parcel {
    std::uint32_t to = 0;
    std::span<const std::byte> bytes;
};

/// Bytes that have come from a rank.
struct Arrival {
    std::uint32_t from = 0;
    std::vector<std::byte> bytes;
};

/// The ranks of a job, 0 ... size() - 1, as one of them sees the others: the counterpart of
/// Executor for processes. All calls from begin_exchange() on are *collective*: every rank makes
/// them, in the same order, on one thread at a time.
///
/// A call returns Cause::rank_lost if another rank is gone or does not answer, and so does every
/// later call. No other failure takes a rank out of step: a call that throws std::bad_alloc has
/// taken part like any other, and only the arrivals are lost. Agreements and gather() must not
/// throw, since a rank cannot go on without their results: an exception there counts as
/// Cause::rank_lost.
class THRONG_API Ranks {
public:
    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    virtual ~Ranks();

    [[nodiscard]] virtual std::uint32_t rank() const noexcept = 0;
    [[nodiscard]] virtual std::uint32_t size() const noexcept = 0;
    /// Whether this process may run threads beside the one that calls: an MPI that was started for
    /// one thread forbids it. Then crowds refuse executors that are not serial.
    [[nodiscard]] virtual bool allows_threads() const noexcept { return true; }
    /// Names the crowd's call to which the next calls here belong, for messages.
    virtual void enters(const char* /*call*/) noexcept {}

    /// Sends parcels to ranks that expect them: `from` lists the ranks that send one here, one
    /// parcel each. All arguments are borrowed until finish_exchange(), which replaces `arrivals`
    /// by the parcels that came, in any order. Between the two, only the calls of an agreement are
    /// allowed.
    virtual Status begin_exchange(std::span<const Parcel> parcels,
                                  std::span<const std::uint32_t> from) = 0;
    virtual Status finish_exchange(std::vector<Arrival>& arrivals) = 0;

    /// Sends parcels to any ranks, at most one each; no rank knows beforehand which ranks send to
    /// it.
    virtual Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) = 0;

    /// The minimum of each word over all ranks. All ranks give equally many words, at most
    /// kMostWords.
    virtual Status begin_agree(std::span<const std::uint64_t> words) = 0;
    virtual Status finish_agree(std::span<std::uint64_t> words) = 0;

    /// The words of all ranks, by rank; each gives the same number of words.
    virtual Status gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) = 0;

    static constexpr std::size_t kMostWords = 8;
};

} // namespace throng

#include "../simd/isa/names_end.hpp"
