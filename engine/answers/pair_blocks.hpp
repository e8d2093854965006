// Pairs that several threads hand to one visitor. Internal to the engine.
#pragma once

#include "../agents/found.hpp"
#include "../memory/checked_loop.hpp"
#include "visitors.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>

namespace throng {

/// The number of blocks into which to cut `parts` parts of unequal length: several for each useful
/// thread, so that no thread waits long for another; one if only one thread is useful.
[[nodiscard]] inline std::size_t pair_blocks(const Executor& executor, LoopCost cost,
                                             std::size_t parts) noexcept {
    constexpr std::size_t kBlocksOfThread = 8;
    constexpr std::size_t kMostThreads = 64; // also if the number of threads is unknown
    const std::size_t threads = std::min(cost.threads(executor), kMostThreads);
    return std::min(parts, threads == 1 ? 1 : kBlocksOfThread * threads);
}

/// Calls visit(block, visitor) for each block on the executor, where `visitor` hands pairs on to
/// `all` and counts them. Once `all` has returned false or has thrown, no more calls of it begin;
/// calls on other threads may still be running. Returns and throws what run_blocks() does; takes a
/// byte of memory a block.
template <class Visit>
Found visit_pair_blocks(Executor& executor, std::size_t blocks, LoopCost cost, IndexPairVisitor all,
                        const Visit& visit) {
    std::atomic<bool> stopped = false;
    std::atomic<std::size_t> visited = 0;
    const auto hand_on = [&](std::span<const Id> first, std::span<const Id> second) {
        if (stopped.load(std::memory_order_relaxed)) { return false; }
        visited.fetch_add(first.size(), std::memory_order_relaxed);
        bool more = false;
        try {
            more = all(first, second);
        } catch (...) {
            stopped.store(true, std::memory_order_relaxed); // before run_blocks() sees it
            throw;
        }
        if (!more) { stopped.store(true, std::memory_order_relaxed); }
        return more;
    };
    LoopClaims claims;
    const Status status = run_blocks(
        executor, blocks,
        [&](std::size_t block) {
            if (!stopped.load(std::memory_order_relaxed)) { visit(block, hand_on); }
        },
        claims, cost);
    return {status.ok() ? visited.load() : 0, status};
}

} // namespace throng
