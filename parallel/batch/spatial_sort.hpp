// Sorts by place the questions that jump about in a large crowd. Internal.
#pragma once

#include "../../engine/shapes/with_shapes.hpp"
#include "state.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace throng {

/// The place of a question, accurate enough for sorting.
template <class Shape>
const auto& stored_point(const Shape& shape) noexcept {
    return detail::ShapeFacts<Shape>::stored_point(shape);
}
template <std::size_t Dim>
const Point<Dim>& stored_point(const Point<Dim>& point) noexcept {
    return point;
}

/// Questions of any kind, seen as elements of one size, each with an anchor: the point to sort by.
template <std::size_t Dim>
struct Anchored {
    const std::byte* first = nullptr;
    std::size_t count = 0, stride = 1;
    std::size_t offset = 0; ///< where the anchor is in a question, in bytes

    template <class Question>
    explicit Anchored(std::span<const Question> questions) noexcept
        : first(reinterpret_cast<const std::byte*>(questions.data())), count(questions.size()),
          stride(sizeof(Question)) {
        static_assert(std::is_trivially_copyable_v<Question>);
        if (questions.empty()) { return; }
        offset = static_cast<std::size_t>(
            reinterpret_cast<const std::byte*>(&stored_point(questions[0])) - first);
    }
    /// An unknown kind gives no questions.
    explicit Anchored(const ShapesView<Dim>& questions) noexcept {
        if (!check_kind(questions).ok()) { return; }
        *this = with_shapes(questions, [](auto shapes) { return Anchored(shapes); });
    }

    [[nodiscard]] const std::byte* operator[](std::size_t q) const noexcept {
        return first + q * stride;
    }
    [[nodiscard]] const Point<Dim>& anchor(std::size_t q) const noexcept {
        return *reinterpret_cast<const Point<Dim>*>((*this)[q] + offset);
    }
};

/// How a batch of questions is divided into blocks, and in which order the questions are asked.
template <std::size_t Dim>
struct Batch<Dim>::State::Sorting {
    State& state;
    const RowGrid<Dim>& grid; ///< questions are sorted in the order of this grid's cells
    Anchored<Dim> questions;
    Cut cut;

    /// Sorting pays if questions jump about in a crowd that does not fit the L2 cache.
    [[nodiscard]] bool pays() const noexcept {
        constexpr std::size_t kFewQuestions = 4096;
        constexpr std::size_t kSmallCrowd = std::size_t{3} << 20; // bytes
        constexpr std::size_t kAgent = 8 * (Dim + 1);             // bytes, roughly, with tables
        return questions.count >= kFewQuestions && questions.count <= kMaxAgents &&
               grid.size() > kSmallCrowd / kAgent && !are_coherent();
    }

    /// Puts the numbers of the questions into state.order, sorted as the grid sorts its agents.
    /// Throws Refused.
    void sort() const {
        if (!state.sorter.has_value()) { state.sorter.emplace(); }
        RowGrid<Dim>& sorted = *state.sorter;
        if (sorted.shape() != grid.shape()) { check(sorted.use(grid.shape())); }
        Agents<Dim> centres;
        centres.positions =
            PointView<Dim>::interleaved(questions.anchor(0).axis.data(), questions.count,
                                        static_cast<std::ptrdiff_t>(questions.stride));
        check(sorted.update(centres, *state.executor));
        state.order.resize(questions.count);
        (void)sorted.order(state.order);
    }

    /// Gathers the questions of a sorted block in part.queries, and their numbers in part.askers.
    void gather(std::size_t block, OutputPart& part) const {
        const std::span<const Id> asked = cut.part_of(std::span<const Id>(state.order), block);
        part.askers.assign(asked.begin(), asked.end());
        // Allocated with new, so these bytes are aligned for any shape.
        part.queries.resize(asked.size() * questions.stride);
        std::byte* to = part.queries.data();
        for (std::size_t i = 0; i < asked.size(); ++i, to += questions.stride) {
            if (i + kAhead < asked.size()) { __builtin_prefetch(questions[asked[i + kAhead]]); }
            std::memcpy(to, questions[asked[i]], questions.stride);
        }
    }

private:
    static void check(const Status& status) {
        if (!status.ok()) { throw Refused{status}; }
    }

    /// Whether most questions are near the question before them, by a sample.
    [[nodiscard]] bool are_coherent() const noexcept {
        constexpr std::size_t kSamples = 128;
        constexpr std::uint32_t kNearCells = 64;
        const GridShape<Dim>& shape = grid.shape();
        const auto is_near = [&](const Point<Dim>& a, const Point<Dim>& b) {
            const auto apart = [&](std::size_t axis) {
                const std::uint32_t from = shape.cell_on(axis, a[axis]);
                const std::uint32_t to = shape.cell_on(axis, b[axis]);
                return from < to ? to - from : from - to;
            };
            bool near = apart(0) <= kNearCells;
            for (std::size_t axis = 1; axis < Dim; ++axis) {
                near = near && apart(axis) <= 1;
            }
            return near;
        };
        std::size_t near = 0;
        for (std::size_t i = 0; i < kSamples; ++i) {
            const std::size_t q = i * (questions.count - 1) / kSamples;
            near += is_near(questions.anchor(q), questions.anchor(q + 1)) ? 1 : 0;
        }
        return 2 * near >= kSamples;
    }
};

} // namespace throng
