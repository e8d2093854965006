#include "bandwidth.hpp"

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <limits>
#include <set>
#include <thread>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kRounds = 6; // the first one does not count, since threads start late
constexpr std::size_t kLeastBytes = std::size_t{192} << 20;

using Clock = std::chrono::steady_clock;

/// Computes a = b + 3 c.
void triad(std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& c) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = b[i] + 3.0 * c[i];
    }
}

double bytes_a_second(const Machine& machine, std::size_t threads) {
    const std::size_t bytes = std::max(kLeastBytes, 4 * machine.last_cache);
    const std::size_t length = bytes / (3 * sizeof(double) * threads);
    std::barrier gate(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::array<Clock::time_point, kRounds>> begins(threads), ends(threads);
    std::vector<std::thread> crew;
    for (std::size_t t = 0; t < threads; ++t) {
        crew.emplace_back([&, t] {
            if (t < machine.order.size()) { (void)pin_this_thread(machine.order[t]); }
            // Each thread fills its own arrays, so that their memory is near it.
            std::vector<double> a(length, 0.0), b(length, 1.0), c(length, 2.0);
            for (std::size_t round = 0; round < kRounds; ++round) {
                gate.arrive_and_wait();
                begins[t][round] = Clock::now();
                triad(a, b, c);
                ends[t][round] = Clock::now();
            }
        });
    }
    for (std::thread& thread : crew) {
        thread.join();
    }
    // From the first begin to the last end, because a thread may have to wait for a processor.
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t round = 1; round < kRounds; ++round) {
        Clock::time_point begin = begins[0][round], end = ends[0][round];
        for (std::size_t t = 1; t < threads; ++t) {
            begin = std::min(begin, begins[t][round]);
            end = std::max(end, ends[t][round]);
        }
        best = std::min(best, std::chrono::duration<double>(end - begin).count());
    }
    return 4.0 * sizeof(double) * static_cast<double>(length * threads) / best;
}

} // namespace

double Bandwidth::at(std::size_t threads) const noexcept {
    double best = 0.0;
    for (const auto& [count, measured] : measured_) {
        if (count <= threads) { best = std::max(best, measured); }
    }
    return best > 0.0 ? best : std::numeric_limits<double>::infinity();
}

std::string to_string(const Bandwidth& bandwidth) {
    std::string text;
    for (const auto& [threads, measured] : bandwidth.measured()) {
        char part[80];
        std::snprintf(part, sizeof(part), "%s%.1f%s with %zu%s", text.empty() ? "" : ", ",
                      measured * 1e-9, text.empty() ? " GB/s" : "", threads,
                      !text.empty()  ? ""
                      : threads == 1 ? " thread"
                                     : " threads");
        text += part;
    }
    return text;
}

Bandwidth measure_bandwidth(const Machine& machine) {
    std::set<std::size_t> counts{machine.cores_of_first_socket, machine.processors};
    for (std::size_t threads = 1; threads < machine.processors; threads *= 2) {
        counts.insert(threads);
    }
    Bandwidth bandwidth;
    for (const std::size_t threads : counts) {
        bandwidth.add(threads, bytes_a_second(machine, threads));
    }
    return bandwidth;
}

} // namespace throng::bench
