// Batches of shapes.
#include "batch.hpp"

#include "../engine/row_grid_ask.hpp"
#include "batch_sorting.hpp"

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::Asking : Sorting {
    Filters filters;
    typename State::Asking asking{this->name, this->state, this->grid};

    using Sorting::block_of;
    using Sorting::blocks;
    using Sorting::gather;
    using Sorting::grid;
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
        return State::checked(
            grid.query_range(shapes, 0, shapes.size(), State::scratch(part), buffer, some));
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

    /// `tally` is RowGrid::count_range or any_range, as a function.
    template <class Shape, class Tally>
    Found tally(std::span<const Shape> shapes, std::span<std::uint32_t> counts,
                const Tally& tally) const {
        if (!filters.fit(shapes.size())) { return {0, {Cause::count_mismatch, Argument::filters}}; }
        if (counts.size() < shapes.size()) { return {0, {Cause::no_room, Argument::counts}}; }
        return refusable(shapes, [&]() -> Found {
            if (!should_sort(shapes)) {
                return state.add_up(blocks(shapes), [&](std::size_t block, JoinedPart& part) {
                    return State::checked(tally(
                        block_of(shapes, shapes.size(), block), State::scratch(part),
                        block_of(counts, shapes.size(), block), filters_of(shapes.size(), block)));
                });
            }
            const Status status = sort(shapes);
            if (!status.ok()) { throw Refused{status}; }
            return state.add_up(blocks(shapes), [&](std::size_t block, JoinedPart& part) {
                gather(shapes, block, part);
                gather_filters(part);
                const std::span<const Shape> asked = Sorting::template gathered<Shape>(part);
                part.counts.resize(asked.size());
                const std::uint64_t sum = State::checked(tally(
                    asked, State::scratch(part), std::span(part.counts), gathered_filters(part)));
                for (std::size_t i = 0; i < asked.size(); ++i) {
                    counts[part.askers[i]] = part.counts[i];
                }
                return sum;
            });
        });
    }

    /// body(), or, when that finds a question that makes no sense, which is the first.
    template <class Shape, class Body>
    static Found refusable(std::span<const Shape> shapes, const Body& body) {
        try {
            return body();
        } catch (const Refused& refused) {
            const Status fault = first_fault(shapes);
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
        const Status fault = first_fault(paths);
        if (!fault.ok()) { return {0, fault}; }
        return state.add_up(blocks(paths), [&](std::size_t block, JoinedPart&) {
            const std::span<const Path> some = block_of(paths, paths.size(), block);
            const std::span<Meeting> met = block_of(meetings, paths.size(), block);
            const Filters leave_out = filters_of(paths.size(), block);
            std::uint64_t found = 0;
            for (std::size_t i = 0; i < some.size(); ++i) {
                met[i] = {};
                found += State::checked(grid.first(some[i], met[i], leave_out.of(i)));
            }
            return found;
        });
    }
    template <class Shape>
    Found count(std::span<const Shape> shapes, std::span<std::uint32_t> counts) const {
        return tally(shapes, counts,
                     [&](auto some, auto scratch, auto some_counts, const Filters& some_filters) {
                         return grid.count_range(some, 0, some.size(), scratch, some_counts,
                                                 some_filters);
                     });
    }
    template <class Shape>
    Found any(std::span<const Shape> shapes, std::span<std::uint32_t> counts) const {
        return tally(shapes, counts,
                     [&](auto some, auto scratch, auto some_counts, const Filters& some_filters) {
                         return grid.any_range(some, 0, some.size(), scratch, some_counts,
                                               some_filters);
                     });
    }
};

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Status Batch<Dim>::query_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes, Hits& hits,
                             const Filters& filters) {
    return Asking{{"Batch::query", *state_, grid}, filters}.query(shapes, hits);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Batch<Dim>::query_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes,
                            const HitsBuffer& out, const Filters& filters) {
    return Asking{{"Batch::query", *state_, grid}, filters}.query(shapes, out);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Batch<Dim>::count_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes,
                            std::span<std::uint32_t> counts, const Filters& filters) {
    return Asking{{"Batch::count", *state_, grid}, filters}.count(shapes, counts);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Batch<Dim>::any_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes,
                          std::span<std::uint32_t> counts, const Filters& filters) {
    return Asking{{"Batch::any", *state_, grid}, filters}.any(shapes, counts);
}
template <std::size_t Dim>
template <PathIn<Dim> Path>
Found Batch<Dim>::first_all(const RowGrid<Dim>& grid, std::span<const Path> paths,
                            std::span<Meeting> meetings, const Filters& filters) {
    return Asking{{"Batch::first", *state_, grid}, filters}.first(paths, meetings);
}

#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Status Batch<Dim>::query_all(const RowGrid<Dim>&, std::span<const Shape<Dim>>, Hits&, \
                                          const Filters&);                                         \
    template Found Batch<Dim>::query_all(const RowGrid<Dim>&, std::span<const Shape<Dim>>,         \
                                         const HitsBuffer&, const Filters&);                       \
    template Found Batch<Dim>::count_all(const RowGrid<Dim>&, std::span<const Shape<Dim>>,         \
                                         std::span<std::uint32_t>, const Filters&);                \
    template Found Batch<Dim>::any_all(const RowGrid<Dim>&, std::span<const Shape<Dim>>,           \
                                       std::span<std::uint32_t>, const Filters&);
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
#define THRONG_FOR_PATH(Path, Dim)                                                                 \
    template Found Batch<Dim>::first_all(const RowGrid<Dim>&, std::span<const Path<Dim>>,          \
                                         std::span<Meeting>, const Filters&);
THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_PATH

} // namespace throng
