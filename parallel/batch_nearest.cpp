// Who is nearest to many points, or to everyone. An answer has its place before it is known.
#include "batch.hpp"

#include "batch_asking_nearest.hpp"

namespace throng {

/// Asks a grid alone, for points or for its agents.
template <std::size_t Dim>
struct Batch<Dim>::NearestAlone {
    const RowGrid<Dim>& grid;

    Found nearest(std::span<const Point<Dim>> points, const Nearest& nearest, JoinedPart& part,
                  const NearBuffer& out, const Filter& filter) const {
        return grid.nearest_range(points, nearest, 0, points.size(), State::nearest_scratch(part),
                                  out, filter);
    }
};

template <std::size_t Dim>
Status Batch<Dim>::nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                           const Nearest& nearest, NearHits& hits, const Filter& filter) {
    const AskingNearest<NearestAlone> all{{"Batch::nearest", *state_, grid}, {grid}};
    return NearPlaces::fill(hits, nearest.k, points.size(), [&](const NearBuffer& out) {
        return all.points(points, nearest, out, filter);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                          const Nearest& nearest, const NearBuffer& out, const Filter& filter) {
    return AskingNearest<NearestAlone>{{"Batch::nearest", *state_, grid}, {grid}}.points(
        points, nearest, out, filter);
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
