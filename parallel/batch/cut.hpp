// How many questions a block has. Internal.
#pragma once

#include "../../engine/grid/planner/query_planner.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../../engine/shapes/shapes_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace throng {

/// Rough mean cost of a question to a grid in nanoseconds, from a sample of the questions and for
/// evenly spread agents. 0 if a sampled question is refused.
template <std::size_t Dim>
[[nodiscard]] double mean_cost(const ShapesView<Dim>& questions,
                               const GridFacts<Dim>& facts) noexcept {
    constexpr std::size_t kSample = 8;
    constexpr double kCall = 20.0, kRow = 8.0, kHit = 0.5;
    constexpr double kMost = 1e9; // a cap for shapes of any size
    const std::size_t sample = std::min(kSample, questions.count);
    double sum = 0.0;
    for (std::size_t i = 0; i < sample; ++i) {
        const ShapesView<Dim> one = questions.part(i * questions.count / sample, 1);
        if (!first_fault(one).ok()) { return 0.0; }
        double rows = 1.0;
        if (facts.agents != 0) {
            const Box<Dim> bounds = bounds_of(one);
            for (std::size_t a = 1; a < Dim; ++a) {
                const float low = std::max(bounds.lo[a], facts.bounds.lo[a]);
                const float high = std::min(bounds.hi[a], facts.bounds.hi[a]);
                const double cells =
                    std::max(high - low, 0.0f) * facts.store.shape().inverse_cell[a];
                // A path goes from row to row along one axis after the other.
                rows = is_path(one.kind) ? rows + cells : rows * (cells + 1.0);
            }
            sum += kHit * static_cast<double>(expected_hits(one, facts));
        }
        sum += kCall + kRow * rows;
    }
    if (!(sum > 0.0)) { return 0.0; } // no questions, or a sum that is NaN
    return std::min(sum / static_cast<double>(sample), kMost);
}

/// How questions are divided into blocks.
struct Cut {
    std::size_t questions = 0;
    std::size_t size = 1; ///< questions in a block; the last block may have fewer
    std::size_t blocks = 0;
    LoopCost cost; ///< the cost of all questions

    /// A block is long enough to hide the cost of handing it to a thread, short enough that threads
    /// do not wait long for the last one, and has few enough questions for their answers to stay in
    /// the L2 cache. `each` is the rough cost of a question in nanoseconds; `threads` is 0 if
    /// unknown.
    [[nodiscard]] static Cut of(std::size_t questions, double each, std::size_t threads) noexcept {
        constexpr std::size_t kFewest = 512, kMost = 4096;
        constexpr std::size_t kBlocks = 64, kBlocksOfThread = 4;
        constexpr double kShortest = 10'000.0, kLongest = 100'000.0; // nanoseconds
        const auto lasting = [&](double nanoseconds, std::size_t most) {
            const double count = nanoseconds / std::max(each, 1.0);
            return std::clamp<std::size_t>(static_cast<std::size_t>(count), 1, most);
        };
        const std::size_t fewest = lasting(kShortest, kFewest);
        const std::size_t most = std::max(lasting(kLongest, kMost), fewest);
        const std::size_t wanted = std::max(kBlocks, kBlocksOfThread * threads);
        const std::size_t size = std::clamp(questions / wanted, fewest, most);
        return {questions, size, (questions + size - 1) / size, LoopCost::of(questions, each)};
    }

    /// A block's first question, and how many it has.
    [[nodiscard]] std::pair<std::size_t, std::size_t> range(std::size_t block) const noexcept {
        return {block * size, std::min(size, questions - block * size)};
    }
    /// A block's part of an array with an element for each question.
    template <class Element>
    [[nodiscard]] std::span<Element> part_of(std::span<Element> all,
                                             std::size_t block) const noexcept {
        const auto [first, count] = range(block);
        return all.subspan(first, count);
    }
};

} // namespace throng
