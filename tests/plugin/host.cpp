// host <plug-in>: loads the plug-in, asks it, and unloads it, a hundred times. Nothing of it may
// remain.
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>

namespace {

/// The plug-in's answer: on a lattice, each agent finds itself and the agents beside it.
constexpr std::uint64_t kNeighbours = 60 * 60 + 4 * 60 * 59;

int fail(const char* what, int time) {
    std::printf("the %d. time: %s\n", time, what);
    return 1;
}

std::ptrdiff_t threads() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) { return fail("there is no name of a plug-in", 0); }
    const char* const name = arguments[1];
    for (int time = 1; time <= 100; ++time) {
        void* const plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (plugin == nullptr) { return fail(dlerror(), time); }
        void* const function = dlsym(plugin, "neighbours_in_plugin");
        if (function == nullptr) { return fail(dlerror(), time); }
        const auto neighbours = reinterpret_cast<std::uint64_t (*)()>(function);
        if (neighbours() != kNeighbours) { return fail("wrong answers", time); }
        if (dlclose(plugin) != 0) { return fail(dlerror(), time); }
        if (dlopen(name, RTLD_NOW | RTLD_NOLOAD) != nullptr) { return fail("it stays", time); }
        if (threads() != 1) { return fail("its threads stay", time); }
    }
    std::puts("it came and went");
}
