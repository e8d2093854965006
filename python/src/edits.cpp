#include "edits.hpp"

#include <string>

namespace throng::python {

namespace {

template <std::size_t Dim>
Point<Dim> position_of(const Points<Dim>& points, std::size_t i, const Crowd<Dim>& crowd) {
    if (points.in_doubles()) {
        std::array<double, Dim> place;
        for (std::size_t a = 0; a < Dim; ++a) {
            place[a] = points.doubles().values(a)[i];
        }
        return kept_at(crowd, place);
    }
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = points.floats().values(a)[i];
    }
    return point;
}

void check_length(std::size_t length, std::size_t wanted, const char* argument,
                  const std::string& counted) {
    if (length != wanted) {
        refuse_value(argument, "has another length than " + counted + ": " +
                                   std::to_string(length) + ", not " + std::to_string(wanted));
    }
}

} // namespace

Ids::Ids(py::handle ids, const char* argument) {
    if (ids.is_none()) { return; }
    values_.emplace(ids, argument, std::nullopt);
}

template <std::size_t Dim>
Moves<Dim>::Moves(py::handle ids, py::handle positions, Doubles doubles) : ids_(ids, "move[0]") {
    if (ids.is_none()) { return; }
    positions_.emplace(positions, "move[1]", doubles);
    check_length(positions_->count(), size(), "move[1]", "the ids");
}

template <std::size_t Dim>
void Moves<Dim>::append_to(std::vector<Edit<Dim>>& edits, const Crowd<Dim>& crowd) const {
    for (std::size_t i = 0; i < size(); ++i) {
        edits.push_back(Edit<Dim>::move(ids_[i], position_of(*positions_, i, crowd)));
    }
}

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
    Point<Dim> own;
    for (std::size_t a = 0; a < Dim; ++a) {
        own[a] = extents_->each.values(a)[i];
    }
    return own;
}

template <std::size_t Dim>
Agent<Dim> NewAgents<Dim>::agent(std::size_t i, const Crowd<Dim>& crowd) const {
    Agent<Dim> agent = {position_of(positions_, i, crowd), half_extent(i), {}};
    if (groups_) { agent.groups = groups_->view()[i]; }
    return agent;
}

template <std::size_t Dim>
Insertions<Dim>::Insertions(py::handle ids, py::handle positions, py::handle half_extents,
                            py::handle groups, Doubles doubles)
    : ids_(ids, "insert[0]") {
    if (ids.is_none()) { return; }
    agents_.emplace(
        positions, half_extents, groups, doubles,
        typename NewAgents<Dim>::Names{"insert[1]", "insert[2]", "insert[3]", "the ids"}, size());
}

template <std::size_t Dim>
void Insertions<Dim>::append_to(std::vector<Edit<Dim>>& edits, const Crowd<Dim>& crowd) const {
    for (std::size_t i = 0; i < size(); ++i) {
        edits.push_back(Edit<Dim>::insert(ids_[i], agents_->agent(i, crowd)));
    }
}

template class Moves<2>;
template class Moves<3>;
template class NewAgents<2>;
template class NewAgents<3>;
template class Insertions<2>;
template class Insertions<3>;

} // namespace throng::python
