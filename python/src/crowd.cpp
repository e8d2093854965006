#include "crowd.hpp"

#include "changes.hpp"

#include <throng/engine/frozen.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace throng::python {

namespace {

/// The names in an array, or none.
class Names {
public:
    Names(py::handle ids, const char* argument, std::size_t count) {
        if (is_number(ids)) { refuse_type({argument, "a uint32 array of shape (n,)"}, ids); }
        values_.emplace(ids, argument, count);
    }
    [[nodiscard]] Id operator[](std::size_t i) const noexcept { return values_->view()[i]; }

private:
    std::optional<Values<std::uint32_t>> values_;
};

/// The length of an array of names, whatever else it is.
std::size_t length_of(py::handle ids, const char* argument) {
    const Array array(ids, {argument, "a uint32 array of shape (n,)"});
    return array.dimensions() == 0 ? 0 : array.extent(0);
}

template <std::size_t Dim>
Point<Dim> local_point(const Points<Dim>& points, std::size_t i, const Crowd<Dim>& crowd) {
    if (points.in_doubles()) {
        std::array<double, Dim> place;
        for (std::size_t a = 0; a < Dim; ++a) {
            place[a] = points.doubles().values(a)[i];
        }
        return crowd.local(FarPoint<Dim>(place));
    }
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = points.floats().values(a)[i];
    }
    return point;
}

template <std::size_t Dim>
void check_length(const Points<Dim>& points, std::size_t names, const char* argument) {
    if (points.count() != names) {
        refuse_value(argument,
                     "has another length than the ids: " + std::to_string(points.count()) +
                         ", not " + std::to_string(names));
    }
}

} // namespace

std::shared_ptr<CappedMemory> budget_of(py::handle cap) {
    if (cap.is_none()) { return nullptr; }
    const std::size_t bytes = PyLong_AsSize_t(cap.ptr());
    if (PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        refuse_type({"memory_cap", "None, or a number of bytes"}, cap);
    }
    return std::make_shared<CappedMemory>(bytes);
}

template <std::size_t Dim>
OwnCrowd<Dim>::OwnCrowd(py::handle bounds, py::handle cell, py::handle origin, py::handle periodic,
                        py::handle memory_cap, std::size_t threads)
    : Asked<Dim>(std::make_shared<Workshop<Dim>>(threads), !origin.is_none()),
      budget_(budget_of(memory_cap)) {
    CrowdSettings<Dim> settings = settings_from<Dim>(bounds, cell, origin, periodic);
    settings.memory = budget_.get();
    check(crowd_.configure(settings));
}

template <std::size_t Dim>
template <class Work>
void OwnCrowd<Dim>::change(Work&& work) {
    const std::shared_ptr<Tools<Dim>> tools = this->workshop_->tools.lend();
    const std::shared_ptr<Team> team = this->workshop_->team;
    const Turnstile::Inside inside(this->turnstile_, Turnstile::As::writer);
    check(work_without_gil(team, *tools,
                           [&](Tools<Dim>& with) { return work(crowd_, with.executor); }));
}

