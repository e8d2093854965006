// Makes the view that searches of obstacles take, and runs the questions of a batch. Internal to
// the engine.
#pragma once

#include "../../agents/filter.hpp"
#include "../../agents/found.hpp"
#include "../../core/access.hpp"
#include "../../core/executor.hpp"
#include "../../loose_tree/state.hpp"
#include "../../memory/checked_loop.hpp"
#include "search.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace throng::obstacle {

/// Makes the view of the obstacles that searches take. Bypasses the interface of the tree, which
/// would look at the filter for each question.
template <std::size_t Dim, class State>
View<Dim> view_of(const State& state, const Filter& filter) noexcept {
    View<Dim> view = {
        detail::state_of(state.tree).tree.view(), state.records.data(), state.size, {}};
    view.kernel_filter.groups = filter.groups;
    view.kernel_filter.without = state.slot_of(filter.without);
    return view;
}

/// Answers questions 0 ... count - 1 in blocks of kBlock. For each block begin() makes a function,
/// which is called with the first and the end of the block's questions; adds up its results.
template <std::size_t kBlock, class Begin>
Found answer_all(std::size_t count, Executor& executor, double cost, const Begin& begin) {
    std::atomic<std::size_t> sum = 0;
    LoopClaims claims;
    const Status status = run_blocks(
        executor, (count + kBlock - 1) / kBlock,
        [&](std::size_t block) {
            auto body = begin();
            const std::size_t found = body(block * kBlock, std::min(count, (block + 1) * kBlock));
            sum.fetch_add(found, std::memory_order_relaxed);
        },
        claims, LoopCost::of(count, cost));
    return {status.ok() ? sum.load() : 0, status};
}

} // namespace throng::obstacle
