// Batches of boxes and balls.
#include "batch.hpp"

#include "../engine/row_grid_ask.hpp"
#include "batch_state.hpp"

namespace throng {

namespace {

constexpr Filter kNoFilter;

/// Where a question is asked, near enough for sorting.
template <std::size_t Dim>
const Point<Dim>& place_of(const Box<Dim>& box) noexcept {
    return box.lo;
}
template <std::size_t Dim>
const Point<Dim>& place_of(const Ball<Dim>& ball) noexcept {
    return ball.centre;
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

} // namespace

template <std::size_t Dim>
struct Batch<Dim>::Asking {
    State& state;
    const RowGrid<Dim>& grid;
    const Filter& filter;             // of all questions,
    const FilterEach* each = nullptr; // or one of each
    typename State::Asking asking{state, grid};

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
        part.filters.clear();
        for (std::size_t i = 0; each != nullptr && i < asked.size(); ++i) {
            part.filters.push_back(each->filters[asked[i]]);
        }
    }
    template <class Shape>
    static std::span<const Shape> gathered(const JoinedPart& part) noexcept {
        return {reinterpret_cast<const Shape*>(part.queries.data()), part.askers.size()};
    }

    /// The filters of a block that is not sorted.
    [[nodiscard]] std::span<const Filter> filters_of(std::size_t block) const noexcept {
        return each == nullptr ? std::span<const Filter>()
                               : block_of(each->filters, each->filters.size(), block);
    }
    /// body(filter) with that of all, or those of each.
    template <class Body>
    Found filtered(std::span<const Filter> some, const Body& body) const {
        return each == nullptr ? body(filter) : body(FilterEach(some));
    }

    /// What a range call answers to all of `shapes`.
    template <class Shape>
    std::uint64_t answer(std::span<const Shape> shapes, std::span<const Filter> filters,
                         JoinedPart& part, const HitsBuffer& buffer) const {
        return State::checked(filtered(filters, [&](const auto& some) {
            return grid.query_range(shapes, 0, shapes.size(), State::scratch(part), buffer, some);
        }));
    }

