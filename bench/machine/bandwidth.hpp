// The bandwidth of memory, measured by the triad of STREAM (McCalpin, 1995).
#pragma once

#include "machine.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace throng::bench {

/// Bytes per second, by the number of threads.
class Bandwidth {
public:
    void add(std::size_t threads, double measured) { measured_[threads] = measured; }
    /// The best bandwidth measured with at most this many threads, since more threads never have
    /// less. Infinity below the smallest measured number: no limit is known.
    [[nodiscard]] double at(std::size_t threads) const noexcept;
    [[nodiscard]] const std::map<std::size_t, double>& measured() const noexcept {
        return measured_;
    }

private:
    std::map<std::size_t, double> measured_;
};

/// For example "18.2 GB/s with 1 thread, 23.1 with 2".
[[nodiscard]] std::string to_string(const Bandwidth& bandwidth);

/// Measures on one thread, on powers of two, on all cores of one socket and on all processors. Each
/// thread has its own processor and memory; the arrays are four times as large as all last-level
/// caches. Returns the best of some rounds. A written line counts twice, since it is read first.
/// Takes some tenths of a second for each number of threads.
[[nodiscard]] Bandwidth measure_bandwidth(const Machine& machine);

} // namespace throng::bench
