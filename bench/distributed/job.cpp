#include "job.hpp"

#if defined(THRONG_BENCH_HAS_MPI)
#include <throng/distributed/mpi_ranks.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace throng::bench {

namespace {

/// Environment variables of Open MPI, of Slurm and others with PMIx, and of MPICH.
bool launched() {
    constexpr const char* kSigns[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
    return std::any_of(std::begin(kSigns), std::end(kSigns),
                       [](const char* name) { return std::getenv(name) != nullptr; });
}

} // namespace

#if defined(THRONG_BENCH_HAS_MPI)
Job::Job(int& argc, char**& argv) {
    if (!launched()) { return; }
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    ranks_ = std::make_unique<MpiRanks>(MPI_COMM_WORLD, MpiSettings{std::chrono::seconds(100)});
}

Job::~Job() {
    if (ranks_ == nullptr) { return; }
    ranks_.reset();
    MPI_Finalize();
}

void Job::alone(FunctionRef<void()> work) {
    if (first()) { work(); }
    if (ranks_ == nullptr) { return; }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done == 0) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }
    }
}
#else
Job::Job(int&, char**&) {
    if (launched()) {
        throw std::runtime_error("started as a rank of a job, and built without -DTHRONG_MPI=ON");
    }
}

Job::~Job() = default;

void Job::alone(FunctionRef<void()> work) { work(); }
#endif

} // namespace throng::bench
