#include "machine.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace throng::bench {

namespace {

std::string processor_name() {
    std::ifstream cpus("/proc/cpuinfo");
    for (std::string line; std::getline(cpus, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "unknown";
}

} // namespace

Machine this_machine() {
    Machine machine;
    machine.name = processor_name();
    machine.processors = std::max(std::thread::hardware_concurrency(), 1u);
    machine.cores = machine.processors;
#if defined(__linux__)
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof(usable), &usable) != 0) { return machine; }
    machine.processors = static_cast<std::size_t>(CPU_COUNT(&usable));
    // Processors of one core name the same siblings.
    std::set<std::string> siblings;
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &usable)) { continue; }
        std::ifstream list("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                           "/topology/thread_siblings_list");
        std::string line;
        // If the system does not say, each processor counts as a core.
        siblings.insert(std::getline(list, line) ? line : std::to_string(cpu));
    }
    machine.cores = siblings.size();
#endif
    return machine;
}

} // namespace throng::bench
