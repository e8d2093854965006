// The state of a Batch. Internal.
#pragma once

#include "../../engine/agents/buffers.hpp"
#include "../../engine/core/profile_scope.hpp"
#include "../../engine/crowd/store/state.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "../../engine/grid/store/state.hpp"
#include "batch.hpp"
#include "cut.hpp"
#include "few_lists.hpp"
#include "offsets.hpp"
#include "ordered_output.hpp"
#include "path_tree.hpp"
#include "source.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace throng {

/// The arrays for the answers to many questions.
struct HitsPlaces {
    std::span<std::uint64_t> offsets;
    std::span<Id> ids;
    std::vector<Id>* growing = nullptr; ///< the array behind `ids`, if it grows

    /// Makes room for `total` ids, if the array grows.
    void grow(std::uint64_t total) {
        if (growing == nullptr || total <= ids.size()) { return; }
        // A little more, so that totals that vary from frame to frame do not reallocate, and with
        // room for whole vectors behind the last answers.
        growing->resize(length_of(total + total / 16 + (total < 64 ? 0 : 4096)));
        ids = *growing;
    }
};

/// Returns answer(places). If answer() fails or throws, hits that grow are empty, not half done;
/// other arrays must have a place for each answer.
template <class Answer>
Found fill(const HitsOutput& out, std::size_t questions, const Answer& answer) {
    if (out.growing == nullptr) {
        const std::span<std::uint64_t> offsets = out.first;
        if (questions == 0 && offsets.empty()) { return {}; }
        if (offsets.size() <= questions) { return {0, {Cause::no_room, Argument::offsets}}; }
        HitsPlaces places = {offsets.first(questions + 1), out.second};
        return answer(places);
    }
    Hits filling;
    std::swap(filling, *out.growing);
    filling.offsets.resize(questions + 1);
    HitsPlaces places = {filling.offsets, filling.ids, &filling.ids};
    const Found found = answer(places);
    if (!found.ok()) { filling.offsets.clear(); }
    std::swap(filling, *out.growing);
    return found;
}

template <std::size_t Dim>
struct Batch<Dim>::State {
    using Grids = std::span<const NamedGrid<Dim>>;

    Executor* executor;
    OrderedLoop loop;
    Offsets sums;                              // adds up the lengths of answers by id
    std::optional<RowGrid<Dim>> sorter;        // the questions of a batch, as if they were agents
    std::vector<Id> order;                     // the order in which to ask the questions
    std::vector<std::uint64_t> before;         // askers before each slice
    std::vector<FewLists> few_lists;           // what agents of small grids say, grid by grid
    Hits few_found;                            // these agents' own lists
    std::vector<Id> few_names;                 // and their names
    std::optional<PathTree<Dim>> tree;         // for long paths
    const PathTree<Dim>* asked_tree = nullptr; // the tree that this call asks instead of the grid
    THRONG_NO_UNIQUE_ADDRESS AccessCheck serving;

    explicit State(Executor& borrowed) noexcept : executor(&borrowed) {}

    // The targets of calls, mostly in headers of these names.
    class GridSource;
    class GridsSource;
    class CrowdSource;
    class CrowdAskers;
    class GridPairs;
    class CrowdPairs;
    class NearPairs;

    // The kinds of calls, each in a file of its own.
    struct Query;
    struct NearestOfPoints;
    struct Neighbours;
    struct NearestOfAll;
    struct JoinedPairs;
    struct VisitedPairs;

    // Sorted questions, and the places of nearest calls' answers.
    struct Sorting;
    struct NearestPlaces;

    /// Held through a whole call: the batch serves no other call meanwhile.
    struct Serving {
        ProfileScope profiled;
        THRONG_NO_UNIQUE_ADDRESS AccessCheck::Serving serving;

        Serving(const char* name, State& state) noexcept : profiled(name), serving(state.serving) {
            state.asked_tree = nullptr; // no tree left over from an earlier call
        }
    };
    /// Where a call notes that the grid must not change, not even between two blocks.
    [[nodiscard]] static const AccessCheck& access(const RowGrid<Dim>& grid) noexcept {
        return detail::state_of(grid).access;
    }

    /// Whether a crowd's answer is the answer of its grid, then of its giants, then of its statics.
    /// Not in a periodic world, where questions have copies.
    [[nodiscard]] static bool plain(const Crowd<Dim>& crowd) noexcept { return !crowd.wraps(); }
    /// Whether the grid's answers are the whole answers.
    [[nodiscard]] static bool grid_alone(const Crowd<Dim>& crowd, Sets sets) noexcept {
        return plain(crowd) && detail::state_of(crowd).only_grid(sets);
    }

