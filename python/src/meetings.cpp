#include "meetings.hpp"

#include "arrays/block.hpp"
#include "asked.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <memory>

namespace throng::python {

py::tuple blocks_of(const std::shared_ptr<Meetings>& met) {
    return py::make_tuple(block_of(met, met->offsets), block_of_each<&PathHit::id>(met, met->hits),
                          block_of_each<&PathHit::time>(met, met->hits));
}

namespace {

/// The meetings of all paths, each as of Crowd::hits(), in blocks on the executor. After anything
/// but ok `met` is not to be read; the status has the index of the path.
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

} // namespace

template <std::size_t Dim>
py::tuple Asked<Dim>::meetings(const GivenShapes& given, const Leaving& leaving) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const auto paths = read_shapes(given.as_paths(), crowd, doubles(), tools.shapes);
        const Filters filters = filters_from(leaving, paths.count, tools.filters);
        const auto met = std::make_shared<Meetings>();
        check(run([&](Batch<Dim>&) {
            return find_meetings(crowd, paths, filters, leaving.sets, tools.executor, *met);
        }));
        return blocks_of(met);
    });
}

template py::tuple Asked<2>::meetings(const GivenShapes&, const Leaving&);
template py::tuple Asked<3>::meetings(const GivenShapes&, const Leaving&);

} // namespace throng::python
