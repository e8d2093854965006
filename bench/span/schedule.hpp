// Reckons how long a call takes on more threads than there are, from its times on one.
#pragma once

#include "profile.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace throng::bench {

/// How long a loop takes whose blocks go, in their order, each to the first thread that is free:
/// what ThreadPool does, and oneTBB about. Thread t is there from ready[t] on, and the loop begins
/// at zero.
[[nodiscard]] double makespan(std::span<const double> blocks, std::span<const double> ready);
/// The same where all of these threads are there from the beginning.
[[nodiscard]] double makespan(std::span<const double> blocks, std::size_t threads);

/// What a loop costs beside its blocks, in seconds.
struct LoopCost {
    double start = 0.0; ///< until all threads are at work
    double end = 0.0;   ///< from the end of the last block to the return to the caller
};

/// These costs by the number of threads.
class LoopCosts {
public:
    void add(std::size_t threads, const LoopCost& measured) { measured_[threads] = measured; }
    /// The costs measured with the most threads up to this number, times the ratio of the
    /// logarithms: threads wake one another, at best as a tree does. Nothing for one thread.
    [[nodiscard]] LoopCost at(std::size_t threads) const noexcept;
    /// When each of these threads is at work: the caller at once, the last one when all are.
    [[nodiscard]] std::vector<double> ready(std::size_t threads) const;

private:
    std::map<std::size_t, LoopCost> measured_;
};

/// What keeps a call from being as many times as fast as there are threads.
enum class Limit : std::uint8_t {
    none,     ///< nothing to speak of
    serial,   ///< the part outside of all loops
    blocks,   ///< threads wait for the last, long block, or there are fewer blocks than threads
    wake_ups, ///< threads come late, or the caller hears late that they are done
    memory,   ///< it cannot be read and written any faster
};

[[nodiscard]] const char* to_string(Limit limit) noexcept;

/// A time, and where it is more than the part of one of as many equal threads.
struct Reckoning {
    double seconds = 0.0;
    double lost_serial = 0.0, lost_blocks = 0.0, lost_wake_ups = 0.0, lost_memory = 0.0;

    [[nodiscard]] double lost() const noexcept {
        return lost_serial + lost_blocks + lost_wake_ups + lost_memory;
    }
    /// The largest of the losses, if together they are more than a twentieth.
    [[nodiscard]] Limit limit() const noexcept;
};

/// The call on `threads` threads, of which a loop wakes no more than it has blocks, one after
/// another. floors[i] is the least time that the memory allows for loop i; the last one is for all
/// further loops together, and those for which there are no loops belong to the last loop. One
/// thread takes what was measured.
[[nodiscard]] Reckoning reckon(const Profile& profile, std::size_t threads, const LoopCosts& costs,
                               std::span<const double> floors = {});

} // namespace throng::bench
