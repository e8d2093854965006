// Batches of shapes, asked of a crowd.
#include "crowd_batch.hpp"

#include "batch_asking.hpp"
#include "crowd_batch_state.hpp"

namespace throng {

template <std::size_t Dim>
CrowdBatch<Dim>::CrowdBatch(Executor& executor) : batch_(executor) {}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Status CrowdBatch<Dim>::query_all(const Crowd<Dim>& crowd, std::span<const Shape> shapes,
                                  Hits& hits, const Filters& filters, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::grid_alone(crowd, sets)) {
        return batch_.query(crowd.grid(), shapes, hits, filters);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        return Asking<Source>{{"CrowdBatch::query", *batch_.state_, crowd.grid()}, source, filters}
            .query(shapes, hits);
    });
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found CrowdBatch<Dim>::query_all(const Crowd<Dim>& crowd, std::span<const Shape> shapes,
                                 const HitsBuffer& out, const Filters& filters, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::grid_alone(crowd, sets)) { return batch_.query(crowd.grid(), shapes, out, filters); }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        return Asking<Source>{{"CrowdBatch::query", *batch_.state_, crowd.grid()}, source, filters}
            .query(shapes, out);
    });
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found CrowdBatch<Dim>::count_all(const Crowd<Dim>& crowd, std::span<const Shape> shapes,
                                 std::span<std::uint32_t> counts, const Filters& filters,
                                 Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::grid_alone(crowd, sets)) {
        return batch_.count(crowd.grid(), shapes, counts, filters);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        return Asking<Source>{{"CrowdBatch::count", *batch_.state_, crowd.grid()}, source, filters}
            .count(shapes, counts);
    });
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found CrowdBatch<Dim>::any_all(const Crowd<Dim>& crowd, std::span<const Shape> shapes,
                               std::span<std::uint32_t> counts, const Filters& filters, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::grid_alone(crowd, sets)) {
        return batch_.any(crowd.grid(), shapes, counts, filters);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        return Asking<Source>{{"CrowdBatch::any", *batch_.state_, crowd.grid()}, source, filters}
            .any(shapes, counts);
    });
}
template <std::size_t Dim>
template <PathIn<Dim> Path>
Found CrowdBatch<Dim>::first_all(const Crowd<Dim>& crowd, std::span<const Path> paths,
                                 std::span<Meeting> meetings, const Filters& filters, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::grid_alone(crowd, sets)) {
        return batch_.first(crowd.grid(), paths, meetings, filters);
    }
    const OneByOne source{crowd, sets};
    return Asking<OneByOne>{{"CrowdBatch::first", *batch_.state_, crowd.grid()}, source, filters}
        .first(paths, meetings);
}

#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Status CrowdBatch<Dim>::query_all(const Crowd<Dim>&, std::span<const Shape<Dim>>,     \
                                               Hits&, const Filters&, Sets);                       \
    template Found CrowdBatch<Dim>::query_all(const Crowd<Dim>&, std::span<const Shape<Dim>>,      \
                                              const HitsBuffer&, const Filters&, Sets);            \
    template Found CrowdBatch<Dim>::count_all(const Crowd<Dim>&, std::span<const Shape<Dim>>,      \
                                              std::span<std::uint32_t>, const Filters&, Sets);     \
    template Found CrowdBatch<Dim>::any_all(const Crowd<Dim>&, std::span<const Shape<Dim>>,        \
                                            std::span<std::uint32_t>, const Filters&, Sets);
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
#define THRONG_FOR_PATH(Path, Dim)                                                                 \
    template Found CrowdBatch<Dim>::first_all(const Crowd<Dim>&, std::span<const Path<Dim>>,       \
                                              std::span<Meeting>, const Filters&, Sets);
THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_PATH

template class CrowdBatch<2>;
template class CrowdBatch<3>;

} // namespace throng
