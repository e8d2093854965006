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
#include <cstdint>
#include <vector>

namespace throng::obstacle {

/// Makes the view of the obstacles that searches take. Bypasses the interface of the tree, which
/// would look at the filter for each question.
template <std::size_t Dim, class State>
View<Dim> view_of(const State& state, const Filter& filter) noexcept {
    View<Dim> view = {detail::state_of(state.tree).tree.view(),
                      state.records.data(),
                      state.around.size,
                      {},
                      state.copied(),
                      {}};
    if (view.around != nullptr) { view.inner = view.around->inner(); }
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

/// Answers questions with a list for each: the lists follow one another in `answers`, which may
/// stay longer than they are, and `offsets` says where each begins. Calls what begin() makes with
/// the first and the end of a block's questions, a list to add their answers to, and where to write
/// how many answers that list has after each question.
template <std::size_t kBlock, class Answer, class Begin>
Found list_all(std::size_t count, Executor& executor, double cost,
               std::vector<std::uint64_t>& offsets, std::vector<Answer>& answers,
               const Begin& begin) {
    offsets.assign(count + 1, 0);
    // Each block fills a list of its own: to count first would be to answer everything twice. The
    // serial executor runs blocks in order, so that all fill the same list.
    const bool in_order = &executor == &serial_executor();
    if (in_order) { answers.clear(); }
    std::vector<std::vector<Answer>> parts(in_order ? 0 : (count + kBlock - 1) / kBlock);
    const Found found = answer_all<kBlock>(count, executor, cost, [&] {
        return [&, body = begin()](std::size_t first, std::size_t end) mutable {
            std::vector<Answer>& part = in_order ? answers : parts[first / kBlock];
            const std::size_t before = part.size();
            body(first, end, part, offsets.data() + first + 1);
            return part.size() - before;
        };
    });
    if (in_order || !found.status.ok()) { return found; }
    std::vector<std::uint64_t> before(parts.size());
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        before[p] = sum;
        sum += parts[p].size();
    }
    if (answers.size() < found.count) { answers.resize(found.count); }
    constexpr double kCopy = 2.0; // nanoseconds a question
    const Found copied = answer_all<kBlock>(count, executor, kCopy, [&] {
        return [&](std::size_t first, std::size_t end) {
            const std::size_t p = first / kBlock;
            std::copy(parts[p].begin(), parts[p].end(),
                      answers.begin() + static_cast<std::ptrdiff_t>(before[p]));
            for (std::size_t i = first; i < end; ++i) {
                offsets[i + 1] += before[p];
            }
            return parts[p].size();
        };
    });
    return copied;
}

} // namespace throng::obstacle
