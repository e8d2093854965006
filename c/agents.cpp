#include "agents.hpp"

#include "../engine/agents/validation.hpp"
#include "../engine/crowd/crowd.hpp"
#include "points.hpp"
#include "structs.hpp"

#include <algorithm>
#include <cstdint>

namespace throng::c {

AgentsReader::AgentsReader(const throng_agents* agents, const AgentNames& names)
    : given_(read(agents, names.whole)), names_(names) {
    if (given_.doubles > 1) { refuse(THRONG_WRONG_VALUE, names.doubles); }
    if (given_.reserved != 0) { refuse(THRONG_WRONG_VALUE, names.reserved); }
}

/// Fills all fields except the addresses of the positions.
template <std::size_t Dim, class Any>
void AgentsReader::fill(Any& agents) const {
    if (given_.dimension != Dim) { refuse(THRONG_WRONG_DIMENSION, names_.dimension); }
    // kMostInCrowd is the engine's limit, and here also the index of the refusal.
    if (given_.count > kMostInCrowd) { refuse(THRONG_TOO_MANY, names_.positions, kMostInCrowd); }
    agents.positions.count = given_.count;
    std::copy_n(given_.position_stride, Dim, agents.positions.stride.begin());
    std::copy_n(given_.common_half_extent, Dim, agents.common_half_extent.axis.begin());
    const float* const* const half = given_.half_extent;
    if (half[0] != nullptr) {
        std::copy_n(half, Dim, agents.half_extents.axis.begin());
        std::copy_n(given_.half_extent_stride, Dim, agents.half_extents.stride.begin());
        agents.half_extents.count = given_.count;
    } else if (std::any_of(half, half + Dim, [](const float* axis) { return axis != nullptr; })) {
        refuse(THRONG_WRONG_VALUE, names_.half_extent);
    } else {
        // Checked here, where the common half extent can still be told from agents' own.
        const Status common = check_half_extent(agents.common_half_extent);
        if (!common.ok()) {
            throw Refused{status_of(common, {.half_extents = "common_half_extent"})};
        }
    }
    if (given_.groups != nullptr) {
        agents.groups = {given_.groups, given_.groups_stride, given_.count};
    }
}

template <std::size_t Dim>
Agents<Dim> AgentsReader::in_floats() const {
    Agents<Dim> agents;
    fill<Dim>(agents);
    for (std::size_t a = 0; a < Dim; ++a) {
        agents.positions.axis[a] = static_cast<const float*>(given_.position[a]);
    }
    return agents;
}

template <std::size_t Dim>
WorldAgents<Dim> AgentsReader::in_doubles() const {
    WorldAgents<Dim> agents{WorldPointView<Dim>()};
    fill<Dim>(agents);
    for (std::size_t a = 0; a < Dim; ++a) {
        agents.positions.axis[a] = static_cast<const double*>(given_.position[a]);
    }
    return agents;
}

template Agents<2> AgentsReader::in_floats<2>() const;
template Agents<3> AgentsReader::in_floats<3>() const;
template WorldAgents<2> AgentsReader::in_doubles<2>() const;
template WorldAgents<3> AgentsReader::in_doubles<3>() const;

} // namespace throng::c
