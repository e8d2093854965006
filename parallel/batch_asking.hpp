// Batches of shapes, whoever is asked. Internal.
#pragma once

#include "../engine/row_grid_ask.hpp"
#include "batch_sorting.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace throng {

/// Batches of shapes. `Source` is who is asked: it has the range calls of a RowGrid, for all of the
/// shapes that it is given. Whoever is asked, questions are sorted as suits the grid.
template <std::size_t Dim>
template <class Source>
struct Batch<Dim>::Asking : Sorting {
    Source source;
    Filters filters;
    typename State::Asking asking{this->name, this->state, this->grid};

    using Sorting::block_of;
    using Sorting::blocks;
    using Sorting::gather;
    using Sorting::should_sort;
    using Sorting::sort;
    using Sorting::state;

    /// The filters of a block that is not sorted.
    [[nodiscard]] Filters filters_of(std::size_t questions, std::size_t block) const noexcept {
        const std::size_t size = State::block_size(questions);
        return filters.part(block * size, std::min(size, questions - block * size));
    }
    /// And those of a sorted one, once they are gathered.
    [[nodiscard]] Filters gathered_filters(const JoinedPart& part) const noexcept {
        return filters.one_each() ? Filters(FilterEach(part.filters)) : filters;
    }
    void gather_filters(JoinedPart& part) const {
        part.filters.clear();
        for (std::size_t i = 0; filters.one_each() && i < part.askers.size(); ++i) {
            part.filters.push_back(filters.of(part.askers[i]));
        }
    }

    /// What a range call answers to all of `shapes`.
    template <class Shape>
    std::uint64_t answer(std::span<const Shape> shapes, const Filters& some, JoinedPart& part,
                         const HitsBuffer& buffer) const {
        return State::checked(source.query(shapes, part, buffer, some));
    }

    template <class Shape>
    Found query(std::span<const Shape> shapes, HitsOutput& out) const {
        if (!filters.fit(shapes.size())) { return {0, {Cause::count_mismatch, Argument::filters}}; }
        return refusable(shapes, [&]() -> Found {
            if (!should_sort(shapes)) {
                const std::size_t size = State::block_size(shapes.size());
                return state.join(
                    blocks(shapes),
                    [&](std::size_t block, JoinedPart& part, const HitsBuffer& buffer) {
                        return answer(block_of(shapes, shapes.size(), block),
                                      filters_of(shapes.size(), block), part, buffer);
                    },
                    [&](std::size_t block) {
                        return std::pair(block * size,
                                         block_of(shapes, shapes.size(), block).size());
                    },
                    out);
            }
            const Status status = sort(shapes);
            if (!status.ok()) { throw Refused{status}; }
            return state.join_scattered(
                blocks(shapes),
                [&](std::size_t block, JoinedPart& part) {
                    gather(shapes, block, part);
                    gather_filters(part);
                },
                [&](std::size_t, JoinedPart& part, const HitsBuffer& buffer) {
                    return answer(Sorting::template gathered<Shape>(part), gathered_filters(part),
                                  part, buffer);
                },
                out);
        });
    }

    /// `tally` is the source's count or any, as a function.
    template <class Shape, class Tally>
    Found tally(std::span<const Shape> shapes, std::span<std::uint32_t> counts,
                const Tally& tally) const {
        if (!filters.fit(shapes.size())) { return {0, {Cause::count_mismatch, Argument::filters}}; }
        if (counts.size() < shapes.size()) { return {0, {Cause::no_room, Argument::counts}}; }
        return refusable(shapes, [&]() -> Found {
            if (!should_sort(shapes)) {
                return state.add_up(blocks(shapes), [&](std::size_t block, JoinedPart& part) {
                    return State::checked(tally(block_of(shapes, shapes.size(), block), part,
                                                block_of(counts, shapes.size(), block),
                                                filters_of(shapes.size(), block)));
                });
            }
            const Status status = sort(shapes);
            if (!status.ok()) { throw Refused{status}; }
            return state.add_up(blocks(shapes), [&](std::size_t block, JoinedPart& part) {
                gather(shapes, block, part);
                gather_filters(part);
                const std::span<const Shape> asked = Sorting::template gathered<Shape>(part);
                part.counts.resize(asked.size());
                const std::uint64_t sum = State::checked(
                    tally(asked, part, std::span(part.counts), gathered_filters(part)));
                for (std::size_t i = 0; i < asked.size(); ++i) {
                    counts[part.askers[i]] = part.counts[i];
                }
                return sum;
            });
        });
    }

    /// The first question that is refused: because it makes no sense, or because the source says
    /// so, which may know more.
    template <class Shape>
    [[nodiscard]] Status fault_in(std::span<const Shape> shapes) const {
        if constexpr (requires { source.refusal_of(shapes[0]); }) {
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                Status status = source.refusal_of(shapes[q]);
                status.index = q;
                if (!status.ok()) { return status; }
            }
            return {};
        } else {
            return first_fault(shapes);
        }
    }

    /// body(), or, when that finds a question that is refused, which is the first.
    template <class Shape, class Body>
    Found refusable(std::span<const Shape> shapes, const Body& body) const {
        try {
            return body();
        } catch (const Refused& refused) {
            const Status fault = fault_in(shapes);
            if (!fault.ok()) { return {0, fault}; }
            return {0, refused.status};
        }
    }

    template <class Shape>
    Status query(std::span<const Shape> shapes, Hits& hits) const {
        return fill_hits(hits, shapes.size(),
                         [&](HitsOutput& out) { return query(shapes, out).status; });
    }
    template <class Shape>
    Found query(std::span<const Shape> shapes, const HitsBuffer& buffer) const {
        if (shapes.empty() && buffer.offsets.empty()) { return {}; }
        if (buffer.offsets.size() <= shapes.size()) {
            return {0, {Cause::no_room, Argument::offsets}};
        }
        HitsOutput out = {buffer.offsets.first(shapes.size() + 1), buffer.ids};
        return query(shapes, out);
    }
    /// Not sorted: what a path costs depends little on where it begins.
    template <class Path>
    Found first(std::span<const Path> paths, std::span<Meeting> meetings) const {
        if (!filters.fit(paths.size())) { return {0, {Cause::count_mismatch, Argument::filters}}; }
        if (meetings.size() < paths.size()) { return {0, {Cause::no_room, Argument::meetings}}; }
        const Status fault = fault_in(paths);
        if (!fault.ok()) { return {0, fault}; }
        return state.add_up(blocks(paths), [&](std::size_t block, JoinedPart&) {
            const std::span<const Path> some = block_of(paths, paths.size(), block);
            const std::span<Meeting> met = block_of(meetings, paths.size(), block);
            const Filters leave_out = filters_of(paths.size(), block);
            std::uint64_t found = 0;
            for (std::size_t i = 0; i < some.size(); ++i) {
                met[i] = {};
                found += State::checked(source.first(some[i], met[i], leave_out.of(i)));
            }
            return found;
        });
    }
    template <class Shape>
    Found count(std::span<const Shape> shapes, std::span<std::uint32_t> counts) const {
        return tally(shapes, counts,
                     [&](auto some, JoinedPart& part, auto some_counts, const Filters& leave_out) {
                         return source.count(some, part, some_counts, leave_out);
                     });
    }
    template <class Shape>
    Found any(std::span<const Shape> shapes, std::span<std::uint32_t> counts) const {
        return tally(shapes, counts,
                     [&](auto some, JoinedPart& part, auto some_counts, const Filters& leave_out) {
                         return source.any(some, part, some_counts, leave_out);
                     });
    }
};

} // namespace throng
