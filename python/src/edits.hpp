// Lists of edits, as Python gives them: an array of ids, and arrays of values for each id.
#pragma once

#include "arrays/points.hpp"

#include <throng/engine/agents/edit.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/store/state.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace throng::python {

/// The position that an agent at this place in world coordinates is kept with: rounded once, after
/// it was put inside a periodic world. Crowd::local() rounds where it is, far away perhaps.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> kept_at(const Crowd<Dim>& crowd, const std::array<double, Dim>& place) {
    return detail::state_of(crowd).world.kept(WorldPoint<Dim>(place));
}

/// Agents that come, in arrays: each with what is to be given to insert().
template <std::size_t Dim>
class NewAgents {
public:
    /// What the arguments are called in messages.
    struct Names {
        const char *positions, *half_extents, *groups;
        const char* counted; ///< what says how many there must be
    };

    /// As many as there are positions, or `count`, which is then what all are compared with.
    NewAgents(py::handle positions, py::handle half_extents, py::handle groups, Doubles doubles,
              const Names& names, std::optional<std::size_t> count = {});

    [[nodiscard]] std::size_t size() const noexcept { return positions_.count(); }
    [[nodiscard]] Agent<Dim> agent(std::size_t i, const Crowd<Dim>& crowd) const;

private:
    [[nodiscard]] std::optional<Point<Dim>> half_extent(std::size_t i) const noexcept;

    Points<Dim> positions_;
    std::optional<Extents<Dim>> extents_; ///< empty: the crowd keeps no extents
    std::optional<Values<std::uint32_t>> groups_;
};

/// Made with the GIL held. Where ids are None there are no such edits.
template <std::size_t Dim>
class Edits {
public:
    Edits(py::handle erased, py::handle moved, py::handle moved_positions, py::handle inserted,
          py::handle positions, py::handle half_extents, py::handle groups, Doubles doubles);

    /// Erasures, then moves, then insertions; without the GIL.
    [[nodiscard]] std::vector<Edit<Dim>> all(const Crowd<Dim>& crowd) const;

private:
    std::optional<Values<Id>> erased_, moved_, inserted_;
    std::optional<Points<Dim>> moved_positions_;
    std::optional<NewAgents<Dim>> agents_;
};

} // namespace throng::python
