// The threads and memory that the calls of a crowd work with.
#pragma once

#include "../arithmetic/listed_sums.hpp"
#include "../arithmetic/ways.hpp"
#include "../shapes.hpp"
#include "gil.hpp"
#include "pool.hpp"
#include "team.hpp"

#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/found.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/grid/neighbour_loop.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/sight/in_sight.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace throng::python {

/// The scratch of one call; concurrent calls have one each.
template <std::size_t Dim>
struct Tools {
    PatientExecutor executor;
    Batch<Dim> batch{executor};
    InSight<Dim> sight{executor};
    NeighbourLoop<Dim> neighbours{executor};
    ListedSums<Dim> listed_sums;
    ShapeArrays<Dim> shapes;
    std::vector<Filter> filters;
};

/// Shared by all calls: threads, tools, and the memory of answers.
template <std::size_t Dim>
struct Workshop {
    explicit Workshop(const TeamKind& kind) : team(Team::of(kind)) {}

    std::shared_ptr<Team> team;
    Pool<Tools<Dim>> tools;
    Pool<Hits> hits;
    Pool<Pairs> pairs;
    Pool<NearHits> near_hits;
    Pool<std::vector<PathHit>> path_hits;
    Pool<std::vector<std::uint32_t>> numbers;
    Pool<std::vector<float>> floats;
    Pool<MeasuredHits<Dim>> measured_hits;

    /// Bytes of scratch, and of answers that came back.
    [[nodiscard]] std::pair<std::size_t, std::size_t> memory() const;
    void release() noexcept;
};

/// Runs work() without the GIL on the threads of the workshop, inside a turnstile. Ctrl-C ends
/// it with KeyboardInterrupt.
template <class Work>
auto work_without_gil(const std::shared_ptr<Team>& team, PatientExecutor& executor, Work&& work) {
    executor.begin(team->executor());
    try {
        const WithoutGil without_gil;
        return work();
    } catch (const Interrupted&) {
        throw py::error_already_set(); // the exception that a signal handler has set
    }
}

/// The same for work(tools), on their executor.
template <std::size_t Dim, class Work>
auto work_without_gil(const std::shared_ptr<Team>& team, Tools<Dim>& tools, Work&& work) {
    return work_without_gil(team, tools.executor, [&] { return work(tools); });
}

} // namespace throng::python
