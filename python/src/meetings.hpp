// All that paths meet, and when.
#pragma once

#include <throng/engine/agents/found.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include <pybind11/pybind11.h>

namespace throng::python {

namespace py = pybind11;

/// Path q meets hits offsets[q] ... offsets[q + 1] - 1, by time, then by id.
struct Meetings {
    std::vector<std::uint64_t> offsets;
    std::vector<PathHit> hits;
};

/// Offsets, ids and times, over the memory of these.
[[nodiscard]] py::tuple blocks_of(const std::shared_ptr<Meetings>& met);

} // namespace throng::python
