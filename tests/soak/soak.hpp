// The tests of throng_soak. Each prints its progress, and returns whether it passed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::soak {

/// Makes `operations` insertions, removals and moves, divided among all structures of the family.
/// The process and each index must grow by less than 1 % in the second half: rows keep room for the
/// most agents that they ever held.
bool churn(std::uint64_t operations, std::uint64_t seed);

/// Crowds of all kinds on any number of threads run for `seconds`, in episodes of 1000 frames:
/// giants, coincident points and empty frames in turn. In a long run memory must grow by no more
/// than a tenth. If each round loses `hoarded` bytes, even a short run must notice.
bool frames(double seconds, std::uint64_t seed, std::size_t hoarded = 0);

/// Moves `agents` agents in each of `frames` frames, while readers ask snapshots. Prints the times
/// of frames and questions, up to the slowest in a thousand.
bool load(std::size_t agents, std::size_t frames, std::size_t readers, std::uint64_t seed);

/// Does nothing, for ever: a test of the watchdog, which ends it after a second.
bool stand_still();

} // namespace throng::soak
