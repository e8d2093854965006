// Reductions over lists of neighbours, for periodic worlds that are too narrow for kernels.
#pragma once

#include "reductions.hpp"
#include "ways.hpp"

#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/agents/point.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/crowd/crowd.hpp>

#include <cstddef>
#include <vector>

namespace throng::python {

/// Makes the reductions of reduce(), in the order of the lists. The way to a neighbour is the way
/// to its nearest image, and each neighbour counts once.
template <std::size_t Dim>
class ListedSums {
public:
    /// The lists must be answers in Order::storage, of agents only, and have their ways.
    void reduce(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                const MeasuredHits<Dim>& lists, Reduction reduction, Executor& executor);

    [[nodiscard]] std::size_t memory() const noexcept;

private:
    void gather_extents(const Crowd<Dim>& crowd);

    std::vector<Point<Dim>> extents_; // by id, if weights depend on distances between bodies
};

} // namespace throng::python
