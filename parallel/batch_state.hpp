// What a Batch is made of. Internal.
#pragma once

#include "../engine/profiled.hpp"
#include "../engine/row_grid_state.hpp"
#include "batch.hpp"
#include "joined_loop.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace throng {

/// Thrown in a block that is asked for what cannot be, so that no more blocks begin.
struct Refused {
    Status status;
};

/// Where the answers to many questions go: arrays that grow, or arrays that do not.
struct HitsOutput {
    std::span<std::uint64_t> offsets;
    std::span<Id> ids;
    std::vector<Id>* growing = nullptr; ///< what `ids` are, if they grow

    /// Makes room for so many, if they grow.
    void grow(std::uint64_t total) {
        if (growing == nullptr || total <= ids.size()) { return; }
        // A little more, so that a crowd that breathes does not reallocate.
        growing->resize(total + total / 16);
        ids = *growing;
    }
};

/// body(output) for hits that grow; if it fails, or throws, they are empty and not half done.
template <class Body>
Status fill_hits(Hits& hits, std::size_t questions, const Body& body) {
    Hits filling;
    std::swap(filling, hits);
    filling.offsets.resize(questions + 1);
    HitsOutput out = {filling.offsets, filling.ids, &filling.ids};
    const Status status = body(out);
    if (!status.ok()) { filling.offsets.clear(); }
    std::swap(filling, hits);
    return status;
}

template <std::size_t Dim>
struct Batch<Dim>::State {
    Executor* executor;
    JoinedLoop loop;
    std::optional<RowGrid<Dim>> sorter; // the questions of a batch, as if they were agents
    std::vector<Id> order;              // in which to ask them
    std::vector<std::uint64_t> before;  // askers before each slice
    [[no_unique_address]] Phase phase;

    explicit State(Executor& borrowed) noexcept : executor(&borrowed) {}

    /// Held through a whole call, by somebody who is not served elsewhere meanwhile and whose grid
    /// may not change, not even between two blocks.
    struct Asking {
        Profiled profiled;
        [[no_unique_address]] Phase::Serving serving;
        [[no_unique_address]] Phase::Reading reading;

        Asking(const char* name, State& state, const RowGrid<Dim>& grid) noexcept
            : profiled(name), serving(state.phase), reading(grid.state_->phase) {}
    };

    /// Of a batch that goes, or becomes another: it may not be serving anybody.
    static void expect_idle(const std::unique_ptr<State>& state) noexcept {
        if (state != nullptr) { const Phase::Serving going(state->phase); }
    }

    /// So many questions are a block: enough to hide what it costs to hand them to a thread, few
    /// enough for their answers to stay in the second cache.
    [[nodiscard]] static std::size_t block_size(std::size_t questions) noexcept {
        return std::clamp<std::size_t>(questions / 64, 512, 4096);
    }

    /// How many answers there are for everyone.
    [[nodiscard]] static std::size_t answers(const RowGrid<Dim>& grid, Order order) noexcept {
        return order == Order::storage ? grid.size() : grid.id_bound();
    }

    /// The agents of slices in storage order, one number a slice: how many come before it.
    static void count_before(const RowGrid<Dim>& grid, std::vector<std::uint64_t>& before) {
        const std::size_t slices = grid.slices();
        before.resize(slices + 1);
        before[0] = 0;
        for (std::size_t s = 0; s < slices; ++s) {
            before[s + 1] = before[s] + grid.agents_in(s, s + 1);
        }
    }
    void count_before(const RowGrid<Dim>& grid) { count_before(grid, before); }

    /// Notes whose answers those of a slice are.
    static void note_askers(const RowGrid<Dim>& grid, std::size_t slice, JoinedPart& part) {
        part.askers.resize(grid.agents_in(slice, slice + 1));
        (void)grid.order_range(slice, slice + 1, part.askers);
    }

    /// Scratch for a range call, or for one that asks for the nearest.
    [[nodiscard]] static std::span<std::uint32_t> scratch(JoinedPart& part) {
        part.scratch.resize(RowGrid<Dim>::range_scratch());
        return part.scratch;
    }
    [[nodiscard]] static std::span<std::uint32_t> nearest_scratch(JoinedPart& part) {
        part.scratch.resize(RowGrid<Dim>::nearest_scratch());
        return part.scratch;
    }

