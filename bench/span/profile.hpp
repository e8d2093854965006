// The times of one call on one thread: its loops, block by block, and the rest.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace throng::bench {

/// All times are in seconds.
struct Profile {
    double serial = 0.0;                    ///< outside of all loops
    std::vector<std::vector<double>> loops; ///< of each block, in the order in which they ran
    /// How many threads each loop takes at most. A loop that has no number here takes any.
    std::vector<std::size_t> most_threads = {};

    /// How many of `threads` threads work on a loop: no more than it takes, or has blocks.
    [[nodiscard]] std::size_t threads_of(std::size_t loop, std::size_t threads) const noexcept;

    [[nodiscard]] double in_blocks() const noexcept;
    /// What the call took: the serial part and all blocks.
    [[nodiscard]] double whole() const noexcept { return serial + in_blocks(); }
    [[nodiscard]] std::size_t blocks() const noexcept;
    [[nodiscard]] double longest_block() const noexcept;

    /// Whether the same work was cut in the same way: as many loops, of as many blocks each, for as
    /// many threads.
    [[nodiscard]] bool is_cut_like(const Profile& other) const noexcept;
};

/// One profile for several runs of the same call: medians, of the serial part and of each block, so
/// that a disturbance of one run is not taken for a long block. If the runs are not all cut in the
/// same way, the run whose whole time is the median. Empty for no runs.
[[nodiscard]] Profile typical(std::span<const Profile> runs);

} // namespace throng::bench
