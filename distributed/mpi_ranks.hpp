// The ranks of an MPI job.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "ranks.hpp"

#include <chrono>
#include <memory>

// MPI's C++ bindings, which Debian's Open MPI still has, would make every user link their library.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

namespace throng {

struct MpiSettings {
    /// A rank that has waited longer than this for others ends the job, after a sentence on stderr
    /// that names the call and the silent ranks. Zero: it waits without end. It must be longer than
    /// any rank works between two calls.
    std::chrono::duration<double> patience{0.0};
};

/// This process as a rank of an MPI job. Part of throng::mpi, and not in <throng/distributed.hpp>.
///
/// All processes of a communicator make an MpiRanks, between MPI_Init() and MPI_Finalize(), which
/// the host calls. It duplicates the communicator, so its messages never mix with the host's. It
/// calls only functions of MPI 3.0, and only on the calling thread, which must be the main one:
/// MPI_THREAD_FUNNELED is enough. Under MPI_THREAD_SINGLE crowds refuse executors that are not
/// serial.
///
/// If a process dies, MPI ends the job. If MPI returns an error, or was not running at
/// construction, this call and all later ones return Cause::rank_lost. Messages on the way are then
/// given up, and the host should end the job, since other ranks may wait for this one. An MpiRanks
/// takes 90 bytes for each rank of the job, and a mebibyte.
class THRONG_API MpiRanks final : public Ranks {
public:
    /// Throws std::bad_alloc.
    explicit MpiRanks(MPI_Comm job, const MpiSettings& settings = {});
    /// Does nothing after MPI_Finalize().
    ~MpiRanks() override;

    [[nodiscard]] std::uint32_t rank() const noexcept override;
    [[nodiscard]] std::uint32_t size() const noexcept override;
    [[nodiscard]] bool allows_threads() const noexcept override;
    void enters(const char* call) noexcept override;
    Status begin_exchange(std::span<const Parcel> parcels,
                          std::span<const std::uint32_t> from) override;
    Status finish_exchange(std::vector<Arrival>& arrivals) override;
    Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) override;
    Status begin_agree(std::span<const std::uint64_t> words) override;
    Status finish_agree(std::span<std::uint64_t> words) override;
    Status gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace throng

#include "../simd/isa/names_end.hpp"
