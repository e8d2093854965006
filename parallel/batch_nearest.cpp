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
    Found nearest_neighbours(const NearestNeighbours& nearest, std::size_t block, JoinedPart& part,
                             const NearBuffer& out) const {
        return grid.nearest_neighbours_range(nearest, block, block + 1,
                                             State::nearest_scratch(part), out);
    }

    [[nodiscard]] std::size_t blocks() const noexcept { return grid.slices(); }
    [[nodiscard]] std::size_t size() const noexcept { return grid.size(); }
    [[nodiscard]] std::size_t answers(Order order) const noexcept {
        return State::answers(grid, order);
    }
    void count_before(std::vector<std::uint64_t>& before) const {
        State::count_before(grid, before);
    }
    void note_askers(std::size_t block, JoinedPart& part) const {
        State::note_askers(grid, block, part);
    }
};

template <std::size_t Dim>
Status Batch<Dim>::nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                           const Nearest& nearest, NearHits& hits, const Filter& filter) {
    const AskingNearest<NearestAlone> all{{*state_, grid}, {grid}};
    return all.fill(hits, nearest.k, points.size(), [&](const NearBuffer& out) {
        return all.points(points, nearest, out, filter);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::nearest(const RowGrid<Dim>& grid, std::span<const Point<Dim>> points,
                          const Nearest& nearest, const NearBuffer& out, const Filter& filter) {
    return AskingNearest<NearestAlone>{{*state_, grid}, {grid}}.points(points, nearest, out,
                                                                       filter);
}
template <std::size_t Dim>
Status Batch<Dim>::nearest_neighbours(const RowGrid<Dim>& grid, const NearestNeighbours& nearest,
                                      NearHits& hits, Order order) {
    const AskingNearest<NearestAlone> all{{*state_, grid}, {grid}};
    return all.fill(hits, nearest.k, State::answers(grid, order),
                    [&](const NearBuffer& out) { return all.everyone(nearest, out, order); });
}
template <std::size_t Dim>
Found Batch<Dim>::nearest_neighbours(const RowGrid<Dim>& grid, const NearestNeighbours& nearest,
                                     const NearBuffer& out, Order order) {
    return AskingNearest<NearestAlone>{{*state_, grid}, {grid}}.everyone(nearest, out, order);
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
