// Agents in a host's arrays.
#pragma once

#include "../engine/agents/agents.hpp"
#include "../engine/agents/world_agents.hpp"
#include "boundary.hpp"

#include <cstddef>

namespace throng::c {

/// How a call names its agents, and their fields.
struct AgentNames {
    const char *whole, *positions, *dimension, *doubles, *reserved, *half_extent;
};
inline constexpr AgentNames kAgents = {"agents",         "positions",       "agents.dimension",
                                       "agents.doubles", "agents.reserved", "agents.half_extent"};
/// Agents of which a call reads the positions alone.
inline constexpr AgentNames kPointsAsked = {"points",           "points",
                                            "points.dimension", "points.doubles",
                                            "points.reserved",  "points.half_extent"};
inline constexpr AgentNames kPositions = {"positions",           "positions",
                                          "positions.dimension", "positions.doubles",
                                          "positions.reserved",  "positions.half_extent"};
inline constexpr AgentNames kStatics = {"statics",           "statics",
                                        "statics.dimension", "statics.doubles",
                                        "statics.reserved",  "statics.half_extent"};

class AgentsReader {
public:
    /// Throws Refused for agents that no crowd accepts.
    AgentsReader(const throng_agents* agents, const AgentNames& names);

    /// Calls take(agents), with Agents<Dim> or WorldAgents<Dim>; returns a status of throng.h.
    /// Throws Refused for agents that do not suit such a crowd.
    template <std::size_t Dim, class Take>
    [[nodiscard]] throng_status with(const Take& take, const Names& names = {}) const {
        return status_of(given_.doubles != 0 ? take(in_doubles<Dim>()) : take(in_floats<Dim>()),
                         names);
    }
    /// As with(), but throws Refused unless positions are floats.
    template <std::size_t Dim, class Take>
    [[nodiscard]] throng_status with_floats(const Take& take) const {
        if (given_.doubles != 0) { refuse(THRONG_WRONG_VALUE, names_.doubles); }
        return status_of(take(in_floats<Dim>()));
    }

    /// Calls take(positions, others'), with the positions of both, in floats or in doubles. Throws
    /// Refused unless both have the same of these.
    template <std::size_t Dim, class Take>
    [[nodiscard]] Status with_others(const AgentsReader& others, const Take& take) const {
        if (others.given_.doubles != given_.doubles) {
            refuse(THRONG_WRONG_VALUE, others.names_.doubles);
        }
        return given_.doubles != 0
                   ? take(in_doubles<Dim>().positions, others.in_doubles<Dim>().positions)
                   : take(in_floats<Dim>().positions, others.in_floats<Dim>().positions);
    }

private:
    template <std::size_t Dim>
    [[nodiscard]] Agents<Dim> in_floats() const;
    template <std::size_t Dim>
    [[nodiscard]] WorldAgents<Dim> in_doubles() const;
    template <std::size_t Dim, class Any>
    void fill(Any& agents) const;

    throng_agents given_;
    const AgentNames& names_;
};

} // namespace throng::c
