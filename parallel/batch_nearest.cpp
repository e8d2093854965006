// Who is nearest to many points, or to everyone. An answer has its place before it is known.
#include "batch.hpp"

#include "../engine/nearest_ask.hpp"
#include "../engine/row_grid_ask.hpp"
#include "batch_sorting.hpp"

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::AskingNearest : Sorting {
    typename State::Asking asking{this->name, this->state, this->grid};

    using Sorting::block_of;
    using Sorting::blocks;
    using Sorting::gather;
    using Sorting::grid;
    using Sorting::should_sort;
    using Sorting::sort;
    using Sorting::state;

    [[nodiscard]] static std::span<std::uint32_t> scratch(JoinedPart& part) {
        part.scratch.resize(RowGrid<Dim>::nearest_scratch());
        return part.scratch;
    }

    /// The places of `count` answers, from number `first` on.
    [[nodiscard]] static NearBuffer part_of(const NearBuffer& out, std::uint32_t k,
                                            std::size_t first, std::size_t count) noexcept {
        return {out.nearest.subspan(first * k, count * k), out.counts.subspan(first, count)};
    }
    /// The part's own places for the answers to its askers.
    [[nodiscard]] static NearBuffer aside(JoinedPart& part, std::uint32_t k) {
        part.nearest.resize(part.askers.size() * k);
        part.counts.resize(part.askers.size());
        return {part.nearest, part.counts};
    }
    /// From there to where they belong.
    static void strew(const JoinedPart& part, std::uint32_t k, const NearBuffer& out) noexcept {
        for (std::size_t i = 0; i < part.askers.size(); ++i) {
            if (i + State::kAhead < part.askers.size()) {
                const std::size_t ahead = part.askers[i + State::kAhead];
                __builtin_prefetch(out.nearest.data() + ahead * k, 1);
                __builtin_prefetch(out.counts.data() + ahead, 1);
            }
            const std::size_t asker = part.askers[i];
            std::copy_n(part.nearest.data() + i * k, k, out.nearest.data() + asker * k);
            out.counts[asker] = part.counts[i];
        }
    }

    Found points(std::span<const Point<Dim>> all, const Nearest& nearest, const NearBuffer& out,
                 const Filter& filter) const {
        Status status = check_nearest(nearest.k, nearest.radius);
        if (status.ok()) { status = check_room(nearest.k, all.size(), out); }
        if (!status.ok()) { return {0, status}; }
        const auto answer = [&](std::span<const Point<Dim>> some, JoinedPart& part,
                                const NearBuffer& to) {
            return State::checked(
                grid.nearest_range(some, nearest, 0, some.size(), scratch(part), to, filter));
        };
        try {
            if (!should_sort(all)) {
                const std::size_t size = State::block_size(all.size());
                return state.add_up(blocks(all), [&](std::size_t block, JoinedPart& part) {
                    const auto some = block_of(all, all.size(), block);
                    return answer(some, part, part_of(out, nearest.k, block * size, some.size()));
                });
            }
            status = sort(all);
            if (!status.ok()) { throw Refused{status}; }
            return state.add_up(blocks(all), [&](std::size_t block, JoinedPart& part) {
                gather(all, block, part);
                const std::uint64_t found = answer(Sorting::template gathered<Point<Dim>>(part),
                                                   part, aside(part, nearest.k));
                strew(part, nearest.k, out);
                return found;
            });
        } catch (const Refused& refused) {
            const Status fault = first_fault(all);
            return {0, fault.ok() ? refused.status : fault};
        }
    }

    Found everyone(const NearestNeighbours& nearest, const NearBuffer& out, Order order) const {
        const std::size_t answers = State::answers(grid, order);
        Status status = check_nearest(nearest.k, nearest.radius);
        if (status.ok()) { status = check_room(nearest.k, answers, out); }
        if (!status.ok()) { return {0, status}; }
        const auto answer = [&](std::size_t slice, JoinedPart& part, const NearBuffer& to) {
            return State::checked(
                grid.nearest_neighbours_range(nearest, slice, slice + 1, scratch(part), to));
        };
        if (order == Order::storage) {
            state.count_before(grid);
            return state.add_up(grid.slices(), [&](std::size_t slice, JoinedPart& part) {
                const std::uint64_t first = state.before[slice];
                return answer(slice, part,
                              part_of(out, nearest.k, first, state.before[slice + 1] - first));
            });
        }
        if (answers != grid.size()) { // there are ids that nobody has
            std::fill_n(out.nearest.data(), answers * nearest.k, Near{});
            std::fill_n(out.counts.data(), answers, 0u);
        }
        return state.add_up(grid.slices(), [&](std::size_t slice, JoinedPart& part) {
            State::note_askers(grid, slice, part);
            const std::uint64_t found = answer(slice, part, aside(part, nearest.k));
            strew(part, nearest.k, out);
            return found;
        });
    }

    /// body(buffer) for hits that grow; if it fails, or throws, they are empty and not half done.
    template <class Body>
    static Status fill(NearHits& hits, std::uint32_t k, std::size_t questions, const Body& body) {
        NearHits filling;
        std::swap(filling, hits);
        Status status = check_nearest(k, 0.0f);
        if (!status.ok()) { return status; }
        filling.k = k;
        filling.nearest.resize(questions * k);
        filling.counts.resize(questions);
        status = body(NearBuffer{filling.nearest, filling.counts}).status;
        if (!status.ok()) {
            filling.k = 0;
            filling.nearest.clear();
            filling.counts.clear();
        }
        std::swap(filling, hits);
        return status;
    }
};

template <std::size_t Dim>
Status Batch<Dim>::nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                           const Nearest& nearest, NearHits& hits, const Filter& filter) {
    const AskingNearest all{{"Batch::nearest", *state_, grid}};
    return all.fill(hits, nearest.k, points.size(), [&](const NearBuffer& out) {
        return all.points(points, nearest, out, filter);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                          const Nearest& nearest, const NearBuffer& out, const Filter& filter) {
    return AskingNearest{{"Batch::nearest", *state_, grid}}.points(points, nearest, out, filter);
}
template <std::size_t Dim>
Status Batch<Dim>::nearest_neighbours(const RowGrid<Dim>& grid, const NearestNeighbours& nearest,
                                      NearHits& hits, Order order) {
    const AskingNearest all{{"Batch::nearest_neighbours", *state_, grid}};
    return all.fill(hits, nearest.k, State::answers(grid, order),
                    [&](const NearBuffer& out) { return all.everyone(nearest, out, order); });
}
template <std::size_t Dim>
Found Batch<Dim>::nearest_neighbours(const RowGrid<Dim>& grid, const NearestNeighbours& nearest,
                                     const NearBuffer& out, Order order) {
    return AskingNearest{{"Batch::nearest_neighbours", *state_, grid}}.everyone(nearest, out,
                                                                                order);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Batch<Dim>::nearest(const RowGrid<Dim>&, std::span<const Point<Dim>>,          \
                                        const Nearest&, NearHits&, const Filter&);                 \
    template Found Batch<Dim>::nearest(const RowGrid<Dim>&, std::span<const Point<Dim>>,           \
                                       const Nearest&, const NearBuffer&, const Filter&);          \
    template Status Batch<Dim>::nearest_neighbours(const RowGrid<Dim>&, const NearestNeighbours&,  \
                                                   NearHits&, Order);                              \
    template Found Batch<Dim>::nearest_neighbours(const RowGrid<Dim>&, const NearestNeighbours&,   \
                                                  const NearBuffer&, Order);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
