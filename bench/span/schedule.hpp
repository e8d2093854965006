// Estimates how long a call takes on more threads than there are, from its times on one thread.
#pragma once

#include "profile.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace throng::bench {

/// The time of a loop whose blocks go, in order, each to the first free thread: ThreadPool does
/// that, and oneTBB roughly. Thread t is available from ready[t] on, and the loop begins at zero.
[[nodiscard]] double makespan(std::span<const double> blocks, std::span<const double> ready);
/// The same if all threads are available from the beginning.
[[nodiscard]] double makespan(std::span<const double> blocks, std::size_t threads);

/// The costs of a loop beside its blocks, in seconds.
struct LoopCost {
    double start = 0.0; ///< until all threads work
    double end = 0.0;   ///< from the end of the last block to the return to the caller
};

/// Costs of loops by the number of threads.
class LoopCosts {
public:
    void add(std::size_t threads, const LoopCost& measured) { measured_[threads] = measured; }
    /// The costs measured with the most threads up to this number, times the ratio of the
    /// logarithms of the two numbers: at best, threads wake one another as a tree. Zero for one
    /// thread.
    [[nodiscard]] LoopCost at(std::size_t threads) const noexcept;
    /// When each of these threads begins to work: the caller at once, the last one after `start`.
    [[nodiscard]] std::vector<double> ready(std::size_t threads) const;

private:
    std::map<std::size_t, LoopCost> measured_;
};

/// What keeps a call from being `threads` times as fast.
enum class Limit : std::uint8_t {
    none,     ///< nothing significant
    serial,   ///< the part outside all loops
    blocks,   ///< threads wait for a last, long block, or there are fewer blocks than threads
    wake_ups, ///< threads start late, or the caller learns late that they are done
    memory,   ///< memory cannot be read and written faster
};

[[nodiscard]] const char* to_string(Limit limit) noexcept;

/// An estimated time, and the time lost against perfect division among the threads.
struct Reckoning {
    double seconds = 0.0;
    double lost_serial = 0.0, lost_blocks = 0.0, lost_wake_ups = 0.0, lost_memory = 0.0;

    [[nodiscard]] double lost() const noexcept {
        return lost_serial + lost_blocks + lost_wake_ups + lost_memory;
    }
    /// The cause of the largest loss, if all losses together exceed a twentieth.
    [[nodiscard]] Limit limit() const noexcept;
};

/// Estimates the call on `threads` threads, when each loop wakes at most as many threads as it has
/// blocks, one after another. floors[i] is the least time that memory allows for loop i. The last
/// floor is for all further loops together; floors without a loop belong to the last loop. For one
/// thread, returns the measured time.
[[nodiscard]] Reckoning reckon(const Profile& profile, std::size_t threads, const LoopCosts& costs,
                               std::span<const double> floors = {});

} // namespace throng::bench
