// The arguments of changes to a crowd, converted to types of the library.
#pragma once

#include "arguments.hpp"
#include "arrays/points.hpp"
#include "refusal.hpp"

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/world_agents.hpp>
#include <throng/engine/crowd/crowd.hpp>

#include <array>
#include <cstddef>
#include <optional>

namespace throng::python {

/// A whole crowd in arrays, borrowed for as long as this lives.
template <std::size_t Dim>
class AllAgents {
public:
    AllAgents(py::handle positions, py::handle half_extents, py::handle groups, Doubles doubles)
        : positions_(positions, "positions", doubles), extents_(half_extents, "half_extents") {
        if (!groups.is_none()) {
            // Not a number for all: no crowd keeps one mask for all.
            if (is_number(groups)) {
                refuse_type({"groups", "None, or a uint32 array of shape (n,)"}, groups);
            }
            groups_.emplace(groups, "groups", positions_.count(), Argument::groups);
        }
        if (extents_.of_each && extents_.each.count != positions_.count()) {
            check({Cause::count_mismatch, Argument::half_extents});
        }
    }

    /// Calls take(Agents) or take(WorldAgents).
    template <class Take>
    Status give(Take&& take) const {
        if (positions_.in_doubles()) {
            WorldAgents<Dim> agents(positions_.doubles());
            fill(agents);
            return take(agents);
        }
        return take(floats());
    }
    /// Agents that have been read without doubles.
    [[nodiscard]] Agents<Dim> floats() const {
        Agents<Dim> agents;
        agents.positions = positions_.floats();
        fill(agents);
        return agents;
    }

private:
    template <class Some>
    void fill(Some& agents) const {
        agents.common_half_extent = extents_.common;
        agents.half_extents = extents_.each;
        if (groups_) { agents.groups = groups_->view(); }
    }

    Points<Dim> positions_;
    Extents<Dim> extents_;
    std::optional<Values<std::uint32_t>> groups_;
};

/// How a world is laid out, from the keywords of Crowd().
template <std::size_t Dim>
[[nodiscard]] CrowdSettings<Dim> settings_from(const Keywords& named);
/// Which axes are periodic: all or none, or each.
template <std::size_t Dim>
[[nodiscard]] std::array<bool, Dim> axes_from(const py::object& periodic);

} // namespace throng::python
