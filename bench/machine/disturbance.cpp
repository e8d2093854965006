#include "disturbance.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace throng::bench {

namespace {

/// Busy seconds of all processors together.
double seconds_busy() noexcept {
    double seconds = 0.0;
#if defined(__linux__)
    std::FILE* const file = std::fopen("/proc/stat", "r");
    if (file == nullptr) { return 0.0; }
    // Time of the system and of a virtual machine's host counts as other programs'.
    double user, nice, system, idle, waiting, interrupts, soft_interrupts, stolen;
    if (std::fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle,
                    &waiting, &interrupts, &soft_interrupts, &stolen) == 8) {
        seconds = (user + nice + system + interrupts + soft_interrupts + stolen) /
                  static_cast<double>(sysconf(_SC_CLK_TCK));
    }
    std::fclose(file);
#endif
    return seconds;
}

/// Processor seconds of this program.
double seconds_own() noexcept {
    double seconds = 0.0;
#if defined(__linux__)
    rusage use{};
    if (getrusage(RUSAGE_SELF, &use) == 0) {
        for (const timeval& time : {use.ru_utime, use.ru_stime}) {
            seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        }
    }
#endif
    return seconds;
}

} // namespace

Disturbance::Disturbance() noexcept
    : start_(Clock::now()), busy_(seconds_busy()), own_(seconds_own()) {}

double Disturbance::share() const noexcept {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    const double others = (seconds_busy() - busy_) - (seconds_own() - own_);
    const double processors = std::max(std::thread::hardware_concurrency(), 1u);
    return elapsed > 0.0 ? std::clamp(others / (elapsed * processors), 0.0, 1.0) : 0.0;
}

void Disturbance::print() const {
    if (const double part = share(); part > 0.0) {
        std::printf("\nmeanwhile other programs had %.0f %% of the processors' time\n",
                    100.0 * part);
    }
}

} // namespace throng::bench
