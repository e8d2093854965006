// Pairs, handed to one visitor from several threads. Internal to the engine.
#pragma once

#include "../../agents/found.hpp"
#include "../../answers/visitors.hpp"
#include "../../core/executor.hpp"
#include "../../memory/checked_loop.hpp"

#include <atomic>
#include <cstddef>
#include <span>

namespace throng {

/// Calls search(task, visitor) for each task below `tasks`, on the executor's threads. A search
/// hands its pairs on to the visitor that it is given, and ends where that returns false. Once the
/// host's visitor has had enough, or has thrown, it is not called again and no search begins.
/// Counts what the host's visitor was called with.
template <class Search>
Found visit_shared(IndexPairVisitor visitor, Executor& executor, std::size_t tasks, LoopCost cost,
                   const Search& search) {
    std::atomic<bool> enough = false;
    std::atomic<std::size_t> visited = 0;
    const auto hand_on = [&](std::span<const Id> first, std::span<const Id> second) {
        if (enough.load(std::memory_order_relaxed)) { return false; }
        visited.fetch_add(first.size(), std::memory_order_relaxed);
        bool go_on = false;
        try {
            go_on = visitor(first, second);
        } catch (...) {
            enough.store(true, std::memory_order_relaxed); // before it is known elsewhere
            throw;
        }
        if (!go_on) { enough.store(true, std::memory_order_relaxed); }
        return go_on;
    };
    LoopClaims claims;
    const auto run = [&](std::size_t task) {
        if (!enough.load(std::memory_order_relaxed)) { search(task, IndexPairVisitor(hand_on)); }
    };
    const Status status = run_blocks(executor, tasks, run, claims, cost);
    return {visited.load(std::memory_order_relaxed), status};
}

} // namespace throng
