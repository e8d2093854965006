#include "memory.hpp"

#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace throng::soak {

std::size_t resident_bytes() {
    malloc_trim(0);
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    unsigned long all = 0;
    unsigned long resident = 0;
    unsigned long shared = 0;
    if (file == nullptr || std::fscanf(file, "%lu %lu %lu", &all, &resident, &shared) != 3) {
        std::abort();
    }
    std::fclose(file);
    return (resident - shared) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace throng::soak
