// Offsets of answers, made from their lengths. Internal.
#pragma once

#include "../../engine/core/executor.hpp"
#include "../../engine/core/status.hpp"
#include "../../engine/memory/checked_loop.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Loops over arrays with an element for each answer, too long for one thread. Calls return and
/// throw what run_blocks() does.
class Offsets {
public:
    /// Sets all elements to zero.
    Status clear(Executor& executor, std::span<std::uint64_t> offsets);
    /// Adds to each element all elements before it.
    Status add_up(Executor& executor, std::span<std::uint64_t> offsets);

    [[nodiscard]] std::size_t memory() const noexcept {
        return claims_.memory() + sums_.capacity() * sizeof(std::uint64_t);
    }

private:
    LoopClaims claims_;
    std::vector<std::uint64_t> sums_; ///< the sum of each block, then of all blocks before it
};

} // namespace throng
