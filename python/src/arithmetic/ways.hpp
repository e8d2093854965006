// The offsets from agents to the neighbours in their lists.
#pragma once

#include <throng/engine/agents/found.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/store/static_numbers.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <cstddef>
#include <vector>

namespace throng::python {

/// The lists of all agents, with the distance and the offset of each hit, as far as requested, in
/// the order of the ids.
template <std::size_t Dim>
struct MeasuredHits {
    Hits hits;
    std::vector<float> distances;
    std::vector<Point<Dim>> ways;

    /// Measures the hits, which must be answers to all agents in this order. In periodic worlds the
    /// way is the one to the nearest image.
    void measure(const Crowd<Dim>& crowd, Order order, bool distances, bool ways,
                 Executor& executor);
    /// The agents of the lists, after measure() with Order::storage.
    [[nodiscard]] const std::vector<Id>& askers() const noexcept { return askers_; }
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    void gather(const Crowd<Dim>& crowd, Executor& executor);

    std::vector<Id> askers_;          // in the order of the lists; empty if those are by id
    std::vector<Point<Dim>> agents_;  // by id
    StaticNumbers numbers_;           // of statics
    std::vector<Point<Dim>> statics_; // by number
    std::vector<Id> ids_;             // of a grid's agents
    std::vector<Point<Dim>> places_;
};

} // namespace throng::python