template <std::size_t Dim>
void OwnCrowd<Dim>::update(py::handle positions, py::handle half_extents, py::handle groups) {
    const Everybody<Dim> everybody(positions, half_extents, groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return everybody.give([&](const auto& agents) { return crowd.update(agents, executor); });
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::set_statics(py::handle positions, py::handle half_extents, py::handle groups) {
    const Everybody<Dim> everybody(positions, half_extents, groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return everybody.give(
            [&](const auto& statics) { return crowd.set_statics(statics, executor); });
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::insert(std::uint32_t id, py::handle position, py::handle half_extent,
                           py::handle group) {
    const Numbers<Dim> place(position, "position");
    const bool far = place.in_doubles && this->takes_doubles();
    std::optional<Point<Dim>> extent;
    if (!half_extent.is_none()) {
        extent = is_number(half_extent) ? Point<Dim>::all(float_from(half_extent, "half_extent"))
                                        : Numbers<Dim>(half_extent, "half_extent").point();
    }
    std::optional<std::uint32_t> mask;
    if (!group.is_none()) { mask = uint32_from(group, "group"); }
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        return far ? crowd.insert(id, FarAgent<Dim>{FarPoint<Dim>(place.value), extent, mask})
                   : crowd.insert(id, Agent<Dim>{place.point(), extent, mask});
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
        return far ? crowd.move(id, FarPoint<Dim>(place.value)) : crowd.move(id, place.point());
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::edit(py::handle erased, py::handle moved, py::handle moved_positions,
                         py::handle inserted, py::handle positions, py::handle half_extents,
                         py::handle groups) {
    std::vector<Edit<Dim>> edits;
    if (!erased.is_none()) {
        const std::size_t count = length_of(erased, "erase");
        const Names ids(erased, "erase", count);
        for (std::size_t i = 0; i < count; ++i) {
            edits.push_back(Edit<Dim>::erase(ids[i]));
        }
    }
    if (!moved.is_none()) {
        const std::size_t count = length_of(moved, "move[0]");
        const Names ids(moved, "move[0]", count);
        const Points<Dim> places(moved_positions, "move[1]", this->doubles());
        check_length(places, count, "move[1]");
        for (std::size_t i = 0; i < count; ++i) {
            edits.push_back(Edit<Dim>::move(ids[i], local_point(places, i, crowd_)));
        }
    }
    if (!inserted.is_none()) {
        const std::size_t count = length_of(inserted, "insert[0]");
        const Names ids(inserted, "insert[0]", count);
        const Points<Dim> places(positions, "insert[1]", this->doubles());
        check_length(places, count, "insert[1]");
        const Extents<Dim> extents(half_extents, "insert[2]");
        std::optional<Names> masks;
        if (!groups.is_none()) { masks.emplace(groups, "insert[3]", count); }
        if (extents.each.axis[0] != nullptr && extents.each.count != count) {
            refuse_value("insert[2]", "has another length than the ids");
        }
        for (std::size_t i = 0; i < count; ++i) {
            Agent<Dim> agent = {local_point(places, i, crowd_), {}, {}};
            if (extents.each.axis[0] != nullptr) {
                agent.half_extent.emplace();
                for (std::size_t a = 0; a < Dim; ++a) {
                    (*agent.half_extent)[a] = extents.each.values(a)[i];
                }
            } else if (!half_extents.is_none()) {
                agent.half_extent = extents.common;
            }
            if (masks) { agent.groups = (*masks)[i]; }
            edits.push_back(Edit<Dim>::insert(ids[i], agent));
        }
    }
    change(
        [&](Crowd<Dim>& crowd, PatientExecutor& executor) { return crowd.edit(edits, executor); });
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
    this->takes_doubles_ =
        std::any_of(origin.begin(), origin.end(), [](double x) { return x != 0.0; });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::load(const char* path) {
    replace([&](Crowd<Dim>& crowd, const auto& progress) {
        return throng::load(crowd, path, progress);
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::load_bytes(const py::bytes& bytes) {
    const std::string_view text = bytes;
    const auto memory = std::as_bytes(std::span(text.data(), text.size()));
    replace([&](Crowd<Dim>& crowd, const auto& progress) {
        return throng::load(crowd, memory, progress);
    });
}

template <std::size_t Dim>
void define_own_crowd(py::module_& module, const char* name) {
    using Self = OwnCrowd<Dim>;
    py::class_<Self, Asked<Dim>>(module, name, "A crowd that can be asked and changed.")
        .def(py::init<py::handle, py::handle, py::handle, py::handle, py::handle, std::size_t>())
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
        .def("clear", &Self::clear)
        .def("release_all", &Self::release_all)
        .def("load", &Self::load)
        .def("load_bytes", &Self::load_bytes);
}

template class OwnCrowd<2>;
template class OwnCrowd<3>;
template void define_own_crowd<2>(py::module_&, const char*);
template void define_own_crowd<3>(py::module_&, const char*);

} // namespace throng::python
