// The times of one call on one thread: of each block of its loops, and of the rest.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace throng::bench {

/// The profile of a call; all times are in seconds.
struct Profile {
    double serial = 0.0;                    ///< outside all loops
    std::vector<std::vector<double>> loops; ///< time of each block, in the order of runs
    /// The most threads that each loop takes. A loop without a number here takes any number.
    std::vector<std::size_t> most_threads = {};

    /// How many of `threads` threads work on a loop: at most as many as it takes, and as it has
    /// blocks.
    [[nodiscard]] std::size_t threads_of(std::size_t loop, std::size_t threads) const noexcept;

    [[nodiscard]] double in_blocks() const noexcept;
    /// The time of the whole call: the serial part and all blocks.
    [[nodiscard]] double whole() const noexcept { return serial + in_blocks(); }
    [[nodiscard]] std::size_t blocks() const noexcept;
    [[nodiscard]] double longest_block() const noexcept;

    /// Whether the work was divided in the same way: into as many loops, with as many blocks each,
    /// for as many threads.
    [[nodiscard]] bool is_cut_like(const Profile& other) const noexcept;
};

/// One profile for several runs of the same call: the medians of the serial part and of each block,
/// so that a disturbance of one run does not look like a long block. If the runs are divided
/// differently, the run with the median time. Empty without runs.
[[nodiscard]] Profile typical(std::span<const Profile> runs);

} // namespace throng::bench
