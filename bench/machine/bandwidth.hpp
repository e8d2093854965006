// How fast memory is read and written, with the triad of STREAM (McCalpin, 1995).
#pragma once

#include "machine.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace throng::bench {

/// Bytes a second, by the number of threads.
class Bandwidth {
public:
    void add(std::size_t threads, double measured) { measured_[threads] = measured; }
    /// The best that was measured with no more threads than these, since more never have less.
    /// With fewer than any measured, infinity: no limit is known.
    [[nodiscard]] double at(std::size_t threads) const noexcept;
    [[nodiscard]] const std::map<std::size_t, double>& measured() const noexcept {
        return measured_;
    }

private:
    std::map<std::size_t, double> measured_;
};

/// Such as "18.2 GB/s with 1 thread, 23.1 with 2".
[[nodiscard]] std::string to_string(const Bandwidth& bandwidth);

/// On one thread, on powers of two, on all cores of one socket and on all processors, each thread
/// on a processor and with memory of its own: arrays of four times the last caches together. The
/// best of some rounds. A line that is written counts twice, as it is read before. Takes some
/// tenths of a second for each number of threads.
[[nodiscard]] Bandwidth measure_bandwidth(const Machine& machine);

} // namespace throng::bench
