#include "crowd.hpp"

#include "changes.hpp"
#include "edits.hpp"

#include <throng/engine/frozen/frozen.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace throng::python {

std::shared_ptr<CappedMemory> budget_of(py::handle cap) {
    if (cap.is_none()) { return nullptr; }
    constexpr auto kMost = std::numeric_limits<std::size_t>::max();
    return std::make_shared<CappedMemory>(
        static_cast<std::size_t>(whole_from(cap, "memory_cap", kMost)));
}

std::uint32_t reserved_from(py::handle agents) {
    const std::uint32_t count = uint32_from(agents, "agents");
    // The library's status would name positions, which reserve() does not have.
    if (count > kMostInCrowd) {
        check({Cause::too_many, Argument::positions}, {Argument::positions, "agents"});
    }
    return count;
}

template <std::size_t Dim>
OneAgent<Dim>::OneAgent(py::handle position, py::handle extent, py::handle group)
    : place(position, "position") {
    if (!extent.is_none()) {
        half_extent = is_number(extent) ? Point<Dim>::all(float_from(extent, "half_extent"))
                                        : Numbers<Dim>(extent, "half_extent").point();
    }
    if (!group.is_none()) { groups = uint32_from(group, "group"); }
}

template <std::size_t Dim>
OwnCrowd<Dim>::OwnCrowd(py::handle bounds, py::handle cell, py::handle origin, py::handle periodic,
                        py::handle memory_cap, const TeamKind& team)
    : Asked<Dim>(std::make_shared<Workshop<Dim>>(team), !origin.is_none()),
      budget_(budget_of(memory_cap)) {
    CrowdSettings<Dim> settings = settings_from<Dim>(bounds, cell, origin, periodic);
    settings.memory = budget_.get();
    check(crowd_.configure(settings));
}

template <std::size_t Dim>
void OwnCrowd<Dim>::update(py::handle positions, py::handle half_extents, py::handle groups) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return all_agents.give([&](const auto& agents) { return crowd.update(agents, executor); });
    });
}

template <std::size_t Dim>
std::shared_ptr<Team> OwnCrowd<Dim>::update_lists(LastingNeighbours<Dim>& lists,
                                                  PatientExecutor& executor, py::handle positions,
                                                  py::handle half_extents, py::handle groups) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, this->doubles());
    std::shared_ptr<Team> team = this->workshop_->team;
    const Turnstile::Inside inside(this->turnstile_, Turnstile::As::writer);
    check(work_without_gil(team, executor, [&] {
        return all_agents.give([&](const auto& agents) { return lists.update(crowd_, agents); });
    }));
    return team;
}

