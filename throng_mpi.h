/*
 * The ranks of an MPI job, for C: of throng::mpi (docs/distributed.md).
 */
#ifndef THRONG_MPI_H
#define THRONG_MPI_H

#include "throng_distributed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* This process as a rank of a communicator, which is given as Fortran has it: MPI_Comm_c2f(comm). So this header
   needs no <mpi.h>. All processes of the communicator make this call, between MPI_Init() and MPI_Finalize(), which
   the host calls. A rank that has waited for others longer than `patience` seconds ends the job; 0: it waits without
   end. */
THRONG_C throng_status throng_ranks_of_mpi(int32_t comm, double patience, throng_ranks** out);

#ifdef __cplusplus
}
#endif

#endif
