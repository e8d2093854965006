#include "machine.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <thread>
#include <tuple>

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

#if defined(__linux__)

/// The first line of a file; `otherwise` if there is no file.
std::string line_of(const std::string& path, const std::string& otherwise) {
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) ? line : otherwise;
}

/// The number of bytes in a text such as 512K.
std::size_t size_from(const std::string& text) {
    const std::size_t unit = text.find_first_not_of("0123456789");
    if (unit == 0 || text.empty()) { return 0; }
    const std::size_t number = std::stoul(text.substr(0, unit));
    const char letter = unit == std::string::npos ? ' ' : text[unit];
    return number << (letter == 'K' ? 10 : letter == 'M' ? 20 : letter == 'G' ? 30 : 0);
}

std::string folder_of(std::size_t cpu) {
    return "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
}

/// Adds a processor's caches. `last` maps the list of processors that share a last-level cache to
/// its size.
void look_at_caches(std::size_t cpu, Machine& machine, std::map<std::string, std::size_t>& last) {
    std::size_t highest = 0, size_of_highest = 0;
    std::string shared_by;
    for (std::size_t index = 0;; ++index) {
        const std::string cache = folder_of(cpu) + "/cache/index" + std::to_string(index) + "/";
        const std::string type = line_of(cache + "type", "");
        if (type.empty()) { break; }
        const std::size_t level = size_from(line_of(cache + "level", "0"));
        const std::size_t size = size_from(line_of(cache + "size", "0"));
        if (type == "Instruction") { continue; }
        if (level == 1) { machine.first_cache = size; }
        if (level == 2) { machine.second_cache = size; }
        if (level > highest) {
            highest = level;
            size_of_highest = size;
            shared_by = line_of(cache + "shared_cpu_list", std::to_string(cpu));
        }
    }
    if (highest != 0) { last[shared_by] = size_of_highest; }
}

std::size_t node_of(std::size_t cpu) {
    for (std::size_t node = 0; node < 64; ++node) {
        // A processor's folder has a link to the folder of its node.
        if (std::ifstream(folder_of(cpu) + "/node" + std::to_string(node) + "/cpulist")) {
            return node;
        }
    }
    return 0;
}

void look_around(const cpu_set_t& usable, Machine& machine) {
    machine.processors = static_cast<std::size_t>(CPU_COUNT(&usable));
    std::map<std::string, std::size_t> on_core; // processors of a core, by its list of siblings
    std::map<std::string, std::size_t> cores_of_socket;
    std::map<std::string, std::size_t> last_caches;
    std::set<std::size_t> nodes;
    using Place = std::tuple<std::size_t, std::string, std::size_t, std::size_t>;
    std::vector<Place> places; // number on its core, socket, node, processor
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &usable)) { continue; }
        const std::string topology = folder_of(cpu) + "/topology/";
        // If the system does not tell, each processor counts as a core.
        const std::string core = line_of(topology + "thread_siblings_list", std::to_string(cpu));
        const std::string socket = line_of(topology + "physical_package_id", "0");
        const std::size_t sibling = on_core[core]++;
        if (sibling == 0) { ++cores_of_socket[socket]; }
        const std::size_t node = node_of(cpu);
        nodes.insert(node);
        places.emplace_back(sibling, socket, node, cpu);
        look_at_caches(cpu, machine, last_caches);
    }
    if (places.empty()) { return; }
    std::sort(places.begin(), places.end());
    for (const Place& place : places) {
        machine.order.push_back(static_cast<int>(std::get<3>(place)));
    }
    machine.cores = on_core.size();
    machine.sockets = cores_of_socket.size();
    machine.cores_of_first_socket = cores_of_socket[std::get<1>(places[0])];
    machine.memory_nodes = nodes.size();
    for (const auto& [sharers, size] : last_caches) {
        machine.last_cache += size;
    }
}

#endif

std::string counted(std::size_t count, const char* noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string in_bytes(std::size_t bytes) {
    return (bytes >> 20) != 0 ? std::to_string(bytes >> 20) + " MiB"
                              : std::to_string(bytes >> 10) + " KiB";
}

} // namespace

Machine this_machine() {
    Machine machine;
    machine.name = processor_name();
    machine.processors = std::max(std::thread::hardware_concurrency(), 1u);
    machine.cores = machine.cores_of_first_socket = machine.processors;
#if defined(__linux__)
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof(usable), &usable) == 0) { look_around(usable, machine); }
#endif
    return machine;
}

std::string to_string(const Machine& machine) {
    std::string text = machine.name + ", " + counted(machine.processors, "processor") + " on " +
                       counted(machine.cores, "core") + ", " + counted(machine.sockets, "socket") +
                       ", " + counted(machine.memory_nodes, "memory node");
    if (machine.last_cache != 0) {
        text += ", caches " + in_bytes(machine.first_cache) + ", " +
                in_bytes(machine.second_cache) + " and " + in_bytes(machine.last_cache);
    }
    return text;
}

bool pin_this_thread(int processor) noexcept {
#if defined(__linux__)
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(processor), &one);
    return sched_setaffinity(0, sizeof(one), &one) == 0;
#else
    (void)processor;
    return false;
#endif
}

} // namespace throng::bench
