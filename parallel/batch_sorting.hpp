// Questions that jump about in a large crowd, sorted by place. Internal.
#pragma once

#include "../engine/shapes.hpp"
#include "batch_state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace throng {

/// Where a question is asked, near enough for sorting.
template <std::size_t Dim>
const Point<Dim>& place_of(const Box<Dim>& box) noexcept {
    return box.lo;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const Ball<Dim>& ball) noexcept {
    return ball.centre;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const Sector<Dim>& sector) noexcept {
    return sector.centre;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const Segment<Dim>& segment) noexcept {
    return segment.from;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const Ray<Dim>& ray) noexcept {
    return ray.origin;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const Capsule<Dim>& capsule) noexcept {
    return capsule.from;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const Convex<Dim>& convex) noexcept {
    return convex.bounds.lo;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const OrientedBox<Dim>& box) noexcept {
    return box.centre;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const Point<Dim>& point) noexcept {
    return point;
}

/// Whether questions mostly follow others from nearby: a sample of them.
template <std::size_t Dim, class Shape>
bool are_coherent(const GridShape<Dim>& shape, std::span<const Shape> shapes) noexcept {
    constexpr std::size_t kSamples = 128;
    constexpr std::uint32_t kNearCells = 64;
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
        const std::size_t q = i * (shapes.size() - 1) / kSamples;
        near += is_near(place_of(shapes[q]), place_of(shapes[q + 1])) ? 1 : 0;
    }
    return 2 * near >= kSamples;
}

/// How a batch of questions is cut into blocks, and in which order they are asked.
template <std::size_t Dim>
struct Batch<Dim>::Sorting {
    const char* name; // of the call
    State& state;
    const RowGrid<Dim>& grid;

    template <class Shape>
    static std::size_t blocks(std::span<const Shape> shapes) noexcept {
        const std::size_t size = State::block_size(shapes.size());
        return (shapes.size() + size - 1) / size;
    }
    template <class Element>
    static std::span<Element> block_of(std::span<Element> all, std::size_t questions,
                                       std::size_t block) noexcept {
        const std::size_t size = State::block_size(questions);
        return all.subspan(block * size, std::min(size, questions - block * size));
    }

    /// Sorting pays where questions jump about in a crowd that does not fit the second cache.
    template <class Shape>
    [[nodiscard]] bool should_sort(std::span<const Shape> shapes) const noexcept {
        constexpr std::size_t kFewQuestions = 4096;
        constexpr std::size_t kSmallCrowd = std::size_t{3} << 20; // bytes
        constexpr std::size_t kAgent = 8 * (Dim + 1);             // about, with its share of tables
        return shapes.size() >= kFewQuestions && shapes.size() <= kMaxAgents &&
               grid.size() > kSmallCrowd / kAgent && !are_coherent(grid.shape(), shapes);
    }

    /// Puts the numbers of the questions into state.order, sorted as the grid sorts its agents.
    template <class Shape>
    Status sort(std::span<const Shape> shapes) const {
        if (!state.sorter.has_value()) { state.sorter.emplace(); }
        RowGrid<Dim>& sorter = *state.sorter;
        if (sorter.shape() != grid.shape()) {
            const Status status = sorter.use(grid.shape());
            if (!status.ok()) { return status; }
        }
        Agents<Dim> places;
        places.positions = PointView<Dim>::interleaved(place_of(shapes[0]).axis.data(),
                                                       shapes.size(), sizeof(Shape));
        const Status status = sorter.update(places, *state.executor);
        if (!status.ok()) { return status; }
        state.order.resize(shapes.size());
        (void)sorter.order(state.order);
        return {};
    }

    /// Copies the questions of a sorted block together, and notes who asks.
    template <class Shape>
    void gather(std::span<const Shape> shapes, std::size_t block, JoinedPart& part) const {
        const std::span<const Id> asked =
            block_of(std::span<const Id>(state.order), shapes.size(), block);
        part.askers.assign(asked.begin(), asked.end());
        part.queries.resize(asked.size() * sizeof(Shape));
        // Allocated with new, hence aligned for any shape.
        auto* const copy = reinterpret_cast<Shape*>(part.queries.data());
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (i + State::kAhead < asked.size()) {
                __builtin_prefetch(&shapes[asked[i + State::kAhead]]);
            }
            std::construct_at(copy + i, shapes[asked[i]]);
        }
    }
    template <class Shape>
    static std::span<const Shape> gathered(const JoinedPart& part) noexcept {
        return {reinterpret_cast<const Shape*>(part.queries.data()), part.askers.size()};
    }
};

} // namespace throng
