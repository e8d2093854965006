// Lists of edits, as Python gives them: an array of ids, and arrays of values for each id.
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

/// The position that an agent at this place in world coordinates is kept with: rounded once, after
/// it was put inside a periodic world. Crowd::local() rounds where it is, far away perhaps.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> kept_at(const Crowd<Dim>& crowd, const std::array<double, Dim>& place) {
    return detail::state_of(crowd).world.kept(WorldPoint<Dim>(place));
}

/// A uint32 array of shape (n,), or None, which means no ids.
class Ids {
public:
    Ids(py::handle ids, const char* argument);

    [[nodiscard]] std::size_t size() const noexcept { return values_ ? values_->view().count : 0; }
    [[nodiscard]] Id operator[](std::size_t i) const noexcept { return values_->view()[i]; }

private:
    std::optional<Values<Id>> values_;
};

// Made with the GIL held; appended without.

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

/// `ids` is None where there are no such edits.
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

/// `ids` is None where there are no such edits.
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