template <std::size_t Dim>
void OwnCrowd<Dim>::set_statics(py::handle positions, py::handle half_extents, py::handle groups) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return all_agents.give(
            [&](const auto& statics) { return crowd.set_statics(statics, executor); });
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::insert(std::uint32_t id, py::handle position, py::handle half_extent,
                           py::handle group) {
    const OneAgent<Dim> agent(position, half_extent, group);
    const Numbers<Dim>& place = agent.place;
    const bool far = place.in_doubles && this->takes_doubles();
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        return far ? crowd.insert(id, WorldAgent<Dim>{WorldPoint<Dim>(place.value),
                                                      agent.half_extent, agent.groups})
                   : crowd.insert(id, Agent<Dim>{place.point(), agent.half_extent, agent.groups});
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::erase(std::uint32_t id) {
    change([&](Crowd<Dim>& crowd, PatientExecutor&) { return crowd.erase(id); });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::move(std::uint32_t id, py::handle position) {
    const Numbers<Dim> place(position, "position");
    const bool far = place.in_doubles && this->takes_doubles();
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        return far ? crowd.move(id, WorldPoint<Dim>(place.value)) : crowd.move(id, place.point());
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::edit(py::handle erased, py::handle moved, py::handle moved_positions,
                         py::handle inserted, py::handle positions, py::handle half_extents,
                         py::handle groups) {
    const Erasures erasures(erased);
    const Moves<Dim> moves(moved, moved_positions, this->doubles());
    const Insertions<Dim> insertions(inserted, positions, half_extents, groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        std::vector<Edit<Dim>> edits;
        edits.reserve(erasures.size() + moves.size() + insertions.size());
        erasures.append_to(edits);
        moves.append_to(edits, crowd);
        insertions.append_to(edits, crowd);
        return crowd.edit(edits, executor);
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::reserve(std::uint32_t agents) {
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return crowd.reserve(agents, executor);
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::clear() {
    change([](Crowd<Dim>& crowd, PatientExecutor&) {
        crowd.clear();
        return Status();
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::release_all() {
    this->release();
    change([](Crowd<Dim>& crowd, PatientExecutor&) {
        crowd.release_staging();
        return Status();
    });
}

template <std::size_t Dim>
template <class Load>
void OwnCrowd<Dim>::replace(Load&& load) {
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return load(crowd, [&](float) {
            executor.patience().check();
            return true;
        });
    });
    const std::array<double, Dim>& origin = crowd_.settings().origin;
    this->takes_doubles_ = this->takes_doubles_ || std::any_of(origin.begin(), origin.end(),
                                                               [](double x) { return x != 0.0; });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::load(const char* path) {
    replace([&](Crowd<Dim>& crowd, const auto& progress) {
        return throng::load(crowd, path, progress);
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::load_bytes(py::handle bytes) {
    const Expected expected = {"data", "bytes, or what holds some in one piece"};
    const Array array(bytes, expected);
    const auto memory = array.in_one_piece();
    if (!memory) { refuse_shape(expected, bytes); }
    replace([&](Crowd<Dim>& crowd, const auto& progress) {
        return throng::load(crowd, *memory, progress);
    });
}

template <std::size_t Dim>
void define_own_crowd(py::module_& module, const char* name) {
    using Self = OwnCrowd<Dim>;
    py::class_<Self, Asked<Dim>>(module, name, "A crowd that can be asked and changed.")
        .def(py::init([](py::handle bounds, py::handle cell, py::handle origin, py::handle periodic,
                         py::handle memory_cap, py::handle threads, py::handle executor) {
            return std::make_unique<Self>(bounds, cell, origin, periodic, memory_cap,
                                          TeamKind::from(threads, executor));
        }))
        .def("update", &Self::update)
        .def("set_statics", &Self::set_statics)
        .def("insert",
             [](Self& self, py::handle id, py::handle position, py::handle half_extent,
                py::handle group) {
                 self.insert(uint32_from(id, "id"), position, half_extent, group);
             })
        .def("erase", [](Self& self, py::handle id) { self.erase(uint32_from(id, "id")); })
        .def("move", [](Self& self, py::handle id,
                        py::handle position) { self.move(uint32_from(id, "id"), position); })
        .def("edit", &Self::edit)
        .def("add", &Self::add)
        .def("add_many", &Self::add_many)
        .def("remove", [](Self& self, py::handle handle) { self.remove(handle_from(handle)); })
        .def("remove_many", &Self::remove_many)
        .def("move_handle", [](Self& self, py::handle handle,
                               py::handle position) { self.move(handle_from(handle), position); })
        .def("check", [](Self& self, py::handle handle) { self.check_handle(handle_from(handle)); })
        .def("has_handle",
             [](Self& self, py::handle handle) { return self.has_handle(handle_from(handle)); })
        .def("handle_of",
             [](Self& self, py::handle id) { return self.handle_of(uint32_from(id, "id")); })
        .def("slots", &Self::slots)
        .def("reserve", [](Self& self, py::handle agents) { self.reserve(reserved_from(agents)); })
        .def("clear", &Self::clear)
        .def("release_all", &Self::release_all)
        .def("memory_cap", &Self::memory_cap)
        .def("load", &Self::load)
        .def("load_bytes", &Self::load_bytes);
}

template struct OneAgent<2>;
template struct OneAgent<3>;
template class OwnCrowd<2>;
template class OwnCrowd<3>;
template void define_own_crowd<2>(py::module_&, const char*);
template void define_own_crowd<3>(py::module_&, const char*);

} // namespace throng::python