    /// Answers blocks of questions, whose answers stand in the order in which they are asked.
    ///
    /// answer(block, part, buffer) is a range call; questions(block) says which the block has.
    template <class Answer, class Questions>
    Found join(std::size_t blocks, const Answer& answer, const Questions& questions,
               HitsOutput& out) {
        const auto work = [&](std::size_t block, JoinedPart& part,
                              std::optional<std::uint64_t> begin) {
            const auto [first, count] = questions(block);
            if (begin.has_value() && (out.growing == nullptr || *begin < out.ids.size())) {
                // Straight to its place. The end of its last answer is the beginning of the next
                // block's first, whose own thread gets to know of it only once this one is done.
                part.length =
                    answer(block, part, {out.offsets.subspan(first, count + 1), out.ids, *begin});
                part.placed = out.growing == nullptr || *begin + part.length <= out.ids.size();
                if (part.placed) { return; }
            }
            part.offsets.resize(count + 1);
            if (out.growing == nullptr && part.begin >= out.ids.size()) {
                // Whatever these answers are, there is no room for them: only count.
                part.length = answer(block, part, {part.offsets, {}});
                return;
            }
            answer_aside(block, part, answer);
        };
        const auto place = [&](const JoinedPart& part) {
            const auto [first, count] = questions(part.block);
            for (std::size_t i = 0; i < count; ++i) {
                out.offsets[first + i] = part.begin + part.offsets[i];
            }
            const std::uint64_t room = out.ids.size() - std::min(part.begin, out.ids.size());
            if (part.length > room && out.growing != nullptr) { return false; }
            std::copy_n(part.ids.data(), std::min(part.length, room),
                        out.ids.data() + (room == 0 ? 0 : part.begin));
            return true;
        };
        Status status = loop.run(*executor, blocks, work, place);
        if (!status.ok()) { return {0, status}; }
        out.offsets.back() = loop.total();
        out.grow(loop.total());
        status = loop.run_kept(*executor, [&](const JoinedPart& part) {
            std::copy_n(part.ids.data(), part.length, out.ids.data() + part.begin);
        });
        return {loop.total(), status};
    }

    /// The same for questions that are asked in another order than their answers stand in:
    /// prepare(block, part) says in part.askers where each belongs.
    template <class Prepare, class Answer>
    Found join_scattered(std::size_t blocks, const Prepare& prepare, const Answer& answer,
                         HitsOutput& out) {
        std::fill(out.offsets.begin(), out.offsets.end(), 0);
        const auto work = [&](std::size_t block, JoinedPart& part, std::optional<std::uint64_t>) {
            prepare(block, part);
            part.offsets.resize(part.askers.size() + 1);
            answer_aside(block, part, answer);
            for (std::size_t i = 0; i < part.askers.size(); ++i) {
                if (i + kAhead < part.askers.size()) {
                    __builtin_prefetch(&out.offsets[part.askers[i + kAhead] + 1], 1);
                }
                out.offsets[part.askers[i] + 1] = part.offsets[i + 1] - part.offsets[i];
            }
        };
        Status status = loop.run(*executor, blocks, work, [](const JoinedPart&) { return false; });
        if (!status.ok()) { return {0, status}; }
        for (std::size_t q = 1; q < out.offsets.size(); ++q) {
            out.offsets[q] += out.offsets[q - 1];
        }
        out.grow(loop.total());
        status = loop.run_kept(*executor, [&](const JoinedPart& part) {
            for (std::size_t i = 0; i < part.askers.size(); ++i) {
                // Askers are strewn over memory: ask early for where the next answers go.
                if (i + 2 * kAhead < part.askers.size()) {
                    __builtin_prefetch(&out.offsets[part.askers[i + 2 * kAhead]]);
                    const std::uint64_t next = out.offsets[part.askers[i + kAhead]];
                    __builtin_prefetch(
                        out.ids.data() + std::min<std::uint64_t>(next, out.ids.size()), 1);
                }
                const std::uint64_t begin = out.offsets[part.askers[i]];
                if (begin >= out.ids.size()) { continue; }
                std::copy_n(part.ids.data() + part.offsets[i],
                            std::min<std::uint64_t>(part.offsets[i + 1] - part.offsets[i],
                                                    out.ids.size() - begin),
                            out.ids.data() + begin);
            }
        });
        return {loop.total(), status};
    }

    /// Runs body(block, part) for blocks that join nothing, and adds up what it returns.
    template <class Body>
    Found add_up(std::size_t blocks, const Body& body) {
        std::atomic<std::uint64_t> sum = 0;
        const auto work = [&](std::size_t block, JoinedPart& part, std::optional<std::uint64_t>) {
            part.length = 0;
            sum.fetch_add(body(block, part), std::memory_order_relaxed);
        };
        const Status status =
            loop.run(*executor, blocks, work, [](const JoinedPart&) { return true; });
        return {status.ok() ? sum.load() : 0, status};
    }

    /// body(), or why a range call refused.
    template <class Body>
    static Found refusable(const Body& body) {
        try {
            return body();
        } catch (const Refused& refused) { return {0, refused.status}; }
    }

    /// The count of what was found; throws Refused if the question was refused.
    static std::uint64_t checked(const Found& found) {
        if (!found.status.ok()) { throw Refused{found.status}; }
        return found.count;
    }

    /// So many questions ahead memory is asked for what they need.
    static constexpr std::size_t kAhead = 16;

private:
    /// Answers a block into the part's own array, which grows until all fits.
    template <class Answer>
    static void answer_aside(std::size_t block, JoinedPart& part, const Answer& answer) {
        part.length = answer(block, part, {part.offsets, part.ids});
        while (part.length > part.ids.size()) {
            part.ids.resize(part.length + part.length / 4);
            part.length = answer(block, part, {part.offsets, part.ids});
        }
    }
};

} // namespace throng
