// Batches of shapes.
#include "batch.hpp"

#include "batch_asking.hpp"

namespace throng {

/// Asks a grid alone.
template <std::size_t Dim>
struct Batch<Dim>::GridAlone {
    const RowGrid<Dim>& grid;

    template <class Shape>
    Found query(std::span<const Shape> shapes, JoinedPart& part, const HitsBuffer& out,
                const Filters& filters) const {
        return grid.query_range(shapes, 0, shapes.size(), State::scratch(part), out, filters);
    }
    template <class Shape>
    Found count(std::span<const Shape> shapes, JoinedPart& part, std::span<std::uint32_t> counts,
                const Filters& filters) const {
        return grid.count_range(shapes, 0, shapes.size(), State::scratch(part), counts, filters);
    }
    template <class Shape>
    Found any(std::span<const Shape> shapes, JoinedPart& part, std::span<std::uint32_t> counts,
              const Filters& filters) const {
        return grid.any_range(shapes, 0, shapes.size(), State::scratch(part), counts, filters);
    }
    template <class Path>
    Found first(const Path& path, Meeting& meeting, const Filter& filter) const {
        return grid.first(path, meeting, filter);
    }
};

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Status Batch<Dim>::query_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes, Hits& hits,
                             const Filters& filters) {
    return Asking<GridAlone>{{"Batch::query", *state_, grid}, {grid}, filters}.query(shapes, hits);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Batch<Dim>::query_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes,
                            const HitsBuffer& out, const Filters& filters) {
    return Asking<GridAlone>{{"Batch::query", *state_, grid}, {grid}, filters}.query(shapes, out);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Batch<Dim>::count_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes,
                            std::span<std::uint32_t> counts, const Filters& filters) {
    return Asking<GridAlone>{{"Batch::count", *state_, grid}, {grid}, filters}.count(shapes,
                                                                                     counts);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Batch<Dim>::any_all(const RowGrid<Dim>& grid, std::span<const Shape> shapes,
                          std::span<std::uint32_t> counts, const Filters& filters) {
    return Asking<GridAlone>{{"Batch::any", *state_, grid}, {grid}, filters}.any(shapes, counts);
}
template <std::size_t Dim>
template <PathIn<Dim> Path>
Found Batch<Dim>::first_all(const RowGrid<Dim>& grid, std::span<const Path> paths,
                            std::span<Meeting> meetings, const Filters& filters) {
    return Asking<GridAlone>{{"Batch::first", *state_, grid}, {grid}, filters}.first(paths,
                                                                                     meetings);
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
