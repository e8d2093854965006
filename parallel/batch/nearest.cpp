// Finds the agents nearest to each of many points.
#include "batch.hpp"

#include "../../engine/shapes/kernel_blocks.hpp"
#include "nearest_places.hpp"
#include "spatial_sort.hpp"

namespace throng {

/// One call of Batch::nearest(), about a grid or a crowd.
template <std::size_t Dim>
struct Batch<Dim>::State::NearestOfPoints {
    State& state;
    const ShapeSource<Dim>& source;
    const RowGrid<Dim>& grid;
    std::span<const Point<Dim>> points;
    const Nearest& nearest;
    const Filter& filter;

    Found list(const NearBuffer& out) const {
        Status status = check_nearest<Dim>(nearest);
        if (status.ok()) { status = check_room(nearest.k, points.size(), out); }
        if (!status.ok()) { return {0, status}; }
        // A rough cost: it only decides how many threads to use.
        const double each = 40.0 + 10.0 * nearest.k;
        const Sorting sorting{state, grid, Anchored<Dim>(points),
                              Cut::of(points.size(), each, state.executor->threads())};
        try {
            if (!sorting.pays()) {
                return state.add_up(
                    sorting.cut.blocks, sorting.cut.cost, [&](std::size_t block, OutputPart& part) {
                        const auto some = sorting.cut.part_of(points, block);
                        const auto first = static_cast<std::size_t>(some.data() - points.data());
                        return source.nearest(
                            some, nearest, part,
                            NearestPlaces::part_of(out, nearest.k, first, some.size()), filter);
                    });
            }
            sorting.sort();
            return state.add_up(
                sorting.cut.blocks, sorting.cut.cost, [&](std::size_t block, OutputPart& part) {
                    sorting.gather(block, part);
                    const auto* const gathered =
                        reinterpret_cast<const Point<Dim>*>(part.queries.data());
                    const std::uint64_t found =
                        source.nearest({gathered, part.askers.size()}, nearest, part,
                                       NearestPlaces::aside(part, nearest.k), filter);
                    NearestPlaces::scatter(part, nearest.k, out);
                    return found;
                });
        } catch (const Refused& refused) {
            const Status fault = first_fault(points);
            return {0, fault.ok() ? refused.status : fault};
        }
    }
    Found list(const NearOutput& out) const {
        return NearestPlaces::fill(out, nearest.k, points.size(),
                                   [&](const NearBuffer& places) { return list(places); });
    }
};

template <std::size_t Dim>
Found Batch<Dim>::nearest(const Asked<Dim>& asked, std::span<const Point<Dim>> points,
                          const Nearest& nearest, const NearOutput& out, const Filter& filter) {
    return state_->ask("Batch::nearest", asked, [&](const auto& source, const auto& grid) {
        return typename State::NearestOfPoints{*state_, source, grid, points, nearest, filter}.list(
            out);
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Batch<Dim>::nearest(const Asked<Dim>&, std::span<const Point<Dim>>,             \
                                       const Nearest&, const NearOutput&, const Filter&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