    template <class Shape>
    Found query(std::span<const Shape> shapes, HitsOutput& out) const {
        if (!filters_fit(shapes.size())) { return {0, {Cause::count_mismatch, Argument::filters}}; }
        return refusable(shapes, [&]() -> Found {
            if (!should_sort(shapes)) {
                const std::size_t size = State::block_size(shapes.size());
                return state.join(
                    blocks(shapes),
                    [&](std::size_t block, JoinedPart& part, const HitsBuffer& buffer) {
                        return answer(block_of(shapes, shapes.size(), block), filters_of(block),
                                      part, buffer);
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
                [&](std::size_t block, JoinedPart& part) { gather(shapes, block, part); },
                [&](std::size_t, JoinedPart& part, const HitsBuffer& buffer) {
                    return answer(gathered<Shape>(part), std::span<const Filter>(part.filters),
                                  part, buffer);
                },
                out);
        });
    }

    /// `tally` is RowGrid::count_range or any_range, as a function.
    template <class Shape, class Tally>
    Found tally(std::span<const Shape> shapes, std::span<std::uint32_t> counts,
                const Tally& tally) const {
        if (!filters_fit(shapes.size())) { return {0, {Cause::count_mismatch, Argument::filters}}; }
        if (counts.size() < shapes.size()) { return {0, {Cause::no_room, Argument::counts}}; }
        return refusable(shapes, [&]() -> Found {
            if (!should_sort(shapes)) {
                return state.add_up(blocks(shapes), [&](std::size_t block, JoinedPart& part) {
                    return State::checked(filtered(filters_of(block), [&](const auto& some) {
                        return tally(block_of(shapes, shapes.size(), block), State::scratch(part),
                                     block_of(counts, shapes.size(), block), some);
                    }));
                });
            }
            const Status status = sort(shapes);
            if (!status.ok()) { throw Refused{status}; }
            return state.add_up(blocks(shapes), [&](std::size_t block, JoinedPart& part) {
                gather(shapes, block, part);
                const std::span<const Shape> asked = gathered<Shape>(part);
                part.counts.resize(asked.size());
                const std::uint64_t sum =
                    State::checked(filtered(part.filters, [&](const auto& some) {
                        return tally(asked, State::scratch(part), std::span(part.counts), some);
                    }));
                for (std::size_t i = 0; i < asked.size(); ++i) {
                    counts[part.askers[i]] = part.counts[i];
                }
                return sum;
            });
        });
    }

    /// There must be as many filters as questions.
    [[nodiscard]] bool filters_fit(std::size_t questions) const noexcept {
        return each == nullptr || each->filters.size() == questions;
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
    template <class Shape>
    Found count(std::span<const Shape> shapes, std::span<std::uint32_t> counts) const {
        return tally(
            shapes, counts, [&](auto some, auto scratch, auto some_counts, const auto& filters) {
                return grid.count_range(some, 0, some.size(), scratch, some_counts, filters);
            });
    }
    template <class Shape>
    Found any(std::span<const Shape> shapes, std::span<std::uint32_t> counts) const {
        return tally(shapes, counts,
                     [&](auto some, auto scratch, auto some_counts, const auto& filters) {
                         return grid.any_range(some, 0, some.size(), scratch, some_counts, filters);
                     });
    }
};

// The same for both shapes, with a filter for all and one for each; the headers name the arguments
// after them.
#define THRONG_FOR_SHAPE(Shape, shapes)                                                            \
    template <std::size_t Dim>                                                                     \
    Status Batch<Dim>::query(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,         \
                             Hits& hits, const Filter& filter) {                                   \
        return Asking{*state_, grid, filter}.query(shapes, hits);                                  \
    }                                                                                              \
    template <std::size_t Dim>                                                                     \
    Found Batch<Dim>::query(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,          \
                            const HitsBuffer& out, const Filter& filter) {                         \
        return Asking{*state_, grid, filter}.query(shapes, out);                                   \
    }                                                                                              \
    template <std::size_t Dim>                                                                     \
    Found Batch<Dim>::count(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,          \
                            std::span<std::uint32_t> counts, const Filter& filter) {               \
        return Asking{*state_, grid, filter}.count(shapes, counts);                                \
    }                                                                                              \
    template <std::size_t Dim>                                                                     \
    Found Batch<Dim>::any(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,            \
                          std::span<std::uint32_t> counts, const Filter& filter) {                 \
        return Asking{*state_, grid, filter}.any(shapes, counts);                                  \
    }
THRONG_FOR_SHAPE(Box, boxes)
THRONG_FOR_SHAPE(Ball, balls)
#undef THRONG_FOR_SHAPE

#define THRONG_FOR_SHAPE(Shape, shapes)                                                            \
    template <std::size_t Dim>                                                                     \
    Status Batch<Dim>::query(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,         \
                             Hits& hits, const FilterEach& filter) {                               \
        return Asking{*state_, grid, kNoFilter, &filter}.query(shapes, hits);                      \
    }                                                                                              \
    template <std::size_t Dim>                                                                     \
    Found Batch<Dim>::query(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,          \
                            const HitsBuffer& out, const FilterEach& filter) {                     \
        return Asking{*state_, grid, kNoFilter, &filter}.query(shapes, out);                       \
    }                                                                                              \
    template <std::size_t Dim>                                                                     \
    Found Batch<Dim>::count(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,          \
                            std::span<std::uint32_t> counts, const FilterEach& filter) {           \
        return Asking{*state_, grid, kNoFilter, &filter}.count(shapes, counts);                    \
    }                                                                                              \
    template <std::size_t Dim>                                                                     \
    Found Batch<Dim>::any(const RowGrid<Dim>& grid, std::span<const Shape<Dim>> shapes,            \
                          std::span<std::uint32_t> counts, const FilterEach& filter) {             \
        return Asking{*state_, grid, kNoFilter, &filter}.any(shapes, counts);                      \
    }
THRONG_FOR_SHAPE(Box, boxes)
THRONG_FOR_SHAPE(Ball, balls)
#undef THRONG_FOR_SHAPE

#define THRONG_FOR_FILTERS(Shape, Dim, Filters)                                                    \
    template Status Batch<Dim>::query(const RowGrid<Dim>&, std::span<const Shape<Dim>>, Hits&,     \
                                      const Filters&);                                             \
    template Found Batch<Dim>::query(const RowGrid<Dim>&, std::span<const Shape<Dim>>,             \
                                     const HitsBuffer&, const Filters&);                           \
    template Found Batch<Dim>::count(const RowGrid<Dim>&, std::span<const Shape<Dim>>,             \
                                     std::span<std::uint32_t>, const Filters&);                    \
    template Found Batch<Dim>::any(const RowGrid<Dim>&, std::span<const Shape<Dim>>,               \
                                   std::span<std::uint32_t>, const Filters&);
#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    THRONG_FOR_FILTERS(Shape, Dim, Filter) THRONG_FOR_FILTERS(Shape, Dim, FilterEach)
THRONG_FOR_SHAPE(Box, 2)
THRONG_FOR_SHAPE(Box, 3)
THRONG_FOR_SHAPE(Ball, 2)
THRONG_FOR_SHAPE(Ball, 3)
#undef THRONG_FOR_SHAPE
#undef THRONG_FOR_FILTERS

} // namespace throng
