#include "failing_mpi.hpp"

#include <throng/distributed/mpi_ranks.hpp>

#include <algorithm>

namespace throng::test {

FailingMpi& failing_mpi() noexcept {
    static FailingMpi state;
    return state;
}

namespace {

int after(int error) noexcept {
    FailingMpi& state = failing_mpi();
    const bool fails = state.fails_at == state.calls++;
    return fails && error == MPI_SUCCESS ? MPI_ERR_OTHER : error;
}

} // namespace
} // namespace throng::test

using throng::test::after;
using throng::test::failing_mpi;

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    failing_mpi().longest = std::max(failing_mpi().longest, count);
    return after(PMPI_Isend(data, count, type, to, tag, comm, request));
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    return after(PMPI_Irecv(data, count, type, from, tag, comm, request));
}

int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
    const int error = PMPI_Testall(count, requests, done, statuses);
    return *done == 0 ? error : after(error); // unfinished tests do not count
}

int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
    return after(PMPI_Iallreduce(from, to, count, type, op, comm, request));
}

int MPI_Ialltoall(const void* from, int count, MPI_Datatype type, void* to, int count_to,
                  MPI_Datatype type_to, MPI_Comm comm, MPI_Request* request) {
    return after(PMPI_Ialltoall(from, count, type, to, count_to, type_to, comm, request));
}

int MPI_Iallgather(const void* from, int count, MPI_Datatype type, void* to, int count_to,
                   MPI_Datatype type_to, MPI_Comm comm, MPI_Request* request) {
    return after(PMPI_Iallgather(from, count, type, to, count_to, type_to, comm, request));
}

int MPI_Query_thread(int* level) {
    const int error = PMPI_Query_thread(level);
    *level = failing_mpi().thread_level.value_or(*level);
    return error;
}
}
