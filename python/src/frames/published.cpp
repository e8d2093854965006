#include "published.hpp"

#include "../changes.hpp"

namespace throng::python {

template <std::size_t Dim>
Published<Dim>::Published(py::handle bounds, py::handle cell, py::handle origin,
                          py::handle periodic, py::handle memory_cap, const TeamKind& team)
    : budget_(budget_of(memory_cap)), workshop_(std::make_shared<Workshop<Dim>>(team)),
      takes_doubles_(!origin.is_none()) {
    CrowdSettings<Dim> settings = settings_from<Dim>(bounds, cell, origin, periodic);
    settings.memory = budget_.get();
    check(crowd_.configure(settings));
}

template <std::size_t Dim>
template <class Work>
void Published<Dim>::change(Work&& work) {
    const std::shared_ptr<Tools<Dim>> tools = workshop_->tools.lend();
    const std::shared_ptr<Team> team = workshop_->team;
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    check(work_without_gil(team, *tools, [&](Tools<Dim>& with) { return work(with.executor); }));
}

template <std::size_t Dim>
void Published<Dim>::update(py::handle positions, py::handle half_extents, py::handle groups) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, doubles());
    change([&](PatientExecutor& executor) {
        return all_agents.give([&](const auto& agents) { return crowd_.update(agents, executor); });
    });
}

template <std::size_t Dim>
void Published<Dim>::set_statics(py::handle positions, py::handle half_extents, py::handle groups) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, doubles());
    change([&](PatientExecutor& executor) {
        return all_agents.give(
            [&](const auto& statics) { return crowd_.set_statics(statics, executor); });
    });
}

template <std::size_t Dim>
void Published<Dim>::reserve(std::uint32_t agents) {
    change([&](PatientExecutor& executor) { return crowd_.reserve(agents, executor); });
}

template <std::size_t Dim>
std::unique_ptr<Frame<Dim>> Published<Dim>::acquire() const {
    Snapshot<Crowd<Dim>> snapshot = crowd_.acquire();
    if (!snapshot) { return nullptr; }
    return std::make_unique<Frame<Dim>>(workshop_, takes_doubles_, budget_, std::move(snapshot));
}

template <std::size_t Dim>
std::size_t Published<Dim>::frames() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    return crowd_.frames();
}

template <std::size_t Dim>
void Published<Dim>::shrink() {
    change([&](PatientExecutor&) {
        crowd_.shrink();
        return Status();
    });
}

template <std::size_t Dim>
void define_published(py::module_& module, const char* name, const char* frame_name) {
    py::class_<Frame<Dim>, Asked<Dim>>(module, frame_name, "A frame that was published.")
        .def("number", &Frame<Dim>::number);
    using Self = Published<Dim>;
    py::class_<Self>(module, name, "A crowd that is asked while it is updated.")
        .def(py::init([](py::handle bounds, py::handle cell, py::handle origin, py::handle periodic,
                         py::handle memory_cap, py::handle threads, py::handle executor) {
            return std::make_unique<Self>(bounds, cell, origin, periodic, memory_cap,
                                          TeamKind::from(threads, executor));
        }))
        .def("update", &Self::update)
        .def("set_statics", &Self::set_statics)
        .def("reserve", [](Self& self, py::handle agents) { self.reserve(reserved_from(agents)); })
        .def("acquire", &Self::acquire)
        .def("frames", &Self::frames)
        .def("shrink", &Self::shrink)
        .def("threads", &Self::threads)
        .def("executor", &Self::executor);
}

template void define_published<2>(py::module_&, const char*, const char*);
template void define_published<3>(py::module_&, const char*, const char*);

} // namespace throng::python
