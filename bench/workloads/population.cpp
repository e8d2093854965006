#include "population.hpp"

#include "../bench_shape.hpp"

#include <concepts>
#include <stdexcept>

namespace throng::bench {

namespace {

constexpr std::size_t kAgentsForAGiant = 1000, kAgentsForAStatic = 10;
constexpr float kSmallHalf = 0.25f, kGiantHalf = 8.0f;

template <std::size_t Dim>
scenes::Scene<Dim> make_agents(PopulationKind kind, std::size_t count) {
    if (kind == PopulationKind::clustered) { return scenes::make_clustered<Dim>(count); }
    scenes::Scene<Dim> scene = scenes::make_uniform<Dim>(count);
    if (kind == PopulationKind::uniform) { return scene; }
    for (std::vector<float>& axis : scene.half_extent) {
        axis.assign(count, kSmallHalf);
        // Positions are random, so every thousandth agent is a random choice of places.
        for (std::size_t i = 0; i < count; i += kAgentsForAGiant) {
            axis[i] = kGiantHalf;
        }
    }
    return scene;
}

/// Statics with half extents from half a unit to four, anywhere in the agents' world.
template <std::size_t Dim>
scenes::Scene<Dim> make_statics(const scenes::Scene<Dim>& agents) {
    scenes::Scene<Dim> scene;
    scenes::Random random(41);
    for (std::size_t i = 0; i < agents.size() / kAgentsForAStatic; ++i) {
        Point<Dim> position, half;
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a] = random.between(agents.world.lo[a], agents.world.hi[a]);
            half[a] = random.between(0.25f, 2.0f);
        }
        scene.add(position, half);
    }
    return scene;
}

} // namespace

void expect_ok(const Status& status) {
    if (!status.ok()) { throw std::runtime_error(throng::to_string(status)); }
}

float radius_in(PopulationKind kind) noexcept {
    return kind == PopulationKind::clustered ? 0.25f * kRadius : kRadius;
}

template <class Index, std::size_t Dim>
Population<Index, Dim>::Population(PopulationKind kind, std::size_t agents, const Point<Dim>& cell)
    : agents_(make_agents<Dim>(kind, agents)) {
    if (kind == PopulationKind::mixed) { statics_ = make_statics(agents_); }
    lay_out(cell);
    expect_ok(index_.update(agents_.agents()));
}

template <class Index, std::size_t Dim>
void Population<Index, Dim>::lay_out(const Point<Dim>& cell) {
    if constexpr (std::same_as<Index, RowGrid<Dim>>) {
        expect_ok(index_.configure(agents_.world, cell));
    } else {
        CrowdSettings<Dim> settings;
        settings.bounds = agents_.world;
        settings.cell = cell;
        expect_ok(index_.configure(settings));
        expect_ok(index_.set_statics(statics_.agents()));
    }
}

template <class Index, std::size_t Dim>
const RowGrid<Dim>& Population<Index, Dim>::grid() const noexcept {
    if constexpr (std::same_as<Index, RowGrid<Dim>>) {
        return index_;
    } else {
        return index_.grid();
    }
}

template <class Index, std::size_t Dim>
std::vector<Id> Population<Index, Dim>::order() const {
    std::vector<Id> ids(index_.size());
    (void)index_.order(ids);
    return ids;
}

template <class Index, std::size_t Dim>
test::Truth<Dim> Population<Index, Dim>::truth() {
    test::Truth<Dim> truth;
    expect_ok(truth.update(agents_.agents()));
    expect_ok(truth.set_statics(statics_.agents()));
    return truth;
}

template <class Index, std::size_t Dim>
double Population<Index, Dim>::input_bytes() const noexcept {
    const std::size_t words = agents_.has_own_half_extents() ? 2 * Dim : Dim;
    return static_cast<double>(words * sizeof(float) * agents_.size());
}

template <class Index, std::size_t Dim>
double Population<Index, Dim>::index_bytes() const noexcept {
    return static_cast<double>(index_.memory().index());
}

template class Population<RowGrid<2>, 2>;
template class Population<RowGrid<3>, 3>;
template class Population<throng::Crowd<2>, 2>;
template class Population<throng::Crowd<3>, 3>;

} // namespace throng::bench
