// The machine that runs the benchmarks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace throng::bench {

struct Machine {
    std::string name;             ///< of its processor, from /proc/cpuinfo
    std::size_t processors = 1;   ///< that this process may run on
    std::size_t cores = 1;        ///< of these processors
    std::size_t sockets = 1;      ///< where these cores are
    std::size_t memory_nodes = 1; ///< NUMA nodes of these processors

    // Caches, in bytes; zero where the system does not say.
    std::size_t first_cache = 0, second_cache = 0; ///< of one core
    std::size_t last_cache = 0;                    ///< all last caches of these cores together

    /// The numbers of the processors: of each core one before the second of any, and one socket's
    /// cores before another's. Empty where the system does not say.
    std::vector<int> order;
    std::size_t cores_of_first_socket = 1;
};

[[nodiscard]] Machine this_machine();

/// In words, such as "AMD EPYC, 2 processors on 2 cores, 1 socket, 1 memory node, caches 32 KiB,
/// 512 KiB and 32 MiB".
[[nodiscard]] std::string to_string(const Machine& machine);

/// Lets the calling thread run on this processor only. False if the system does not allow it.
bool pin_this_thread(int processor) noexcept;

} // namespace throng::bench
