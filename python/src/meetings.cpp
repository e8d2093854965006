#include "meetings.hpp"

#include "arrays/block.hpp"
#include "asked.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <memory>

namespace throng::python {

py::tuple blocks_of(const std::shared_ptr<Meetings>& met) {
    PathHit* const first = met->hits.data();
    const std::size_t count = met->hits.size();
    return py::make_tuple(
        block_of(met, met->offsets.data(), met->offsets.size()),
        block_of(met, count == 0 ? nullptr : &first->id, count, sizeof(PathHit)),
        block_of(met, count == 0 ? nullptr : &first->time, count, sizeof(PathHit)));
}

template <std::size_t Dim>
Status find_meetings(const Crowd<Dim>& crowd, const ShapesView<Dim>& paths, const Filters& filters,
                     Sets sets, Executor& executor, Meetings& met) {
    struct Part {
        std::vector<PathHit> hits;
        Status status;
    };
    constexpr std::size_t kPaths = 64;
    std::vector<Part> parts((paths.count + kPaths - 1) / kPaths);
    met.offsets.assign(paths.count + 1, 0);
    executor.run(parts.size(), [&](std::size_t b) {
        std::vector<PathHit> of_path;
        const std::size_t end = std::min(paths.count, (b + 1) * kPaths);
        for (std::size_t q = b * kPaths; q < end && parts[b].status.ok(); ++q) {
            parts[b].status = crowd.hits(paths.part(q, 1), of_path, filters.of(q), sets);
            parts[b].status.index = q;
            met.offsets[q + 1] = of_path.size();
            parts[b].hits.insert(parts[b].hits.end(), of_path.begin(), of_path.end());
        }
    });
    met.hits.clear();
    for (const Part& part : parts) {
        if (!part.status.ok()) { return part.status; }
        met.hits.insert(met.hits.end(), part.hits.begin(), part.hits.end());
    }
    for (std::size_t q = 0; q < paths.count; ++q) {
        met.offsets[q + 1] += met.offsets[q];
    }
    return {};
}

template <std::size_t Dim>
py::tuple Asked<Dim>::meetings(ShapeKind kind, const py::tuple& parts, const Leaving& leaving) {
    if (!is_path(kind)) { throw py::type_error("paths: expected Segments, Rays or Capsules"); }
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        read_shapes(kind, parts, crowd, doubles(), tools.shapes);
        const auto paths = with_paths(kind, tools.shapes,
                                      [](const auto& of_kind) { return ShapesView<Dim>(of_kind); });
        const Filters filters = filters_from(leaving, paths.count, tools.filters);
        const Sets sets = sets_from(leaving.sets);
        const auto met = std::make_shared<Meetings>();
        check(run([&](Batch<Dim>&) {
            return find_meetings(crowd, paths, filters, sets, tools.executor, *met);
        }));
        return blocks_of(met);
    });
}

template Status find_meetings(const Crowd<2>&, const ShapesView<2>&, const Filters&, Sets,
                              Executor&, Meetings&);
template Status find_meetings(const Crowd<3>&, const ShapesView<3>&, const Filters&, Sets,
                              Executor&, Meetings&);
template py::tuple Asked<2>::meetings(ShapeKind, const py::tuple&, const Leaving&);
template py::tuple Asked<3>::meetings(ShapeKind, const py::tuple&, const Leaving&);

} // namespace throng::python
