#include "edits.hpp"

#include <string>

namespace throng::python {

namespace {

template <std::size_t Dim>
Point<Dim> position_of(const Points<Dim>& points, std::size_t i, const Crowd<Dim>& crowd) {
    if (points.in_doubles()) { return kept_at(crowd, at(points.doubles(), i)); }
    return {at(points.floats(), i)};
}

void check_length(std::size_t length, std::size_t wanted, const char* argument,
                  const std::string& counted) {
    if (length != wanted) {
        refuse_value(argument, "has another length than " + counted + ": " +
                                   std::to_string(length) + ", not " + std::to_string(wanted));
    }
}

} // namespace

template <std::size_t Dim>
NewAgents<Dim>::NewAgents(py::handle positions, py::handle half_extents, py::handle groups,
                          Doubles doubles, const Names& names, std::optional<std::size_t> count)
    : positions_(positions, names.positions, doubles) {
    if (count) { check_length(size(), *count, names.positions, names.counted); }
    if (!half_extents.is_none()) {
        extents_.emplace(half_extents, names.half_extents);
        if (extents_->of_each) {
            check_length(extents_->each.count, size(), names.half_extents, names.counted);
        }
    }
    if (!groups.is_none()) {
        if (is_number(groups)) {
            refuse_type({names.groups, "None, or a uint32 array of shape (n,)"}, groups);
        }
        groups_.emplace(groups, names.groups, size());
    }
}

template <std::size_t Dim>
std::optional<Point<Dim>> NewAgents<Dim>::half_extent(std::size_t i) const noexcept {
    if (!extents_) { return {}; }
    if (!extents_->of_each) { return extents_->common; }
    return Point<Dim>{at(extents_->each, i)};
}

template <std::size_t Dim>
Agent<Dim> NewAgents<Dim>::agent(std::size_t i, const Crowd<Dim>& crowd) const {
    Agent<Dim> agent = {position_of(positions_, i, crowd), half_extent(i), {}};
    if (groups_) { agent.groups = groups_->view()[i]; }
    return agent;
}

template <std::size_t Dim>
Edits<Dim>::Edits(py::handle erased, py::handle moved, py::handle moved_positions,
                  py::handle inserted, py::handle positions, py::handle half_extents,
                  py::handle groups, Doubles doubles) {
    if (!erased.is_none()) { erased_.emplace(erased, "erase", std::nullopt); }
    if (!moved.is_none()) {
        moved_.emplace(moved, "move[0]", std::nullopt);
        moved_positions_.emplace(moved_positions, "move[1]", doubles);
        check_length(moved_positions_->count(), moved_->view().count, "move[1]", "the ids");
    }
    if (!inserted.is_none()) {
        inserted_.emplace(inserted, "insert[0]", std::nullopt);
        const typename NewAgents<Dim>::Names names = {"insert[1]", "insert[2]", "insert[3]",
                                                      "the ids"};
        agents_.emplace(positions, half_extents, groups, doubles, names, inserted_->view().count);
    }
}

template <std::size_t Dim>
std::vector<Edit<Dim>> Edits<Dim>::all(const Crowd<Dim>& crowd) const {
    std::vector<Edit<Dim>> edits;
    const auto add = [&](const std::optional<Values<Id>>& ids, const auto& edit_of) {
        if (!ids) { return; }
        edits.reserve(edits.size() + ids->view().count);
        for (std::size_t i = 0; i < ids->view().count; ++i) {
            edits.push_back(edit_of(ids->view()[i], i));
        }
    };
    add(erased_, [](Id id, std::size_t) { return Edit<Dim>::erase(id); });
    add(moved_, [&](Id id, std::size_t i) {
        return Edit<Dim>::move(id, position_of(*moved_positions_, i, crowd));
    });
    add(inserted_,
        [&](Id id, std::size_t i) { return Edit<Dim>::insert(id, agents_->agent(i, crowd)); });
    return edits;
}

template class NewAgents<2>;
template class NewAgents<3>;
template class Edits<2>;
template class Edits<3>;

} // namespace throng::python