    /// Returns call(source, grid) for a grid, or for a crowd and its grid.
    template <class Call>
    Found ask(const char* name, const Asked<Dim>& asked, const Call& call) {
        Found answer;
        with_source(name, asked, [&](const ShapeSource<Dim>& source, const RowGrid<Dim>& grid) {
            answer = call(source, grid);
        });
        return answer;
    }
    /// Returns call(askers) for the askers, or `nonsense` if this status is not ok.
    template <class Call>
    Found ask_all(const char* name, const Asking<Dim>& asking, Order by, const Status& nonsense,
                  const Call& call) {
        Found answer;
        with_askers(name, asking, by, nonsense,
                    [&](Askers<Dim>& askers) { answer = call(askers); });
        return answer;
    }
    // Not templates, so that only sources.cpp has to know the sources.
    using ShapeCall = FunctionRef<void(const ShapeSource<Dim>&, const RowGrid<Dim>&)>;
    using AskersCall = FunctionRef<void(Askers<Dim>&)>;
    using PairsCall = FunctionRef<void(const PairSource<Dim>&)>;
    void with_source(const char* name, const Asked<Dim>& asked, ShapeCall call);
    void with_askers(const char* name, const Asking<Dim>& asking, Order by, const Status& nonsense,
                     AskersCall call);
    /// `near` has the radius. The caller has checked `near`, and holds the batch (Serving).
    void with_near_pairs(const PairsOf<Dim>& all, const Neighbourhood& near, PairsCall call);
    /// Returns call(source) for pairs that overlap. In pairs.cpp.
    template <class Call>
    Found ask_pairs(const char* name, const PairsOf<Dim>& all, std::uint32_t groups, Body body,
                    const Call& call);
    template <class Call>
    Found ask_source(const char* name, const OverlapSource<Dim>& source, const RowGrid<Dim>& grid,
                     Body body, const Call& call);

    /// For a batch that is destroyed or assigned to: asserts that it is serving no call.
    void expect_idle() noexcept { const AccessCheck::Serving going(serving); }

    /// Counts the agents before each block.
    void count_before(const Askers<Dim>& askers) {
        before.resize(askers.blocks() + 1);
        before[0] = 0;
        for (std::size_t block = 0; block + 1 < before.size(); ++block) {
            before[block + 1] = before[block] + askers.agents_in(block);
        }
    }

    /// Copies a part's own counts to their places.
    static void scatter_counts(const OutputPart& part, std::span<std::uint32_t> counts) noexcept {
        for (std::size_t i = 0; i < part.askers.size(); ++i) {
            counts[part.askers[i]] = part.counts[i];
        }
    }

    /// Scratch for a range call, or for one that asks for the nearest.
    [[nodiscard]] static std::span<std::uint32_t> scratch(OutputPart& part) {
        part.scratch.resize(GridParts<Dim>::scratch());
        return part.scratch;
    }
    [[nodiscard]] static std::span<std::uint32_t> nearest_scratch(OutputPart& part) {
        part.scratch.resize(GridParts<Dim>::nearest_scratch());
        return part.scratch;
    }

    /// Room in a part for a run of pairs to be handed to a visitor.
    [[nodiscard]] static PairsBuffer run_of(OutputPart& part) {
        constexpr std::size_t kRun = 8192;
        part.firsts.resize(std::max(kRun, part.firsts.size()));
        part.ids.resize(std::max(kRun, part.ids.size()));
        return {std::span(part.firsts).first(kRun), std::span(part.ids).first(kRun)};
    }
    /// Makes the pairs of a block in the part's own arrays, which grow until all fit.
    static void pairs_aside(const PairSource<Dim>& source, std::size_t block, OutputPart& part) {
        const auto fits = [&] {
            part.length = source.pairs(block, part, {part.firsts, part.ids});
            return part.length <= std::min(part.firsts.size(), part.ids.size());
        };
        while (!fits()) {
            // With room to spare: if the pairs of a packet might not fit, its agents would be asked
            // one by one.
            const std::uint64_t more = part.length + std::max<std::uint64_t>(part.length / 4, 4096);
            part.firsts.resize(length_of(std::max<std::uint64_t>(more, part.firsts.size())));
            part.ids.resize(length_of(std::max<std::uint64_t>(more, part.ids.size())));
        }
    }

