// Runs the tests on all ranks of a job at once. With an argument it ends badly instead, to show
// what happens to the other ranks.
#include "../../../simd/isa/isa.hpp"

#include <throng/distributed/mpi_ranks.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

/// Only rank 0 writes the file of results.
void keep_one_report() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) { unsetenv("GTEST_OUTPUT"); }
}

/// Whether all ranks have passed: a test case that fails on any rank has failed.
bool all_passed(bool here) {
    int passed = here ? 1 : 0, all = 0;
    MPI_Allreduce(&passed, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

/// Ranks send each other unwritten bytes, which valgrind must report.
[[noreturn]] void send_unwritten() {
    throng::MpiRanks ranks(MPI_COMM_WORLD);
    const std::unique_ptr<std::byte[]> bytes(new std::byte[100]);
    const std::uint32_t other = ranks.size() - 1 - ranks.rank();
    const throng::Parcel parcel{other, {bytes.get(), 100}};
    std::vector<throng::Arrival> arrivals;
    (void)ranks.begin_exchange({&parcel, 1}, {&other, 1});
    (void)ranks.finish_exchange(arrivals);
    MPI_Finalize();
    std::exit(EXIT_SUCCESS);
}

/// The last rank dies, or makes no call, while the others wait in an agreement.
[[noreturn]] void end_badly(const std::string& how) {
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    throng::MpiRanks ranks(MPI_COMM_WORLD, {.patience = how == "silent" ? 2s : 0s});
    ranks.enters("update()");
    const std::uint64_t word = 1;
    std::uint64_t least = 0;
    for (int call = 0; call < 2; ++call) {
        if (rank == size - 1 && call == 1) {
            if (how == "killed") { std::raise(SIGKILL); }
            std::this_thread::sleep_for(60s);
        }
        (void)ranks.begin_agree({&word, 1});
        (void)ranks.finish_agree({&least, 1});
    }
    std::printf("the job went on without a rank\n");
    std::exit(EXIT_SUCCESS);
}

} // namespace

int main(int argc, char** argv) {
    {
        throng::MpiRanks too_early(MPI_COMM_WORLD);
        const std::uint64_t word = 0;
        if (too_early.begin_agree({&word, 1}).cause != throng::Cause::rank_lost) {
            std::printf("before MPI_Init() there are ranks\n");
            return EXIT_FAILURE;
        }
    }
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const std::string how = argc == 2 ? argv[1] : "";
    if (how == "killed" || how == "silent") { end_badly(how); }
    if (how == "unwritten") { send_unwritten(); }
    keep_one_report();
    testing::InitGoogleTest(&argc, argv);
    const bool passed = all_passed(RUN_ALL_TESTS() == 0);
    {
        throng::MpiRanks too_late(MPI_COMM_WORLD); // destroyed after MPI_Finalize()
        MPI_Finalize();
    }
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
