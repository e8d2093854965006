// A population of agents and statics, in a grid or in a crowd.
#pragma once

#include "workload.hpp"

#include "../../tests/support/scenes/scenes.hpp"
#include "../../tests/support/truth.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <cstddef>
#include <vector>

namespace throng::bench {

/// Throws std::runtime_error with the status as text, unless it is ok.
void expect_ok(const Status& status);

/// How far agents see. In clusters, up to hundreds of times denser than the rest, answers would be
/// as much longer, so agents there see less far.
[[nodiscard]] float radius_in(PopulationKind kind) noexcept;

/// The agents of a workload in an index; `Index` is RowGrid<Dim> or throng::Crowd<Dim>.
template <class Index, std::size_t Dim>
class Population {
public:
    Population(PopulationKind kind, std::size_t agents, const Point<Dim>& cell);

    [[nodiscard]] scenes::Scene<Dim>& agents() noexcept { return agents_; }
    [[nodiscard]] const scenes::Scene<Dim>& agents() const noexcept { return agents_; }
    [[nodiscard]] Index& index() noexcept { return index_; }
    [[nodiscard]] const Index& index() const noexcept { return index_; }
    /// The grid itself, or the crowd's grid of small agents.
    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept;
    /// Whether there are giants or statics.
    [[nodiscard]] bool is_mixed() const noexcept { return agents_.has_own_half_extents(); }
    /// All agents in storage order.
    [[nodiscard]] std::vector<Id> order() const;

    /// An oracle with all agents and statics as they are in agents() now.
    [[nodiscard]] test::Truth<Dim> truth();

    /// The bytes that an update reads, and below, the bytes in which the index searches.
    [[nodiscard]] double input_bytes() const noexcept;
    [[nodiscard]] double index_bytes() const noexcept;

private:
    void lay_out(const Point<Dim>& cell);

    scenes::Scene<Dim> agents_, statics_;
    Index index_;
};

extern template class Population<RowGrid<2>, 2>;
extern template class Population<RowGrid<3>, 3>;
extern template class Population<throng::Crowd<2>, 2>;
extern template class Population<throng::Crowd<3>, 3>;

} // namespace throng::bench
