// Lists of edits in Python's form: an array of ids, and arrays of values for each id.
#pragma once

#include "arrays/points.hpp"

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/edit.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/store/state.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace throng::python {

/// The position that a crowd keeps for an agent at this place in world coordinates. It is rounded
/// once, after it was moved into a periodic world, while Crowd::local() rounds the given place,
/// perhaps far away.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> kept_at(const Crowd<Dim>& crowd, const std::array<double, Dim>& place) {
    return detail::state_of(crowd).world.kept(WorldPoint<Dim>(place));
}

/// An array of ids: a uint32 array of shape (n,), or None for no ids.
class Ids {
public:
    Ids(py::handle ids, const char* argument);

    [[nodiscard]] std::size_t size() const noexcept { return values_ ? values_->view().count : 0; }
    [[nodiscard]] Id operator[](std::size_t i) const noexcept { return values_->view()[i]; }

private:
    std::optional<Values<Id>> values_;
};

// The lists below are made with the GIL held, and append their edits without it.

class Erasures {
public:
    explicit Erasures(py::handle ids) : ids_(ids, "erase") {}

    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    template <std::size_t Dim>
    void append_to(std::vector<Edit<Dim>>& edits) const {
        for (std::size_t i = 0; i < size(); ++i) {
            edits.push_back(Edit<Dim>::erase(ids_[i]));
        }
    }

private:
    Ids ids_;
};

/// Moves of agents; `ids` is None if there are none.
template <std::size_t Dim>
class Moves {
public:
    Moves(py::handle ids, py::handle positions, Doubles doubles);

    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    void append_to(std::vector<Edit<Dim>>& edits, const Crowd<Dim>& crowd) const;

private:
    Ids ids_;
    std::optional<Points<Dim>> positions_;
};

/// New agents in arrays, each with the arguments of insert().
template <std::size_t Dim>
class NewAgents {
public:
    /// The names of the arguments in messages.
    struct Names {
        const char *positions, *half_extents, *groups;
        const char* counted; ///< the argument that sets the count
    };

    /// The count is `count` if it is given, otherwise the number of positions; all arrays must have
    /// it.
    NewAgents(py::handle positions, py::handle half_extents, py::handle groups, Doubles doubles,
              const Names& names, std::optional<std::size_t> count = {});

    [[nodiscard]] std::size_t size() const noexcept { return positions_.count(); }
    [[nodiscard]] Agent<Dim> agent(std::size_t i, const Crowd<Dim>& crowd) const;

private:
    [[nodiscard]] std::optional<Point<Dim>> half_extent(std::size_t i) const noexcept;

    Points<Dim> positions_;
    std::optional<Extents<Dim>> extents_; ///< empty if the crowd keeps no extents
    std::optional<Values<std::uint32_t>> groups_;
};

/// Insertions; `ids` is None if there are none.
template <std::size_t Dim>
class Insertions {
public:
    Insertions(py::handle ids, py::handle positions, py::handle half_extents, py::handle groups,
               Doubles doubles);

    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    void append_to(std::vector<Edit<Dim>>& edits, const Crowd<Dim>& crowd) const;

private:
    Ids ids_;
    std::optional<NewAgents<Dim>> agents_;
};

extern template class Moves<2>;
extern template class Moves<3>;
extern template class NewAgents<2>;
extern template class NewAgents<3>;
extern template class Insertions<2>;
extern template class Insertions<3>;

} // namespace throng::python
