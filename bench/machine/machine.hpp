// The machine on which the benchmarks run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace throng::bench {

struct Machine {
    std::string name;             ///< of the processor, from /proc/cpuinfo
    std::size_t processors = 1;   ///< on which this process may run
    std::size_t cores = 1;        ///< with these processors
    std::size_t sockets = 1;      ///< with these cores
    std::size_t memory_nodes = 1; ///< NUMA nodes of these processors

    // Caches in bytes; zero if the system does not tell.
    std::size_t first_cache = 0, second_cache = 0; ///< of one core
    std::size_t last_cache = 0;                    ///< all last caches of these cores together

    /// The numbers of the processors, so ordered that one of each core comes before the second of
    /// any, and the cores of one socket come before another's. Empty if the system does not tell.
    std::vector<int> order;
    std::size_t cores_of_first_socket = 1;
};

[[nodiscard]] Machine this_machine();

/// A description such as "AMD EPYC, 2 processors on 2 cores, 1 socket, 1 memory node, caches 32
/// KiB, 512 KiB and 32 MiB".
[[nodiscard]] std::string to_string(const Machine& machine);

/// Lets the calling thread run on this processor only. False if the system does not allow it.
bool pin_this_thread(int processor) noexcept;

} // namespace throng::bench
