// The ranks of an MPI job, for C. Part of throng::mpi.
#include "../../distributed/mpi_ranks.hpp"
#include "../../throng_mpi.h"
#include "ranks.hpp"

#include <chrono>
#include <memory>
#include <new>

throng_status throng_ranks_of_mpi(int32_t comm, double patience, throng_ranks** out) {
    using namespace throng::c;
    if (!(patience >= 0.0)) { return status_with(THRONG_NEGATIVE, "patience"); }
    try {
        const throng::MpiSettings settings{std::chrono::duration<double>(patience)};
        return throng::detail::give_ranks(
            std::make_shared<throng::MpiRanks>(MPI_Comm_f2c(comm), settings), out);
    } catch (const std::bad_alloc&) { return status_with(THRONG_OUT_OF_MEMORY, "out"); }
}
