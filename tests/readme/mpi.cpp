// The program of docs/distributed.md that is a rank of an MPI job.
#include <throng/distributed.hpp>
#include <throng/distributed/mpi_ranks.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level); // MPI is the host's
    throng::Status s;
    {
        throng::MpiRanks ranks(MPI_COMM_WORLD, {.patience = std::chrono::seconds(60)});
        throng::DistributedGrid<2> crowd(ranks);
        throng::Share<2> mine;
        mine.ids = {ranks.rank()}; // an agent of each process, all in one place
        mine.positions = {{{1.0f, 2.0f}}};
        s = crowd.configure(
            {.bounds = {{}, {{9.0f, 9.0f}}}, .cell = {{0.5f, 1.0f}}, .reach = 1.0f});
        if (s.ok()) { s = crowd.update(mine); }
        std::uint64_t agents = 0;
        if (s.ok()) { s = crowd.size(agents); }
        if (ranks.rank() == 0) {
            std::printf("%llu agents on %u ranks: %s\n", static_cast<unsigned long long>(agents),
                        static_cast<unsigned>(ranks.size()), throng::to_string(s).c_str());
        }
    } // the ranks go before MPI does
    MPI_Finalize();
    return s.ok() ? 0 : 1;
}
