// All meetings of paths with agents, and their times.
#pragma once

#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/found.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/status.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/sets.hpp>
#include <throng/engine/shapes/shapes_view.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <pybind11/pybind11.h>

namespace throng::python {

namespace py = pybind11;

/// Path q meets the hits offsets[q] ... offsets[q + 1] - 1, sorted by time, then by id.
struct Meetings {
    std::vector<std::uint64_t> offsets;
    std::vector<PathHit> hits;
};

/// Blocks of offsets, ids and times, over the memory of these meetings.
[[nodiscard]] py::tuple blocks_of(const std::shared_ptr<Meetings>& met);

/// Finds the meetings of all paths, each as by Crowd::hits(), in blocks on the executor. If the
/// status is not ok, do not read `met`; the status has the index of the path.
template <std::size_t Dim>
[[nodiscard]] Status find_meetings(const Crowd<Dim>& crowd, const ShapesView<Dim>& paths,
                                   const Filters& filters, Sets sets, Executor& executor,
                                   Meetings& met);

extern template Status find_meetings(const Crowd<2>&, const ShapesView<2>&, const Filters&, Sets,
                                     Executor&, Meetings&);
extern template Status find_meetings(const Crowd<3>&, const ShapesView<3>&, const Filters&, Sets,
                                     Executor&, Meetings&);

} // namespace throng::python