    /// Answers blocks of questions that are asked in the order of their answers.
    ///
    /// answer(block, part, buffer) is a range call; questions(block) says which questions the block
    /// has.
    template <class Answer, class Questions>
    Found join(std::size_t blocks, LoopCost cost, const Answer& answer, const Questions& questions,
               HitsPlaces& out) {
        const auto work = [&](std::size_t block, OutputPart& part,
                              std::optional<std::uint64_t> begin) {
            const auto [first, count] = questions(block);
            if (begin.has_value() && (out.growing == nullptr || *begin < out.ids.size())) {
                // Writes the answers straight to their place. The last offset is also the first
                // offset of the next block, whose thread learns it only when this block is done.
                part.length =
                    answer(block, part, {out.offsets.subspan(first, count + 1), out.ids, *begin});
                part.written = out.growing == nullptr || *begin + part.length <= out.ids.size();
                if (part.written) { return; }
            }
            part.offsets.resize(count + 1);
            if (out.growing == nullptr && part.begin >= out.ids.size()) {
                // There is no room for any of these answers: only counts them.
                part.length = answer(block, part, {part.offsets, {}});
                return;
            }
            answer_aside(block, part, answer);
        };
        const auto write_part = [&](const OutputPart& part) {
            const auto [first, count] = questions(part.block);
            for (std::size_t i = 0; i < count; ++i) {
                out.offsets[first + i] = part.begin + part.offsets[i];
            }
            const std::uint64_t room =
                out.ids.size() - std::min<std::uint64_t>(part.begin, out.ids.size());
            if (part.length > room && out.growing != nullptr) { return false; }
            std::copy_n(part.ids.data(), std::min(part.length, room),
                        out.ids.data() + (room == 0 ? 0 : part.begin));
            return true;
        };
        Status status = loop.run(*executor, blocks, cost, work, write_part);
        if (!status.ok()) { return {0, status}; }
        out.offsets.back() = loop.total();
        out.grow(loop.total());
        status = loop.run_kept(*executor, [&](const OutputPart& part) {
            std::copy_n(part.ids.data(), part.length, out.ids.data() + part.begin);
        });
        return Found::of(loop.total(), status);
    }

    /// join() for questions that are asked in another order than that of their answers.
    /// prepare(block, part) notes in part.askers where each answer belongs.
    template <class Prepare, class Answer>
    Found join_scattered(std::size_t blocks, LoopCost cost, const Prepare& prepare,
                         const Answer& answer, HitsPlaces& out) {
        Status status = sums.clear(*executor, out.offsets);
        if (!status.ok()) { return {0, status}; }
        const auto work = [&](std::size_t block, OutputPart& part, std::optional<std::uint64_t>) {
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
        status = loop.run(*executor, blocks, cost, work, [](const OutputPart&) { return false; });
        if (status.ok()) { status = sums.add_up(*executor, out.offsets); }
        if (!status.ok()) { return {0, status}; }
        out.grow(loop.total());
        status = loop.run_kept(*executor, [&](const OutputPart& part) {
            for (std::size_t i = 0; i < part.askers.size(); ++i) {
                // Answers of a block lie scattered in memory: prefetch where the next ones go.
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
        return Found::of(loop.total(), status);
    }

    /// Runs call(block, part) for blocks without results to join, and adds up what it returns.
    template <class Call>
    Found add_up(std::size_t blocks, LoopCost cost, const Call& call) {
        std::atomic<std::uint64_t> sum = 0;
        const auto work = [&](std::size_t block, OutputPart& part, std::optional<std::uint64_t>) {
            part.length = 0;
            sum.fetch_add(call(block, part), std::memory_order_relaxed);
        };
        const Status status =
            loop.run(*executor, blocks, cost, work, [](const OutputPart&) { return true; });
        return Found::of(sum, status);
    }

    /// Returns call(), or the status with which a range call has refused.
    template <class Call>
    static Found refusable(const Call& call) {
        try {
            return call();
        } catch (const Refused& refused) { return {0, refused.status}; }
    }

    /// Returns found.count; throws Refused if the question was refused.
    static std::uint64_t checked(const Found& found) {
        if (!found.status.ok()) { throw Refused{found.status}; }
        return found.count;
    }

    /// How many questions ahead memory is prefetched.
    static constexpr std::size_t kAhead = 16;

private:
    /// Writes a block's answers to the part's own array, which grows until all fit.
    template <class Answer>
    static void answer_aside(std::size_t block, OutputPart& part, const Answer& answer) {
        part.length = answer(block, part, {part.offsets, part.ids});
        while (part.length > part.ids.size()) {
            part.ids.resize(length_of(part.length + part.length / 4));
            part.length = answer(block, part, {part.offsets, part.ids});
        }
    }
};

} // namespace throng
