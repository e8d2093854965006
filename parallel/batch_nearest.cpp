// Who is nearest to many points.
#include "batch.hpp"

#include "../engine/row_grid_ask.hpp"
#include "batch_near_places.hpp"
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

    Found points(std::span<const Point<Dim>> all, const Nearest& nearest, const NearBuffer& out,
                 const Filter& filter) const {
        Status status = check_nearest(nearest.k, nearest.radius);
        if (status.ok()) { status = check_room(nearest.k, all.size(), out); }
        if (!status.ok()) { return {0, status}; }
        const auto answer = [&](std::span<const Point<Dim>> some, JoinedPart& part,
                                const NearBuffer& to) {
            return State::checked(grid.nearest_range(some, nearest, 0, some.size(),
                                                     NearPlaces::scratch(part), to, filter));
        };
        try {
            if (!should_sort(all)) {
                const std::size_t size = State::block_size(all.size());
                return state.add_up(blocks(all), [&](std::size_t block, JoinedPart& part) {
                    const auto some = block_of(all, all.size(), block);
                    return answer(some, part,
                                  NearPlaces::part_of(out, nearest.k, block * size, some.size()));
                });
            }
            status = sort(all);
            if (!status.ok()) { throw Refused{status}; }
            return state.add_up(blocks(all), [&](std::size_t block, JoinedPart& part) {
                gather(all, block, part);
                const std::uint64_t found = answer(Sorting::template gathered<Point<Dim>>(part),
                                                   part, NearPlaces::aside(part, nearest.k));
                NearPlaces::strew(part, nearest.k, out);
                return found;
            });
        } catch (const Refused& refused) {
            const Status fault = first_fault(all);
            return {0, fault.ok() ? refused.status : fault};
        }
    }
};

template <std::size_t Dim>
Status Batch<Dim>::nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                           const Nearest& nearest, NearHits& hits, const Filter& filter) {
    const AskingNearest all{{"Batch::nearest", *state_, grid}};
    return NearPlaces::fill(hits, nearest.k, points.size(), [&](const NearBuffer& out) {
        return all.points(points, nearest, out, filter);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                          const Nearest& nearest, const NearBuffer& out, const Filter& filter) {
    return AskingNearest{{"Batch::nearest", *state_, grid}}.points(points, nearest, out, filter);
}
#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Batch<Dim>::nearest(const RowGrid<Dim>&, std::span<const Point<Dim>>,          \
                                        const Nearest&, NearHits&, const Filter&);                 \
    template Found Batch<Dim>::nearest(const RowGrid<Dim>&, std::span<const Point<Dim>>,           \
                                       const Nearest&, const NearBuffer&, const Filter&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
